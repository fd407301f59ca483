package store_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/cento-dev/cento/internal/lengthtest"
	"github.com/cento-dev/cento/store"
	"github.com/cento-dev/cento/store/engines"
)

// injector lets the nth operation below a store fail.
type injector struct {
	failAt func(n int)
	// heal ends the failures, and names the first operation that failed; empty
	// when there weren't so many.
	heal func() string
	// seen are the names of the operations since failAt.
	seen func() []string
	// goesOn: the store stays open, as in a program that goes on. Else it is closed
	// while everything fails, as at the end of one, and opened anew.
	goesOn bool
	// last is the operation by which a transition is done; it has to be among those
	// that failed.
	last string
	// check looks at the error of a refused transition; nil: anything typed will do.
	check func(t *testing.T, n int, hit string, err error)
}

// mostFailures ends a loop over the operations of a transition that doesn't end.
const mostFailures = 2000

// operations are the numbers of the operations that fail, one after the other.
// The long form lets each fail until there is none left; with the race detector
// every seventh. The other forms know the operations from a rehearsal without
// failures: they let the first and the last of each kind fail and some between,
// and then go one beyond the last.
func (in injector) operations(rehearse func()) []int {
	var each []int
	if lengthtest.Wanted() == lengthtest.Long {
		for n := 1; n <= mostFailures; n++ {
			if !store.RaceDetector || n%7 == 1 {
				each = append(each, n)
			}
		}
		return each
	}
	in.failAt(mostFailures)
	rehearse()
	seen := in.seen()
	ofKind := map[string][]int{}
	for i, name := range seen {
		ofKind[name] = append(ofKind[name], i+1)
	}
	parts := lengthtest.Of(1, 2, 3)
	for _, at := range ofKind {
		for k := range parts + 1 { // the first and the last of its kind, and some between
			each = append(each, at[k*(len(at)-1)/parts])
		}
	}
	each = append(each, len(seen)+1)
	slices.Sort(each)
	return slices.Compact(each)
}

// failEach lets every operation of a transition fail in turn. Whatever failed,
// the state is that before or that after; what was acknowledged is there; and
// doing it again does it once.
func failEach(t *testing.T, sc scenario, place string, o store.Options, in injector) {
	begin := func() *world {
		s, err := engines.Open(t.Context(), place, o)
		if err != nil {
			t.Fatal(err)
		}
		return worldOf(t.Context(), s)
	}
	w := begin()
	want := reference(t, w, sc)
	refused, done := 0, 0
	kinds := map[string]int{}
	if err := sc.prepare(w, "rehearsed"); err != nil {
		t.Fatal(err)
	}
	operations := in.operations(func() {
		if err := sc.do(w, "rehearsed"); err != nil {
			t.Fatal(err)
		}
		if !in.goesOn {
			if err := w.store.Close(); err != nil {
				t.Fatal(err)
			}
		}
		in.heal()
		if !in.goesOn {
			w = begin()
		}
	})
	for _, n := range operations {
		id := fmt.Sprintf("x%d", n)
		if err := sc.prepare(w, id); err != nil {
			t.Fatal(err)
		}
		in.failAt(n)
		err := sc.do(w, id)
		hit := ""
		if in.goesOn {
			hit = in.heal()
		} else {
			_ = w.store.Close() // which fails, too
			hit = in.heal()
			w = begin()
		}
		got := w.state(t, id)
		switch {
		case err == nil && got != want.after:
			t.Fatalf("operation %d (%s) failed, what was acknowledged isn't there:\n%swant\n%s", n, hit, got, want.after)
		case err == nil:
			done++
		case got != want.before && got != want.after:
			t.Fatalf("operation %d (%s) failed, the state is between:\n%s", n, hit, got)
		default:
			refused++
			if typed(t, err); in.check != nil {
				in.check(t, n, hit, err)
			}
			if err := sc.do(w, id); err != nil {
				t.Errorf("operation %d (%s) failed, and again: %v", n, hit, err)
			} else if got := w.state(t, id); got != want.after {
				t.Errorf("operation %d (%s) failed, and doing it again gives\n%swant\n%s", n, hit, got, want.after)
			}
		}
		if kinds[hit]++; hit == "" {
			if err != nil {
				t.Errorf("nothing failed, and yet: %v", err)
			}
			break
		}
	}
	verified(t, w.store)
	if err := w.store.Close(); err != nil {
		t.Error(err)
	}
	if kinds[""] == 0 && lengthtest.Wanted() == lengthtest.Long {
		t.Errorf("%d operations and more: they don't come to an end", mostFailures)
	}
	if refused == 0 || kinds[in.last] == 0 && !store.RaceDetector {
		t.Errorf("no failure was noticed, or none of %s, of %v", in.last, kinds)
	}
	done -= kinds[""]
	delete(kinds, "")
	t.Logf("%d refused, %d done all the same: %v", refused, done, kinds)
}

// failMigrations does the same while the tables are made. place gives a new
// place each time.
func failMigrations(t *testing.T, place func(n int) string, o store.Options, in injector) {
	refused, done, ended := 0, 0, false
	operations := in.operations(func() {
		s, err := engines.Open(t.Context(), place(mostFailures), o)
		in.heal()
		if err == nil {
			err = s.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
	})
	for i, n := range operations {
		if i%lengthtest.Of(4, 3, 1) != 0 && i < len(operations)-1 {
			continue // each try makes the tables anew
		}
		at := place(n)
		in.failAt(n)
		s, err := engines.Open(t.Context(), at, o)
		hit := in.heal()
		if err == nil {
			done++
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		} else {
			typed(t, err)
			refused++
		}
		// Made or not, the next one gets a store that works.
		if s, err = engines.Open(t.Context(), at, o); err != nil {
			t.Fatalf("operation %d (%s) failed while the tables were made, and the store can't be opened any more: %v", n, hit, err)
		}
		if i%8 == 0 || hit == "" {
			if err := scenarios[0].do(worldOf(t.Context(), s), "s"); err != nil {
				t.Errorf("operation %d (%s) failed while the tables were made: %v", n, hit, err)
			}
			verified(t, s)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if ended = hit == ""; ended {
			break
		}
	}
	if !ended && lengthtest.Wanted() == lengthtest.Long {
		t.Errorf("%d operations and more: they don't come to an end", mostFailures)
	}
	if refused == 0 {
		t.Error("no failure was noticed")
	}
	t.Logf("%d refused, %d made all the same", refused, done-1)
}
