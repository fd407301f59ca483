package cli

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/cento-dev/cento/internal/app"
)

func (c *console) profileCommand() *cobra.Command {
	var f whatIf
	cmd := &cobra.Command{
		Use:   "profile",
		Short: "Show what is known of the project: languages, tools, commands, remotes",
		Long: `Show the project profile: the capabilities that follow from the project's files,
what the prompt says of each, and the file and line that it is known from. Build
files and the configuration of git are read, and nothing is run. Of credentials
only names of environment variables are looked at.

The JSON form is a profile that can be passed back: it may stand in cento.yaml
under profile, where the project isn't looked at then.

A manifest that says profile: off has nothing of it in its prompt; what it would
have with profile: auto is shown all the same.`,
		Example: `  cento profile
  cento profile --json
  cento why "This project uses Go."`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			p, err := c.open(cmd.Context(), &f)
			if err != nil {
				return err
			}
			report, err := p.FindProfile()
			if err != nil {
				return err
			}
			c.tellNotes(report.Notes)
			if report.Off {
				c.say("the manifest says profile: off, so the prompt has nothing of this")
				c.hint("write profile: auto in cento.yaml")
			}
			if c.json {
				return c.printJSON(report.Profile)
			}
			return c.printProfile(report)
		},
	}
	f.registerProject(c, cmd, "")
	return cmd
}

func (c *console) printProfile(report *app.ProfileReport) error {
	signals := report.Signals()
	if len(signals) == 0 {
		c.say("nothing is known of this project")
		return nil
	}
	var t table
	t.add(cell{text: "capability", paint: dim}, cell{text: "in the prompt", paint: dim}, cell{text: "from", paint: dim})
	for _, s := range signals {
		t.add(cell{text: app.PrintableLine(s.Capability), paint: green}, cell{text: app.PrintableLine(s.Text)}, cell{text: app.PrintableLine(s.Origin), paint: cyan})
	}
	return c.print(func(w io.Writer) error { return t.write(c, w) })
}
