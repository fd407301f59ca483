// Package textdiff compares two texts for people: first by lines, then by words in the
// lines that changed. It leaves out unchanged text that is far from every change. It
// knows nothing of prompts.
//
// What differs between two prompts, and why, is
// [github.com/cento-dev/cento.Difference].
package textdiff

import (
	"slices"
	"strings"
)

// Line is one line of a comparison: Op is '-', '+' or ' '.
type Line struct {
	Op   byte
	Text string
}

// Gap is the text of a line that replaces unchanged lines.
const Gap = "…"

// contextLines is the number of unchanged lines shown before and after a change.
const contextLines = 2

// Lines compares two texts line by line. A line [Gap] replaces unchanged lines that are
// far from every change. In a long line, "…" replaces unchanged text in the same way.
func Lines(from, to string) []Line {
	a, b := strings.Split(from, "\n"), strings.Split(to, "\n")
	var out []Line
	for _, h := range hunksOf(a, b) {
		if h.same {
			for _, l := range h.a {
				out = append(out, Line{' ', l})
			}
			continue
		}
		removed, added := h.a, h.b
		if long(removed) || long(added) {
			words := compareWords(strings.Join(h.a, "\n"), strings.Join(h.b, "\n"))
			if len(removed) > 0 {
				removed = sideOf(words, '-')
			}
			if len(added) > 0 {
				added = sideOf(words, '+')
			}
		}
		for _, l := range removed {
			out = append(out, Line{'-', l})
		}
		for _, l := range added {
			out = append(out, Line{'+', l})
		}
	}
	near := nearChange(len(out), func(i int) bool { return out[i].Op != ' ' })
	shown := out[:0:0]
	for i, l := range out {
		switch {
		case near[i] && l.Op == ' ':
			shown = append(shown, Line{' ', shortened([]Word{{' ', l.Text}})[0].Text})
		case near[i]:
			shown = append(shown, l)
		case i == 0 || near[i-1]:
			shown = append(shown, Line{' ', Gap})
		}
	}
	return shown
}

// hunk is a part of two texts: the same lines on both sides, or lines of a that became
// lines of b.
type hunk struct {
	same bool
	a, b []string
}

func hunksOf(a, b []string) []hunk {
	removed, added := compare(a, b)
	var out []hunk
	for i, j := 0, 0; i < len(a) || j < len(b); {
		x, y := i, j
		for x < len(a) && y < len(b) && !removed[x] && !added[y] {
			x, y = x+1, y+1
		}
		if x > i {
			out = append(out, hunk{true, a[i:x], b[j:y]})
			i, j = x, y
			continue
		}
		for x < len(a) && removed[x] {
			x++
		}
		for y < len(b) && added[y] {
			y++
		}
		out = append(out, hunk{false, a[i:x], b[j:y]})
		i, j = x, y
	}
	return out
}

// nearChange reports which of n lines are changed or next to a changed line.
func nearChange(n int, changed func(i int) bool) []bool {
	near := make([]bool, n)
	for i := range n {
		if changed(i) {
			for k := max(0, i-contextLines); k <= min(n-1, i+contextLines); k++ {
				near[k] = true
			}
		}
	}
	return near
}

// longLine is the length in bytes above which a line is shortened, keptText the number of
// characters of unchanged text that stay before and after a change.
const longLine, keptText = 400, 60

func long(lines []string) bool {
	return slices.ContainsFunc(lines, func(l string) bool { return len(l) > longLine })
}

// sideOf returns the lines of one side of compared words. In long lines it shortens
// unchanged text.
func sideOf(words []Word, op byte) []string {
	var out []string
	for _, l := range linesOf(slices.DeleteFunc(slices.Clone(words), func(w Word) bool { return w.Op != op && w.Op != ' ' })) {
		var b strings.Builder
		for _, w := range shortened(l) {
			b.WriteString(w.Text)
		}
		out = append(out, b.String())
	}
	return out
}

// linesOf splits words at line ends.
func linesOf(words []Word) [][]Word {
	lines := [][]Word{nil}
	for _, w := range words {
		for i, part := range strings.Split(w.Text, "\n") {
			if i > 0 {
				lines = append(lines, nil)
			}
			if l := &lines[len(lines)-1]; part != "" {
				*l = append(*l, Word{w.Op, part})
			}
		}
	}
	return lines
}

// shortened is a line in which Gap replaces long unchanged text that is far from every
// change. A line without changes keeps its start.
func shortened(line []Word) []Word {
	size := 0
	for _, w := range line {
		size += len(w.Text)
	}
	if size <= longLine {
		return line
	}
	out := slices.Clone(line)
	for i, w := range line {
		text := []rune(w.Text)
		head, tail := keptText, keptText
		if i == 0 && len(line) > 1 {
			head = 0
		}
		if i == len(line)-1 {
			tail = 0
		}
		if w.Op == ' ' && len(text) > head+tail {
			out[i].Text = string(text[:head]) + Gap + string(text[len(text)-tail:])
		}
	}
	return out
}
