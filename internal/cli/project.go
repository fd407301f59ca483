package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/workspace"
)

func (c *console) initCommand() *cobra.Command {
	var show bool
	var cwd string
	cmd := &cobra.Command{
		Use:   "init",
		Short: "Write a cento.yaml to start from",
		Long: `Write a cento.yaml into the current folder that says what holds without one: the
built-in instruction, the project as scope, the project's AGENTS.md. A file that
is there is never overwritten.`,
		Example: `  cento init
  cento init --print`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			env, err := app.Environment()
			if err != nil {
				return err
			}
			if cwd != "" {
				env.Dir = cwd
			}
			text, err := app.StarterManifest(env)
			if err != nil {
				return err
			}
			if show {
				return c.print(func(w io.Writer) error { _, err := io.WriteString(w, text); return err })
			}
			path, err := app.WriteManifest(env, text)
			if err != nil {
				return err
			}
			c.say("wrote %s; see it at work with `cento explain`", path)
			return nil
		},
	}
	cmd.Flags().BoolVar(&show, "print", false, "print what would be written")
	cmd.Flags().StringVar(&cwd, "cwd", "", "work as if started in `DIR`")
	return cmd
}

func (c *console) scopeCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "scope",
		Short: "What the agent may read and write",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	var f whatIf
	check := &cobra.Command{
		Use:   "check PATH...",
		Short: "Tell the permission at a path, and the rules that decide it",
		Long: `Tell for each path whether the agent may read or write there, and which rules
decide. The exit code is 1 when a path has no permission at all.`,
		Example: `  cento scope check src/main.go
  cento scope check --json . /etc/passwd`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			p, err := c.open(cmd.Context(), &f)
			if err != nil {
				return err
			}
			answer := p.CheckScope(args)
			if c.json {
				err = c.printJSON(answer)
			} else {
				err = c.printScope(answer)
			}
			if err == nil && answer.Forbidden() {
				err = errNo
			}
			return err
		},
	}
	f.register(check)
	c.jsonFlag(check)
	cmd.AddCommand(check)
	return cmd
}

func (c *console) printScope(answer *app.ScopeAnswer) error {
	return c.print(func(w io.Writer) error {
		if !answer.Configured {
			fmt.Fprintln(w, "no scope is configured: nothing is said about any path")
		}
		for _, x := range answer.Paths {
			colour := green
			if x.Permission == workspace.None {
				colour = red
			}
			fmt.Fprintf(w, "%s  %s\n", c.paint(colour, fmt.Sprintf("%-5s", x.Permission)), app.Printable(x.Path))
			for _, r := range x.Rules {
				kind := ""
				if !r.Recursive {
					kind = " [non-recursive]"
				}
				at := ""
				if !r.Position.IsZero() {
					at = "  " + r.Position.String()
				}
				fmt.Fprintf(w, "         %s\n", app.Printable(fmt.Sprintf("%s %s %s%s%s", r.Effect, r.Permission, r.Target, kind, at)))
			}
		}
		return nil
	})
}
