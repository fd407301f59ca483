package prompttest_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cento-dev/cento/internal/prompttest"
)

// TestNamesWithoutRuns: names are told without running anything, as runs tell them. Where
// runs want more readings than are made, the rest may know any name.
func TestNamesWithoutRuns(t *testing.T) {
	var many strings.Builder
	many.WriteString("system: Hi.\ntests:\n")
	for i := range 40 {
		fmt.Fprintf(&many, "- {name: t%d, with: {now: 2026-01-01T00:00:%02dZ, caps: [c%d]}, contains: Hi}\n", i, i, i)
	}
	for _, x := range []struct {
		name, manifest string
		told           int
	}{
		{"own", "system: Hi.\ntests:\n- {name: a, with: {caps: [x], without_tools: [y]}, contains: Hi}\n", 1},
		{"files", "system: Hi.\ntests:\n- {name: a, with: {caps: [x], files: {a.txt: A}}, contains: Hi}\n", 0},
		{"many", many.String(), 32},
	} {
		t.Run(x.name, func(t *testing.T) {
			r := aProject(t, map[string]string{"cento.yaml": x.manifest})
			s, err := prompttest.Load(r)
			if err != nil {
				t.Fatal(err)
			}
			names, err := s.Names(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if len(names) != x.told {
				t.Errorf("%d names are told, want %d: %v", len(names), x.told, names)
			}
			report, err := s.Run(t.Context(), prompttest.Options{})
			if err != nil {
				t.Fatal(err)
			}
			for _, n := range names {
				if !slices.Contains(report.Notes, n) {
					t.Errorf("a run doesn't tell %v", n)
				}
			}
		})
	}
}
