package project

import (
	"encoding/json"
	"fmt"
	"iter"
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
// were probably meant otherwise. The profile is nil where there is none.
func (r *reader) undefined(in *cento.Input, found *Profile, files []*pack.File) []cento.Note {
	near := r.gatedTexts(in.Host, in.Fragments, in.Primary.Sections, in.Primary.Skills)
	caps, meant := r.undefinedCaps(in, near, files)
	return slices.Concat(
		r.undefinedTools(in.Tools), r.nearTools(in, near, files),
		caps, r.nearCaps(in, near, files, meant), r.idleRemovals(in, found), r.misnamedVars(in, files),
	)
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
	if r.request.replacesTools() || r.request.Servers == NoServers && len(r.manifest.Tools.Servers) > 0 {
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
	for a := range r.asksFor("tool", fragments, files, in.Files.Vars) {
		if told[a.name] {
			continue
		}
		told[a.name] = true
		if near, ok := propose.near(a.name, names); ok {
			notes = append(notes, a.note(ToolUnknown, "asks for the tool %q, which nothing defines", near))
		}
	}
	slices.SortStableFunc(notes, func(a, b cento.Note) int { return a.Position.Compare(b.Position) })
	return firstOf(notes, ToolUnknown, "tools")
}

// asked is a tool or capability that a text of the project's people asks for.
type asked struct {
	who, name string
	fragment  string // that asks, in place of who
	at        cento.Position
}

// by is who asks.
func (a *asked) by() string {
	if a.fragment != "" {
		return fmt.Sprintf("the fragment %q", a.fragment)
	}
	return a.who
}

// note tells of a name that there isn't, as the message words it, and of the near one.
func (a *asked) note(code cento.Code, message, near string) cento.Note {
	return cento.Note{Code: code, Position: a.at, Fragment: a.fragment, Message: a.by() + " " + fmt.Sprintf(message, a.name) + fmt.Sprintf("; did you mean %q?", near)}
}

// asksFor are the tools, or the capabilities (cap), that prompt files of the project, the
// gates of fragments and their conditions ask for.
func (r *reader) asksFor(kind string, fragments []cento.Fragment, files []*pack.File, vars json.RawMessage) iter.Seq[asked] {
	return func(yield func(asked) bool) {
		for _, file := range files {
			front := file.Front()
			var origins cento.GateOrigins
			if front.GatesOrigin != nil {
				origins = *front.GatesOrigin
			}
			names, places := front.RequiresTools, origins.Tools
			if kind == "cap" {
				names, places = front.RequiresCaps, origins.Caps
			}
			for i, name := range names {
				if at := places[i]; ofProject(at) && !yield(asked{who: "the prompt file", name: name, at: at}) {
					return
				}
			}
			for _, use := range file.Asks(kind) {
				if ofProject(use.Position) && !yield(asked{who: "the prompt file", name: use.Name, at: use.Position}) {
					return
				}
			}
		}
		var conditional []cento.Fragment
		for i := range fragments {
			f := &fragments[i]
			gates := f.GateTools()
			if kind == "cap" {
				gates = f.GateCaps()
			}
			for name, at := range gates {
				if !yield(asked{name: name, fragment: f.ID, at: at}) {
					return
				}
			}
			if strings.Contains(f.When, kind) {
				conditional = append(conditional, *f)
			}
		}
		for _, c := range conditionsOf(&r.shared.kept, conditional, vars) {
			for _, use := range c.Asks(kind) {
				at := use.Position
				if at.File == "" {
					at = cento.Position{}
				}
				if !yield(asked{who: "a condition", name: use.Name, at: at}) {
					return
				}
			}
		}
	}
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
	if r.request.Target == "" || r.request.replacesTools() || len(named) == 0 || r.request.Servers == NoServers && len(r.manifest.Tools.Servers) > 0 {
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
