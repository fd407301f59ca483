package cento

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/cento-dev/cento/internal/controltoken"
	"github.com/cento-dev/cento/internal/enum"
	"github.com/cento-dev/cento/internal/imitation"
	"github.com/cento-dev/cento/internal/markdown"
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

// The headings of the protected sections in the built-in wording. They are
// protected also where no such section is present: a stranger may not bring one.
const (
	boundariesHeading   = "Working boundaries"
	instructionsHeading = "Project instructions" // with the names of files in brackets
)

// filesVar is the variable that the heading of the project's instructions names their
// files by: each is on one line, and none is a heading.
const filesVar = "files"

var builtinHeadings = imitation.Headings{
	imitation.Skeleton(nil, boundariesHeading),
	imitation.Skeleton(nil, instructionsHeading+" (AGENTS.md)"), // near copies of which need no brackets
	imitation.WithBrackets(instructionsHeading),
}

// protectedHeadings are those of the built-in wording and of the protected tail
// as it is worded in this assembly; inUse are the latter, of the sections that
// have a text.
func protectedHeadings(fragments []Fragment) (all, inUse imitation.Headings) {
	all = builtinHeadings
	for i := range fragments {
		f := &fragments[i]
		start, end := ownHeading(f, f.Body)
		s := imitation.Skeleton(nil, f.Body[start:end])
		if len(s) == 0 {
			continue
		}
		if !all.Has(s) {
			all = append(slices.Clip(all), s)
		}
		if f.Excluded == nil {
			inUse = append(inUse, s)
		}
	}
	return all, inUse
}

// ownHeading is the place of the heading of a protected section in its body:
// the first line that begins with `#` and is wording, not data, but for the names of
// files in it. It is empty when there is none.
func ownHeading(f *Fragment, body string) (start, end int) {
	if !f.Tail {
		return 0, 0
	}
	for line := range imitation.Lines(body) {
		if strings.HasPrefix(body[line.Start:], "#") {
			for _, r := range f.Runs {
				if r.Var != "" && (r.Var != filesVar || r.Start <= line.Start) && r.Start < line.End && line.Start < r.End {
					return 0, 0
				}
			}
			return line.Start, line.End
		}
	}
	return 0, 0
}

// guard is what a text is checked against, and what was found wrong.
type guard struct {
	protected imitation.Headings
	// inUse are those of the protected sections that this assembly has. Only
	// they matter in trusted text: elsewhere its words are its author's.
	inUse  imitation.Headings
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

func makeGuard(protected imitation.Headings) guard {
	return guard{protected: protected, begins: protected.Begins()}
}

const utf8Hint = "give it as UTF-8, as every text of a prompt is"

func (g *guard) fail(code ErrorCode, at Position, format string, args ...any) *SourceError {
	return g.errs.fail(code, at, format, args...)
}

// text makes the final text of a fragment: its title line and its body, trimmed
// and made safe, with what is to be kept about it, if anything is. blank reports
// whether the body is.
func (g *guard) text(f *Fragment) (text string, d *detail, blank bool) {
	body := strings.TrimSpace(f.Body)
	if f.Title == "" && len(f.Runs) == 0 && unitab.PlainLine(body) && !g.suspiciousPlain(body, f.Trust) {
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
		return s != "" && g.begins[s[0]&0x7f] && g.inUse.PlainEqual(s)
	}
	if strings.IndexByte(s, '[') >= 0 || strings.Contains(s, "]~") {
		if _, _, _, ok := controltoken.Next(s, 0); ok {
			return true
		}
	}
	return s != "" && g.begins[s[0]&0x7f] && (g.protected.PlainEqual(s) || g.protected.PlainNear(s))
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
		g.fail(InvalidUTF8, positionIn(body, runs, k), "fragment %q isn't valid UTF-8: byte 0x%02x", f.ID, body[k]).Hint = utf8Hint
		return "", nil, false
	}
	in := body
	s := scan{g: g, f: f, in: in, runs: runs}
	s.own[0], s.own[1] = ownHeading(f, f.Body)
	s.own[0], s.own[1] = s.own[0]-lead, s.own[1]-lead
	s.body()
	if s.changed {
		body, runs = s.trimmed()
	}
	if s.removed { // a token may have been written around what was taken out
		first := s
		s = scan{g: g, f: f, in: body, runs: runs, notes: first.notes, omitted: first.omitted, before: &first, passes: first.passes, many: first.many}
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
		return "", &detail{notes: s.findings(), original: s.original(in, 0)}, true
	}
	body, runs = s.closed(body, runs)
	title, notes := g.titleLine(f)
	d := &detail{title: len(title), notes: append(notes, s.findings()...)}
	if s.changed || len(f.Runs) > 0 {
		d.runs = runs
	}
	if s.changed {
		d.original = s.original(in, len(title))
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
	line, notes := g.headingLine(f, f.title(), marks, title, "title")
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
		g.fail(InvalidUTF8, from.Position, "the %s of fragment %q isn't valid UTF-8: byte 0x%02x", what, f.ID, words[k]).Hint = utf8Hint
		return "", nil
	}
	line := marks + words
	s := scan{g: g, f: f, in: line, runs: []Run{{End: len(line), Position: from.Position, Trust: from.Trust, Fixed: true}}, own: [2]int{-1, -1}}
	s.body()
	notes := s.findings()
	for i := range notes {
		notes[i].Message += ", in the " + what
		notes[i].Start, notes[i].End, notes[i].heading = 0, 0, what
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
	return unitab.PlainLine(words) && !g.suspiciousPlain(words, t)
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

// breaksIn looks for line ends by which a stranger's value would begin a line of the
// author's. In a stranger's text there is no line of an author to be kept.
func breaksIn(in string, runs []Run, author Trust, policy Policy) imitation.Breaks {
	if author.Untrusted() {
		return imitation.NoBreaks()
	}
	stretches := make([]imitation.Stretch, len(runs))
	for i := range runs {
		r := &runs[i]
		x := imitation.Stretch{Start: r.Start, End: r.End, Stranger: r.Trust.Untrusted(), Literal: r.Var == "" && !r.Fixed}
		x.Blank = x.Stranger && showsNothing(in[r.Start:r.End], policy.of(r.Trust))
		stretches[i] = x
	}
	return imitation.BreaksIn(in, stretches)
}

// showsNothing reports whether a text is nothing but white space and, where those
// are taken out, hidden characters.
func showsNothing(s string, policy HiddenPolicy) bool {
	for k := 0; k < len(s); {
		r, n := utf8.DecodeRuneInString(s[k:])
		hidden := unitab.IsControl(s, k)
		if r >= utf8.RuneSelf {
			start, _, _, _, ok := unitab.NextHidden(s[k:], 0)
			hidden = ok && start == 0
		}
		if hidden && policy != StripHidden || !hidden && !unicode.IsSpace(r) {
			return false
		}
		k += n
	}
	return true
}

// Whatever a text leaves open would take in what follows where it is read as
// Markdown: it would be code, a comment, hidden. So what somebody below the host
// opens ends where his text does, within a fragment as well: one file of a project
// takes in nothing of another, and a value nothing of the words behind it.

// closed is the finished text with that closed, each closer in a run of its own.
func (s *scan) closed(text string, runs []Run) (string, []Run) {
	stretches := stretchesOf(runs)
	if len(stretches) == 0 {
		return text, runs
	}
	closings := markdown.Close(text, stretches)
	if len(closings) == 0 {
		return text, runs
	}
	s.changed = true
	var b strings.Builder
	out := make([]Run, 0, len(runs)+2*len(closings))
	c := splice{text: text, runs: runs}
	var edits []edit
	for _, closing := range closings {
		out = c.copyTo(out, closing.At, &b)
		opened := s.noteClosing(text, runs, closing)
		from := b.Len()
		b.WriteString(closing.Text)
		edits = append(edits, edit{b.Len(), closing.At})
		opened.Start, opened.End, opened.Var, opened.MadeBy, opened.Fixed = from, b.Len(), "", ByProgram, true
		out = append(out, opened)
	}
	out = c.copyTo(out, len(text), &b)
	s.passes = append(s.passes, pass{edits: edits, size: b.Len()})
	return b.String(), out
}

// stretchesOf are the parts of a text that are of one source each, of those below
// the host: of a file, or of a value that stood in none. Where a trusted author's
// words follow, a stranger's source ends.
func stretchesOf(runs []Run) []markdown.Stretch {
	type origin struct {
		trust Trust
		name  string
	}
	var out []markdown.Stretch
	sources, of := 0, map[origin]int{}
	for i := range runs {
		r := &runs[i]
		if r.Start == r.End {
			continue
		}
		if !r.Trust.Untrusted() && r.Var == "" && !r.Fixed {
			maps.DeleteFunc(of, func(o origin, _ int) bool { return o.trust.Untrusted() })
		}
		if !r.Trust.belowHost() {
			continue
		}
		o := origin{r.Trust, cmp.Or(r.Position.File, r.Var)}
		source, there := of[o]
		if !there {
			source = sources
			of[o] = source
			sources++
		}
		if n := len(out) - 1; n >= 0 && out[n].Source == source && out[n].End == r.Start {
			out[n].End = r.End
		} else {
			out = append(out, markdown.Stretch{Start: r.Start, End: r.End, Source: source})
		}
	}
	return out
}

// noteClosing tells what is closed, and returns a run with the origin of what opened
// the innermost.
func (s *scan) noteClosing(text string, runs []Run, c markdown.Closing) Run {
	where := "at the end of the text"
	if c.At < len(text) {
		where = "where its text ends"
	}
	at := s.input(c.At)
	for _, o := range c.Openings {
		n := TextNote{Code: CodeUnclosed, Start: at, End: at}
		if len(s.notes) < maxNotes { // the others are only counted
			n.Position = known(positionIn(text, runs, o.Offset))
			n.Message = fmt.Sprintf("closed %s: the %s that %q opens", where, o.What, clip(imitation.First(text[o.Offset:])))
		}
		s.note(n)
	}
	first := c.Openings[0].Offset
	i := slices.IndexFunc(runs, func(r Run) bool { return first < r.End })
	return Run{Position: positionIn(text, runs, first), Trust: runs[i].Trust}
}

// splice copies a text with its runs, piece by piece.
type splice struct {
	text string
	runs []Run
	at   int
	run  int
	pos  cursor
}

func (c *splice) copyTo(out []Run, to int, b *strings.Builder) []Run {
	for c.at < to {
		r := c.runs[c.run]
		end := min(r.End, to)
		if c.at > r.Start && !r.Fixed {
			r.Position = c.pos.position(c.text, c.runs, c.at)
		}
		r.Start = b.Len()
		b.WriteString(c.text[c.at:end])
		r.End = b.Len()
		if r.Start < r.End {
			out = append(out, r)
		}
		if c.at = end; end == c.runs[c.run].End {
			c.run++
		}
	}
	return out
}

// made is the text of a fragment that is made for one active set, checked as all are.
func (p *Plan) made(g *guard, i int32, t Text) (out expanded) {
	f := p.frags[i]
	if len(t.Runs) == 0 && t.Body != "" { // the fragment doesn't say where it came from
		t.Runs = []Run{{End: len(t.Body), Position: t.Origin, Trust: t.Trust}}
	}
	f.Body, f.Runs = t.Body, t.Runs
	out.text, out.detail, out.blank = g.text(&f)
	if of := p.details[i]; of != nil && f.Template != "" { // what was found in its section
		if out.detail == nil {
			out.detail = new(detail)
		}
		out.detail.notes = append(slices.Clip(of.notes), out.detail.notes...)
	}
	if p.forms != nil {
		out.own = imitation.OwnOf(out.text)
	}
	return out
}

func (g *guard) adopt(err error, f *Fragment) {
	if list := SourceErrors(err); list != nil {
		g.errs.add(list...)
		return
	}
	g.errs.add(&SourceError{Code: InvalidFragment, Position: f.Origin, Message: fmt.Sprintf("fragment %q", f.ID), Err: err})
}

// Texts keeps what compilations found in the texts of fragments, so that the next one
// doesn't scan again those that are the same: see [Options]. It holds at most 4 MiB of
// texts and starts over beyond that. The zero value is empty. It is safe for concurrent
// use.
type Texts struct {
	mu    sync.Mutex
	kept  map[textKey]keptText
	bytes int
}

// maxKeptTexts is how many bytes are kept, with what there is around each text.
const (
	maxKeptTexts   = 4 << 20
	aroundKeptText = 512
)

type textKey struct{ id, body string }

// keptText is what was found, and all that it depends on but the key.
type keptText struct {
	tail             bool
	form             TitleForm
	title            string
	trust            Trust
	origin, at       Position
	runs             []Run
	protected, inUse imitation.Headings
	policy           Policy

	text  string
	d     *detail
	blank bool
}

// scanned is [guard.text] of a fragment, from what was kept where it is the same.
func (t *Texts) scanned(g *guard, f *Fragment) (string, *detail, bool) {
	if t == nil || len(f.Body) < 64 { // as long to look up as to scan
		return g.text(f)
	}
	key := textKey{f.ID, f.Body}
	t.mu.Lock()
	k, ok := t.kept[key]
	t.mu.Unlock()
	if ok && k.of(g, f) {
		if k.d == nil {
			return k.text, nil, k.blank
		}
		d := *k.d // a plan adds its own notes
		return k.text, &d, k.blank
	}
	wrong := len(g.errs.list) + g.errs.further
	text, d, blank := g.text(f)
	if len(g.errs.list)+g.errs.further > wrong {
		return text, d, blank // each compilation reports its own errors
	}
	k = keptText{f.Tail, f.TitleForm, f.Title, f.Trust, f.Origin, f.TitleOrigin, f.Runs, g.protected, g.inUse, g.policy, text, nil, blank}
	if d != nil {
		copied := *d
		k.d = &copied
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	size := len(f.Body) + aroundKeptText
	if t.bytes += size; t.kept == nil || t.bytes > maxKeptTexts {
		t.kept, t.bytes = map[textKey]keptText{}, size
	}
	t.kept[key] = k
	return text, d, blank
}

// of reports whether a guard finds the same in a fragment with the same id and body.
func (k *keptText) of(g *guard, f *Fragment) bool {
	return k.tail == f.Tail && k.form == f.TitleForm && k.title == f.Title && k.trust == f.Trust && k.policy == g.policy &&
		k.origin == f.Origin && k.at == f.TitleOrigin && slices.Equal(k.runs, f.Runs) &&
		slices.EqualFunc(k.protected, g.protected, bytes.Equal) && slices.EqualFunc(k.inUse, g.inUse, bytes.Equal)
}
