package app

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/nearest"
)

// WhatIf is how an active set differs from the one that a project's files give.
// The zero value changes nothing.
type WhatIf struct {
	// Tools are active instead of all that are defined; nil: those.
	Tools []string
	// Caps are set besides those of the project.
	Caps []string
	// The rest is done to what the two above give: WithTools and WithCaps are
	// there as well, the others aren't. WithCaps differs from Caps only in that
	// each of its names is expected to make a difference.
	WithTools, WithoutTools []string
	WithCaps, WithoutCaps   []string
	// WithoutFragments are taken out, by their ids.
	WithoutFragments []string
}

// Empty reports whether it changes nothing.
func (w WhatIf) Empty() bool {
	return w.Tools == nil && len(w.Caps)+len(w.WithTools)+len(w.WithoutTools)+len(w.WithCaps)+len(w.WithoutCaps)+len(w.WithoutFragments) == 0
}

// CheckToolName says what is wrong with the name of a tool that is to be active; nil
// for nothing. No file or server can define it, and it would stand in the prompt.
func CheckToolName(name string) error {
	if cento.IsToolName(name) {
		return nil
	}
	return fmt.Errorf("%q is no name of a tool: %s", name, cento.ToolNameHint)
}

// Change names the part of a [WhatIf] that a remark is about. Each door has its
// own spelling of it: flags are written with hyphens.
type Change string

// The changes, as requests write them.
const (
	OnlyTool    Change = "tool"
	WithTool    Change = "with_tool"
	WithoutTool Change = "without_tool"
	Cap         Change = "cap"
	WithCap     Change = "with_cap"
	WithoutCap  Change = "without_cap"

	WithoutFragment Change = "without_fragment"
)

// A Remark says of a name in a what-if that it changes nothing, or probably not
// what was meant. It reads behind the change and the name, as in "without_tool
// todo changes nothing".
type Remark struct {
	Change Change
	Name   string
	Says   string
	// Hint is empty when there is nothing to propose.
	Hint string
	// FlagHint is a hint in flags, for the command line alone; empty elsewhere.
	FlagHint string
}

// CodeChange is the note that a change which a request asks for changes nothing, or
// probably not what was meant.
const CodeChange cento.Code = "change.idle"

// RemarkNotes are remarks as notes: in the words of requests, whoever asks, since what is
// recorded of a request is to be the same from each door. A door that spells the changes
// otherwise tells them to people in its own words, too.
func RemarkNotes(remarks []Remark) []cento.Note {
	var out []cento.Note
	for _, r := range remarks {
		message := string(r.Change) + " " + r.Name + r.Says
		if r.Hint != "" {
			message += "; " + r.Hint
		}
		out = append(out, cento.Note{Code: CodeChange, Message: message})
	}
	return out
}

// Noted is an input that was changed, with the notes on its changes behind its own. It is
// what a record keeps, and every door has it made here.
func Noted(in cento.Input, notes []cento.Note) cento.Input {
	in.Notes = append(slices.Clip(in.Notes), notes...)
	return in
}

// WhatIf is the project's input with what is different, and what there is to say
// about the names. It reads nothing.
func (p *Project) WhatIf(w WhatIf) (cento.Input, []Remark) {
	in := p.Input
	var r remarks
	if w.Tools != nil {
		r.undefined(in, OnlyTool, w.Tools)
		in = in.WithTools(w.Tools...)
	}
	if len(w.Caps)+len(w.WithCaps) > 0 {
		r.caps, r.anyCap = p.knownCaps()
		r.isKnown = setOf(r.caps)
	}
	in = r.withCaps(in, Cap, w.Caps)
	if len(w.WithTools) > 0 {
		r.undefined(in, WithTool, w.WithTools)
		in = in.WithTools(united(in.ActiveTools(), w.WithTools)...)
	}
	if len(w.WithoutTools) > 0 {
		active := in.ActiveTools()
		r.idle(WithoutTool, w.WithoutTools, active, len(in.Tools) == 0)
		in = in.WithTools(except(active, w.WithoutTools)...)
	}
	in = r.withCaps(in, WithCap, w.WithCaps)
	if len(w.WithoutCaps) > 0 {
		r.idle(WithoutCap, w.WithoutCaps, in.Active.Caps, false)
		in.Active.Caps = except(in.Active.Caps, w.WithoutCaps)
	}
	if len(w.WithoutFragments) > 0 {
		r.fragments(in, w.WithoutFragments)
		in = in.WithoutFragments(w.WithoutFragments...)
	}
	return in, r.list
}

// remarks are gathered while an input is changed.
type remarks struct {
	list     []Remark
	caps     []string // that are set or asked for
	isKnown  map[string]bool
	anyCap   bool // something may ask for others
	compared int
}

// undefined tells of tools that are active by their name alone.
func (r *remarks) undefined(in cento.Input, change Change, names []string) {
	defined := make([]string, len(in.Tools))
	for i, t := range in.Tools {
		defined[i] = t.Name
	}
	active := in.ActiveTools()
	is, isActive := setOf(defined), setOf(active)
	for _, t := range names {
		switch {
		case is[t]:
		case len(defined) == 0:
			hint := ""
			if !isActive[t] {
				hint = r.meant(t, active)
			}
			r.add(change, t, ": no tools are defined, so it is active by its name alone, without guidance", hint)
			r.defineTools()
		default:
			r.add(change, t, ": not defined, so it is active by its name alone, without guidance; defined are "+someNames(defined), r.meant(t, defined))
		}
	}
}

// idle tells of names that can't be taken away from those that there are; undefined:
// there are no tools at all.
func (r *remarks) idle(change Change, names, there []string, undefined bool) {
	is := setOf(there)
	for _, name := range names {
		switch {
		case is[name]:
		case len(there) > 0 && change == WithoutTool:
			r.add(change, name, " changes nothing: the active tools are "+someNames(there), r.meant(name, there))
		case len(there) > 0:
			r.add(change, name, " changes nothing: the capabilities that are set are "+someNames(there), r.meant(name, there))
		case undefined:
			r.add(change, name, " changes nothing: no tools are defined", "")
			r.defineTools()
		case change == WithoutTool:
			r.add(change, name, " changes nothing: no tools are active", "")
		default:
			r.add(change, name, " changes nothing: no capabilities are set", "")
		}
	}
}

// fragments tells of ids that take nothing out.
func (r *remarks) fragments(in cento.Input, ids []string) {
	list, _, err := cento.Compose(in)
	if err != nil {
		return // whoever makes the prompt tells it
	}
	known := make([]string, len(list))
	for i := range list {
		known[i] = list[i].ID
	}
	for _, id := range ids {
		switch i := slices.Index(known, id); {
		case i < 0:
			r.add(WithoutFragment, id, " changes nothing: no fragment has this id", r.meant(id, known))
		case list[i].Protected || list[i].Tail:
			r.add(WithoutFragment, id, " changes nothing: it is protected", "")
		}
	}
}

// withCaps sets capabilities, and asks whether one was meant that something here
// asks for.
func (r *remarks) withCaps(in cento.Input, change Change, names []string) cento.Input {
	if len(names) == 0 {
		return in
	}
	for _, x := range names {
		if r.isKnown[x] || r.anyCap {
			continue
		}
		if hint := r.meant(x, r.caps); hint != "" || change == WithCap {
			r.add(change, x, ": no fragment asks for it", hint)
		}
	}
	in.Active.Caps = united(in.Active.Caps, names)
	return in
}

func (r *remarks) add(change Change, name, says, hint string) {
	r.list = append(r.list, Remark{Change: change, Name: name, Says: says, Hint: hint})
}

// defineTools adds to a remark without a hint how the tools are defined that are missing
// altogether.
func (r *remarks) defineTools() {
	if last := &r.list[len(r.list)-1]; last.Hint == "" {
		last.FlagHint = "define them in cento.yaml, or give them with --tools FILE"
	}
}

// maxNear bounds how many names are compared to propose one: who gets very many
// wrong needs no proposals.
const maxNear = 100_000

// meant offers the name that was probably meant, as a hint; empty for none.
func (r *remarks) meant(name string, known []string) string {
	if r.compared += len(known); r.compared > maxNear {
		return ""
	}
	return nearest.Hint(name, known, "")
}

// mostNames is how many names of a list are told.
const mostNames = 50

func someNames(names []string) string {
	if n := len(names) - mostNames; n > 0 {
		return strings.Join(names[:mostNames], ", ") + fmt.Sprintf(" and %d more", n)
	}
	return strings.Join(names, ", ")
}

func setOf(names []string) map[string]bool {
	out := make(map[string]bool, len(names))
	for _, n := range names {
		out[n] = true
	}
	return out
}

// united is a list with the names of another behind it that it hasn't yet.
func united(names, more []string) []string {
	out, is := slices.Clone(names), setOf(names)
	for _, n := range more {
		if !is[n] {
			is[n] = true
			out = append(out, n)
		}
	}
	return out
}

// except is a list without some names.
func except(names, gone []string) []string {
	is := setOf(gone)
	return slices.DeleteFunc(slices.Clone(names), func(n string) bool { return is[n] })
}

// CapNames are the capabilities that are set and those that something asks for.
func (p *Project) CapNames() []string {
	names, _ := p.knownCaps()
	return names
}

// knownCaps are the capabilities that are set or asked for, and whether something may
// ask for others.
func (p *Project) knownCaps() (names []string, others bool) {
	asked, others := p.AskedCaps()
	names = append(asked, p.Input.Active.Caps...)
	slices.Sort(names)
	return slices.Compact(names), others
}
