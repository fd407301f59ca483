package textdiff

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Word is a span of a comparison: Op is '-', '+' or ' '.
type Word struct {
	Op   byte
	Text string
}

// WordLine is a line of a comparison by words. With Gap it replaces unchanged lines.
type WordLine struct {
	Words []Word
	Gap   bool
}

// wordsOf splits a text into words, runs of white space, and single characters.
func wordsOf(text string) []string {
	kind := func(r rune) int {
		switch {
		case r == '\n':
			return 0
		case unicode.IsSpace(r):
			return 1
		case unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_':
			return 2
		}
		return 0 // of its own
	}
	var out []string
	for len(text) > 0 {
		r, n := utf8.DecodeRuneInString(text)
		k := kind(r)
		for k > 0 && n < len(text) {
			next, size := utf8.DecodeRuneInString(text[n:])
			if kind(next) != k {
				break
			}
			n += size
		}
		out = append(out, text[:n])
		text = text[n:]
	}
	return out
}

// Words compares two texts line by line, and the lines that changed word by word.
func Words(from, to string) []Word {
	var out []Word
	seenA, seenB := 0, 0
	for _, h := range hunksOf(strings.Split(from, "\n"), strings.Split(to, "\n")) {
		// A line end belongs to the line after it.
		a, b := afterLines(seenA, h.a), afterLines(seenB, h.b)
		switch {
		case !h.same:
			out = append(out, compareWords(a, b)...)
		case len(a) > len(b):
			out = append(out, Word{'-', "\n"}, Word{' ', b})
		case len(a) < len(b):
			out = append(out, Word{'+', "\n"}, Word{' ', a})
		default:
			out = append(out, Word{' ', a})
		}
		seenA, seenB = seenA+len(h.a), seenB+len(h.b)
	}
	return joinWords(out)
}

// afterLines joins lines that follow so many others.
func afterLines(seen int, lines []string) string {
	text := strings.Join(lines, "\n")
	if seen > 0 && len(lines) > 0 {
		return "\n" + text
	}
	return text
}

func compareWords(from, to string) []Word {
	var out []Word
	add := func(op byte, text string) {
		if text != "" {
			out = append(out, Word{op, text})
		}
	}
	for _, h := range hunksOf(wordsOf(from), wordsOf(to)) {
		a, b := strings.Join(h.a, ""), strings.Join(h.b, "")
		if h.same {
			add(' ', a)
		} else {
			add('-', a)
			add('+', b)
		}
	}
	// White space before a change that ends with the same white space could as well stay
	// after it. There it doesn't part the change from the one before.
	for i := 1; i+1 < len(out); i++ {
		space, next := out[i], out[i+1]
		if space.Op != ' ' || strings.TrimSpace(space.Text) != "" || strings.Contains(space.Text, "\n") || next.Op == ' ' || i+2 < len(out) && out[i+2].Op != ' ' {
			continue
		}
		if rest, ok := strings.CutSuffix(next.Text, space.Text); ok {
			out[i], out[i+1] = Word{next.Op, space.Text + rest}, space
		}
	}
	return joinWords(out)
}

// joinWords joins neighbours of one kind. White space alone between two changes is a part
// of them: a sentence that was rewritten reads as one.
func joinWords(words []Word) []Word {
	var out []Word
	for i, w := range words {
		if w.Text == "" {
			continue
		}
		last := len(out) - 1
		if w.Op == ' ' && last >= 0 && out[last].Op != ' ' && strings.TrimSpace(w.Text) == "" && !strings.Contains(w.Text, "\n") && changes(words[i+1:]) {
			// It stands on both sides.
			if last > 0 && out[last].Op == '+' && out[last-1].Op == '-' {
				out[last-1].Text += w.Text
				out[last].Text += w.Text
				continue
			}
		}
		if last >= 0 && out[last].Op == w.Op {
			out[last].Text += w.Text
			continue
		}
		if w.Op == '-' && last > 0 && out[last].Op == '+' && out[last-1].Op == '-' {
			out[last-1].Text += w.Text
			continue
		}
		out = append(out, w)
	}
	return out
}

// changes reports whether both something removed and something added comes next.
func changes(words []Word) bool {
	var ops string
	for _, w := range words {
		if w.Text == "" {
			continue
		}
		if w.Op == ' ' {
			break
		}
		ops += string(w.Op)
	}
	return ops == "-+"
}

// WordLines compares two texts as [Words] does, and returns the changed lines and those
// around them. In a long line, [Gap] replaces unchanged text.
func WordLines(from, to string) []WordLine {
	words := Words(from, to)
	for i, w := range words {
		if w.Op != ' ' && strings.Trim(w.Text, "\n") == "" {
			if words[i].Text = strings.ReplaceAll(w.Text, "\n", "\n↵"); i == 0 {
				words[i].Text = strings.ReplaceAll(w.Text, "\n", "↵\n")
			}
		}
	}
	lines := linesOf(words)
	near := nearChange(len(lines), func(i int) bool {
		return slices.ContainsFunc(lines[i], func(w Word) bool { return w.Op != ' ' })
	})
	var out []WordLine
	for i, l := range lines {
		switch {
		case near[i]:
			out = append(out, WordLine{Words: shortened(l)})
		case i == 0 || near[i-1]:
			out = append(out, WordLine{Gap: true})
		}
	}
	return out
}
