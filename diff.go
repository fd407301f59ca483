package cento

import "sort"

// Difference tells two prompts apart fragment by fragment. Its lists are in the
// order of the second prompt's declarations, those of fragments that only the
// first one has in the first one's.
type Difference struct {
	// Added and Removed are fragments that only one side considered: From or To
	// is null, the other is the decision on it. Included and Text are set.
	Added   []Change `json:"added"`
	Removed []Change `json:"removed"`
	// Moved are fragments that are in on both sides, at another place among
	// those that are: From and To name the fragment before it.
	Moved []Change `json:"moved"`
	// Changed are fragments of both sides with another text: From and To are the
	// texts.
	Changed []Change `json:"changed"`
	// Verdicts are fragments of both sides that are in on one of them: From and
	// To are the reasons.
	Verdicts []Change `json:"verdicts"`
	// Tokens is null where nothing counts tokens.
	Tokens *TokenChange `json:"tokens"`
}

// Change is what one fragment was and became.
type Change struct {
	ID   string  `json:"id"`
	From *string `json:"from"`
	To   *string `json:"to"`
	// Included tells of a fragment that only one side considered whether it is in
	// there; null for all others.
	Included *bool `json:"included,omitempty"`
	// Text is what such a fragment brought into the prompt, or would have.
	Text string `json:"text,omitempty"`
}

// TokenChange is the size of both prompts.
type TokenChange struct {
	From  int  `json:"from"`
	To    int  `json:"to"`
	Exact bool `json:"exact"`
}

// Empty reports whether the prompts don't differ in any fragment.
func (d *Difference) Empty() bool {
	return len(d.Added)+len(d.Removed)+len(d.Moved)+len(d.Changed)+len(d.Verdicts) == 0
}

// Diff compares two prompts.
func Diff(a, b *Prompt) *Difference {
	d := &Difference{Added: []Change{}, Removed: []Change{}, Moved: []Change{}, Changed: []Change{}, Verdicts: []Change{}}
	for i := range a.Len() {
		id := a.plan.frags[i].ID
		if b.plan.ids.lookup(b.plan.frags, id) < 0 {
			d.Removed = append(d.Removed, Change{ID: id, From: ptr(a.Reason(i)), Included: ptr(a.In(i)), Text: a.Text(i)})
		}
	}
	for j := range b.Len() {
		id := b.plan.frags[j].ID
		k := a.plan.ids.lookup(a.plan.frags, id)
		if k < 0 {
			d.Added = append(d.Added, Change{ID: id, To: ptr(b.Reason(j)), Included: ptr(b.In(j)), Text: b.Text(j)})
			continue
		}
		i := int(k)
		if from, to := a.Text(i), b.Text(j); from != to {
			d.Changed = append(d.Changed, Change{ID: id, From: &from, To: &to})
		}
		if a.In(i) != b.In(j) {
			d.Verdicts = append(d.Verdicts, Change{ID: id, From: ptr(a.Reason(i)), To: ptr(b.Reason(j))})
		}
	}
	d.Moved = append(d.Moved, moved(a, b)...)
	return d
}

func ptr[T any](v T) *T { return &v }

// moved lists the fragments that are in on both sides and left their place.
// As few as possible count as moved: those outside a longest run that kept its
// order.
func moved(a, b *Prompt) []Change {
	before, after := a.inOrder(), b.inOrder()
	from, to := ranks(before), ranks(after)
	var common []string
	for _, id := range after {
		if _, both := from[id]; both {
			common = append(common, id)
		}
	}
	kept := longestRising(common, from)
	var out []Change
	for _, id := range common {
		if !kept[id] {
			out = append(out, Change{ID: id, From: ptr(predecessor(before, from[id])), To: ptr(predecessor(after, to[id]))})
		}
	}
	return out
}

// inOrder is the ids of included fragments in the order of the output.
func (a *Assembly) inOrder() []string {
	out := make([]string, 0, a.included)
	for pos, g := range a.plan.gate {
		if a.verdicts[g].in() {
			out = append(out, a.plan.frags[a.plan.index(pos)].ID)
		}
	}
	return out
}

func ranks(ids []string) map[string]int {
	out := make(map[string]int, len(ids))
	for i, id := range ids {
		out[id] = i
	}
	return out
}

func predecessor(ids []string, rank int) string {
	if rank == 0 {
		return "first"
	}
	return "after `" + ids[rank-1] + "`"
}

// longestRising marks the members of a longest subsequence with rising ranks
// (patience sorting).
func longestRising(ids []string, rank map[string]int) map[string]bool {
	tops := []int{} // by length less one: index in ids of the smallest last member
	prev := make([]int, len(ids))
	for i, id := range ids {
		k := sort.Search(len(tops), func(k int) bool { return rank[ids[tops[k]]] >= rank[id] })
		prev[i] = -1
		if k > 0 {
			prev[i] = tops[k-1]
		}
		if k == len(tops) {
			tops = append(tops, i)
		} else {
			tops[k] = i
		}
	}
	out := make(map[string]bool, len(tops))
	if len(tops) > 0 {
		for i := tops[len(tops)-1]; i >= 0; i = prev[i] {
			out[ids[i]] = true
		}
	}
	return out
}
