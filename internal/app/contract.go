package app

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/contract"
)

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
	return contract.ParseFile(read, text, RequestLimits(), cento.TrustUser)
}

// ContractAnswer is the answer to a request about a contract: the text of a contract, or the
// contract of a text.
type ContractAnswer struct {
	Text *string `json:"text,omitempty"`
	// Readable tells of a text that was written whether its form can be read back.
	Readable *bool              `json:"readable,omitempty"`
	Contract *contract.Contract `json:"contract,omitempty"`
	// Shape tells a model how to answer, for a request that asks for it.
	Shape string `json:"shape,omitempty"`
	// Report is on the answer of a request that brings one.
	Report *contract.Report `json:"report,omitempty"`
	// Retry is the message that asks a model for a second try; absent unless its
	// answer doesn't hold.
	Retry string `json:"retry,omitempty"`
	// Notes tell what is allowed and probably not meant.
	Notes []cento.Note `json:"notes,omitempty"`
}

// writableContract is a contract, or a contract file, whose notes have places.
type writableContract interface {
	Append(dst []byte, form contract.Form, options ...contract.Option) []byte
	Notes() []cento.Note
	Losses(form contract.Form, options ...contract.Option) []cento.Note
}

// WriteContract writes a contract, as `call contract` does.
func WriteContract(c writableContract, form contract.Form, exact bool) *ContractAnswer {
	var options []contract.Option
	if exact {
		options = append(options, contract.Exact)
	}
	text := string(c.Append(nil, form, options...))
	return &ContractAnswer{Text: &text, Readable: new(form.Readable()), Notes: append(c.Notes(), c.Losses(form, options...)...)}
}

// ReadContract reads a contract that was written in a form. Another form that the text is in
// is told by write, which says how the caller names a form.
func ReadContract(form contract.Form, text string, o contract.ParseOptions, write func(form string) string) (*ContractAnswer, error) {
	c, err := contract.Parse(form, text, o)
	if err == nil {
		return &ContractAnswer{Contract: c, Notes: c.Notes()}, nil
	}
	if e, ok := errors.AsType[*cento.SourceError](err); ok && form.Readable() {
		for _, other := range contract.Forms() {
			if _, err := contract.Parse(other, text, o); err == nil {
				e.Hint = "this is " + other.String() + ": read it with " + write(other.String())
				break
			}
		}
	}
	return nil, err
}

// ContractReading says of a text that is read as a contract what it is called and what may
// stand in it besides the built-in names.
func ContractReading(name string, keys, roles []string) contract.ParseOptions {
	return contract.ParseOptions{File: name, Keys: keys, Roles: roles, Limits: requestTextLimits()}
}

// RequestLimits bound a request: what comes in one piece is bounded by the door it
// comes through.
func RequestLimits() cento.Limits { return cento.Limits{File: 64 << 20} }

// requestTextLimits bound a text that comes in one piece.
func requestTextLimits() cento.Limits { return cento.Limits{Prompt: RequestLimits().File} }

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
