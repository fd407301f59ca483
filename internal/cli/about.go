package cli

import (
	"github.com/spf13/cobra"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/terminal"
)

func (c *console) demoCommand() *command {
	guidance := &command{
		use:   "prompt-guidance",
		short: "One prompt with a tool and without it, side by side",
		long: `Assemble one prompt twice: with a todo tool and without it. The guidance that
rides with the tool comes and goes with it, and the trace says why.`,
		examples: `  cento demo prompt-guidance`,
		args:     noArguments,
		answers:  answer[app.Demo](),
		run: func(*cobra.Command, []string) error {
			d, err := app.GuidanceDemo()
			if err != nil {
				return err
			}
			if c.json {
				return c.printJSON(d)
			}
			return c.printDemo(d)
		},
	}
	cmd := &command{
		use:   "demo",
		short: "Show Cento at work, without a project",
		long: `Show Cento at work, without a project. There is one demo so far, and it is the
one that is shown when none is named.`,
		examples: `  cento demo`,
		args:     c.subcommand,
		answers:  answer[app.Demo](),
		run:      guidance.run,
	}
	cmd.below = []*command{guidance}
	return cmd
}

// printDemo puts the two verdicts on each fragment side by side, and the two
// prompts below.
func (c *console) printDemo(d *app.Demo) error {
	return c.print(func(w *terminal.Writer) {
		var t table
		t.Add(cell{Text: "fragment", Paint: dim}, cell{Text: d.With.Title, Paint: bold}, cell{Text: d.Without.Title, Paint: bold})
		for i, f := range d.With.Explanation.Fragments {
			t.Add(cell{Text: f.ID}, verdictCell(f), verdictCell(d.Without.Explanation.Fragments[i]))
		}
		w.Table(&t)
		for _, side := range []app.DemoSide{d.With, d.Without} {
			text := "(no system prompt)"
			if side.Explanation.System != nil {
				text = *side.Explanation.System
			}
			w.Printf("\n%s:\n\n%s", bold.On("the prompt "+side.Title), terminal.Indented(text+"\n", "    "))
		}
	})
}

func verdictCell(f cento.Trace) cell {
	if !f.Included {
		return cell{Text: "- " + f.Reason, Paint: red}
	}
	return cell{Text: "+ " + f.Reason, Paint: green}
}

func (c *console) schemaCommand() *command {
	return &command{
		use:   "schema",
		short: "Print the JSON Schema of cento.yaml",
		examples: `  cento schema -o cento.schema.json
  # then, as the first line of cento.yaml:
  # yaml-language-server: $schema=cento.schema.json`,
		args: noArguments,
		run: func(*cobra.Command, []string) error {
			return c.print(func(w *terminal.Writer) { w.Exact(string(app.ManifestSchema())) })
		},
	}
}

func (c *console) manCommand() *command {
	return &command{
		use:      "man",
		short:    "Print the manual page",
		examples: `  cento man | man -l -`,
		args:     noArguments,
		answers:  answer[textAnswer](),
		run: func(cmd *cobra.Command, _ []string) error {
			return c.printText(manual(cmd.Root()))
		},
	}
}

func (c *console) versionCommand() *command {
	cmd := &command{
		use:      "version",
		short:    "Print the version",
		examples: `  cento version`,
		args:     noArguments,
		answers:  answer[versionAnswer](),
		ends:     atOnce,
		run: func(*cobra.Command, []string) error {
			if c.json {
				return c.printJSON(versionAnswer{app.Version()})
			}
			return c.print(func(w *terminal.Writer) { w.Printf("cento %s\n", app.Version()) })
		},
	}
	return cmd
}
