package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/lint"
)

func (c *console) checkCommand() *cobra.Command {
	var f whatIf
	var format string
	var strict bool
	cmd := &cobra.Command{
		Use:   "check",
		Short: "Find what is doubtful about the prompt, in all targets",
		Long:  checkLong(),
		Example: `  cento check
  cento check --strict --target ci
  cento check --format sarif -o cento.sarif`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if format != "text" && format != "sarif" {
				return wrongUse("there are text and sarif; JSON is --json", "no format is named %q", format)
			}
			if c.json && format == "sarif" {
				return wrongUse("", "--format sarif and --json are two forms of the result: choose one")
			}
			req, err := c.located(cmd.Context(), &f)
			if err != nil {
				return err
			}
			answer, err := app.Check(cmd.Context(), c.place, req, strict)
			if err != nil {
				return err
			}
			switch {
			case format == "sarif":
				err = c.writeJSON(answer.SARIF())
			case c.json:
				err = c.printJSON(answer)
			default:
				err = c.print(func(w io.Writer) error { return c.writeFindings(w, answer) })
			}
			if err == nil && !answer.OK {
				err = errNo
			}
			return err
		},
	}
	f.registerProject(c, cmd, " alone, instead of all")
	cmd.Flags().StringVar(&format, "format", "text", "how to print the findings: `FORMAT` text or sarif")
	cmd.Flags().BoolVar(&strict, "strict", false, "say no to warnings too")
	return cmd
}

// checkLong lists the checks, so that nobody has to look their codes up.
func checkLong() string {
	var b strings.Builder
	b.WriteString(`Assemble the prompt of the manifest and of each target, and look for what is
wrong with them. The exit code is 1 when an error is found; with --strict a warning
is enough. A finding that is accepted stands under ignore in the manifest, with its
code and the reason.

Checks:
`)
	for _, x := range lint.Checks() {
		fmt.Fprintf(&b, "  %-22s %s\n", x.Code, strings.TrimSuffix(x.Doc, "."))
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func (c *console) writeFindings(w io.Writer, answer *app.CheckAnswer) error {
	for _, f := range answer.Findings {
		if f.Ignored != "" {
			continue
		}
		colour := yellow
		if f.Severity == lint.Error {
			colour = red
		}
		place := f.Position.String()
		if place != "" {
			place += ": "
		}
		fmt.Fprintf(w, "%s%s %s\n", app.PrintableLine(place), c.paint(colour, f.Severity.String()+" "+string(f.Code)+":"), app.PrintableLine(f.Message))
		if src, ok := c.source(f.Position.File); ok {
			fmt.Fprint(w, indent(app.Excerpt(src, f.Position.Line, f.Position.Column), "  "))
		}
		if len(f.Targets) > 0 {
			fmt.Fprintf(w, "  in %s\n", app.PrintableLine(targetList(f.Targets)))
		}
		if f.Hint != "" {
			fmt.Fprintf(w, "  hint: %s\n", app.PrintableLine(f.Hint))
		}
	}
	_, err := fmt.Fprintf(w, "%s, %s, %d accepted; %s\n", plural(answer.Errors, "error"), plural(answer.Warnings, "warning"), answer.Ignored, plural(len(answer.Targets), "prompt"))
	return err
}

// targetList names targets; the manifest without one has no name.
func targetList(names []string) string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = "target " + n
		if n == "" {
			out[i] = "the manifest without target"
		}
	}
	return strings.Join(out, ", ")
}
