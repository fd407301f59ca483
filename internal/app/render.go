package app

import (
	"context"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/pack"
	"github.com/cento-dev/cento/project"
)

// OpenPrompts reads the manifest, the packs and the tools of a project, but no
// prompt.
func OpenPrompts(ctx context.Context, site project.Site, r project.Request) (*Project, error) {
	p, err := site.OpenPrompts(ctx, r)
	if err != nil {
		return nil, err
	}
	return of(p), nil
}

// Rendering is the text of a prompt file and where each stretch of it came
// from. The spans are ordered and tile the text.
type Rendering struct {
	Text  string       `json:"text"`
	Spans []RenderSpan `json:"spans"`
	// Notes are what there is to say about the file.
	Notes []cento.Note `json:"notes,omitempty"`
}

// RenderSpan is one stretch, in bytes. Var names the variable whose value it
// is; empty for literal text.
type RenderSpan struct {
	Start  int         `json:"start"`
	End    int         `json:"end"`
	File   string      `json:"file"`
	Line   int         `json:"line"`
	Column int         `json:"column"`
	Var    string      `json:"var"`
	Trust  cento.Trust `json:"trust"`
}

// NewRendering is a text with its runs as spans.
func NewRendering(t cento.Text, notes []cento.Note) *Rendering {
	r := &Rendering{Text: t.Body, Spans: make([]RenderSpan, 0, len(t.Runs)), Notes: notes}
	for _, run := range t.Runs {
		r.Spans = append(r.Spans, RenderSpan{
			Start: run.Start, End: run.End, Var: run.Var, Trust: run.Trust,
			File: run.Position.File, Line: run.Position.Line, Column: run.Position.Column,
		})
	}
	return r
}

// Render gives the text of a prompt file for an active set.
func (p *Project) Render(f *pack.File, a cento.Active) (*Rendering, error) {
	text, notes, err := p.Project.Render(f, a)
	if err != nil {
		return nil, err
	}
	return NewRendering(text, notes), nil
}
