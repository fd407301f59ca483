package cento

import (
	"fmt"
	"slices"
)

// Expander is where a template engine plugs in: it gives the text of a fragment
// that has a template.
type Expander interface {
	// Expand renders the template that a fragment names, for an active set. The
	// same arguments must give the same text; it must be safe for concurrent
	// use. Its errors are reported as they are, so they should be
	// [*SourceError]. The fragment must not be changed or kept.
	Expand(f *Fragment, a Active) (Text, error)
}

// templated is a fragment whose text depends on the active set. Its gate is its
// own.
type templated struct{ frag, gate int32 }

// expanded is the text of such a fragment in one assembly.
type expanded struct {
	text   string
	detail *detail
}

// template checks a fragment that has one. It reports whether the fragment can
// be left out of everything that follows.
func (c *compiler) template(i int, f *Fragment) (blank bool) {
	switch {
	case !isBlank(f.Body):
		c.fail(InvalidFragment, f.Origin, "fragment %q has both a body and a template", f.ID)
	case c.expander == nil:
		c.fail(UnsupportedTemplate, f.Origin, "fragment %q has a template (%s), and there is no engine to render it", f.ID, f.Template)
	default:
		return false
	}
	return true
}

// settle decides what depends on other decisions: fragments with needs, each
// after what it needs, and templates, which are rendered once everything else
// lets them in, so that a fragment that is out can't fail.
func (p *Plan) settle(a *Assembly) error {
	if len(p.templates) == 0 {
		a.expanded = nil
		for _, g := range p.gates.late {
			p.gates.need(g, a.verdicts)
		}
		return nil
	}
	e := expansion{plan: p, a: a, guard: p.guard, byGate: make(map[int32]int32, len(p.templates))}
	a.expanded = make(map[int32]expanded, len(p.templates))
	waiting := make(map[int32]bool, len(p.gates.late))
	for _, g := range p.gates.late {
		waiting[g] = true
	}
	for _, t := range p.templates {
		e.byGate[t.gate] = t.frag
		if !waiting[t.gate] {
			e.render(t.gate)
		}
	}
	for _, g := range p.gates.late {
		p.gates.need(g, a.verdicts)
		e.render(g)
	}
	return Join(e.guard.errs)
}

type expansion struct {
	plan   *Plan
	a      *Assembly
	guard  guard
	byGate map[int32]int32
	bytes  int // rendered so far; all of it goes into the prompt
}

// render makes the text of the template behind a gate, if there is one and the
// gate is open.
func (e *expansion) render(gate int32) {
	i, ok := e.byGate[gate]
	if !ok || !e.a.verdicts[gate].in() || e.bytes > e.plan.maxPrompt {
		return
	}
	f := e.plan.frags[i]
	t, err := e.plan.expander.Expand(&f, e.a.bound.active)
	if err != nil {
		e.guard.adopt(err, &f)
		return
	}
	if len(t.Runs) == 0 && t.Body != "" { // the fragment doesn't say where it came from
		t.Runs = []Run{{End: len(t.Body), Position: t.Origin, Trust: t.Trust}}
	}
	f.Body, f.Runs = t.Body, t.Runs
	text, d, blank := e.guard.text(&f)
	if blank {
		e.a.verdicts[gate] = outEmpty
	}
	if of := e.plan.details[i]; of != nil { // what was found in its section
		if d == nil {
			d = new(detail)
		}
		d.notes = append(slices.Clip(of.notes), d.notes...)
	}
	e.a.expanded[i] = expanded{text, d}
	if e.bytes += len(text); e.bytes > e.plan.maxPrompt {
		e.guard.errs = append(e.guard.errs, promptTooLong(e.bytes, e.plan.maxPrompt))
	}
}

func (g *guard) adopt(err error, f *Fragment) {
	if list := sourceErrors(err); list != nil {
		g.errs = append(g.errs, list...)
		return
	}
	g.errs = append(g.errs, &SourceError{Code: InvalidFragment, Position: f.Origin, Message: fmt.Sprintf("fragment %q", f.ID), Err: err})
}
