package cli

import (
	"fmt"
	"io"

	mango "github.com/muesli/mango-cobra"
	"github.com/muesli/roff"
	"github.com/spf13/cobra"

	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/project"
)

func (c *console) demoCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Show Cento at work, without a project",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	guidance := &cobra.Command{
		Use:   "prompt-guidance",
		Short: "One prompt with a tool and without it, side by side",
		Long: `Assemble one prompt twice: with a todo tool and without it. The guidance that
rides with the tool comes and goes with it, and the trace says why.`,
		Example: `  cento demo prompt-guidance`,
		Args:    cobra.NoArgs,
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
	c.jsonFlag(guidance)
	cmd.AddCommand(guidance)
	return cmd
}

func (c *console) printDemo(d *app.Demo) error {
	return c.print(func(w io.Writer) error {
		for i, side := range []app.DemoSide{d.With, d.Without} {
			if i > 0 {
				fmt.Fprintln(w)
			}
			fmt.Fprintf(w, "%s\n\n", c.paint(bold, side.Title))
			var t table
			for _, f := range side.Explanation.Fragments {
				t.add(c.traceRow(f)...)
			}
			if err := t.write(c, w); err != nil {
				return err
			}
			text := "(no system prompt)"
			if side.Explanation.System != nil {
				text = *side.Explanation.System
			}
			fmt.Fprintf(w, "\n%s", indent(text+"\n", "    "))
		}
		return nil
	})
}

func (c *console) schemaCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON Schema of cento.yaml",
		Example: `  cento schema -o cento.schema.json
  # then, as the first line of cento.yaml:
  # yaml-language-server: $schema=cento.schema.json`,
		Args: cobra.NoArgs,
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
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			page, err := mango.NewManPage(1, cmd.Root())
			if err != nil {
				return err
			}
			text := page.Build(roff.NewDocument())
			return c.print(func(w io.Writer) error { _, err := io.WriteString(w, text); return err })
		},
	}
}

func (c *console) versionCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "version",
		Short:   "Print the version",
		Example: `  cento version`,
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if c.json {
				return c.printJSON(struct {
					Version string `json:"version"`
				}{app.Version()})
			}
			return c.print(func(w io.Writer) error { _, err := fmt.Fprintln(w, "cento "+app.Version()); return err })
		},
	}
	c.jsonFlag(cmd)
	return cmd
}
