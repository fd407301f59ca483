package lint

import (
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/cento-dev/cento/internal/lengthtest"
)

// Whatever a repository holds, checking it costs about as much as it is long: four
// times the input takes far less than four times four times as long, and at most
// 100 findings of a code are kept.
func TestCostGrowsWithTheInput(t *testing.T) {
	lengthtest.OnlyLong(t, "compares times of large inputs")
	for name, input := range map[string]func(n int) map[string]string{
		"paths": func(n int) map[string]string {
			var b strings.Builder
			for i := range n {
				fmt.Fprintf(&b, "`a/b%d.go`\n", i)
			}
			return map[string]string{"cento.yaml": "instruction: $workspace/main\n", ".cento/prompts/main.md": b.String()}
		},
		"links on one line": func(n int) map[string]string {
			var b strings.Builder
			for i := range n {
				fmt.Fprintf(&b, "[](a%d.md) `` [ ]( <!-- --> ", i)
			}
			return map[string]string{"cento.yaml": "instruction: $workspace/main\n", ".cento/prompts/main.md": b.String()}
		},
		"tool names": func(n int) map[string]string {
			var tools []map[string]any
			var b strings.Builder
			for i := range n / 4 {
				tools = append(tools, map[string]any{"name": fmt.Sprintf("tool_%d", i), "description": "x"})
				fmt.Fprintf(&b, "tool_%d and tool_%d, ", i, i*7%(n/4))
			}
			raw, err := json.Marshal(tools)
			if err != nil {
				t.Fatal(err)
			}
			return map[string]string{"cento.yaml": "tools: tools.json\nfragments: [{id: a, body: \"" + b.String() + "\"}]\n", "tools.json": string(raw)}
		},
		"targets": func(n int) map[string]string {
			var b strings.Builder
			b.WriteString("system: x\nscope: off\ntargets:\n")
			for i := range n / 16 { // the largest has as many as a manifest may have
				fmt.Fprintf(&b, "  t%d: {tools: [a]}\n", i)
			}
			return map[string]string{"cento.yaml": b.String()}
		},
		"conditions": func(n int) map[string]string {
			var b strings.Builder
			b.WriteString("tools: [t0]\nfragments:\n")
			for i := range n / 8 {
				fmt.Fprintf(&b, "  - {id: f%d, when: \"tool('x%d')\", body: \"Use tool_%d.\"}\n", i, i, i)
			}
			return map[string]string{"cento.yaml": b.String()}
		},
		"one line, one sentence, many paths": func(n int) map[string]string {
			var b strings.Builder
			for i := range n {
				fmt.Fprintf(&b, "see `a/b%d.go` and what it says of the sea, ", i)
			}
			return map[string]string{"cento.yaml": "instruction: $workspace/main\n", ".cento/prompts/main.md": b.String() + "\n"}
		},
		"a file that asks for every tool it tells of": func(n int) map[string]string {
			var tools []string
			var b strings.Builder
			for i := range n / 8 {
				tools = append(tools, fmt.Sprintf("tool_%d", i))
				fmt.Fprintf(&b, "{%% if tool('tool_%d') %%}Use tool_%d.{%% endif %%}\n", i, i)
			}
			return map[string]string{"cento.yaml": "instruction: $workspace/main\ntools: [" + strings.Join(tools, ", ") + "]\n", ".cento/prompts/main.md": b.String()}
		},
	} {
		t.Run(name, func(t *testing.T) {
			cost := func(n int) time.Duration {
				r, site := lintable(t, input(n))
				best := time.Hour
				for range 3 {
					runtime.GC()
					start := time.Now()
					report, err := Run(t.Context(), site, r, Options{Exists: func(string) bool { return false }})
					if err != nil {
						t.Fatal(err)
					}
					best = min(best, time.Since(start))
					count := map[string]int{}
					for _, f := range report.Findings {
						count[string(f.Code)]++
						if count[string(f.Code)] > maxListed {
							t.Fatalf("more than %d findings of %s", maxListed, f.Code)
						}
					}
					if len(report.Findings) == 0 {
						t.Fatal("nothing is found: the input isn't what it is to be")
					}
				}
				return best
			}
			small, large := cost(2000), cost(8000)
			t.Logf("%v, then %v", small, large)
			if large > 12*small && large > 2*time.Second {
				t.Errorf("%v for one, %v for four times as much", small, large)
			}
		})
	}
}

// What isn't listed is counted, also among those that are accepted.
func TestMore(t *testing.T) {
	text := "instruction: $workspace/main\nignore: [{code: scope.none, reason: so}]\n"
	var b strings.Builder
	for i := range 250 {
		fmt.Fprintf(&b, "`a/b%d.go`\n", i)
	}
	r, site := lintable(t, map[string]string{"cento.yaml": text, ".cento/prompts/main.md": b.String()})
	report, err := Run(t.Context(), site, r, Options{Exists: func(string) bool { return false }})
	if err != nil {
		t.Fatal(err)
	}
	n, more := 0, 0
	for _, f := range report.Findings {
		if f.Code == "path.dead" {
			n, more = n+1, more+f.More
			if f.More > 0 && f.Position.Line != 100 {
				t.Errorf("the rest is told at %s", f.Position)
			}
		}
	}
	if n != 100 || more != 150 {
		t.Errorf("%d listed, %d more", n, more)
	}
}
