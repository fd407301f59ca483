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

// answerRender renders a prompt file that is handed over with all that it
// includes.
func answerRender(ctx context.Context, r *manifest.RenderRequest) (*app.Rendering, error) {
	roots, err := pack.RootsOf(r.Files, nil)
	if err = cmp.Or(err, ctx.Err()); err != nil {
		return nil, err
	}
	roots.Own = r.Prefixes
	f, err := pack.NewLoader(roots, cento.Limits{}).Open(r.Root, r.Position)
	if err != nil {
		return nil, err
	}
	in, notes := ofModel(cento.Input{Active: r.Active, Files: cento.Files{
		Now: r.Now, Cwd: r.Cwd, AgentName: cento.Text{Body: r.AgentName, Trust: cento.TrustHost}, Given: r.Vars,
	}}, r.ModelAt)
	engine, err := pack.NewEngine(in, f)
	if err = cmp.Or(err, ctx.Err()); err != nil {
		return nil, err
	}
	text, err := engine.RenderGiven(f, in.Active)
	if err != nil {
		return nil, err
	}
	return app.NewRendering(text, slices.Concat(notes, f.Notes())), nil
}
