package provenance

import (
	"context"
	"strings"

	"github.com/cento-dev/cento"
)

// BlameLine is one line of the prompt with its origin.
type BlameLine struct {
	Number   int             `json:"line"`
	Start    int             `json:"start"`
	End      int             `json:"end"`
	Text     string          `json:"text"`
	Fragment string          `json:"fragment"`
	Kind     cento.SpanKind  `json:"kind"`
	Layer    *string         `json:"layer"`
	Origin   *cento.Position `json:"origin"`
	Path     string          `json:"path,omitempty"`
	MadeBy   cento.Maker     `json:"made_by"`
	Var      string          `json:"var,omitempty"`
	SetAt    *cento.Position `json:"set_at,omitempty"`
	Trust    cento.Trust     `json:"trust"`
	Commit   *Commit         `json:"commit"`
	History  string          `json:"history,omitempty"`
}

// Blame lists the lines of the prompt, each with the origin of its first byte.
func (p Texts) Blame(ctx context.Context, prompt *cento.Prompt) ([]BlameLine, error) {
	system, _ := prompt.System()
	out, from := []BlameLine{}, promptPlaces(prompt)
	var asked []Match
	for start := 0; start < len(system); {
		end := start + lineEnd(system[start:])
		s, _ := from.at(start)
		l := BlameLine{
			Number: len(out) + 1, Start: start, End: end, Text: system[start:end],
			Fragment: s.Fragment, Kind: s.Kind, MadeBy: s.MadeBy, Var: s.Var, Trust: s.Trust,
		}
		if i, ok := prompt.Index(s.Fragment); ok {
			if f := prompt.Fragment(i); f.Layer != "" {
				l.Layer = &f.Layer
			}
		}
		if s.File != "" && s.Kind != cento.JoinerSpan {
			l.Origin, l.Path = &cento.Position{File: s.File, Line: s.Line, Column: s.Column}, p.project.PromptPath(s.File)
		}
		out = append(out, l)
		asked = append(asked, Match{within: from.within(s)})
		start = end + 1
	}
	for i := range out {
		if strings.TrimSpace(out[i].Text) != "" {
			asked[i].Origin, asked[i].Var = out[i].Origin, out[i].Var
		}
	}
	if err := p.addCommits(ctx, asked); err != nil {
		return nil, err
	}
	for i := range out {
		out[i].SetAt, out[i].Commit, out[i].History = asked[i].SetAt, asked[i].Commit, asked[i].History
	}
	return out, nil
}
