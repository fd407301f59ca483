package layer

import "github.com/cento-dev/cento"

// Lost is something that is not in the prompt because of a layer, a slot or
// something equal to it.
type Lost struct {
	// Contribution is what was lost; nil for an entry of a replaced template.
	Contribution *Contribution
	// Entry is a text or builtin of a replaced template; nil for a contribution.
	Entry *Entry
	// Layer is the layer that had brought it, Slot the slot it stood in.
	Layer string
	Slot  string
	// Exclusion says why and by whom.
	Exclusion cento.Exclusion
}

// Lost returns everything that was taken out or has no place in the section
// plan, in the order in which [Resolution.Compile] gives it.
func (r *Resolution) Lost() []Lost {
	list := r.lost()
	out := make([]Lost, len(list))
	for i, x := range list {
		out[i].Exclusion = cento.Exclusion{Code: x.code, By: x.by}
		if x.item != nil {
			out[i].Contribution, out[i].Layer, out[i].Slot = x.item.Contribution, r.layerName(x.item.layer), x.item.slot
		} else {
			out[i].Entry, out[i].Layer = x.entry.Entry, r.layerName(x.entry.layer)
		}
	}
	return out
}
