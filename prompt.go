package cento

import (
	"crypto/sha256"
	"encoding/hex"
	"iter"
	"sort"
)

// Prompt is an assembled system prompt: its text, the decision on every
// fragment, and the origin of every byte. It is immutable.
type Prompt struct {
	Assembly
	text  string
	notes []Note
}

// Reduce makes the prompt of an input. It reads nothing but its argument. Its
// errors are those of [Compose], [Compile] and [Plan.AppendText].
func Reduce(in Input) (*Prompt, error) { return ReduceWith(in, nil) }

// Engine decides conditions and renders templates.
type Engine interface {
	Conditions
	Expander
}

// ReduceWith is [Reduce] with an engine for conditions and templates; nil for
// none.
func ReduceWith(in Input, engine Engine) (*Prompt, error) {
	fragments, notes, err := Compose(in)
	if err != nil {
		return nil, err
	}
	o := Options{Limits: in.Limits, Policy: in.Policy}
	if engine != nil {
		o.Conditions, o.Expander = engine, engine
	}
	p, err := ReduceFragments(fragments, in.active(), o)
	if err != nil {
		return nil, err
	}
	p.notes = append(append(p.notes, in.Notes...), notes...)
	return p, nil
}

// System is the text of the prompt, and false when no fragment is included:
// then there is no system prompt, which isn't the same as an empty one.
func (p *Prompt) System() (string, bool) { return p.text, p.included > 0 }

// Digest is the SHA-256 of the text in lower-case hex; empty when there is no
// system prompt.
func (p *Prompt) Digest() string {
	if p.included == 0 {
		return ""
	}
	return digest(p.text)
}

func digest(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}

// Notes are the remarks on the input as a whole.
func (p *Prompt) Notes() []Note { return p.notes }

// AllSpans yields the spans of the text in order. They tile it.
func (a *Assembly) AllSpans() iter.Seq[Span] {
	return func(yield func(Span) bool) {
		for pos := range a.ends {
			if !a.spansAt(pos, yield) {
				return
			}
		}
	}
}

// Spans is [Assembly.AllSpans] as a list.
func (a *Assembly) Spans() []Span {
	out := make([]Span, 0, 2*a.included)
	for s := range a.AllSpans() {
		out = append(out, s)
	}
	return out
}

// SpanAt is the span that a byte of the text lies in; false outside of it. It
// costs a binary search.
func (a *Assembly) SpanAt(offset int) (Span, bool) {
	var found Span
	ok := false
	if offset < 0 || offset >= a.Bytes() {
		return found, ok
	}
	pos := sort.Search(len(a.ends), func(i int) bool { return int(a.ends[i]) > offset })
	a.spansAt(pos, func(s Span) bool {
		if offset < s.End {
			found, ok = s, true
		}
		return !ok
	})
	return found, ok
}

// Locate is the place in a source file of a byte of the text: the line and
// column of that byte, not of the span it lies in. False when the text came
// from no file.
func (p *Prompt) Locate(offset int) (Position, bool) {
	s, ok := p.SpanAt(offset)
	if !ok {
		return Position{}, false
	}
	return s.Locate(p.text, offset)
}

// Locate is the place in a source file of a byte of a span, given the text that
// the span is part of. False when it came from no file.
func (s Span) Locate(text string, offset int) (Position, bool) {
	at := Position{File: s.File, Line: s.Line, Column: s.Column}
	if s.File == "" {
		return at, false
	}
	if !s.fixed {
		at = advance(at, text[s.Start:offset])
	}
	return at, true
}

// TextSpans is the spans of a fragment's text by itself, also of one that is
// out: offsets count from the beginning of [Assembly.Text].
func (a *Assembly) TextSpans(i int) []Span {
	var out []Span
	a.textSpans(i, 0, func(s Span) bool {
		out = append(out, s)
		return true
	})
	return out
}

// spansAt yields the spans of one position: the joiner before it, the heading
// of its section, its text. It returns false when told to stop.
func (a *Assembly) spansAt(pos int, yield func(Span) bool) bool {
	p := a.plan
	if !a.verdicts[p.gate[pos]].in() {
		return true
	}
	i := p.index(pos)
	start := 0
	if pos > 0 {
		start = int(a.ends[pos-1])
	}
	text := int(a.ends[pos]) - len(a.textAt(pos))
	if start > 0 {
		joint := min(start+len(joiner), text) // shorter within a chain
		if !yield(p.frags[i].madeSpan(start, joint, JoinerSpan)) {
			return false
		}
		start = joint
	}
	if start < text && !yield(p.frags[i].madeSpan(start, text, HeadingSpan).from(p.frags[i].heading())) {
		return false
	}
	return a.textSpans(i, text, yield)
}

// madeSpan is a stretch that the reducer wrote for a fragment.
func (f *Fragment) madeSpan(start, end int, kind SpanKind) Span {
	return Span{
		Start: start, End: end, Kind: kind, Fragment: f.ID,
		File: f.Origin.File, Line: f.Origin.Line, Column: f.Origin.Column, Trust: f.Trust, fixed: true,
	}
}

// from is the span with another origin.
func (s Span) from(a Attribution) Span {
	s.File, s.Line, s.Column, s.Trust = a.Position.File, a.Position.Line, a.Position.Column, a.Trust
	return s
}

// textSpans yields the spans of a fragment's own text, which begins at start:
// its title line and its runs.
func (a *Assembly) textSpans(i, start int, yield func(Span) bool) bool {
	p := a.plan
	f, d := &p.frags[i], a.detail(i)
	end := start + len(a.Text(i))
	if d != nil && d.title > 0 && start < end {
		if !yield(f.madeSpan(start, start+d.title, HeadingSpan)) {
			return false
		}
		start += d.title
	}
	if start == end {
		return true
	}
	if d == nil || d.runs == nil {
		at := p.bodyOrigin(i)
		return yield(Span{
			Start: start, End: end, Fragment: f.ID, File: at.File, Line: at.Line, Column: at.Column, Trust: f.Trust,
		})
	}
	for _, r := range d.runs {
		if !yield(Span{
			Start: start + r.Start, End: start + r.End, Fragment: f.ID,
			File: r.Position.File, Line: r.Position.Line, Column: r.Position.Column,
			Var: r.Var, Trust: r.Trust, fixed: r.Fixed,
		}) {
			return false
		}
	}
	return true
}

// bodyOrigin is where the trimmed body of a fragment without runs begins.
func (p *Plan) bodyOrigin(i int) Position {
	f := &p.frags[i]
	if f.Origin.Line == 0 {
		return f.Origin
	}
	return trimRuns(f, leadingSpace(f.Body), 0)[0].Position
}
