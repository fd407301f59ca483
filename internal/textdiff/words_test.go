package textdiff_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cento-dev/cento/internal/textdiff"
)

func TestWords(t *testing.T) {
	text := func(from, to string) string {
		var b strings.Builder
		for _, w := range textdiff.Words(from, to) {
			b.WriteString("[" + string(w.Op) + w.Text + "]")
		}
		return b.String()
	}
	for name, c := range map[string]struct{ from, to, want string }{
		"same":                 {"Run it.", "Run it.", "[ Run it.]"},
		"nothing":              {"", "", ""},
		"one word":             {"Run all tests.", "Run the tests.", "[ Run ][-all][+the][  tests.]"},
		"neighbours":           {"Run all slow tests.", "Run the quick tests.", "[ Run ][-all slow][+the quick][  tests.]"},
		"a sign":               {"Run it.", "Run it!", "[ Run it][-.][+!]"},
		"added":                {"Run it", "Run it now", "[ Run it][+ now]"},
		"a line between stays": {"a\nb", "c\nd", "[-a][+c][ \n][-b][+d]"},
		"phrase":               {"as long as you", "whenever you", "[-as long as][+whenever][  you]"},
		"lines that stay":      {"a b\nc\nd\na e\n", "a x\nc\nd\na y\n", "[ a ][-b][+x][ \nc\nd\na ][-e][+y][ \n]"},
	} {
		if got := text(c.from, c.to); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

func TestWordLines(t *testing.T) {
	var b strings.Builder
	for _, l := range textdiff.WordLines("1\n2\n3\n4\nRun all.\n6\n", "1\n2\n3\n4\nRun it.\n6\n\n") {
		if l.Gap {
			b.WriteString("…")
		}
		for _, w := range l.Words {
			b.WriteString("[" + string(w.Op) + w.Text + "]")
		}
		b.WriteString("\n")
	}
	if got, want := b.String(), "…\n[ 3]\n[ 4]\n[ Run ][-all][+it][ .]\n[ 6]\n\n[+↵]\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// TestWordsLaws: what stands on both sides and what was taken away is the one text, what
// stands on both sides and what was added the other, whatever texts they are.
func TestWordsLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.Custom(func(t *rapid.T) string {
			return strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"a", "bc", " ", "\n", "  ", ".", "é", "\xff", "a_1"}), 0, 12).Draw(t, "parts"), "")
		})
		from, to := texts.Draw(t, "from"), texts.Draw(t, "to")
		var before, after strings.Builder
		last := byte(0)
		for _, w := range textdiff.Words(from, to) {
			if w.Text == "" || w.Op == last {
				t.Fatalf("%q to %q: a stretch is empty, or follows one of its kind", from, to)
			}
			last = w.Op
			if w.Op != '+' {
				before.WriteString(w.Text)
			}
			if w.Op != '-' {
				after.WriteString(w.Text)
			}
		}
		if before.String() != from || after.String() != to {
			t.Fatalf("%q to %q: reads as %q to %q", from, to, before.String(), after.String())
		}
	})
}

// TestWordLinesShowNoMoreThanLines: the lines with a change are at most as many as a
// comparison of lines removes and adds, whatever the texts are.
func TestWordLinesShowNoMoreThanLines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.Custom(func(t *rapid.T) string {
			lines := rapid.SliceOfN(rapid.SampledFrom([]string{"a b", "a c", "", "b. c", "c"}), 0, 15).Draw(t, "lines")
			return strings.Join(lines, "\n")
		})
		from, to := texts.Draw(t, "from"), texts.Draw(t, "to")
		most := 0
		for _, l := range textdiff.Lines(from, to) {
			if l.Op != ' ' {
				most++
			}
		}
		for _, l := range textdiff.WordLines(from, to) {
			if slices.ContainsFunc(l.Words, func(w textdiff.Word) bool { return w.Op != ' ' }) {
				most--
			}
		}
		if most < 0 {
			t.Fatalf("%q to %q: %d lines too many have a change", from, to, -most)
		}
	})
}
