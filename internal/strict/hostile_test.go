package strict

import (
	"errors"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/lengthtest"
	"github.com/cento-dev/cento/internal/pacetest"
)

// Files made to cost more than they say are read, or refused, at a cost that
// grows with their size alone. The bounds are far above what is measured and
// far below what a quadratic step would take.
func TestHostileFilesAreCheap(t *testing.T) {
	lengthtest.NotShort(t, "it measures what hostile files cost")
	r := strings.Repeat
	for _, c := range []struct {
		name, text string
		limit      bool // refused for its limits
	}{
		{"items.yaml", r("- \n", 340_000), true},
		{"items just allowed.yaml", r("- \n", maxIndicators), false},
		{"flow.yaml", "[" + r("a,", 500_000) + "]", true},
		{"flow just allowed.yaml", "[" + r("a,", maxIndicators-1) + "]", false},
		{"nested lists.yaml", r("[", 1_000_000), true},
		{"nested maps.yaml", r("{a: ", 250_000), true},
		{"nested items.yaml", r("- ", 500_000), true},
		{"comments.yaml", r("#\n", 500_000), false},
		{"comments between.yaml", r("- a\n\n# x\n", maxIndicators), false},
		{"comments in flow.yaml", "[" + r("1, # x\n", maxIndicators-1) + "]", false},
		{"comments after key.yaml", "a:\n" + r(" #\n", 300_000) + " - 1\n", false},
		{"literal.yaml", "a: |\n" + r("  x\n", 250_000), false},
		{"folded.yaml", "a: >\n" + r("  x\n", 250_000), false},
		{"escapes.yaml", `a: "` + r(`\n`, 500_000) + `"`, false},
		{"quotes.yaml", "a: '" + r("''", 500_000) + "'", false},
		{"words.yaml", "a: " + r("b ", 500_000), false},
		{"lines.yaml", "a: " + r("b\n ", 300_000), false},
		{"blank.yaml", r("\n", 1_000_000), false},
		{"key.yaml", "{" + r("aaaaaaaa ", 100_000) + "}", false},
		{"items.json", "[" + r("1,", 500_000) + "1]", false},
		{"lists.json", "[" + r("[],", 340_000) + "[]]", false},
		{"escapes.json", `"` + r(`a\n`, 340_000) + `"`, false},
		{"nested.json", r("[", 1_000_000), true},
	} {
		t.Run(c.name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			start := time.Now()
			n, err := Read(c.name, []byte(c.text), cento.DefaultLimits())
			if errors.Is(err, cento.LimitExceeded) != c.limit || err != nil && !c.limit {
				t.Fatalf("got %v", err)
			}
			if err == nil {
				walk(n, func(n *Node) { n.Runs(cento.TrustWorkspace) })
			}
			took := time.Since(start)
			runtime.ReadMemStats(&after)
			if took > 5*pacetest.Second() {
				t.Errorf("took %v", took)
			}
			if used := after.TotalAlloc - before.TotalAlloc; used > 256<<20 {
				t.Errorf("took %d MiB", used>>20)
			}
		})
	}
}

// What was meant by a line that can't be read is found at a cost that grows with its
// length alone.
func TestAdviceIsCheap(t *testing.T) {
	r := strings.Repeat
	for name, line := range map[string]string{
		"blanks": r(" ", 400_000) + "a: [", "dashes": r("-", 400_000) + " [", "quotes": "a: " + r(`"b" `, 100_000) + "[",
		"open quotes": "a: [" + r(`'`, 399_999), "commas": "a: [" + r(`b, `, 90_000) + "{{ c }}", "words": "a: b" + r(" '", 200_000) + ": [",
	} {
		start := time.Now()
		_, err := Read("f.yaml", []byte("b: c\n"+line+"\n"), cento.DefaultLimits())
		if took := time.Since(start); took > 5*pacetest.Second() {
			t.Errorf("%s: took %v", name, took)
		}
		if err == nil {
			t.Errorf("%s: is read", name)
		}
	}
}

// A file that is wrong everywhere names its first errors and counts the rest.
func TestManyErrors(t *testing.T) {
	_, err := JSON("x.json", []byte("{"+strings.Repeat(`"":1,`, 200_000)+`"":1}`), cento.DefaultLimits())
	all, ok := errors.AsType[*cento.Errors](err)
	if !ok || len(all.List)+all.Omitted != 200_000 {
		t.Fatalf("got %.200v", err)
	}
	if got := all.List[0].Position; got != (cento.Position{File: "x.json", Line: 1, Column: 7}) {
		t.Errorf("the first is at %v", got)
	}
}

// Each limit holds at the number it says.
func TestLimits(t *testing.T) {
	r := strings.Repeat
	for _, c := range []struct {
		name string
		text func(n int) string
	}{
		{"nested.json", func(n int) string { return r("[", n) + r("]", n) }},
		{"maps.json", func(n int) string { return r(`{"a":`, n) + "1" + r("}", n) }},
		{"nested.yaml", func(n int) string { return r("[", n) + r("]", n) }},
		{"items.yaml", func(n int) string { return r("- ", n) + "1" }},
		{"mixed.yaml", func(n int) string { return r("- ", n/2) + r("[", n-n/2) + r("]", n-n/2) }},
		{"size.json", func(n int) string { return "1" + r(" ", n+50-1) }},
		{"size.yaml", func(n int) string { return "1" + r(" ", n+50-1) }},
	} {
		const limit = 60
		limits := cento.Limits{File: 1000, Nesting: limit}
		if strings.HasPrefix(c.name, "size") {
			limits = cento.Limits{File: limit + 50, Nesting: 1}
		}
		for n := limit - 1; n <= limit+1; n++ {
			_, err := Read(c.name, []byte(c.text(n)), limits)
			if got, want := errors.Is(err, cento.LimitExceeded), n > limit; got != want || !got && err != nil {
				t.Errorf("%s at %d of %d: %v", c.name, n, limit, err)
			}
		}
	}
}

func walk(n *Node, visit func(*Node)) {
	visit(n)
	for i := range n.nodes {
		walk(&n.nodes[i], visit)
	}
}
