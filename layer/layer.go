package layer

import (
	"cmp"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
)

// A Layer is what one party does to the prompt. The zero Layer is empty and
// changes nothing. A layer that is empty differs from one that is absent: see
// [Saved].
type Layer struct {
	// Template replaces the section plan; nil keeps the one from below.
	Template *Template
	// Slots is what is done to each slot.
	Slots map[string]SlotLayer
	// Patches change the section plan in force, in order, after Template.
	Patches []Patch
	Origin  cento.Position // where it was read; zero for a library call
}

// Templates are the references to prompt files in the layer, by the order of the
// slots' names, each with the place that names it.
func (l Layer) Templates() iter.Seq2[string, cento.Position] {
	return func(yield func(string, cento.Position) bool) {
		for _, slot := range slices.Sorted(maps.Keys(l.Slots)) {
			for _, c := range l.Slots[slot].Contributions {
				if strings.TrimSpace(c.Template) != "" && !yield(c.Template, cmp.Or(c.TemplateOrigin, c.Origin)) {
					return
				}
			}
		}
	}
}

// A SlotLayer is what one layer does to one slot, in the order of its fields.
type SlotLayer struct {
	// Reset takes out everything that lower layers contributed.
	Reset bool
	// ResetOrigin is where it says so; zero: as Origin.
	ResetOrigin cento.Position
	// Remove takes single contributions of lower layers out.
	Remove []Removal
	// Contributions are added.
	Contributions []Contribution
	Origin        cento.Position
}

// A Removal names a contribution by its key in the slot: its id, or the slug of
// its title, or the name of its layer and its index there.
type Removal struct {
	Key    string
	Origin cento.Position
}

// IsEmpty reports whether the layer changes nothing: it has no template, no
// slots and no patches.
func (l Layer) IsEmpty() bool {
	return l.Template == nil && len(l.Slots) == 0 && len(l.Patches) == 0
}

// Clone returns a copy whose lists and map can be changed without changing l.
func (l Layer) Clone() Layer {
	if l.Template != nil {
		t := l.Template.clone()
		l.Template = &t
	}
	l.Slots = maps.Clone(l.Slots)
	for name, s := range l.Slots {
		s.Remove, s.Contributions = slices.Clone(s.Remove), slices.Clone(s.Contributions)
		l.Slots[name] = s
	}
	l.Patches = slices.Clone(l.Patches)
	for i := range l.Patches {
		l.Patches[i].NewSection = l.Patches[i].NewSection.clone()
	}
	return l
}

// setSlot is for a copy that nobody else has yet.
func (l *Layer) setSlot(name string, s SlotLayer) {
	if l.Slots == nil {
		l.Slots = make(map[string]SlotLayer)
	}
	l.Slots[name] = s
}

// WithContributions returns a copy with contributions at the end of the slots that
// they name. A reset of the slot stays as it is.
func (l Layer) WithContributions(contributions ...Contribution) Layer {
	l = l.Clone()
	for _, c := range contributions {
		s := l.Slots[c.Slot]
		s.Contributions = append(s.Contributions, c)
		l.setSlot(c.Slot, s)
	}
	return l
}

// WithReplacedSlot returns a copy in which the contributions are the only ones of
// the slot, whatever lower layers, and this one up to now, put there. They are
// forced to the slot.
func (l Layer) WithReplacedSlot(slot string, contributions ...Contribution) Layer {
	l = l.Clone()
	s := SlotLayer{Reset: true, Contributions: slices.Clone(contributions)}
	for i := range s.Contributions {
		s.Contributions[i].Slot = slot
	}
	l.setSlot(slot, s)
	return l
}

// WithClearedSlot returns a copy that empties the slot of what lower layers, and
// this one up to now, put there.
func (l Layer) WithClearedSlot(slot string) Layer {
	l = l.Clone()
	l.setSlot(slot, SlotLayer{Reset: true})
	return l
}

// WithRemoved returns a copy that takes single contributions of lower layers out
// of a slot.
func (l Layer) WithRemoved(slot string, keys ...string) Layer {
	l = l.Clone()
	s := l.Slots[slot]
	for _, k := range keys {
		s.Remove = append(s.Remove, Removal{Key: k})
	}
	l.setSlot(slot, s)
	return l
}

// WithTemplate returns a copy that brings another section plan.
func (l Layer) WithTemplate(t Template) Layer {
	l = l.Clone()
	t = t.clone()
	l.Template = &t
	return l
}

// WithClearedTemplate returns a copy without a section plan, so that the one from
// below holds, which need not be the default.
func (l Layer) WithClearedTemplate() Layer {
	l = l.Clone()
	l.Template = nil
	return l
}

// WithPatches returns a copy with further changes of the section plan in force.
func (l Layer) WithPatches(patches ...Patch) Layer {
	l = l.Clone()
	l.Patches = append(l.Patches, patches...)
	return l
}
