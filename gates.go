package cento

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// verdict is the outcome of a gate. Bit 4 means in, so that the scan over
// fragments asks one question.
type verdict uint8

const (
	outEmpty verdict = iota
	outExcluded
	outToolMissing
	outToolNone
	outCapMissing
	outWhen
	outNeeds
	inAlways verdict = 16 + iota
	inTools
	inAny
	inCaps
	inWhen
)

func (v verdict) in() bool { return v&16 != 0 }

// The gates that every plan has. Most fragments share one of them.
const (
	gateEmpty int32 = iota
	gateExcluded
	gateAlways
	firstGate
)

// A gate is the compiled conditions of one or more fragments: names are numbers
// in the plan's tables, lists are ranges of one list.
type gate struct {
	tools, any, caps, needs idRange
	cond                    int32 // index in conds plus one; 0: none
}

type idRange struct{ from, to uint32 }

func (r idRange) empty() bool { return r.from == r.to }

// gateSet is all gates of a plan.
type gateSet struct {
	tools, caps nameTable
	ids         []int32 // what the ranges of gates refer to
	gates       []gate
	// single holds, for each tool and each capability, the gate that asks for
	// it alone: the usual gate is shared, and decided once.
	singleTool, singleCap []int32
	whens                 nameTable // conditions as they are written, trimmed; numbers are indexes in conds
	conds                 []compiledCondition
	late                  []int32 // gates with needs, each after what it needs
}

type compiledCondition struct {
	cond Condition
	of   *Fragment // the first that has it
}

// of returns the gate of a fragment whose body isn't blank. cond is the index
// of its condition plus one.
func (g *gateSet) of(f *Fragment, cond int32) int32 {
	nt, nc := len(f.RequiresTools), len(f.RequiresCaps)
	alone := len(f.RequiresAnyTools) == 0 && cond == 0 && len(f.Needs) == 0 && f.Template == ""
	switch {
	case alone && nt+nc == 0:
		return gateAlways
	case alone && nt == 1 && nc == 0:
		id, _ := g.tools.add(f.RequiresTools[0])
		if at := single(&g.singleTool, id); *at == 0 {
			*at = g.add(gate{tools: g.push(id)})
		}
		return g.singleTool[id]
	case alone && nt == 0 && nc == 1:
		id, _ := g.caps.add(f.RequiresCaps[0])
		if at := single(&g.singleCap, id); *at == 0 {
			*at = g.add(gate{caps: g.push(id)})
		}
		return g.singleCap[id]
	}
	return g.add(gate{
		tools: g.pushNames(&g.tools, f.RequiresTools),
		any:   g.pushNames(&g.tools, f.RequiresAnyTools),
		caps:  g.pushNames(&g.caps, f.RequiresCaps),
		cond:  cond,
	})
}

func (g *gateSet) add(x gate) int32 {
	g.gates = append(g.gates, x)
	return int32(len(g.gates) - 1)
}

// single is where the shared gate of one name is noted; 0 until it is made.
func single(gates *[]int32, id int32) *int32 {
	if n := len(*gates); n <= int(id) {
		*gates = append(*gates, make([]int32, max(16, int(id)+1-n))...)
	}
	return &(*gates)[id]
}

func (g *gateSet) push(ids ...int32) idRange {
	from := uint32(len(g.ids))
	g.ids = append(g.ids, ids...)
	return idRange{from, uint32(len(g.ids))}
}

func (g *gateSet) pushNames(t *nameTable, names []string) idRange {
	from := uint32(len(g.ids))
	for _, n := range names {
		id, _ := t.add(n)
		g.ids = append(g.ids, id)
	}
	return idRange{from, uint32(len(g.ids))}
}

// condition returns the number of a fragment's compiled condition plus one.
func (g *gateSet) condition(f *Fragment, engine Conditions) (int32, error) {
	// White space isn't folded: within quotes it counts.
	expr := strings.TrimSpace(f.When)
	if i := g.whens.lookup(expr); i >= 0 {
		return i + 1, nil
	}
	c, err := engine.Compile(f.When, cmp.Or(f.WhenOrigin, f.Origin))
	if err != nil {
		return 0, err
	}
	i, _ := g.whens.add(expr)
	g.conds = append(g.conds, compiledCondition{cond: c, of: f})
	return i + 1, nil
}

// ofCondition says whose condition an error is about. Where the condition begins
// isn't known, neither is the place in it.
func ofCondition(err error, f *Fragment) []*SourceError {
	list := sourceErrors(err)
	if list == nil {
		return []*SourceError{{Code: InvalidFragment, Position: f.Origin, Message: fmt.Sprintf("the condition of fragment %q", f.ID), Err: err}}
	}
	list = slices.Clone(list)
	for i, e := range list {
		told := *e
		if f.WhenOrigin.IsZero() {
			told.Position = f.Origin
		}
		told.Related = append(slices.Clip(e.Related), Related{Position: f.Origin, Message: fmt.Sprintf("the condition of fragment %q", f.ID)})
		list[i] = &told
	}
	return list
}

// Bound is an active set whose names have been looked up in a plan. It is
// immutable and serves any number of assemblies with that plan.
type Bound struct {
	plan   *Plan
	active Active
	tools  []uint8 // by the plan's tool number: 1 when active
	caps   []uint8
	small  [32]uint8 // memory for both lists of a usual agent
}

// Bind looks the names of an active set up, once for all the assemblies that
// it is used for. It keeps copies of the lists.
func (p *Plan) Bind(a Active) *Bound {
	return p.bind(a.clone())
}

// bind is Bind for lists that nobody else changes.
func (p *Plan) bind(a Active) *Bound {
	b := &Bound{plan: p, active: a}
	nt, nc := len(p.gates.tools.list), len(p.gates.caps.list)
	flags := b.small[:]
	if nt+nc > len(flags) {
		flags = make([]uint8, nt+nc)
	}
	b.tools, b.caps = flags[:nt:nt], flags[nt:nt+nc]
	mark(b.tools, &p.gates.tools, a.Tools)
	mark(b.caps, &p.gates.caps, a.Caps)
	return b
}

// Active returns the active set as it was given.
func (b *Bound) Active() Active { return b.active }

func mark(flags []uint8, t *nameTable, active []string) {
	if len(flags) == 0 {
		return
	}
	for _, name := range active {
		if i := t.lookup(name); i >= 0 {
			flags[i] = 1
		}
	}
}

// decide evaluates every gate into out, which has one element per gate, but for
// what it needs.
func (g *gateSet) decide(b *Bound, out []verdict) error {
	conds, err := g.evalConditions(b.active)
	if err != nil {
		return err
	}
	out[gateEmpty], out[gateExcluded], out[gateAlways] = outEmpty, outExcluded, inAlways
	for i := firstGate; int(i) < len(g.gates); i++ {
		out[i] = g.verdict(&g.gates[i], b, conds)
	}
	return nil
}

// need takes a gate out when one that it needs is.
func (g *gateSet) need(i int32, out []verdict) {
	x := &g.gates[i]
	for _, need := range g.ids[x.needs.from:x.needs.to] {
		if out[i].in() && !out[need].in() {
			out[i] = outNeeds
		}
	}
}

// verdict applies all conditions of a gate but its needs, in the order in which
// the reasons are given.
func (g *gateSet) verdict(x *gate, b *Bound, conds []bool) verdict {
	for _, id := range g.ids[x.tools.from:x.tools.to] {
		if b.tools[id] == 0 {
			return outToolMissing
		}
	}
	if !x.any.empty() {
		found := uint8(0)
		for _, id := range g.ids[x.any.from:x.any.to] {
			found |= b.tools[id]
		}
		if found == 0 {
			return outToolNone
		}
	}
	for _, id := range g.ids[x.caps.from:x.caps.to] {
		if b.caps[id] == 0 {
			return outCapMissing
		}
	}
	switch {
	case x.cond != 0 && !conds[x.cond-1]:
		return outWhen
	case !x.tools.empty():
		return inTools
	case !x.any.empty():
		return inAny
	case !x.caps.empty():
		return inCaps
	case x.cond != 0:
		return inWhen
	}
	return inAlways
}

// evalConditions asks every condition, so that one that can't be evaluated
// fails the assembly whether or not another gate would have hidden it.
func (g *gateSet) evalConditions(a Active) ([]bool, error) {
	if len(g.conds) == 0 {
		return nil, nil
	}
	out := make([]bool, len(g.conds))
	for i := range g.conds {
		ok, err := g.conds[i].cond.Eval(a)
		if err != nil {
			return nil, Join(ofCondition(err, g.conds[i].of))
		}
		out[i] = ok
	}
	return out, nil
}

// foldSpace trims a text and makes each run of white space one space.
func foldSpace(s string) string { return strings.Join(strings.Fields(s), " ") }
