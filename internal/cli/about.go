package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/project"
)

func (c *console) demoCommand() *cobra.Command {
	guidance := &cobra.Command{
		Use:   "prompt-guidance",
		Short: "One prompt with a tool and without it, side by side",
		Long: `Assemble one prompt twice: with a todo tool and without it. The guidance that
rides with the tool comes and goes with it, and the trace says why.`,
		Example: `  cento demo prompt-guidance`,
		Args:    noArguments,
		RunE: func(*cobra.Command, []string) error {
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
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Show Cento at work, without a project",
		Long: `Show Cento at work, without a project. There is one demo so far, and it is the
one that is shown when none is named.`,
		Example: `  cento demo`,
		Args:    c.subcommand,
		RunE:    guidance.RunE,
	}
	cmd.AddCommand(guidance)
	return cmd
}

// printDemo puts the two verdicts on each fragment side by side, and the two
// prompts below.
func (c *console) printDemo(d *app.Demo) error {
	return c.print(func(w io.Writer) error {
		var t table
		t.add(cell{text: "fragment", paint: dim}, cell{text: d.With.Title, paint: bold}, cell{text: d.Without.Title, paint: bold})
		for i, f := range d.With.Explanation.Fragments {
			t.add(cell{text: app.PrintableLine(f.ID)}, verdictCell(f), verdictCell(d.Without.Explanation.Fragments[i]))
		}
		if err := t.write(c, w); err != nil {
			return err
		}
		for _, side := range []app.DemoSide{d.With, d.Without} {
			text := "(no system prompt)"
			if side.Explanation.System != nil {
				text = *side.Explanation.System
			}
			if _, err := fmt.Fprintf(w, "\n%s:\n\n%s", c.paint(bold, "the prompt "+side.Title), indent(text+"\n", "    ")); err != nil {
				return err
			}
		}
		return nil
	})
}

func verdictCell(f cento.Trace) cell {
	if !f.Included {
		return cell{text: "- " + app.PrintableLine(f.Reason), paint: red}
	}
	return cell{text: "+ " + app.PrintableLine(f.Reason), paint: green}
}

func (c *console) schemaCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON Schema of cento.yaml",
		Example: `  cento schema -o cento.schema.json
  # then, as the first line of cento.yaml:
  # yaml-language-server: $schema=cento.schema.json`,
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error {
			return c.print(func(w io.Writer) error { _, err := w.Write(project.Schema()); return err })
		},
	}
}

func (c *console) manCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "man",
		Short:   "Print the manual page",
		Example: `  cento man | man -l -`,
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.printText(manual(cmd.Root()))
		},
	}
}

func (c *console) versionCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "version",
		Short:   "Print the version",
		Example: `  cento version`,
		Args:    noArguments,
		RunE: func(*cobra.Command, []string) error {
			if c.json {
				return c.printJSON(versionAnswer{app.Version()})
			}
			return c.print(func(w io.Writer) error { _, err := fmt.Fprintln(w, "cento "+app.Version()); return err })
		},
	}
	return cmd
}
