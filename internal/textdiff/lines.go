// Package textdiff compares two texts for people: by lines, or by words where a
// sentence was changed. What is far from every change is left out. It knows nothing of
// prompts.
//
// It shows; it doesn't decide. What differs between two prompts, and why, is
// [github.com/cento-dev/cento.Difference].
package textdiff

import "strings"

// Line is one line of a comparison: Op is '-', '+' or ' '.
type Line struct {
	Op   byte
	Text string
}

// contextLines is how many unchanged lines stand around a change.
const contextLines = 2

// maxCompared bounds the work of a comparison, which grows with the product of
// the lines that differ; above it the texts are shown one after the other.
const maxCompared = 4 << 20

// Lines compares two texts line by line. Long stretches without change are
// left out behind a line `…`.
func Lines(from, to string) []Line {
	a, b := strings.Split(from, "\n"), strings.Split(to, "\n")
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	var out []Line
	for _, l := range a[:head] {
		out = append(out, Line{' ', l})
	}
	out = append(out, middle(a[head:len(a)-tail], b[head:len(b)-tail])...)
	for _, l := range a[len(a)-tail:] {
		out = append(out, Line{' ', l})
	}
	return shorten(out)
}

// middle is the longest common subsequence between the common head and tail.
func middle(a, b []string) []Line {
	var out []Line
	if len(a)*len(b) > maxCompared {
		for _, l := range a {
			out = append(out, Line{'-', l})
		}
		for _, l := range b {
			out = append(out, Line{'+', l})
		}
		return out
	}
	common := make([][]int32, len(a)+1)
	for i := range common {
		common[i] = make([]int32, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				common[i][j] = common[i+1][j+1] + 1
			} else {
				common[i][j] = max(common[i+1][j], common[i][j+1])
			}
		}
	}
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			out = append(out, Line{' ', a[i]})
			i++
			j++
		case j == len(b) || i < len(a) && common[i+1][j] >= common[i][j+1]:
			out = append(out, Line{'-', a[i]})
			i++
		default:
			out = append(out, Line{'+', b[j]})
			j++
		}
	}
	return out
}

// shorten leaves out what is far from every change.
func shorten(lines []Line) []Line {
	near := nearChange(len(lines), func(i int) bool { return lines[i].Op != ' ' })
	var out []Line
	for i, l := range lines {
		switch {
		case near[i]:
			out = append(out, l)
		case len(out) == 0 || out[len(out)-1].Text != "…":
			out = append(out, Line{' ', "…"})
		}
	}
	return out
}

// nearChange tells which of n lines are changed, or stand around one that is.
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
