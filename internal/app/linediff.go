package app

import (
	"strings"

	"github.com/cento-dev/cento/project/lint"
)

// DiffLine is one line of a comparison: Op is '-', '+' or ' '.
type DiffLine struct {
	Op   byte
	Text string
}

// contextLines is how many unchanged lines stand around a change.
const contextLines = 2

// maxCompared bounds the work of a comparison, which grows with the product of
// the lines that differ; above it the texts are shown one after the other.
const maxCompared = 4 << 20

// LineDiff compares two texts line by line. Long stretches without change are
// left out behind a line `…`.
func LineDiff(from, to string) []DiffLine {
	a, b := strings.Split(from, "\n"), strings.Split(to, "\n")
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	var out []DiffLine
	for _, l := range a[:head] {
		out = append(out, DiffLine{' ', l})
	}
	out = append(out, middle(a[head:len(a)-tail], b[head:len(b)-tail])...)
	for _, l := range a[len(a)-tail:] {
		out = append(out, DiffLine{' ', l})
	}
	return shorten(out)
}

// changedLines is the one edit of whole lines by which a text becomes another.
func changedLines(from, to string) lint.Edit {
	head := 0
	for i := 0; i < len(from) && i < len(to) && from[i] == to[i]; i++ {
		if from[i] == '\n' {
			head = i + 1
		}
	}
	end, last := len(from), len(to)
	for i := 1; i <= len(from)-head && i <= len(to)-head && from[len(from)-i] == to[len(to)-i]; i++ {
		if from[len(from)-i] == '\n' {
			end, last = len(from)-i+1, len(to)-i+1
		}
	}
	return lint.Edit{Start: head, End: end, Text: to[head:last]}
}

// middle is the longest common subsequence between the common head and tail.
func middle(a, b []string) []DiffLine {
	var out []DiffLine
	if len(a)*len(b) > maxCompared {
		for _, l := range a {
			out = append(out, DiffLine{'-', l})
		}
		for _, l := range b {
			out = append(out, DiffLine{'+', l})
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
			out = append(out, DiffLine{' ', a[i]})
			i++
			j++
		case j == len(b) || i < len(a) && common[i+1][j] >= common[i][j+1]:
			out = append(out, DiffLine{'-', a[i]})
			i++
		default:
			out = append(out, DiffLine{'+', b[j]})
			j++
		}
	}
	return out
}

// shorten leaves out what is far from every change.
func shorten(lines []DiffLine) []DiffLine {
	near := make([]bool, len(lines))
	for i, l := range lines {
		if l.Op != ' ' {
			for k := max(0, i-contextLines); k <= min(len(lines)-1, i+contextLines); k++ {
				near[k] = true
			}
		}
	}
	var out []DiffLine
	for i, l := range lines {
		switch {
		case near[i]:
			out = append(out, l)
		case len(out) == 0 || out[len(out)-1].Text != "…":
			out = append(out, DiffLine{' ', "…"})
		}
	}
	return out
}
