package cli

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/project"
)

func (c *console) trustCommand() *cobra.Command {
	var f whatIf
	var yes bool
	cmd := &cobra.Command{
		Use:   "trust",
		Short: "See what the project wants to run or reach, and approve it",
		Long: `A manifest can ask to run a program or to open a connection, as for the tools of
MCP servers. Nothing of that happens before you have approved it. This command
shows what the project asks for, in all of its targets, and then asks whether you
approve it; with --yes it doesn't ask. Without a terminal to ask on, it only
shows; the exit code is 1 when something is not approved.

What you approve is what the manifest says, word for word, in this folder. When
that part of it changes, it has to be approved again. A program itself may change
without any change of the manifest, above all one that lies in the project.

Approvals are kept in approvals.json in your own folder, which is $CENTO_HOME, or
~/.config/cento.`,
		Example: `  cento trust
  cento trust --yes
  cento trust --json
  cento trust remove`,
		Args: c.subcommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return c.trust(cmd.Context(), &f, yes, true) },
	}
	f.registerPlace(cmd)
	cmd.Flags().BoolVarP(&yes, "yes", "y", false, "approve without asking")
	cmd.AddCommand(c.trustListCommand(), c.trustAddCommand(), c.trustRemoveCommand())
	return cmd
}

// trust shows what the project asks for and approves it.
func (c *console) trust(ctx context.Context, f *whatIf, yes, ask bool) error {
	req, err := c.located(ctx, f)
	if err != nil {
		return err
	}
	t, err := app.AskedTrust(ctx, c.place, req)
	if err != nil {
		return err
	}
	open := !t.Approved
	if !c.json {
		if err := c.print(func(w io.Writer) error { return c.writeTrust(w, t) }); err != nil {
			return err
		}
	}
	if open && !yes && ask && !c.json && c.toTerminal() { // nobody approves what nobody saw
		yes = c.confirm(ctx, "approve this?")
	}
	if open && yes {
		if err := t.Approve(c.place); err != nil {
			return err
		}
		c.say("approved")
	}
	if c.json {
		if err := c.printJSON(t); err != nil {
			return err
		}
	}
	if !t.Approved {
		if !c.json {
			c.say("not approved; nothing of it is run or reached")
			c.hint("`cento trust --yes` approves it, and `--allow-mcp` allows it for one run")
		}
		return errNo
	}
	return nil
}

func (c *console) writeTrust(w io.Writer, t *app.Trust) error {
	if len(t.Parts) == 0 {
		_, err := fmt.Fprintf(w, "%s asks for nothing that needs approval\n", app.PrintableLine(t.Root))
		return err
	}
	fmt.Fprintf(w, "%s asks for:\n", app.PrintableLine(t.Root))
	for _, x := range t.Parts {
		colour := green
		if x.State != project.Approved {
			colour = yellow
		}
		fmt.Fprintf(w, "\n  %s  %s  sha256 %s\n", c.paint(bold, x.Name), c.paint(colour, string(x.State)), c.paint(dim, x.SHA256[:12]))
		for _, ask := range x.Asks {
			if _, err := fmt.Fprintf(w, "    %s\n      %s\n", app.PrintableLine(ask.Text), c.paint(dim, app.PrintableLine(ask.Position.String()))); err != nil {
				return err
			}
		}
	}
	return nil
}

// confirm asks a question on the terminal. Where there is none, the answer is
// no.
func (c *console) confirm(ctx context.Context, question string) bool {
	in, ok := c.in.(*os.File)
	if !ok || !isTerminal(in) {
		return false
	}
	fmt.Fprintf(c.err, "%s [y/N] ", question)
	c.watch()
	answer := make(chan string, 1)
	go func() { // a read can't be called off, so it is left behind
		line, _ := bufio.NewReader(in).ReadString('\n')
		answer <- line
	}()
	select {
	case <-ctx.Done():
		return false
	case line := <-answer:
		switch strings.ToLower(strings.TrimSpace(line)) {
		case "y", "yes":
			return true
		}
		return false
	}
}

func (c *console) trustAddCommand() *cobra.Command {
	var f whatIf
	cmd := &cobra.Command{
		Use:     "add",
		Short:   "Approve what the project asks for, without a question",
		Long:    "Show what the project asks for and approve it, as `cento trust --yes`.",
		Example: "  cento trust add\n  cento trust add --cwd ~/src/acme",
		Args:    noArguments,
		RunE:    func(cmd *cobra.Command, _ []string) error { return c.trust(cmd.Context(), &f, true, false) },
	}
	f.registerPlace(cmd)
	return cmd
}

func (c *console) trustListCommand() *cobra.Command {
	var f whatIf
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "List the projects that you approved something of",
		Example: "  cento trust list\n  cento trust list --json",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if _, err := c.located(cmd.Context(), &f); err != nil {
				return err
			}
			list, err := app.Trusted(c.place)
			if err != nil {
				return err
			}
			if c.json {
				return c.printJSON(trustedAnswer{list})
			}
			var t table
			for _, p := range list {
				for _, x := range p.Parts {
					t.add(cell{text: app.PrintableLine(x.Root)}, cell{text: app.PrintableLine(x.Part)}, cell{text: x.SHA256[:min(12, len(x.SHA256))], paint: dim})
				}
			}
			return c.print(func(w io.Writer) error {
				if len(list) == 0 {
					_, err := fmt.Fprintln(w, "nothing is approved")
					return err
				}
				return t.write(c, w)
			})
		},
	}
	return cmd
}

func (c *console) trustRemoveCommand() *cobra.Command {
	var f whatIf
	cmd := &cobra.Command{
		Use:   "remove [ROOT]",
		Short: "Take an approval back",
		Long: `Take back what was approved of the project, or of the one at ROOT, a folder as
cento trust list tells it. The exit code is 1 when nothing was approved.`,
		Example: "  cento trust remove\n  cento trust remove ~/src/acme",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return wrongUse("take them back one at a time", "%s takes one folder, and got %d arguments", cmd.CommandPath(), len(args))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if _, err := c.located(cmd.Context(), &f); err != nil {
				return err
			}
			root := ""
			if len(args) > 0 {
				var err error
				if root, err = filepath.Abs(args[0]); err != nil {
					return err
				}
			}
			root, removed, err := app.Distrust(c.place, root)
			if err != nil {
				return err
			}
			if c.json {
				err = c.printJSON(untrustedAnswer{root, removed})
			} else {
				said := "nothing was approved of " + app.PrintableLine(root)
				if removed {
					said = "nothing of " + app.PrintableLine(root) + " is approved any more"
				}
				err = c.print(func(w io.Writer) error { _, err := fmt.Fprintln(w, said); return err })
			}
			if err == nil && !removed {
				err = errNo
			}
			return err
		},
	}
	f.registerPlace(cmd)
	return cmd
}
