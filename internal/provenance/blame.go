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
	// Also are the stretches behind the first, in order: each is from another line of a
	// file, or of another variable, than the one before it.
	Also []BlameStretch `json:"also,omitempty"`
}

// BlameStretch is a part of a line of the prompt, with what [BlameLine] has of the first.
type BlameStretch struct {
	Start  int             `json:"start"`
	End    int             `json:"end"`
	Origin *cento.Position `json:"origin"`
	Path   string          `json:"path,omitempty"`
	MadeBy cento.Maker     `json:"made_by"`
	Var    string          `json:"var,omitempty"`
	SetAt  *cento.Position `json:"set_at,omitempty"`
	Trust  cento.Trust     `json:"trust"`
	// Commit and History are those of Origin, or of SetAt.
	Commit  *Commit `json:"commit"`
	History string  `json:"history,omitempty"`
}

// Blame lists the lines of the prompt, each with the origin of its first byte, and of the
// stretches behind that which are from elsewhere.
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
		l.Origin, l.Path = p.blamed(s)
		out = append(out, l)
		asked = append(asked, Match{within: from.within(s)})
		if strings.TrimSpace(l.Text) != "" {
			asked[len(asked)-1].Origin, asked[len(asked)-1].Var = l.Origin, l.Var
			last := &out[len(out)-1]
			last.Also, asked = p.furtherStretches(from, s, end, asked)
		}
		start = end + 1
	}
	if err := p.addCommits(ctx, asked); err != nil {
		return nil, err
	}
	for i := range out {
		out[i].SetAt, out[i].Commit, out[i].History = asked[0].SetAt, asked[0].Commit, asked[0].History
		asked = asked[1:]
		for k := range out[i].Also {
			also := &out[i].Also[k]
			also.SetAt, also.Commit, also.History = asked[0].SetAt, asked[0].Commit, asked[0].History
			asked = asked[1:]
		}
	}
	return out, nil
}

// furtherStretches are those of a line behind the one that a span begins, with what is to
// be asked of each.
func (p Texts) furtherStretches(from *places, first cento.Span, end int, asked []Match) ([]BlameStretch, []Match) {
	var out []BlameStretch
	for last := first; last.End < end; {
		s, ok := from.at(last.End)
		if !ok {
			break
		}
		if s.File == last.File && s.Line == last.Line && s.Var == last.Var {
			if len(out) > 0 {
				out[len(out)-1].End = min(s.End, end)
			}
		} else {
			stretch := BlameStretch{Start: s.Start, End: min(s.End, end), MadeBy: s.MadeBy, Var: s.Var, Trust: s.Trust}
			stretch.Origin, stretch.Path = p.blamed(s)
			out = append(out, stretch)
			asked = append(asked, Match{within: from.within(s), Origin: stretch.Origin, Var: s.Var})
		}
		last = s
	}
	return out, asked
}

// blamed is where a span is from; nil for what joins texts.
func (p Texts) blamed(s cento.Span) (*cento.Position, string) {
	if s.File == "" || s.Kind == cento.JoinerSpan {
		return nil, ""
	}
	return &cento.Position{File: s.File, Line: s.Line, Column: s.Column}, p.project.PromptPath(s.File)
}
