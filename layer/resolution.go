package layer

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
)

// Resolved is a contribution in force.
type Resolved struct {
	Contribution
	Layer string // the layer that brought it
	Key   string // its key in the slot
}

// Template returns the section plan in force, patches included.
func (r *Resolution) Template() Template {
	t := Template{Sections: make([]Section, len(r.plan)), Origin: r.origin}
	for i, s := range r.plan {
		section := *s.Section
		section.Entries = make([]Entry, len(s.entries))
		for j, e := range s.entries {
			section.Entries[j] = *e.Entry
		}
		t.Sections[i] = section
	}
	return t
}

// Bottom returns the section plan that the layers were laid on.
func (r *Resolution) Bottom() Template { return r.bottom }

// Contributions returns what is in force, placed or not: by layer from low to
// high, slot name and declaration. Those of a merged resolution stand by slot
// name and in the order of the merge.
func (r *Resolution) Contributions() []Resolved {
	out := make([]Resolved, 0, len(r.items))
	add := func(it *item) {
		x := Resolved{*it.Contribution, r.layerName(it.layer), it.key()}
		x.Slot = it.slot
		out = append(out, x)
	}
	if r.merged {
		for _, name := range slices.Sorted(maps.Keys(r.slots)) {
			for _, n := range r.slots[name].live {
				add(&r.items[n])
			}
		}
		return out
	}
	for i := range r.items {
		if it := &r.items[i]; it.out == "" {
			add(it)
		}
	}
	return out
}

// Idle are the places of removals that can be taken out without a decision: nothing has
// their key, in whatever slot, and nothing nearly has it. The first of very many are held
// against what there is.
func (r *Resolution) Idle() []cento.Position {
	var out []cento.Position
	for _, x := range r.idle {
		if _, ok := r.holder(x.Key); !ok { // a layer above may have brought it
			out = append(out, x.Origin)
		}
	}
	return out
}

// Notes tell what is odd and was done anyway: a contribution that names another
// slot, a removal of nothing, a slot that is placed twice, a protected
// contribution that survived.
func (r *Resolution) Notes() []cento.Note {
	notes := slices.Clip(r.notes)
	if r.furtherNotes > 0 {
		notes = append(notes, cento.Note{Code: CodeNotesOmitted, Message: fmt.Sprintf("%d further notes on removals and slots are left out", r.furtherNotes)})
	}
	placed := make(map[string]int)
	for _, s := range r.plan {
		for _, e := range s.entries {
			if e.Kind != SlotEntry {
				continue
			}
			if placed[e.Value]++; placed[e.Value] == 2 {
				notes = append(notes, cento.Note{
					Code: CodeSlotTwice, Position: e.Origin,
					Message: fmt.Sprintf("the slot %q is placed more than once, and stands there each time", e.Value),
				})
			}
		}
	}
	for i := range r.items {
		it := &r.items[i]
		if !it.Protected {
			continue
		}
		n := cento.Note{Code: CodeProtectedKept, Fragment: it.id, Position: it.Origin}
		if n.Message = r.survived(it); n.Message != "" {
			notes = append(notes, n)
		}
		if placed[it.slot] == 0 {
			n.Message = fmt.Sprintf("%s is protected and stands behind the section plan, which has no slot %q", it.id, it.slot)
			notes = append(notes, n)
		}
	}
	return notes
}

// survived says which layer couldn't take a protected contribution out, the
// first of them and how many there were; empty when none tried.
func (r *Resolution) survived(it *item) string {
	resets := r.slots[it.slot].resets[it.resets:]
	times, first := len(resets)+int(it.removals), it.remover
	switch {
	case times == 0:
		return ""
	case it.removals == 0, len(resets) > 0 && resets[0] < first:
		first = resets[0]
	}
	if times == 1 {
		return fmt.Sprintf("%s is protected and survives its removal by layer %q", it.id, r.layerName(first))
	}
	return fmt.Sprintf("%s is protected and survives %d removals, the first by layer %q", it.id, times, r.layerName(first))
}

// Merged returns the resolution with another order: contributions of one slot
// and priority stand by title, those without one first, then by content, both
// bytewise. Of those that are equal in slot, title, priority and text the first
// stays and the others are duplicates of it, whatever their gates; protected
// ones all stay.
func (r *Resolution) Merged() *Resolution {
	m := r.clone()
	m.merged = true
	for _, s := range m.slots {
		s.settled = 0
		slices.SortStableFunc(s.live, func(a, b int32) int { return m.items[a].compare(&m.items[b]) })
		first := int32(-1)
		s.live = slices.DeleteFunc(s.live, func(n int32) bool {
			it := &m.items[n]
			if first < 0 || m.items[first].compare(it) != 0 {
				first = n
				return false
			}
			if it.Protected {
				return false
			}
			it.out, it.by = cento.CodeDuplicate, first
			s.keys.free(it.key())
			return true
		})
	}
	return m
}

// compare orders the contributions of one slot in a merge.
func (it *item) compare(other *item) int {
	return cmp.Or(
		cmp.Compare(it.Priority, other.Priority), cmp.Compare(it.title(), other.title()),
		cmp.Compare(it.Content, other.Content), cmp.Compare(it.Template, other.Template),
	)
}

// title is the title as written; empty when it counts as none.
func (it *item) title() string {
	if it.Title == nil || strings.TrimSpace(*it.Title) == "" {
		return ""
	}
	return *it.Title
}
