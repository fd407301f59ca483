package project

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/profile"
	"github.com/cento-dev/cento/pack"
)

// Capabilities are set by the manifest, by what the profile finds and by the model, and
// gates, conditions and prompt files ask for them. A name that stands on one side alone and
// is near to one of the other was probably meant to be that one.

// undefinedCaps tells of capabilities that are set and that nothing asks for, where
// something asks for one with nearly the same name, and gives those names. Any other may be
// for a caller.
func (r *reader) undefinedCaps(in *cento.Input, texts []cento.Fragment, files []*pack.File) (notes []cento.Note, meant map[string]bool) {
	set := r.manifest.Caps
	if len(set.Set) == 0 {
		return nil, nil
	}
	fragments, _, err := cento.Compose(*in)
	if err != nil {
		return nil, nil // the assembly tells it
	}
	asked, any := askedCaps(&r.shared.kept, fragments, in.Files, files)
	if any {
		return nil, nil
	}
	meant = map[string]bool{}
	return nearlyAsked(set.Set, set.SetAt, asked, func(name string) string {
		meant[name] = true
		for a := range r.asksFor("cap", texts, files, in.Files.Vars) {
			if a.name == name && !a.at.IsZero() {
				return ", which " + a.by() + " asks for at " + a.at.String()
			}
		}
		return ""
	}), meant
}

// UndefinedCaps tells of capabilities that are set, at these places, and that none of
// the fragments asks for, where one asks for nearly the same name. Their conditions may
// read these variables, a JSON object.
func UndefinedCaps(fragments []cento.Fragment, vars json.RawMessage, set []string, at []cento.Position) []cento.Note {
	if len(set) == 0 {
		return nil
	}
	asked, any := askedCaps(nil, fragments, cento.Files{Vars: vars}, nil)
	if any {
		return nil
	}
	return nearlyAsked(set, at, asked, func(string) string { return "" })
}

// AskedCaps are the capabilities that something in the prompt asks for, sorted, and
// whether something may ask for others as well.
func (p *Project) AskedCaps() (names []string, others bool) {
	fragments, _, err := cento.Compose(p.Input)
	if err != nil {
		return nil, true // the assembly tells it
	}
	asked, others := askedCaps(&p.from.shared.kept, fragments, p.Input.Files, p.files)
	return slices.Sorted(maps.Keys(asked)), others
}

// nearlyAsked tells of those that are set of which nearly the name is asked for, and by
// whom.
func nearlyAsked(set []string, at []cento.Position, asked map[string]bool, by func(name string) string) []cento.Note {
	names := newCapNames(slices.Sorted(maps.Keys(asked)))
	var notes []cento.Note
	var propose proposer
	for i, name := range set {
		if asked[name] {
			continue
		}
		if near, ok := propose.nearCap(name, names); ok {
			notes = append(notes, cento.Note{
				Code: CapUndefined, Position: at[i],
				Message: fmt.Sprintf("the capability %q is set, and nothing asks for it; did you mean %q%s?", name, near, by(near)),
			})
		}
	}
	return firstOf(notes, CapUndefined, "capabilities")
}

// askedCaps are the capabilities that gates, conditions and prompt files ask for,
// and whether one of these may ask for any. Wording of people's own may, and so may a
// prompt file that isn't among the files.
func askedCaps(kept *pack.Kept, fragments []cento.Fragment, read cento.Files, files []*pack.File) (asked map[string]bool, any bool) {
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
	for _, c := range conditionsOf(kept, fragments, read.Vars) {
		any = any || c.AsksAny("cap")
		for _, name := range c.Names("cap") {
			asked[name] = true
		}
	}
	return asked, any
}

// nearCaps tells of capabilities that gates, conditions and prompt files ask for and that
// nothing sets, neither the manifest or any of its targets nor a profile or model, where
// one of these has nearly the name. Any other may be a caller's. Those of beside
// were told with the one that is set.
func (r *reader) nearCaps(in *cento.Input, fragments []cento.Fragment, files []*pack.File, beside map[string]bool) []cento.Note {
	told := r.base.EveryCap()
	for _, name := range in.Active.Caps {
		told[name] = true
	}
	names := newCapNames(slices.Sorted(maps.Keys(told)))
	for _, name := range r.manifest.Caps.Remove { // what is taken away is known
		told[name] = true
	}
	maps.Copy(told, beside)
	var namespaces capNamespaces
	var notes []cento.Note
	var propose proposer
	for a := range r.asksFor("cap", fragments, files, in.Files.Vars) {
		if told[a.name] {
			continue
		}
		told[a.name] = true
		known, open := namespaces.of(r, a.name)
		if open || known.is[a.name] {
			continue
		}
		near, ok := propose.nearCap(a.name, names)
		if !ok {
			near, ok = propose.nearCap(a.name, known.capNames)
		}
		if ok {
			notes = append(notes, a.note(CapUnknown, "asks for the capability %q, which nothing sets", near))
		}
	}
	slices.SortStableFunc(notes, func(a, b cento.Note) int { return a.Position.Compare(b.Position) })
	return firstOf(notes, CapUnknown, "capabilities")
}

// idleRemovals tells of capabilities that the manifest takes away and that nothing sets,
// where something sets one with nearly the same name.
func (r *reader) idleRemovals(in *cento.Input, found *Profile) []cento.Note {
	caps := &r.manifest.Caps
	if len(caps.Remove) == 0 {
		return nil
	}
	there := r.base.EveryCap()
	if found != nil {
		for _, name := range found.Caps {
			there[name] = true
		}
	}
	for _, name := range slices.Concat(in.Model.Caps(), in.Active.Caps) {
		there[name] = true
	}
	names := newCapNames(slices.Sorted(maps.Keys(there)))
	var notes []cento.Note
	var propose proposer
	for i, name := range caps.Remove {
		if there[name] {
			continue
		}
		if near, ok := propose.nearCap(name, names); ok {
			notes = append(notes, cento.Note{
				Code: CapUndefined, Position: caps.RemoveAt[i],
				Message: fmt.Sprintf("the capability %q is taken away, and nothing sets it; did you mean %q?", name, near),
			})
		}
	}
	return firstOf(notes, CapUndefined, "capabilities")
}

// capNames are known capabilities, by the namespace in which they stand, as go does in
// language.go.
type capNames struct {
	all []string
	in  map[string][]string // without the namespace
}

// newCapNames orders names by their namespaces.
func newCapNames(names []string) capNames {
	c := capNames{all: names, in: map[string][]string{}}
	for _, name := range names {
		dot := strings.LastIndexByte(name, '.') + 1
		c.in[name[:dot]] = append(c.in[name[:dot]], name[dot:])
	}
	return c
}

// nearCap is near for capabilities: of a namespace that is known only the rest is compared,
// since what all begin with says nothing.
func (o *proposer) nearCap(name string, known capNames) (string, bool) {
	dot := strings.LastIndexByte(name, '.') + 1
	rests := known.in[name[:dot]]
	if dot == 0 || len(rests) == 0 {
		return o.near(name, known.all)
	}
	near, ok := o.near(name[dot:], rests)
	return name[:dot] + near, ok
}

// capNamespaces are the names that a profile and models may set in their namespaces,
// whatever the project at hand and its model are.
type capNamespaces struct{ model, language *capNamespace }

// capNamespace are all names of a namespace.
type capNamespace struct {
	capNames
	is map[string]bool
}

func newCapNamespace(names []string) *capNamespace {
	is := make(map[string]bool, len(names))
	for _, name := range names {
		is[name] = true
	}
	return &capNamespace{newCapNames(names), is}
}

// of gives the names of the namespace that a capability is in; open: the program doesn't
// know all that may be set there.
func (n *capNamespaces) of(r *reader, name string) (known *capNamespace, open bool) {
	switch {
	case strings.HasPrefix(name, "model."):
		if n.model == nil {
			n.model = newCapNamespace(r.models().Caps())
		}
		return n.model, false
	case strings.HasPrefix(name, profile.LanguagePrefix):
		if n.language == nil {
			n.language = newCapNamespace(profile.LanguageCaps())
		}
		return n.language, false
	}
	return &capNamespace{}, profile.IsCap(name)
}
