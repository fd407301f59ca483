package cli

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/project"
)

func (c *console) diffCommand() *cobra.Command {
	var both whatIf
	var withTools, withoutTools, withCaps, withoutCaps, onlyLayers, withoutLayers []string
	cmd := &cobra.Command{
		Use:   "diff [TARGET [TARGET]]",
		Short: "Compare two prompts, fragment by fragment",
		Long: `Compare the prompt with what it would be otherwise: for another target, or with
a tool or capability more or less, or with other layers. --with-…, --without-…
and --layers change the right side only; all other flags change both. The exit
code is 1 when they differ.

With one target, the left side is the manifest as it stands; with two, the first
is the left side.`,
		Example: `  cento diff --without-tool todo
  cento diff ci
  cento diff --without-layer team
  cento diff ci release --with-cap interactive`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 2 {
				return wrongUse("compare two at a time", "a comparison has two sides, and %d targets are named", len(args))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			changed := len(withTools)+len(withoutTools)+len(withCaps)+len(withoutCaps)+len(onlyLayers)+len(withoutLayers) > 0
			left, right := both, both
			switch {
			case len(args) == 2 && both.target != "":
				return wrongUse("leave out --target", "both sides are named, %s and %s: --target %s has no side left", args[0], args[1], both.target)
			case len(args) == 2:
				left.target, right.target = args[0], args[1]
			case len(args) == 1:
				right.target = args[0]
			case !changed:
				return c.nothingToCompare(cmd.Context(), &both)
			}
			a, err := c.open(cmd.Context(), &left)
			if err != nil {
				return err
			}
			b := a
			if right.target != left.target {
				if b, err = a.Target(cmd.Context(), right.target); err != nil {
					return err
				}
			}
			if len(onlyLayers)+len(withoutLayers) > 0 {
				if b, err = b.WithLayers(cmd.Context(), project.LayerChoice{Only: onlyLayers, Without: withoutLayers}); err != nil {
					return err
				}
			}
			input := left.input(c, a)
			other := input
			if b != a {
				other = right.input(c, b)
			}
			c.noteUndefined(other, "--with-tool", withTools)
			for _, t := range withTools {
				other = other.WithTool(t)
			}
			other = c.withoutTools(other, withoutTools)
			other = c.withCaps(other, "--with-cap", withCaps, b)
			other = c.withoutCaps(other, withoutCaps)
			from, err := a.Reduce(input)
			if err != nil {
				return err
			}
			to, err := b.Reduce(other)
			if err != nil {
				return err
			}
			return c.answerDiff(cento.Diff(from, to), from, to)
		},
	}
	// The flags of the right side take the names of those of both sides.
	both.registerProject(c, cmd, ", for both sides")
	c.withFlags(cmd, func() {
		namesFlag(cmd, &both.tools, "tool", "active tools of both sides, instead of all that are defined: `NAME`, repeatable")
		namesFlag(cmd, &both.caps, "cap", "a capability that is set as well, on both sides: `NAME`, repeatable")
		namesFlag(cmd, &withTools, "with-tool", "a tool that is active as well, on the right side: `NAME`, repeatable")
		namesFlag(cmd, &withoutTools, "without-tool", "a tool that is not active, on the right side: `NAME`, repeatable")
		namesFlag(cmd, &withCaps, "with-cap", "a capability that is set as well, on the right side: `NAME`, repeatable")
		namesFlag(cmd, &withoutCaps, "without-cap", "a capability that is not set, on the right side: `NAME`, repeatable")
		namesFlag(cmd, &onlyLayers, "layers", "the only layers of the right side, builtin for none: `NAME`, repeatable")
		namesFlag(cmd, &withoutLayers, "without-layer", "a layer that is left out, on the right side: `NAME`, repeatable")
		c.completes(cmd, &both, layerNames, "layers", "without-layer")
		c.completes(cmd, &both, toolNames, "tool", "with-tool", "without-tool")
		c.completes(cmd, &both, capNames, "cap", "with-cap", "without-cap")
	})
	cmd.ValidArgsFunction = c.complete(&both, targetNames)
	return cmd
}

// nothingToCompare tells what there is.
func (c *console) nothingToCompare(ctx context.Context, f *whatIf) error {
	p, err := c.open(ctx, f)
	if err != nil {
		return err
	}
	c.say("a comparison has two sides: name a target, or what to add or take away")
	fmt.Fprintln(c.err, "  hint: what can be compared here:")
	c.proposeEach("cento diff ", p.Targets())
	c.proposeEach("cento diff --without-tool ", p.Input.ActiveTools())
	c.proposeEach("cento diff --without-cap ", p.Input.Active.Caps)
	c.proposeEach("cento diff --without-layer ", p.LayerNames())
	c.propose("cento diff --with-cap CAPABILITY")
	if len(p.Input.Tools) == 0 {
		c.propose("cento diff --tools FILE --without-tool TOOL")
	}
	return exit(exitUse)
}

// maxProposed bounds how many commands of a kind are proposed.
const maxProposed = 8

func (c *console) proposeEach(command string, names []string) {
	for _, name := range names[:min(len(names), maxProposed)] {
		c.propose(command + quoted(name))
	}
	if n := len(names) - maxProposed; n > 0 {
		fmt.Fprintf(c.err, "    … and %d more of these\n", n)
	}
}

func (c *console) propose(command string) {
	fmt.Fprintf(c.err, "    %s\n", app.PrintableLine(command))
}

// answerDiff prints a comparison; the answer is no when the prompts differ.
func (c *console) answerDiff(d *cento.Difference, from, to *cento.Prompt) error {
	show := func() error { return c.printDiff(d, from, to) }
	if c.json {
		show = func() error { return c.printJSON(d) }
	}
	if err := show(); err != nil || d.Empty() {
		return err
	}
	return errNo
}

func (c *console) printDiff(d *cento.Difference, from, to *cento.Prompt) error {
	return c.print(func(w io.Writer) error {
		if d.Empty() {
			_, err := fmt.Fprintln(w, "no difference")
			return err
		}
		for _, x := range d.Verdicts {
			mark := c.paint(red, "-")
			if in(to, x.ID) {
				mark = c.paint(green, "+")
			}
			fmt.Fprintf(w, "%s %s\n    was: %s\n    is:  %s\n", mark, name(x.ID), app.Printable(*x.From), app.Printable(*x.To))
			c.writeVerdictText(w, x.ID, from, to)
		}
		for _, x := range d.Removed {
			fmt.Fprintf(w, "%s %s  no longer there (was %s)\n", c.paint(red, "-"), name(x.ID), verdict(*x.Included, *x.From))
			if *x.Included {
				c.writeText(w, "-", red, x.Text)
			}
		}
		for _, x := range d.Added {
			fmt.Fprintf(w, "%s %s  new, %s\n", c.paint(green, "+"), name(x.ID), verdict(*x.Included, *x.To))
			if *x.Included {
				c.writeText(w, "+", green, x.Text)
			}
		}
		for _, x := range d.Changed {
			out := ""
			if !in(from, x.ID) && !in(to, x.ID) {
				out = ", out on both sides"
			}
			fmt.Fprintf(w, "%s %s  reworded%s\n", c.paint(yellow, "~"), name(x.ID), out)
			c.writeLines(w, *x.From, *x.To)
		}
		for _, x := range d.Moved {
			fmt.Fprintf(w, "%s %s  moved: was %s, is %s\n", c.paint(yellow, ">"), name(x.ID), app.Printable(*x.From), app.Printable(*x.To))
		}
		_, err := fmt.Fprintf(w, "\n%s to %s\n", plural(from.Bytes(), "byte"), plural(to.Bytes(), "byte"))
		return err
	})
}

func name(id string) string { return app.PrintableLine(id) }

func in(p *cento.Prompt, id string) bool {
	i, ok := p.Index(id)
	return ok && p.In(i)
}

// verdict is a decision in words.
func verdict(included bool, reason string) string {
	if included {
		return "in: " + app.PrintableLine(reason)
	}
	return "out: " + app.PrintableLine(reason)
}

// writeVerdictText shows the text that came or went.
func (c *console) writeVerdictText(w io.Writer, id string, from, to *cento.Prompt) {
	prompt, sign, colour := from, "-", red
	if in(to, id) {
		prompt, sign, colour = to, "+", green
	}
	i, _ := prompt.Index(id)
	c.writeText(w, sign, colour, prompt.Text(i))
}

func (c *console) writeText(w io.Writer, sign string, colour paint, text string) {
	for l := range strings.SplitSeq(text, "\n") {
		fmt.Fprintln(w, c.paint(colour, "    "+sign+" "+app.Printable(l)))
	}
}

// writeLines shows how a text changed, line by line.
func (c *console) writeLines(w io.Writer, from, to string) {
	for _, l := range app.LineDiff(from, to) {
		switch l.Op {
		case '-':
			fmt.Fprintln(w, c.paint(red, "    - "+app.Printable(l.Text)))
		case '+':
			fmt.Fprintln(w, c.paint(green, "    + "+app.Printable(l.Text)))
		default:
			fmt.Fprintln(w, "      "+app.Printable(l.Text))
		}
	}
}
