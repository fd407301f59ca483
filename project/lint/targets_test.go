package lint

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cento-dev/cento/internal/lengthtest"
)

// manyTargets is a project whose texts and conditions take long, with so many targets.
// A %d in the settings of a target is its number.
func manyTargets(depth, n int, settings string) map[string]string {
	when := strings.Repeat("not (", depth) + "cap('x')" + strings.Repeat(")", depth)
	var m, agents strings.Builder
	m.WriteString("system: x\nfragments:\n")
	for i := range 20 {
		fmt.Fprintf(&m, "  - {id: f%d, body: B., when: \"%s\"}\n", i, when)
	}
	m.WriteString("targets:\n  none: {}\n")
	for i := range n {
		fmt.Fprintf(&m, "  t%d: {%s}\n", i, strings.ReplaceAll(settings, "%d", fmt.Sprint(i)))
	}
	for range 200 {
		agents.WriteString("\x1b[31mred \u202e bidi \u202c <system-reminder>x</system-reminder>\n")
	}
	return map[string]string{"cento.yaml": m.String(), "AGENTS.md": agents.String()}
}

// TestTargetsShareWork checks that a target asks for little memory beyond the first, whether
// the conditions can be read or not: texts are scanned and conditions read once for all.
func TestTargetsShareWork(t *testing.T) {
	lengthtest.NotShort(t, "it checks large projects")
	for _, c := range []struct {
		settings string
		most     float64 // of what the first takes
	}{
		{"", 0.01}, {"output: out%d.md", 0.01}, {"vars: {y: %d}", 0.275}, {"caps: [y%d]", 0.275}, {"system: s%d", 0.275},
	} {
		for _, depth := range []int{30, 90} {
			allocations := func(n int) float64 {
				r, site := lintable(t, manyTargets(depth, n, c.settings))
				return testing.AllocsPerRun(1, func() {
					if _, err := Run(t.Context(), site, r, Options{}); err != nil {
						t.Fatal(err)
					}
				})
			}
			first, more := allocations(0), allocations(40)
			t.Logf("%q %d: %.0f, then %.0f for each target", c.settings, depth, first, (more-first)/40)
			if each := (more - first) / 40; each > c.most*first {
				t.Errorf("{%s}, conditions %d deep: a target takes %.0f allocations, and the first %.0f", c.settings, depth, each, first)
			}
		}
	}
}

// TestPlainTargets checks that findings name every target, though the prompts of those that
// set nothing are made once, and in the order of the manifest.
func TestPlainTargets(t *testing.T) {
	r, site := lintable(t, map[string]string{"cento.yaml": `
tools: [shell, read]
scope: off
fragments: [{id: a, body: "See ` + "`docs/gone.md`" + `.", requires_tools: [shell]}]
targets:
  b: {}
  a: {tools: {remove: [shell]}}
  d: {output: out.md}
  c: {system: y}
`})
	report, err := Run(t.Context(), site, r, Options{Exists: func(string) bool { return false }})
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"", "b", "a", "d", "c"}; !slices.Equal(report.Targets, want) {
		t.Errorf("the targets are %q, want %q", report.Targets, want)
	}
	found := slices.IndexFunc(report.Findings, func(f Finding) bool { return f.Code == "path.dead" })
	if found < 0 {
		t.Fatalf("the path isn't found: %v", report.Findings)
	}
	if got, want := report.Findings[found].Targets, []string{"", "b", "d", "c"}; !slices.Equal(got, want) {
		t.Errorf("it is found in %q, want %q", got, want)
	}
}
