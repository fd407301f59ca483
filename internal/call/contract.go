package call

import (
	"context"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/contract"
	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/manifest"
)

// answerContract writes a contract, or reads a text. An error is one of
// [contract.Parse], with places in the text.
func answerContract(_ context.Context, r *manifest.ContractRequest) (*app.ContractAnswer, error) {
	c := r.Contract
	if c == nil {
		return app.ReadContract(r.Form, *r.Text, contract.ParseOptions{File: r.Name, Keys: r.Keys, Roles: r.Roles, Limits: r.Limits},
			func(form string) string { return `"form": "` + form + `"` })
	}
	out := app.WriteContract(c, r.Form, r.Exact)
	if r.Shape {
		out.Shape = c.AnswerShape()
	}
	if r.Answer != nil {
		out.Report = c.CheckAnswer(*r.Answer, cento.Limits{Prompt: r.Limits.File})
		out.Retry = c.Retry(out.Report)
	}
	return out, nil
}
