package textdiff_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cento-dev/cento/internal/textdiff"
)

func TestLines(t *testing.T) {
	text := func(from, to string) string {
		var b strings.Builder
		for _, l := range textdiff.Lines(from, to) {
			b.WriteString(string(l.Op) + l.Text + "\n")
		}
		return b.String()
	}
	for name, c := range map[string]struct{ from, to, want string }{
		"same":         {"a\nb", "a\nb", " …\n"},
		"added":        {"a\nc", "a\nb\nc", " a\n+b\n c\n"},
		"taken away":   {"a\nb\nc", "a\nc", " a\n-b\n c\n"},
		"reworded":     {"a\nb\nc", "a\nB\nc", " a\n-b\n+B\n c\n"},
		"all of it":    {"a", "b", "-a\n+b\n"},
		"far lines go": {"1\n2\n3\n4\n5\n6\n7", "1\n2\n3\n4\n5\n6\n8", " …\n 5\n 6\n-7\n+8\n"},
		"between too":  {"x\n1\n2\n3\n4\n5\ny", "X\n1\n2\n3\n4\n5\nY", "-x\n+X\n 1\n 2\n …\n 4\n 5\n-y\n+Y\n"},
	} {
		if got := text(c.from, c.to); got != c.want {
			t.Errorf("%s: got\n%swant\n%s", name, got, c.want)
		}
	}
}

// TestLinesLaws: what is taken away and added accounts for every line in
// which the texts differ, and nothing else is told.
func TestLinesLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lines := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c", ""}), 1, 12)
		from, to := lines.Draw(t, "from"), lines.Draw(t, "to")
		counts := map[string]int{}
		for _, l := range to {
			counts[l]++
		}
		for _, l := range from {
			counts[l]--
		}
		changes := 0
		for _, l := range textdiff.Lines(strings.Join(from, "\n"), strings.Join(to, "\n")) {
			switch l.Op {
			case '+':
				counts[l.Text]--
				changes++
			case '-':
				counts[l.Text]++
				changes++
			}
		}
		for l, n := range counts {
			if n != 0 {
				t.Fatalf("%q is told %d times too few", l, n)
			}
		}
		if same := strings.Join(from, "\n") == strings.Join(to, "\n"); same != (changes == 0) {
			t.Fatalf("%d changes between %q and %q", changes, from, to)
		}
	})
}

// TestLinesBound: texts that have nothing in common are compared in time
// that a person doesn't notice.
func TestLinesBound(t *testing.T) {
	from, to := strings.Repeat("a\n", 20_000), strings.Repeat("b\n", 20_000)
	minus, plus := 0, 0
	for _, l := range textdiff.Lines(from, to) {
		switch l.Op {
		case '-':
			minus++
		case '+':
			plus++
		}
	}
	if minus != 20_000 || plus != 20_000 {
		t.Errorf("%d lines gone and %d new, want 20000 of both", minus, plus)
	}
}
