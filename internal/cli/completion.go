package cli

import (
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cento-dev/cento"

	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/project"
)

// shells are those that completion is written for.
var shells = [...]string{"bash", "fish", "zsh"}

func (c *console) completionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "completion SHELL",
		Short: "Print the completion script of a shell: bash, fish or zsh",
		Long: `Print a script that completes the commands, flags, targets, tools and
capabilities of cento in a shell: bash, fish or zsh.`,
		Example: `  source <(cento completion bash)
  cento completion zsh -o "${fpath[1]}/_cento"
  cento completion fish -o ~/.config/fish/completions/cento.fish`,
		Args: func(cmd *cobra.Command, args []string) error {
			if err := oneArgument("the name of a shell: bash, fish or zsh", "there is one script for each")(cmd, args); err != nil {
				return err
			}
			if !slices.Contains(shells[:], args[0]) {
				return wrongUse("there are bash, fish and zsh", "no completion for the shell %q", args[0])
			}
			return nil
		},
		ValidArgs: shells[:],
		RunE: func(cmd *cobra.Command, args []string) error {
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
		req.Servers = project.NoServers // nobody waits for them while typing
		place, err := project.Locate(req)
		if err != nil {
			return nil, no
		}
		p, err := app.Open(cmd.Context(), place, req)
		if err != nil {
			return nil, no
		}
		var out []string
		for _, name := range names(p) {
			if name == app.PrintableLine(name) {
				out = append(out, name)
			}
		}
		return out, no
	}
}

func targetNames(p *app.Project) []string { return p.Targets() }

func toolNames(p *app.Project) []string { return p.Input.ActiveTools() }

// capNames are the capabilities that are set and those that a fragment asks
// for.
func capNames(p *app.Project) []string {
	names := slices.Clone(p.Input.Active.Caps)
	for _, list := range [][]cento.Fragment{p.Input.Fragments, p.Input.Primary.Sections} {
		for i := range list {
			names = append(names, list[i].RequiresCaps...)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
