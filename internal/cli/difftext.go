package cli

import (
	"fmt"
	"strings"

	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/terminal"
	"github.com/cento-dev/cento/internal/textdiff"
)

// writeDiff writes a comparison for people.
func (c *console) writeDiff(w *terminal.Writer, d *app.Differing) {
	if d.Empty() {
		w.Printf("no difference\n")
		return
	}
	weights := map[string]string{}
	for _, x := range d.Weights {
		weights[x.ID] = ", " + count(x.From, d.Tokens.Exact) + " → " + tokens(x.To, d.Tokens.Exact)
	}
	for i, x := range d.Verdicts {
		_, now := d.In(x.ID)
		mark := red.On("-")
		if now {
			mark = green.On("+")
		}
		w.Printf("%s %s\n    was: %s\n    is:  %s\n    by:  %s\n", mark, x.ID, terminal.Text(*x.From), terminal.Text(*x.To), flipText(d.Flips[i]))
		c.writeVerdictText(w, d, x.ID, now)
	}
	for _, x := range d.Removed {
		w.Printf("%s %s  no longer there (was %s)\n", red.On("-"), x.ID, verdict(*x.Included, *x.From))
		if *x.Included {
			c.writeText(w, "-", red, x.Text)
		}
	}
	for _, x := range d.Added {
		w.Printf("%s %s  new, %s\n", green.On("+"), x.ID, verdict(*x.Included, *x.To))
		if *x.Included {
			c.writeText(w, "+", green, x.Text)
		}
	}
	for _, x := range d.Changed {
		out := weights[x.ID]
		if was, is := d.In(x.ID); !was && !is {
			out = ", out on both sides"
		}
		w.Printf("%s %s  reworded%s\n", yellow.On("~"), x.ID, out)
		writeWords(w, *x.From, *x.To)
	}
	for _, x := range d.Moved {
		w.Printf("%s %s  moved: was %s, is %s\n", yellow.On(">"), x.ID, terminal.Text(*x.From), terminal.Text(*x.To))
	}
	for _, x := range d.Gates {
		w.Printf("%s %s  %s: was %s, is %s\n", yellow.On("?"), x.ID, x.Field, terminal.Text(orNothing(x.From)), terminal.Text(orNothing(x.To)))
	}
	w.Printf("\n")
	from, to := d.Bytes()
	if d.Tokens != nil {
		w.Printf("%s to %s, %s to %s\n", plural(from, "byte"), plural(to, "byte"), tokens(d.Tokens.From, d.Tokens.Exact), tokens(d.Tokens.To, d.Tokens.Exact))
	} else {
		w.Printf("%s to %s\n", plural(from, "byte"), plural(to, "byte"))
	}
	if p := d.Parting; p != nil {
		w.Printf("the same up to byte %d%s: %s before it, %s from there on\n", p.Offset, inFragment(p.Fragment), tokens(p.Shared, p.Exact), tokens(p.Behind, p.Exact))
		if p.Cost != nil {
			w.Printf("with the left one in the prompt cache: %s, unchanged %s\n", usd(*p.Cost), usd(*p.Unchanged))
		}
	}
}

// flipText says by which gate a verdict is another one, and whether the gate itself is.
func flipText(f app.Flip) string {
	if f.By == "definition" {
		return string(f.Gate) + ", since the gate is another one"
	}
	return string(f.Gate)
}

func inFragment(id string) string {
	if id == "" {
		return ""
	}
	return " in " + id
}

func usd(x float64) string { return fmt.Sprintf("$%.6f", x) }

func orNothing(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

// writeAll writes the comparison of all targets: a table, then each that differs.
func (c *console) writeAll(w *terminal.Writer, d *app.AllDiffering) {
	var t table
	t.Add(cell{Text: "target", Paint: dim}, cell{Text: "fragments", Paint: dim}, cell{Text: "tokens", Paint: dim})
	for _, x := range d.Targets {
		t.Add(cell{Text: targetName(x.Target)}, cell{Text: tally(&x)}, cell{Text: tokenTally(&x)})
	}
	w.Table(&t)
	for _, x := range d.Targets {
		if x.Diff == nil || x.Diff.Empty() {
			continue
		}
		w.Printf("\n%s\n\n", bold.On(targetName(x.Target)))
		c.writeDiff(w, x.Diff)
	}
}

func targetName(name string) string {
	if name == "" {
		return "(no target)"
	}
	return name
}

// verdict is a decision in words.
func verdict(included bool, reason string) string {
	if included {
		return "in: " + reason
	}
	return "out: " + reason
}

// writeVerdictText shows the text that came or went.
func (c *console) writeVerdictText(w *terminal.Writer, d *app.Differing, id string, now bool) {
	sign, colour := "-", red
	if now {
		sign, colour = "+", green
	}
	c.writeText(w, sign, colour, d.Text(id))
}

func (c *console) writeText(w *terminal.Writer, sign string, colour paint, text string) {
	for l := range strings.SplitSeq(text, "\n") {
		w.Printf("%s\n", colour.On(terminal.Text("    "+sign+" "+l)))
	}
}

// writeWords shows how a text changed, word by word.
func writeWords(w *terminal.Writer, from, to string) {
	for _, line := range textdiff.WordLines(from, to) {
		if line.Gap {
			w.Printf("    …\n")
			continue
		}
		w.Printf("    ")
		for _, x := range line.Words {
			switch x.Op {
			case '-':
				w.Printf("%s", red.On(terminal.Text("[-"+x.Text+"-]")))
			case '+':
				w.Printf("%s", green.On(terminal.Text("{+"+x.Text+"+}")))
			default:
				w.Printf("%s", terminal.Text(x.Text))
			}
		}
		w.Printf("\n")
	}
}
