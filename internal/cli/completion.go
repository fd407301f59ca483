package cli

import (
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cento-dev/cento/internal/app"
)

// shells are those that completion is written for.
var shells = [...]string{"bash", "fish", "zsh"}

func (c *console) completionCommand() *command {
	return &command{
		use:   "completion SHELL",
		short: "Print the completion script of a shell: bash, fish or zsh",
		long: `Print a script that completes the commands, flags, targets, tools and
capabilities of cento in a shell: bash, fish or zsh.`,
		examples: `  source <(cento completion bash)
  cento completion zsh -o "${fpath[1]}/_cento"
  cento completion fish -o ~/.config/fish/completions/cento.fish`,
		args: func(cmd *cobra.Command, args []string) error {
			if err := oneArgument("the name of a shell: bash, fish or zsh", "there is one script for each")(cmd, args); err != nil {
				return err
			}
			if !slices.Contains(shells[:], args[0]) {
				return wrongUse(app.NearestHint(args[0], shells[:]), "no completion for the shell %q", args[0])
			}
			return nil
		},
		words:   shells[:],
		answers: answer[textAnswer](),
		run: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			write := map[string]func(io.Writer) error{
				"bash": func(w io.Writer) error { return root.GenBashCompletionV2(w, true) },
				"fish": func(w io.Writer) error { return root.GenFishCompletion(w, true) },
				"zsh":  root.GenZshCompletion,
			}[args[0]]
			var script strings.Builder
			if err := write(&script); err != nil {
				return err
			}
			return c.printText(script.String())
		},
	}
}

// complete proposes names that the project has. A project that can't be read
// proposes nothing: whoever is typing gets its errors from the command.
func (c *console) complete(f *whatIf, names func(*app.Project) []string) cobra.CompletionFunc {
	return func(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
		const no = cobra.ShellCompDirectiveNoFileComp
		if f.toolsFile == "-" {
			return nil, no
		}
		req, err := c.request(cmd.Context(), f)
		if err != nil {
			return nil, no
		}
		req.Servers = app.NoServers // nobody waits for them while typing
		site, err := app.Locate(req)
		if err != nil {
			return nil, no
		}
		p, err := app.Open(cmd.Context(), site, req)
		if err != nil {
			return nil, no
		}
		return names(p), no
	}
}

func targetNames(p *app.Project) []string { return p.Targets() }

func toolNames(p *app.Project) []string { return p.Input.ActiveTools() }
