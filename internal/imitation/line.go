package imitation

import (
	"iter"
	"strings"
	"unicode/utf8"
)

// Line is a line of a text without its end, and where the next one begins.
type Line struct{ Start, End, Next int }

// Lines yields the lines of a text, of an empty one too. Everything that a reader may take
// for a line end counts as one, so that CR LF ends a line and an empty one behind it.
func Lines(s string) iter.Seq[Line] {
	return func(yield func(Line) bool) {
		start := 0
		for k := 0; k < len(s); {
			n := LineEnd(s, k)
			if n == 0 {
				k++
				continue
			}
			if !yield(Line{start, k, k + n}) {
				return
			}
			k += n
			start = k
		}
		yield(Line{start, len(s), len(s)})
	}
}

// First is the first line of a text.
func First(s string) string {
	for line := range Lines(s) {
		return s[line.Start:line.End]
	}
	return s
}

// Last is what stands behind the last line end, or a part of it that is long enough to be
// shown: at most 512 bytes are looked at.
func Last(s string) string {
	const most = 512
	if k := len(s) - most; k > 0 {
		for k < len(s) && !utf8.RuneStart(s[k]) {
			k++
		}
		s = s[k:]
	}
	if k := strings.LastIndexFunc(s, EndsLine); k >= 0 {
		_, n := utf8.DecodeRuneInString(s[k:])
		s = s[k+n:]
	}
	return s
}

// LineEnd is the length of the line end at a byte of s, or 0.
func LineEnd(s string, k int) int {
	switch s[k] {
	case '\n', '\r', '\v', '\f', 0x1c, 0x1d, 0x1e: // the last three end lines in Python
		return 1
	case 0xc2: // U+0085
		if k+1 < len(s) && s[k+1] == 0x85 {
			return 2
		}
	case 0xe2: // U+2028, U+2029
		if k+2 < len(s) && s[k+1] == 0x80 && (s[k+2] == 0xa8 || s[k+2] == 0xa9) {
			return 3
		}
	}
	return 0
}

// wholeLineEnd is [LineEnd] with CR LF as one.
func wholeLineEnd(s string, k int) int {
	if strings.HasPrefix(s[k:], "\r\n") {
		return 2
	}
	return LineEnd(s, k)
}

// EndsLine reports whether a character is a line end; see [LineEnd].
func EndsLine(r rune) bool {
	return r >= '\n' && r <= '\r' || r >= 0x1c && r <= 0x1e || r == 0x85 || r == 0x2028 || r == 0x2029
}
