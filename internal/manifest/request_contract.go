package manifest

import (
	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/contract"
	"github.com/cento-dev/cento/internal/strict"
)

// ContractRequest asks to write a contract, or to read a text: exactly one of Contract
// and Text is set.
type ContractRequest struct {
	Contract *contract.Contract
	Text     *string
	// Form is what to write, or what the text is in; default [contract.Lines].
	Form contract.Form
	// Exact is the option [contract.Exact]; for writing only.
	Exact bool
	// Keys are allowed in the text besides those of [contract.Keys].
	Keys []string
	// Roles are allowed in the text besides the built-in ones.
	Roles []string

	// Shape asks for the text that tells a model how to answer the contract.
	Shape bool
	// Answer is what a model answered, to be held against the contract; nil for
	// none.
	Answer *string

	// Name and Limits are those that it was read with.
	Name   string
	Limits cento.Limits
}

type contractRequestFile struct {
	Contract *contract.File        `json:"contract,omitempty"`
	Text     *text                 `json:"text,omitempty"`
	Form     *text                 `json:"form,omitempty"`
	Exact    *strict.Located[bool] `json:"exact,omitempty"`
	Keys     []string              `json:"keys,omitempty" names:"a key"`
	Roles    []string              `json:"roles,omitempty" names:"a role"`
	Shape    bool                  `json:"shape,omitempty"`
	Answer   *text                 `json:"answer,omitempty"`
}

// ParseContract reads a request about a contract. The name is the one shown in errors;
// limits that are 0 are the defaults, and Limits.File bounds the request.
// Everything that is wrong is returned at once.
func ParseContract(name string, data []byte, limits cento.Limits) (*ContractRequest, error) {
	limits = limits.Or(cento.DefaultLimits())
	n, err := strict.JSON(name, data, limits)
	if err != nil {
		return nil, err
	}
	d := strict.Decoder{Trust: cento.TrustHost}
	var f contractRequestFile
	d.Decode(n, &f)
	r := &ContractRequest{Keys: f.Keys, Roles: f.Roles, Name: name, Limits: limits}
	if f.Form != nil {
		readForm(&d, f.Form, &r.Form)
	}
	switch {
	case d.Failed():
	case f.Contract == nil && f.Text == nil:
		d.Fail(n.Position(), contract.Missing, "neither a contract nor a text is given").Hint = "give a contract to write, or a text to read"
	case f.Contract != nil && f.Text != nil:
		d.Fail(f.Text.Position(), contract.Duplicate, "a contract and a text are given").Hint = "give a contract to write, or a text to read"
	case f.Text != nil:
		r.Text = &f.Text.Value
		if f.Shape || f.Answer != nil {
			d.Fail(f.Text.Position(), contract.UnknownName, "shape and answer are about a contract, and a text is given").Hint = "read the text first, and give the contract that it is"
		}
		if f.Exact != nil {
			d.Fail(f.Exact.Position(), contract.UnknownName, "exact means nothing for a text that is read").Hint = "leave it out"
		}
	default:
		r.Contract = f.Contract.Contract
		r.Shape = f.Shape
		if f.Answer != nil {
			r.Answer = &f.Answer.Value
		}
		r.Exact = f.Exact != nil && f.Exact.Value
		if len(f.Keys) > 0 {
			d.Fail(n.Position(), contract.UnknownName, "keys stand in the contract that declares them").Hint = "move them into the contract"
		}
		if len(f.Roles) > 0 {
			d.Fail(n.Position(), contract.UnknownName, "roles stand in the contract that declares them").Hint = "move them into the contract"
		}
	}
	if err := d.Err(); err != nil {
		return nil, err
	}
	return r, nil
}

// readForm reads the name of a form.
func readForm(d *strict.Decoder, at *text, to *contract.Form) {
	if _, ok := at.Text(); !ok || to.UnmarshalText([]byte(at.Value)) == nil {
		return
	}
	known := make([]string, len(contract.Forms()))
	for i, f := range contract.Forms() {
		known[i] = f.String()
	}
	d.In("form", func() {
		d.Fail(at.Position(), contract.UnknownName, "unknown form %q", at.Value).Hint = strict.UnknownHint(at.Value, known)
	})
}
