package app

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/contract"
)

func callContract(_ context.Context, request []byte) (any, error) {
	r, err := contract.ParseRequest(requestName, request, requestLimits())
	if err != nil {
		return nil, err
	}
	return r.Do()
}

// ContractForms lists the forms that a contract can be written in; readable
// leaves out those that can't be read back.
func ContractForms(readable bool) []string {
	var out []string
	for _, f := range contract.Forms() {
		if f.Readable() || !readable {
			out = append(out, f.String())
		}
	}
	return out
}

// ContractForm is the form of a name; "" is the default one.
func ContractForm(name string) (form contract.Form, ok bool) {
	return form, name == "" || form.UnmarshalText([]byte(name)) == nil
}

// ParseContract reads a contract file that somebody named. One without a name
// that tells is JSON when it begins as JSON does.
func ParseContract(name string, text []byte) (*contract.File, error) {
	read := name
	if strings.HasPrefix(name, "<") && strings.HasPrefix(strings.TrimLeft(string(text[:min(len(text), 4096)]), " \t\r\n"), "{") {
		read += ".json"
	}
	return contract.ParseFile(read, text, requestLimits(), cento.TrustUser)
}

// WriteContract writes a contract, as `call contract` does.
func WriteContract(f *contract.File, form contract.Form, exact bool) *contract.Response {
	var text string
	if exact {
		text = f.Contract.Text(form, contract.Exact)
	} else {
		text = f.Contract.Text(form)
	}
	return &contract.Response{Text: &text, Notes: f.Notes()}
}

// ReadContract reads a contract that was written in a form, as `call contract`
// does. Keys are those that are allowed besides the built-in ones.
func ReadContract(name string, text string, form contract.Form, keys []string) (*contract.Response, error) {
	c, err := contract.Parse(form, text, contract.ParseOptions{File: name, Keys: keys, Limits: requestTextLimits()})
	if err != nil {
		return nil, err
	}
	return &contract.Response{Contract: c, Notes: c.Notes()}, nil
}

// requestTextLimits bound a text that comes in one piece.
func requestTextLimits() cento.Limits { return cento.Limits{Prompt: requestLimits().File} }

// CheckContractAnswer holds an answer against a contract.
func CheckContractAnswer(f *contract.File, answer string) *contract.Report {
	return f.CheckAnswer(answer, cento.Limits{})
}

// ContractCosts is what a contract costs in every form.
type ContractCosts struct {
	Facts int `json:"facts"`
	Counting
	// Forms are in the order of their tokens, lowest first.
	Forms []ContractCost `json:"forms"`
}

// ContractCost is what a contract costs in one form.
type ContractCost struct {
	contract.Cost
	// Readable tells whether the form can be read back.
	Readable bool `json:"readable"`
}

// CostContract counts a contract in every form.
func CostContract(f *contract.File, counter cento.Counter, about Counting, exact bool) *ContractCosts {
	out := &ContractCosts{Facts: f.Len(), Counting: about}
	var options []contract.Option
	if exact {
		options = append(options, contract.Exact)
	}
	for c := range contract.Costs(f.Contract, counter, options...) {
		out.Forms = append(out.Forms, ContractCost{c, c.Form.Readable()})
	}
	slices.SortStableFunc(out.Forms, func(a, b ContractCost) int { return cmp.Compare(a.Tokens, b.Tokens) })
	return out
}

// Relative is a cost as a share of that of compact JSON.
func (c *ContractCosts) Relative(cost ContractCost) float64 {
	for _, x := range c.Forms {
		if x.Form == contract.JSON && x.Tokens > 0 {
			return float64(cost.Tokens) / float64(x.Tokens)
		}
	}
	return 1
}
