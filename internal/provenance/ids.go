package provenance

import (
	"context"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/nearest"
)

// toolID begins what the definition of a tool is told by.
const toolID = "tool:"

// named is the fragment whose id a text is, also of a host part that is switched off, or
// the definition of a tool; nil for none.
func (s *search) named(ctx context.Context, text string) (*Match, error) {
	m := Named(s.prompt, text)
	if m == nil {
		id := strings.TrimSpace(text)
		for _, left := range append(s.disabledParts(), toolDefinitions(s.in)...) {
			if left.fragment.ID == id {
				found := left.match(left.at, 0, len(left.text))
				m = &found
				break
			}
		}
	}
	if m == nil {
		return nil, nil
	}
	asked := []Match{*m}
	err := s.addCommits(ctx, asked)
	return &asked[0], err
}

// Named is the fragment of a prompt whose id a text is, with its own text; nil for none.
func Named(prompt *cento.Prompt, text string) *Match {
	i, ok := prompt.Index(strings.TrimSpace(text))
	if !ok {
		return nil
	}
	var m Match
	if s, ok := textPlaces(prompt, i).at(0); ok {
		m = fragmentMatch(prompt, i, s)
	} else { // it has no text
		f := prompt.Fragment(i)
		m = fragmentMatch(prompt, i, cento.Span{
			File: f.Origin.File, Line: f.Origin.Line, Column: f.Origin.Column, Trust: f.Trust, MadeBy: cento.MakerOf(f.Source, f.Origin.File, f.Trust),
		})
	}
	m.Text = prompt.Text(i)
	if start, end, ok := prompt.Extent(i); ok {
		m.Start, m.End = &start, &end
	}
	return &m
}

// nearestID is the id of a fragment or a tool that is most like a text; empty where none
// is like it enough, or the text can be no id.
func (s *search) nearestID(text string) string {
	text = strings.TrimSpace(text)
	if strings.ContainsAny(text, " \t\n") {
		return ""
	}
	var ids []string
	for i := range s.prompt.Len() {
		ids = append(ids, s.prompt.Fragment(i).ID)
	}
	for _, t := range s.in.Tools {
		ids = append(ids, toolID+t.Name)
	}
	id, _ := nearest.Name(text, ids)
	return id
}
