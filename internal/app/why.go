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
	// More is how many further places there are, when they are very many.
	More int `json:"more,omitempty"`
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

// maxMatches is how many places are told one by one. Whoever asks for a letter
// gets an answer, not the prompt over again.
const maxMatches = 200

// ExplainText looks a text up in a project's prompt, in the texts that are out
// of it, and in the files that were shadowed or cut. White space is folded. When
// it is found nowhere, letter case is set aside too, and then the nearest line
// is offered.
func (p *Project) ExplainText(ctx context.Context, prompt *cento.Prompt, text string) (*Why, error) {
	w := &Why{Matches: []Match{}}
	for _, ignoreCase := range []bool{false, true} {
		needle := strings.TrimSuffix(fold(text, ignoreCase).text, " ")
		if w.Matches, w.More = p.matches(prompt, needle, ignoreCase); len(w.Matches) > 0 {
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
// in files that didn't get in; more is how many places it doesn't tell.
func (p *Project) matches(prompt *cento.Prompt, needle string, ignoreCase bool) (out []Match, more int) {
	find := func(text string) [][2]int {
		found, rest := fold(text, ignoreCase).find(needle, max(maxMatches-len(out), 0))
		more += rest
		for k := range found {
			found[k][1] = trimEnd(text, found[k][0], found[k][1])
		}
		return found
	}
	if system, ok := prompt.System(); ok {
		if found := find(system); len(found) > 0 {
			from := promptPlaces(prompt)
			for _, at := range found {
				out = append(out, from.matches(at[0], at[1])...)
			}
		}
	}
	for i := range prompt.Len() {
		if prompt.In(i) {
			continue
		}
		if found := find(prompt.Text(i)); len(found) > 0 {
			from := textPlaces(prompt, i)
			for _, at := range found {
				out = append(out, from.match(i, at[0], at[1]))
			}
		}
	}
	for _, f := range p.leftOut() {
		place := cento.Span{File: f.shown, Line: 1, Column: 1}
		for _, at := range find(f.text) {
			if origin, ok := place.Locate(f.text, at[0]); ok {
				place.Start, place.Line, place.Column = at[0], origin.Line, origin.Column
				out = append(out, f.match(origin, at[0], at[1]))
			}
		}
	}
	return out, more
}

func fragmentMatch(prompt *cento.Prompt, i int, s cento.Span) Match {
	// Its trace would hash the text, once for every match in it.
	f := prompt.Fragment(i)
	m := Match{
		Fragment: f.ID, Source: cmp.Or(f.Source, f.ID), Var: s.Var, Trust: s.Trust,
		Reason: prompt.Reason(i), Code: prompt.Code(i),
	}
	if f.Layer != "" {
		m.Layer = &f.Layer
	}
	if s.File != "" {
		m.Origin = &cento.Position{File: s.File, Line: s.Line, Column: s.Column}
	}
	return m
}

// nearestLine is the line of the prompt, or of an excluded text, that has most
// of the words of a text; nil when none has half of them.
func (p *Project) nearestLine(prompt *cento.Prompt, text string) *Match {
	question := words(text)
	const inPrompt = -1
	best, from, to, least := 0, 0, 0, 0.0
	look := func(which int, t string) {
		for start := 0; start < len(t); {
			end := start + lineEnd(t[start:])
			if like := likeness(question, t[start:end]); like > least && end > start {
				best, from, to, least = which, start, end, like
			}
			start = end + 1
		}
	}
	system, _ := prompt.System()
	look(inPrompt, system)
	for i := range prompt.Len() {
		if !prompt.In(i) {
			look(i, prompt.Text(i))
		}
	}
	switch {
	case least == 0:
		return nil
	case best != inPrompt:
		m := textPlaces(prompt, best).match(best, from, to)
		return &m
	}
	return &promptPlaces(prompt).matches(from, to)[0]
}

func lineEnd(s string) int {
	if k := strings.IndexByte(s, '\n'); k >= 0 {
		return k
	}
	return len(s)
}
