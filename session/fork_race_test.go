package session_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/cento-dev/cento/internal/storetest"
	"github.com/cento-dev/cento/session"
	"github.com/cento-dev/cento/store"
)

// TestForkMeetsDeletion: of a fork and the deletion of its parent at the same time one
// comes first. Either the child is there with what its parent had, and the parent as
// well, or there is no child and the error says that the parent isn't there.
func TestForkMeetsDeletion(t *testing.T) {
	storetest.OnBoth(t, func(t *testing.T, place string) {
		f := fresh(t, place)
		others := []*fixture{f, f.again()} // two programs on one store
		forked, deleted := 0, 0
		for i := range 20 {
			parent := fmt.Sprintf("p%d", i)
			own := session.Own{Metadata: fmt.Appendf(nil, `{"of":%q}`, parent)}
			if _, err := f.Start(t.Context(), session.StartRequest{ID: parent, Own: own}, f.files.source); err != nil {
				t.Fatal(err)
			}
			forks, errs := make([]*session.Forked, 4), make([]error, 5)
			var all sync.WaitGroup
			for k := range forks {
				all.Go(func() {
					forks[k], errs[k] = others[k%2].Fork(t.Context(), session.ForkRequest{ID: parent, Child: fmt.Sprintf("%s-%d", parent, k)})
				})
			}
			all.Go(func() { _, errs[4] = others[1].Delete(t.Context(), session.DeleteRequest{ID: parent}) })
			all.Wait()
			children, err := f.List(t.Context(), session.ListRequest{Parent: parent})
			switch {
			case errs[4] == nil:
				deleted++
				if !errors.Is(err, store.UnknownSession) {
					t.Fatalf("%s is deleted, and has %v, %v", parent, children, err)
				}
			case errors.Is(errs[4], store.HasChildren):
				forked++
			default:
				t.Fatal(errs[4])
			}
			for k, child := range forks {
				id := fmt.Sprintf("%s-%d", parent, k)
				shown, err := others[(k+1)%2].Show(t.Context(), id)
				switch {
				case errs[4] != nil && errs[k] == nil:
					if err != nil || child.Session != id || shown.Parent != parent || string(shown.Metadata) != fmt.Sprintf(`{"of":%q}`, parent) {
						t.Fatalf("%s is %+v, %v", id, shown, err)
					}
				case errs[4] == nil && errors.Is(errs[k], store.UnknownSession) && errors.Is(err, store.UnknownSession):
				default:
					t.Fatalf("the deletion of %s gave %v, the fork %s %v, and it is shown with %v", parent, errs[4], id, errs[k], err)
				}
			}
		}
		t.Logf("%d forked, %d deleted", forked, deleted)
	})
}

// TestForkOfWhatWasReplaced: a fork isn't made of a parent that was changed since it was
// read; it is read again.
func TestForkOfWhatWasReplaced(t *testing.T) {
	f := fresh(t, storetest.SQLite(t))
	f.start("p", session.Settings{})
	for version, want := range map[int64]error{1: store.Conflict, 2: nil, 3: store.Conflict} {
		id := fmt.Sprintf("c%d", version)
		_, err := f.store.Commit(t.Context(), store.Transition{Changes: []store.Change{{Session: id, Parent: "p", ParentVersion: version, State: []byte("{}")}}})
		if !errors.Is(err, want) || want == nil && err != nil {
			t.Errorf("of version %d: %v, want %v", version, err, want)
		}
	}
	if _, err := f.store.Commit(t.Context(), store.Transition{Changes: []store.Change{{Session: "c", Parent: "none", ParentVersion: 1}}}); !errors.Is(err, store.UnknownSession) {
		t.Errorf("of a parent that isn't there: %v", err)
	}
}

// TestForkIsTriedAgain: a fork whose parent is changed meanwhile is made of the parent as it
// is by then, however often that happens up to a bound, and beyond it the error is a conflict.
func TestForkIsTriedAgain(t *testing.T) {
	f := fresh(t, storetest.SQLite(t))
	f.start("p", session.Settings{})
	asked, changes := 0, 0
	now := f.Now
	f.Now = func() time.Time { // which a fork asks between reading the parent and writing the child
		if asked++; asked <= changes {
			state, err := f.store.Session(t.Context(), "p", store.Projects{})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := f.store.Commit(t.Context(), store.Transition{Changes: []store.Change{{Session: "p", Expect: state.Version}}}); err != nil {
				t.Fatal(err)
			}
		}
		return now()
	}
	for child, c := range map[string]struct {
		changes int
		err     error
	}{"none": {0, nil}, "one": {1, nil}, "most": {100, nil}, "more": {101, store.Conflict}} {
		asked, changes = 0, c.changes
		out, err := f.Fork(t.Context(), session.ForkRequest{ID: "p", Child: child})
		if !errors.Is(err, c.err) || c.err == nil && (err != nil || out.Session != child || out.Parent != "p") {
			t.Errorf("%d changes in between: %+v, %v; want %v", c.changes, out, err, c.err)
		}
		if asked != min(c.changes, 100)+1 {
			t.Errorf("%d changes in between: it was tried %d times", c.changes, asked)
		}
	}
}
