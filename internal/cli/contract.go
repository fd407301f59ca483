package cli

import (
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/terminal"
)

func (c *console) contractCommand() *command {
	cmd := &command{
		use:   "contract",
		short: "Write, read and count contracts between agents, and check answers",
		long: `A contract says for one call of an agent who is asked, for what, from which facts,
under which rules, and what is to come back. People write it in YAML or JSON; it is
sent in one of several forms, and what the agent answers can be held against it.`,
		args: c.subcommand,
		run:  showHelp,
	}
	cmd.below = []*command{c.contractCheckCommand(), c.contractTokensCommand(), c.contractWriteCommand(), c.contractReadCommand(), c.contractShapeCommand(), c.contractSchemaCommand()}
	return cmd
}

// contractFile reads a contract file, or stdin.
func (c *console) contractFile(cmd *cobra.Command, name string) (*app.ContractFile, error) {
	shown, text, err := c.readNamed(cmd.Context(), name, "the contract")
	if err != nil {
		return nil, err
	}
	f, err := app.ParseContract(shown, text)
	if err != nil {
		return nil, err
	}
	return f, nil
}

// formFlag defines the flag that names a form.
func formFlag(fl *flags, form *string, known []string, usage string) {
	fl.StringVar(form, "form", "", usage+": "+strings.Join(known, ", ")+" (default lines)")
	fl.completeWords("form", known...)
}

func (c *console) form(name string, known []string) (app.ContractFormat, error) {
	form, ok := app.ContractForm(name)
	if !ok {
		return 0, wrongUse(app.NearestHint(name, known), "--form %s is no form of contracts", name)
	}
	return form, nil
}

const contractArgument = "a contract file, or - for stdin"

func (c *console) contractWriteCommand() *command {
	var name string
	var exact bool
	cmd := &command{
		use:   "write FILE",
		short: "Write a contract in a form",
		long: `Write the contract in FILE, or - for stdin, in one of its forms. All but plain and
markdown can be read back. In edn an objective with spaces becomes a keyword with
hyphens; with --exact it is a string, and reads back as it was.`,
		examples: `  cento contract write ask.yaml
  cento contract write ask.yaml --form lines
  cento contract write ask.yaml --json`,
		args:    oneArgument(contractArgument, "write one at a time"),
		answers: answer[app.ContractAnswer](),
		run: func(cmd *cobra.Command, args []string) error {
			form, err := c.form(name, app.ContractForms(false))
			if err != nil {
				return err
			}
			f, err := c.contractFile(cmd, args[0])
			if err != nil {
				return err
			}
			r := app.WriteContract(f, form, exact)
			c.tellNotes(r.Notes)
			if c.json {
				return c.printJSON(r)
			}
			return c.print(func(w *terminal.Writer) { w.Exact(*r.Text) })
		},
	}
	cmd.with(func(fl *flags) {
		formFlag(fl, &name, app.ContractForms(false), "the `FORM` to write")
		fl.BoolVar(&exact, "exact", false, "in edn, keep the objective as it is")
	})
	return cmd
}

func (c *console) contractReadCommand() *command {
	var name string
	var keys, roles []string
	cmd := &command{
		use:   "read FILE",
		short: "Read a contract that was written in a form",
		long: `Read the text in FILE, or - for stdin, as a contract in a form, and print it as a
contract file in JSON. With --json that is the value of "contract", as in the answer
of cento call contract.`,
		examples: `  cento contract read ask.edn
  cento contract read ask.txt --form lines -o ask.json
  cento contract write ask.yaml --form toon | cento contract read - --form toon`,
		args:    oneArgument("a file with a contract, or - for stdin", "read one at a time"),
		answers: answer[app.ContractAnswer](),
		run: func(cmd *cobra.Command, args []string) error {
			form, err := c.form(name, app.ContractForms(true))
			if err != nil {
				return err
			}
			shown, text, err := c.readNamed(cmd.Context(), args[0], "the contract")
			if err != nil {
				return err
			}
			r, err := app.ReadContract(form, string(text), app.ContractReading(shown, keys, roles), func(form string) string { return "--form " + form })
			if err != nil {
				return err
			}
			c.tellNotes(r.Notes)
			if c.json {
				return c.printJSON(r)
			}
			return c.writeJSON(r.Contract)
		},
	}
	cmd.with(func(fl *flags) {
		formFlag(fl, &name, app.ContractForms(true), "the `FORM` that the text is in")
		fl.names(&keys, "key", "a key that is allowed besides the built-in ones: `NAME`, repeatable")
		fl.names(&roles, "role", "a role that is allowed besides the built-in ones: `NAME`, repeatable")
	})
	return cmd
}

func (c *console) contractTokensCommand() *command {
	var model, encoding string
	var exact bool
	cmd := &command{
		use:   "tokens FILE",
		short: "Count what a contract costs in each form",
		long: `Write the contract in FILE, or - for stdin, in every form and count tokens and
bytes, the cheapest first. The column json is the share of what compact JSON costs.
Which form is cheapest depends on the facts and on who counts, so measure a contract
like yours. Forms marked * are for people: they can't be read back.`,
		examples: `  cento contract tokens ask.yaml
  cento contract tokens ask.yaml --encoding cl100k_base --json`,
		args:    oneArgument(contractArgument, "count one at a time"),
		answers: answer[app.ContractCosts](),
		run: func(cmd *cobra.Command, args []string) error {
			counter, about, err := app.CountBy(model, encoding)
			if err != nil {
				return err
			}
			c.noteModel(model)
			f, err := c.contractFile(cmd, args[0])
			if err != nil {
				return err
			}
			c.tellNotes(f.Notes())
			costs := app.CostContract(f, counter, about, exact)
			if c.json {
				return c.printJSON(costs)
			}
			return c.print(func(w *terminal.Writer) { c.writeCosts(w, costs) })
		},
	}
	cmd.with(func(fl *flags) {
		fl.StringVar(&model, "model", "", "count as the model `NAME` does")
		encodingFlag(fl, &encoding)
		fl.BoolVar(&exact, "exact", false, "in edn, keep the objective as it is")
	})
	return cmd
}

func (c *console) writeCosts(w *terminal.Writer, costs *app.ContractCosts) {
	var t table
	t.Add(cell{Text: "form", Paint: dim}, cell{Text: "tokens", Paint: dim, Right: true}, cell{Text: "json", Paint: dim, Right: true}, cell{Text: "bytes", Paint: dim, Right: true})
	for _, x := range costs.Forms {
		name := x.Form.String()
		if !x.Readable {
			name += "*"
		}
		t.Add(cell{Text: name}, cell{Text: count(x.Tokens, x.Exact), Right: true},
			cell{Text: strconv.FormatFloat(costs.Relative(x), 'f', 2, 64), Right: true}, cell{Text: strconv.Itoa(x.Bytes), Right: true})
	}
	w.Table(&t)
	w.Printf("%s", dim.On(plural(costs.Facts, "fact")+"; "))
	c.writeCounting(w, costs.Counting)
}

func (c *console) contractCheckCommand() *command {
	var name string
	var retry bool
	cmd := &command{
		use:   "check ANSWER --contract FILE",
		short: "Hold an answer against the contract that asked for it",
		long: `Hold the answer of an agent, in a file or - for stdin, against the contract that it
was given: the format, the kind and the key that were asked for, an id and a text
for every fact, and citations of facts that were given where sources are to be
cited. An answer within prose or a code fence is found, and said to be so. With --retry
the message is printed that asks the agent for a second try; it is empty for an answer
that holds. The exit code is 1 when the answer doesn't hold.`,
		examples: `  cento contract check answer.json --contract ask.yaml
  run-agent < prompt.txt | cento contract check - --contract ask.yaml --json
  run-agent < prompt.txt | cento contract check - --contract ask.yaml --retry`,
		args:    oneArgument("an answer, or - for stdin", "check one at a time"),
		answers: answer[app.ContractReport](),
		run: func(cmd *cobra.Command, args []string) error {
			switch {
			case name == "":
				return wrongUse("cento contract check "+app.Quoted(args[0])+" --contract FILE", "cento contract check wants the contract of the answer")
			case name == "-" && args[0] == "-":
				return wrongUse("name a file for one of them", "the answer and the contract can't both come from stdin")
			case retry && c.json:
				return wrongUse("leave one of them out", "--retry is a message for a model, --json are the findings for a program")
			}
			f, err := c.contractFile(cmd, name)
			if err != nil {
				return err
			}
			shown, answer, err := c.readNamed(cmd.Context(), args[0], "the answer")
			if err != nil {
				return err
			}
			report := app.CheckContractAnswer(f, string(answer))
			switch {
			case c.json:
				err = c.printJSON(report)
			case retry:
				err = c.print(func(w *terminal.Writer) { writeMessage(w, f.Retry(report)) })
			default:
				err = c.print(func(w *terminal.Writer) { c.writeReport(w, shown, string(answer), report) })
			}
			if err == nil && !report.Holds {
				err = errNo
			}
			return err
		},
	}
	cmd.with(func(fl *flags) {
		fl.StringVar(&name, "contract", "", "the contract `FILE` of the answer")
		fl.BoolVar(&retry, "retry", false, "print the message that asks for a second try")
	})
	return cmd
}

// writeMessage writes a text for a model with a line end behind it, nothing for none.
func writeMessage(w *terminal.Writer, text string) {
	if text != "" {
		w.Printf("%s\n", terminal.Text(text))
	}
}

func (c *console) contractShapeCommand() *command {
	return &command{
		use:   "shape FILE",
		short: "Write how the answer to a contract is to be written",
		long: `Write the text that tells a model how to answer the contract in FILE, or - for stdin:
an example in the format, of the kind and for the key that the contract asks for. It
goes behind the contract in the prompt.`,
		examples: `  cento contract shape ask.yaml
  (cento contract write ask.yaml; echo; echo; cento contract shape ask.yaml) > prompt.txt`,
		args:    oneArgument(contractArgument, "one at a time"),
		answers: answer[app.ContractAnswer](),
		run: func(cmd *cobra.Command, args []string) error {
			f, err := c.contractFile(cmd, args[0])
			if err != nil {
				return err
			}
			shape := f.AnswerShape()
			if c.json {
				return c.printJSON(&app.ContractAnswer{Shape: shape})
			}
			return c.print(func(w *terminal.Writer) { writeMessage(w, shape) })
		},
	}
}

func (c *console) writeReport(w *terminal.Writer, name, answer string, r *app.ContractReport) {
	for _, f := range r.Findings {
		w.Printf("%s:%d:%d: %s: %s (%s)\n", name, f.Line, f.Column, severityPaint(f.Severity).On(f.Severity.String()), f.Message, f.Code)
		w.Excerpt(answer, f.Line, f.Column, "  ")
		w.HintAt("  ", f.Hint)
	}
	if r.Omitted > 0 {
		w.Printf("… and %d more\n", r.Omitted)
	}
	switch {
	case !r.Holds:
		w.Printf("%s\n", red.On("the answer doesn't hold"))
		return
	case !r.Checked:
		w.Printf("%s: a plain answer has no parts to check\n", green.On("the answer holds"))
	case r.Answer != nil:
		w.Printf("%s: %s for %s, %s\n", green.On("the answer holds"), r.Answer.Emit, r.Answer.Key, plural(len(r.Answer.Facts), "fact"))
	default:
		w.Printf("%s\n", green.On("the answer holds"))
	}
}

func (c *console) contractSchemaCommand() *command {
	return &command{
		use:   "schema",
		short: "Print the JSON Schema of contract files",
		examples: `  cento contract schema -o contract.schema.json
  # then, as the first line of a contract file:
  # yaml-language-server: $schema=contract.schema.json`,
		args: noArguments,
		run: func(*cobra.Command, []string) error {
			return c.print(func(w *terminal.Writer) { w.Exact(string(append(app.ContractSchema(), '\n'))) })
		},
	}
}
