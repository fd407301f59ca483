package app

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

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

// OpenPrompt reads one prompt file: a reference, or a path. A file that lies
// where no prompt files are is taken with the folder it lies in as $workspace;
// beside tells that this is so.
func (p *Project) OpenPrompt(name string) (f *pack.File, beside bool, err error) {
	if strings.HasPrefix(strings.TrimSpace(name), "$") {
		ref, err := p.Loader().ParseRef(name, pack.Ref{}, cento.Position{})
		if err != nil {
			return nil, false, err
		}
		f, err = p.Loader().Open(ref, cento.Position{})
		return f, false, p.Pathed(err)
	}
	if ref, ok := p.Reference(name); ok {
		f, err = p.Loader().Open(ref, cento.Position{})
		return f, false, p.Pathed(err)
	}
	path := name
	if !filepath.IsAbs(path) {
		path = filepath.Join(p.Root.Cwd, path)
		if !onDisk(path) && !onDisk(path+".md") { // then it may be a name in the project's folder of prompts
			if ref, err := pack.ParseRef(string(pack.Workspace)+"/"+filepath.ToSlash(name), pack.Ref{}, cento.Position{}); err == nil {
				if f, err := p.Loader().Open(ref, cento.Position{}); !errors.Is(err, pack.NotFound) {
					return f, false, p.Pathed(err)
				}
			}
		}
	}
	ref, err := pack.ParseRef(string(pack.Workspace)+"/"+filepath.Base(path), pack.Ref{}, cento.Position{})
	if err != nil {
		return nil, true, err
	}
	roots := pack.Roots{Workspace: pack.Dir(filepath.Dir(path))}
	f, err = pack.NewLoader(roots, p.Input.Limits).Open(ref, cento.Position{})
	if e, ok := errors.AsType[*cento.SourceError](err); ok && errors.Is(err, pack.NotFound) && onDisk(path) {
		e.Hint = "the name of a prompt file ends in .md, .txt, .j2 or .jinja"
	}
	return f, true, err
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

func onDisk(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
