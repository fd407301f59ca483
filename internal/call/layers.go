package call

import (
	"cmp"
	"context"
	"slices"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/builtin"
	"github.com/cento-dev/cento/internal/manifest"
	"github.com/cento-dev/cento/layer"
	"github.com/cento-dev/cento/pack"
)

// LayersAnswer is the answer to a request for the prompt of layers.
type LayersAnswer struct {
	// Text is the prompt; empty when nothing is in it.
	Text string `json:"text"`
	// Template is the section plan in force.
	Template layer.Template `json:"template"`
	// Contributions are those in force, each with its layer.
	Contributions []layer.Resolved `json:"contributions"`
	// Fragments tells of every fragment why it is in or out.
	Fragments []cento.Trace `json:"fragments"`
	Notes     []cento.Note  `json:"notes,omitempty"`
}

// answerLayers finds the words of the builtins, which are the program's own, and
// makes the prompt. It reads no files.
func answerLayers(ctx context.Context, r *manifest.LayersRequest) (*LayersAnswer, error) {
	catalog, _, err := pack.NewCatalog(pack.NewLoader(pack.Roots{}, app.RequestLimits()))
	if err != nil {
		return nil, err
	}
	builtins, err := builtin.Texts(catalog, cento.Text{Body: r.Context.AgentName, Trust: cento.TrustHost}, cento.Text{})
	if err != nil {
		return nil, err
	}
	engine, err := pack.NewEngine(cento.Input{})
	if err != nil {
		return nil, err
	}
	return AnswerLayers(ctx, r, builtins, cento.Options{Conditions: engine})
}

// AnswerLayers makes the prompt that a request asks for. The words of the builtins are
// the caller's to find, but for the execution instructions, which the request
// brings. Its errors are those of [layer.Resolve] and [cento.ReduceFragments].
func AnswerLayers(ctx context.Context, r *manifest.LayersRequest, b layer.Builtins, o cento.Options) (*LayersAnswer, error) {
	resolution, err := layer.Resolve(r.Stack())
	if err != nil {
		return nil, err
	}
	if r.Merge {
		resolution = resolution.Merged()
	}
	b.ExecutionInstructions = cento.Text{Body: r.Context.ExecutionPrompt, Trust: cento.TrustHost}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	fragments := resolution.Compile(b)
	o.Placed = slices.Clone(fragments)
	for i := range fragments { // what came with the request came from no file
		if f := &fragments[i]; f.Source != layer.BuiltinRank.String() {
			f.Origin, f.NeedsOrigin, f.GatesOrigin, f.Runs = cento.Position{}, nil, nil, nil
			f.TitleOrigin, f.TemplateOrigin = cento.Position{}, cento.Position{}
			f.WhenOrigin, f.WhenRuns = cento.Position{}, nil
		}
		if f := &fragments[i]; f.Excluded != nil {
			f.Excluded = &cento.Exclusion{Code: f.Excluded.Code, By: f.Excluded.By}
		}
	}
	active := cento.Active{Tools: r.Context.ToolNames, Caps: r.Context.Caps}
	prompt, err := cento.ReduceFragments(fragments, active, o)
	if err = cmp.Or(err, ctx.Err()); err != nil {
		return nil, err
	}
	text, _ := prompt.System()
	return &LayersAnswer{
		Text: text, Template: resolution.Template(), Contributions: resolution.Contributions(),
		Fragments: prompt.Traces(cento.ExplainOptions{}), Notes: append(resolution.Notes(), prompt.Notes()...),
	}, nil
}
