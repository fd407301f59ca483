package project

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/nearest"
	"github.com/cento-dev/cento/pack"
)

// A name that is mistyped opens no gate, and nothing fails. So what a manifest
// names is held against what there is.

const (
	// maxUndefined is how many names are told one by one.
	maxUndefined = 20
	// maxCompared bounds how many pairs of names are compared: both sides come
	// from files of the project, and may be very many.
	maxCompared = 1 << 17
)

// proposer finds near names until it has compared enough.
type proposer struct{ compared int }

func (o *proposer) near(name string, known []string) (string, bool) {
	if o.compared += len(known); o.compared > maxCompared {
		return "", false
	}
	return nearest.Name(name, known)
}

// undefined tells of tools, capabilities and variables that the manifest names and that
// were probably meant otherwise.
func (r *reader) undefined(in *cento.Input, files []*pack.File) []cento.Note {
	near := r.gatedTexts(in.Host, in.Fragments, in.Primary.Sections, in.Primary.Skills)
	return slices.Concat(r.undefinedTools(in.Tools), r.nearTools(in, near, files), r.undefinedCaps(in, files), r.misnamedVars(in, files))
}

// gatedTexts are the texts whose gates people write: the parts of a host, and fragments.
// The program's own texts ask for tools that a project needn't have.
func (r *reader) gatedTexts(host cento.Host, fragments ...[]cento.Fragment) []cento.Fragment {
	parts, _, err := cento.Compose(cento.Input{Host: host, Limits: r.manifest.Limits})
	if err != nil {
		parts = nil // the assembly tells it
	}
	parts = slices.DeleteFunc(parts, func(f cento.Fragment) bool { return !strings.HasPrefix(f.ID, "host:") })
	return slices.Concat(append([][]cento.Fragment{parts}, fragments...)...)
}

// nearTools tells of tools that gates, conditions and prompt files ask for and that
// neither the manifest nor any of its targets has, where one has nearly the same name.
// Any other may be a caller's. Where not all tools are known, nothing can be said.
func (r *reader) nearTools(in *cento.Input, fragments []cento.Fragment, files []*pack.File) []cento.Note {
	replaced := r.request.ToolsText != nil || r.request.ToolsName != "" || r.request.Tools != nil
	if replaced || r.request.Servers == NoServers && len(r.manifest.Tools.Servers) > 0 {
		return nil
	}
	known, others := r.base.EveryTool(r.request.Target)
	for i := range in.Tools {
		known[in.Tools[i].Name] = true
	}
	for _, name := range in.Active.Tools {
		known[name] = true
	}
	if others || len(known) == 0 {
		return nil
	}
	names := slices.Sorted(maps.Keys(known))
	told := maps.Clone(known)
	var notes []cento.Note
	var propose proposer
	ask := func(who, tool, fragment string, at cento.Position) {
		if told[tool] {
			return
		}
		told[tool] = true
		if near, ok := propose.near(tool, names); ok {
			notes = append(notes, cento.Note{
				Code: ToolUnknown, Position: at, Fragment: fragment,
				Message: fmt.Sprintf("%s asks for the tool %q, which nothing defines; did you mean %q?", who, tool, near),
			})
		}
	}
	for _, file := range files {
		front := file.Front()
		for i, tool := range front.RequiresTools {
			if at := front.GatesOrigin.Tools[i]; ofProject(at) {
				ask("the prompt file", tool, "", at)
			}
		}
		for _, use := range file.Asks("tool") {
			if ofProject(use.Position) {
				ask("the prompt file", use.Name, "", use.Position)
			}
		}
	}
	var conditional []cento.Fragment
	for i := range fragments {
		f := &fragments[i]
		for tool, at := range f.GateTools() {
			ask(fmt.Sprintf("the fragment %q", f.ID), tool, f.ID, at)
		}
		if strings.Contains(f.When, "tool") {
			conditional = append(conditional, *f)
		}
	}
	for _, c := range conditionsOf(conditional, in.Files.Vars) {
		for _, use := range c.Asks("tool") {
			at := use.Position
			if at.File == "" {
				at = cento.Position{}
			}
			ask("a condition", use.Name, "", at)
		}
	}
	slices.SortStableFunc(notes, func(a, b cento.Note) int { return a.Position.Compare(b.Position) })
	return firstOf(notes, ToolUnknown, "tools")
}

// ofProject reports a place in a prompt file of the project: what others bring may be
// meant for tools of other projects, too.
func ofProject(at cento.Position) bool { return strings.HasPrefix(at.File, string(pack.Workspace)+"/") }

// undefinedTools tells of tools that a target names and nothing defines. Names that the
// manifest itself has beside its definitions are known: a caller brings these
// tools. Where it knows no tools at all, or its servers weren't asked, nothing
// can be said.
func (r *reader) undefinedTools(tools []cento.Tool) []cento.Note {
	named := r.manifest.Tools.NamedAt
	replaced := r.request.ToolsText != nil || r.request.ToolsName != ""
	if r.request.Target == "" || replaced || len(named) == 0 || r.request.Servers == NoServers && len(r.manifest.Tools.Servers) > 0 {
		return nil
	}
	known := make(map[string]bool)
	for i := range tools {
		known[tools[i].Name] = true
	}
	defined := len(known) > 0
	for name := range r.base.Tools.NamedAt {
		known[name] = true
	}
	names := slices.Sorted(maps.Keys(known))
	var notes []cento.Note
	var propose proposer
	for _, name := range r.manifest.Tools.Active {
		at, byName := named[name]
		if !byName || known[name] {
			continue
		}
		near, ok := propose.near(name, names)
		if !ok && !defined {
			continue
		}
		n := cento.Note{
			Code: ToolUndefined, Position: at,
			Message: fmt.Sprintf("the target %q names the tool %q, which nothing defines: it is active by its name alone, without guidance", r.request.Target, name),
		}
		if ok {
			n.Message += fmt.Sprintf("; did you mean %q?", near)
		} else {
			n.Message += "; the tools are " + listed(names)
		}
		notes = append(notes, n)
	}
	return firstOf(notes, ToolUndefined, "tools")
}

// undefinedCaps tells of capabilities that are set and that nothing asks for, where
// something asks for one with nearly the same name. Any other may be for a caller.
func (r *reader) undefinedCaps(in *cento.Input, files []*pack.File) []cento.Note {
	set := r.manifest.Caps
	if len(set.Set) == 0 {
		return nil
	}
	fragments, _, err := cento.Compose(*in)
	if err != nil {
		return nil // the assembly tells it
	}
	asked, any := askedCaps(fragments, in.Files, files)
	if any {
		return nil
	}
	return nearCaps(set.Set, set.SetAt, asked)
}

// UndefinedCaps tells of capabilities that are set, at these places, and that none of
// the fragments asks for, where one asks for nearly the same name. Their conditions may
// read these variables, a JSON object.
func UndefinedCaps(fragments []cento.Fragment, vars json.RawMessage, set []string, at []cento.Position) []cento.Note {
	if len(set) == 0 {
		return nil
	}
	asked, any := askedCaps(fragments, cento.Files{Vars: vars}, nil)
	if any {
		return nil
	}
	return nearCaps(set, at, asked)
}

// AskedCaps are the capabilities that something in the prompt asks for, sorted, and
// whether something may ask for others as well.
func (p *Project) AskedCaps() (names []string, others bool) {
	fragments, _, err := cento.Compose(p.Input)
	if err != nil {
		return nil, true // the assembly tells it
	}
	asked, others := askedCaps(fragments, p.Input.Files, p.files)
	return slices.Sorted(maps.Keys(asked)), others
}

// nearCaps tells of those that are set of which nearly the name is asked for.
func nearCaps(set []string, at []cento.Position, asked map[string]bool) []cento.Note {
	names := slices.Sorted(maps.Keys(asked))
	var notes []cento.Note
	var propose proposer
	for i, name := range set {
		if asked[name] {
			continue
		}
		if near, ok := propose.near(name, names); ok {
			notes = append(notes, cento.Note{
				Code: CapUndefined, Position: at[i],
				Message: fmt.Sprintf("the capability %q is set, and nothing asks for it; did you mean %q?", name, near),
			})
		}
	}
	return firstOf(notes, CapUndefined, "capabilities")
}

// askedCaps are the capabilities that gates, conditions and prompt files ask for,
// and whether one of these may ask for any. Wording of people's own may, and so may a
// prompt file that isn't among the files.
func askedCaps(fragments []cento.Fragment, read cento.Files, files []*pack.File) (asked map[string]bool, any bool) {
	asked = make(map[string]bool)
	for _, f := range fragments {
		for _, name := range f.RequiresCaps {
			asked[name] = true
		}
		switch {
		case f.Template == "" || f.Excluded != nil: // what is out asks for nothing
		case strings.HasPrefix(f.Template, cento.CatalogTemplate):
			any = any || len(read.Wording) > 0
		default:
			any = any || len(files) == 0
		}
	}
	for _, f := range files {
		any = any || f.AsksAny("cap")
		for _, use := range f.Asks("cap") {
			asked[use.Name] = true
		}
	}
	for _, c := range conditionsOf(fragments, read.Vars) {
		any = any || c.AsksAny("cap")
		for _, name := range c.Names("cap") {
			asked[name] = true
		}
	}
	return asked, any
}

// firstOf is the first of many notes, and a line on how many more there are.
func firstOf(notes []cento.Note, code cento.Code, of string) []cento.Note {
	more := len(notes) - maxUndefined
	if more <= 0 {
		return notes
	}
	last := cento.Note{Code: code, Position: notes[maxUndefined].Position, Message: fmt.Sprintf("and so are %d more %s", more, of)}
	return append(notes[:maxUndefined:maxUndefined], last)
}

// listed names the first few of many.
func listed(names []string) string {
	if more := len(names) - maxUndefined; more > 0 {
		return strings.Join(names[:maxUndefined], ", ") + fmt.Sprintf(" and %d more", more)
	}
	return strings.Join(names, ", ")
}
