package store_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/lengthtest"
	"github.com/cento-dev/cento/store"
	"github.com/cento-dev/cento/store/engines"
)

// raw opens the database below a store.
func raw(t testing.TB, place string) *sql.DB {
	t.Helper()
	driver := "sqlite"
	if strings.HasPrefix(place, "postgres") {
		driver = "pgx"
	}
	db, err := sql.Open(driver, place)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// filled makes a store with a few records and closes it. It gives the prompts.
func filled(t testing.TB, place string) map[int64]string {
	t.Helper()
	s, err := engines.Open(t.Context(), place, store.Options{Clock: fixedClock})
	if err != nil {
		t.Fatal(err)
	}
	texts := map[int64]string{}
	for n := range int64(40) {
		d, err := draftOf(fmt.Sprintf("prompt %d", n))
		if err != nil {
			t.Fatal(err)
		}
		done, err := s.Append(t.Context(), "s", d)
		if err != nil {
			t.Fatal(err)
		}
		texts[done[0].Seq], _ = d.Prompt.System()
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return texts
}

// readBroken reads everything of a store that was broken behind its back. What
// it gives is right, or an error with a code; it tells whether there was one.
func readBroken(t *testing.T, place string, texts map[int64]string) (noticed bool) {
	t.Helper()
	s, err := engines.Open(t.Context(), place, store.Options{Clock: fixedClock})
	if err != nil {
		typed(t, err)
		return true
	}
	defer s.Close()
	notice := func(err error) bool {
		if err == nil {
			return true
		}
		if noticed = true; !errors.Is(err, store.UnknownSession) && !errors.Is(err, store.UnknownRecord) {
			typed(t, err)
		}
		return false
	}
	v, err := s.Verify(t.Context(), store.VerifyOptions{})
	if notice(err) {
		noticed = noticed || !v.OK || v.Records != int64(len(texts))
	}
	for seq, want := range texts {
		if got, _, err := s.Text(t.Context(), "s", seq); notice(err) && got != want {
			t.Errorf("record %d: another text is given for right: %q", seq, got)
		}
	}
	_, err = s.Search(t.Context(), store.SearchQuery{Text: "small steps", RecordQuery: store.RecordQuery{Limit: 100}})
	notice(err)
	// Writing works, or is refused as a whole.
	d, err := draftOf("one more")
	if err != nil {
		t.Fatal(err)
	}
	if done, err := s.Append(t.Context(), "other", d); notice(err) {
		if text, _, err := s.Text(t.Context(), "other", done[0].Seq); notice(err) && !strings.Contains(text, "one more") {
			t.Errorf("the new record has another text: %q", text)
		}
	}
	return noticed
}

// TestBrokenPages breaks each page of the file in turn: with noise, with zeros,
// with one changed bit.
func TestBrokenPages(t *testing.T) {
	place := store.SQLitePlace(t)
	texts := filled(t, place)
	whole, err := os.ReadFile(place)
	if err != nil {
		t.Fatal(err)
	}
	const page = 4096
	if len(whole)%page != 0 || len(whole) < 20*page {
		t.Fatalf("%d bytes aren't pages of %d", len(whole), page)
	}
	seed := rand.Uint64() >> 1
	r := rand.New(rand.NewPCG(seed, 0))
	noticed := map[string]int{}
	folder := store.QuickFolder(t)
	stride := 1
	if stride = lengthtest.Of(17, 13, 1); store.RaceDetector {
		stride = max(stride, 7)
	}
	for _, how := range []string{"noise", "zeros", "bit"} {
		for p := 0; p < len(whole)/page; p += stride {
			b := append([]byte(nil), whole...)
			part := b[p*page : (p+1)*page]
			switch how {
			case "noise":
				for i := range part {
					part[i] = byte(r.Uint32())
				}
			case "zeros":
				clear(part)
			default:
				part[r.IntN(page)] ^= 1 << r.IntN(8)
			}
			at := filepath.Join(folder, fmt.Sprintf("%s-%d.db", how, p))
			if err := os.WriteFile(at, b, 0o600); err != nil {
				t.Fatal(err)
			}
			if readBroken(t, at, texts) {
				noticed[how]++
			}
			if t.Failed() {
				t.Fatalf("page %d, %s, seed %d", p, how, seed)
			}
		}
	}
	pages := (len(whole)/page + stride - 1) / stride
	t.Logf("of %d pages: noticed %v", pages, noticed)
	var free int
	if err := raw(t, place).QueryRow("PRAGMA freelist_count").Scan(&free); err != nil {
		t.Fatal(err)
	}
	if min(noticed["noise"], noticed["zeros"]) < pages-free {
		t.Errorf("of %d pages, %d of them unused, some can be broken without notice: %v", pages, free, noticed)
	}
}

// TestCutFile cuts the file off. At nothing it is a new one, as SQLite sees it:
// that is found against heads that were kept.
func TestCutFile(t *testing.T) {
	place := store.SQLitePlace(t)
	texts := filled(t, place)
	whole, err := os.ReadFile(place)
	if err != nil {
		t.Fatal(err)
	}
	for i, size := range []int{1, 15, 16, 99, 100, 511, 512, 4095, 4096, 4097, 3 * 4096, len(whole) / 2 / 4096 * 4096, len(whole)/2/4096*4096 + 77, len(whole) - 4096} {
		at := filepath.Join(t.TempDir(), fmt.Sprintf("%d.db", i))
		if err := os.WriteFile(at, whole[:size], 0o600); err != nil {
			t.Fatal(err)
		}
		if !readBroken(t, at, texts) {
			t.Errorf("nobody notices that %d of %d bytes are there", size, len(whole))
		}
	}
	at := filepath.Join(t.TempDir(), "last.db")
	if err := os.WriteFile(at, whole[:len(whole)-1], 0o600); err != nil {
		t.Fatal(err)
	}
	readBroken(t, at, texts) // the last byte may be one that nothing uses
	at = filepath.Join(t.TempDir(), "empty.db")
	if err := os.WriteFile(at, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s := store.OpenForTest(t, at, store.Options{})
	v, err := s.Verify(t.Context(), store.VerifyOptions{Heads: []store.Stored{{Session: "s", Link: store.Link{Seq: 40}}}})
	if err != nil || v.OK || v.Faults[0].Code != store.TailCut {
		t.Errorf("%+v, %v", v, err)
	}
}

// TestNoDatabase: what was never a store is left as it is.
func TestNoDatabase(t *testing.T) {
	folder := t.TempDir()
	for name, content := range map[string]string{"text": strings.Repeat("This is a text and no database.\n", 400), "short": "x", "byte short": strings.Repeat("x", 511)} {
		at := filepath.Join(folder, name)
		if err := os.WriteFile(at, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, o := range []store.Options{{}, {ReadOnly: true}} {
			_, err := engines.Open(t.Context(), at, o)
			if e, ok := errors.AsType[*cento.SourceError](err); !ok || e.Code != store.Foreign || e.Hint == "" {
				t.Errorf("%s: %v", name, err)
			}
		}
		if b, err := os.ReadFile(at); err != nil || string(b) != content {
			t.Errorf("%s was changed: %v", name, err)
		}
	}
	if _, err := engines.Open(t.Context(), folder, store.Options{}); !errors.Is(err, store.Invalid) {
		t.Errorf("a folder: %v", err)
	}
	if _, err := engines.Open(t.Context(), filepath.Join(folder, "text", "x.db"), store.Options{}); !errors.Is(err, store.Unreachable) {
		t.Errorf("below a file: %v", err)
	}
	if _, err := engines.Open(t.Context(), "", store.Options{}); !errors.Is(err, store.Invalid) {
		t.Errorf("no place: %v", err)
	}
	for _, o := range []store.Options{{ReadOnly: true}, {Existing: true}} {
		none := filepath.Join(folder, "none.db")
		if _, err := engines.Open(t.Context(), none, o); !errors.Is(err, store.Unreachable) {
			t.Errorf("%+v, and not there: %v", o, err)
		}
		if _, err := os.Lstat(none); err == nil {
			t.Errorf("%+v made a file", o)
		}
	}
}

// TestForeignStore: a database that another program keeps its tables in is none of a
// store and left as it is, also where that program has a table of versions by the same
// tool, or one that a store would make. A schema of a server may be shared with tables
// that have other names.
func TestForeignStore(t *testing.T) {
	const versions = "CREATE TABLE goose_db_version (id integer, version_id bigint NOT NULL, is_applied boolean NOT NULL)"
	for name, c := range map[string]struct {
		made             []string
		inFile, inSchema bool
	}{
		"a table":                     {[]string{"CREATE TABLE customer (name text)"}, true, false},
		"a view":                      {[]string{"CREATE VIEW customer AS SELECT 1"}, true, false},
		"a table of the same name":    {[]string{"CREATE TABLE session (name text)"}, true, true},
		"versions of its own":         {[]string{versions, "INSERT INTO goose_db_version VALUES (1, 1, true)", "CREATE TABLE customer (name text)"}, true, true},
		"many versions of its own":    {[]string{versions, "INSERT INTO goose_db_version VALUES (1, 99, true)", "CREATE TABLE customer (name text)"}, true, true},
		"versions, and the same name": {[]string{versions, "INSERT INTO goose_db_version VALUES (1, 2, true)", "CREATE TABLE session (name text)"}, true, true},
	} {
		t.Run(name, func(t *testing.T) {
			store.OnBoth(t, func(t *testing.T, place string) {
				foreign, shared := c.inFile, strings.HasPrefix(place, "postgres")
				if shared {
					foreign = c.inSchema
				}
				db := raw(t, place)
				for _, statement := range c.made {
					if _, err := db.Exec(statement); err != nil {
						t.Fatal(err)
					}
				}
				before, _ := os.ReadFile(place) // nothing of a server
				for _, o := range []store.Options{{ReadOnly: true}, {}} {
					s, err := engines.Open(t.Context(), place, o)
					if s != nil {
						s.Close()
					}
					e, typed := errors.AsType[*cento.SourceError](err)
					switch {
					case foreign && (!typed || e.Code != store.Foreign || e.Hint == ""):
						t.Errorf("%+v: %v", o, err)
					case !foreign && o.ReadOnly && !errors.Is(err, store.Empty), !foreign && !o.ReadOnly && err != nil:
						t.Errorf("%+v: %v", o, err)
					}
				}
				if after, _ := os.ReadFile(place); foreign && !bytes.Equal(before, after) {
					t.Error("the file was changed")
				}
			})
		})
	}
}

// TestEmptyStore: what nobody has written to yet is empty for whoever reads or changes what
// is there, is left as it is, and becomes a store with the first who begins one.
func TestEmptyStore(t *testing.T) {
	store.OnBoth(t, func(t *testing.T, place string) {
		if !strings.HasPrefix(place, "postgres") {
			if err := os.WriteFile(place, nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		for _, o := range []store.Options{{ReadOnly: true}, {Existing: true}, {ReadOnly: true}, {ReadOnly: true, Existing: true}} {
			if _, err := engines.Open(t.Context(), place, o); !errors.Is(err, store.Empty) {
				t.Fatalf("%+v: %v", o, err)
			}
			if b, _ := os.ReadFile(place); len(b) > 0 {
				t.Fatalf("%+v: the file was changed", o)
			}
		}
		store.OpenForTest(t, place, store.Options{})
		store.OpenForTest(t, place, store.Options{ReadOnly: true})
		store.OpenForTest(t, place, store.Options{Existing: true})
	})
}

// TestNewerStore: tables of a newer program aren't touched.
func TestNewerStore(t *testing.T) {
	store.OnBoth(t, func(t *testing.T, place string) {
		filled(t, place)
		db := raw(t, place)
		if _, err := db.Exec("INSERT INTO goose_db_version (version_id, is_applied) VALUES (99, true)"); err != nil {
			t.Fatal(err)
		}
		for _, o := range []store.Options{{}, {ReadOnly: true}} {
			_, err := engines.Open(t.Context(), place, o)
			if !errors.Is(err, store.Newer) {
				t.Errorf("%v", err)
			}
		}
		var n int
		if err := db.QueryRow("SELECT count(*) FROM record").Scan(&n); err != nil || n != 40 {
			t.Errorf("%d records, %v", n, err)
		}
	})
}

// TestManyOpenAtOnce: of programs that find nothing one makes the tables, and
// all get a store.
func TestManyOpenAtOnce(t *testing.T) {
	store.OnBoth(t, func(t *testing.T, place string) {
		var all sync.WaitGroup
		for k := range 8 {
			all.Go(func() {
				s, err := engines.Open(t.Context(), place, store.Options{Wait: 30 * time.Second})
				if err != nil {
					t.Error(err)
					return
				}
				defer s.Close()
				d, err := draftOf(fmt.Sprint("by ", k))
				if err != nil {
					t.Error(err)
				}
				if _, err := s.Append(t.Context(), "s", d); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if v := verified(t, store.OpenForTest(t, place, store.Options{})); v.Records != 8 {
			t.Errorf("%d records", v.Records)
		}
	})
}

// TestUnreachable: a server that isn't there, that says nothing, or that doesn't
// know what is asked for.
func TestUnreachable(t *testing.T) {
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	const wait = 300 * time.Millisecond
	for name, c := range map[string]struct {
		place string
		code  cento.ErrorCode
	}{
		"nobody listens": {"postgres://u:hunter2@" + store.FreePort(t) + "/d", store.Unreachable},
		"says nothing":   {"postgres://u:hunter2@" + silent.Addr().String() + "/d", store.Unreachable},
		"not an address": {"postgres://u:hunter2@host:port/d", store.Invalid},
		"wrong option":   {"postgres://u:hunter2@127.0.0.1/d?sslmode=maybe", store.Invalid},
	} {
		t.Run(name, func(t *testing.T) {
			begin := time.Now()
			_, err := engines.Open(t.Context(), c.place, store.Options{Wait: wait})
			if !errors.Is(err, c.code) {
				t.Errorf("%v", err)
			}
			if took := time.Since(begin); took > 20*wait {
				t.Errorf("it took %v to find out", took)
			}
			if err != nil && strings.Contains(err.Error(), "hunter2") {
				t.Errorf("the password is told: %v", err)
			}
		})
	}
	t.Run("no such database", func(t *testing.T) {
		place := store.PostgresPlace(t)
		if _, err := engines.Open(t.Context(), strings.Replace(place, "/test?", "/nosuch?", 1), store.Options{}); !errors.Is(err, store.Unreachable) {
			t.Errorf("%v", err)
		}
	})
	t.Run("given up", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := engines.Open(ctx, store.SQLitePlace(t), store.Options{}); !errors.Is(err, context.Canceled) {
			t.Errorf("%v", err)
		}
	})
}

// TestClockGoesBack: the time of a session doesn't.
func TestClockGoesBack(t *testing.T) {
	store.OnBoth(t, func(t *testing.T, place string) {
		now := fixedClock()
		s := store.OpenForTest(t, place, store.Options{Clock: func() time.Time { now = now.Add(-time.Hour); return now }})
		for n := range 5 {
			d, err := draftOf(fmt.Sprint("backwards ", n))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := s.Append(t.Context(), "s", d); err != nil {
				t.Fatal(err)
			}
		}
		list, err := s.Records(t.Context(), store.RecordQuery{Session: "s"})
		if err != nil || len(list) != 5 {
			t.Fatalf("%d records, %v", len(list), err)
		}
		for i := 1; i < len(list); i++ {
			if list[i].At.After(list[i-1].At) || list[i].Seq != list[i-1].Seq-1 {
				t.Errorf("record %d is at %v, and %d at %v", list[i].Seq, list[i].At, list[i-1].Seq, list[i-1].At)
			}
		}
		x, err := s.Session(t.Context(), "s", store.Projects{})
		if err != nil || x.Updated.Before(x.Created) {
			t.Errorf("%+v, %v", x, err)
		}
		verified(t, s)
	})
}

// TestInvalid: what can't be stored is refused as a whole, and nothing else with
// it.
func TestInvalid(t *testing.T) {
	store.OnBoth(t, func(t *testing.T, place string) {
		s := store.OpenForTest(t, place, store.Options{})
		d, err := draftOf("valid")
		if err != nil {
			t.Fatal(err)
		}
		label := d
		label.Label = "a\xffb"
		long := d
		long.Label = strings.Repeat("x", 201)
		with := func(c store.Change) store.Transition {
			if c.Session == "" {
				c.Session = "s"
			}
			c.Expect = store.AnyVersion
			return store.Transition{Changes: []store.Change{c}}
		}
		for name, tr := range map[string]store.Transition{
			"nothing":              {},
			"key not UTF-8":        {Key: "\xff", Changes: []store.Change{{Session: "s"}}},
			"key with a zero":      {Key: "a\x00", Changes: []store.Change{{Session: "s"}}},
			"key too long":         {Key: strings.Repeat("k", 201), Changes: []store.Change{{Session: "s"}}},
			"blank session":        with(store.Change{Session: " \t"}),
			"session not UTF-8":    with(store.Change{Session: "s\xff"}),
			"session with a line":  with(store.Change{Session: "a\nb"}),
			"session with control": with(store.Change{Session: "a\x1b[31mb"}),
			"session too long":     with(store.Change{Session: strings.Repeat("s", 201)}),
			"parent not UTF-8":     with(store.Change{Parent: "\xff"}),
			"state not UTF-8":      with(store.Change{State: []byte("\xff")}),
			"state too long":       with(store.Change{State: make([]byte, 4<<20+1)}),
			"blob not UTF-8":       with(store.Change{Blobs: [][]byte{[]byte("\xff")}}),
			"label not UTF-8":      with(store.Change{Drafts: []store.Draft{label}}),
			"label too long":       with(store.Change{Drafts: []store.Draft{d, long}}),
			"no prompt":            with(store.Change{Drafts: []store.Draft{d, {}}}),
			"the same twice":       {Changes: []store.Change{{Session: "s", Expect: store.AnyVersion}, {Session: "s", Expect: store.AnyVersion}}},
		} {
			if _, err := s.Commit(t.Context(), tr); !errors.Is(err, store.Invalid) {
				t.Errorf("%s: %v", name, err)
			}
		}
		// A text that isn't UTF-8 never becomes a prompt; one that did would be
		// given back byte for byte, or refused.
		in := cento.Input{Fragments: []cento.Fragment{{ID: "a", Body: "caf\xe9"}}}
		if p, err := cento.Reduce(in); err == nil {
			want, _ := p.System()
			done, err := s.Append(t.Context(), "bytes", store.Draft{Prompt: p, Input: in})
			if err == nil {
				got, _, textErr := s.Text(t.Context(), "bytes", done[0].Seq)
				again, inputErr := s.Input(t.Context(), "bytes", done[0].Seq)
				if textErr != nil || inputErr != nil || got != want || again.Fragments[0].Body != in.Fragments[0].Body {
					t.Errorf("%q became %q of %q; %v, %v", want, got, again.Fragments[0].Body, textErr, inputErr)
				}
			} else if !errors.Is(err, store.Invalid) {
				t.Error(err)
			}
		}
		if list, err := s.Sessions(t.Context(), store.SessionQuery{}); err != nil || len(list) > 0 && list[0].ID == "s" {
			t.Errorf("something was written: %+v, %v", list, err)
		}
	})
}
