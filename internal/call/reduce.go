package call

import (
	"cmp"
	"context"
	"slices"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/manifest"
	"github.com/cento-dev/cento/pack"
)

// answerReduce reduces fragments that are handed over.
func answerReduce(ctx context.Context, r *manifest.ReduceRequest) (*cento.Explanation, error) {
	in, notes := ofModel(cento.Input{Active: r.Active, Files: cento.Files{Now: r.Now, Vars: r.Vars}}, r.ModelAt)
	engine, err := pack.NewEngine(in)
	if err != nil {
		return nil, err
	}
	// What came with a request came from no file, so its fragments have no places,
	// but whoever wrote it wants to know where it is wrong.
	options := cento.Options{Conditions: engine, Placed: r.Placed}
	if b := r.Budget; b != nil {
		options.Budget = &cento.Budget{Tokens: b.Tokens, Reserve: b.Reserve, Policy: b.Policy, Counter: engine.Counter(in.Active.Model, in.Model)}
	}
	p, err := cento.ReduceFragments(r.Fragments, in.Active, options)
	if err = cmp.Or(err, ctx.Err()); err != nil {
		return nil, err
	}
	e := p.Explain(cento.ExplainOptions{Counter: counter(r.Tokens, in)})
	e.Notes = slices.Concat(e.Notes, notes, r.Notes, app.UndefinedCaps(r.Fragments, r.Vars, r.Active.Caps, r.CapsAt))
	return e, nil
}
