package cento

import (
	"slices"
	"sort"
)

// WithTool returns a copy in which the tool is active as well.
func (in Input) WithTool(name string) Input {
	tools := slices.Clone(in.ActiveTools())
	if !slices.Contains(tools, name) {
		tools = append(tools, name)
	}
	return in.WithTools(tools...)
}

// WithTools returns a copy in which exactly the named tools are active.
func (in Input) WithTools(names ...string) Input {
	in.AllTools, in.Active.Tools = false, slices.Clone(names)
	return in
}

// WithoutTool returns a copy in which the tool isn't active. Its definition
// stays, so that its guidance is traced with the reason for being out.
func (in Input) WithoutTool(name string) Input {
	tools := slices.DeleteFunc(slices.Clone(in.ActiveTools()), func(t string) bool { return t == name })
	return in.WithTools(tools...)
}

// WithCap returns a copy in which the capability is set.
func (in Input) WithCap(name string) Input {
	if !slices.Contains(in.Active.Caps, name) {
		in.Active.Caps = append(slices.Clone(in.Active.Caps), name)
	}
	return in
}

// WithoutCap returns a copy in which the capability isn't set.
func (in Input) WithoutCap(name string) Input {
	in.Active.Caps = slices.DeleteFunc(slices.Clone(in.Active.Caps), func(c string) bool { return c == name })
	return in
}

// WithoutFragments returns a copy in which the fragments with these ids are taken out as
// well; see [Input.Without].
func (in Input) WithoutFragments(ids ...string) Input {
	in.Without = append(slices.Clip(in.Without), ids...)
	return in
}

// WithModel returns a copy for another model, of which m is what is known; nil for
// nothing but its name. The capabilities that the model before brought along give
// way to those of this one. What was taken away of them before stays away.
func (in Input) WithModel(name string, m *Model) Input {
	before, set := in.Model.Caps(), in.Active.Caps
	caps := slices.DeleteFunc(slices.Clone(set), func(c string) bool { return slices.Contains(before, c) })
	for _, c := range m.Caps() {
		taken := slices.Contains(before, c) && !slices.Contains(set, c)
		if !taken && !slices.Contains(caps, c) {
			caps = append(caps, c)
		}
	}
	in.Active.Model, in.Model, in.Active.Caps = name, m, caps
	return in
}

// WithBudget returns a copy with a budget of so many tokens. All else that the
// budget says stays.
func (in Input) WithBudget(tokens int) Input {
	b := Budget{}
	if in.Budget != nil {
		b = *in.Budget
	}
	b.Tokens = tokens
	in.Budget = &b
	return in
}

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
	// texts. A prompt file that was rendered on one side only has none to compare:
	// its verdict tells the difference.
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
	return differing(a, b, func(i, j int) bool { return a.hasText(i) && b.hasText(j) && a.Text(i) != b.Text(j) })
}

// DiffExplained compares two prompts by what was told of them, such as explanations
// that were saved. Where one wasn't told the text of a fragment that is out, the
// fragment counts as changed by its digest, with an empty text.
func DiffExplained(a, b *Explanation) *Difference {
	d := differing(a.told(), b.told(), func(i, j int) bool {
		was, is := a.Fragments[i].Digest, b.Fragments[j].Digest
		return was != nil && is != nil && *was != *is
	})
	if a.Tokens != nil && b.Tokens != nil && a.Encoding != nil && b.Encoding != nil && *a.Encoding == *b.Encoding {
		d.Tokens = &TokenChange{From: *a.Tokens, To: *b.Tokens, Exact: a.TokensExact != nil && b.TokensExact != nil && *a.TokensExact && *b.TokensExact}
	}
	return d
}

// side is one of two prompts that are compared: its fragments by their numbers.
type side interface {
	Len() int
	id(i int) string
	Index(id string) (int, bool)
	In(i int) bool
	Reason(i int) string
	Text(i int) string
	// inOrder is the ids of included fragments in the order of the output.
	inOrder() []string
}

// differing compares two sides; changed tells whether the text of a fragment that both
// have is another one.
func differing(a, b side, changed func(i, j int) bool) *Difference {
	d := &Difference{Added: []Change{}, Removed: []Change{}, Moved: []Change{}, Changed: []Change{}, Verdicts: []Change{}}
	for i := range a.Len() {
		if _, there := b.Index(a.id(i)); !there {
			d.Removed = append(d.Removed, Change{ID: a.id(i), From: ptr(a.Reason(i)), Included: ptr(a.In(i)), Text: a.Text(i)})
		}
	}
	for j := range b.Len() {
		id := b.id(j)
		i, there := a.Index(id)
		if !there {
			d.Added = append(d.Added, Change{ID: id, To: ptr(b.Reason(j)), Included: ptr(b.In(j)), Text: b.Text(j)})
			continue
		}
		if changed(i, j) {
			d.Changed = append(d.Changed, Change{ID: id, From: ptr(a.Text(i)), To: ptr(b.Text(j))})
		}
		if a.In(i) != b.In(j) {
			d.Verdicts = append(d.Verdicts, Change{ID: id, From: ptr(a.Reason(i)), To: ptr(b.Reason(j))})
		}
	}
	d.Moved = append(d.Moved, moved(a.inOrder(), b.inOrder())...)
	return d
}

// told is a prompt by what was told of it.
type told struct {
	*Explanation
	at map[string]int // by the id of a fragment
}

func (e *Explanation) told() told {
	out := told{e, make(map[string]int, len(e.Fragments))}
	for i := range e.Fragments {
		out.at[e.Fragments[i].ID] = i
	}
	return out
}

func (t told) Len() int            { return len(t.Fragments) }
func (t told) id(i int) string     { return t.Fragments[i].ID }
func (t told) In(i int) bool       { return t.Fragments[i].Included }
func (t told) Reason(i int) string { return t.Fragments[i].Reason }
func (t told) Text(i int) string   { return t.text(&t.Fragments[i]) }

func (t told) Index(id string) (int, bool) {
	i, there := t.at[id]
	return i, there
}

// text is that of a fragment, as far as it was told.
func (e *Explanation) text(t *Trace) string {
	if t.Span == nil || e.System == nil {
		return t.Text
	}
	start, end := t.Span[0], t.Span[1]
	if start < 0 || end > len(*e.System) || start > end {
		return ""
	}
	return (*e.System)[start:end]
}

// inOrder is the ids of included fragments in the order of the output.
func (e *Explanation) inOrder() []string {
	var in []*Trace
	for i := range e.Fragments {
		if t := &e.Fragments[i]; t.Included && t.Span != nil {
			in = append(in, t)
		}
	}
	slices.SortStableFunc(in, func(a, b *Trace) int { return a.Span[0] - b.Span[0] })
	out := make([]string, len(in))
	for i, t := range in {
		out[i] = t.ID
	}
	return out
}

func ptr[T any](v T) *T { return &v }

// moved lists the fragments that are in on both sides and left their place.
// As few as possible count as moved: those outside a longest run that kept its
// order.
func moved(before, after []string) []Change {
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

func (a *Assembly) id(i int) string { return a.plan.frags[i].ID }

// inOrder is the ids of included fragments in the order of the output.
func (a *Assembly) inOrder() []string {
	out := make([]string, 0, a.included)
	for pos := range a.plan.gate {
		if a.inAt(pos) {
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
