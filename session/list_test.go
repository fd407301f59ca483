package session_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/storetest"
	"github.com/cento-dev/cento/session"
	"github.com/cento-dev/cento/store"
)

// TestList: sessions are listed in the order in which they began, whole and page by
// page, also where records of none stand between them.
func TestList(t *testing.T) { storetest.OnBoth(t, testList) }

func testList(t *testing.T, place string) {
	f := fresh(t, place)
	var all []string
	for _, id := range []string{"a", "x1", "b", "x2", "x3", "c", "d"} {
		if id[0] == 'x' { // a record of its own, and no session
			if _, err := f.store.Append(t.Context(), id, store.Draft{Prompt: alone(t)}); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if _, err := f.Start(t.Context(), session.StartRequest{ID: id}, f.files.source); err != nil {
			t.Fatal(err)
		}
		all = append(all, id)
	}
	if _, err := f.Fork(t.Context(), session.ForkRequest{ID: "b", Child: "e"}); err != nil {
		t.Fatal(err)
	}
	all = append(all, "e")
	f.turn("c")
	if _, err := f.EndTurn(t.Context(), session.EndRequest{ID: "c"}); err != nil {
		t.Fatal(err)
	}
	ids := func(list []session.Listed) []string {
		var out []string
		for _, x := range list {
			out = append(out, x.ID)
		}
		return out
	}
	list, err := f.List(t.Context(), session.ListRequest{})
	if err != nil || !slices.Equal(ids(list), all) {
		t.Fatalf("%v, %v; want %v", ids(list), err, all)
	}
	if list[2].Turn != 1 || list[1].Turn != 0 {
		t.Errorf("turns: %d of c, %d of b", list[2].Turn, list[1].Turn)
	}
	for limit := 1; limit <= len(all)+1; limit++ {
		var got []string
		cursor := ""
		for {
			page, err := f.List(t.Context(), session.ListRequest{Limit: limit, Cursor: cursor})
			if err != nil {
				t.Fatal(err)
			}
			if len(page) == 0 {
				break
			}
			if len(page) > limit {
				t.Fatalf("%d of at most %d", len(page), limit)
			}
			got = append(ids(page), got...)
			if len(page) < limit && page[0].ID != all[0] {
				t.Fatalf("a page of %d ends early, before %v", limit, got)
			}
			cursor = page[0].Cursor
		}
		if !slices.Equal(got, all) {
			t.Errorf("%d at a time: %v", limit, got)
		}
	}
	if list, err := f.List(t.Context(), session.ListRequest{Parent: "b"}); err != nil || !slices.Equal(ids(list), []string{"e"}) {
		t.Errorf("children of b: %v, %v", ids(list), err)
	}
	if list, err := f.List(t.Context(), session.ListRequest{Parent: "a"}); err != nil || list == nil || len(list) != 0 {
		t.Errorf("children of a: %v, %v", list, err)
	}
	if _, err := f.List(t.Context(), session.ListRequest{Parent: "nobody"}); !errors.Is(err, store.UnknownSession) {
		t.Errorf("children of nobody: %v", err)
	}
	if list, err := f.List(t.Context(), session.ListRequest{Projects: []string{"other"}}); err != nil || len(list) != 0 {
		t.Errorf("of another project: %v, %v", ids(list), err)
	}
}

// TestDeletedAreForgotten: of a session that was deleted, and of the children that went
// with it, nothing is handed out of memory.
func TestDeletedAreForgotten(t *testing.T) {
	f := begin(t, storetest.SQLite(t), session.Settings{})
	f.start("stays", session.Settings{})
	for _, x := range []struct{ parent, child string }{{"s", "c"}, {"c", "d"}} {
		if _, err := f.Fork(t.Context(), session.ForkRequest{ID: x.parent, Child: x.child}); err != nil {
			t.Fatal(err)
		}
		f.turn(x.child)
	}
	if _, err := f.Delete(t.Context(), session.DeleteRequest{ID: "s", Children: true}); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"s", "c", "d"} {
		if got, _, err := f.System(t.Context(), id); !errors.Is(err, store.UnknownSession) {
			t.Errorf("%s was deleted and has the prompt %q, %v", id, got, err)
		}
	}
	if _, ok, err := f.System(t.Context(), "stays"); err != nil || !ok {
		t.Errorf("%t, %v", ok, err)
	}
}

// alone is a prompt that no session has.
func alone(t *testing.T) *cento.Prompt {
	t.Helper()
	p, err := cento.ReduceFragments([]cento.Fragment{{ID: "a", Body: "Alone."}}, cento.Active{}, cento.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}
