package layer

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/nearest"
)

// Resolution is a stack of layers resolved into one section plan and the
// contributions for its slots, with a record of everything that was taken out.
// It is immutable. It refers to the layers that it was made of: don't change
// those while it is in use.
type Resolution struct {
	layers  []Ranked // names and ranks; the layers themselves are left out
	plan    []*plannedSection
	origin  cento.Position // of the template in force
	patches int            // applied to it
	// items are all contributions in the order in which they came: by layer, slot
	// name, declaration.
	items []item
	slots map[string]*slotState
	// declared are the slots that any template or patch of the stack has.
	declared map[string]bool
	bottom   Template
	builtins []string // that entries may place
	dropped  []droppedEntry
	// unplaced are the slots of replaced templates, the last ones at the end.
	unplaced []unplacedSlot
	notes    []cento.Note
	// furtherNotes counts what was left out of notes.
	furtherNotes int
	// idle are the removals of nothing of which no key was nearly the name.
	idle   []Removal
	merged bool
}

// maxNotes bounds the notes that are kept: of a stack that is wrong everywhere
// the first tell enough.
const maxNotes = 1000

// builtinLayer is the layer number of the default template.
const builtinLayer = -1

// plannedSection is a section of the plan in force.
type plannedSection struct {
	*Section
	heading string // the title as printed
	from    *cento.Attribution
	entries []plannedEntry
}

// plannedEntry is an entry and the number of the layer that brought it.
type plannedEntry struct {
	*Entry
	layer int32
}

// unplacedSlot is a slot of a template that another replaced: by whom, and where.
type unplacedSlot struct {
	slot string
	by   int32
	at   cento.Position
}

// droppedEntry is an entry of a template that another replaced.
type droppedEntry struct {
	plannedEntry
	by             int32
	at             cento.Position // of the template that replaced it
	section, entry int            // its place
}

// item is one contribution of one layer.
type item struct {
	*Contribution
	slot  string
	layer int32
	index int32 // in the layer's list for the slot
	// id is that of the fragment in the first place of the slot: `slot:`, the
	// slot's name, `/`, the key. Source and key are parts of it.
	id  string
	out cento.Code // why it was taken out; empty: it is in force
	by  int32      // the layer that took it out, or the item that it repeats
	// outAt is where that layer says so.
	outAt cento.Position
	// removals counts the layers that tried to remove it and couldn't, the first
	// of which is remover; resets is how many the slot had seen when it came.
	removals, remover, resets int32
}

// slotState is what is in force in a slot.
type slotState struct {
	live []int32
	// gone is how many of live were removed since it was compacted.
	gone int
	// settled is how many at the front of live the last reset left: they are
	// protected, and no later one has to look at them.
	settled int
	resets  []int32 // the layers that reset the slot
	keys    keyRing
	uses    []use
}

// use is where a layer changes a slot.
type use struct {
	layer  int32
	origin cento.Position
}

// Resolve applies layers low to high, in the order given (see [Sort]), to the
// default template and no contributions. A layer's template replaces the whole
// plan, its patches change it; then its slots are visited in bytewise order of
// their names.
//
// All that is wrong is returned at once; the codes are [UnknownSlot],
// [UnknownBuiltin], [UnknownAnchor], [InvalidLayer], [ProtectedDenied] and
// [cento.LimitExceeded].
func Resolve(stack []Ranked) (*Resolution, error) { return ResolveOver(DefaultTemplate(), stack) }

// ResolveOver is [Resolve] with another section plan at the bottom. The builtin
// [Instruction] is known where that plan places it.
func ResolveOver(bottom Template, stack []Ranked) (*Resolution, error) {
	r := resolver{Resolution: &Resolution{slots: make(map[string]*slotState), declared: make(map[string]bool), bottom: bottom, builtins: bottom.builtins()}}
	r.setPlan(&bottom)
	return r.apply(stack)
}

// With returns the resolution with further layers on top: what resolving all of
// them at once gives. Its errors are those of [Resolve]. With a merged
// resolution the result is merged, too, and what was a duplicate stays out.
func (r *Resolution) With(layers ...Ranked) (*Resolution, error) {
	next := resolver{Resolution: r.clone()}
	return next.apply(layers)
}

func (r *Resolution) clone() *Resolution {
	c := *r
	c.layers = slices.Clip(c.layers)
	c.plan = slices.Clone(c.plan)
	for i, s := range c.plan {
		copied := *s
		copied.entries = slices.Clone(s.entries)
		c.plan[i] = &copied
	}
	c.items = slices.Clone(c.items)
	c.slots = make(map[string]*slotState, len(r.slots))
	for name, s := range r.slots {
		copied := *s
		copied.live, copied.keys = slices.Clone(s.live), s.keys.clone()
		copied.resets, copied.uses = slices.Clip(s.resets), slices.Clip(s.uses)
		c.slots[name] = &copied
	}
	c.declared = maps.Clone(c.declared)
	c.dropped, c.unplaced, c.notes, c.idle = slices.Clip(c.dropped), slices.Clip(c.unplaced), slices.Clip(c.notes), slices.Clip(c.idle)
	return &c
}

type resolver struct {
	*Resolution
	errs []*cento.SourceError
	// hinted counts the searches for a near name: each may look at every name of
	// the stack, and more than a few help nobody.
	hinted int
}

// hint makes advice unless there was enough of it.
func (r *resolver) hint(make func() string) string {
	if r.hinted++; r.hinted > maxHinted {
		return ""
	}
	return make()
}

func (r *resolver) fail(code cento.ErrorCode, at cento.Position, format string, args ...any) *cento.SourceError {
	e := &cento.SourceError{Code: code, Position: at, Message: fmt.Sprintf(format, args...)}
	r.errs = append(r.errs, e)
	return e
}

func (r *resolver) note(code cento.Code, at cento.Position, format string, args ...any) {
	if len(r.notes) >= maxNotes {
		r.furtherNotes++
		return
	}
	r.notes = append(r.notes, cento.Note{Code: code, Message: fmt.Sprintf(format, args...), Position: at})
}

// layer is the number of the layer in hand.
func (r *resolver) layer() int32 { return int32(len(r.layers) - 1) }

// name is the name of the layer in hand.
func (r *resolver) name() string { return r.layerName(r.layer()) }

func (r *Resolution) layerName(n int32) string {
	if n == builtinLayer {
		return BuiltinRank.String()
	}
	return r.layers[n].Name
}

func (r *resolver) apply(stack []Ranked) (*Resolution, error) {
	total := 0
	for i := range stack {
		for _, s := range stack[i].Layer.Slots {
			total += len(s.Contributions)
		}
	}
	r.items = slices.Grow(r.items, total)
	for i := range stack {
		r.applyLayer(&stack[i])
	}
	for _, s := range r.slots {
		r.compact(s)
	}
	r.checkSlots()
	if err := cento.Join(r.errs); err != nil {
		return nil, err
	}
	if r.merged {
		return r.Merged(), nil
	}
	return r.Resolution, nil
}

func (r *resolver) applyLayer(x *Ranked) {
	r.layers = append(r.layers, Ranked{Name: x.Name, Rank: x.Rank})
	if !plainName(x.Name) {
		r.fail(InvalidLayer, x.Layer.Origin, "layer %d has the name %q", len(r.layers), x.Name).
			Hint = "a layer's name is one line of visible characters without backticks"
	}
	if !rankNames.Has(x.Rank) {
		r.fail(InvalidLayer, x.Layer.Origin, "layer %q has a rank that doesn't exist", x.Name)
	}
	l := &x.Layer
	if l.Template != nil {
		r.dropPlan(l.Template.Origin)
		for i := range l.Template.Sections {
			r.checkSection(&l.Template.Sections[i])
		}
		r.setPlan(l.Template)
	}
	for i := range l.Patches {
		r.patch(i, &l.Patches[i])
	}
	if len(l.Slots) == 0 {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(l.Slots)) {
		s := l.Slots[name]
		r.applySlot(name, &s)
	}
}

// setPlan makes a template the plan in force.
func (r *resolver) setPlan(t *Template) {
	r.plan, r.origin, r.patches = make([]*plannedSection, len(t.Sections)), t.Origin, 0
	for i := range t.Sections {
		r.plan[i] = r.planned(&t.Sections[i])
	}
}

func (r *resolver) planned(s *Section) *plannedSection {
	p := &plannedSection{Section: s, heading: s.Heading(), from: &cento.Attribution{Position: cmp.Or(s.TitleOrigin, s.Origin), Trust: s.Trust}, entries: make([]plannedEntry, len(s.Entries))}
	for i := range s.Entries {
		p.entries[i] = plannedEntry{&s.Entries[i], r.layer()}
		r.declare(&s.Entries[i])
	}
	return p
}

func (r *resolver) declare(e *Entry) {
	if e.Kind == SlotEntry {
		r.declared[e.Value] = true
	}
}

// dropPlan records the texts, builtins and slots of the plan that the layer in hand
// replaces by one at a place.
func (r *resolver) dropPlan(at cento.Position) {
	for i, s := range r.plan {
		for j, e := range s.entries {
			if e.Kind == SlotEntry {
				r.unplaced = append(r.unplaced, unplacedSlot{e.Value, r.layer(), at})
			} else if e.Kind == BuiltinEntry || strings.TrimSpace(e.Value) != "" {
				r.dropped = append(r.dropped, droppedEntry{e, r.layer(), at, i, j})
			}
		}
	}
}

func (r *resolver) checkSection(s *Section) {
	for i := range s.Entries {
		r.checkEntry(&s.Entries[i])
	}
}

func (r *resolver) checkEntry(e *Entry) {
	switch e.Kind {
	case TextEntry:
	case BuiltinEntry:
		switch {
		case slices.Contains(r.builtins, e.Value):
		case e.Value == Instruction:
			r.fail(UnknownBuiltin, e.Origin, "layer %q places the builtin %q, and only a project has one", r.name(), e.Value)
		default:
			r.fail(UnknownBuiltin, e.Origin, "layer %q places the builtin %q, which doesn't exist", r.name(), e.Value).
				Hint = anchorHint(e.Value, "builtins", r.builtins)
		}
	case SlotEntry:
		if !slotName(e.Value) {
			r.fail(InvalidLayer, e.Origin, "layer %q places a slot with the name %q", r.name(), e.Value).Hint = slotNameHint
		}
	default:
		r.fail(UnknownKind, e.Origin, "layer %q has an entry of kind %s, which doesn't exist", r.name(), e.Kind)
	}
}

const slotNameHint = "a slot's name has visible characters only, and no blank, slash or backtick"

// slotName reports whether a name can stand in the ids of fragments.
func slotName(s string) bool { return plainName(s) && !strings.ContainsAny(s, " /") }

// applySlot does what a layer does to one slot.
func (r *resolver) applySlot(name string, s *SlotLayer) {
	state := r.slots[name]
	if state == nil {
		state = &slotState{}
		r.slots[name] = state
	}
	state.uses = append(state.uses, use{r.layer(), s.Origin})
	if s.Reset {
		code := cento.CodeLayerCleared
		if len(s.Contributions) > 0 {
			code = cento.CodeLayerReplaced
		}
		r.reset(state, code, cmp.Or(s.ResetOrigin, s.Origin))
	}
	if len(s.Remove) > 0 {
		r.remove(name, state, s.Remove)
	}
	for i := range s.Contributions {
		r.add(name, state, &s.Contributions[i], int32(i))
	}
}

// reset takes everything out that isn't protected.
func (r *resolver) reset(s *slotState, code cento.Code, at cento.Position) {
	s.resets = append(s.resets, r.layer())
	stays := s.live[:s.settled]
	for _, n := range s.live[s.settled:] {
		switch it := &r.items[n]; {
		case it.Protected:
			stays = append(stays, n)
		case it.out == "":
			r.takeOut(s, n, code, at)
		}
	}
	s.live, s.settled, s.gone = stays, len(stays), 0
	if len(stays) == 0 {
		s.keys = keyRing{}
	}
}

// takeOut takes a contribution out for the layer in hand, which says so at a place.
func (r *resolver) takeOut(s *slotState, n int32, code cento.Code, at cento.Position) {
	it := &r.items[n]
	it.out, it.by, it.outAt = code, r.layer(), at
	s.keys.free(it.key())
}

// compact takes out of the list what was removed.
func (r *resolver) compact(s *slotState) {
	if s.gone > 0 {
		s.live = slices.DeleteFunc(s.live, func(n int32) bool { return r.items[n].out != "" })
		s.gone = 0
	}
}

// remove takes single contributions out. The list is compacted only when half
// of it is gone, so that many layers that each remove one thing stay cheap.
func (r *resolver) remove(slot string, s *slotState, removals []Removal) {
	for _, x := range removals {
		if n, ok := s.keys.find(x.Key); ok {
			if it := &r.items[n]; !it.Protected {
				r.takeOut(s, n, cento.CodeLayerRemoved, x.Origin)
				s.gone++
			} else if it.removals++; it.removals == 1 {
				it.remover = r.layer()
			}
			continue
		}
		hint := r.hint(func() string {
			if near, ok := nearest.Name(x.Key, s.keys.sample()); ok {
				return fmt.Sprintf("; did you mean %q?", near)
			}
			if other, ok := r.holder(x.Key); ok {
				return fmt.Sprintf("; the slot %q has it", other)
			}
			if len(s.keys.held) <= sampled {
				r.idle = append(r.idle, x)
			}
			return ""
		})
		r.note(CodeRemoveUnknown, x.Origin, "layer %q removes %q from the slot %q, and there is nothing of this key%s", r.name(), x.Key, slot, hint)
	}
	if 2*s.gone > len(s.live) {
		r.compact(s)
	}
}

// holder is the first slot that has a key.
func (r *Resolution) holder(key string) (slot string, ok bool) {
	for _, name := range slices.Sorted(maps.Keys(r.slots)) {
		if _, ok := r.slots[name].keys.find(key); ok {
			return name, true
		}
	}
	return "", false
}

func (r *resolver) add(slot string, s *slotState, c *Contribution, index int32) {
	if c.Content != "" && c.Template != "" {
		r.fail(InvalidLayer, c.Origin, "layer %q, slot %q: a contribution has either content or a template, not both", r.name(), slot)
	}
	if c.Slot != "" && c.Slot != slot {
		r.note(CodeSlotForced, c.Origin, "layer %q: a contribution for the slot %q stands in the slot %q, and goes there", r.name(), c.Slot, slot)
	}
	if rank := r.layers[r.layer()].Rank; c.Protected && !rank.mayProtect() {
		r.fail(ProtectedDenied, c.Origin, "layer %q, slot %q: a layer of rank %s can't bring protected text", r.name(), slot, rank).
			Hint = "only builtin, user, workspace and host layers can"
	}
	n := int32(len(r.items))
	if first, taken := s.keys.find(c.ID); taken && c.ID != "" && r.items[first].layer == r.layer() && r.items[first].ID == c.ID {
		other := ""
		if at := r.items[first].Origin; !at.IsZero() {
			other = ", first at " + at.String()
		}
		r.note(CodeSameID, c.Origin, "layer %q contributes two texts of the id %q to the slot %q%s", r.name(), c.ID, slot, other)
	}
	key := s.keys.take(keyOf(c, r.name(), index), n)
	r.items = append(r.items, item{Contribution: c, slot: slot, layer: r.layer(), index: index, id: slotSource + slot + "/" + key, resets: int32(len(s.resets))})
	s.live = append(s.live, n)
}

// checkSlots reports slots that nobody declares. A higher layer may declare what
// a lower one fills, so this comes last.
func (r *resolver) checkSlots() {
	type unknown struct {
		use
		slot string
	}
	var list []unknown
	for name, s := range r.slots {
		if r.declared[name] || slices.Contains(standardSlots, name) {
			continue
		}
		for _, u := range s.uses {
			list = append(list, unknown{u, name})
		}
	}
	slices.SortFunc(list, func(a, b unknown) int {
		return cmp.Or(a.origin.Compare(b.origin), cmp.Compare(a.layer, b.layer), cmp.Compare(a.slot, b.slot))
	})
	for _, u := range list {
		e := r.fail(UnknownSlot, u.origin, "layer %q changes the slot %q, which no template of the stack has", r.layerName(u.layer), u.slot)
		e.Hint = r.hint(func() string { return anchorHint(u.slot, "slots", r.knownSlots()) })
	}
}

// knownSlots lists the slots that a layer can change.
func (r *Resolution) knownSlots() []string {
	names := slices.Clone(standardSlots)
	for _, n := range slices.Sorted(maps.Keys(r.declared)) {
		if !slices.Contains(standardSlots, n) {
			names = append(names, n)
		}
	}
	return names
}

// plainName reports whether a name can be shown within a sentence, between
// backticks.
func plainName(s string) bool {
	if strings.TrimSpace(s) == "" {
		return false
	}
	for _, c := range s {
		if c < ' ' || c == '`' || c >= 0x7f && c <= 0x9f || c == '\u2028' || c == '\u2029' || c == '\ufffd' {
			return false
		}
	}
	return true
}
