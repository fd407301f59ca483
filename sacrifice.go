package cento

import (
	"cmp"
	"container/heap"
	"math"
	"slices"

	"github.com/cento-dev/cento/internal/circles"
)

// What a budget gives up, and in which order, doesn't depend on how large the
// budget is: that is why a larger one never keeps less. The order is one list of
// steps. A unit is what goes together: a fragment, the members of a group, or a
// circle of groups and needs.

// dropped is the level of a fragment that a budget took out. Other levels are the
// body in use: 0 is the fragment's own, 1 its first variant; see also yielded.
const dropped int32 = -1

// A unit is fragments that are dropped together.
type unit struct {
	cached     bool // the prompt cache holds one of them
	importance int
	members    []int32 // positions, in declaration order of the fragments
}

// step shortens one member of a unit, or drops all of them.
type step struct {
	unit  int32
	pos   int32 // the member; of no meaning where all are dropped
	level int32
}

// sacrifices finds the units of what is in and the order of their steps. unitOf
// is the unit by position, below 0 for what is out or required.
func (f *fitting) sacrifices() (units []unit, steps []step, unitOf []int32) {
	a, texts := f.a, f.texts
	g := a.grouped()
	g.require()
	units, unitOf = g.order(f)
	steps = make([]step, 0, len(units))
	for u := range units {
		members := units[u].members
		for m := len(members) - 1; m >= 0; m-- {
			pos := members[m]
			last := texts.count(int(pos), 0)
			for v := range a.plan.variantsAt(int(pos)) {
				if n := texts.count(int(pos), int32(v+1)); n < last {
					steps = append(steps, step{int32(u), pos, int32(v + 1)})
					last = n
				}
			}
		}
		steps = append(steps, step{int32(u), members[len(members)-1], dropped})
	}
	return units, steps, unitOf
}

// grouping is the included fragments with what binds them together. Its nodes
// are groups and fragments that are in none.
type grouping struct {
	a        *Assembly
	nodeOf   []int32   // by index of the fragment; below 0: out
	nodes    [][]int32 // indexes of the members, rising
	required []bool
	// needs and dependants are edges between nodes; nil when nothing needs anything.
	needs, dependants [][]int32
}

// grouped makes the nodes, circles of needs merged into one.
func (a *Assembly) grouped() *grouping {
	n := len(a.plan.frags)
	g := &grouping{a: a, nodeOf: make([]int32, n), nodes: make([][]int32, 0, n)}
	own := make([]int32, 0, n) // memory of nodes of one member
	groups := map[string]int32{}
	needs := false
	for i := range n {
		f := &a.plan.frags[i]
		if g.nodeOf[i] = -1; !a.verdict(i).in() {
			continue
		}
		needs = needs || len(f.Needs) > 0
		if f.Group != "" {
			if at, known := groups[f.Group]; known {
				g.nodeOf[i] = at
				g.nodes[at] = append(g.nodes[at], int32(i))
				continue
			}
			groups[f.Group] = int32(len(g.nodes))
		}
		g.nodeOf[i] = int32(len(g.nodes))
		own = append(own, int32(i))
		g.nodes = append(g.nodes, own[len(own)-1:len(own):len(own)])
	}
	if needs {
		g.link()
		if circle, any := circles.Find(g.needs); any {
			g.merge(circle)
		}
	}
	return g
}

// link finds the edges.
func (g *grouping) link() {
	g.needs, g.dependants = make([][]int32, len(g.nodes)), make([][]int32, len(g.nodes))
	for from, members := range g.nodes {
		for _, i := range members {
			for _, id := range g.a.plan.frags[i].Needs {
				j, ok := g.a.Index(id)
				if to := g.nodeOf[max(j, 0)]; ok && to >= 0 && to != int32(from) {
					g.needs[from] = append(g.needs[from], to)
				}
			}
		}
		slices.Sort(g.needs[from])
		g.needs[from] = slices.Compact(g.needs[from])
		for _, to := range g.needs[from] {
			g.dependants[to] = append(g.dependants[to], int32(from))
		}
	}
}

// merge joins nodes to the first of their circle.
func (g *grouping) merge(circle []int32) {
	number := make([]int32, len(g.nodes))
	var nodes [][]int32
	for v, members := range g.nodes {
		first := circle[v]
		if int(first) == v {
			number[v] = int32(len(nodes))
			nodes = append(nodes, members)
			continue
		}
		number[v] = number[first]
		nodes[number[first]] = append(slices.Clip(nodes[number[first]]), members...)
	}
	for i, v := range g.nodeOf {
		if v >= 0 {
			g.nodeOf[i] = number[v]
		}
	}
	for _, members := range nodes {
		slices.Sort(members)
	}
	g.nodes = nodes
	g.link()
}

// require marks the nodes with a required member. What these need isn't marked: in
// [grouping.orderByNeeds] it waits for them, and they never go.
func (g *grouping) require() {
	g.required = make([]bool, len(g.nodes))
	for v, members := range g.nodes {
		g.required[v] = slices.ContainsFunc(members, func(i int32) bool {
			f := &g.a.plan.frags[i]
			return f.Protected || f.Tail || f.Importance == Required
		})
	}
}

// order makes units of the nodes that may go, in the order in which they do: what the
// prompt cache doesn't hold, of it the least important first, among those the last
// declared, none before what needs it.
func (g *grouping) order(f *fitting) ([]unit, []int32) {
	units := make([]unit, 0, len(g.nodes))
	nodeOf := make([]int32, 0, len(g.nodes))
	for v, members := range g.nodes {
		if g.required[v] {
			continue
		}
		u := unit{members: members}
		for k, i := range members {
			if n, _ := g.a.plan.frags[i].Importance.Level(); k == 0 || n > u.importance {
				u.importance = n
			}
		}
		if f.cachedAt != nil {
			u.cached = slices.ContainsFunc(members, func(i int32) bool { return f.cachedAt[int32(g.a.plan.position(int(i)))] })
		}
		units, nodeOf = append(units, u), append(nodeOf, int32(v))
	}
	if g.needs == nil {
		units = orderByImportance(units)
	} else {
		units = g.orderByNeeds(units, nodeOf)
	}
	unitOf := make([]int32, len(g.nodeOf))
	for pos := range unitOf {
		unitOf[pos] = -1
	}
	for u := range units {
		for k, i := range units[u].members {
			pos := int32(g.a.plan.position(int(i)))
			units[u].members[k] = pos
			unitOf[pos] = int32(u)
		}
	}
	return units, unitOf
}

// before compares what goes first.
func (u *unit) before(v *unit) int {
	if u.cached != v.cached {
		if v.cached {
			return -1
		}
		return 1
	}
	if u.importance != v.importance {
		return cmp.Compare(u.importance, v.importance)
	}
	return cmp.Compare(v.last(), u.last())
}

// last is the member that was declared last.
func (u *unit) last() int32 { return u.members[len(u.members)-1] }

// orderByImportance sorts units that don't need one another.
func orderByImportance(units []unit) []unit {
	type place struct {
		importance int
		last, unit int32
	}
	places := make([]place, len(units))
	for u := range units {
		places[u] = place{units[u].importance, units[u].last(), int32(u)}
	}
	slices.SortFunc(places, func(x, y place) int {
		switch {
		case x.importance < y.importance:
			return -1
		case x.importance > y.importance:
			return 1
		}
		return int(y.last - x.last)
	})
	out := make([]unit, 0, len(units))
	for _, half := range []bool{false, true} {
		for _, p := range places {
			if units[p.unit].cached == half {
				out = append(out, units[p.unit])
			}
		}
	}
	return out
}

// orderByNeeds takes, again and again, the first of the units that nothing needs
// any more.
func (g *grouping) orderByNeeds(units []unit, nodeOf []int32) []unit {
	waits, at := make([]int32, len(g.nodes)), make([]int32, len(g.nodes))
	var ready unitHeap
	for u := range units {
		v := nodeOf[u]
		at[v] = int32(u)
		if waits[v] = int32(len(g.dependants[v])); waits[v] == 0 {
			ready.units = append(ready.units, &units[u])
			ready.nodes = append(ready.nodes, v)
		}
	}
	heap.Init(&ready)
	out := make([]unit, 0, len(units))
	for ready.Len() > 0 {
		out = append(out, *ready.units[0])
		v := ready.nodes[0]
		heap.Pop(&ready)
		for _, to := range g.needs[v] {
			if waits[to]--; waits[to] == 0 { // what is required waits for nothing, and gets below it
				heap.Push(&ready, readyUnit{&units[at[to]], to})
			}
		}
	}
	return out
}

// unitHeap is the units that nothing needs any more, the first to go on top.
type unitHeap struct {
	units []*unit
	nodes []int32
}

type readyUnit struct {
	unit *unit
	node int32
}

func (h *unitHeap) Len() int { return len(h.units) }

func (h *unitHeap) Less(i, j int) bool { return h.units[i].before(h.units[j]) < 0 }

func (h *unitHeap) Swap(i, j int) {
	h.units[i], h.units[j] = h.units[j], h.units[i]
	h.nodes[i], h.nodes[j] = h.nodes[j], h.nodes[i]
}

// Push adds a [readyUnit].
func (h *unitHeap) Push(x any) {
	r := x.(readyUnit)
	h.units, h.nodes = append(h.units, r.unit), append(h.nodes, r.node)
}

// Pop takes the last one away.
func (h *unitHeap) Pop() any {
	last := len(h.units) - 1
	h.units, h.nodes = h.units[:last], h.nodes[:last]
	return nil
}

// With [Budget].KeepCached the order of sacrifices has two halves: what the prompt
// cache of the provider doesn't hold, and what it does. Units go by their importance
// within each. Which half a unit is in depends on the turn before, and never on how
// large the budget is: of the same turn before, a larger budget keeps no less.

// CachedLoss is what was kept in the prompt cache and is read no more, since
// something that stands before it is given up: the cache finds a request as far as it
// begins like one before.
type CachedLoss struct {
	// Tokens are those of the texts from the first that is given up to the last that
	// stood before the mark, as they are now.
	Tokens int `json:"tokens"`
	// Price is in US dollars what it costs that they are written to the cache anew, or
	// paid where the provider charges nothing for that, and not read: by the prices of
	// the model for the shortest time that it keeps, and for a request to which no
	// rates of longer ones apply. Nil where a price isn't known.
	Price *float64 `json:"price"`
}

// remember finds the positions of what the prompt cache holds.
func (f *fitting) remember() {
	if !f.budget.KeepCached {
		return
	}
	for _, id := range f.budget.Cached {
		if i, ok := f.a.Index(id); ok && f.a.inAt(f.a.plan.position(i)) {
			if f.cachedAt == nil {
				f.cachedAt = make(map[int32]bool, len(f.budget.Cached))
			}
			f.cachedAt[int32(f.a.plan.position(i))] = true
		}
	}
}

// cachedLosses are, by the number of steps that are taken, the tokens that are read
// no more; nil for none ever.
func (f *fitting) cachedLosses() []int {
	if f.cachedAt == nil {
		return nil
	}
	f.sequence()
	f.uncached.Do(func() {
		behind := f.cachedBehind()
		f.losses = make([]int, len(f.steps)+1)
		for s, step := range f.steps {
			f.losses[s+1] = f.losses[s]
			for _, pos := range f.positions(step) {
				if f.cachedAt[pos] {
					f.losses[s+1] = max(f.losses[s+1], behind[pos])
				}
			}
		}
	})
	return f.losses
}

// cachedBehind are, by position, the tokens of what the prompt cache holds from
// there on.
func (f *fitting) cachedBehind() []int {
	out := make([]int, len(f.a.plan.gate)+1)
	for pos := len(out) - 2; pos >= 0; pos-- {
		out[pos] = out[pos+1]
		if f.cachedAt[int32(pos)] {
			out[pos] += f.texts.count(pos, 0)
		}
	}
	return out
}

// lossAt is what a step costs with those before it; nil for nothing.
func (f *fitting) lossAt(lost []int, s int) *CachedLoss {
	if lost == nil || lost[s+1] == 0 {
		return nil
	}
	return &CachedLoss{Tokens: lost[s+1], Price: f.budget.rewriting(lost[s+1])}
}

// cachedLost is what is read no more in the end; nil for nothing.
func (f *fitting) cachedLost() *CachedLoss {
	if f.cachedAt == nil || f.level == nil {
		return nil
	}
	behind, most := f.cachedBehind(), 0
	for pos := range f.cachedAt {
		if f.level[pos] != 0 {
			most = max(most, behind[pos])
		}
	}
	if most == 0 {
		return nil
	}
	return &CachedLoss{Tokens: most, Price: f.budget.rewriting(most)}
}

// rewriting is what it costs in dollars to write so many tokens to the cache instead
// of reading them; nil where a price isn't known.
func (b *Budget) rewriting(tokens int) *float64 {
	if b.model == nil {
		return nil
	}
	p := &b.model.Price
	written := p.Input
	if len(p.CacheWrite) > 0 {
		written = nil
		ttls := b.model.Cache.TTL
		if len(ttls) == 0 {
			ttls = []string{""}
		}
		if price, ok := p.CacheWrite[ttls[0]]; ok {
			written = &price
		}
	}
	if written == nil || p.CacheRead == nil {
		return nil
	}
	const digits = 1e9 // so that it is the same in whatever order it was summed up
	price := math.Round(float64(tokens)*(*written-*p.CacheRead)/1e6*digits) / digits
	return &price
}
