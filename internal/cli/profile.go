package cli

import (
	"github.com/spf13/cobra"

	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/terminal"
)

func (c *console) profileCommand() *command {
	var f whatIf
	cmd := &command{
		use:   "profile",
		short: "Show what is known of the project: languages, tools, commands, remotes",
		long: `Show the project profile: the capabilities that follow from the project's files,
what the prompt says of each, and the file and line that it is known from. Build
files and the configuration of git are read, and nothing is run. Of credentials
only names of environment variables are looked at.

The JSON form is a profile that can be passed back: it may stand in cento.yaml
under profile, where the project isn't looked at then.

A manifest that says profile: off has nothing of it in its prompt; what it would
have with profile: auto is shown all the same.`,
		examples: `  cento profile
  cento profile --json
  cento why "This project uses Go."`,
		args:    noArguments,
		answers: answer[app.Profile](),
		run: func(cmd *cobra.Command, _ []string) error {
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
				c.err.Say("the manifest says profile: off, so the prompt has nothing of this")
				c.err.Hint("write profile: auto in cento.yaml")
			}
			signals := report.Signals()
			if len(signals) == 0 {
				c.err.Say("nothing is known of this project")
			}
			if c.json {
				return c.printJSON(report.Profile)
			}
			return c.printProfile(signals)
		},
	}
	f.registerProject(c, cmd, "")
	return cmd
}

func (c *console) printProfile(signals []app.ProfileSignal) error {
	var t table
	if len(signals) > 0 {
		t.Add(cell{Text: "capability", Paint: dim}, cell{Text: "in the prompt", Paint: dim}, cell{Text: "from", Paint: dim})
	}
	for _, s := range signals {
		t.Add(cell{Text: s.Capability, Paint: green}, cell{Text: s.Text}, cell{Text: s.Origin, Paint: cyan})
	}
	return c.print(func(w *terminal.Writer) { w.Table(&t) })
}
