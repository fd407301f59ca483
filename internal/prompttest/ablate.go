package prompttest

import (
	"context"
	"slices"

	"github.com/cento-dev/cento"
)

// ablate tells, for each set of ids, which of the runs that passed fail when the fragments
// with these ids are taken out: the names of the runs, in their order. Goldens and truth
// tables notice every prompt that changes. Assertions about losses of requests and
// findings of checks aren't asked.
func (t *tester) ablate(ctx context.Context, done []ran, sets [][]string) ([][]string, error) {
	out := make([][]string, len(sets))
	for k, ids := range sets {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if t.options.Progress != nil {
			t.options.Progress("taking out", k, len(sets))
		}
		out[k] = []string{}
		x := ablation{t: t, ids: ids, plans: map[*plan]*cento.Plan{}, bound: map[*plan]map[string]*cento.Bound{}, made: map[*assembled]*assembled{}}
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
	t     *tester
	ids   []string
	plans map[*plan]*cento.Plan // nil for one that has none of them
	bound map[*plan]map[string]*cento.Bound
	made  map[*assembled]*assembled // by the prompt with everything in it
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
	c, b := r.of, x.without(r.prompt)
	switch {
	case c.Error != nil:
		return b != r.prompt && x.t.wantError(c, b.err) != nil
	case b.err != nil:
		return true
	}
	if b != r.prompt {
		if c.Golden != nil || c.Truth != nil || c.Wire != nil && c.Wire.Golden != nil {
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
	other, err := x.t.library.assemble(ctx, r.target, otherSide(r.run))
	if err != nil {
		return true
	}
	other = x.without(other)
	return other.err != nil || !samePrefix(c.SamePrefix, b, other)
}
