package app

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/pack"
	"github.com/cento-dev/cento/project/lint"
)

// Thing is something that has a name in a project.
type Thing struct {
	Name string
	// About is what its author says of it, one paragraph at most for people.
	About string
	// Position is where it is made; zero where that is no file of the project.
	Position cento.Position
}

// Known are the names of a project that texts can ask for, each list by name.
type Known struct {
	Tools, Capabilities, Fragments, Variables, Targets, References, Models []Thing
}

// Known gathers the names of a project: those of the manifest and of its targets. Where
// a prompt can't be made, its fragments are missing.
func (d *Diagnosis) Known(ctx context.Context, r Request) (*Known, error) {
	if d.Project == nil {
		return &Known{}, nil
	}
	tools, caps, fragments, variables := map[string]Thing{}, map[string]Thing{}, map[string]Thing{}, map[string]Thing{}
	err := d.eachTarget(ctx, r, func(_ string, p *Project, whole bool) {
		for i := range p.Input.Tools {
			t := &p.Input.Tools[i]
			tools[t.Name] = Thing{t.Name, t.Description, t.Origin}
		}
		for _, name := range p.Input.ActiveTools() {
			if _, there := tools[name]; !there {
				tools[name] = Thing{Name: name}
			}
		}
		asked, _ := p.AskedCaps()
		for _, name := range append(asked, p.Input.Active.Caps...) {
			caps[name] = Thing{Name: name}
		}
		for name, at := range p.Variables() {
			variables[name] = Thing{Name: name, Position: at}
		}
		for _, f := range p.Files() {
			for _, v := range f.Vars() {
				if _, there := variables[v.Name]; !there {
					variables[v.Name] = Thing{v.Name, v.Description, v.Position}
				}
			}
		}
		if !whole {
			return
		}
		if prompt, err := p.Reduce(p.Input); err == nil {
			for i := range prompt.Len() {
				f := prompt.Fragment(i)
				fragments[f.ID] = Thing{f.ID, prompt.Reason(i), f.Origin}
			}
		}
	})
	if err != nil {
		return nil, err
	}
	k := &Known{Tools: things(tools), Capabilities: things(caps), Fragments: things(fragments), Variables: things(variables)}
	for _, name := range d.Project.Targets() {
		k.Targets = append(k.Targets, Thing{Name: name, Position: d.Project.TargetPosition(name)})
	}
	loader := d.Project.Loader()
	for _, prefix := range loader.Prefixes() {
		refs, err := loader.List(prefix)
		if err != nil {
			continue // a finding tells it
		}
		for _, ref := range refs {
			k.References = append(k.References, Thing{Name: ref.String(), Position: cento.Position{File: ref.Path()}})
		}
	}
	if models, err := d.Site.Models(r); err == nil {
		for _, m := range models.Models() {
			k.Models = append(k.Models, Thing{Name: m.ID, About: m.Provider})
		}
	}
	return k, nil
}

func things(m map[string]Thing) []Thing {
	out := make([]Thing, 0, len(m))
	for _, name := range slices.Sorted(maps.Keys(m)) {
		out = append(out, m[name])
	}
	return out
}

// maxTargets is how many targets are looked at for what an editor asks.
const maxTargets = 32

// eachTarget opens the manifest without target, then with each; those that can't be
// read are findings. The first is visited anyhow: where it isn't whole, it has what is in
// the manifest, and no prompt.
func (d *Diagnosis) eachTarget(ctx context.Context, r Request, visit func(target string, p *Project, whole bool)) error {
	r.Servers = KeptServers
	base, err := Open(ctx, d.Site, r)
	if serverUnknown(err) {
		r.Servers = NoServers
		base, err = Open(ctx, d.Site, r)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err == nil {
		visit("", base, true)
	} else {
		base = d.Project
		visit("", base, false)
	}
	targets := base.Targets()
	for _, name := range targets[:min(len(targets), maxTargets)] {
		p, err := base.Target(ctx, name)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err == nil {
			visit(name, p, true)
		}
	}
	return nil
}

// Standing is what became of a fragment in one prompt.
type Standing struct {
	Target   string // empty: the manifest without target
	ID       string
	Origin   cento.Position
	Included bool
	Reason   string
	Tokens   int
	// Counting says how the tokens were counted.
	Counting Counting
	// Text is that of the fragment in the prompt, or what it would be.
	Text string
}

// Standing tells of fragments what became of them in each prompt of the project: of
// those that are asked for.
func (d *Diagnosis) Standing(ctx context.Context, r Request, asked func(*Project, *cento.Fragment) bool) ([]Standing, error) {
	var out []Standing
	err := d.eachTarget(ctx, r, func(target string, p *Project, whole bool) {
		if !whole {
			return // a finding tells why
		}
		prompt, err := p.Reduce(p.Input)
		if err != nil {
			return
		}
		counter, about := CountInput(p.Input)
		text, _ := prompt.System()
		for i := range prompt.Len() {
			f := prompt.Fragment(i)
			if !asked(p, &f) {
				continue
			}
			t := prompt.Trace(i, cento.ExplainOptions{ExcludedTexts: true})
			s := Standing{Target: target, ID: f.ID, Origin: f.Origin, Included: t.Included, Reason: t.Reason, Counting: about, Text: t.Text}
			if t.Span != nil {
				s.Text = text[t.Span[0]:t.Span[1]]
			}
			s.Tokens = counter.Count(s.Text)
			out = append(out, s)
		}
	})
	return out, err
}

// FragmentList is a list of a manifest whose items become fragments.
type FragmentList string

// The lists: of fragments, and of tools with their guidance.
const (
	FragmentsList FragmentList = "fragments"
	ToolsList     FragmentList = "tools"
)

// StandingAt is Standing of the item of a list that a place belongs to: of the last one
// that begins before it in the file, which the caller knows by its path.
func (d *Diagnosis) StandingAt(ctx context.Context, r Request, list FragmentList, place cento.Position, in func(path string) bool) ([]Standing, error) {
	if list != FragmentsList && list != ToolsList {
		return nil, nil
	}
	var last cento.Position
	all, err := d.Standing(ctx, r, func(p *Project, f *cento.Fragment) bool {
		file, ok := p.Path(f.Origin.File)
		if !ok || !in(file) || (list == ToolsList) != strings.HasPrefix(f.ID, "tool:") || f.Origin.Line == 0 {
			return false
		}
		begin := beginOf(f.Origin)
		if begin.Compare(place) > 0 {
			return false
		}
		if last.Compare(begin) < 0 {
			last = begin
		}
		return true
	})
	return slices.DeleteFunc(all, func(s Standing) bool { return beginOf(s.Origin) != last }), err
}

// beginOf is a place within its file.
func beginOf(p cento.Position) cento.Position { return cento.Position{Line: p.Line, Column: p.Column} }

// Resolve is the file that a reference means, which stands in a file; false where it
// means none on this disk.
func (p *Project) Resolve(name, in string) (string, bool) {
	current, _ := p.Reference(in)
	ref, err := pack.ParseRef(name, current, cento.Position{})
	if err != nil {
		return "", false
	}
	return p.Path(ref.Path())
}

// PromptFiles are the project's own prompt files, by their paths.
func (d *Diagnosis) PromptFiles() []string {
	if d.Project == nil {
		return nil
	}
	refs, err := d.Project.Loader().List(pack.Workspace)
	if err != nil {
		return nil
	}
	var out []string
	for _, ref := range refs {
		if path, ok := d.Project.Path(ref.Path()); ok {
			out = append(out, path)
		}
	}
	return out
}

// IsPromptName reports whether a file may be a prompt file by the ending of its name.
func IsPromptName(name string) bool { return pack.IsPromptName(name) }

// ToolFiles are the files of tools that the manifest and its targets name, by their paths.
func (d *Diagnosis) ToolFiles() []string {
	if d.Project == nil {
		return nil
	}
	return d.Project.ToolFiles()
}

// ToolsTold finds where a text tells of tools, as the checks do.
func ToolsTold(text string, tools []string) []lint.Told { return lint.ToolsTold(text, tools) }
