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

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/treetest"
	"github.com/cento-dev/cento/store"
	"github.com/cento-dev/cento/store/engines"
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
	in, out := treetest.Start(t, cmd)
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

// What is no place of a store is refused, and neither the error nor the disk tells
// more of an address than how it begins.
func TestPlaces(t *testing.T) {
	t.Chdir(t.TempDir())
	for place, want := range map[string]string{
		"mysql://u:secret@h/db":                `there is no store for addresses that begin with "mysql:"`,
		"MySQL:u:secret@h":                     `there is no store for addresses that begin with "mysql:"`,
		"file:x.db":                            `there is no store for addresses that begin with "file:"`,
		"file:///x.db?secret":                  `there is no store for addresses that begin with "file:"`,
		"postgres:u:secret@h/db":               `there is no store for addresses that begin with "postgres:"`,
		"postgres//u:secret@h/db":              "the place of the store is neither a path nor an address",
		"://u:secret@h/db":                     "the place of the store is neither a path nor an address",
		"postgres://u:secret@127.0.0.1:bad/db": "the address of the store can't be read",
		"sqlite://u:secret@h/db":               "the place of the store is neither a path nor an address",
		"sqlite:postgres://u:secret@h/db":      "the store is a file, and what stands behind sqlite: is no path",
		":memory:":                             "a store isn't kept in memory",
		":MEMORY:?secret":                      "a store isn't kept in memory",
		"sqlite::memory:":                      "a store isn't kept in memory",
		"sqlite:":                              "the place of the store is empty",
		"":                                     "the place of the store is empty",
	} {
		s, err := engines.Open(t.Context(), place, store.Options{Wait: time.Second})
		if s != nil {
			t.Errorf("%q is opened as %q", place, s.Place())
			s.Close()
			continue
		}
		e, ok := errors.AsType[*cento.SourceError](err)
		if !ok || e.Code != store.Invalid || e.Message != want || strings.Contains(e.Hint, "secret") {
			t.Errorf("%q: %v, want %s", place, err, want)
		}
	}
	for _, place := range []string{"Postgres://u:secret@127.0.0.1:1/db", "POSTGRESQL://u:secret@127.0.0.1:1/db"} {
		_, err := engines.Open(t.Context(), place, store.Options{Wait: time.Second})
		if !errors.Is(err, store.Unreachable) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v", place, err)
		}
	}
	if left, err := os.ReadDir("."); err != nil || len(left) > 0 {
		t.Errorf("files were made: %v, %v", left, err)
	}
	for _, place := range []string{"x.db", "SQLite:y.db", "./a:b.db", "sqlite:./c:d.db", "deep/z.db"} {
		s, err := engines.Open(t.Context(), place, store.Options{})
		if err != nil {
			t.Errorf("%q: %v", place, err)
			continue
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(s.Place()); err != nil {
			t.Errorf("%q: %v", place, err)
		}
	}
}

// A session that begins has an id that is no path, tag or pattern; what is there
// keeps its name.
func TestNewNames(t *testing.T) {
	store.OnBoth(t, func(t *testing.T, place string) {
		s := store.OpenForTest(t, place, store.Options{})
		for _, id := range []string{"../../outside", "<script>", "a b", "-rf"} {
			for _, expect := range []int64{0, store.AnyVersion} {
				_, err := s.Commit(t.Context(), store.Transition{Changes: []store.Change{{Session: id, Expect: expect, State: []byte("{}")}}})
				if !errors.Is(err, store.Invalid) {
					t.Errorf("%q: %v", id, err)
				}
			}
		}
		db := raw(t, place)
		if _, err := s.Commit(t.Context(), store.Transition{Changes: []store.Change{{Session: "old", State: []byte("{}")}}}); err != nil {
			t.Fatal(err)
		}
		if _, err := db.Exec("UPDATE session SET name = 'an old <name>' WHERE name = 'old'"); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Commit(t.Context(), store.Transition{Changes: []store.Change{{Session: "an old <name>", Expect: 1, State: []byte("{}")}}}); err != nil {
			t.Errorf("an old name: %v", err)
		}
	})
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
	s, err := engines.Open(t.Context(), place, store.Options{})
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
	if _, err := engines.Open(t.Context(), filepath.Join(folder, "new.db"), store.Options{}); !errors.Is(err, store.Unreachable) && !errors.Is(err, store.ReadOnly) {
		t.Errorf("a new one: %v", err)
	}
	unlock()
	if v := verified(t, store.OpenForTest(t, place, store.Options{})); v.Records != int64(len(texts)) {
		t.Errorf("%d records", v.Records)
	}
}
