package imitation

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/cento-dev/cento/internal/unitab"
)

// A near copy of a heading isn't equal to it, and a reader takes it for one all the same:
// it is emphasised, an item of a list, a cell of a table, in tags, or ends in a colon. It
// has the heading's letters, whatever marks, digits, white space and tags of ASCII stand
// between and around them.

// Near reports whether a line is a near copy of a heading of the set, or equals it. ascii
// tells that it has nothing else; buf is memory that is used again.
func (h Headings) Near(line string, ascii bool, buf *[]byte) bool {
	if ascii {
		return h.PlainNear(line)
	}
	// The normal form is only made where it can matter.
	for k := 0; k < len(line); {
		if idleNear(line[k]) {
			k++
			continue
		}
		_, n := utf8.DecodeRuneInString(line[k:])
		var room [64]byte
		first := unitab.AppendSkeleton(room[:0], line[k:k+n])
		for len(first) > 0 && idleNear(first[0]) {
			first = first[1:]
		}
		if len(first) > 0 && strings.IndexByte(line[:k], '<') < 0 && !h.nearBegins(first[0]) {
			return false
		}
		if len(first) > 0 {
			break
		}
		k += n
	}
	*buf = unitab.AppendSkeleton((*buf)[:0], line)
	return h.PlainNear(string(*buf))
}

// PlainNear is [Headings.Near] for a line of ASCII, or a skeleton. Nearly all differ in
// the first letter.
func (h Headings) PlainNear(line string) bool {
	for _, skeleton := range h {
		if equalsNear(line, skeleton) {
			return true
		}
	}
	return false
}

// idleNear reports whether a byte of a skeleton doesn't count in a near copy.
func idleNear(c byte) bool {
	return c < utf8.RuneSelf && (c < 'A' || c > 'z' || c > 'Z' && c < 'a')
}

func equalsNear(line string, skeleton []byte) bool {
	want, tags, letters := 0, true, false
	before := len(skeleton)
	if open, ok := bracketed(skeleton); ok {
		before = len(open)
	}
	for k := 0; k < len(line); k++ {
		c := line[k]
		if before < len(skeleton) && want > 0 && c == '(' && lettersEnd(skeleton[want:before]) {
			end := strings.LastIndexByte(line, ')')
			return end > k && !strings.ContainsFunc(line[end:], func(r rune) bool { return r >= utf8.RuneSelf || !idleNear(byte(r)) })
		}
		if c == '<' && tags {
			end := strings.IndexByte(line[k:], '>')
			if tags = end >= 0; tags {
				k += end
			}
			continue
		}
		if idleNear(c) {
			continue
		}
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		for want < before && idleNear(skeleton[want]) {
			want++
		}
		if want == before || skeleton[want] != c {
			return false
		}
		want++
		letters = true
	}
	return letters && before == len(skeleton) && lettersEnd(skeleton[want:])
}

// lettersEnd reports whether a skeleton has no letters.
func lettersEnd(skeleton []byte) bool {
	return !slices.ContainsFunc(skeleton, func(c byte) bool { return !idleNear(c) })
}

// nearBegins reports whether the letters of a heading begin with this byte.
func (h Headings) nearBegins(b byte) bool {
	for _, skeleton := range h {
		k := 0
		for k < len(skeleton) && idleNear(skeleton[k]) {
			k++
		}
		if k < len(skeleton) && skeleton[k] == b {
			return true
		}
	}
	return false
}
