package provenance

import (
	"slices"

	"github.com/cento-dev/cento"
)

// places goes forward through a text and tells where its bytes come from. A
// text with very many matches is read once, not once for each.
type places struct {
	prompt *cento.Prompt
	text   string
	spans  []cento.Span // those at and behind the last byte that was asked for
	begin  int          // of the first of spans, before something was asked of it; -1: nothing was
}

// stretch is the text of a span as a whole, and an offset in it.
type stretch struct {
	text   string
	offset int
}

// promptPlaces are those of a prompt as a whole.
func promptPlaces(prompt *cento.Prompt) *places {
	system, _ := prompt.System()
	return &places{prompt, system, prompt.Spans(), -1}
}

// textPlaces are those of the text of one fragment.
func textPlaces(prompt *cento.Prompt, i int) *places {
	return &places{prompt, prompt.Text(i), prompt.TextSpans(i), -1}
}

// withheldPlaces are those of a text that the budget shortened, as it was before.
func withheldPlaces(prompt *cento.Prompt, w *cento.Withheld) *places {
	return &places{prompt, w.Text, slices.Clone(w.Spans), -1}
}

// removed are the parts that the budget removed.
func removed(w *cento.Withheld) [][2]int {
	out := make([][2]int, len(w.Removed))
	for k, part := range w.Removed {
		out[k] = [2]int{part.Start, part.End}
	}
	return out
}

// at is the stretch from a byte, which isn't before the last one, to the end of
// its span, and where it comes from.
func (p *places) at(offset int) (cento.Span, bool) {
	for len(p.spans) > 0 && p.spans[0].End <= offset {
		p.spans, p.begin = p.spans[1:], -1
	}
	if len(p.spans) == 0 {
		return cento.Span{}, false
	}
	s := &p.spans[0]
	if p.begin < 0 {
		p.begin = s.Start
	}
	if at, ok := s.Locate(p.text, offset); ok {
		s.Line, s.Column = at.Line, at.Column
	}
	s.Start = offset
	return *s, true
}

// within is the span that was asked for last, of which s is the rest.
func (p *places) within(s cento.Span) stretch {
	return stretch{p.text[p.begin:s.End], s.Start - p.begin}
}

// matches gives a match for each fragment that a stretch runs over.
func (p *places) matches(start, end int) []Match {
	var out []Match
	for next := start; next < end; {
		s, ok := p.at(next)
		if !ok {
			break
		}
		at, stop := next, min(end, s.End)
		next = stop
		if s.Kind == cento.JoinerSpan {
			continue
		}
		if n := len(out); n > 0 && out[n-1].Fragment == s.Fragment && *out[n-1].End == at {
			out[n-1].End, out[n-1].Text = &stop, p.text[*out[n-1].Start:stop]
			continue
		}
		i, _ := p.prompt.Index(s.Fragment)
		m := fragmentMatch(p.prompt, i, s)
		m.Start, m.End, m.Text, m.within = &at, &stop, p.text[at:stop], p.within(s)
		out = append(out, m)
	}
	return out
}

// match is the one of a stretch that has a single fragment's words, and the
// place of its first.
func (p *places) match(i, start, end int) Match {
	s, ok := p.at(start)
	if !ok {
		f := p.prompt.Fragment(i)
		return Match{Fragment: f.ID, MadeBy: cento.MakerOf(f.Source, f.Origin.File, f.Trust), Text: p.text[start:end]}
	}
	m := fragmentMatch(p.prompt, i, s)
	m.Text, m.within = p.text[start:end], p.within(s)
	return m
}

// withheld is the match of a text of which the budget removed at least a part.
func (p *places) withheld(i int, w *cento.Withheld, start, end int) Match {
	k := slices.IndexFunc(w.Removed, func(part cento.RemovedPart) bool { return part.End > start })
	first := w.Removed[max(k, 0)]
	m := p.match(i, start, end)
	m.Reason, m.Code = first.Reason, first.Code
	return m
}

// Positions are those of bytes of the text of a fragment, whose offsets are in order; zero
// for one that is from no file.
func Positions(prompt *cento.Prompt, i int, offsets []int) []cento.Position {
	from := textPlaces(prompt, i)
	out := make([]cento.Position, len(offsets))
	for k, offset := range offsets {
		if s, ok := from.at(offset); ok && s.File != "" {
			out[k] = cento.Position{File: s.File, Line: s.Line, Column: s.Column}
		}
	}
	return out
}
