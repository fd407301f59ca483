package wire

import (
	"fmt"
	"strings"

	"github.com/cento-dev/cento"
)

// RequestForm is a form as a [cento.Budget] counts by it: what [Build] counts of the
// same prompt and the same tools. sections is the name of a [Sectioning], what
// [Sectioning.For] gave; "" is markdown. Nil for a name that isn't one.
func RequestForm(form, sections string) cento.RequestForm {
	var f counted
	if f.form.UnmarshalText([]byte(form)) != nil || sections != "" && f.sections.UnmarshalText([]byte(sections)) != nil {
		return nil
	}
	return f
}

// counted is a form with how it parts sections.
type counted struct {
	form     Form
	sections Sectioning
}

// Beside counts the definitions as they are written. What the provider would refuse is
// told where a request is made, so that it is counted here.
func (f counted) Beside(tools []cento.Tool, m *cento.Model, c cento.Counter) (definitions int, framing *int, err error) {
	b := &builder{r: &Request{Form: f.form, Tools: tools, Counter: c}, form: f.form, rules: &rulesOf[f.form], model: m}
	if b.model == nil {
		b.model = &cento.Model{}
	}
	b.chooseTools()
	for _, e := range b.faults {
		if e.Code == InvalidToolSchema || e.Code == InvalidToolText {
			return 0, nil, &cento.SourceError{Code: cento.InvalidTool, Position: e.Position, Message: "the definitions of the tools can't be counted", Err: e}
		}
	}
	b.defineTools()
	if n, known := b.around(true); known {
		framing = &n
	}
	return b.toolTokens, framing, nil
}

// Tag is what stands for a heading.
func (f counted) Tag(heading string) (open, end string) {
	if f.sections != XML {
		return "", ""
	}
	tag := tagOf(heading)
	return opening(tag), ending(tag)
}

// Tagged is a text before the tag that ends its section.
func (counted) Tagged(text, end string) string {
	ends := found(text, strings.TrimSuffix(strings.TrimPrefix(end, "\n"), ">"))
	if len(ends) == 0 {
		return text
	}
	return quoted(text, 0, ends)
}

// around is what the provider is known to add around a system prompt, if there is one,
// and before the answer. OpenAI's cookbook has it for Chat Completions and these models:
// three tokens around a message, one for its role, and three before the answer. For gpt-5
// one less was seen. Of other forms and models no figure is known that holds.
func (b *builder) around(prompt bool) (tokens int, known bool) {
	const message, answer = 4, 3
	name := b.model.Name
	switch {
	case b.form != OpenAI:
		return 0, false
	case name != "gpt-5" && !strings.HasPrefix(name, "gpt-5-") && !strings.HasPrefix(name, "gpt-4") && !strings.HasPrefix(name, "gpt-3.5-turbo"):
		return 0, false
	case !prompt:
		return answer, true
	}
	return message + answer, true
}

// reminders is what the reminders of the turn count, as they are sent.
func (b *builder) reminders() int {
	if b.r.Partial {
		return 0
	}
	n := 0
	add := func(p *cento.Prompt) {
		if p != nil {
			if text, ok := p.System(); ok {
				n += b.r.Counter.Count(text)
			}
		}
	}
	add(b.r.Reminders.Envelope)
	for _, s := range b.r.Reminders.Sent {
		n += b.r.Counter.Count(s.Text)
	}
	for _, x := range b.r.Reminders.Native {
		add(x.Text)
	}
	return n
}

// checkBudget tells where what is sent takes more than the budget that the prompt was
// fitted to: it was fitted for another form, for other tools or without the reminders.
func (b *builder) checkBudget(system, framing int) {
	if b.r.Prompt == nil {
		return
	}
	fitted := b.r.Prompt.Budget()
	if fitted == nil {
		return
	}
	if system+b.toolTokens+framing <= fitted.Budget-fitted.Reserve {
		return
	}
	around := 0
	if fitted.Framing != nil {
		around = *fitted.Framing
	}
	of := "without knowing the form of the request"
	if fitted.Form != "" {
		of = "for the form " + fitted.Form
	}
	b.lose(Loss{Code: CodeOverBudget, Message: fmt.Sprintf("the prompt takes %d tokens, the tools %d and the framing %d, and the budget of %d has %d for them: the prompt was fitted to it %s, with %d for tools and %d for framing",
		system, b.toolTokens, framing, fitted.Budget, fitted.Budget-fitted.Reserve, of, fitted.Tools, around)})
}

// checkWindow tells when the model doesn't take in what is sent, of which the conversation
// isn't counted. Whether an estimate that is near the window is above it isn't known.
func (b *builder) checkWindow(tokens int) {
	if b.form == Ollama {
		b.checkRunner(tokens)
		return
	}
	window, known := b.model.Window()
	if !known || tokens <= window {
		return
	}
	about := "the request takes %d tokens"
	if !b.r.Counter.Exact() || b.toolTokens > 0 {
		about = "the request takes about %d tokens, by an estimate"
	}
	b.lose(Loss{Code: CodeOverWindow, Message: fmt.Sprintf(about+" without its conversation, and %s takes in at most %d", tokens, b.asked(), window)})
}
