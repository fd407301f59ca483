package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/app"
)

func (c *console) diffCommand() *cobra.Command {
	var both, right whatIf
	var withTools, withoutTools, withCaps, withoutCaps []string
	cmd := &cobra.Command{
		Use:   "diff [TARGET [TARGET]]",
		Short: "Compare two prompts, fragment by fragment",
		Long: `Compare the prompt with what it would be otherwise: for another target, or with
a tool or capability more or less. --with-… and --without-… change the right
side only; all other flags change both. The exit code is 1 when they differ.

With one target, the left side is the manifest as it stands; with two, the first
is the left side.`,
		Example: `  cento diff --without-tool todo
  cento diff ci
  cento diff ci release --with-cap interactive`,
		Args: cobra.MaximumNArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			changed := len(withTools)+len(withoutTools)+len(withCaps)+len(withoutCaps) > 0
			left := both
			right = both
			switch {
			case len(args) == 2:
				left.target, right.target = args[0], args[1]
			case len(args) == 1:
				right.target = args[0]
			case !changed:
				return c.nothingToCompare(cmd, &both)
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
			other := right.input(c, b)
			for _, t := range withTools {
				other = other.WithTool(t)
			}
			for _, t := range withoutTools {
				c.noteInactive(other, "--without-tool", t)
				other = other.WithoutTool(t)
			}
			for _, x := range withCaps {
				other = other.WithCap(x)
			}
			for _, x := range withoutCaps {
				other = other.WithoutCap(x)
			}
			from, err := a.Reduce(left.input(c, a))
			if err != nil {
				return err
			}
			to, err := b.Reduce(other)
			if err != nil {
				return err
			}
			d := cento.Diff(from, to)
			if c.json {
				err = c.printJSON(d)
			} else {
				err = c.printDiff(d, from, to)
			}
			if err == nil && !d.Empty() {
				err = errNo
			}
			return err
		},
	}
	// The flags of the right side take the names of those of both sides.
	fl := cmd.Flags()
	fl.StringVar(&both.cwd, "cwd", "", "work as if started in `DIR`")
	fl.StringVar(&both.file, "file", "", "use this manifest instead of the nearest cento.yaml")
	fl.StringVar(&both.target, "target", "", "a target of the manifest, for both sides")
	fl.StringVar(&both.toolsFile, "tools", "", "tool definitions instead of the manifest's: a JSON or YAML `FILE`, - for stdin")
	fl.StringVar(&both.model, "model", "", "the model the prompts are for")
	both.registerClock(fl)
	fl.StringSliceVar(&both.tools, "tool", nil, "active tools of both sides, instead of all that are defined")
	fl.StringSliceVar(&both.caps, "cap", nil, "capabilities that are set as well, on both sides")
	fl.StringSliceVar(&withTools, "with-tool", nil, "tools that are active as well, on the right side")
	fl.StringSliceVar(&withoutTools, "without-tool", nil, "tools that are not active, on the right side")
	fl.StringSliceVar(&withCaps, "with-cap", nil, "capabilities that are set as well, on the right side")
	fl.StringSliceVar(&withoutCaps, "without-cap", nil, "capabilities that are not set, on the right side")
	c.jsonFlag(cmd)
	return cmd
}

// nothingToCompare tells what there is.
func (c *console) nothingToCompare(cmd *cobra.Command, f *whatIf) error {
	p, err := c.open(cmd.Context(), f)
	if err != nil {
		return err
	}
	var can []string
	for _, t := range p.Targets() {
		can = append(can, "cento diff "+t)
	}
	for _, t := range p.Input.ActiveTools() {
		can = append(can, "cento diff --without-tool "+t)
	}
	for _, x := range p.Input.Active.Caps {
		can = append(can, "cento diff --without-cap "+x)
	}
	can = append(can, "cento diff --with-cap CAPABILITY", "cento diff --tools FILE --without-tool TOOL")
	return wrongUse("what can be compared here:\n    "+strings.Join(can, "\n    "), "a comparison has two sides: name a target, or what to add or take away")
}

func (c *console) printDiff(d *cento.Difference, from, to *cento.Prompt) error {
	return c.print(func(w io.Writer) error {
		if d.Empty() {
			_, err := fmt.Fprintln(w, "no difference")
			return err
		}
		for _, x := range d.Verdicts {
			mark := c.paint(red, "-")
			if i, ok := to.Index(x.ID); ok && to.In(i) {
				mark = c.paint(green, "+")
			}
			fmt.Fprintf(w, "%s %s\n    was: %s\n    is:  %s\n", mark, name(x.ID), app.Printable(*x.From), app.Printable(*x.To))
			c.writeVerdictText(w, x.ID, from, to)
		}
		for _, x := range d.Removed {
			fmt.Fprintf(w, "%s %s  no longer there (was: %s)\n", c.paint(red, "-"), name(x.ID), app.Printable(*x.From))
		}
		for _, x := range d.Added {
			fmt.Fprintf(w, "%s %s  new: %s\n", c.paint(green, "+"), name(x.ID), app.Printable(*x.To))
		}
		for _, x := range d.Changed {
			fmt.Fprintf(w, "%s %s  reworded\n", c.paint(yellow, "~"), name(x.ID))
			c.writeLines(w, *x.From, *x.To)
		}
		for _, x := range d.Moved {
			fmt.Fprintf(w, "%s %s  moved: was %s, is %s\n", c.paint(yellow, ">"), name(x.ID), app.Printable(*x.From), app.Printable(*x.To))
		}
		_, err := fmt.Fprintf(w, "\n%s to %s\n", plural(from.Bytes(), "byte"), plural(to.Bytes(), "byte"))
		return err
	})
}

func name(id string) string { return app.Printable(id) }

// writeVerdictText shows the text that came or went.
func (c *console) writeVerdictText(w io.Writer, id string, from, to *cento.Prompt) {
	prompt, sign, colour := from, "-", red
	if i, ok := to.Index(id); ok && to.In(i) {
		prompt, sign, colour = to, "+", green
	}
	i, _ := prompt.Index(id)
	for l := range strings.SplitSeq(prompt.Text(i), "\n") {
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
