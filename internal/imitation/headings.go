package imitation

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cento-dev/cento/internal/unitab"
)

// Headings is a set of headings that are kept, as skeletons, none of them empty.
type Headings [][]byte

// Has reports whether the set has a skeleton.
func (h Headings) Has(skeleton []byte) bool {
	return slices.ContainsFunc(h, func(x []byte) bool {
		if open, ok := bracketed(x); ok {
			return len(skeleton) > len(open)+1 && bytes.HasPrefix(skeleton, open) && skeleton[len(skeleton)-1] == ')'
		}
		return bytes.Equal(x, skeleton)
	})
}

// anything stands in a skeleton for words in round brackets that may be any.
const anything = 0

// WithBrackets is the skeleton of a heading that ends in round brackets, whatever is
// between them.
func WithBrackets(heading string) []byte {
	return append(Skeleton(nil, heading), ' ', '(', anything, ')')
}

// bracketed is what such a skeleton begins with, with the bracket.
func bracketed(skeleton []byte) (open []byte, ok bool) {
	open, ok = bytes.CutSuffix(skeleton, []byte{anything, ')'})
	return open, ok
}

// mayBegin reports whether a heading begins with this byte of a skeleton.
func (h Headings) mayBegin(b byte) bool {
	return slices.ContainsFunc(h, func(x []byte) bool { return x[0] == b })
}

// Begins tells which ASCII characters, in either case, a line must begin with to be worth
// a closer look: those of the headings, and what may stand before one.
func (h Headings) Begins() *[utf8.RuneSelf]bool {
	begins := new([utf8.RuneSelf]bool)
	for c := range begins {
		begins[c] = idleNear(byte(c)) || h.mayBegin(byte(unicode.ToLower(rune(c))))
	}
	return begins
}

// Equal reports whether a line equals a heading of the set, by its skeleton. ascii tells
// that it has nothing else; buf is memory that is used again.
func (h Headings) Equal(line string, ascii bool, buf *[]byte) bool {
	if ascii {
		return h.PlainEqual(line)
	}
	if !h.mayStart(line) {
		return false
	}
	*buf = Skeleton((*buf)[:0], line)
	return h.Has(*buf)
}

// mayStart looks at the first character that counts, so that the normal form of a line is
// only made where it can matter.
func (h Headings) mayStart(line string) bool {
	for k := 0; k < len(line); {
		r, n := utf8.DecodeRuneInString(line[k:])
		if decoration(r) || control(r) {
			k += n
			continue
		}
		if r < utf8.RuneSelf {
			return h.mayBegin(byte(unicode.ToLower(r)))
		}
		var buf [64]byte
		first := trimDecoration(unitab.AppendSkeleton(buf[:0], line[k:k+n]))
		if len(first) > 0 {
			return h.mayBegin(first[0])
		}
		k += n
	}
	return false
}

// PlainEqual is [Headings.Equal] for a line of ASCII. Most lines differ from all headings
// in the first letter.
func (h Headings) PlainEqual(line string) bool {
	k := 0
	for k < len(line) && idleASCII(line[k]) {
		k++
	}
	line = line[k:]
	for _, skeleton := range h {
		if equalsASCII(line, skeleton) {
			return true
		}
	}
	return false
}

// idleASCII is what may stand around a heading in ASCII without making it
// another one.
func idleASCII(b byte) bool { return b < utf8.RuneSelf && (decoration(rune(b)) || control(rune(b))) }

// control is a character of ASCII that shows nothing. [unitab.AppendSkeleton]
// leaves them out too.
func control(r rune) bool { return r < ' ' && (r < '\t' || r > '\r') || r == 0x7f }

// equalsASCII reports whether an ASCII line that doesn't begin with decoration
// has this skeleton.
func equalsASCII(line string, skeleton []byte) bool {
	k := 0
	for _, want := range skeleton {
		for k < len(line) && control(rune(line[k])) {
			k++
		}
		if k == len(line) {
			return false
		}
		got := line[k]
		k++
		switch {
		case want == anything:
			end := len(line)
			for end > k && idleASCII(line[end-1]) {
				end--
			}
			return end > k && line[end-1] == ')' // got is in the brackets
		case want == ' ':
			if !unicode.IsSpace(rune(got)) {
				return false
			}
			for k < len(line) && (unicode.IsSpace(rune(line[k])) || control(rune(line[k]))) {
				k++
			}
			continue
		case 'A' <= got && got <= 'Z':
			got += 'a' - 'A'
		}
		if got != want {
			return false
		}
	}
	for k < len(line) && idleASCII(line[k]) {
		k++
	}
	return k == len(line)
}

// decoration is what may stand around a heading without making it another.
func decoration(r rune) bool { return r == '#' || r == '>' || r == '-' || unicode.IsSpace(r) }

func trimDecoration(b []byte) []byte { return bytes.TrimFunc(b, decoration) }

// Skeleton appends the form in which lines and headings are compared: compatibility
// forms, case, hidden characters, the marks around it and the amount of white space in it
// don't count.
func Skeleton(dst []byte, line string) []byte {
	b := trimDecoration(unitab.AppendSkeleton(dst, line))
	out := b[:0]
	space := false
	for k := 0; k < len(b); {
		r, n := utf8.DecodeRune(b[k:])
		if unicode.IsSpace(r) {
			space = true
		} else {
			if space {
				out = append(out, ' ')
				space = false
			}
			out = append(out, b[k:k+n]...)
		}
		k += n
	}
	return out
}

// frames are the names that a stranger may not put behind `<` or `</`: they
// frame reminders.
var frames = [...]string{"context-directives", "system-reminder", "directive"}

// Framed reports whether a line holds the name of a frame of reminders behind `<` or `</`,
// with or without white space between. ascii tells that it has nothing else; buf is memory
// that is used again.
func Framed(line string, ascii bool, buf *[]byte) bool {
	if !strings.ContainsAny(line, "<＜﹤") {
		return false
	}
	if ascii && !strings.ContainsFunc(line, control) {
		return framed(line)
	}
	*buf = unitab.AppendSkeleton((*buf)[:0], line)
	return framed(string(*buf))
}

func framed(s string) bool {
	for {
		k := strings.IndexByte(s, '<')
		if k < 0 {
			return false
		}
		s = s[k+1:]
		rest := strings.TrimLeftFunc(strings.TrimPrefix(strings.TrimLeftFunc(s, unicode.IsSpace), "/"), unicode.IsSpace)
		for _, name := range frames {
			if len(rest) >= len(name) && strings.EqualFold(rest[:len(name)], name) {
				return true
			}
		}
	}
}
