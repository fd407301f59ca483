package prompttest_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cento-dev/cento/internal/prompttest"
	"github.com/cento-dev/cento/project"
)

// large writes a project of many fragments, every other one gated, with many cases,
// each about another active set.
func large(b *testing.B, fragments, cases int) project.Request {
	b.Helper()
	words := strings.Fields("the agent keeps its answers short and tells what it did before it goes on with work that nobody asked for in tests files reviews branches")
	r := rand.New(rand.NewPCG(1, 2))
	var m strings.Builder
	m.WriteString("version: 1\nsystem: You are an agent of the team.\ntools:\n")
	for t := range 20 {
		fmt.Fprintf(&m, "  - {name: tool%d, guidance: Use tool%d with care.}\n", t, t)
	}
	m.WriteString("fragments:\n")
	for i := range fragments {
		fmt.Fprintf(&m, "  - id: team.f%d\n", i)
		switch i % 5 {
		case 1:
			fmt.Fprintf(&m, "    requires_tools: [tool%d]\n", i%20)
		case 2:
			fmt.Fprintf(&m, "    requires_caps: [cap%d]\n", i%7)
		case 3:
			fmt.Fprintf(&m, "    when: tool('tool%d') or cap('cap%d')\n", i%20, i%7)
		}
		fmt.Fprintf(&m, "    body: Rule %d.", i)
		for range 30 {
			m.WriteString(" " + words[r.IntN(len(words))])
		}
		m.WriteString("\n")
	}
	m.WriteString("tests:\n")
	for c := range cases {
		var tools, caps []string
		for t := range 20 {
			if r.IntN(2) == 0 {
				tools = append(tools, fmt.Sprintf("tool%d", t))
			}
		}
		for t := range 7 {
			if r.IntN(2) == 0 {
				caps = append(caps, fmt.Sprintf("cap%d", t))
			}
		}
		at := r.IntN(fragments/5) * 5
		fmt.Fprintf(&m, "  - name: case %d\n    with: {tools: [%s], caps: [%s]}\n", c, strings.Join(tools, ", "), strings.Join(caps, ", "))
		fmt.Fprintf(&m, "    contains: [You are an agent, Rule %d.]\n    not_contains: [Rule %d.]\n    included: [team.f%d]\n", at, fragments, at)
	}
	dir := b.TempDir()
	for name, text := range map[string]string{"cento.yaml": m.String(), ".git/HEAD": "ref: refs/heads/main\n"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			b.Fatal(err)
		}
	}
	return project.Request{Dir: dir}
}

// BenchmarkTest runs a thousand cases over a thousand fragments, reading included.
func BenchmarkTest(b *testing.B) {
	r := large(b, 1000, 1000)
	for b.Loop() {
		runAll(b, r, prompttest.Options{})
	}
}

// BenchmarkMutate changes 300 fragments under a hundred cases of which few notice.
func BenchmarkMutate(b *testing.B) {
	r := large(b, 300, 100)
	for b.Loop() {
		runAll(b, r, prompttest.Options{Mutate: true})
	}
}

func runAll(b *testing.B, r project.Request, o prompttest.Options) {
	suite, err := prompttest.Load(r)
	if err != nil {
		b.Fatal(err)
	}
	report, err := suite.Run(b.Context(), o)
	if err != nil {
		b.Fatal(err)
	}
	if !report.OK() {
		b.Fatalf("%d failed", report.Failed)
	}
}
