package store

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cento-dev/cento"
)

func TestRecordAndReadBack(t *testing.T) {
	onBoth(t, func(t *testing.T, place string) {
		ctx := t.Context()
		s := open(t, place, Options{Clock: clock()})
		long := strings.Repeat("Work in small steps, and say what was done. ", 20)
		drafts := []Draft{
			draft(t, "first", "a: Be careful.", "b: "+long, "-c: Use the todo tool.\n"),
			draft(t, "second", "a: Be careful.", "b: "+long+"Then stop.", "-c: Use the todo tool.\n"),
			draft(t, "third", "a: Be careful.", "b: "+long, "-c: Use the todo tool.\n"),
			draft(t, "none", "-c: Use the todo tool.\n"),
			drafted(t, "sections", cento.Input{Fragments: []cento.Fragment{
				{ID: "x", Body: "One.", Section: "Rules"}, {ID: "y", Body: "Two.", Section: "Rules", Bucket: cento.After}, {ID: "z", Body: "Thr\x01ee \"q\" \u2028 é", Title: "T"},
			}}),
		}
		stored, err := s.Append(ctx, "one", drafts...)
		if err != nil {
			t.Fatal(err)
		}
		prev := zeroHash
		check := func(s *Store) {
			for i, d := range drafts {
				rec, err := s.Record(ctx, "one", int64(i+1))
				if err != nil {
					t.Fatal(err)
				}
				if rec.Prev != prev || rec.Hash != stored[i].Hash || rec.computeHash() != rec.Hash {
					t.Errorf("record %d: the chain is broken: %+v", i+1, rec)
				}
				prev = rec.Hash
				want, in := d.Prompt.System()
				got, ok, err := s.Text(ctx, "one", int64(i+1))
				if err != nil || got != want || ok != in {
					t.Errorf("record %d: text %q, %v, %v; want %q, %v", i+1, got, ok, err, want, in)
				}
				for j, f := range rec.Fragments {
					tr := d.Prompt.Trace(j, cento.ExplainOptions{})
					if f.ID != tr.ID || f.Reason != tr.Reason || fmt.Sprint(f.Span) == fmt.Sprint(nil) != (tr.Span == nil) || tr.Span != nil && *f.Span != *tr.Span || *f.Digest != *tr.Digest {
						t.Errorf("record %d: fragment %+v, want %+v", i+1, f, tr)
					}
				}
				input, err := s.Input(ctx, "one", int64(i+1))
				if err != nil {
					t.Fatal(err)
				}
				again, err := cento.Reduce(input)
				if err != nil || again.Digest() != d.Prompt.Digest() {
					t.Errorf("record %d: replaying gives %q, %v", i+1, again.Digest(), err)
				}
			}
			prev = zeroHash
		}
		check(s)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		s = open(t, place, Options{Clock: clock()})
		check(s)
		// Another process, or one that was started again, finds the texts.
		more, err := s.Append(ctx, "two", drafts[0], drafts[1])
		if err != nil {
			t.Fatal(err)
		}
		if more[0].Seq != 1 || more[0].Hash == stored[0].Hash {
			t.Errorf("another session has a chain of its own: %+v", more)
		}
		for table, want := range map[string]int{"list": 4, "input": 4} {
			var n int
			if err := s.read.QueryRow("SELECT count(*) FROM " + table).Scan(&n); err != nil || n != want {
				t.Errorf("%d rows of %s, %v; want %d", n, table, err, want)
			}
		}
		var n, distinct int
		if err := s.read.QueryRow("SELECT count(*), count(DISTINCT key) FROM text").Scan(&n, &distinct); err != nil || n != distinct {
			t.Errorf("%d texts, %d of them distinct, %v", n, distinct, err)
		}
	})
}

func TestVersions(t *testing.T) {
	onBoth(t, func(t *testing.T, place string) {
		ctx := t.Context()
		s := open(t, place, Options{})
		change := func(id string, expect int64, state string) error {
			_, err := s.Commit(ctx, Transition{Changes: []Change{{Session: id, Expect: expect, State: []byte(state)}}})
			return err
		}
		if err := change("a", 0, "1"); err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			id     string
			expect int64
			code   cento.ErrorCode
		}{{"a", 0, SessionExists}, {"a", 2, Conflict}, {"b", 1, UnknownSession}, {" ", 0, Invalid}, {"a\xff", 0, Invalid}, {"a\nb", 0, Invalid}, {"a", -7, Invalid}} {
			if err := change(c.id, c.expect, "x"); !errors.Is(err, c.code) {
				t.Errorf("%q expecting %d: %v, want %s", c.id, c.expect, err, c.code)
			}
		}
		// Of many that saw the same version, one wins.
		var wins, losses int
		var mu sync.Mutex
		var all sync.WaitGroup
		for i := range 16 {
			all.Go(func() {
				err := change("a", 1, fmt.Sprint(i))
				mu.Lock()
				defer mu.Unlock()
				switch {
				case err == nil:
					wins++
				case errors.Is(err, Conflict):
					losses++
				default:
					t.Error(err)
				}
			})
		}
		all.Wait()
		if wins != 1 || losses != 15 {
			t.Errorf("%d won, %d lost", wins, losses)
		}
		// All changes of a transition happen, or none.
		_, err := s.Commit(ctx, Transition{Changes: []Change{{Session: "child", Parent: "a", State: []byte("{}")}, {Session: "a", Expect: 1}}})
		if !errors.Is(err, Conflict) {
			t.Errorf("%v, want a conflict", err)
		}
		if _, err := s.Session(ctx, "child", Projects{}); !errors.Is(err, UnknownSession) {
			t.Errorf("half a transition was done: %v", err)
		}
		if _, err := s.Commit(ctx, Transition{Changes: []Change{{Session: "child", Parent: "a", State: []byte("{}")}, {Session: "a", Expect: 2}}}); err != nil {
			t.Fatal(err)
		}
		got, err := s.Session(ctx, "child", Projects{})
		if err != nil || got.Parent != "a" || got.Version != 1 || string(got.State) != "{}" {
			t.Errorf("%+v, %v", got, err)
		}
		list, err := s.Sessions(ctx, SessionQuery{})
		if err != nil || len(list) != 2 || list[0].ID != "a" || list[1].ID != "child" || list[0].Version != 3 {
			t.Errorf("%+v, %v", list, err)
		}
	})
}

func TestIdempotency(t *testing.T) {
	onBoth(t, func(t *testing.T, place string) {
		ctx := t.Context()
		s := open(t, place, Options{})
		d := draft(t, "x", "a: Be careful.")
		do := func(key, digest, answer string, expect int64) (*Committed, error) {
			return s.Commit(ctx, Transition{Key: key, RequestDigest: digest, Answer: []byte(answer), Changes: []Change{{Session: "s", Expect: expect, Drafts: []Draft{d}}}})
		}
		first, err := do("k", "r", "one", 0)
		if err != nil || first.Replayed {
			t.Fatal(first, err)
		}
		again, err := do("k", "r", "two", 0)
		if err != nil || !again.Replayed || string(again.Answer) != "one" || again.Versions[0] != 1 || len(again.Records) != 1 || again.Records[0] != first.Records[0] {
			t.Fatalf("%+v, %v", again, err)
		}
		if _, err := do("k", "other", "", AnyVersion); !errors.Is(err, KeyReused) {
			t.Errorf("%v", err)
		}
		// Retries at the same time, from several programs.
		other := open(t, place, Options{})
		var all sync.WaitGroup
		for i := range 12 {
			all.Go(func() {
				to := s
				if i%2 == 0 {
					to = other
				}
				_, err := to.Commit(ctx, Transition{Key: "many", Changes: []Change{{Session: "s", Expect: AnyVersion, Drafts: []Draft{d}}}})
				if err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		list, err := s.Records(ctx, RecordQuery{})
		if err != nil || len(list) != 2 {
			t.Errorf("%d records, %v; want 2", len(list), err)
		}
	})
}

// TestKeysForATime: a key counts for so long by the clock of transitions and is new from
// then on; a clock that is put back lengthens that, and does nothing twice. Keys that don't
// count any more don't pile up.
func TestKeysForATime(t *testing.T) {
	onBoth(t, func(t *testing.T, place string) {
		now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
		s := open(t, place, Options{Clock: func() time.Time { return now }, Keys: 24 * time.Hour})
		forever := open(t, place, Options{Clock: func() time.Time { return now }})
		do := func(to *Store, key, answer string) (replayed bool, told string, version int64) {
			t.Helper()
			done, err := to.Commit(t.Context(), Transition{Key: key, RequestDigest: answer, Answer: []byte(answer), Changes: []Change{{Session: "s", Expect: AnyVersion, State: []byte("{}")}}})
			if err != nil {
				t.Fatal(err)
			}
			return done.Replayed, string(done.Answer), done.Versions[0]
		}
		for i, x := range []struct {
			jump     time.Duration
			replayed bool
			version  int64
		}{
			{0, false, 1}, {0, true, 1}, {-1000 * time.Hour, true, 1}, {1000 * time.Hour, true, 1}, {24*time.Hour - time.Microsecond, true, 1},
			{time.Microsecond, false, 2}, {0, true, 2}, {-time.Hour, true, 2}, {24 * time.Hour, true, 2}, {time.Hour, false, 3},
		} {
			now = now.Add(x.jump)
			if replayed, told, version := do(s, "k", "one"); replayed != x.replayed || told != "one" || version != x.version {
				t.Errorf("%d: replayed %v, %q, version %d; want %v, version %d", i, replayed, told, version, x.replayed, x.version)
			}
		}
		// It is free for another request as well, and without a time it counts for ever.
		now = now.Add(30 * time.Hour)
		if replayed, _, _ := do(forever, "k", "one"); !replayed {
			t.Error("without a time a key doesn't count any more")
		}
		if replayed, told, _ := do(s, "k", "two"); replayed || told != "two" {
			t.Errorf("replayed %v, %q", replayed, told)
		}
		const each = 10
		for i := range 40 * each {
			if i%each == 0 {
				now = now.Add(5 * time.Hour)
			}
			do(s, fmt.Sprint("many", i), "x")
		}
		var kept int
		if err := s.read.QueryRowContext(t.Context(), "SELECT count(*) FROM request").Scan(&kept); err != nil {
			t.Fatal(err)
		}
		if most := 5*each + sweepKeys; kept > most || kept < 4*each {
			t.Errorf("%d keys are kept, and at most %d are of a day or not yet let go", kept, most)
		}
	})
}

// A digest is given whole, or by its beginning.
func TestRecordsByDigest(t *testing.T) {
	onBoth(t, func(t *testing.T, place string) {
		ctx := t.Context()
		s := open(t, place, Options{Clock: clock()})
		for i := range 20 {
			if _, err := s.Append(ctx, "s", draft(t, "", fmt.Sprintf("a: This is turn %d.", i/2))); err != nil {
				t.Fatal(err)
			}
		}
		all, err := s.Records(ctx, RecordQuery{})
		if err != nil || len(all) != 20 {
			t.Fatalf("%d records, %v", len(all), err)
		}
		digest := *all[0].PromptDigest
		for n := 1; n <= len(digest); n++ {
			for _, begins := range []string{digest[:n], strings.ToUpper(digest[:n])} {
				got, err := s.Records(ctx, RecordQuery{Prompt: begins})
				if err != nil {
					t.Fatal(err)
				}
				want := slices.DeleteFunc(slices.Clone(all), func(x Summary) bool { return !strings.HasPrefix(*x.PromptDigest, digest[:n]) })
				if len(want) < 2 || !reflect.DeepEqual(got, want) {
					t.Errorf("%q: %d records, want %d", begins, len(got), len(want))
				}
			}
		}
		for _, wrong := range []string{"x", digest + "0", digest + "00", "0x12", " "} {
			if _, err := s.Records(ctx, RecordQuery{Prompt: wrong}); !errors.Is(err, Invalid) {
				t.Errorf("%q: %v", wrong, err)
			}
		}
	})
}

func TestSearch(t *testing.T) {
	onBoth(t, func(t *testing.T, place string) {
		ctx := t.Context()
		s := open(t, place, Options{Clock: clock()})
		for i := range 30 {
			if _, err := s.Append(ctx, fmt.Sprintf("s%d", i%3),
				draft(t, "", "a: Always run the\n  tests before you commit.", fmt.Sprintf("b: This is turn %d of Größe.", i), "-c: Keep the todo list.", "d: 必ずテストを実行してください。")); err != nil {
				t.Fatal(err)
			}
		}
		for _, c := range []struct {
			q    SearchQuery
			want int
			more bool
			id   string
		}{
			{SearchQuery{Text: "run the tests before"}, 20, true, "a"},
			{SearchQuery{Text: "  run   the\ntests before you comm"}, 20, true, "a"},
			{SearchQuery{Text: "un the tests"}, 0, false, ""},
			{SearchQuery{Text: "the tests run"}, 0, false, ""},
			{SearchQuery{Text: "turn 7 of"}, 1, false, "b"},
			{SearchQuery{Text: "turn 7 of größe"}, 0, false, ""},
			{SearchQuery{Text: "turn 7 of größe", IgnoreCase: true}, 1, false, "b"},
			{SearchQuery{Text: "Größe.", RecordQuery: RecordQuery{Session: "s1", Limit: 100}}, 10, false, "b"},
			{SearchQuery{Text: "turn 7 of Gr"}, 1, false, "b"}, // as far as it goes the word is of ASCII alone
			{SearchQuery{Text: "todo list"}, 0, false, ""},
			{SearchQuery{Text: "todo list", Excluded: true, RecordQuery: RecordQuery{Limit: 100}}, 30, false, "c"},
			{SearchQuery{Text: "テストを"}, 20, true, "d"},
			{SearchQuery{Text: "テストを実行してください。", RecordQuery: RecordQuery{Limit: 30}}, 30, false, "d"},
			{SearchQuery{Text: "。"}, 20, true, "d"},
			{SearchQuery{Text: "turn 1"}, 11, false, "b"},
			{SearchQuery{Text: "commit.", RecordQuery: RecordQuery{Since: time.Date(2026, 1, 2, 3, 4, 30, 0, time.UTC), Limit: 100}}, 6, false, "a"},
		} {
			got, err := s.Search(ctx, c.q)
			if err != nil {
				t.Errorf("%+v: %v", c.q, err)
				continue
			}
			if len(got.Matches) != c.want || got.More != c.more {
				t.Errorf("%+v: %d matches, more %v; want %d, %v", c.q, len(got.Matches), got.More, c.want, c.more)
			}
			for i, m := range got.Matches {
				if m.Fragments[0].ID != c.id || i > 0 && m.At.After(got.Matches[i-1].At) {
					t.Errorf("%+v: match %+v", c.q, m)
				}
			}
		}
		if _, err := s.Search(ctx, SearchQuery{Text: " \n"}); !errors.Is(err, Invalid) {
			t.Error(err)
		}
		if _, err := s.Search(ctx, SearchQuery{Text: "x", RecordQuery: RecordQuery{Session: "S1"}}); err != nil {
			t.Logf("an unknown session without a match: %v", err)
		}
	})
}

// TestRecordPages: pages of records are the whole list, each record once; and of a time
// that is asked for the first moment counts, and the last doesn't.
func TestRecordPages(t *testing.T) {
	onBoth(t, func(t *testing.T, place string) {
		begun := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
		s := open(t, place, Options{Clock: clock()}) // record n at second n
		var want []Stored
		for i := range 7 {
			done, err := s.Append(t.Context(), fmt.Sprint("s", i%2), draft(t, "", fmt.Sprint("a: Turn ", i)))
			if err != nil {
				t.Fatal(err)
			}
			want = append(done, want...)
		}
		list := func(q RecordQuery) (out []Stored) {
			t.Helper()
			rows, err := s.Records(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			for _, x := range rows {
				out = append(out, Stored{x.Session, x.Link})
			}
			return out
		}
		for size := 1; size <= 8; size++ {
			var got []Stored
			q := RecordQuery{Limit: size}
			for {
				page := list(q)
				if got = append(got, page...); len(page) == 0 || len(got) > len(want) {
					break
				}
				q.Before = page[len(page)-1]
			}
			if !slices.Equal(got, want) {
				t.Errorf("%d at a time: %v, want %v", size, got, want)
			}
		}
		for from := range 9 {
			for to := from; to < 9; to++ {
				at := func(n int) time.Time { return begun.Add(time.Duration(n) * time.Second) }
				n := 0
				for second := 1; second <= 7; second++ {
					if second >= from && second < to {
						n++
					}
				}
				if got := list(RecordQuery{Since: at(from), Until: at(to)}); len(got) != n {
					t.Errorf("from second %d until %d: %d records, want %d", from, to, len(got), n)
				}
			}
		}
	})
}

// TestRowsRestOnFew: however long a session goes on, what is stored of it rests on so many
// other rows at most, and all is read back.
func TestRowsRestOnFew(t *testing.T) {
	s := open(t, sqlitePlace(t), Options{Clock: clock()})
	long := strings.Repeat("Work in small steps, and say what was done. ", 20)
	const turns = maxDepth + 30
	text := func(i int) string { return fmt.Sprint(long, "Turn ", i, ".") }
	var drafts []Draft
	for i := range turns {
		drafts = append(drafts, draft(t, "", "a: Be careful.", "b: "+text(i)))
	}
	if _, err := s.Append(t.Context(), "s", drafts...); err != nil {
		t.Fatal(err)
	}
	for table, most := range map[string]int{"text": maxTextDepth, "list": maxDepth, "input": maxDepth} {
		deepest := 0
		if err := s.view(t.Context(), func(r *reader) error {
			return r.engine.each(t.Context(), r.q, "SELECT data FROM "+table, nil, func(scan func(...any) error) error {
				var data []byte
				err := scan(&data)
				deepest = max(deepest, depthOf(data))
				return err
			})
		}); err != nil {
			t.Fatal(err)
		}
		if deepest == 0 || deepest > most {
			t.Errorf("%s: rows rest on up to %d others, and %d are the most", table, deepest, most)
		}
	}
	for i := range turns {
		if got, _, err := s.Text(t.Context(), "s", int64(i+1)); err != nil || !strings.HasSuffix(got, text(i)) {
			t.Errorf("record %d: %v", i+1, err)
		}
	}
}

// TestSearchMissesNothing: whatever begins where a word of a text begins is found in that
// text, wherever it ends, in any script and however long the words are.
func TestSearchMissesNothing(t *testing.T) {
	ctx := t.Context()
	s := open(t, sqlitePlace(t), Options{})
	texts := []string{
		"Café, naïve Größe: 7 año0s, e\u0301te\u0301; ŒUVRE Ⅷ x²y.", "必ずtestを実行してください。ไทย กขค ok", "snake_case a.b/c-d 'quoted' \"q\" 100% (v1.2.3)*",
		strings.Repeat("a", 47) + "é" + strings.Repeat("b", 5) + " " + strings.Repeat("é", 30) + " end", "İstanbul ıI ǅ Σς ﬁn " + strings.Repeat("w", 60),
	}
	for _, text := range texts {
		if _, err := s.Append(ctx, "s", draft(t, "", "a: "+text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.view(ctx, func(r *reader) error {
		for _, text := range texts {
			body := fold(text)
			for from := range body {
				if !WordBegins(body, from) {
					continue
				}
				for to := range body[from:] {
					part := body[from : from+to]
					if newSentence(part).text == "" || to > 9 && to%8 != 0 && to != maxWord-1 {
						continue // so many more of the same
					}
					for _, ignoreCase := range []bool{false, true} {
						found, err := r.textsWith(ctx, newSentence(part), ignoreCase)
						if err != nil {
							return err
						}
						if len(found) == 0 {
							t.Errorf("%q, letter case set aside %t: not found in %q", part, ignoreCase, text)
						}
					}
				}
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}

func TestClosed(t *testing.T) {
	place := sqlitePlace(t)
	s := open(t, place, Options{})
	if _, err := s.Append(context.Background(), "a", draft(t, "", "a: x")); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	// All of it is in the one file, which may be copied now.
	if left, err := filepath.Glob(place + "-*"); err != nil || len(left) > 0 {
		t.Errorf("beside the store lies %q, %v", left, err)
	}
	if _, err := s.Append(context.Background(), "a", draft(t, "", "a: x")); !errors.Is(err, Closed) {
		t.Error(err)
	}
	if _, err := s.Sessions(context.Background(), SessionQuery{}); !errors.Is(err, Closed) {
		t.Error(err)
	}
}

// What the store has no other word for is a failure of the database, told in one line
// with what the driver said, each line of that once; and a text that isn't kept is unknown by any name.
func TestFailedAndUnknown(t *testing.T) {
	s := open(t, sqlitePlace(t), Options{})
	said := errors.New("disk on fire\nplease leave")
	if err := s.engine.failure(said); !errors.Is(err, Failed) || !errors.Is(err, said) || strings.Contains(err.Error(), "\n") {
		t.Error(err)
	}
	for told, want := range map[string]string{
		"no route": "no route", "disk on fire\nplease leave": "disk on fire please leave", "\n first: no\n\n second: no \nfirst: no\n": "first: no second: no", "": "",
	} {
		e, ok := errors.AsType[*cento.SourceError](s.engine.failure(errors.New(told)))
		if !ok || e.Err.Error() != want {
			t.Errorf("%q is told as %+v, want %q", told, e, want)
		}
	}
	for _, sum := range []string{"", "abc", "no digest", strings.Repeat("0", 64), strings.Repeat("x", 10_000)} {
		if b, err := s.Blob(context.Background(), sum); b != nil || !errors.Is(err, UnknownBlob) || len(err.Error()) > 1000 {
			t.Errorf("%.20q: %q, %v", sum, b, err)
		}
	}
}
