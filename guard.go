package cento

import (
	"encoding/binary"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cento-dev/cento/internal/controltoken"
	"github.com/cento-dev/cento/internal/enum"
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
	// inUse are those of the protected sections that this assembly has. Only
	// they matter in trusted text: elsewhere its words are its author's.
	inUse  headings
	policy Policy
	// begins tells which ASCII characters, in either case, a line must begin
	// with to be worth a closer look: those of the headings, and what may stand
	// before one.
	begins *[utf8.RuneSelf]bool
	errs   faults
}

// builtinGuard is that of an assembly whose protected sections have the
// built-in wording, which is nearly all of them.
var builtinGuard = makeGuard(builtinHeadings)

// newGuard is the guard of an assembly, so many of whose fragments are of the
// protected tail.
func newGuard(fragments []Fragment, tails int, policy Policy) guard {
	g := builtinGuard
	if tails > 0 {
		protected, inUse := protectedHeadings(fragments)
		if len(protected) != len(builtinHeadings) {
			g = makeGuard(protected)
		}
		g.inUse = inUse
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
	return g.errs.fail(code, at, format, args...)
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
	if s != "" && t.belowHost() && (s[0] == '`' || s[0] == '~' || strings.IndexByte(s, '<') >= 0) {
		return true // it may open what follows would stand in
	}
	if !t.Untrusted() {
		return s != "" && g.begins[s[0]&0x7f] && g.inUse.hasASCII(s)
	}
	if strings.IndexByte(s, '[') >= 0 || strings.Contains(s, "]~") {
		if _, _, _, ok := controltoken.Next(s, 0); ok {
			return true
		}
	}
	return s != "" && g.begins[s[0]&0x7f] && (g.protected.hasASCII(s) || g.protected.hasNear(s))
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
		g.fail(InvalidUTF8, positionIn(body, runs, k), "fragment %q isn't valid UTF-8: byte 0x%02x", f.ID, body[k])
		return "", nil, false
	}
	s := scan{g: g, f: f, in: body, runs: runs}
	s.own[0], s.own[1] = ownHeading(f, f.Body)
	s.own[0], s.own[1] = s.own[0]-lead, s.own[1]-lead
	s.body()
	if s.changed {
		body, runs = s.trimmed()
	}
	if s.removed { // a token may have been written around what was taken out
		first := s
		s = scan{g: g, f: f, in: body, runs: runs, notes: first.notes, omitted: first.omitted, before: &first}
		s.tokens()
		if s.changed {
			body, runs = s.trimmed()
		}
		s.changed = true
	}
	if body == "" {
		if len(s.notes) == 0 {
			return "", nil, true
		}
		return "", &detail{notes: s.findings()}, true
	}
	body, runs = s.closed(body, runs)
	title, notes := g.titleLine(f)
	d := &detail{title: len(title), notes: append(notes, s.findings()...)}
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
	notes := s.findings()
	for i := range notes {
		notes[i].Message += ", in the " + what
		notes[i].Start, notes[i].End = 0, 0
	}
	if s.changed {
		if line = foldSpace(s.text.String()); line+" " == marks {
			line = ""
		}
	}
	return line, notes
}

// plainHeading reports whether there is nothing to find in the words of a
// heading.
func (g *guard) plainHeading(words string, t Trust) bool {
	return plainLine(words) && !g.suspiciousPlain(words, t)
}

// Inspect finds what a prompt would have made visible or quoted in a text of a
// stranger: hidden characters, and lines that imitate the built-in protected
// headings or a frame. It is for texts that reach a model on another way than
// in the prompt, such as the strings of a tool's schema, and changes nothing.
// What such a text leaves open takes nothing in.
func Inspect(t Text) []TextNote {
	g := newGuard(nil, 0, Policy{})
	_, d, _ := g.text(&Fragment{Body: t.Body, Runs: t.Runs, Trust: t.Trust, Origin: t.Origin})
	if d == nil {
		return nil
	}
	return slices.DeleteFunc(d.notes, func(n TextNote) bool { return n.Code == CodeUnclosed })
}

// HiddenPolicy says what happens to hidden characters in untrusted text.
// Trusted text is kept as it is, with a note.
type HiddenPolicy uint8

const (
	// ShowHidden writes each as a visible `<U+XXXX>`. The default.
	ShowHidden HiddenPolicy = iota
	// StripHidden takes them out; the note keeps their places.
	StripHidden
	// RejectHidden makes them the error [HiddenText].
	RejectHidden
)

var hiddenNames = enum.Names[HiddenPolicy]{"show", "strip", "reject"}

// String gives "show", "strip" or "reject".
func (p HiddenPolicy) String() string { return hiddenNames.Name(p) }

// MarshalText gives the name.
func (p HiddenPolicy) MarshalText() ([]byte, error) { return hiddenNames.Marshal(p) }

// UnmarshalText accepts a name.
func (p *HiddenPolicy) UnmarshalText(t []byte) error { return hiddenNames.Unmarshal(t, p) }

// Policy is how untrusted text is treated. The zero value is the default.
type Policy struct {
	Workspace HiddenPolicy `json:"workspace,omitempty"`
	Tool      HiddenPolicy `json:"tool,omitempty"`
	Session   HiddenPolicy `json:"session,omitempty"`
}

// of returns the policy for text of an untrusted level.
func (p Policy) of(t Trust) HiddenPolicy {
	switch t {
	case TrustTool:
		return p.Tool
	case TrustSession:
		return p.Session
	default:
		return p.Workspace
	}
}

// C0 controls and U+007F show nothing where something stands, and a terminal
// obeys them: they clear the line before them, set titles, recolour what
// follows. Those of a stranger are hidden characters, but for the tab and the
// line end, which may be CR LF. A CR by itself is none: it writes over its line.

// nextControl is the place of the first such character from a byte on, -1 when
// there is none.
func nextControl(s string, from int) int {
	const high, low, del, ones = 0x8080808080808080, 0x2020202020202020, 0x7f7f7f7f7f7f7f7f, 0x0101010101010101
	b := []byte(s) // doesn't escape: no copy is made
	for k := from; k < len(b); {
		for len(b)-k >= 8 {
			// The top bit of a byte is set when it is below 0x20, or 0x7f; that of
			// others may be set by a borrow, and then they are looked at one by one.
			w := word(b, k)
			if ((w-low)&^w|((w^del)-ones)&^(w^del))&high != 0 {
				break
			}
			k += 8
		}
		for end := min(k+8, len(b)); k < end; k++ {
			if isControl(s, k) {
				return k
			}
		}
	}
	return -1
}

func isControl(s string, k int) bool {
	switch c := s[k]; {
	case c >= ' ':
		return c == 0x7f
	case c == '\t', c == '\n':
		return false
	case c == '\r':
		return !strings.HasPrefix(s[k+1:], "\n")
	}
	return true
}
