package contract

import (
	"strconv"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/strict"
)

// Request asks to write a contract, or to read a text: exactly one of Contract
// and Text is set.
type Request struct {
	Contract *Contract
	Text     *string
	// Form is what to write, or what the text is in; default [EDN].
	Form Form
	// Exact is the option [Exact]; for writing only.
	Exact bool
	// Keys are allowed in the text besides those of [Keys].
	Keys []string

	name   string
	limits cento.Limits
}

// Response is the answer to a [Request]: the text of a contract, or the
// contract of a text.
type Response struct {
	Text     *string   `json:"text,omitempty"`
	Contract *Contract `json:"contract,omitempty"`
	// Notes tell what is allowed and probably not meant.
	Notes []cento.Note `json:"notes,omitempty"`
}

type requestFile struct {
	Contract *File     `json:"contract,omitempty"`
	Text     *text     `json:"text,omitempty"`
	Form     *text     `json:"form,omitempty"`
	Exact    *exactKey `json:"exact,omitempty"`
	Keys     []string  `json:"keys,omitempty"`
}

type exactKey = strict.Located[bool]

// ParseRequest reads a request from JSON. The name is the one shown in errors;
// limits that are 0 are the defaults, and Limits.File bounds the request.
// Everything that is wrong is returned at once.
func ParseRequest(name string, data []byte, limits cento.Limits) (*Request, error) {
	limits = limits.Or(cento.DefaultLimits())
	n, err := strict.JSON(name, data, limits)
	if err != nil {
		return nil, err
	}
	var d strict.Decoder
	var f requestFile
	d.Decode(n, &f)
	r := &Request{Keys: f.Keys, name: name, limits: limits}
	if f.Form != nil {
		named(&d, "form", "form", formNames, f.Form, &r.Form)
	}
	switch {
	case d.Failed():
	case f.Contract == nil && f.Text == nil:
		d.Fail(n.Position(), Missing, "neither a contract nor a text is given").Hint = "give a contract to write, or a text to read"
	case f.Contract != nil && f.Text != nil:
		d.Fail(f.Text.Position(), Duplicate, "a contract and a text are given").Hint = "give a contract to write, or a text to read"
	case f.Text != nil:
		r.Text = &f.Text.Value
		if f.Exact != nil {
			d.Fail(f.Exact.Position(), UnknownName, "exact means nothing for a text that is read").Hint = "leave it out"
		}
	default:
		r.Contract = f.Contract.Contract
		r.Exact = f.Exact != nil && f.Exact.Value
		if len(f.Keys) > 0 {
			d.Fail(n.Position(), UnknownName, "keys stand in the contract that declares them").Hint = "move them into the contract"
		}
	}
	if err := d.Err(); err != nil {
		return nil, err
	}
	return r, nil
}

// Do answers the request. An error is one of [Parse], with places in the text.
func (r *Request) Do() (*Response, error) {
	c := r.Contract
	out := new(Response)
	if c != nil {
		var options []Option
		if r.Exact {
			options = append(options, Exact)
		}
		text := c.Text(r.Form, options...)
		out.Text = &text
	} else {
		var err error
		if c, err = Parse(r.Form, *r.Text, ParseOptions{File: r.name, Keys: r.Keys, Limits: r.limits}); err != nil {
			return nil, err
		}
		out.Contract = c
	}
	out.Notes = c.Notes()
	return out, nil
}

// Notes tells what is allowed and probably not meant: ids that more than one
// fact has. Those of a [File] know the places.
func (c *Contract) Notes() []cento.Note {
	var notes []cento.Note
	for _, id := range c.RepeatedIDs() {
		notes = append(notes, cento.Note{Code: RepeatedID, Message: "the id " + strconv.Quote(clip(id)) + " is given twice: a citation of it may mean either"})
	}
	return notes
}
