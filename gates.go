package cento

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/cento-dev/cento/internal/nametable"
	"github.com/cento-dev/cento/internal/nearest"
)

// Active is what an assembly is for: the tools and capabilities that are on.
// It is input; the reducer looks nothing up. Order and repetition of names
// change no byte of the prompt.
type Active struct {
	// Tools are the names of the active tools, compared exactly.
	Tools []string `json:"tools"`
	// Caps are the capabilities that are set.
	Caps []string `json:"caps"`
	// Model is the name of the model; empty when none is chosen.
	Model string `json:"model,omitempty"`
}

// maxToolName is how long the name of a tool may be, in bytes.
const maxToolName = 128

// ToolNameHint describes the names that tools can have.
const ToolNameHint = "a name has up to 128 letters, digits, _, ., :, / and -"

// IsToolName reports whether a tool can have the name: 1 to 128 of the ASCII letters,
// digits, `_`, `.`, `:`, `/` and `-`. Such a name can't read like a sentence, a heading or
// another name in a prompt.
func IsToolName(name string) bool {
	if name == "" || len(name) > maxToolName {
		return false
	}
	for i := range len(name) {
		switch c := name[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '-' <= c && c <= ':', c == '_':
		default:
			return false
		}
	}
	return true
}

// misnamed is the error of the first active tool with a name that no tool can have.
func (a Active) misnamed() *SourceError {
	for _, name := range a.Tools {
		if !IsToolName(name) {
			return &SourceError{Code: InvalidTool, Message: fmt.Sprintf("an active tool can't have the name %+.80q", name), Hint: ToolNameHint}
		}
	}
	return nil
}

func (a Active) clone() Active {
	a.Tools, a.Caps = slices.Clone(a.Tools), slices.Clone(a.Caps)
	return a
}

// Conditions is where an expression engine plugs in: it turns the text of a
// fragment's `when` into something that can be asked. Without one, a fragment
// with a condition is refused with [UnsupportedWhen].
type Conditions interface {
	// Compile checks the expression once. Its runs tell where each byte stands, so
	// that an error is told at the very word; without them only Origin is known. The
	// error is reported as it is, so it should be a [*SourceError] at such a place.
	Compile(expr Text) (Condition, error)
}

// Condition is a compiled expression. Eval must depend on its argument alone
// and be safe for concurrent use.
type Condition interface {
	Eval(Active) (bool, error)
}

// verdict is the outcome of a gate. Bit 4 means in, so that the scan over
// fragments asks one question.
type verdict uint8

// Behind outTools and inTools the order is that of the kinds of conditions.
const (
	outEmpty verdict = iota
	outExcluded
	outToolMissing
	outToolNone
	outCapMissing
	outWhen
	outNeeds
	outBudget
	inTools verdict = 16 + iota
	inAny
	inCaps
	inWhen
	inAlways
)

func (v verdict) in() bool { return v&16 != 0 }

// asks is a set of kinds of conditions. Their order is the order in which they
// are tested, and in which the reasons are given.
type asks uint8

const (
	asksTools asks = 1 << iota
	asksAny
	asksCaps
	asksWhen
	asksNothing // never met, never unmet: stands behind the others
)

// asksOf is the kinds of conditions that a fragment's lists hold.
func asksOf(f *Fragment) asks {
	a := asksNothing
	if len(f.RequiresTools) > 0 {
		a |= asksTools
	}
	if len(f.RequiresAnyTools) > 0 {
		a |= asksAny
	}
	if len(f.RequiresCaps) > 0 {
		a |= asksCaps
	}
	return a
}

// verdict is out for the first kind that isn't met, in for the first that is
// asked.
func (a asks) verdict(unmet asks) verdict {
	if unmet != 0 {
		return outToolMissing + verdict(bits.TrailingZeros8(uint8(unmet)))
	}
	return inTools + verdict(bits.TrailingZeros8(uint8(a)))
}

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
	asks                    asks
}

type idRange struct{ from, to uint32 }

// gateSet is all gates of a plan.
type gateSet struct {
	tools, caps nametable.Table
	ids         []int32 // what the ranges of gates refer to
	gates       []gate
	// single holds, for each tool and each capability, the gate that asks for
	// it alone: the usual gate is shared, and decided once.
	singleTool, singleCap []int32
	whens                 nametable.Table // conditions as they are written, trimmed; numbers are indexes in conds
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
	a := asksOf(f)
	if cond != 0 {
		a |= asksWhen
	}
	if len(f.Needs) == 0 && f.Template == "" { // else it has a gate of its own
		switch a {
		case asksNothing:
			return gateAlways
		case asksNothing | asksTools:
			if len(f.RequiresTools) == 1 {
				id, _ := g.tools.Add(f.RequiresTools[0])
				at := single(&g.singleTool, id)
				if *at == 0 {
					*at = g.add(gate{asks: a, tools: g.push(id)})
				}
				return *at
			}
		case asksNothing | asksCaps:
			if len(f.RequiresCaps) == 1 {
				id, _ := g.caps.Add(f.RequiresCaps[0])
				at := single(&g.singleCap, id)
				if *at == 0 {
					*at = g.add(gate{asks: a, caps: g.push(id)})
				}
				return *at
			}
		}
	}
	return g.add(gate{
		asks:  a,
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

func (g *gateSet) pushNames(t *nametable.Table, names []string) idRange {
	from := uint32(len(g.ids))
	for _, n := range names {
		id, _ := t.Add(n)
		g.ids = append(g.ids, id)
	}
	return idRange{from, uint32(len(g.ids))}
}

// condition returns the number of a fragment's compiled condition plus one.
func (g *gateSet) condition(f *Fragment, engine Conditions) (int32, error) {
	// White space isn't folded: within quotes it counts.
	expr := strings.TrimSpace(f.When)
	if i := g.whens.Lookup(expr); i >= 0 {
		return i + 1, nil
	}
	if !tiles(f.WhenRuns, len(f.When)) {
		return 0, &SourceError{Code: InvalidFragment, Position: f.Origin, Message: fmt.Sprintf("the runs of the condition of fragment %q don't tile its %d bytes", f.ID, len(f.When))}
	}
	c, err := engine.Compile(f.WhenText())
	if err != nil {
		return 0, err
	}
	i, _ := g.whens.Add(expr)
	g.conds = append(g.conds, compiledCondition{cond: c, of: f})
	return i + 1, nil
}

// ofCondition says whose condition an error is about. Where the condition begins
// isn't known, neither is the place in it.
func ofCondition(err error, f *Fragment) []*SourceError {
	list := SourceErrors(err)
	if list == nil {
		return []*SourceError{{Code: InvalidFragment, Position: f.Origin, Message: fmt.Sprintf("the condition of fragment %q", f.ID), Err: err}}
	}
	list = slices.Clone(list)
	for i, e := range list {
		told := *e
		if f.WhenOrigin.IsZero() && len(f.WhenRuns) == 0 || told.Position.IsZero() {
			told.Position = f.Origin
		}
		told.Related = append(slices.Clip(e.Related), Related{Position: f.Origin, Message: fmt.Sprintf("the condition of fragment %q", f.ID)})
		list[i] = &told
	}
	return list
}

// Bound is an active set whose names have been looked up in a plan, and what follows
// from it alone: the decision on every fragment, and the texts of templates. Those are
// made once, by the first assembly that asks. It is immutable and serves any number of
// assemblies with that plan, at the same time too.
type Bound struct {
	plan   *Plan
	active Active
	tools  []uint8 // by the plan's tool number: 1 when active
	caps   []uint8
	small  [32]uint8 // memory for both lists of a usual agent

	misnamed *SourceError // a name in active that no tool can have; nil for none

	conds    []compiledCondition // the plan's, or those of another engine
	expander Expander            // so is this
	before   *Bound              // whose texts are taken over where they are the same; nil for none
	once     sync.Once
	done     atomic.Bool // the outcome is there
	outcome  outcome
}

// Bind looks the names of an active set up, once for all the assemblies that
// it is used for. It keeps copies of the lists.
func (p *Plan) Bind(a Active) *Bound {
	return p.bind(a.clone())
}

// bind is Bind for lists that nobody else changes.
func (p *Plan) bind(a Active) *Bound {
	if p == nil {
		return new(Bound)
	}
	b := &Bound{plan: p, active: a, conds: p.gates.conds, expander: p.expander, misnamed: a.misnamed()}
	nt, nc := p.gates.tools.Len(), p.gates.caps.Len()
	flags := b.small[:]
	if nt+nc > len(flags) {
		flags = make([]uint8, nt+nc)
	}
	b.tools, b.caps = flags[:nt:nt], flags[nt:nt+nc]
	mark(b.tools, &p.gates.tools, a.Tools)
	mark(b.caps, &p.gates.caps, a.Caps)
	return b
}

// With is what b becomes for another active set, with an engine whose variables are
// others, or both; nil: with the engine that b has. The texts of templates that b has
// made are taken over where an engine that is [Keyed] says that they would be the same,
// so that only those that read what changed are rendered. The error is that of a
// condition that the engine doesn't compile.
func (b *Bound) With(a Active, engine Engine) (*Bound, error) {
	if b == nil || b.plan == nil {
		return nil, notBound()
	}
	next := b.plan.bind(a.clone())
	next.conds, next.expander = b.conds, b.expander
	if b.done.Load() {
		next.before = b
	}
	if engine == nil {
		return next, nil
	}
	next.expander, next.conds = engine, make([]compiledCondition, len(b.conds))
	var errs []*SourceError
	for i, x := range b.conds {
		c, err := engine.Compile(x.of.WhenText())
		if err != nil {
			errs = append(errs, ofCondition(err, x.of)...)
		}
		next.conds[i] = compiledCondition{c, x.of}
	}
	if len(errs) > 0 {
		return nil, Join(errs)
	}
	return next, nil
}

// Active returns the active set as it was given.
func (b *Bound) Active() Active { return b.active }

func mark(flags []uint8, t *nametable.Table, active []string) {
	if len(flags) == 0 {
		return
	}
	for _, name := range active {
		if i := t.Lookup(name); i >= 0 {
			flags[i] = 1
		}
	}
}

// decide evaluates every gate into out, which has one element per gate, but for
// what it needs.
func (g *gateSet) decide(b *Bound, out []verdict) error {
	conds, err := evalConditions(b.conds, b.active)
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

// verdict applies all conditions of a gate but its needs.
func (g *gateSet) verdict(x *gate, b *Bound, conds []bool) verdict {
	unmet := asks(0)
	for _, id := range g.ids[x.tools.from:x.tools.to] {
		if b.tools[id] == 0 {
			unmet = asksTools
			break
		}
	}
	if x.asks&asksAny != 0 {
		found := uint8(0)
		for _, id := range g.ids[x.any.from:x.any.to] {
			found |= b.tools[id]
		}
		if found == 0 {
			unmet |= asksAny
		}
	}
	for _, id := range g.ids[x.caps.from:x.caps.to] {
		if b.caps[id] == 0 {
			unmet |= asksCaps
			break
		}
	}
	if x.cond != 0 && !conds[x.cond-1] {
		unmet |= asksWhen
	}
	return x.asks.verdict(unmet)
}

// evalConditions asks every condition, so that one that can't be evaluated
// fails the assembly whether or not another gate would have hidden it.
func evalConditions(conds []compiledCondition, a Active) ([]bool, error) {
	if len(conds) == 0 {
		return nil, nil
	}
	out := make([]bool, len(conds))
	for i := range conds {
		ok, err := conds[i].cond.Eval(a)
		if err != nil {
			return nil, Join(ofCondition(err, conds[i].of))
		}
		out[i] = ok
	}
	return out, nil
}

// maxCompared bounds how many ids are compared in search of what wrong needs
// meant, maxCircle how many fragments of a circle are named.
const (
	maxCompared = 1 << 16
	maxCircle   = 20
)

// resolveNeeds turns the ids of needs into gates and orders them, so that each
// is decided after what it needs.
func (c *compiler) resolveNeeds() {
	if len(c.guard.errs.list) > 0 {
		return
	}
	state := make([]uint8, len(c.frags)) // 0 new, 1 on the path, 2 done
	depth := make([]int32, len(c.frags)) // where it is on the path
	compared := 0
	type step struct{ frag, next int }
	for i := range c.frags {
		if len(c.frags[i].Needs) == 0 || state[i] != 0 {
			continue
		}
		path := []step{{frag: i}}
		state[i], depth[i] = 1, 0
		for len(path) > 0 {
			top := &path[len(path)-1]
			f := &c.frags[top.frag]
			if top.next == len(f.Needs) {
				state[top.frag] = 2
				c.needGate(top.frag)
				path = path[:len(path)-1]
				continue
			}
			name := f.Needs[top.next]
			top.next++
			j := c.ids.lookup(c.frags, name)
			switch {
			case j < 0:
				e := c.fail(UnknownNeed, f.needPlace(top.next-1), "fragment %q needs %q, and there is no fragment with this id", f.ID, name)
				e.Hint = "needs names the ids of other fragments"
				if compared += len(c.frags); compared <= maxCompared { // the first errors are the ones that are shown
					e.Hint = nearest.Hint(name, c.idsBeside(top.frag), e.Hint)
				}
			case state[j] == 1:
				var chain strings.Builder
				circle := path[depth[j]:]
				for _, s := range circle[:min(len(circle), maxCircle)] {
					chain.WriteString(c.frags[s.frag].ID + " → ")
				}
				if more := len(circle) - maxCircle; more > 0 {
					fmt.Fprintf(&chain, "(%d more) → ", more)
				}
				e := c.fail(CyclicNeeds, f.needPlace(top.next-1), "fragments need one another in a circle: %s%s", chain.String(), name)
				e.Hint = "take one of these needs away"
				for k, s := range circle[:min(len(circle)-1, maxCircle)] { // the error itself stands at the last one
					of := &c.frags[s.frag]
					if at := of.needPlace(s.next - 1); !at.IsZero() {
						e.Related = append(e.Related, Related{Position: at, Message: fmt.Sprintf("%q needs %q", of.ID, c.frags[circle[k+1].frag].ID)})
					}
				}
			case state[j] == 0 && len(c.frags[j].Needs) > 0:
				state[j], depth[j] = 1, int32(len(path))
				path = append(path, step{frag: int(j)})
			}
		}
	}
}

// idsBeside are the ids that a fragment can have meant by a need: all but its own,
// since nothing needs itself.
func (c *compiler) idsBeside(frag int) []string {
	ids := make([]string, 0, len(c.frags))
	for i := range c.frags {
		if i != frag {
			ids = append(ids, c.frags[i].ID)
		}
	}
	return ids
}

// needGate fills the needs of a fragment's gate. A fragment with needs has a
// gate of its own, unless its text decides already.
func (c *compiler) needGate(i int) {
	g := c.gate[c.position(i)]
	if g < firstGate {
		return
	}
	ids := make([]int32, 0, len(c.frags[i].Needs))
	for _, name := range c.frags[i].Needs {
		if j := c.ids.lookup(c.frags, name); j >= 0 {
			ids = append(ids, c.gate[c.position(int(j))])
		}
	}
	c.gates.gates[g].needs = c.gates.push(ids...)
	c.gates.late = append(c.gates.late, g)
}
