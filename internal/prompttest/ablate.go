package prompttest

import (
	"context"
	"slices"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/manifest"
)

// Removal is what is taken out of all prompts: fragments by their ids, a tool that is
// active, or a layer. One of the three is given.
type Removal struct {
	IDs         []string
	Tool, Layer string
}

// ablate tells, for each removal, which of the runs that passed fail then: the names of
// the runs, in their order. Where a run hasn't got what is taken out, it is as it was. Goldens and truth
// tables notice every prompt that changes. Assertions about losses of requests and
// findings of checks aren't asked.
func (t *tester) ablate(ctx context.Context, done []ran, removals []Removal) ([][]string, error) {
	out := make([][]string, len(removals))
	for k, removal := range removals {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if t.options.Progress != nil {
			t.options.Progress("taking out", k, len(removals))
		}
		out[k] = []string{}
		x := ablation{t: t, ids: removal.IDs, plans: map[*plan]*cento.Plan{}, bound: map[*plan]map[string]*cento.Bound{}, made: map[*assembled]*assembled{}}
		if removal.Tool != "" || removal.Layer != "" {
			x.library = t.library.without(removal)
		}
		for _, r := range done {
			if r.passed && r.prompt != nil && x.fails(ctx, &r) {
				out[k] = append(out[k], r.name)
			}
		}
	}
	return out, nil
}

// ablation is what runs see when some fragments are taken out.
type ablation struct {
	t       *tester
	ids     []string
	library *library              // of projects without a tool or a layer; nil: fragments are taken out
	plans   map[*plan]*cento.Plan // nil for one that has none of them
	bound   map[*plan]map[string]*cento.Bound
	made    map[*assembled]*assembled // by the prompt with everything in it
}

// of is what a prompt of a run is then.
func (x *ablation) of(ctx context.Context, a *assembled, target string, w *manifest.With) *assembled {
	if x.library == nil {
		return x.without(a)
	}
	b, err := x.library.assemble(ctx, target, w)
	if err != nil {
		return &assembled{plan: a.plan, in: a.in, err: err}
	}
	return b
}

// without is a prompt without them; the prompt itself where that is the same.
func (x *ablation) without(a *assembled) *assembled {
	if b := x.made[a]; b != nil {
		return b
	}
	b := a
	if compiled, err := x.compiled(a.plan); err != nil {
		b = &assembled{plan: a.plan, in: a.in, err: err}
	} else if compiled != nil {
		b = &assembled{plan: a.plan, in: a.in}
		b.fill(compiled, x.bound[a.plan])
		if b.err == nil && a.err == nil && a.text == b.text {
			b = a
		}
	}
	x.made[a] = b
	return b
}

func (x *ablation) compiled(p *plan) (*cento.Plan, error) {
	if compiled, known := x.plans[p]; known {
		return compiled, nil
	}
	in := p.in.WithoutFragments(x.ids...)
	fragments, _, err := cento.Compose(in)
	if err != nil {
		return nil, err
	}
	var compiled *cento.Plan
	if slices.ContainsFunc(fragments, func(f cento.Fragment) bool { return f.Excluded != nil && f.Excluded.Code == cento.CodeTakenOut }) {
		if compiled, err = p.compile(fragments); err != nil {
			return nil, err
		}
	}
	x.plans[p], x.bound[p] = compiled, map[string]*cento.Bound{}
	return compiled, nil
}

// fails reports whether a run that passed doesn't any more.
func (x *ablation) fails(ctx context.Context, r *ran) bool {
	c, b := r.of, x.of(ctx, r.prompt, r.target, &r.with)
	switch {
	case c.Error != nil:
		return b != r.prompt && x.t.wantError(c, b.err) != nil
	case b.err != nil:
		return true
	}
	if b != r.prompt {
		if b.text != r.prompt.text && (c.Golden != nil || c.Truth != nil || c.Wire != nil && c.Wire.Golden != nil) {
			return true
		}
		for _, a := range x.t.assertions(c) {
			if !a.holds(b) {
				return true
			}
		}
	}
	if c.SamePrefix == nil {
		return false
	}
	beside := otherSide(r.run)
	other, err := x.t.library.assemble(ctx, r.target, beside)
	if err != nil {
		return true
	}
	other = x.of(ctx, other, r.target, beside)
	return other.err != nil || !samePrefix(c.SamePrefix, b, other)
}
