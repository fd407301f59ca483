package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cento-dev/cento/internal/app"
)

func (c *console) layersCommand() *cobra.Command {
	var f whatIf
	cmd := &cobra.Command{
		Use:   "layers",
		Short: "Show the layers of the prompt, and what each of them does",
		Long: `List the layers from low to high: the built-in section plan, the user's, those
of packs, those of the manifest. Each tells the section plan that it brings, how
it patches the one in force, the slots that it empties, and what it adds, removes
and took out. Then the section plan that they come to, with what stands in it.`,
		Example: `  cento layers
  cento layers --without-tool review
  cento diff --without-layer team`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			p, prompt, err := c.assemble(cmd.Context(), &f)
			if err != nil {
				return err
			}
			answer := p.Layers(prompt)
			if c.json {
				return c.printJSON(answer)
			}
			return c.printLayers(answer)
		},
	}
	f.register(c, cmd)
	return cmd
}

func (c *console) printLayers(l *app.Layers) error {
	return c.print(func(w io.Writer) error {
		for _, x := range l.Layers {
			if err := c.writeLayer(w, x); err != nil {
				return err
			}
		}
		fmt.Fprintln(w, c.paint(bold, "the section plan"))
		if err := c.writePlan(w, l); err != nil {
			return err
		}
		if !l.InPrompt {
			_, err := fmt.Fprintln(w, "\nnot in the prompt: no layer has a template or slots, so the agent's main text stands alone")
			return err
		}
		if len(l.Out) == 0 {
			return nil
		}
		fmt.Fprintln(w, "\n"+c.paint(bold, "not in the section plan"))
		var t table
		for _, x := range l.Out {
			t.add(c.layerFragment(x)...)
		}
		return t.write(c, w)
	})
}

// writeLayer prints what one layer does, a line for each thing.
func (c *console) writeLayer(w io.Writer, x app.LayerReport) error {
	head := c.paint(bold, app.PrintableLine(x.Name))
	if rank := x.Rank.String(); rank != x.Name {
		head += "  " + rank
	}
	if x.Origin != nil {
		head += "  " + c.paint(cyan, app.PrintableLine(x.Origin.String()))
	}
	fmt.Fprintln(w, head)
	row := func(word string, list []string) {
		for _, s := range list {
			fmt.Fprintf(w, "  %-9s %s\n", word, app.PrintableLine(s))
		}
	}
	if x.Template != nil {
		titles := make([]string, len(x.Template))
		for i, title := range x.Template {
			if titles[i] = "(untitled)"; title != nil {
				titles[i] = *title
			}
		}
		row("plan", []string{strings.Join(titles, ", ")})
	}
	row("patches", x.Patches)
	row("resets", x.Resets)
	row("removes", x.Removes)
	for _, f := range x.Adds {
		word := "adds"
		if !f.Included {
			word = "adds (-)"
		}
		row(word, []string{f.ID})
	}
	row("took out", x.TookOut)
	if x.Template == nil && len(x.Patches)+len(x.Resets)+len(x.Removes)+len(x.Adds) == 0 {
		fmt.Fprintln(w, "  nothing")
	}
	_, err := fmt.Fprintln(w)
	return err
}

// writePlan prints the sections with what stands in each of their places.
func (c *console) writePlan(w io.Writer, l *app.Layers) error {
	var t table
	for _, s := range l.Plan {
		title := "(untitled)"
		if s.Title != nil {
			title = "## " + *s.Title
		}
		t.add(cell{text: app.PrintableLine(title), paint: bold})
		for _, e := range s.Entries {
			if len(e.Fragments) == 0 {
				t.add(cell{text: "    " + app.PrintableLine(strings.TrimSpace(e.Kind+" "+e.Name)), paint: dim})
			}
			for _, f := range e.Fragments {
				t.add(c.layerFragment(f)...)
			}
		}
	}
	return t.write(c, w)
}

// layerFragment is a row on a fragment and the layer that brings it.
func (c *console) layerFragment(f app.LayerFragment) []cell {
	sign, colour := "+", green
	if !f.Included {
		sign, colour = "-", red
	}
	id := "  " + sign + " " + app.PrintableLine(f.ID)
	reason := cell{text: app.PrintableLine(f.Reason), paint: dim}
	if !f.Included {
		reason.paint = red
	}
	return []cell{{text: id, paint: colour}, {text: app.PrintableLine(f.Layer)}, reason}
}

// withLayer adds the layer that brought a fragment to what names it, unless that
// is the same word.
func withLayer(name string, layer *string) string {
	if layer == nil || *layer == name {
		return name
	}
	return name + " (" + *layer + ")"
}

func layerNames(p *app.Project) []string { return p.LayerNames() }
