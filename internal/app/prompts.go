package app

import (
	"cmp"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/pack"
)

// PromptFile tells about a prompt file.
type PromptFile struct {
	Reference   string      `json:"reference"`
	File        string      `json:"file"`
	Path        string      `json:"path,omitempty"` // on this disk; empty for what is built in
	Trust       cento.Trust `json:"trust"`
	Title       string      `json:"title,omitempty"`
	Description string      `json:"description,omitempty"`
	// Error says why the file can't be used; empty when it can.
	Error string `json:"error,omitempty"`
	// The rest is told of one file that is asked for.
	RequiresTools []string     `json:"requires_tools,omitempty"`
	RequiresCaps  []string     `json:"requires_caps,omitempty"`
	Vars          []PromptVar  `json:"vars,omitempty"`
	Reads         []pack.Use   `json:"reads,omitempty"`
	Tools         []pack.Use   `json:"tools,omitempty"`
	Caps          []pack.Use   `json:"caps,omitempty"`
	Links         []PromptLink `json:"links,omitempty"`
	Text          string       `json:"text,omitempty"`
}

// PromptVar is a variable that a prompt file or one that it includes declares.
type PromptVar struct {
	pack.Var
	Required bool `json:"required,omitempty"`
}

// PromptLink is a place where a prompt file names another.
type PromptLink struct {
	pack.Link
	From string   `json:"from"`
	To   []string `json:"to"`
}

// internalPrompts is the folder of built-in files that are no prompts of their
// own: the wording of the catalog.
const internalPrompts = "catalog/"

// references lists the prompt files of the given prefixes, all of them if none
// is given.
func (p *Project) references(builtin bool) ([]pack.Ref, error) {
	var out []pack.Ref
	for _, prefix := range p.Loader().Prefixes() {
		if prefix == pack.Builtin && !builtin {
			continue
		}
		refs, err := p.Loader().List(prefix)
		if err != nil {
			return nil, err
		}
		for _, r := range refs {
			if prefix != pack.Builtin || !strings.HasPrefix(r.File(), internalPrompts) {
				out = append(out, r)
			}
		}
	}
	return out, nil
}

// Prompts lists all prompt files that can be named, by reference. One that
// can't be used says why.
func (p *Project) Prompts() ([]PromptFile, error) {
	refs, err := p.references(true)
	if err != nil {
		return nil, err
	}
	out := []PromptFile{}
	for _, r := range refs {
		x := p.promptFile(r)
		if f, err := p.Loader().Open(r, cento.Position{}); err != nil {
			x.Error = err.Error()
		} else {
			x.Title, x.Description = f.Front().Title, f.Front().Description
		}
		out = append(out, x)
	}
	return out, nil
}

func (p *Project) promptFile(r pack.Ref) PromptFile {
	x := PromptFile{Reference: r.String(), File: r.Path(), Trust: p.Loader().Trust(r)}
	if path, ok := p.Path(r.Path()); ok {
		x.Path = p.Show(path)
	}
	return x
}

// Prompt tells all about one prompt file.
func (p *Project) Prompt(f *pack.File) *PromptFile {
	x, front := p.promptFile(f.Ref()), f.Front()
	x.Title, x.Description, x.RequiresTools, x.RequiresCaps = front.Title, front.Description, front.RequiresTools, front.RequiresCaps
	for _, v := range f.Vars() {
		x.Vars = append(x.Vars, PromptVar{v, v.Required()})
	}
	x.Reads, x.Tools, x.Caps = f.Reads(), f.Asks("tool"), f.Asks("cap")
	x.Links = promptLinks(f)
	for _, src := range f.Sources() {
		if src.Ref == f.Ref() {
			x.Text = src.Text
		}
	}
	return &x
}

func promptLinks(f *pack.File) []PromptLink {
	var out []PromptLink
	for _, l := range f.Links() {
		link := PromptLink{Link: l, From: l.From.String(), To: []string{}}
		for _, to := range l.To {
			link.To = append(link.To, to.String())
		}
		out = append(out, link)
	}
	return out
}

// PromptGraph is which prompt files include which.
type PromptGraph struct {
	// Roots are the files that none of the others includes.
	Roots []string     `json:"roots"`
	Files []string     `json:"files"`
	Links []PromptLink `json:"links"`
}

// Graph gives the graph of the prompt files of some names, see
// [Project.OpenPrompt], or of all that aren't built in. Its errors are those of all
// files that can't be used.
func (p *Project) Graph(names ...string) (*PromptGraph, error) {
	var files []*pack.File
	for _, name := range names {
		f, _, err := p.OpenPrompt(name)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	if len(files) == 0 {
		refs, err := p.references(false)
		if err != nil {
			return nil, err
		}
		var errs []*cento.SourceError
		for _, r := range refs {
			f, err := p.Loader().Open(r, cento.Position{})
			if err != nil {
				errs = append(errs, sourceErrorsAt(err, r)...)
				continue
			}
			files = append(files, f)
		}
		if err := joined(errs); err != nil {
			return nil, err
		}
	}
	g := &PromptGraph{Roots: []string{}, Files: []string{}, Links: []PromptLink{}}
	included := map[string]bool{}
	seen := map[cento.Position]bool{}
	for _, f := range files {
		for _, src := range f.Sources() {
			g.Files = append(g.Files, src.Ref.String())
		}
		for _, l := range promptLinks(f) {
			if seen[l.Position] {
				continue
			}
			seen[l.Position] = true
			g.Links = append(g.Links, l)
			for _, to := range l.To {
				included[to] = true
			}
		}
	}
	slices.Sort(g.Files)
	g.Files = slices.Compact(g.Files)
	slices.SortFunc(g.Links, func(a, b PromptLink) int { return a.Position.Compare(b.Position) })
	for _, f := range g.Files {
		if !included[f] {
			g.Roots = append(g.Roots, f)
		}
	}
	return g, nil
}

// PromptCheck is what is wrong with the prompt files of a project, its user and
// its packs.
type PromptCheck struct {
	Checked int                  `json:"checked"`
	Errors  []ErrorObject        `json:"errors"`
	Notes   []cento.Note         `json:"notes"`
	List    []*cento.SourceError `json:"-"`
}

// CheckPrompts compiles every prompt file, with all that it includes, and tells
// everything that is wrong at once.
func (p *Project) CheckPrompts() (*PromptCheck, error) {
	refs, err := p.references(false)
	if err != nil {
		return nil, err
	}
	out := &PromptCheck{Errors: []ErrorObject{}, Notes: []cento.Note{}}
	files := map[string]bool{}
	for _, r := range refs {
		real, _ := p.RealPath(r.Path())
		files[real] = true
		f, err := p.Loader().Open(r, cento.Position{})
		if err != nil {
			out.List = append(out.List, cento.SourceErrors(p.Pathed(cento.Join(sourceErrorsAt(err, r))))...)
			continue
		}
		out.Notes = append(out.Notes, f.Notes()...)
	}
	out.Checked = len(files)
	out.List = onceInFile(p, distinct(out.List), func(e *cento.SourceError) (cento.Position, string) { return e.Position, e.Message })
	for _, e := range out.List {
		out.Errors = append(out.Errors, errorObject(e))
	}
	slices.SortFunc(out.Notes, func(a, b cento.Note) int { return a.Position.Compare(b.Position) })
	out.Notes = onceInFile(p, slices.Compact(out.Notes), func(n cento.Note) (cento.Position, string) { return n.Position, n.Message })
	out.Notes = p.Project.Notes(out.Notes)
	return out, nil
}

// onceInFile removes what a list says again of a file that links give another name. It keeps
// the name without a link, or else the first.
func onceInFile[T any](p *Project, list []T, says func(T) (cento.Position, string)) []T {
	type said struct {
		at      cento.Position
		message string
	}
	kept := list[:0]
	first := map[said]int{}
	for _, x := range list {
		at, message := says(x)
		real, linked := p.RealPath(at.File)
		at.File = real
		i, again := first[said{at, message}]
		switch {
		case !again:
			first[said{at, message}] = len(kept)
			kept = append(kept, x)
		case !linked:
			kept[i] = x
		}
	}
	return kept
}

// sourceErrorsAt are the errors of opening a file, each with a place.
func sourceErrorsAt(err error, r pack.Ref) []*cento.SourceError {
	list := cento.SourceErrors(err)
	if list == nil {
		list = []*cento.SourceError{{Code: internalFailure, Message: "opening a prompt file", Err: err}}
	}
	for _, e := range list {
		if e.Position.IsZero() {
			e.Position = cento.Position{File: r.Path()}
		}
	}
	return list
}

// distinct sorts errors by place and says each once: a file that is broken is
// met again by every file that includes it.
func distinct(list []*cento.SourceError) []*cento.SourceError {
	slices.SortStableFunc(list, func(a, b *cento.SourceError) int {
		return cmp.Or(a.Position.Compare(b.Position), strings.Compare(a.Error(), b.Error()))
	})
	return slices.CompactFunc(list, func(a, b *cento.SourceError) bool { return a.Error() == b.Error() })
}

func joined(list []*cento.SourceError) error { return cento.Join(distinct(list)) }
