package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cento-dev/cento"
)

// What is deleted is gone with all that hung on it, its id is free, and nothing of
// another session is touched.
func TestDelete(t *testing.T) {
	onBoth(t, func(t *testing.T, place string) {
		ctx := context.Background()
		s := open(t, place, Options{Clock: clock()})
		begin := func(id, parent, text string) {
			t.Helper()
			if _, err := s.Commit(ctx, Transition{Key: "k", Changes: []Change{{
				Session: id, Parent: parent, State: []byte(`{}`), Drafts: []Draft{draft(t, "", "a: Shared.", "b: "+text)}, Blobs: [][]byte{[]byte("blob of " + id)},
			}}}); err != nil {
				t.Fatal(err)
			}
		}
		names := func(q SessionQuery) string {
			t.Helper()
			list, err := s.Sessions(ctx, q)
			if err != nil {
				t.Fatal(err)
			}
			var out []string
			for _, x := range list {
				if (x.State != nil) != q.States {
					t.Errorf("%s: state %q", x.ID, x.State)
				}
				out = append(out, x.ID)
			}
			return strings.Join(out, " ")
		}
		begin("one", "", "First.")
		begin("two", "", "Second.")
		begin("kid", "two", "Third.")
		begin("grandkid", "kid", "Fourth.")
		if got := names(SessionQuery{States: true}); got != "one two kid grandkid" {
			t.Fatal(got)
		}
		before := names(SessionQuery{})
		for id, want := range map[string]error{"none": UnknownSession, "two": HasChildren} {
			if _, err := s.Delete(ctx, id, DeleteOptions{}); !errors.Is(err, want) {
				t.Errorf("%s: %v", id, err)
			}
		}
		if _, err := s.Delete(ctx, "one", DeleteOptions{Expect: 7}); !errors.Is(err, Conflict) {
			t.Error(err)
		}
		if got := names(SessionQuery{}); got != before {
			t.Fatalf("after what was refused: %s", got)
		}
		got, err := s.Delete(ctx, "two", DeleteOptions{Expect: 1, Children: true})
		if err != nil || !slices.Equal(got.Sessions, []string{"grandkid", "kid", "two"}) || got.Records != 3 {
			t.Fatalf("%+v, %v", got, err)
		}
		if got := names(SessionQuery{}); got != "one" {
			t.Error(got)
		}
		if found, err := s.Search(ctx, SearchQuery{Text: "Third"}); err != nil || len(found.Matches) != 0 {
			t.Errorf("still found: %+v, %v", found, err)
		}
		if v := verify(t, s); !v.OK {
			t.Errorf("%+v", v)
		}
		// The id and its keys are free, and other writers that remember the old one
		// record the right texts.
		other := open(t, place, Options{Clock: clock()})
		s = other
		begin("two", "", "Fifth.")
		if text, _, err := other.Text(ctx, "two", 1); err != nil || text != "Shared.\n\nFifth." {
			t.Errorf("%q, %v", text, err)
		}
		if _, err := other.GC(ctx, GCOptions{}); err != nil {
			t.Fatal(err)
		}
		if text, _, err := other.Text(ctx, "one", 1); err != nil || text != "Shared.\n\nFirst." {
			t.Errorf("%q, %v", text, err)
		}
		if v := verify(t, other); !v.OK {
			t.Errorf("%+v", v)
		}
		if strings.Contains(export(t, other), "Third.") {
			t.Error("a text of a deleted session outlived the sweep")
		}
	})
}

// Pages are the whole list, each session once, however long they are, and however many
// sessions come and go between them: also those that a page began with.
func TestSessionPages(t *testing.T) {
	onBoth(t, func(t *testing.T, place string) {
		ctx := context.Background()
		s := open(t, place, Options{Clock: clock()})
		var want []string
		for i := range 23 {
			id := fmt.Sprint("s", i)
			if _, err := s.Commit(ctx, Transition{Changes: []Change{{Session: id, State: []byte(`{}`)}}}); err != nil {
				t.Fatal(err)
			}
			want = append(want, id)
		}
		for _, size := range []int{1, 5, 23, 40} {
			var got []string
			for cursor := ""; ; {
				page, err := s.Sessions(ctx, SessionQuery{Cursor: cursor, Limit: size})
				if err != nil {
					t.Fatal(err)
				}
				if len(page) == 0 {
					break
				}
				var ids []string
				for _, x := range page {
					ids = append(ids, x.ID)
				}
				got, cursor = append(ids, got...), page[0].Cursor()
			}
			if !slices.Equal(got, want) {
				t.Errorf("pages of %d: %q", size, got)
			}
		}
		first, err := s.Sessions(ctx, SessionQuery{Limit: 3})
		if err != nil {
			t.Fatal(err)
		}
		begin := func(id string) {
			if _, err := s.Commit(ctx, Transition{Changes: []Change{{Session: id, State: []byte(`{}`)}}}); err != nil {
				t.Fatal(err)
			}
		}
		for _, id := range []string{"s20", "s19", "s3"} { // the one that the page began with is among them
			if _, err := s.Delete(ctx, id, DeleteOptions{}); err != nil {
				t.Fatal(err)
			}
		}
		begin("new")
		begin("s20") // its name is another session's now
		rest, err := s.Sessions(ctx, SessionQuery{Cursor: first[0].Cursor()})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, x := range rest {
			got = append(got, x.ID)
		}
		want = slices.DeleteFunc(want[:20], func(id string) bool { return id == "s19" || id == "s3" })
		if !slices.Equal(got, want) {
			t.Errorf("after a deletion the list goes on with %q, want %q", got, want)
		}
		whole := first[1].Cursor()
		for _, cursor := range []string{"s3", "%", whole[:len(whole)-1], whole + "A", strings.Repeat("x", 5000), "MQ", "IGE", "MDEgYQ", "MSBhAGI"} {
			_, err := s.Sessions(ctx, SessionQuery{Cursor: cursor})
			if e, ok := errors.AsType[*cento.SourceError](err); !ok || e.Code != InvalidCursor || len(e.Message) > 200 {
				t.Errorf("%.20q: %v", cursor, err)
			}
		}
	})
}

// TestSessionsOfOneMoment: sessions that began at the same time have an order, too, which
// pages of any length keep.
func TestSessionsOfOneMoment(t *testing.T) {
	onBoth(t, func(t *testing.T, place string) {
		now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
		s := open(t, place, Options{Clock: func() time.Time { return now }})
		for _, id := range []string{"c", "a", "e", "b", "d"} {
			if _, err := s.Append(t.Context(), id, draft(t, "", "a: "+id)); err != nil {
				t.Fatal(err)
			}
		}
		for size := 0; size < 7; size++ {
			got := ""
			for cursor := ""; ; {
				page, err := s.Sessions(t.Context(), SessionQuery{Cursor: cursor, Limit: size})
				if err != nil {
					t.Fatal(err)
				}
				part := ""
				for _, x := range page {
					part += x.ID
				}
				if got = part + got; len(page) == 0 || size == 0 {
					break
				}
				cursor = page[0].Cursor()
			}
			if got != "abcde" {
				t.Errorf("pages of %d: %s", size, got)
			}
		}
	})
}
