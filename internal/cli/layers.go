package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/terminal"
)

func (c *console) layersCommand() *command {
	var f whatIf
	cmd := &command{
		use:   "layers",
		short: "Show the layers of the prompt, and what each of them does",
		long: `List the layers from low to high: the built-in section plan, the user's, those
of packs, those of the manifest. Each tells the section plan that it brings, how
it patches the one in force, the slots that it empties, and what it adds, removes
and took out. Then the section plan that they come to, with what stands in it.`,
		examples: `  cento layers
  cento layers --without-tool review
  cento diff --without-layer team`,
		args:    noArguments,
		answers: answer[layersAnswer](),
		run: func(cmd *cobra.Command, _ []string) error {
			p, prompt, err := c.assemble(cmd.Context(), &f)
			if err != nil {
				return err
			}
			answer := p.Layers(prompt)
			if c.json {
				out := layersAnswer{Layers: *answer}
				return c.printNoted(&out, &out.Notes)
			}
			i, ok := prompt.Index(cento.SystemID)
			return c.printLayers(answer, ok && prompt.In(i))
		},
	}
	f.register(c, cmd)
	return cmd
}

// printLayers prints the stack and the section plan; mainText tells that the agent's main
// text is in the prompt.
func (c *console) printLayers(l *app.Layers, mainText bool) error {
	return c.print(func(w *terminal.Writer) {
		for _, x := range l.Layers {
			c.writeLayer(w, x)
		}
		w.Printf("%s\n", bold.On("the section plan"))
		c.writePlan(w, l)
		if !l.InPrompt {
			so := "and the agent has no main text"
			if mainText {
				so = "so the agent's main text stands alone"
			}
			w.Printf("\nnot in the prompt: no layer has a template or slots, %s\n", so)
			return
		}
		if len(l.Out) == 0 {
			return
		}
		w.Printf("\n%s\n", bold.On("not in the section plan"))
		var t table
		for _, x := range l.Out {
			t.Add(c.layerFragment(x)...)
		}
		w.Table(&t)
	})
}

// writeLayer prints what one layer does, a line for each thing.
func (c *console) writeLayer(w *terminal.Writer, x app.LayerReport) {
	w.Printf("%s", bold.On(x.Name))
	if rank := x.Rank.String(); rank != x.Name {
		w.Printf("  %s", rank)
	}
	if x.Origin != nil {
		w.Printf("  %s", cyan.On(x.Origin))
	}
	w.Printf("\n")
	row := func(word string, list []string) {
		for _, s := range list {
			w.Printf("  %-9s %s\n", word, s)
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
		w.Printf("  nothing\n")
	}
	w.Printf("\n")
}

// writePlan prints the sections with what stands in each of their places.
func (c *console) writePlan(w *terminal.Writer, l *app.Layers) {
	var t table
	for _, s := range l.Plan {
		title := "(untitled)"
		if s.Title != nil {
			title = "## " + *s.Title
		}
		t.Add(cell{Text: title, Paint: bold})
		for _, e := range s.Entries {
			if len(e.Fragments) == 0 {
				t.Add(cell{Text: "    " + strings.TrimSpace(e.Kind+" "+e.Name), Paint: dim})
			}
			for _, f := range e.Fragments {
				t.Add(c.layerFragment(f)...)
			}
		}
	}
	w.Table(&t)
}

// layerFragment is a row on a fragment and the layer that brings it, or the place of
// what none brings.
func (c *console) layerFragment(f app.LayerFragment) []cell {
	sign, colour := "+", green
	if !f.Included {
		sign, colour = "-", red
	}
	id := "  " + sign + " " + f.ID
	reason := cell{Text: f.Reason, Paint: dim}
	if !f.Included {
		reason.Paint = red
	}
	from := f.Layer
	if from == "" && f.Origin != nil { // the agent's main text
		from = f.Origin.String()
	}
	return []cell{{Text: id, Paint: colour}, {Text: from}, reason}
}

// withLayer adds the layer that brought a fragment to what names it, unless that
// is the same word.
func withLayer(name string, layer *string) string {
	if layer == nil || *layer == name {
		return name
	}
	return name + " (" + *layer + ")"
}
