package cli

import (
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/call"
	"github.com/cento-dev/cento/internal/terminal"
)

// wireFlags are the flags of commands that write a request.
type wireFlags struct {
	form, messages string
	partial        bool
}

func (f *wireFlags) register(cmd *command) {
	f.registerRequest(cmd)
	cmd.with(func(fl *flags) {
		fl.BoolVar(&f.partial, "partial", false, "leave the conversation out of the request")
	})
}

// registerRequest defines the flags of a request that has no conversation but the one that
// is named.
func (f *wireFlags) registerRequest(cmd *command) {
	cmd.with(func(fl *flags) {
		fl.StringVar(&f.form, "wire", "", "the request in the form of `PROVIDER`: "+strings.Join(app.WireForms(), ", "))
		fl.StringVar(&f.messages, "messages", "", "the conversation: a JSON `FILE` with a list of messages, - for stdin")
		fl.completeWords("wire", app.WireForms()...)
	})
}

// asked reports whether a request is wanted, and refuses what is of no use without.
func (f *wireFlags) asked() (bool, error) {
	if f.form == "" && (f.messages != "" || f.partial) {
		return false, wrongUse("add --wire PROVIDER", "--messages and --partial are for requests")
	}
	return f.form != "", nil
}

// wire writes a prompt as a request, and tells on stderr what is lost.
func (c *console) wire(cmd *cobra.Command, f *wireFlags, p *app.Project, in cento.Input, prompt *cento.Prompt) (*app.WireBody, error) {
	o, err := c.wireOptions(cmd, f)
	if err != nil {
		return nil, err
	}
	return p.Wire(in, prompt, o)
}

// wireOptions reads what the flags name.
func (c *console) wireOptions(cmd *cobra.Command, f *wireFlags) (o app.WireOptions, err error) {
	o = app.WireOptions{Form: f.form, Partial: f.partial}
	if f.messages == "" {
		return o, nil
	}
	if f.partial {
		return o, wrongUse("leave one of them out", "--partial leaves the conversation out, and --messages brings one")
	}
	name, text, err := c.readNamed(cmd.Context(), f.messages, "the messages")
	if err == nil {
		o.Messages, err = app.ReadMessages(name, text)
	}
	return o, err
}

func (c *console) tellLosses(losses []app.WireLoss) {
	for i := range losses {
		c.err.Say("%s", lossText(&losses[i]))
	}
}

func lossText(l *app.WireLoss) string {
	about := string(l.Code)
	if l.Fragment != "" {
		about += " " + l.Fragment
	}
	if l.Severity == cento.SeverityError {
		about = "error: " + about
	}
	text := about + ": " + strings.TrimSpace(l.Message+" "+l.Pointer)
	if l.Hint != "" {
		text += "; hint: " + l.Hint
	}
	return text
}

// printBody prints a request byte for byte.
func (c *console) printBody(body *app.WireBody) error {
	c.tellLosses(body.Losses)
	return c.printWire(body, func(w *terminal.Writer) { w.Exact(body.Body) })
}

// printWire prints a request, and returns [errNo] for one that the provider is certain to
// refuse.
func (c *console) printWire(body *app.WireBody, text func(w *terminal.Writer)) error {
	var err error
	if out := (call.WireBody{WireBody: *body}); c.json {
		err = c.printNoted(&out, &out.Notes)
	} else {
		err = c.print(text)
	}
	if err == nil && slices.ContainsFunc(body.Losses, func(l app.WireLoss) bool { return l.Severity == cento.SeverityError }) {
		err = errNo
	}
	return err
}

func (c *console) wireCommand() *command {
	var f whatIf
	var o wireFlags
	cmd := &command{
		use:   "wire",
		short: "Show what is where in the request of a provider",
		long: `Show the request that the prompt and its tools become, part by part: where it
stands in the body, which fragment or tool it is, how many tokens it counts, and
which marks of the prompt cache stand behind it; then what the form loses. The form
is that of --wire, else the manifest's, else the model's. The body itself is printed
by cento build --wire PROVIDER. The exit code is 1 when the provider is certain to
refuse the request.`,
		examples: `  cento wire --model claude-opus-5
  cento wire --wire openai --messages turns.json
  cento build --wire anthropic --model claude-opus-5 --messages turns.json`,
		args:    noArguments,
		answers: answer[call.WireBody](),
		run: func(cmd *cobra.Command, _ []string) error {
			p, err := c.open(cmd.Context(), &f)
			if err != nil {
				return err
			}
			in := p.InForm(f.input(c, p), o.form)
			prompt, err := c.reduce(&f, p, in)
			if err != nil {
				return err
			}
			body, err := c.wire(cmd, &o, p, in, prompt)
			if err != nil {
				return err
			}
			c.remarkOn(prompt)
			return c.printWire(body, func(w *terminal.Writer) { writeWire(w, body, body.Rows(app.CounterOf(in))) })
		},
	}
	f.register(c, cmd)
	o.register(cmd)
	return cmd
}

// wireSums name the sums of rows of a kind.
var wireSums = map[app.WireKind]string{app.WireSystem: "system prompt", app.WireTool: "tools, as they are written", app.WireReminders: "reminders"}

func writeWire(w *terminal.Writer, body *app.WireBody, rows []app.WireRow) {
	if body.URLPath == "" { // of a form that is sent nowhere
		w.Printf("%s, %s\n", bold.On(body.Form), plural(len(body.Body), "byte"))
	} else {
		w.Printf("%s %s, %s\n", bold.On(body.Form), body.URLPath, plural(len(body.Body), "byte"))
	}
	marks := map[string]string{}
	for _, b := range body.Breakpoints {
		said := "mark after " + b.After
		if b.TTL != "" {
			said += ", " + b.TTL
		}
		marks[b.Pointer] = said
	}
	var t table
	t.Add(cell{Text: "tokens", Paint: dim, Right: true}, cell{Text: "bytes", Paint: dim, Right: true}, cell{Text: "place", Paint: dim}, cell{Text: "fragment", Paint: dim}, cell{Text: "mark", Paint: dim})
	sum, bytes := 0, 0
	for i, r := range rows {
		exact := body.TokensExact && (r.Kind != app.WireTool || body.ToolsExact)
		mark, last := "", i == len(rows)-1
		if last || rows[i+1].Pointer != r.Pointer { // behind the last part of a block
			for _, block := range []string{r.Pointer, r.Pointer[:max(strings.LastIndexByte(r.Pointer, '/'), 0)]} {
				mark += marks[block]
				delete(marks, block)
			}
		}
		t.Add(cell{Text: count(r.Tokens, exact), Right: true}, cell{Text: strconv.Itoa(r.Bytes), Right: true}, cell{Text: r.Pointer}, cell{Text: r.Fragment, Paint: cyan}, cell{Text: mark, Paint: green})
		sum, bytes = sum+r.Tokens, bytes+r.Bytes
		if last || rows[i+1].Kind != r.Kind {
			t.Add(cell{Text: count(sum, exact), Paint: bold, Right: true}, cell{Text: strconv.Itoa(bytes), Paint: bold, Right: true}, cell{Text: wireSums[r.Kind], Paint: bold})
			sum, bytes = 0, 0
		}
	}
	w.Table(&t)
	if n := body.FramingTokens; n != nil && *n > 0 {
		w.Printf("framing %s: reminders, and what is known to stand around the prompt\n", tokens(*n, body.TokensExact && body.FramingKnown))
	}
	if !body.FramingKnown && body.URLPath != "" {
		w.Printf("%s\n", dim.On("what a provider adds around the prompt isn't known"))
	}
	for _, b := range body.Breakpoints {
		if said, ok := marks[b.Pointer]; ok { // an element of its own
			w.Printf("%s %s\n", green.On(said), b.Pointer)
		}
	}
	for _, l := range body.Losses {
		about := string(l.Code)
		if l.Fragment != "" {
			about += " " + l.Fragment
		}
		w.Printf("%s: %s\n", yellow.On(about), strings.TrimSpace(l.Message+" "+l.Pointer))
	}
}
