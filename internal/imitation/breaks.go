package imitation

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// The author of a template decides which lines his text has. Where his words stand before
// a stranger's value in a line, no byte of the value begins another line: a name would go
// on as a heading with advice of its own. A value that has a line to itself may have many,
// and the line end that a value ends with is harmless: the author's words follow it.

// Stretch is a part of a text that is of one origin. The stretches of a text tile it.
type Stretch struct {
	Start, End int
	// Stranger: it is of a value that a stranger brought; Literal: the author wrote it out.
	// What is neither is of a value that somebody else brought.
	Stranger, Literal bool
	// Blank: nothing of it may be left to see, once hidden characters are taken out.
	Blank bool
}

// Breaks finds the line ends within values that stand behind words of their line. It moves
// forward, stretch by stretch.
type Breaks struct {
	// Start and End are the bytes of the line end at hand; Start is -1 for none.
	Start, End int

	in        string
	stretches []Stretch // those that are left
	at        int       // where to look on in the first of them

	words  bool // something stands in the author's line
	value  bool // a stranger's value is being read
	within bool // it stands behind words
}

// NoBreaks is a finder that finds none.
func NoBreaks() Breaks { return Breaks{Start: -1} }

// BreaksIn finds the first in a text.
func BreaksIn(in string, stretches []Stretch) Breaks {
	b := Breaks{in: in, stretches: stretches}
	b.Next()
	return b
}

// Next finds the next line end behind which the value goes on.
func (b *Breaks) Next() {
	b.Start = -1
	last := [2]int{-1, -1} // the line end that a stretch of the value ends with
	for ; len(b.stretches) > 0; b.stretches, b.at = b.stretches[1:], 0 {
		s := &b.stretches[0]
		switch {
		case s.Start == s.End:
		case !s.Stranger:
			b.others(s)
			last[0] = -1
		default:
			if !b.value {
				b.within = b.words
			}
			if b.value || !s.Blank { // of the others nothing may be left
				b.value, b.words = true, true
			}
			if !b.within {
				continue
			}
			if last[0] >= 0 {
				b.found(last[0], last[1])
				return
			}
			for k := max(s.Start, b.at); k < s.End; {
				n := wholeLineEnd(b.in[:s.End], k)
				if n == 0 {
					k++
					continue
				}
				if b.at = k + n; b.at < s.End {
					b.found(k, b.at)
					return
				}
				last = [2]int{k, b.at}
				break
			}
		}
	}
}

// found is a line end that will be shown, so that the value shows something.
func (b *Breaks) found(start, end int) {
	b.Start, b.End = start, end
	b.value, b.words = true, true
}

// others reads what isn't a stranger's. A value ends where the author wrote something
// out, or where a line ends: a file that is included may hold a trusted value, and goes on
// behind it.
func (b *Breaks) others(s *Stretch) {
	if s.Literal {
		b.value = false
	}
	line := b.in[s.Start:s.End]
	if k := strings.LastIndexFunc(line, EndsLine); k >= 0 {
		_, n := utf8.DecodeRuneInString(line[k:])
		line, b.words, b.value = line[k+n:], false, false
	}
	b.words = b.words || strings.ContainsFunc(line, func(r rune) bool { return !unicode.IsSpace(r) })
}
