package store_test

import (
	"bufio"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cento-dev/cento/store"
)

// holdPlace makes the test binary a program that holds the lock of a store until
// its stdin ends.
const holdPlace = "CENTO_HOLD_PLACE"

func hold(place string) int {
	ctx := context.Background()
	driver, statements := "sqlite", []string{"PRAGMA busy_timeout = 60000", "BEGIN IMMEDIATE"}
	if strings.HasPrefix(place, "postgres") {
		driver, statements = "pgx", []string{"BEGIN", "SELECT pg_advisory_xact_lock(hashtextextended('cento.' || current_schema(), 0))"}
	}
	db, err := sql.Open(driver, place)
	if err == nil {
		var c *sql.Conn
		if c, err = db.Conn(ctx); err == nil {
			for _, statement := range statements {
				if _, err = c.ExecContext(ctx, statement); err != nil {
					break
				}
			}
		}
	}
	if err != nil {
		fmt.Println(err)
		return 1
	}
	fmt.Println("held")
	_, _ = io.Copy(io.Discard, os.Stdin)
	return 0
}

// held lets another process hold the lock of a store, until the function that it
// gives is called.
func held(t *testing.T, place string) (release func()) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), holdPlace+"="+place)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil || line != "held\n" {
		t.Fatalf("the other process says %q, %v", line, err)
	}
	return func() {
		if err := errors.Join(in.Close(), cmd.Wait()); err != nil {
			t.Error(err)
		}
	}
}

// TestLocked: another process holds the lock for longer than is waited, and then
// for less. A second is enough to see it; CENTO_LOCK_SECONDS=30 makes it as long.
func TestLocked(t *testing.T) {
	wait := time.Second
	if s := os.Getenv("CENTO_LOCK_SECONDS"); s != "" {
		n, err := strconv.Atoi(s)
		if err != nil {
			t.Fatal(err)
		}
		wait = time.Duration(n) * time.Second
	}
	store.OnBoth(t, func(t *testing.T, place string) {
		filled(t, place)
		s := store.OpenForTest(t, place, store.Options{Wait: wait})
		d, err := draftOf("while it is locked")
		if err != nil {
			t.Fatal(err)
		}
		patient := store.OpenForTest(t, place, store.Options{Wait: wait + time.Minute})
		write := func(s *store.Store) error {
			_, err := s.Commit(t.Context(), store.Transition{Key: "once", Changes: []store.Change{{Session: "locked", Expect: 0, Drafts: []store.Draft{d}}}})
			return err
		}
		release := held(t, place)
		begin := time.Now()
		if err := write(s); !errors.Is(err, store.Locked) {
			t.Errorf("%v", err)
		}
		if took := time.Since(begin); took < wait/2 || took > 4*wait+10*time.Second {
			t.Errorf("it was waited for %v, and not for %v", took, wait)
		}
		// Reading goes on.
		if v := verified(t, s); v.Records != 40 {
			t.Errorf("%d records", v.Records)
		}
		// Somebody who waits gets it when it is free.
		done := make(chan error, 1)
		go func() { done <- write(patient) }()
		release()
		if err := <-done; err != nil {
			t.Errorf("the lock is free: %v", err)
		}
		if v := verified(t, s); v.Records != 41 {
			t.Errorf("%d records", v.Records)
		}
	})
}

// TestReadOnlyStore: a store that is opened for reading, and a server that allows
// no more.
func TestReadOnlyStore(t *testing.T) {
	d, err := draftOf("not to be written")
	if err != nil {
		t.Fatal(err)
	}
	from := store.OpenForTest(t, store.SQLitePlace(t), store.Options{})
	if _, err := from.Append(t.Context(), "elsewhere", d); err != nil {
		t.Fatal(err)
	}
	var exported strings.Builder
	if err := from.Export(t.Context(), &exported, store.ExportOptions{}); err != nil {
		t.Fatal(err)
	}
	store.OnBoth(t, func(t *testing.T, place string) {
		texts := filled(t, place)
		refuse := func(s *store.Store) {
			t.Helper()
			if _, err := s.Append(t.Context(), "s", d); !errors.Is(err, store.ReadOnly) {
				t.Errorf("append: %v", err)
			}
			if _, err := s.GC(t.Context(), store.GCOptions{}); !errors.Is(err, store.ReadOnly) {
				t.Errorf("gc: %v", err)
			}
			if _, err := s.Redact(t.Context(), store.RedactOptions{Fragment: "words"}); !errors.Is(err, store.ReadOnly) {
				t.Errorf("redact: %v", err)
			}
			if _, err := s.Import(t.Context(), strings.NewReader(exported.String()), store.ImportOptions{}); !errors.Is(err, store.ReadOnly) {
				t.Errorf("import: %v", err)
			}
			if v := verified(t, s); v.Records != int64(len(texts)) {
				t.Errorf("%d records", v.Records)
			}
		}
		refuse(store.OpenForTest(t, place, store.Options{ReadOnly: true}))
		if strings.HasPrefix(place, "postgres") {
			refuse(store.OpenForTest(t, place+"&default_transaction_read_only=on", store.Options{}))
		}
	})
}

// TestReadOnlyFile: a file and a folder that may not be written to.
func TestReadOnlyFile(t *testing.T) {
	folder := t.TempDir()
	place := filepath.Join(folder, "cento.db")
	texts := filled(t, place)
	unlock := protect(t, folder, place)
	s, err := store.Open(t.Context(), place, store.Options{})
	if err == nil {
		d, draftErr := draftOf("not to be written")
		if draftErr != nil {
			t.Fatal(draftErr)
		}
		_, err = s.Append(t.Context(), "s", d)
		if closed := s.Close(); closed != nil {
			t.Error(closed)
		}
	}
	if !errors.Is(err, store.ReadOnly) && !errors.Is(err, store.Unreachable) {
		t.Errorf("%v", err)
	}
	if _, err := store.Open(t.Context(), filepath.Join(folder, "new.db"), store.Options{}); !errors.Is(err, store.Unreachable) && !errors.Is(err, store.ReadOnly) {
		t.Errorf("a new one: %v", err)
	}
	unlock()
	if v := verified(t, store.OpenForTest(t, place, store.Options{})); v.Records != int64(len(texts)) {
		t.Errorf("%d records", v.Records)
	}
}
