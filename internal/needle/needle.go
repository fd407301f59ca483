// Package needle finds a text in others, whatever line breaks and blanks are between
// its words. It proposes nothing for a text that isn't there: that is internal/nearest.
//
// [Exact] and [AnyCase] are what to look for, [Needle.In] finds it and gives the places in
// the text as it stands; [Needle.StandsIn] only says whether there is one, faster. A text that isn't found is proposed by internal/nearest.
package needle

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Needle is a text that is looked for.
type Needle struct {
	text    string // folded, without white space at its ends
	anyCase bool
	word    [2]int // where the longest word of text stands
}

// Exact is a text as it stands, but for its white space.
func Exact(text string) Needle { return of(text, false) }

// AnyCase is a text with letter case set aside.
func AnyCase(text string) Needle { return of(text, true) }

// Tries are what to look for in turn: the text as it stands, then with letter case set
// aside, for when the first is nowhere.
func Tries(text string) [2]Needle { return [2]Needle{Exact(text), AnyCase(text)} }

func of(text string, anyCase bool) Needle {
	folded := strings.TrimSuffix(fold(text, anyCase).text, " ")
	return Needle{folded, anyCase, longestWord(folded)}
}

// IgnoresCase reports whether letter case is set aside.
func (n Needle) IgnoresCase() bool { return n.anyCase }

// In gives the places of the needle in a text, the offsets of its first byte and behind
// its last, and how many there are above a limit.
func (n Needle) In(text string, limit int) (places [][2]int, more int) {
	return n.Touching(text, nil, limit)
}

// Touching is In for those places that touch one of some stretches of the text, which are
// in order and apart; nil stands for the whole of it.
func (n Needle) Touching(text string, stretches [][2]int, limit int) (places [][2]int, more int) {
	if n.text == "" || !n.StandsIn(text) {
		return nil, 0
	}
	all := stretches == nil
	f := fold(text, n.anyCase)
	for at := 0; all || len(stretches) > 0; {
		k := strings.Index(f.text[at:], n.text)
		if k < 0 {
			break
		}
		start, end := at+k, at+k+len(n.text)
		from, to := int(f.from[start]), int(f.from[end])
		for !all && len(stretches) > 0 && stretches[0][1] <= from {
			stretches = stretches[1:]
		}
		at = end
		switch {
		case !all && (len(stretches) == 0 || to <= stretches[0][0]):
		case len(places) < limit:
			places = append(places, [2]int{from, trimEnd(text, from, to)})
		default:
			more++
		}
	}
	return places, more
}

// folded is a text with every run of white space made one blank, and the way
// back to the text as it was. A sentence is found whatever line breaks the
// author put into it.
type folded struct {
	text string
	from []int32 // by byte of text: its offset in the original
}

func fold(s string, anyCase bool) folded {
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
		if anyCase {
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
