package textdiff

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Word is a stretch of a comparison: Op is '-', '+' or ' '.
type Word struct {
	Op   byte
	Text string
}

// WordLine is a line of a comparison by words; Gap stands for lines without change that
// are left out.
type WordLine struct {
	Words []Word
	Gap   bool
}

// wordsOf parts a text into words, runs of white space, and single characters.
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

// Words compares two texts word by word. Where too many of them differ to be compared
// one by one, all that is between the common ends counts as another text.
func Words(from, to string) []Word {
	a, b := wordsOf(from), wordsOf(to)
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	out := []Word{{' ', strings.Join(a[:head], "")}}
	var gone, came strings.Builder
	flush := func() {
		out = append(out, Word{'-', gone.String()}, Word{'+', came.String()})
		gone.Reset()
		came.Reset()
	}
	for _, l := range middle(a[head:len(a)-tail], b[head:len(b)-tail]) {
		switch l.Op {
		case '-':
			gone.WriteString(l.Text)
		case '+':
			came.WriteString(l.Text)
		default:
			flush()
			out = append(out, Word{' ', l.Text})
		}
	}
	flush()
	out = append(out, Word{' ', strings.Join(a[len(a)-tail:], "")})
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

// WordLines are the lines of a comparison by words that hold a change, and those around
// them.
func WordLines(from, to string) []WordLine {
	lines := []WordLine{{}}
	for _, w := range Words(from, to) {
		for i, part := range strings.Split(w.Text, "\n") {
			if i > 0 {
				lines = append(lines, WordLine{})
			}
			if w.Op != ' ' && i == 0 && strings.Trim(w.Text, "\n") == "" {
				part = "↵" // line ends alone
			}
			if l := &lines[len(lines)-1]; part != "" {
				l.Words = append(l.Words, Word{w.Op, part})
			}
		}
	}
	near := nearChange(len(lines), func(i int) bool {
		return slices.ContainsFunc(lines[i].Words, func(w Word) bool { return w.Op != ' ' })
	})
	var out []WordLine
	for i, l := range lines {
		switch {
		case near[i]:
			out = append(out, l)
		case len(out) == 0 || !out[len(out)-1].Gap:
			out = append(out, WordLine{Gap: true})
		}
	}
	return out
}
