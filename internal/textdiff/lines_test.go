package textdiff_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
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

// TestLinesAreFewest compares with the longest common subsequence.
func TestLinesAreFewest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lines := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c", "d"}), 1, 40)
		from, to := lines.Draw(t, "from"), lines.Draw(t, "to")
		common := make([][]int, len(from)+1)
		for i := range common {
			common[i] = make([]int, len(to)+1)
		}
		for i := range from {
			for j := range to {
				if common[i+1][j+1] = max(common[i][j+1], common[i+1][j]); from[i] == to[j] {
					common[i+1][j+1] = common[i][j] + 1
				}
			}
		}
		want := len(from) + len(to) - 2*common[len(from)][len(to)]
		if got := changedLines(strings.Join(from, "\n"), strings.Join(to, "\n")); got != want {
			t.Fatalf("%d lines changed between %q and %q, want %d", got, from, to, want)
		}
	})
}

func changedLines(from, to string) int {
	n := 0
	for _, l := range textdiff.Lines(from, to) {
		if l.Op != ' ' {
			n++
		}
	}
	return n
}

// TestLinesOfLargeTexts: the size of a text doesn't change what counts as changed.
func TestLinesOfLargeTexts(t *testing.T) {
	var from strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&from, "- Rule number %d.\n", i%700)
	}
	to := strings.Replace(from.String(), "number 3.", "number three.", 1) + "The end.\n"
	if got := changedLines("First.\n"+from.String(), to); got != 4 {
		t.Errorf("%d lines changed, want 4", got)
	}
}

// TestLinesBound: the work on hostile texts is linear, and what they have in common at the
// ends stays.
func TestLinesBound(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	hostile := func() string {
		var b strings.Builder
		for range 50_000 {
			b.WriteString([]string{"a\n", "b\n"}[random.IntN(2)])
		}
		return b.String()
	}
	from, to := hostile(), hostile()
	// Two random texts of two letters have about 80 % in common. Without a search they would
	// have 50 %.
	if got := changedLines(from, to); got > 35_000 {
		t.Errorf("%d of 100000 lines changed", got)
	}
	if got := changedLines(strings.Repeat("a\n", 20_000), strings.Repeat("b\n", 20_000)); got != 40_000 {
		t.Errorf("%d lines changed, want 40000", got)
	}
}

func TestLongLines(t *testing.T) {
	long := strings.Repeat("word ", 2000)
	got := textdiff.Lines(long+"old "+long+"\n"+long, long+"new "+long+"\n"+long)
	cut := strings.Repeat("word ", 12)
	want := []textdiff.Line{{'-', "…" + cut + "old " + cut[:59] + "…"}, {'+', "…" + cut + "new " + cut[:59] + "…"}, {' ', cut + "…"}}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	for _, line := range textdiff.WordLines(long+"old "+long, long+"new "+long) {
		size := 0
		for _, w := range line.Words {
			size += len(w.Text)
		}
		if size > 200 {
			t.Errorf("a line has %d bytes", size)
		}
	}
}
