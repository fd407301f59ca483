package app

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/layer"
	"github.com/cento-dev/cento/project"
)

// Layers tells what each layer of a project does to its prompt, and what they
// come to together.
type Layers struct {
	// Layers stand low to high, the built-in section plan first.
	Layers []LayerReport `json:"layers"`
	// InPrompt tells that the section plan is in the prompt: some layer brings a
	// template or touches a slot.
	InPrompt bool          `json:"in_prompt"`
	Plan     []PlanSection `json:"plan"`
	// Out are the fragments that a layer took out, or that have no place.
	Out   []LayerFragment `json:"out"`
	Notes []cento.Note    `json:"notes"`
}

// LayerReport is what one layer does.
type LayerReport struct {
	Name   string          `json:"name"`
	Rank   layer.Rank      `json:"rank"`
	Origin *cento.Position `json:"origin"`
	// Template lists the titles of the section plan that it brings, null for an
	// untitled section; null when it brings none.
	Template []*string `json:"template"`
	// Patches say what it changes in the plan in force.
	Patches []string `json:"patches"`
	// Resets are the slots that it empties of what lower layers put there.
	Resets []string `json:"resets"`
	// Removes are single contributions that it takes out, as slot and key.
	Removes []string `json:"removes"`
	// Adds are the fragments that it brings, in or out.
	Adds []LayerFragment `json:"adds"`
	// TookOut are the ids of the fragments that are out because of it.
	TookOut []string `json:"took_out"`
}

// LayerFragment is a fragment that a layer brings.
type LayerFragment struct {
	ID string `json:"id"`
	// Layer is the one that it came from; empty for the agent's main text, unless that is
	// the program's own.
	Layer    string          `json:"layer"`
	Included bool            `json:"included"`
	Reason   string          `json:"reason"`
	Code     cento.Code      `json:"code"`
	Origin   *cento.Position `json:"origin"`
}

// PlanSection is a section of the plan in force.
type PlanSection struct {
	Title   *string     `json:"title"`
	Entries []PlanEntry `json:"entries"`
}

// PlanEntry is a place of a section, with what stands there.
type PlanEntry struct {
	// Kind is text, builtin or slot; Name is that of the builtin or slot.
	Kind      string          `json:"kind"`
	Name      string          `json:"name,omitempty"`
	Fragments []LayerFragment `json:"fragments"`
}

// Layers tells of the layers of the project in a prompt of it.
func (p *Project) Layers(prompt *cento.Prompt) *Layers {
	stack, resolution := p.Project.Layers(), p.Resolution()
	l := &Layers{InPrompt: p.Layered(), Out: []LayerFragment{}, Notes: resolution.Notes()}
	if l.Notes == nil {
		l.Notes = []cento.Note{}
	}
	var placed []LayerFragment
	brings, took := map[string][]LayerFragment{}, map[string][]string{}
	for _, f := range p.Input.Primary.Sections {
		i, ok := prompt.Index(f.ID)
		if !ok {
			continue
		}
		t := prompt.Trace(i, cento.ExplainOptions{})
		x := LayerFragment{ID: f.ID, Layer: f.Layer, Included: t.Included, Reason: t.Reason, Code: t.Code, Origin: t.Origin}
		brings[f.Layer] = append(brings[f.Layer], x)
		if f.Excluded == nil {
			placed = append(placed, x)
			continue
		}
		l.Out = append(l.Out, x)
		switch f.Excluded.Code {
		case cento.CodeLayerCleared, cento.CodeLayerReplaced, cento.CodeLayerRemoved:
			took[f.Excluded.By] = append(took[f.Excluded.By], f.ID)
		case cento.CodeSlotUnplaced:
			if by := f.Excluded.Layer; by != "" {
				took[by] = append(took[by], f.ID)
			}
		}
	}
	builtin := resolution.Bottom()
	stack = slices.Insert(stack, 0, layer.Ranked{Name: layer.BuiltinRank.String(), Layer: layer.Layer{Template: &builtin}})
	for _, x := range stack {
		r := reportOf(x)
		r.Adds, r.TookOut = orNone(brings[x.Name]), orNone(took[x.Name])
		l.Layers = append(l.Layers, r)
	}
	l.Plan = planOf(resolution, p.Input.Primary.Sections, placed)
	return l
}

func orNone[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// reportOf is what a layer says.
func reportOf(x layer.Ranked) LayerReport {
	r := LayerReport{Name: x.Name, Rank: x.Rank, Patches: []string{}, Resets: []string{}, Removes: []string{}}
	if at := x.Layer.Origin; !at.IsZero() {
		r.Origin = &at
	}
	if t := x.Layer.Template; t != nil {
		r.Template = []*string{}
		for _, s := range t.Sections {
			r.Template = append(r.Template, titleOf(s))
		}
	}
	for _, p := range x.Layer.Patches {
		r.Patches = append(r.Patches, patchText(p))
	}
	for _, slot := range slices.Sorted(maps.Keys(x.Layer.Slots)) {
		s := x.Layer.Slots[slot]
		if s.Reset {
			r.Resets = append(r.Resets, slot)
		}
		for _, k := range s.Remove {
			r.Removes = append(r.Removes, slot+"/"+k.Key)
		}
	}
	return r
}

func titleOf(s layer.Section) *string {
	if title := s.Heading(); title != "" {
		return &title
	}
	return nil
}

// patchText says what a patch does, in a line.
func patchText(p layer.Patch) string {
	side := "before"
	if p.After {
		side = "after"
	}
	if p.Op == layer.InsertSection {
		return fmt.Sprintf("section %q %s %q", p.NewSection.Heading(), side, p.Anchor)
	}
	entry := p.NewEntry.Kind.String()
	if p.NewEntry.Kind != layer.TextEntry {
		entry += " " + p.NewEntry.Value
	}
	return fmt.Sprintf("%s %s %s in section %q", entry, side, p.Anchor, p.Section)
}

// planOf lays the fragments that have a place out over the plan. They stand in
// its order: one for a text, as many for a builtin as are chained to its first,
// as many for a slot as are in force there.
func planOf(r *layer.Resolution, sections []cento.Fragment, placed []LayerFragment) []PlanSection {
	inSlot := map[string]int{}
	for _, c := range r.Contributions() {
		inSlot[c.Slot]++
	}
	tight := map[string]bool{}
	for _, f := range sections {
		tight[f.ID] = f.Tight
	}
	next := func(n int) []LayerFragment {
		n = min(n, len(placed))
		out := placed[:n:n]
		placed = placed[n:]
		return orNone(out)
	}
	plan := []PlanSection{}
	for _, s := range r.Template().Sections {
		section := PlanSection{Title: titleOf(s), Entries: []PlanEntry{}}
		for _, e := range s.Entries {
			entry := PlanEntry{Kind: e.Kind.String()}
			n := 1
			switch e.Kind {
			case layer.BuiltinEntry:
				entry.Name = e.Value
				if e.Value == layer.Instruction && (len(placed) == 0 || !strings.HasPrefix(placed[0].ID, cento.SystemID)) {
					n = 0 // there is none
				}
				for n > 0 && n < len(placed) && tight[placed[n].ID] {
					n++
				}
			case layer.SlotEntry:
				entry.Name, n = e.Value, inSlot[e.Value]
			}
			entry.Fragments = next(n)
			section.Entries = append(section.Entries, entry)
		}
		plan = append(plan, section)
	}
	if len(placed) > 0 { // protected, and without a slot in the plan
		plan = append(plan, PlanSection{Entries: []PlanEntry{{Kind: "protected", Fragments: placed}}})
	}
	return plan
}

// LayerNames lists the layers above the built-in one, each name once.
func (p *Project) LayerNames() []string {
	var names []string
	for _, l := range p.Project.Layers() {
		if !slices.Contains(names, l.Name) {
			names = append(names, l.Name)
		}
	}
	return names
}

// WithLayers is the project with other layers in use.
func (p *Project) WithLayers(ctx context.Context, choice project.LayerChoice) (*Project, error) {
	q, err := p.Project.WithLayers(ctx, choice)
	if err != nil {
		return nil, err
	}
	return of(q), nil
}
