package store_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cento-dev/cento/internal/lengthtest"
	"github.com/cento-dev/cento/store"
)

// TestFileFailures lets every operation on a file of the embedded store fail in
// turn, in several ways.
func TestFileFailures(t *testing.T) {
	t.Parallel() // most of it is waiting
	o := store.Options{Clock: fixedClock}
	for i, how := range []failing{once, full, torn} {
		in := injector{
			failAt: func(n int) { theDisk.failAt(n, how) },
			heal:   theDisk.heal,
			seen:   theDisk.operations,
			goesOn: how == once,
			last:   "write",
			check: func(t *testing.T, n int, hit string, err error) {
				if how == full && hit == "write" && !errors.Is(err, store.Full) {
					t.Errorf("operation %d: no room left is told as %v", n, err)
				}
			},
		}
		t.Run(string(how), func(t *testing.T) {
			if store.RaceDetector && how == full {
				t.Skip("the others say the same of the race detector")
			}
			for k, sc := range scenarios {
				if (i+k)%lengthtest.Of(3, 1, 1) != 0 {
					continue // each transition fails in one way, each way befalls some
				}
				t.Run(strings.ReplaceAll(sc.name, " ", "_"), func(t *testing.T) {
					folder := store.QuickFolder(t)
					theDisk.putUnder(t, folder)
					failEach(t, sc, filepath.Join(folder, "cento.db"), o, in)
				})
			}
			t.Run("migrate", func(t *testing.T) {
				if how != torn {
					lengthtest.NotShort(t, "each try makes the tables of a new file, and a torn write is the hardest of the three")
				}
				folder := store.QuickFolder(t)
				theDisk.putUnder(t, folder)
				failMigrations(t, func(n int) string { return filepath.Join(folder, fmt.Sprintf("x%d.db", n)) }, o, in)
			})
		})
	}
}
