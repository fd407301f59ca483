package cento

import (
	"encoding/binary"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cento-dev/cento/internal/unitab"
)

// What this file promises: a stranger's text can't pass for a section of the
// program's own, and can't hide what it says. Both are decided on the finished
// text of each fragment, after variables were put in, since a line can be built
// from a literal and a value. Parts are joined by blank lines and headings that
// are checked alike, so no line of a prompt spans two fragments, and what holds
// for each holds for the prompt.

// maxNotes bounds how many findings of one text are listed one by one.
const maxNotes = 100

// plainLine reports whether a text is one line of visible ASCII: then there is
// nothing to find in it but an imitated heading or frame. Eight bytes at a time
// are enough to keep this from costing more than the copy of the text.
func plainLine(s string) bool {
	b := []byte(s) // doesn't escape: no copy is made
	for len(b) >= 32 {
		if odd(word(b, 0))|odd(word(b, 8))|odd(word(b, 16))|odd(word(b, 24)) != 0 {
			return false
		}
		b = b[32:]
	}
	if len(s) < 8 {
		for _, c := range b {
			if c < 0x20 || c > 0x7e {
				return false
			}
		}
		return true
	}
	found := uint64(0)
	for len(b) >= 8 {
		found |= odd(word(b, 0))
		b = b[8:]
	}
	if len(b) > 0 { // the last word overlaps what was looked at
		found |= odd(word([]byte(s), len(s)-8))
	}
	return found == 0
}

func word(b []byte, at int) uint64 { return binary.LittleEndian.Uint64(b[at:]) }

// odd is 0 when all bytes of a word are visible ASCII. One below 0x20 borrows
// into its top bit, 0x7f carries into it, and one above has it set.
func odd(w uint64) uint64 {
	const high, low, ones = 0x8080808080808080, 0x2020202020202020, 0x0101010101010101
	return (w | (w - low) | (w + ones)) & high
}

// guard is what a text is checked against, and what was found wrong.
type guard struct {
	protected headings
	policy    Policy
	// begins tells which ASCII characters, in either case, a line must begin
	// with to be worth a closer look: those of the headings, and what may stand
	// before one.
	begins *[utf8.RuneSelf]bool
	errs   []*SourceError
}

// builtinGuard is that of an assembly whose protected sections have the
// built-in wording, which is nearly all of them.
var builtinGuard = makeGuard(builtinHeadings)

func newGuard(protected headings, policy Policy) guard {
	g := builtinGuard
	if len(protected) != len(builtinHeadings) {
		g = makeGuard(protected)
	}
	g.policy = policy
	return g
}

func makeGuard(protected headings) guard {
	g := guard{protected: protected, begins: new([utf8.RuneSelf]bool)}
	for c := range g.begins {
		g.begins[c] = idleNear(byte(c)) || protected.mayBegin(byte(unicode.ToLower(rune(c))))
	}
	return g
}

func (g *guard) fail(code ErrorCode, at Position, format string, args ...any) *SourceError {
	e := &SourceError{Code: code, Position: at, Message: fmt.Sprintf(format, args...)}
	g.errs = append(g.errs, e)
	return e
}

// text makes the final text of a fragment: its title line and its body, trimmed
// and made safe, with what is to be kept about it, if anything is. blank reports
// whether the body is.
func (g *guard) text(f *Fragment) (text string, d *detail, blank bool) {
	body := strings.TrimSpace(f.Body)
	if f.Title == "" && len(f.Runs) == 0 && plainLine(body) && !g.suspiciousPlain(body, f.Trust) {
		return body, nil, body == ""
	}
	return g.scanned(f, body)
}

// suspiciousPlain reports whether a plain line needs a closer look.
func (g *guard) suspiciousPlain(s string, t Trust) bool {
	return s != "" && g.begins[s[0]&0x7f] && (g.protected.hasASCII(s) || t.Untrusted() && g.protected.hasNear(s)) || t.Untrusted() && strings.IndexByte(s, '<') >= 0
}

// scanned is text for a body in which there may be something to find.
func (g *guard) scanned(f *Fragment, body string) (string, *detail, bool) {
	if !tiles(f.Runs, len(f.Body)) {
		g.fail(InvalidFragment, f.Origin, "the runs of fragment %q don't tile its body of %d bytes", f.ID, len(f.Body)).
			Hint = "each run begins where the one before it ends, the first at 0, and the last ends with the body"
		return "", nil, false
	}
	lead := leadingSpace(f.Body)
	runs := trimRuns(f, lead, len(body))
	if k := invalidUTF8(body); k >= 0 {
		g.fail(InvalidUTF8, placeIn(body, runs, k), "fragment %q isn't valid UTF-8: byte 0x%02x", f.ID, body[k])
		return "", nil, false
	}
	s := scan{g: g, f: f, in: body, runs: runs}
	s.own[0], s.own[1] = ownHeading(f, f.Body)
	s.own[0], s.own[1] = s.own[0]-lead, s.own[1]-lead
	s.body()
	if s.changed {
		body, runs = s.trimmed()
	}
	if body == "" {
		if len(s.notes) == 0 {
			return "", nil, true
		}
		return "", &detail{notes: s.notes}, true
	}
	title, notes := g.titleLine(f)
	d := &detail{title: len(title), notes: append(notes, s.notes...)}
	if s.changed || len(f.Runs) > 0 {
		d.runs = runs
	}
	if d.title == 0 && d.notes == nil && d.runs == nil {
		d = nil
	}
	return title + body, d, false
}

// titleLine is the heading of a fragment's own, with the white space after it,
// and what was found in it.
func (g *guard) titleLine(f *Fragment) (string, []TextNote) {
	title := foldSpace(f.Title)
	if title == "" {
		return "", nil
	}
	marks, space := "### ", "\n\n"
	if f.TitleForm == HostHeading {
		marks, space = "## ", "\n"
	}
	line, notes := g.headingLine(f, f.own(), marks, title, "title")
	if line == "" {
		return "", notes
	}
	return line + space, notes
}

// headingLine is a heading made of a fragment's words, checked as any other
// line of it, and what was found in it. It is empty when nothing of the words
// is left. from is where the words are from, and what names the field that they
// stand in.
func (g *guard) headingLine(f *Fragment, from Attribution, marks, words, what string) (string, []TextNote) {
	if g.plainHeading(words, from.Trust) {
		return marks + words, nil
	}
	if k := invalidUTF8(words); k >= 0 {
		g.fail(InvalidUTF8, from.Position, "the %s of fragment %q isn't valid UTF-8: byte 0x%02x", what, f.ID, words[k])
		return "", nil
	}
	line := marks + words
	s := scan{g: g, f: f, in: line, runs: []Run{{End: len(line), Position: from.Position, Trust: from.Trust, Fixed: true}}, own: [2]int{-1, -1}}
	s.body()
	for i := range s.notes {
		s.notes[i].Message += ", in the " + what
		s.notes[i].Start, s.notes[i].End = 0, 0
	}
	if s.changed {
		if line = foldSpace(s.text.String()); line+" " == marks {
			line = ""
		}
	}
	return line, s.notes
}

// plainHeading reports whether there is nothing to find in the words of a
// heading.
func (g *guard) plainHeading(words string, t Trust) bool {
	return plainLine(words) && !g.suspiciousPlain(words, t)
}

// scan reads one text once, line by line, and writes it anew from the first
// change on.
type scan struct {
	g    *guard
	f    *Fragment
	in   string
	runs []Run
	own  [2]int // the heading of a protected section, which is no imitation

	changed bool
	text    strings.Builder
	out     []Run // runs of the new text
	run     int   // the run that done lies in
	done    int   // bytes of in that are written
	notes   []TextNote
	omitted int
	buf     []byte

	line    int    // the run that the line begins in
	found   cursor // at the last finding
	written cursor // at done
	unseen  int    // the next character of Unicode that is hidden, -1 for none
	control int    // the next control character of ASCII, -1 for none
}

// cursor is the place of a byte of a text. It moves forward at the cost of the
// bytes between, so that a text full of findings costs no more than its length.
type cursor struct {
	run, offset int
	at          Position
	inRun       bool // offset and at are of this run
}

// place moves to a byte, which isn't before the last one.
func (c *cursor) place(in string, runs []Run, k int) Position {
	for c.run < len(runs) && runs[c.run].End <= k {
		c.run++
		c.inRun = false
	}
	if c.run == len(runs) {
		return Position{}
	}
	r := &runs[c.run]
	if !c.inRun {
		c.offset, c.at, c.inRun = r.Start, r.Position, true
	}
	if !r.Fixed && k > c.offset {
		c.at = advance(c.at, in[c.offset:k])
		c.offset = k
	}
	return c.at
}

func (s *scan) body() {
	ascii := unitab.IsASCII(s.in)
	s.unseen, s.control = -1, nextControl(s.in, 0)
	if !ascii {
		s.unseen = s.nextUnseen(0)
	}
	hidden := s.nextHidden()
	for line := range lines(s.in) {
		for s.line < len(s.runs)-1 && s.runs[s.line].End <= line.start {
			s.line++
		}
		if s.imitates(line, ascii) {
			s.quote(line)
		}
		for hidden >= 0 && hidden < line.next {
			hidden = s.hide(hidden)
		}
	}
	if s.changed {
		s.copyTo(len(s.in))
	} else {
		s.out = s.runs
	}
	if s.omitted > 0 {
		s.notes = append(s.notes, TextNote{
			Code: CodeInvisible, Message: fmt.Sprintf("and %d more findings in this text", s.omitted), Start: 0, End: len(s.in),
		})
	}
}

// trimmed is the new text and its runs: where characters were taken out, there
// may be white space at the ends again.
func (s *scan) trimmed() (string, []Run) {
	whole := s.text.String()
	text := strings.TrimSpace(whole)
	if len(text) == len(whole) {
		return text, s.out
	}
	return text, trimRuns(&Fragment{Body: whole, Runs: s.out}, leadingSpace(whole), len(text))
}

// imitates reports whether a line equals a protected heading or holds the name
// of a frame.
func (s *scan) imitates(l line, ascii bool) bool {
	if l.start == s.own[0] && s.own[1] > s.own[0] {
		return false
	}
	text := s.in[l.start:l.end]
	switch {
	case ascii:
		if s.g.protected.hasASCII(text) {
			return true
		}
	case s.headingMayBegin(text):
		s.buf = lineSkeleton(s.buf[:0], text)
		if s.g.protected.has(s.buf) {
			return true
		}
	}
	if !s.untrusted(l.start, l.end) {
		return false // tag names and near copies are allowed in trusted text
	}
	if s.near(text, ascii) {
		return true
	}
	if !strings.ContainsAny(text, "<＜﹤") {
		return false
	}
	if ascii && !strings.ContainsFunc(text, control) {
		return framed(text)
	}
	s.buf = unitab.AppendSkeleton(s.buf[:0], text)
	return framed(string(s.buf))
}

// headingMayBegin looks at the first character that counts, so that the normal
// form of a line is only made where it can matter.
func (s *scan) headingMayBegin(text string) bool {
	for k := 0; k < len(text); {
		r, n := utf8.DecodeRuneInString(text[k:])
		if decoration(r) || control(r) {
			k += n
			continue
		}
		if r < utf8.RuneSelf {
			return s.g.protected.mayBegin(byte(unicode.ToLower(r)))
		}
		var buf [64]byte
		first := trimDecoration(unitab.AppendSkeleton(buf[:0], text[k:k+n]))
		if len(first) > 0 {
			return s.g.protected.mayBegin(first[0])
		}
		k += n
	}
	return false
}

// untrusted reports whether any byte of the line at hand is a stranger's.
func (s *scan) untrusted(start, end int) bool {
	for _, r := range s.runs[s.line:] {
		if r.Start >= max(end, start+1) {
			break
		}
		if start < r.End && r.Start < r.End && r.Trust.Untrusted() {
			return true
		}
	}
	return false
}

// quote marks a line that imitates, or refuses it in trusted text, where it is
// the author's mistake.
func (s *scan) quote(l line) {
	at := s.found.place(s.in, s.runs, l.start)
	shown := strings.TrimSpace(s.in[l.start:l.end])
	if !s.untrusted(l.start, l.end) {
		s.g.fail(ForgedHeading, at, "fragment %q has a line equal to a protected heading: %q", s.f.ID, shown).
			Hint = "the program writes this section itself; reword the line"
		return
	}
	s.note(TextNote{
		Code: CodeForged, Message: fmt.Sprintf("quoted: the line %q imitates a protected section or frame", clip(shown)),
		Start: l.start, End: l.end, Position: known(at),
	})
	s.copyTo(l.start)
	s.insert("> ")
}

// nextHidden is the place of the next hidden character, -1 for none.
func (s *scan) nextHidden() int {
	if s.control >= 0 && (s.unseen < 0 || s.control < s.unseen) {
		return s.control
	}
	return s.unseen
}

func (s *scan) nextUnseen(from int) int {
	start, _, _, _, ok := unitab.NextHidden(s.in, from)
	if !ok {
		return -1
	}
	return start
}

// hide treats the hidden character at k and returns the next one.
func (s *scan) hide(k int) int {
	start, end, r, kind := k, k+1, rune(s.in[k]), unitab.Control
	if k == s.control {
		s.control = nextControl(s.in, end)
	} else {
		start, end, r, kind, _ = unitab.NextHidden(s.in, k)
		s.unseen = s.nextUnseen(end)
	}
	at := s.found.place(s.in, s.runs, start)
	trust := s.runs[min(s.found.run, len(s.runs)-1)].Trust
	n := TextNote{Code: CodeInvisible, Start: start, End: end}
	if len(s.notes) < maxNotes { // the others are only counted
		n.Position, n.Message = known(at), fmt.Sprintf("%s U+%04X", kind, r)
	}
	switch policy := s.g.policy.of(trust); {
	case !trust.Untrusted():
		n.Message += ", kept in trusted text"
	case policy == RejectHidden:
		if len(s.notes) < maxNotes { // one text tells its errors as often as its findings
			s.g.fail(HiddenText, at, "fragment %q holds a hidden character: %s U+%04X", s.f.ID, kind, r).
				Hint = "take it out, or set trust.policy to show"
		}
		n.Message += ", rejected"
	case policy == StripHidden && lineEnd(s.in, start) != 0:
		// Without it two lines would be one, that nobody looked at.
		n.Message += ", made a line end"
		s.copyTo(start)
		s.insert("\n")
		s.skip(end)
	case policy == StripHidden:
		n.Message += ", removed"
		s.copyTo(start)
		s.skip(end)
	default:
		n.Message += ", shown"
		s.copyTo(start)
		s.insert(fmt.Sprintf("<U+%04X>", r))
		s.skip(end)
	}
	s.note(n)
	return s.nextHidden()
}

func (s *scan) note(n TextNote) {
	if len(s.notes) >= maxNotes {
		s.omitted++
		return
	}
	s.notes = append(s.notes, n)
}

// insert writes text that isn't in the input, as a fixed stretch of the run at
// this place.
func (s *scan) insert(text string) {
	r := s.runs[min(s.run, len(s.runs)-1)]
	from := s.text.Len()
	s.text.WriteString(text)
	s.out = append(s.out, Run{
		Start: from, End: s.text.Len(), Position: s.written.place(s.in, s.runs, s.done), Var: r.Var, Trust: r.Trust, Fixed: true,
	})
}

// skip leaves bytes of the input out.
func (s *scan) skip(to int) {
	s.done = to
	s.nextRun()
}

// copyTo writes the input up to a place, run by run. The first call is the
// first change: until then the text stands as it was handed over.
func (s *scan) copyTo(to int) {
	if !s.changed {
		s.changed = true
		s.text.Grow(len(s.in) + 64)
	}
	for s.done < to {
		r := s.runs[s.run]
		end := min(r.End, to)
		from := s.text.Len()
		s.text.WriteString(s.in[s.done:end])
		if s.done > r.Start && !r.Fixed {
			r.Position = s.written.place(s.in, s.runs, s.done)
		}
		r.Start, r.End = from, s.text.Len()
		s.out = append(s.out, r)
		s.done = end
		s.nextRun()
	}
}

func (s *scan) nextRun() {
	for s.run < len(s.runs)-1 && s.runs[s.run].End <= s.done {
		s.run++
	}
}
