package store_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cento-dev/cento/store"
)

// mostFailures ends a loop over the operations of a transition that doesn't end.
const mostFailures = 2000

// TestFileFailures lets every operation on a file fail in turn, in several ways,
// while a transition is under way. Whatever failed, the state is that before or
// that after; what was acknowledged is there; and doing it again does it once.
func TestFileFailures(t *testing.T) {
	for _, how := range []failing{once, full, torn} {
		t.Run(string(how), func(t *testing.T) {
			for _, sc := range scenarios {
				t.Run(strings.ReplaceAll(sc.name, " ", "_"), func(t *testing.T) { failFiles(t, sc, how) })
			}
			t.Run("migrate", func(t *testing.T) { failMigrations(t, how) })
		})
	}
}

// quickFolder is in memory where there is such a place: failures don't need a
// slow disk.
func quickFolder(t *testing.T) string {
	folder, err := os.MkdirTemp("/dev/shm", "cento")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(folder); err != nil {
			t.Error(err)
		}
	})
	return folder
}

func failFiles(t *testing.T, sc scenario, how failing) {
	folder := quickFolder(t)
	theDisk.putUnder(t, folder)
	place := filepath.Join(folder, "cento.db")
	options := store.Options{Clock: fixedClock}
	begin := func() *world {
		s, err := store.Open(t.Context(), place, options)
		if err != nil {
			t.Fatal(err)
		}
		return worldOf(t.Context(), s)
	}
	w := begin()
	want := reference(t, w, sc)
	var refused, done, healed int
	kinds := map[string]int{}
	for n := 1; ; n++ {
		if n > mostFailures {
			t.Fatal("the operations don't come to an end")
		}
		id := fmt.Sprintf("x%d", n)
		if err := sc.prepare(w, id); err != nil {
			t.Fatal(err)
		}
		theDisk.failAt(n, how)
		err := sc.do(w, id)
		hit := ""
		if how == once {
			// The program goes on with what it has open.
			hit = theDisk.heal()
			if err != nil {
				if again := sc.do(w, id); again != nil {
					t.Errorf("operation %d (%s) failed with %v, and again: %v", n, hit, err, again)
				} else if got := w.state(t, id); got != want.after {
					t.Errorf("operation %d (%s) failed, and doing it again gives\n%swant\n%s", n, hit, got, want.after)
				} else {
					healed++
				}
			}
		} else {
			// The program ends while nothing can be written.
			_ = w.store.Close()
			hit = theDisk.heal()
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
			typed(t, err)
			if how == full && hit == "write" && !errors.Is(err, store.Full) {
				t.Errorf("operation %d: no room left is told as %v", n, err)
			}
			refused++
			if err := sc.do(w, id); err != nil {
				t.Errorf("operation %d (%s) failed, and again: %v", n, hit, err)
			} else if got := w.state(t, id); got != want.after {
				t.Errorf("operation %d (%s) failed, and doing it again gives\n%s", n, hit, got)
			}
		}
		if kinds[hit]++; hit == "" {
			if err != nil {
				t.Errorf("nothing failed, and yet: %v", err)
			}
			break
		}
		if n%8 == 0 {
			verified(t, w.store)
		}
	}
	verified(t, w.store)
	if err := w.store.Close(); err != nil {
		t.Error(err)
	}
	if refused == 0 {
		t.Error("no failure was noticed")
	}
	t.Logf("%d refused, %d done all the same, %d repeated on what was open; %v", refused, done-1, healed, kinds)
}

// failMigrations does the same while the tables are made.
func failMigrations(t *testing.T, how failing) {
	folder := quickFolder(t)
	theDisk.putUnder(t, folder)
	refused := 0
	for n := 1; ; n++ {
		if n > mostFailures {
			t.Fatal("the operations don't come to an end")
		}
		place := filepath.Join(folder, fmt.Sprintf("x%d.db", n))
		theDisk.failAt(n, how)
		s, err := store.Open(t.Context(), place, store.Options{Clock: fixedClock})
		hit := ""
		if err == nil {
			hit = theDisk.heal()
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		} else {
			hit = theDisk.heal()
			typed(t, err)
			refused++
		}
		// Made or not, the next one gets a store that works.
		if s, err = store.Open(t.Context(), place, store.Options{Clock: fixedClock}); err != nil {
			t.Fatalf("operation %d (%s) failed while the tables were made, and the store can't be opened any more: %v", n, hit, err)
		}
		if n%8 == 0 || hit == "" {
			w := worldOf(t.Context(), s)
			if err := scenarios[0].do(w, "s"); err != nil {
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
	t.Logf("%d refused", refused)
}
