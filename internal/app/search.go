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
	for at := 0; needle != ""; {
		k := strings.Index(f.text[at:], needle)
		if k < 0 {
			break
		}
		start, end := at+k, at+k+len(needle)
		if len(out) == limit {
			return out, strings.Count(f.text[start:], needle)
		}
		out = append(out, [2]int{int(f.from[start]), int(f.from[end])})
		at = end
	}
	return out, 0
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

// likeness is the share of a question's words that a line has, by their length:
// a long word tells more than a short one. What else the line has breaks ties. It
// is 0 below one half.
func likeness(question map[string]int, line string) float64 {
	all, common, shared := 0, 0, 0
	has := words(line)
	for w, n := range question {
		all += n
		if has[w] > 0 {
			common += n
			shared++
		}
	}
	if 2*common < all || common == 0 {
		return 0
	}
	return float64(common)/float64(all) + float64(shared)/float64(100*len(has))
}

// words are the words of a text with their lengths. Case is set aside, and an s
// at the end.
func words(s string) map[string]int {
	out := map[string]int{}
	for w := range strings.FieldsFuncSeq(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if len(w) > 3 {
			w = strings.TrimSuffix(w, "s")
		}
		out[w] = utf8.RuneCountInString(w)
	}
	return out
}

// NearestName offers the known name that was probably meant; empty when none is
// near.
func NearestName(name string, known []string) string {
	near, _ := nearest.Name(name, known)
	return near
}
