package cento

import (
	"fmt"
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cento-dev/cento/internal/controltoken"
	"github.com/cento-dev/cento/internal/imitation"
	"github.com/cento-dev/cento/internal/unitab"
)

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
	merged  int   // the run, from 1, that the last one of out is merged of; 0: none
	done    int   // bytes of in that are written
	notes   []TextNote
	omitted int
	buf     []byte

	line    int    // the run that the line begins in
	found   cursor // at the last finding
	written cursor // at done
	unseen  int    // the next character of Unicode that is hidden, -1 for none
	control int    // the next control character of ASCII, -1 for none
	token   token  // the next control token of a model
	breaks  imitation.Breaks
	removed bool  // something was taken out: what stands around it meets
	before  *scan // it took them out of the input
	edits   []edit
	lead    int // bytes that trimming took off the front of the new text
	passes  []pass
	many    bool // there are more edits than are kept
}

// token is a control token; start is -1 for none.
type token struct {
	start, end int
	family     string
}

// edit is a place from which on the new text is a copy of the input again.
type edit struct{ out, in int }

// maxEdits is how many changes of a text are kept, two where one thing is written in the
// stead of another: a text of nothing else would take more for them than it has bytes.
const maxEdits = 1 << 14

// edited notes that the new text goes on with the input at done.
func (s *scan) edited() {
	if s.many = s.many || len(s.edits) == maxEdits; !s.many {
		s.edits = append(s.edits, edit{s.text.Len(), s.done})
	}
}

// input is the byte of the input that stands at a byte of the new text, or the next
// one that does.
func (s *scan) input(k int) int {
	k += s.lead
	i, _ := slices.BinarySearchFunc(s.edits, k, func(e edit, k int) int {
		if e.out <= k {
			return -1
		}
		return 1
	})
	at, most := k, len(s.in)
	if i > 0 {
		e := s.edits[i-1]
		at = e.in + k - e.out
	}
	if i < len(s.edits) {
		most = s.edits[i].in
	}
	return min(at, most)
}

// position moves to a byte, which isn't before the last one.
func (c *cursor) position(in string, runs []Run, k int) Position {
	for c.run < len(runs) && runs[c.run].End <= k {
		c.run++
		c.inRun = false
	}
	if c.run == len(runs) {
		return Position{}
	}
	return c.within(in, &runs[c.run], k)
}

func (s *scan) body() {
	ascii := unitab.IsASCII(s.in)
	s.breaks = imitation.NoBreaks()
	s.unseen, s.control, s.token.start = -1, unitab.NextControl(s.in, 0), -1
	if slices.ContainsFunc(s.runs, func(r Run) bool { return r.Trust.Untrusted() }) {
		s.nextToken(0)
		s.breaks = breaksIn(s.in, s.runs, s.f.Trust, s.g.policy)
	}
	if !ascii {
		s.unseen = s.nextUnseen(0)
	}
	hidden := s.nextHidden()
	for line := range imitation.Lines(s.in) {
		for s.line < len(s.runs)-1 && s.runs[s.line].End <= line.Start {
			s.line++
		}
		if s.imitates(line, ascii) {
			s.quote(line)
		}
		for hidden >= 0 && hidden < line.Next {
			hidden = s.hide(hidden)
		}
	}
	if s.changed {
		s.copyTo(len(s.in))
	} else {
		s.out = s.runs
	}
}

// findings are the notes on the text, and how many there are besides.
func (s *scan) findings() []TextNote {
	if s.omitted > 0 {
		of := s
		for of.before != nil {
			of = of.before
		}
		s.notes = append(s.notes, TextNote{
			Code: CodeInvisible, Message: fmt.Sprintf("and %d more findings in this text", s.omitted), Start: 0, End: len(of.in),
		})
	}
	return s.notes
}

// trimmed is the new text and its runs: where characters were taken out, there
// may be white space at the ends again.
func (s *scan) trimmed() (string, []Run) {
	whole := s.text.String()
	text := strings.TrimSpace(whole)
	s.lead = leadingSpace(whole)
	s.passes = append(s.passes, pass{s.edits, s.lead, len(text)})
	if len(text) == len(whole) {
		return text, s.out
	}
	return text, trimRuns(&Fragment{Body: whole, Runs: s.out}, s.lead, len(text))
}

// imitates reports whether a line equals a protected heading or holds the name
// of a frame.
func (s *scan) imitates(l imitation.Line, ascii bool) bool {
	if l.Start == s.own[0] && s.own[1] > s.own[0] {
		return false
	}
	text, protected, trusted := s.in[l.Start:l.End], s.g.protected, !s.untrusted(l.Start, l.End)
	if trusted {
		protected = s.g.inUse
	}
	if protected.Equal(text, ascii, &s.buf) {
		return true
	}
	// Tag names and near copies are allowed in trusted text.
	return !trusted && (protected.Near(text, ascii, &s.buf) || imitation.Framed(text, ascii, &s.buf))
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

// quote marks a line that imitates.
func (s *scan) quote(l imitation.Line) {
	at := s.found.position(s.in, s.runs, l.Start)
	shown := strings.TrimSpace(s.in[l.Start:l.End])
	what := "imitates a protected section or frame"
	if !s.untrusted(l.Start, l.End) {
		what = "is the heading of a protected section"
	}
	s.note(TextNote{
		Code: CodeForged, Message: fmt.Sprintf("quoted: the line %q %s", clip(shown), what),
		Start: l.Start, End: l.End, Position: known(at),
	})
	s.copyTo(l.Start)
	n := len(s.out)
	s.insert("> ")
	if len(s.out) > n && s.merged == 0 { // else it is one run with words of the author
		s.out[n].MadeBy = ByProgram
	}
}

// nextHidden is the place of the next hidden character or control token, -1 for
// none.
func (s *scan) nextHidden() int {
	next := s.unseen
	for _, k := range [...]int{s.control, s.token.start, s.breaks.Start} {
		if k >= 0 && (next < 0 || k < next) {
			next = k
		}
	}
	return next
}

func (s *scan) nextToken(from int) {
	start, end, family, ok := controltoken.Next(s.in, from)
	if !ok {
		start = -1
	}
	s.token = token{start, end, family}
}

// tokens reads a text for control tokens alone.
func (s *scan) tokens() {
	s.unseen, s.control, s.breaks.Start = -1, -1, -1
	s.nextToken(0)
	for k := s.nextHidden(); k >= 0; {
		k = s.breakToken()
	}
	if s.changed {
		s.copyTo(len(s.in))
	}
}

// breakToken writes the first character of a control token of which a stranger
// has a part as a hidden one is written, and returns the next place.
func (s *scan) breakToken() int {
	t := s.token
	s.nextToken(t.end)
	at := s.found.position(s.in, s.runs, t.start)
	strange, rejected := false, false
	for _, r := range s.runs[s.found.run:] {
		if r.Start >= t.end {
			break
		}
		if r.Start < r.End && r.Trust.Untrusted() {
			strange = true
			rejected = rejected || s.g.policy.of(r.Trust) == RejectHidden // of several strangers each one's policy holds
		}
	}
	if !strange {
		return s.nextHidden() // its author's business
	}
	n := TextNote{Code: CodeControlToken, Start: t.start, End: t.end}
	if len(s.notes) < maxNotes { // the others are only counted
		n.Position = known(at)
		n.Message = fmt.Sprintf("broken: the control token %q of %s", s.in[t.start:t.end], t.family)
	}
	if rejected { // an error also where it isn't told as a finding
		s.g.fail(ControlToken, at, "fragment %q holds the control token %q of %s", s.f.ID, s.in[t.start:t.end], t.family).
			Hint = "take it out, or set trust.policy to show"
	}
	s.copyTo(t.start)
	s.insert(unitab.Spelled(rune(s.in[t.start])))
	s.skip(t.start + 1)
	s.note(n)
	return s.nextHidden()
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
	switch k {
	case s.breaks.Start:
		return s.breakLine()
	case s.token.start:
		return s.breakToken()
	}
	start, end, r, kind := k, k+1, rune(s.in[k]), unitab.Control
	if k == s.control {
		s.control = unitab.NextControl(s.in, end)
	} else {
		start, end, r, kind, _ = unitab.NextHidden(s.in, k)
		s.unseen = s.nextUnseen(end)
	}
	at := s.found.position(s.in, s.runs, start)
	trust := s.runs[s.found.run].Trust
	n := TextNote{Code: CodeInvisible, Start: start, End: end}
	if len(s.notes) < maxNotes { // the others are only counted
		n.Position, n.Message = known(at), fmt.Sprintf("%s U+%04X", kind, r)
	}
	switch policy := s.g.policy.of(trust); {
	case !trust.Untrusted():
		n.Message += ", kept in trusted text"
	case policy == RejectHidden:
		s.g.fail(HiddenText, at, "fragment %q holds a hidden character: %s U+%04X", s.f.ID, kind, r).
			Hint = "take it out, or set trust.policy to show"
		n.Message += ", rejected"
	case policy == StripHidden && imitation.LineEnd(s.in, start) != 0:
		// Without it two lines would be one, that nobody looked at.
		n.Message += ", made a line end"
		s.copyTo(start)
		s.insert("\n")
		s.skip(end)
	case policy == StripHidden:
		n.Message += ", removed"
		s.removed = true
		s.copyTo(start)
		s.skip(end)
	default:
		n.Message += ", shown"
		s.copyTo(start)
		s.insert(unitab.Spelled(r))
		s.skip(end)
	}
	s.note(n)
	return s.nextHidden()
}

func (s *scan) note(n TextNote) {
	if s.before != nil {
		n.Start, n.End = s.before.input(n.Start), s.before.input(n.End)
	}
	if len(s.notes) >= maxNotes {
		s.omitted++
		return
	}
	s.notes = append(s.notes, n)
}

// insert writes text that isn't in the input, as a fixed stretch of the run at
// this place. Where there are more findings than are told one by one, those that
// follow one another on a line have one stretch, with the place of the first: a
// text of nothing else would have as many stretches as characters.
func (s *scan) insert(text string) {
	defer s.edited()
	r := s.runs[s.run]
	if r.Fixed || text != "\n" { // a line end that isn't in the input would count as one
		if s.merge(text, r) {
			return
		}
	}
	s.merged = 0
	from := s.text.Len()
	s.text.WriteString(text)
	at := s.written.position(s.in, s.runs, s.done)
	if n := len(s.out); n > 0 && len(s.notes) >= maxNotes {
		last := &s.out[n-1]
		if last.Fixed && last.End == from && last.Var == r.Var && last.Trust == r.Trust && last.MadeBy == r.MadeBy && last.Position.File == at.File && last.Position.Line == at.Line {
			last.End = s.text.Len()
			return
		}
	}
	s.out = append(s.out, Run{Start: from, End: s.text.Len(), Position: at, Var: r.Var, Trust: r.Trust, MadeBy: r.MadeBy, Fixed: true})
}

// merge writes a stretch of a run in which there is too much to be found for each
// finding to be a run of its own: what is copied and what is written in its stead
// are one run then, in which the lines are known and no columns.
func (s *scan) merge(text string, r Run) bool {
	if s.omitted == 0 {
		return false
	}
	from := s.text.Len()
	s.text.WriteString(text)
	if s.merged == s.run+1 {
		s.out[len(s.out)-1].End = s.text.Len()
		return true
	}
	if !r.Fixed {
		r.Position = s.written.position(s.in, s.runs, s.done)
		r.Position.Column = 0
	}
	r.Start, r.End = from, s.text.Len()
	s.out = append(s.out, r)
	s.merged = s.run + 1
	return true
}

// skip leaves bytes of the input out.
func (s *scan) skip(to int) {
	s.done = to
	s.edited()
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
		if !s.merge(s.in[s.done:end], r) {
			from := s.text.Len()
			s.text.WriteString(s.in[s.done:end])
			if s.done > r.Start && !r.Fixed {
				r.Position = s.written.position(s.in, s.runs, s.done)
			}
			r.Start, r.End = from, s.text.Len()
			s.out = append(s.out, r)
		}
		s.done = end
		s.nextRun()
	}
}

func (s *scan) nextRun() {
	for s.run < len(s.runs)-1 && s.runs[s.run].End <= s.done {
		s.run++
	}
}

// breakLine writes a line end within a line as hidden characters are shown, and
// returns the next place.
func (s *scan) breakLine() int {
	start, end := s.breaks.Start, s.breaks.End
	s.breaks.Next()
	if start == s.control {
		s.control = unitab.NextControl(s.in, end)
	}
	if start == s.unseen {
		s.unseen = s.nextUnseen(end)
	}
	at := s.found.position(s.in, s.runs, start)
	n := TextNote{Code: CodeLineEnd, Start: start, End: end}
	if len(s.notes) < maxNotes { // the others are only counted
		n.Position = known(at)
		n.Message = fmt.Sprintf("shown: a line end within a line, behind %q", clip(strings.TrimSpace(imitation.Last(strings.TrimRightFunc(s.in[:start], imitation.EndsLine)))))
	}
	s.copyTo(start)
	for _, r := range s.in[start:end] {
		s.insert(fmt.Sprintf("<U+%04X>", r))
	}
	s.skip(end)
	s.note(n)
	return s.nextHidden()
}

// printable reports whether an id can be shown on one line as it is.
func printable(s string) bool {
	if !utf8.ValidString(s) {
		return false
	}
	for _, r := range s {
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' {
			return false
		}
	}
	_, _, _, _, hidden := unitab.NextHidden(s, 0)
	return !hidden
}

// Original is the body of a fragment, trimmed, as it was before hidden characters,
// control tokens and imitations in it were made visible, for those who look for words of
// its author. The offsets of [TextNote] count in it.
type Original struct {
	Text   string
	at     int // where the body begins in the text of the fragment
	passes []pass
}

// pass is what one reading of a text changed: where the new text is a copy of it again,
// and what trimming left of the new text.
type pass struct {
	edits      []edit
	lead, size int
}

// original is the input as the original of a text in which it begins at a byte; nil where
// too much was changed.
func (s *scan) original(in string, at int) *Original {
	if s.many {
		return nil
	}
	return &Original{in, at, s.passes}
}

// Original is the body of a fragment before it was changed; false where it wasn't, and
// where it was at too many places: more than 16,384 where something was put in or taken
// out, of which one where something was written in the stead of another counts as two.
func (a *Assembly) Original(i int) (*Original, bool) {
	d := a.detail(i)
	if d == nil || d.original == nil {
		return nil, false
	}
	return d.original, true
}

// Stands is where in [Assembly.Text] a byte of the original stands. What was written in its
// stead, or before it, belongs to the byte, so that of two offsets the stretch between has
// all that stands for what was between them; an empty one when that was taken out.
func (o *Original) Stands(offset int) int {
	for i := range o.passes {
		offset = o.passes[i].stands(offset)
	}
	return o.at + offset
}

func (s *pass) stands(k int) int {
	i := sort.Search(len(s.edits), func(i int) bool { return s.edits[i].in >= k })
	out := k
	if i > 0 {
		out += s.edits[i-1].out - s.edits[i-1].in
	}
	if i < len(s.edits) { // k lies in what the edit has something else for
		out = min(out, s.edits[i].out)
	}
	return min(max(out-s.lead, 0), s.size)
}
