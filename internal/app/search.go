package app

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cento-dev/cento/internal/nearest"
)

// folded is a text with every run of white space made one blank, and the way
// back to the text as it was. A sentence is found whatever line breaks the
// author put into it.
type folded struct {
	text string
	from []int // by byte of text: its offset in the original
}

func fold(s string, ignoreCase bool) folded {
	var b strings.Builder
	b.Grow(len(s))
	from := make([]int, 0, len(s)+1)
	space := true // leading white space goes
	for k, r := range s {
		if unicode.IsSpace(r) {
			if !space {
				b.WriteByte(' ')
				from = append(from, k)
			}
			space = true
			continue
		}
		space = false
		if ignoreCase {
			r = unicode.ToLower(unicode.ToUpper(r))
		}
		size := b.Len()
		b.WriteRune(r)
		for range b.Len() - size {
			from = append(from, k)
		}
	}
	return folded{text: b.String(), from: append(from, len(s))}
}

// find gives the places of a folded needle in the original text: the offsets
// of its first byte and behind its last.
func (f folded) find(needle string) [][2]int {
	var out [][2]int
	for at := 0; needle != ""; {
		k := strings.Index(f.text[at:], needle)
		if k < 0 {
			break
		}
		start, end := at+k, at+k+len(needle)
		out = append(out, [2]int{f.from[start], f.from[end]})
		at = end
	}
	return out
}

// trimEnd takes white space off the end of a stretch: folding puts the blank of
// a run at its beginning, so the way back may lead behind it.
func trimEnd(s string, start, end int) int {
	for end > start {
		r, n := utf8.DecodeLastRuneInString(s[start:end])
		if !unicode.IsSpace(r) {
			break
		}
		end -= n
	}
	return end
}

// likeness is how many of the words of a line a question has, as a share of
// both: 1 for the same words, 0 for none in common.
func likeness(question map[string]bool, line string) float64 {
	words := words(line)
	if len(words) == 0 || len(question) == 0 {
		return 0
	}
	common := 0
	for w := range words {
		if question[w] {
			common++
		}
	}
	return 2 * float64(common) / float64(len(words)+len(question))
}

func words(s string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsFuncSeq(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		out[w] = true
	}
	return out
}

// NearestName offers the known name that was probably meant; empty when none is
// near.
func NearestName(name string, known []string) string {
	near, _ := nearest.Name(name, known)
	return near
}
