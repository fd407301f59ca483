package cli

import (
	"github.com/spf13/cobra"

	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/terminal"
)

func (c *console) renderCommand() *command {
	var f whatIf
	cmd := &command{
		use:   "render FILE",
		short: "Print the text of one prompt file",
		long: `Render one prompt file for the active tools, capabilities and variables. FILE is a
reference such as $workspace/review, or a path. A path outside of the folders of
prompt files is rendered too: $workspace is the folder it lies in, then.

With --json every stretch of the text tells its file, line, column, variable and
trust.`,
		examples: `  cento render '$workspace/review' --var mode=plan
  cento render .cento/prompts/review.md --tool read --cap headless
  cento render draft.md --json`,
		args:    oneListed("a reference or the path of a prompt file", "render one at a time", "cento prompt list"),
		answers: answer[app.Rendering](),
		run: func(cmd *cobra.Command, args []string) error {
			p, err := c.openPrompts(cmd.Context(), &f)
			if err != nil {
				return err
			}
			file, _, err := c.openPrompt(p, args[0])
			if err != nil {
				return err
			}
			in := f.input(c, p)
			active := in.Active
			active.Tools = in.ActiveTools()
			r, err := p.Render(file, active)
			if err != nil {
				return err
			}
			c.tellNotes(r.Notes)
			if c.json {
				return c.printJSON(r)
			}
			return c.print(func(w *terminal.Writer) { w.Exact(r.Text) })
		},
	}
	f.register(c, cmd)
	cmd.values = c.completePrompts(&f)
	return cmd
}

// openPrompt reads the prompt file of a name, and says where $workspace is another folder
// than it is elsewhere.
func (c *console) openPrompt(p *app.Project, name string) (f *app.PromptText, beside string, err error) {
	f, beside, err = p.OpenPrompt(name)
	if beside != "" {
		c.paths().Beside(beside)
	}
	if err == nil && beside != "" {
		c.err.Say("%s lies in no folder of prompt files; its own folder is $workspace here", name)
	}
	return f, beside, err
}
