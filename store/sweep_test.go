package store

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/cento-dev/cento"
)

// TestGCKeepsTheTail: a text that stands behind the last fragment of a prompt stays, though no
// fragment has it any more.
func TestGCKeepsTheTail(t *testing.T) {
	onBoth(t, func(t *testing.T, place string) {
		s := open(t, place, Options{Clock: clock()})
		for _, x := range [][2]string{{"s", "a: Be brief."}, {"other", "b: The end."}} {
			if _, err := s.Append(t.Context(), x[0], draft(t, "", x[1])); err != nil {
				t.Fatal(err)
			}
		}
		var id, end int64
		if err := s.write.QueryRow("SELECT (SELECT min(list) FROM record), (SELECT text FROM entry ORDER BY id DESC LIMIT 1)").Scan(&id, &end); err != nil {
			t.Fatal(err)
		}
		setTail(t, s, id, end+int64(len(usualJoints)))
		if _, err := s.write.Exec("DELETE FROM record WHERE list <> " + fmt.Sprint(id)); err != nil {
			t.Fatal(err)
		}
		x := open(t, place, Options{})
		if _, err := x.GC(t.Context(), GCOptions{}); err != nil {
			t.Fatal(err)
		}
		if err := x.view(t.Context(), func(r *reader) error {
			b, err := r.prompt(t.Context(), id)
			if err == nil && string(b) != "Be brief.The end." {
				t.Errorf("the prompt is %q", b)
			}
			return err
		}); err != nil {
			t.Error(err)
		}
	})
}

func TestGC(t *testing.T) {
	onBoth(t, func(t *testing.T, place string) {
		ctx := t.Context()
		s := open(t, place, Options{Clock: clock()})
		some(t, s)
		heads := verify(t, s).Heads
		before := GCOptions{Before: time.Date(2026, 1, 2, 3, 4, 15, 0, time.UTC), DryRun: true}
		dry, err := s.GC(ctx, before)
		if err != nil || dry.Records != 9 || dry.Texts == 0 {
			t.Fatalf("%+v, %v", dry, err)
		}
		if list, _ := s.Records(ctx, RecordQuery{}); len(list) != 12 {
			t.Fatalf("a dry run let %d records go", 12-len(list))
		}
		before.DryRun = false
		done, err := s.GC(ctx, before)
		if err != nil || done.Records != dry.Records || done.Texts != dry.Texts {
			t.Fatalf("%+v, %v", done, err)
		}
		if v := verify(t, s, heads...); !v.OK || v.Records != 3 {
			t.Errorf("%+v", v)
		}
		for _, c := range []struct {
			text string
			want int
		}{{"turn 11", 1}, {"turn 2", 0}, {"careful with what", 3}} {
			if got, err := s.Search(ctx, SearchQuery{Text: c.text}); err != nil || len(got.Matches) != c.want {
				t.Errorf("%q: %+v, %v", c.text, got, err)
			}
		}
		if _, err := s.Record(ctx, "s0", 1); !errors.Is(err, UnknownRecord) {
			t.Error(err)
		}
		if b, err := s.Blob(ctx, digestOf("kept text").hex()); err != nil || string(b) != "kept text" {
			t.Errorf("%q, %v", b, err)
		}
		// Everything goes on, also what was let go coming back.
		some(t, s)
		if v := verify(t, s); !v.OK {
			t.Errorf("%+v", v)
		}
		if again, err := s.GC(ctx, GCOptions{}); err != nil || again.Records+again.Texts != 0 {
			t.Errorf("nothing was to go: %+v, %v", again, err)
		}
	})
}

// TestDryRuns: a dry run that can't tell what would go fails as the run itself does, with the
// same error. Only what was taken out is counted as a removal, by which others know that what
// they hold in memory may be gone: no dry run, and nothing that failed.
func TestDryRuns(t *testing.T) {
	onBoth(t, func(t *testing.T, place string) {
		ctx := t.Context()
		s := open(t, place, Options{Clock: clock()})
		some(t, s)
		removals := func() int64 {
			t.Helper()
			n, err := s.Removals(ctx)
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
		runs := func(fragment string) map[string]func(dry bool) error {
			return map[string]func(dry bool) error{
				"redact": func(dry bool) error {
					_, err := s.Redact(ctx, RedactOptions{Fragment: fragment, DryRun: dry})
					return err
				},
				"gc": func(dry bool) error {
					_, err := s.GC(ctx, GCOptions{Before: time.Date(2026, 1, 2, 3, 4, 7, 0, time.UTC), DryRun: dry})
					return err
				},
			}
		}
		before := removals()
		for _, dry := range []bool{true, false} {
			if err := runs("nothing")["redact"](dry); !errors.Is(err, UnknownRecord) {
				t.Errorf("dry %t, a fragment that no record has: %v", dry, err)
			}
		}
		if _, err := s.write.Exec("ALTER TABLE entry RENAME TO elsewhere"); err != nil {
			t.Fatal(err)
		}
		for name, run := range runs("a") {
			for _, dry := range []bool{true, false} {
				if err := run(dry); !errors.Is(err, Failed) {
					t.Errorf("dry %t, %s without a table: %v", dry, name, err)
				}
			}
		}
		if _, err := s.write.Exec("ALTER TABLE elsewhere RENAME TO entry"); err != nil {
			t.Fatal(err)
		}
		whole := export(t, s)
		for name, run := range runs("a") {
			if err := run(true); err != nil || export(t, s) != whole {
				t.Errorf("dry, %s: %v, or it changed something", name, err)
			}
		}
		if n := removals(); n != before {
			t.Errorf("%d removals were counted, and nothing was taken out", n-before)
		}
		for name, run := range runs("a") {
			if err := run(false); err != nil || removals() <= before {
				t.Errorf("%s: %v; %d removals, and %d before", name, err, removals(), before)
			}
			before = removals()
		}
		if _, err := s.Delete(ctx, "s0", DeleteOptions{Expect: 99}); !errors.Is(err, Conflict) || removals() != before {
			t.Errorf("%v; %d removals, and %d before", err, removals(), before)
		}
	})
}

// TestGCSpares: of each session the records go that are older than was asked for, from the
// first one on; the newest stay, the one that the state needs and those after it, unless
// the session itself is as old. What was let go here may come back in an import, and isn't
// taken for another way.
func TestGCSpares(t *testing.T) {
	onBoth(t, func(t *testing.T, place string) {
		ctx := t.Context()
		begun := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
		s := open(t, place, Options{})
		for i := range int64(6) { // record n at second n
			if _, err := s.Commit(ctx, Transition{Key: fmt.Sprint("key ", i+1), At: begun.Add(time.Duration(i+1) * time.Second), Changes: []Change{{
				Session: "s", Expect: AnyVersion, State: []byte(`{}`), Drafts: []Draft{draft(t, "", fmt.Sprint("a: Turn ", i+1))},
			}}}); err != nil {
				t.Fatal(err)
			}
		}
		whole := export(t, s)
		needs := func(seq int64) func([]byte) int64 { return func([]byte) int64 { return seq } }
		for _, c := range []struct {
			name   string
			before int // second
			o      GCOptions
			base   int64 // the last record that is gone
		}{
			{"none is older", 1, GCOptions{}, 0}, {"one is older", 2, GCOptions{}, 1}, {"some are", 4, GCOptions{}, 3}, {"all are", 9, GCOptions{}, 5},
			{"three stay", 9, GCOptions{Keep: 3}, 3}, {"all stay", 9, GCOptions{Keep: 7}, 0},
			{"the first is needed", 5, GCOptions{Needs: needs(1)}, 0}, {"the third is", 5, GCOptions{Needs: needs(3)}, 2}, {"the last to go is", 5, GCOptions{Needs: needs(4)}, 3},
			{"one that stays is", 5, GCOptions{Needs: needs(5)}, 4}, {"none is", 5, GCOptions{Needs: needs(0)}, 4},
			{"the session is of that moment", 6, GCOptions{Needs: needs(2)}, 1}, {"the session is older", 7, GCOptions{Needs: needs(2)}, 5},
		} {
			to := open(t, sqlitePlace(t), Options{})
			if s.engine.Postgres {
				to = open(t, postgresPlace(t), Options{})
			}
			if _, err := to.Import(ctx, strings.NewReader(whole), ImportOptions{}); err != nil {
				t.Fatal(err)
			}
			heads := verify(t, to).Heads
			c.o.Before = begun.Add(time.Duration(c.before) * time.Second)
			done, err := to.GC(ctx, c.o)
			if err != nil || done.Records != c.base {
				t.Errorf("%s: %+v, %v; want %d records", c.name, done, err, c.base)
			}
			x, err := to.Session(ctx, "s", Projects{})
			if err != nil || x.Base.Seq != c.base || x.Head.Seq != 6 {
				t.Errorf("%s: from %d to %d, %v; want from %d", c.name, x.Base.Seq, x.Head.Seq, err, c.base)
			}
			if v := verify(t, to, heads...); !v.OK || v.Records != 6-c.base {
				t.Errorf("%s: %+v", c.name, v)
			}
			if c.base > 0 {
				_, err := to.Record(ctx, "s", c.base)
				e, ok := errors.AsType[*cento.SourceError](err)
				if want := fmt.Sprintf("it was let go; the first that is still there is %d", c.base+1); !ok || e.Code != UnknownRecord || e.Hint != want {
					t.Errorf("%s: %v, want %s", c.name, err, want)
				}
				// Who noted the last of them finds it where the chain begins now, and no other.
				noted := Stored{Session: "s", Link: x.Base}
				if v := verify(t, to, noted); !v.OK {
					t.Errorf("%s: %+v", c.name, v)
				}
				noted.Hash = zeroHash
				if v := verify(t, to, noted); v.OK || v.Faults[0].Code != RecordChanged {
					t.Errorf("%s: %+v", c.name, v)
				}
			}
			var keys int
			if err := to.read.QueryRow("SELECT count(*) FROM request").Scan(&keys); err != nil || keys != max(0, 7-c.before) { // key n is of second n
				t.Errorf("%s: %d keys, %v", c.name, keys, err)
			}
			after := export(t, to)
			again, err := to.Import(ctx, strings.NewReader(whole), ImportOptions{})
			if err != nil || again.Records != 0 || again.Known != 6 {
				t.Errorf("%s: what was let go comes back: %+v, %v", c.name, again, err)
			}
			if v := verify(t, to); !v.OK || v.Records != 6-c.base {
				t.Errorf("%s: %+v\n%s", c.name, v, after)
			}
		}
	})
}

// TestGCGivesRoomBack: what is let go takes no room on the disk, and a dry run changes
// nothing there.
func TestGCGivesRoomBack(t *testing.T) {
	place := sqlitePlace(t)
	s := open(t, place, Options{Clock: clock()})
	pages := func() (n int) {
		t.Helper()
		if err := s.write.QueryRow("PRAGMA page_count").Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	empty := pages()
	random := rand.NewChaCha8([32]byte{})
	for range 20 { // of which nothing is told by another
		text := make([]byte, 4000)
		for i := range text {
			text[i] = 'a' + byte(random.Uint64()%26)
		}
		if _, err := s.Append(t.Context(), "s", draft(t, "", "a: "+string(text))); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Delete(t.Context(), "s", DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	full := pages()
	if _, err := s.GC(t.Context(), GCOptions{DryRun: true}); err != nil || pages() != full {
		t.Errorf("a dry run leaves %d pages of %d: %v", pages(), full, err)
	}
	if _, err := s.GC(t.Context(), GCOptions{}); err != nil || pages() > empty+2 || full < empty+10 {
		t.Errorf("of %d pages are left %d, and empty it has %d: %v", full, pages(), empty, err)
	}
}
