package cento

import "fmt"

// RequestForm is the form of a provider's requests, as far as a budget depends on it.
// Those of package wire are.
type RequestForm interface {
	// Beside counts what a request has beside the prompt: the definitions of those of the
	// tools that the form sends to the model, and what the provider is known to add around
	// the prompt. m is what is known of the model; nil: nothing. It counts the same for the
	// same arguments. The error is of a definition that isn't JSON.
	Beside(tools []Tool, m *Model, c Counter) (definitions, framing int, err error)
	// Tag is what stands before and behind the texts of a section in place of the heading;
	// two empty texts: the heading stands there.
	Tag(heading string) (open, end string)
	// Tagged is a text as it stands before such an end: what would pass for the end is
	// written so that it doesn't.
	Tagged(text, end string) string
}

// FormSource is an [Engine] that knows forms of requests.
type FormSource interface {
	// RequestForm returns the form of a name whose sections are parted as another name
	// says, of which "" is the default; nil: there is none.
	RequestForm(name, sections string) RequestForm
}

// inForm counts what goes into the request beside the prompt: of the tools those that
// are active, in their order.
func (b *Budget) inForm(engine Engine, in *Input) error {
	if source, ok := engine.(FormSource); ok {
		b.form = source.RequestForm(b.Form, b.Sections)
	}
	if b.form == nil || b.Counter == nil {
		return nil // told with what else is wrong
	}
	tools, framing, err := b.form.Beside(in.activeDefinitions(), in.Model, b.Counter)
	if b.Tools == 0 {
		b.Tools = tools
	}
	b.Framing += framing
	return err
}

// activeDefinitions are the definitions of the active tools, in their order.
func (in *Input) activeDefinitions() []Tool {
	active := make(map[string]bool)
	for _, name := range in.ActiveTools() {
		active[name] = true
	}
	var out []Tool
	for _, t := range in.Tools {
		if active[t.Name] {
			out = append(out, t)
		}
	}
	return out
}

// uncountedForm is what is wrong with a budget whose form nothing counts.
func (b *Budget) uncountedForm() *SourceError {
	if b.Form == "" && b.Sections == "" || b.form != nil {
		return nil
	}
	form := fmt.Sprintf("%q", b.Form)
	if b.Sections != "" {
		form += fmt.Sprintf(" with sections as %q", b.Sections)
	}
	return &SourceError{
		Code: InvalidBudget, Position: b.Origin, Message: "the budget is for requests of the form " + form + ", and nothing here knows it",
		Hint: "assemble an input with an engine that knows forms of requests, or leave the form out",
	}
}
