package store_test

import (
	"fmt"
	"testing"

	"github.com/cento-dev/cento/store"
)

// injector lets the nth operation below a store fail.
type injector struct {
	failAt func(n int)
	// heal ends the failures, and names the first operation that failed; empty
	// when there weren't so many.
	heal func() string
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

// stride is how many operations are passed over between two that fail.
func stride() int {
	if store.RaceDetector {
		return 7
	}
	return 1
}

// failEach lets every operation of a transition fail in turn. Whatever failed,
// the state is that before or that after; what was acknowledged is there; and
// doing it again does it once.
func failEach(t *testing.T, sc scenario, place string, o store.Options, in injector) {
	begin := func() *world {
		s, err := store.Open(t.Context(), place, o)
		if err != nil {
			t.Fatal(err)
		}
		return worldOf(t.Context(), s)
	}
	w := begin()
	want := reference(t, w, sc)
	refused, done := 0, 0
	kinds := map[string]int{}
	for n := 1; ; n += stride() {
		if n > mostFailures {
			t.Fatal("the operations don't come to an end")
		}
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
	if refused == 0 || kinds[in.last] == 0 && !store.RaceDetector {
		t.Errorf("no failure was noticed, or none of %s, of %v", in.last, kinds)
	}
	delete(kinds, "")
	t.Logf("%d refused, %d done all the same: %v", refused, done-1, kinds)
}

// failMigrations does the same while the tables are made. place gives a new
// place each time.
func failMigrations(t *testing.T, place func(n int) string, o store.Options, in injector) {
	refused, done := 0, 0
	for n := 1; ; n += stride() {
		if n > mostFailures {
			t.Fatal("the operations don't come to an end")
		}
		at := place(n)
		in.failAt(n)
		s, err := store.Open(t.Context(), at, o)
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
		if s, err = store.Open(t.Context(), at, o); err != nil {
			t.Fatalf("operation %d (%s) failed while the tables were made, and the store can't be opened any more: %v", n, hit, err)
		}
		if n%8 == 1 || hit == "" {
			if err := scenarios[0].do(worldOf(t.Context(), s), "s"); err != nil {
				t.Errorf("operation %d (%s) failed while the tables were made: %v", n, hit, err)
			}
			verified(t, s)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if hit == "" {
			break
		}
	}
	if refused == 0 {
		t.Error("no failure was noticed")
	}
	t.Logf("%d refused, %d made all the same", refused, done-1)
}
