package cli

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cento-dev/cento/contract"
	"github.com/cento-dev/cento/internal/app"
)

func (c *console) contractCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "contract",
		Short: "Write, read and count contracts between agents, and check answers",
		Long: `A contract says for one call of an agent who is asked, for what, from which facts,
under which rules, and what is to come back. People write it in YAML or JSON; it is
sent in one of several forms, and what the agent answers can be held against it.`,
		Args: c.subcommand,
		RunE: showHelp,
	}
	cmd.AddCommand(c.contractCheckCommand(), c.contractTokensCommand(), c.contractWriteCommand(), c.contractReadCommand(), c.contractSchemaCommand())
	return cmd
}

// contractFile reads a contract file, or stdin.
func (c *console) contractFile(cmd *cobra.Command, name string) (*contract.File, error) {
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
func formFlag(cmd *cobra.Command, form *string, known []string, usage string) {
	cmd.Flags().StringVar(form, "form", "", usage+": "+strings.Join(known, ", ")+" (default edn)")
	if err := cmd.RegisterFlagCompletionFunc("form", cobra.FixedCompletions(known, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic("cli: " + err.Error())
	}
}

func (c *console) form(name string, known []string) (contract.Form, error) {
	form, ok := app.ContractForm(name)
	if !ok {
		hint := "the forms are " + strings.Join(known, ", ")
		if near := app.NearestName(name, known); near != "" {
			hint = fmt.Sprintf("did you mean %q? %s", near, hint)
		}
		return 0, wrongUse(hint, "--form %s is no form of contracts", name)
	}
	return form, nil
}

const contractArgument = "a contract file, or - for stdin"

func (c *console) contractWriteCommand() *cobra.Command {
	var name string
	var exact bool
	cmd := &cobra.Command{
		Use:   "write FILE",
		Short: "Write a contract in a form",
		Long: `Write the contract in FILE, or - for stdin, in one of its forms. All but plain and
markdown can be read back. In edn an objective with spaces becomes a keyword with
hyphens; with --exact it is a string, and reads back as it was.`,
		Example: `  cento contract write ask.yaml
  cento contract write ask.yaml --form lines
  cento contract write ask.yaml --json`,
		Args: oneArgument(contractArgument, "write one at a time"),
		RunE: func(cmd *cobra.Command, args []string) error {
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
			return c.printWhole(*r.Text)
		},
	}
	c.withFlags(cmd, func() {
		formFlag(cmd, &name, app.ContractForms(false), "the `FORM` to write")
		cmd.Flags().BoolVar(&exact, "exact", false, "in edn, keep the objective as it is")
	})
	return cmd
}

// printWhole prints the exact bytes of a text, with a line end on a terminal.
func (c *console) printWhole(text string) error {
	if c.toTerminal() {
		if text = app.Printable(text); !strings.HasSuffix(text, "\n") {
			text += "\n"
		}
	}
	return c.print(func(w io.Writer) error { _, err := io.WriteString(w, text); return err })
}

func (c *console) contractReadCommand() *cobra.Command {
	var name string
	var keys []string
	cmd := &cobra.Command{
		Use:   "read FILE",
		Short: "Read a contract that was written in a form",
		Long: `Read the text in FILE, or - for stdin, as a contract in a form, and print it as a
contract file in JSON. With --json that is the value of "contract", as in the answer
of cento call contract.`,
		Example: `  cento contract read ask.edn
  cento contract read ask.txt --form lines -o ask.json
  cento contract write ask.yaml --form toon | cento contract read - --form toon`,
		Args: oneArgument("a file with a contract, or - for stdin", "read one at a time"),
		RunE: func(cmd *cobra.Command, args []string) error {
			form, err := c.form(name, app.ContractForms(true))
			if err != nil {
				return err
			}
			shown, text, err := c.readNamed(cmd.Context(), args[0], "the contract")
			if err != nil {
				return err
			}
			r, err := app.ReadContract(shown, string(text), form, keys)
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
	c.withFlags(cmd, func() {
		formFlag(cmd, &name, app.ContractForms(true), "the `FORM` that the text is in")
		namesFlag(cmd, &keys, "key", "a key that is allowed besides the built-in ones: `NAME`, repeatable")
	})
	return cmd
}

func (c *console) contractTokensCommand() *cobra.Command {
	var model, encoding string
	var exact bool
	cmd := &cobra.Command{
		Use:   "tokens FILE",
		Short: "Count what a contract costs in each form",
		Long: `Write the contract in FILE, or - for stdin, in every form and count tokens and
bytes, the cheapest first. The column json is the share of what compact JSON costs.
Which form is cheapest depends on the facts and on who counts, so measure a contract
like yours. Forms marked * are for people: they can't be read back.`,
		Example: `  cento contract tokens ask.yaml
  cento contract tokens ask.yaml --encoding cl100k_base --json`,
		Args: oneArgument(contractArgument, "count one at a time"),
		RunE: func(cmd *cobra.Command, args []string) error {
			counter, about, err := app.CountBy(model, encoding)
			if err != nil {
				return err
			}
			f, err := c.contractFile(cmd, args[0])
			if err != nil {
				return err
			}
			c.tellNotes(f.Notes())
			costs := app.CostContract(f, counter, about, exact)
			if c.json {
				return c.printJSON(costs)
			}
			return c.print(func(w io.Writer) error { return c.writeCosts(w, costs) })
		},
	}
	c.withFlags(cmd, func() {
		cmd.Flags().StringVar(&model, "model", "", "count as the model `NAME` does")
		c.encodingFlag(cmd, &encoding)
		cmd.Flags().BoolVar(&exact, "exact", false, "in edn, keep the objective as it is")
	})
	return cmd
}

func (c *console) writeCosts(w io.Writer, costs *app.ContractCosts) error {
	var t table
	t.add(cell{text: "form", paint: dim}, cell{text: "tokens", paint: dim, right: true}, cell{text: "json", paint: dim, right: true}, cell{text: "bytes", paint: dim, right: true})
	for _, x := range costs.Forms {
		name := x.Form.String()
		if !x.Readable {
			name += "*"
		}
		t.add(cell{text: name}, cell{text: count(x.Tokens, x.Exact), right: true},
			cell{text: strconv.FormatFloat(costs.Relative(x), 'f', 2, 64), right: true}, cell{text: strconv.Itoa(x.Bytes), right: true})
	}
	if err := t.write(c, w); err != nil {
		return err
	}
	fmt.Fprint(w, c.paint(dim, plural(costs.Facts, "fact")+"; "))
	return c.writeCounting(w, costs.Counting)
}

func (c *console) contractCheckCommand() *cobra.Command {
	var name string
	cmd := &cobra.Command{
		Use:   "check ANSWER --contract FILE",
		Short: "Hold an answer against the contract that asked for it",
		Long: `Hold the answer of an agent, in a file or - for stdin, against the contract that it
was given: the format, the kind and the key that were asked for, an id and a text
for every fact, and citations of facts that were given where sources are to be
cited. An answer within prose or a code fence is found, and said to be so. The exit
code is 1 when the answer doesn't hold.`,
		Example: `  cento contract check answer.json --contract ask.yaml
  run-agent < prompt.txt | cento contract check - --contract ask.yaml --json`,
		Args: oneArgument("an answer, or - for stdin", "check one at a time"),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case name == "":
				return wrongUse("cento contract check "+quoted(args[0])+" --contract FILE", "cento contract check wants the contract of the answer")
			case name == "-" && args[0] == "-":
				return wrongUse("name a file for one of them", "the answer and the contract can't both come from stdin")
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
			if c.json {
				err = c.printJSON(report)
			} else {
				err = c.print(func(w io.Writer) error { return c.writeReport(w, shown, string(answer), report) })
			}
			if err == nil && !report.Holds {
				err = errNo
			}
			return err
		},
	}
	c.withFlags(cmd, func() {
		cmd.Flags().StringVar(&name, "contract", "", "the contract `FILE` of the answer")
	})
	return cmd
}

func (c *console) writeReport(w io.Writer, name, answer string, r *contract.Report) error {
	for _, f := range r.Findings {
		colour := red
		if f.Severity == contract.Warns {
			colour = yellow
		}
		fmt.Fprintf(w, "%s:%d:%d: %s: %s (%s)\n", app.PrintableLine(name), f.Line, f.Column, c.paint(colour, f.Severity.String()), app.PrintableLine(f.Message), f.Code)
		fmt.Fprint(w, indent(app.Excerpt(answer, f.Line, f.Column), "  "))
		if f.Hint != "" {
			fmt.Fprintf(w, "  hint: %s\n", app.PrintableLine(f.Hint))
		}
	}
	if r.Omitted > 0 {
		fmt.Fprintf(w, "… and %d more\n", r.Omitted)
	}
	said := c.paint(green, "the answer holds")
	switch {
	case !r.Holds:
		said = c.paint(red, "the answer doesn't hold")
	case !r.Checked:
		said += ": a plain answer has no parts to check"
	case r.Answer != nil:
		said += fmt.Sprintf(": %s for %s, %s", app.PrintableLine(r.Answer.Emit), app.PrintableLine(r.Answer.Key), plural(len(r.Answer.Facts), "fact"))
	}
	_, err := fmt.Fprintln(w, said)
	return err
}

func (c *console) contractSchemaCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON Schema of contract files",
		Example: `  cento contract schema -o contract.schema.json
  # then, as the first line of a contract file:
  # yaml-language-server: $schema=contract.schema.json`,
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error {
			return c.print(func(w io.Writer) error { _, err := w.Write(append(contract.Schema(), '\n')); return err })
		},
	}
}
