package cento

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cento-dev/cento/internal/unitab"
)

// The headings of the protected sections in the built-in wording. They are
// protected also where no such section is present: a stranger may not bring one.
const (
	boundariesHeading   = "Working boundaries"
	instructionsHeading = "Project instructions (AGENTS.md)"
)

// frames are the names that a stranger may not put behind `<` or `</`: they
// frame reminders.
var frames = [...]string{"context-directives", "system-reminder", "directive"}

// headings is the set of protected headings, as skeletons.
type headings [][]byte

func (h headings) has(skeleton []byte) bool {
	return slices.ContainsFunc(h, func(x []byte) bool { return bytes.Equal(x, skeleton) })
}

// mayBegin reports whether a heading begins with this byte of a skeleton.
func (h headings) mayBegin(b byte) bool {
	return slices.ContainsFunc(h, func(x []byte) bool { return x[0] == b })
}

var builtinHeadings = headings{
	lineSkeleton(nil, boundariesHeading),
	lineSkeleton(nil, instructionsHeading),
}

// protectedHeadings are those of the built-in wording and of the protected
// sections as they are worded in this assembly.
func protectedHeadings(fragments []Fragment, tail [2]int) headings {
	h := builtinHeadings
	for _, i := range tail {
		if i < 0 {
			continue
		}
		f := &fragments[i]
		start, end := ownHeading(f, f.Body)
		s := lineSkeleton(nil, f.Body[start:end])
		if len(s) > 0 && !h.has(s) {
			h = append(slices.Clip(h), s)
		}
	}
	return h
}

// ownHeading is the place of the heading of a protected section in its body:
// the first line that begins with `#` and is wording, not data. It is empty
// when there is none.
func ownHeading(f *Fragment, body string) (start, end int) {
	if !isTail(f.ID) {
		return 0, 0
	}
	for line := range lines(body) {
		if strings.HasPrefix(body[line.start:], "#") {
			for _, r := range f.Runs {
				if r.Var != "" && r.Start < line.end && line.start < r.End {
					return 0, 0
				}
			}
			return line.start, line.end
		}
	}
	return 0, 0
}

// hasASCII reports whether an ASCII line equals a protected heading. Most lines
// differ from all of them in the first letter.
func (h headings) hasASCII(line string) bool {
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

// framed reports whether a line of lower-cased or ASCII text holds the name of
// a frame behind `<` or `</`, with or without white space between.
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

// decoration is what may stand around a heading without making it another.
func decoration(r rune) bool { return r == '#' || r == '>' || r == '-' || unicode.IsSpace(r) }

func trimDecoration(b []byte) []byte { return bytes.TrimFunc(b, decoration) }

// lineSkeleton appends the form in which lines and headings are compared:
// compatibility forms, case, hidden characters, the marks around it and the
// amount of white space in it don't count.
func lineSkeleton(dst []byte, line string) []byte {
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

// line is a line of a text without its end, and where the next one begins.
type line struct{ start, end, next int }

// lines yields the lines of a text. Everything that a reader may take for a
// line end counts as one.
func lines(s string) func(func(line) bool) {
	return func(yield func(line) bool) {
		start := 0
		for k := 0; k < len(s); {
			n := lineEnd(s, k)
			if n == 0 {
				k++
				continue
			}
			if !yield(line{start, k, k + n}) {
				return
			}
			k += n
			start = k
		}
		yield(line{start, len(s), len(s)})
	}
}

// lineEnd is the length of the line end at k, or 0.
func lineEnd(s string, k int) int {
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
