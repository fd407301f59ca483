package cli

import (
	"bufio"
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/terminal"
)

func (c *console) trustCommand() *command {
	var f whatIf
	var yes bool
	cmd := &command{
		use:   "trust",
		short: "See what the project wants to run or reach, and approve it",
		long: `A manifest can ask to run a program or to open a connection, as for the tools of
MCP servers. Nothing of that happens before you have approved it. This command
shows what the project asks for, in all of its targets, and then asks whether you
approve it; with --yes it doesn't ask. Without a terminal to ask on, it only
shows; the exit code is 1 when something is not approved.

What you approve is what the manifest says, word for word, in this folder. When
that part of it changes, it has to be approved again. A program itself may change
without any change of the manifest, above all one that lies in the project.

Approvals are kept in approvals.json in your own folder, which is $CENTO_HOME, or
~/.config/cento.`,
		examples: `  cento trust
  cento trust --yes
  cento trust --json
  cento trust remove`,
		args:    c.subcommand,
		answers: answer[app.Trust](),
		run:     func(cmd *cobra.Command, _ []string) error { return c.trust(cmd.Context(), &f, yes, true) },
	}
	f.registerPlace(cmd)
	cmd.with(func(fl *flags) {
		fl.BoolVarP(&yes, "yes", "y", false, "approve without asking")
	})
	cmd.below = []*command{c.trustListCommand(), c.trustAddCommand(), c.trustRemoveCommand()}
	return cmd
}

// trust shows what the project asks for and approves it.
func (c *console) trust(ctx context.Context, f *whatIf, yes, ask bool) error {
	req, err := c.located(ctx, f)
	if err != nil {
		return err
	}
	t, err := app.AskedTrust(ctx, c.site, req)
	if err != nil {
		return err
	}
	open := !t.Approved
	if !c.json {
		if err := c.print(func(w *terminal.Writer) { c.writeTrust(w, t) }); err != nil {
			return err
		}
	}
	if open && !yes && ask && !c.json && c.toTerminal() { // nobody approves what nobody saw
		yes = c.confirm(ctx, "approve this?")
	}
	if open && yes {
		if err := t.Approve(c.site); err != nil {
			return err
		}
		c.err.Say("approved")
	}
	if c.json {
		if err := c.printJSON(t); err != nil {
			return err
		}
	}
	if !t.Approved {
		if !c.json {
			c.err.Say("not approved; nothing of it is run or reached")
			c.err.Hint(approvalHint(t))
		}
		return errNo
	}
	return nil
}

// approvalHint says how what isn't approved is, and how it is allowed for one run.
func approvalHint(t *app.Trust) string {
	hint := "`cento trust --yes` approves it"
	for _, x := range t.Parts {
		switch {
		case x.Approved():
		case x.Name == app.ServersPart:
			hint += "; `--allow-mcp` allows the servers for one run"
		case x.Name == app.StorePart:
			hint += "; `--store` with the place allows the store for one run"
		}
	}
	return hint
}

func (c *console) writeTrust(w *terminal.Writer, t *app.Trust) {
	if len(t.Parts) == 0 {
		w.Printf("%s asks for nothing that needs approval\n", t.Root)
		return
	}
	w.Printf("%s asks for:\n", t.Root)
	for _, x := range t.Parts {
		colour := green
		if !x.Approved() {
			colour = yellow
		}
		w.Printf("\n  %s  %s  sha256 %s\n", bold.On(x.Name), colour.On(string(x.State)), dim.On(x.SHA256[:12]))
		for _, ask := range x.Asks {
			w.Printf("    %s\n      %s\n", ask.Text, dim.On(ask.Position.String()))
		}
	}
}

// confirm asks a question on the terminal. Where there is none, the answer is
// no.
func (c *console) confirm(ctx context.Context, question string) bool {
	in, ok := c.in.(*os.File)
	if !ok || !isTerminal(in) {
		return false
	}
	c.err.Printf("%s [y/N] ", question)
	c.err.Flush()
	c.catch()
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

func (c *console) trustAddCommand() *command {
	var f whatIf
	cmd := &command{
		use:      "add",
		short:    "Approve what the project asks for, without a question",
		long:     "Show what the project asks for and approve it, as `cento trust --yes`.",
		examples: "  cento trust add\n  cento trust add --cwd ~/src/acme",
		args:     noArguments,
		answers:  answer[app.Trust](),
		run:      func(cmd *cobra.Command, _ []string) error { return c.trust(cmd.Context(), &f, true, false) },
	}
	f.registerPlace(cmd)
	return cmd
}

func (c *console) trustListCommand() *command {
	var f whatIf
	cmd := &command{
		use:      "list",
		short:    "List the projects that you approved something of",
		examples: "  cento trust list\n  cento trust list --json",
		args:     noArguments,
		answers:  answer[trustedAnswer](),
		run: func(cmd *cobra.Command, _ []string) error {
			if _, err := c.located(cmd.Context(), &f); err != nil {
				return err
			}
			list, err := app.Trusted(c.site)
			if err != nil {
				return err
			}
			if len(list) == 0 {
				c.err.Say("nothing is approved")
			}
			if c.json {
				return c.printJSON(trustedAnswer{list})
			}
			var t table
			for _, p := range list {
				for _, x := range p.Parts {
					t.Add(cell{Text: x.Root}, cell{Text: x.Part}, cell{Text: x.SHA256[:min(12, len(x.SHA256))], Paint: dim})
				}
			}
			return c.print(func(w *terminal.Writer) { w.Table(&t) })
		},
	}
	return cmd
}

func (c *console) trustRemoveCommand() *command {
	var f whatIf
	cmd := &command{
		use:   "remove [ROOT]",
		short: "Take an approval back",
		long: `Take back what was approved of the project, or of the one at ROOT, a folder as
cento trust list tells it. The exit code is 1 when nothing was approved.`,
		examples: "  cento trust remove\n  cento trust remove ~/src/acme",
		args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return wrongUse("take them back one at a time", "%s takes one folder, and got %d arguments", cmd.CommandPath(), len(args))
			}
			return nil
		},
		answers: answer[untrustedAnswer](),
		run: func(cmd *cobra.Command, args []string) error {
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
			root, removed, err := app.Distrust(c.site, root)
			if err != nil {
				return err
			}
			if c.json {
				err = c.printJSON(untrustedAnswer{root, removed})
			} else {
				said := "nothing was approved of " + root
				if removed {
					said = "nothing of " + root + " is approved any more"
				}
				err = c.print(func(w *terminal.Writer) { w.Printf("%s\n", said) })
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
