package call

import (
	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/contract"
	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/manifest"
)

// answerContract writes a contract, or reads a text. An error is one of
// [contract.Parse], with places in the text.
func answerContract(r *manifest.ContractRequest) (*app.ContractAnswer, error) {
	c := r.Contract
	out := new(app.ContractAnswer)
	if c != nil {
		var options []contract.Option
		if r.Exact {
			options = append(options, contract.Exact)
		}
		text := c.Text(r.Form, options...)
		out.Text = &text
		if r.Shape {
			out.Shape = c.AnswerShape()
		}
		if r.Answer != nil {
			out.Report = c.CheckAnswer(*r.Answer, cento.Limits{Prompt: r.Limits.File})
			out.Retry = c.Retry(out.Report)
		}
	} else {
		var err error
		if c, err = contract.Parse(r.Form, *r.Text, contract.ParseOptions{File: r.Name, Keys: r.Keys, Roles: r.Roles, Limits: r.Limits}); err != nil {
			return nil, err
		}
		out.Contract = c
	}
	out.Notes = c.Notes()
	return out, nil
}
