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
	from []int32 // by byte of text: its offset in the original
}

func fold(s string, ignoreCase bool) folded {
	var b strings.Builder
	b.Grow(len(s))
	from := make([]int32, 0, len(s)+1) // limits keep texts far below 2 GiB
	space := true                      // leading white space goes
	for k, r := range s {
		if unicode.IsSpace(r) {
			if !space {
				b.WriteByte(' ')
				from = append(from, int32(k))
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
			from = append(from, int32(k))
		}
	}
	return folded{text: b.String(), from: append(from, int32(len(s)))}
}

// find gives the places of a folded needle in the original text, the offsets
// of its first byte and behind its last, and how many there are above a limit.
func (f folded) find(needle string, limit int) (out [][2]int, more int) {
	return f.findIn(needle, limit, nil)
}

// findIn is find for those places that touch one of some stretches, which are in order
// and apart; nil stands for the whole text.
func (f folded) findIn(needle string, limit int, stretches [][2]int) (out [][2]int, more int) {
	all := stretches == nil
	for at := 0; needle != "" && (all || len(stretches) > 0); {
		k := strings.Index(f.text[at:], needle)
		if k < 0 {
			break
		}
		start, end := at+k, at+k+len(needle)
		from, to := int(f.from[start]), int(f.from[end])
		for !all && len(stretches) > 0 && stretches[0][1] <= from {
			stretches = stretches[1:]
		}
		at = end
		switch {
		case !all && (len(stretches) == 0 || to <= stretches[0][0]):
		case len(out) < limit:
			out = append(out, [2]int{from, to})
		default:
			more++
		}
	}
	return out, more
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

// NearestName offers the known name that was probably meant; empty when none is
// near.
func NearestName(name string, known []string) string {
	near, _ := nearest.Name(name, known)
	return near
}
