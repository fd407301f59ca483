package project

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/manifest"
	"github.com/cento-dev/cento/internal/tree"
	"github.com/cento-dev/cento/project/consent"
)

// toolset is the tools of a project.
type toolset struct {
	manifest.Tools
	saying   []cento.ToolServer // servers with something to say about theirs
	listings []consent.ServerListing
	noted    []cento.Note // on the servers
}

func (t *toolset) remarks() []cento.Note { return slices.Concat(t.noted, t.Notes) }

// replacesTools reports whether the request has tools instead of the manifest's.
func (r *Request) replacesTools() bool {
	return r.OnlyTools || r.ToolsText != nil || r.ToolsName != ""
}

// tools reads the tools of the project from all of their sources: the manifest, the files
// that it names, and its servers, or instead of all these a file or a text of the request.
// The tools that the request has as values come last.
func (r *reader) tools(ctx context.Context) (t toolset, err error) {
	own := slices.Clone(r.request.Tools)
	notes, err := manifest.CheckTools(own, r.manifest.Limits)
	if err != nil {
		return toolset{}, err
	}
	switch {
	case r.request.OnlyTools && (r.request.ToolsText != nil || r.request.ToolsName != ""):
		return t, &cento.SourceError{
			Code: cento.InvalidTool, Message: "the request wants its Tools alone, and has a file or text of tools, too",
			Hint: "set OnlyTools, or ToolsName and ToolsText",
		}
	case r.request.OnlyTools:
	case r.request.ToolsText != nil:
		t.Tools, err = manifest.ReadTools(r.request.ToolsName, r.request.ToolsText, r.manifest.Limits)
	case r.request.ToolsName != "":
		name := r.inDir(r.request.ToolsName)
		t.Tools, err = r.toolsFile(r.readFile, name, cento.Position{})
		if e, ok := errors.AsType[*cento.SourceError](err); ok && e.Code == tree.NotFound {
			e.Hint = nearGiven(r.request.ToolsName, name)
		}
	default:
		t, err = r.gather(ctx, r.manifest.Tools)
	}
	if r.request.replacesTools() {
		t.noted = append(t.noted, putAside(r.manifest.Tools)...)
	}
	t.add(own, r.manifest.Tools.Removed)
	t.Notes = append(t.Notes, notes...)
	if err == nil && r.manifest.Policy.Tool == cento.RejectHidden {
		err = refused(t.Notes)
	}
	if err != nil {
		return toolset{}, err
	}
	return t, nil
}

// add adds tools of the host, which replace others of the same names. All are active,
// but those that a target removes.
func (t *toolset) add(own []cento.Tool, removed []manifest.RemovedTool) {
	if len(own) == 0 {
		return
	}
	given := make(map[string]bool, len(own))
	for i := range own {
		given[own[i].Name] = true
	}
	t.Defined = slices.DeleteFunc(slices.Clone(t.Defined), func(x cento.Tool) bool {
		if given[x.Name] {
			t.noted = append(t.noted, cento.Note{
				Code: CodeReplaced, Position: x.Origin, Message: fmt.Sprintf("Cento uses the caller's definition of the tool %q instead of this one", x.Name),
			})
		}
		return given[x.Name]
	})
	t.Defined = append(t.Defined, own...)
	if !t.Listed {
		return
	}
	active := slices.Clone(t.Active)
	for i := range own {
		name := own[i].Name
		if at := slices.IndexFunc(removed, func(x manifest.RemovedTool) bool { return x.Name == name }); at < 0 {
			active = append(active, name)
		} else {
			t.noted = append(t.noted, cento.Note{
				Code: CodeReplaced, Message: fmt.Sprintf("the target removes the tool %q, so the caller's definition isn't active", name),
			})
		}
	}
	t.Active = unique(active)
}

// maxPutAside is how many names a note has.
const maxPutAside = 8

// putAside notes the tools of a manifest that others replace.
func putAside(t manifest.Tools) []cento.Note {
	var at cento.Position
	var what []string
	names := t.Names()
	for i := range t.Defined {
		at = cmp.Or(at, t.Defined[i].Origin)
		names = append(names, t.Defined[i].Name)
	}
	if names = unique(names); len(names) > 0 {
		what = append(what, named("the tool", "the tools", names))
	}
	var files, servers []string
	for _, f := range t.Files {
		at, files = cmp.Or(at, f.Position), append(files, f.Path)
	}
	if len(files) > 0 {
		what = append(what, named("the file", "the files", files))
	}
	for _, s := range t.Servers {
		at, servers = cmp.Or(at, s.Position), append(servers, s.Name)
	}
	if len(servers) > 0 {
		what = append(what, named("the tool server", "the tool servers", servers))
	}
	if len(what) == 0 {
		return nil
	}
	return []cento.Note{{Code: CodeReplaced, Position: at, Message: "Cento uses the caller's tools instead of those of the manifest: " + strings.Join(what, "; ")}}
}

// named lists names in the words for one or for many.
func named(one, many string, names []string) string {
	quoted := make([]string, 0, maxPutAside+1)
	for _, name := range names[:min(len(names), maxPutAside)] {
		quoted = append(quoted, strconv.Quote(name))
	}
	if more := len(names) - len(quoted); more > 0 {
		quoted = append(quoted, fmt.Sprintf("and %d more", more))
	}
	if len(names) > 1 {
		one = many
	}
	return one + " " + strings.Join(quoted, ", ")
}

// ToolFiles are the files of tools that the manifest and all of its targets name, by
// their paths, each once and in the order in which they are named. They needn't be there.
// What a request brings isn't among them.
func (p *Project) ToolFiles() []string {
	var out []string
	for _, name := range append([]string{""}, p.Targets()...) {
		r, err := p.from.target(name)
		if err != nil {
			continue // a target that can't be read is told where it is opened
		}
		for _, named := range r.manifest.Tools.Files {
			if path := r.named(named.Path); !slices.Contains(out, path) {
				out = append(out, path)
			}
		}
	}
	return out
}

// inDir is the path of a file that a request names: relative to the folder of the run.
func (r *reader) inDir(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(r.request.Dir, name)
}

func (r *reader) toolsFile(read func(string, cento.Position) (*tree.File, error), name string, at cento.Position) (manifest.Tools, error) {
	f, err := read(name, at)
	if err != nil {
		return manifest.Tools{}, err
	}
	return manifest.ReadTools(r.Show(name), []byte(f.Text), r.manifest.Limits)
}

// gather puts the tools of the manifest, its files and its servers in one list.
// What is wrong with one source doesn't hide what is wrong with another.
func (r *reader) gather(ctx context.Context, t manifest.Tools) (toolset, error) {
	g := gathering{first: map[string]*cento.Tool{}}
	g.Listed, g.Notes = t.Listed, slices.Clone(t.Notes)
	defined := 0
	for _, named := range t.Files {
		g.define(t.Defined[defined:named.Before])
		defined = named.Before
		read, err := r.toolsFile(r.readInside, r.named(named.Path), named.Position)
		if g.faults.fatal(err) {
			return toolset{}, err
		}
		g.define(read.Defined)
		g.Notes = append(g.Notes, read.Notes...)
		g.Listed = g.Listed || read.Listed
		g.Active = append(g.Active, read.Names()...)
	}
	g.define(t.Defined[defined:])
	g.Active = append(t.Names(), g.Active...)
	if len(t.Servers) > 0 {
		if err := r.servers(ctx, &g, t.Servers); g.faults.fatal(err) {
			return toolset{}, err
		}
	}
	if t.Exact {
		g.Active = t.Active
	}
	g.Active = unique(g.Active)
	for i := range r.request.Tools { // a target may remove them
		if t := &r.request.Tools[i]; g.first[t.Name] == nil {
			g.first[t.Name] = t
		}
	}
	if len(g.faults) == 0 { // else not all tools are known
		g.remove(t.Removed, r.request.Servers == NoServers && len(t.Servers) > 0)
	}
	return g.toolset, cento.Join(g.faults)
}

// remove takes the tools of files and servers from the active ones that a target is
// without. One that there isn't is an error, unless servers were left out.
func (g *gathering) remove(removed []manifest.RemovedTool, others bool) {
	if len(removed) == 0 {
		return
	}
	if !g.Listed {
		g.Active = make([]string, len(g.Defined))
		for i := range g.Defined {
			g.Active[i] = g.Defined[i].Name
		}
	}
	g.Listed = true
	active, gone := slices.Clone(g.Active), make(map[string]bool, len(removed))
	known := make(map[string]bool, len(active))
	for _, name := range active {
		known[name] = true
	}
	for i := range removed {
		name := removed[i].Name
		gone[name] = true
		if !removed[i].Known && !others && !known[name] && g.first[name] == nil {
			e := removed[i].Unknown()
			if len(g.faults) < maxUndefined { // each name is held against all
				e.Hint = manifest.RemoveHint(name, active)
			}
			g.faults = append(g.faults, e)
		}
	}
	g.Active = slices.DeleteFunc(active, func(name string) bool { return gone[name] })
}

// gathering is tools of several sources on their way into one list.
type gathering struct {
	toolset
	first  map[string]*cento.Tool
	lock   *consent.Lock // nil: not read yet
	faults faults
}

// define adds definitions. A name that stands in two sources is an error that
// names both.
func (g *gathering) define(tools []cento.Tool) {
	for i := range tools {
		t := &tools[i]
		if first := g.first[t.Name]; first != nil {
			e := &cento.SourceError{
				Code: cento.DuplicateTool, Position: t.Origin, Message: fmt.Sprintf("two tools have the name %q", t.Name),
				Related: []cento.Related{{Position: first.Origin, Message: "the other one"}}, Hint: "give one of the two another name",
			}
			if t.Server != "" {
				e.Hint = fmt.Sprintf("give the server %q a prefix, as in {…, prefix: %s_}", t.Server, t.Server)
			}
			g.faults = append(g.faults, e)
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
