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

// protectedHeadings are those of the built-in wording and of the protected tail
// as it is worded in this assembly; inUse are the latter, of the sections that
// have a text.
func protectedHeadings(fragments []Fragment) (all, inUse headings) {
	all = builtinHeadings
	for i := range fragments {
		f := &fragments[i]
		start, end := ownHeading(f, f.Body)
		s := lineSkeleton(nil, f.Body[start:end])
		if len(s) == 0 {
			continue
		}
		if !all.has(s) {
			all = append(slices.Clip(all), s)
		}
		if f.Excluded == nil {
			inUse = append(inUse, s)
		}
	}
	return all, inUse
}

// ownHeading is the place of the heading of a protected section in its body:
// the first line that begins with `#` and is wording, not data. It is empty
// when there is none.
func ownHeading(f *Fragment, body string) (start, end int) {
	if !f.Tail {
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

// ownHeadings are the headings that a text has of its own, as far as the headings
// of sections depend on it.
type ownHeadings uint8

const (
	hasHeading   ownHeadings = 1 << iota // a line of it may be read as a heading
	opensHeading                         // its first line is one of the first or second level
)

// headingsOf looks for what a reader may take for a heading, marked by `#` or
// underlined: within a block of code too, since not all readers know where that
// ends. One too many only means that the heading of a section is said again.
func headingsOf(text string) (h ownHeadings) {
	blank := true // the line before
	for l := range lines(text) {
		line := text[l.start:l.end]
		switch level := headingLevel(line); {
		case level > 0 && level <= 2 && l.start == 0:
			return hasHeading | opensHeading
		case level > 0, !blank && underlines(line):
			return hasHeading
		}
		blank = isBlank(line)
	}
	return 0
}

// headingLevel is the number of marks of a line that is a heading; 0 when it is
// none.
func headingLevel(line string) int {
	indent := len(line) - len(strings.TrimLeft(line, " "))
	line = line[indent:]
	level := len(line) - len(strings.TrimLeft(line, "#"))
	if indent > 3 || level > 6 || len(line) > level && line[level] != ' ' && line[level] != '\t' {
		return 0
	}
	return level
}

// underlines reports whether a line makes the one before it a heading.
func underlines(line string) bool {
	line = strings.TrimSpace(line)
	return line != "" && (strings.Trim(line, "=") == "" || strings.Trim(line, "-") == "")
}

// A near copy of a protected heading isn't equal to it, and a reader takes it
// for one all the same: it is emphasised, an item of a list, a cell of a table,
// in tags, or ends in a colon. It has the heading's letters, whatever marks,
// digits, white space and tags of ASCII stand between and around them. In
// trusted text a near copy is nobody's mistake.
//
// What stays different are letters of another script that look alike, which
// Unicode's normal forms don't tell, and a heading that runs over two lines.

// idleNear reports whether a byte of a skeleton doesn't count in a near copy.
func idleNear(c byte) bool {
	return c < utf8.RuneSelf && (c < 'A' || c > 'z' || c > 'Z' && c < 'a')
}

// hasNear reports whether a line, of ASCII or a skeleton, is a near copy of a
// heading. Nearly all differ in the first letter.
func (h headings) hasNear(line string) bool {
	for _, skeleton := range h {
		if equalsNear(line, skeleton) {
			return true
		}
	}
	return false
}

func equalsNear(line string, skeleton []byte) bool {
	want, tags, letters := 0, true, false
	for k := 0; k < len(line); k++ {
		c := line[k]
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
		for want < len(skeleton) && idleNear(skeleton[want]) {
			want++
		}
		if want == len(skeleton) || skeleton[want] != c {
			return false
		}
		want++
		letters = true
	}
	for want < len(skeleton) && idleNear(skeleton[want]) {
		want++
	}
	return letters && want == len(skeleton)
}

// near reports whether a line is a near copy of a protected heading.
func (s *scan) near(text string, ascii bool) bool {
	if ascii {
		return s.g.protected.hasNear(text)
	}
	// The normal form is only made where it can matter.
	for k := 0; k < len(text); {
		if idleNear(text[k]) {
			k++
			continue
		}
		_, n := utf8.DecodeRuneInString(text[k:])
		var buf [64]byte
		first := unitab.AppendSkeleton(buf[:0], text[k:k+n])
		for len(first) > 0 && idleNear(first[0]) {
			first = first[1:]
		}
		if len(first) > 0 && strings.IndexByte(text[:k], '<') < 0 && !s.g.protected.nearBegins(first[0]) {
			return false
		}
		if len(first) > 0 {
			break
		}
		k += n
	}
	s.buf = unitab.AppendSkeleton(s.buf[:0], text)
	return s.g.protected.hasNear(string(s.buf))
}

// nearBegins reports whether the letters of a heading begin with this byte.
func (h headings) nearBegins(b byte) bool {
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

// above is what stands over a text of the prompt.
type above struct {
	section int32 // that of the run; 0: none
	printed bool  // the run has its heading
	any     bool  // there is a heading before
	// own: a text of the run has a heading of its own, behind that; source is who
	// contributed it.
	own    bool
	source string
	// fallback is the section of the last heading before, where that is a fallback's
	// and no other heading stands behind it but those that own tells of; 0: none.
	fallback int32
}

// headed goes on to an included text, with a body in use, and reports whether
// the heading of its section is printed before it, by the forms of the plan.
func (a *Assembly) headed(u *above, pos int, level int32) bool {
	s := a.plan.sectionAt(pos)
	begins := s != u.section
	if a.plan.forms == nil {
		u.section = s
		return begins && s != 0
	}
	own, print, form := a.ownAt(pos, level), false, a.plan.forms[pos]
	f := &a.plan.frags[a.plan.index(pos)]
	// What comes after the primary block is another run, and needs no second heading
	// where the same one is above it.
	switch continues := u.fallback != 0 && form >= FallbackHeading && a.plan.headings[u.fallback] == a.plan.headings[s]; {
	case begins && continues:
		u.section, u.printed, begins = s, true, false
	case begins:
		next := above{section: s, any: u.any}
		if !u.own {
			next.fallback = u.fallback
		}
		*u = next
	}
	if s != 0 {
		switch form {
		case RunHeading:
			print = !u.printed
		case RepeatedHeading:
			print = !u.printed || u.own && own&opensHeading == 0
		default:
			other := u.own && (form == SeparateHeading || author(u.source) != author(f.source()))
			print = (begins && u.any || other) && own&opensHeading == 0
		}
		u.printed = u.printed || print
	}
	if print {
		u.any, u.own, u.fallback = true, false, 0
		if form >= FallbackHeading {
			u.fallback = s
		}
	}
	if own != 0 {
		u.any, u.own, u.source = true, true, f.source()
		if s == 0 || form < FallbackHeading {
			u.fallback = 0
		}
	}
	return print
}

// author is whose texts are one party's: all that a host says is.
func author(source string) string {
	if strings.HasPrefix(source, hostIDPrefix) {
		return hostIDPrefix
	}
	return source
}

// ownAt is which headings the text at a position has of its own.
func (a *Assembly) ownAt(pos int, level int32) ownHeadings {
	switch {
	case level == yielded:
		return a.gave(a.plan.index(pos)).own
	case level > 0:
		return a.plan.variantsAt(pos)[level-1].own
	}
	if a.expanded != nil {
		if x, ok := a.expanded[int32(a.plan.index(pos))]; ok {
			return x.own
		}
	}
	return a.plan.own[pos]
}
