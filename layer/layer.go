package layer

import (
	"maps"
	"slices"

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

// A SlotLayer is what one layer does to one slot, in the order of its fields.
type SlotLayer struct {
	// Reset takes out everything that lower layers contributed.
	Reset bool
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
		t := l.Template.Clone()
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

func (l *Layer) setSlot(name string, s SlotLayer) {
	if l.Slots == nil {
		l.Slots = make(map[string]SlotLayer)
	}
	l.Slots[name] = s
}

// Add appends contributions to the slots that they name. It leaves a reset of
// the slot as it is.
func (l *Layer) Add(contributions ...Contribution) {
	for _, c := range contributions {
		s := l.Slots[c.Slot]
		s.Contributions = append(s.Contributions, c)
		l.setSlot(c.Slot, s)
	}
}

// ReplaceSlot makes the contributions the only ones of the slot, whatever lower
// layers, and this one up to now, put there. They are forced to the slot.
func (l *Layer) ReplaceSlot(slot string, contributions ...Contribution) {
	s := SlotLayer{Reset: true, Contributions: slices.Clone(contributions)}
	for i := range s.Contributions {
		s.Contributions[i].Slot = slot
	}
	l.setSlot(slot, s)
}

// ClearSlot empties the slot of what lower layers, and this one up to now, put
// there.
func (l *Layer) ClearSlot(slot string) { l.setSlot(slot, SlotLayer{Reset: true}) }

// RemoveFrom takes single contributions of lower layers out of a slot.
func (l *Layer) RemoveFrom(slot string, keys ...string) {
	s := l.Slots[slot]
	for _, k := range keys {
		s.Remove = append(s.Remove, Removal{Key: k})
	}
	l.setSlot(slot, s)
}

// SetTemplate brings another section plan.
func (l *Layer) SetTemplate(t Template) { l.Template = &t }

// ClearTemplate takes this layer's section plan out, so that the one from below
// holds, which need not be the default.
func (l *Layer) ClearTemplate() { l.Template = nil }

// AddPatches appends changes of the section plan in force.
func (l *Layer) AddPatches(patches ...Patch) {
	l.Patches = append(l.Patches, patches...)
}

// WithContributions is [Layer.Add] on a copy.
func (l Layer) WithContributions(contributions ...Contribution) Layer {
	l = l.Clone()
	l.Add(contributions...)
	return l
}

// WithReplacedSlot is [Layer.ReplaceSlot] on a copy.
func (l Layer) WithReplacedSlot(slot string, contributions ...Contribution) Layer {
	l = l.Clone()
	l.ReplaceSlot(slot, contributions...)
	return l
}

// WithClearedSlot is [Layer.ClearSlot] on a copy.
func (l Layer) WithClearedSlot(slot string) Layer {
	l = l.Clone()
	l.ClearSlot(slot)
	return l
}

// WithRemoved is [Layer.RemoveFrom] on a copy.
func (l Layer) WithRemoved(slot string, keys ...string) Layer {
	l = l.Clone()
	l.RemoveFrom(slot, keys...)
	return l
}

// WithTemplate is [Layer.SetTemplate] on a copy.
func (l Layer) WithTemplate(t Template) Layer {
	l = l.Clone()
	l.SetTemplate(t.Clone())
	return l
}

// WithClearedTemplate is [Layer.ClearTemplate] on a copy.
func (l Layer) WithClearedTemplate() Layer {
	l = l.Clone()
	l.ClearTemplate()
	return l
}

// WithPatches is [Layer.AddPatches] on a copy.
func (l Layer) WithPatches(patches ...Patch) Layer {
	l = l.Clone()
	l.AddPatches(patches...)
	return l
}
