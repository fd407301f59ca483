package app

import (
	"cmp"
	"context"
	"strings"

	"github.com/cento-dev/cento"
)

// Why answers why a text is in the prompt, or why it isn't.
type Why struct {
	Matches []Match `json:"matches"`
	// IgnoredCase: the text was found only with letter case set aside.
	IgnoredCase bool `json:"ignored_case,omitempty"`
	// Nearest is the line most like the text, when it was found nowhere.
	Nearest *Match `json:"nearest,omitempty"`
}

// Match is one place where a text was found. A text that runs over several
// fragments gives one match for each.
type Match struct {
	// Start and End are byte offsets in the prompt; null when the text isn't in
	// it.
	Start *int `json:"start"`
	End   *int `json:"end"`
	// Fragment is the fragment's id; empty for a file that gave none.
	Fragment string          `json:"fragment"`
	Source   string          `json:"source"`
	Layer    *string         `json:"layer"`
	Origin   *cento.Position `json:"origin"`
	Var      string          `json:"var,omitempty"`
	Trust    cento.Trust     `json:"trust"`
	Reason   string          `json:"reason"`
	Code     cento.Code      `json:"code,omitempty"`
	// Text is what was found, as it reads there.
	Text string `json:"text"`
	// Commit wrote the line; null with a note when none did or none can be told.
	Commit  *Commit `json:"commit"`
	History string  `json:"history,omitempty"`
}

// Found reports whether a match is in the prompt itself.
func (w *Why) Found() bool {
	for _, m := range w.Matches {
		if m.Start != nil {
			return true
		}
	}
	return false
}

// ExplainText looks a text up in a project's prompt, in the texts that are out
// of it, and in the files that were shadowed or cut. White space is folded. When
// it is found nowhere, letter case is set aside too, and then the nearest line
// is offered.
func (p *Project) ExplainText(ctx context.Context, prompt *cento.Prompt, text string) (*Why, error) {
	w := &Why{Matches: []Match{}}
	for _, ignoreCase := range []bool{false, true} {
		needle := strings.TrimSuffix(fold(text, ignoreCase).text, " ")
		if w.Matches = p.matches(prompt, needle, ignoreCase); len(w.Matches) > 0 {
			w.IgnoredCase = ignoreCase
			break
		}
	}
	found := w.Matches
	if len(found) == 0 {
		w.Matches = []Match{}
		if w.Nearest = p.nearestLine(prompt, text); w.Nearest == nil {
			return w, nil
		}
		nearest := []Match{*w.Nearest}
		err := p.addCommits(ctx, nearest)
		w.Nearest = &nearest[0]
		return w, err
	}
	return w, p.addCommits(ctx, found)
}

// matches finds a folded needle in the prompt, then in each excluded text, then
// in files that didn't get in.
func (p *Project) matches(prompt *cento.Prompt, needle string, ignoreCase bool) []Match {
	var out []Match
	if system, ok := prompt.System(); ok {
		for _, at := range fold(system, ignoreCase).find(needle) {
			out = append(out, matchSpans(prompt, system, at[0], trimEnd(system, at[0], at[1]))...)
		}
	}
	for i := range prompt.Len() {
		if prompt.In(i) {
			continue
		}
		text := prompt.Text(i)
		for _, at := range fold(text, ignoreCase).find(needle) {
			out = append(out, excludedMatch(prompt, i, at[0], trimEnd(text, at[0], at[1])))
		}
	}
	for _, f := range p.leftOut() {
		for _, at := range fold(f.text, ignoreCase).find(needle) {
			out = append(out, f.match(at[0], trimEnd(f.text, at[0], at[1])))
		}
	}
	return out
}

// matchSpans gives a match for each fragment that a stretch of the prompt runs
// over.
func matchSpans(prompt *cento.Prompt, system string, start, end int) []Match {
	var out []Match
	for next := start; next < end; {
		s, ok := prompt.SpanAt(next)
		if !ok {
			break
		}
		at, stop := next, min(end, s.End)
		if s.Kind != cento.JoinerSpan {
			if n := len(out); n > 0 && out[n-1].Fragment == s.Fragment && *out[n-1].End == s.Start {
				out[n-1].End, out[n-1].Text = &stop, system[*out[n-1].Start:stop]
			} else {
				i, _ := prompt.Index(s.Fragment)
				m := fragmentMatch(prompt, i, s, system, at)
				m.Start, m.End, m.Text = &at, &stop, system[at:stop]
				out = append(out, m)
			}
		}
		next = stop
	}
	return out
}

func excludedMatch(prompt *cento.Prompt, i, start, end int) Match {
	text := prompt.Text(i)
	for _, s := range prompt.TextSpans(i) {
		if start < s.End {
			m := fragmentMatch(prompt, i, s, text, start)
			m.Text = text[start:end]
			return m
		}
	}
	return Match{Fragment: prompt.Fragment(i).ID, Text: text[start:end]}
}

func fragmentMatch(prompt *cento.Prompt, i int, s cento.Span, text string, at int) Match {
	// Its trace would hash the text, once for every match in it.
	f := prompt.Fragment(i)
	m := Match{
		Fragment: f.ID, Source: cmp.Or(f.Source, f.ID), Var: s.Var, Trust: s.Trust,
		Reason: prompt.Reason(i), Code: prompt.Code(i),
	}
	if f.Layer != "" {
		m.Layer = &f.Layer
	}
	if place, ok := s.Locate(text, at); ok {
		m.Origin = &place
	}
	return m
}

// nearestLine is the line of the prompt, or of an excluded text, that has most
// of the words of a text; nil when none has half of them.
func (p *Project) nearestLine(prompt *cento.Prompt, text string) *Match {
	question := words(text)
	best, least := (*Match)(nil), 0.0
	system, _ := prompt.System()
	for start := 0; start < len(system); {
		end := start + lineEnd(system[start:])
		if like := likeness(question, system[start:end]); like > least {
			if ms := matchSpans(prompt, system, start, end); len(ms) > 0 {
				best, least = &ms[0], like
			}
		}
		start = end + 1
	}
	for i := range prompt.Len() {
		if prompt.In(i) {
			continue
		}
		t := prompt.Text(i)
		for start := 0; start < len(t); {
			end := start + lineEnd(t[start:])
			if like := likeness(question, t[start:end]); like > least && end > start {
				m := excludedMatch(prompt, i, start, end)
				best, least = &m, like
			}
			start = end + 1
		}
	}
	return best
}

func lineEnd(s string) int {
	if k := strings.IndexByte(s, '\n'); k >= 0 {
		return k
	}
	return len(s)
}
