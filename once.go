package cento

import (
	"slices"
	"strings"
	"unsafe"
)

// Most of the work of a compilation pays from the second assembly on. A list
// that is assembled once, and about which nothing but its own lists of names
// decides, goes this way: the same checks, the same plan but for its gates,
// which are verdicts.

// ReduceFragments makes one prompt of a list of fragments. Callers who assemble
// the same fragments more than once compile them instead. The prompt refers to
// the fragments: don't change them. Its errors are those of [Compile] and
// [Plan.Assemble].
func ReduceFragments(fragments []Fragment, active Active, o Options) (*Prompt, error) {
	x := new(alone)
	x.bound = Bound{plan: &x.plan, active: active}
	if err := x.plan.compile(fragments, o, x); err != nil {
		return nil, err
	}
	if x.prompt.verdicts == nil {
		return x.plan.Assemble(active)
	}
	text, err := x.text()
	if err != nil {
		return nil, err
	}
	x.prompt.text = text
	return &x.prompt, nil
}

// alone is a prompt and the plan that was made for it alone.
type alone struct {
	prompt  Prompt
	plan    Plan
	bound   Bound
	present present
	length  int // bytes of the texts that are in, with a joiner each, by now
}

// allocateOnce is [compiler.allocate] for one assembly. The names of the active
// set are copied.
func (c *compiler) allocateOnce(s survey) {
	n, x := len(c.frags), c.once
	a := &x.bound.active
	tools, caps := nameSlotsFor(a.Tools), nameSlotsFor(a.Caps)
	m := memory{
		make([]int32, s.lists()*n+n),
		make([]string, n+len(a.Tools)+len(a.Caps)),
		make([]nameSlot, slotsFor(n)+tools+caps),
	}
	c.list(s, &m)
	a.Tools, a.Caps = m.copy(a.Tools), m.copy(a.Caps)
	x.present = present{newNameSet(a.Tools, m.slots(tools)), newNameSet(a.Caps, m.slots(caps))}
	x.prompt.Assembly = Assembly{plan: c.Plan, bound: &x.bound, verdicts: ownVerdicts, ends: m.numbers(n)}
}

// copy keeps what is nil nil.
func (m *memory) copy(list []string) []string {
	if list == nil {
		return nil
	}
	to := m.strings(len(list))
	copy(to, list)
	return to
}

// present is an active set that fragments are asked about one by one, where
// compiling their gates wouldn't pay.
type present struct{ tools, caps nameSet }

// verdict is what [gateSet.verdict] would be for a fragment that nothing but its
// lists decides about.
func (p *present) verdict(f *Fragment) verdict {
	v := inAlways
	if len(f.RequiresCaps) > 0 {
		v = inCaps
	}
	if len(f.RequiresAnyTools) > 0 {
		v = inAny
	}
	for _, t := range f.RequiresTools {
		v = inTools
		if !p.tools.has(t) {
			return outToolMissing
		}
	}
	if len(f.RequiresAnyTools) > 0 && !slices.ContainsFunc(f.RequiresAnyTools, p.tools.has) {
		return outToolNone
	}
	for _, c := range f.RequiresCaps {
		if !p.caps.has(c) {
			return outCapMissing
		}
	}
	return v
}

// ownVerdicts are the verdicts of a plan whose fragments have verdicts for
// gates: each is its own number.
var ownVerdicts = func() []verdict {
	all := make([]verdict, 32)
	for i := range all {
		all[i] = verdict(i)
	}
	return all
}()

// text is the text of the prompt, once all verdicts are in.
func (x *alone) text() (string, error) {
	p, a := &x.plan, &x.prompt.Assembly
	if p.section != nil || p.tight != nil {
		text, err := p.append(nil, a)
		return unsafe.String(unsafe.SliceData(text), len(text)), err // nobody else holds text
	}
	length := x.length - len(joiner)
	if length > p.maxPrompt {
		return "", promptTooLong(length, p.maxPrompt)
	}
	var b strings.Builder // unlike a slice, its memory isn't cleared first
	b.Grow(max(length, 0))
	for pos, g := range p.gate {
		if verdict(g).in() {
			if a.included > 0 {
				b.WriteString(joiner)
			}
			b.WriteString(p.texts[pos])
			a.included++
		}
		a.ends[pos] = int32(b.Len())
	}
	return b.String(), nil
}
