package store

import (
	"fmt"
	"strconv"
	"testing"
	"time"
)

// TestIndexesForget: what is let go is in no index either, so that whoever gets its number
// later isn't found by what it was, on each engine; what stays is found as before.
func TestIndexesForget(t *testing.T) {
	onBoth(t, func(t *testing.T, place string) {
		ctx := t.Context()
		s := open(t, place, Options{Clock: clock()})
		record := func(session, text string) {
			t.Helper()
			if _, err := s.Append(ctx, session, draft(t, "", "a: Shared words.", "b: "+text)); err != nil {
				t.Fatal(err)
			}
		}
		numbers := func(query string) map[int64]bool {
			t.Helper()
			out := map[int64]bool{}
			if err := s.view(ctx, func(r *reader) error {
				return r.engine.each(ctx, r.q, query, nil, func(scan func(...any) error) error {
					var id int64
					err := scan(&id)
					out[id] = true
					return err
				})
			}); err != nil {
				t.Fatal(err)
			}
			return out
		}
		check := func(when string) {
			t.Helper()
			lists, texts := numbers("SELECT id FROM list"), numbers("SELECT id FROM text")
			listed, worded := map[int64]bool{}, map[int64]bool{}
			if s.engine.Postgres {
				listed, worded = numbers("SELECT id FROM listed"), numbers("SELECT id FROM word")
			} else {
				for id := range int64(60) {
					for list := range numbers(`SELECT rowid FROM listed WHERE listed MATCH '"` + strconv.FormatInt(id, 36) + `"'`) {
						listed[list] = true
					}
				}
				for _, w := range []string{"shared", "stays", "goes", "comes"} {
					for text := range numbers(`SELECT rowid FROM word WHERE word MATCH '"` + words(w)[0] + `"'`) {
						worded[text] = true
					}
				}
			}
			if len(listed) != len(lists) || len(worded) == 0 {
				t.Errorf("%s: %d of %d lists are in the index, and %d texts", when, len(listed), len(lists), len(worded))
			}
			for id := range listed {
				if !lists[id] {
					t.Errorf("%s: list %d is in the index, and isn't there", when, id)
				}
			}
			for id := range worded {
				if !texts[id] {
					t.Errorf("%s: text %d is in the index, and isn't there", when, id)
				}
			}
		}
		found := func(text string, want int) {
			t.Helper()
			got, err := s.Search(ctx, SearchQuery{Text: text, RecordQuery: RecordQuery{Limit: 100}})
			if err != nil || len(got.Matches) != want {
				t.Errorf("%q: %+v, %v; want %d", text, got, err, want)
			}
		}
		for i := range 3 {
			record("stays", fmt.Sprint("stays ", i))
		}
		for i := range 3 { // the last numbers are theirs
			record("goes", fmt.Sprint("goes ", i))
		}
		check("before")
		found("Shared words", 6)
		if _, err := s.Delete(ctx, "goes", DeleteOptions{}); err != nil {
			t.Fatal(err)
		}
		if _, err := s.GC(ctx, GCOptions{}); err != nil {
			t.Fatal(err)
		}
		check("after a deletion")
		found("Shared words", 3)
		found("goes", 0)
		for i := range 3 {
			record("comes", fmt.Sprint("comes ", i))
		}
		check("with their numbers given again")
		found("Shared words", 6)
		found("goes", 0)
		found("comes", 3)
		if _, err := s.GC(ctx, GCOptions{Before: time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)}); err != nil {
			t.Fatal(err)
		}
		check("with the newest records alone")
		found("Shared words", 2)
		found("stays 1", 0)
		found("stays 2", 1)
	})
}
