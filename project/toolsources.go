package project

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/tree"
)

// tools reads the tools of the project from all of their sources: the manifest,
// the files that it names, and its servers. A file or a text of the request
// stands instead of all of them.
func (p *Project) tools(ctx context.Context) error {
	t := p.Manifest.Tools
	var err error
	switch {
	case p.request.ToolsText != nil:
		t, err = ReadTools(p.request.ToolsName, p.request.ToolsText, p.Manifest.Limits)
	case p.request.ToolsName != "":
		name := p.request.ToolsName
		if !filepath.IsAbs(name) {
			name = filepath.Join(p.request.Dir, name)
		}
		t, err = p.toolsFile(p.readFile, name, cento.Position{})
	default:
		t, err = p.gather(ctx, t)
	}
	if err != nil {
		return err
	}
	if p.Manifest.Policy.Tool == cento.RejectHidden {
		if err := refused(t.Notes); err != nil {
			return err
		}
	}
	p.Input.Notes = append(p.Input.Notes, t.Notes...)
	p.Input.Tools = t.Defined
	p.Input.AllTools = !t.Listed
	if t.Listed {
		p.Input.Active.Tools = t.Names()
	}
	return nil
}

func (p *Project) toolsFile(read func(string, cento.Position) (*tree.File, error), name string, at cento.Position) (Tools, error) {
	f, err := read(name, at)
	if err != nil {
		return Tools{}, err
	}
	return ReadTools(p.Show(name), []byte(f.Text), p.Manifest.Limits)
}

// gather puts the tools of the manifest, its files and its servers in one list.
// What is wrong with one source doesn't hide what is wrong with another.
func (p *Project) gather(ctx context.Context, t Tools) (Tools, error) {
	g := gathering{Tools: Tools{Listed: t.Listed, Notes: slices.Clone(t.Notes)}, first: map[string]*cento.Tool{}}
	defined := 0
	for _, named := range t.Files {
		g.define(t.Defined[defined:named.Before])
		defined = named.Before
		read, err := p.toolsFile(p.readInside, p.named(named.Path), named.Position)
		if err := g.report(err); err != nil {
			return t, err
		}
		g.define(read.Defined)
		g.Notes = append(g.Notes, read.Notes...)
		g.Listed = g.Listed || read.Listed
		g.Active = append(g.Active, read.Names()...)
	}
	g.define(t.Defined[defined:])
	g.Active = append(t.Names(), g.Active...)
	if len(t.Servers) > 0 {
		if err := g.report(p.servers(ctx, &g, t.Servers)); err != nil {
			return t, err
		}
	}
	if t.Exact {
		g.Active = t.Active
	}
	g.Active = unique(g.Active)
	return g.Tools, cento.Join(g.errs)
}

// gathering is tools of several sources on their way into one list.
type gathering struct {
	Tools
	first map[string]*cento.Tool
	errs  []*cento.SourceError
}

// report keeps an error about an input, and returns any other.
func (g *gathering) report(err error) error {
	list := asSourceErrors(err)
	if list == nil {
		return err
	}
	g.errs = append(g.errs, list...)
	return nil
}

// define adds definitions. A name that stands in two sources is an error that
// names both.
func (g *gathering) define(tools []cento.Tool) {
	for i := range tools {
		t := &tools[i]
		if first := g.first[t.Name]; first != nil {
			e := &cento.SourceError{
				Code: cento.DuplicateTool, Position: t.Origin, Message: fmt.Sprintf("two tools have the name %q", t.Name),
				Related: []cento.Related{{Position: first.Origin, Message: "the other one"}},
			}
			if t.Server != "" {
				e.Hint = fmt.Sprintf("give the server %q a prefix, as in {…, prefix: %s_}", t.Server, t.Server)
			}
			g.errs = append(g.errs, e)
			continue
		}
		g.first[t.Name] = t
		g.Defined = append(g.Defined, *t)
	}
}

// unique takes repetitions out of a list of names.
func unique(names []string) []string {
	seen := make(map[string]bool, len(names))
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		repeated := seen[name]
		seen[name] = true
		return repeated
	})
}

// refused makes errors of hidden characters, where the policy rejects them.
func refused(notes []cento.Note) error {
	var errs []*cento.SourceError
	for _, n := range notes {
		if n.Code == cento.CodeInvisible {
			errs = append(errs, &cento.SourceError{Code: cento.HiddenText, Position: n.Position, Message: n.Message, Hint: "the policy rejects hidden characters of tools"})
		}
	}
	return cento.Join(errs)
}
