package cli

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/call"
	"github.com/cento-dev/cento/internal/terminal"
)

func (c *console) budgetCommand() *command {
	var f storeFlag
	var tokens, format, record, form string
	var curve bool
	cmd := &command{
		use:   "budget",
		short: "Tell what a budget of tokens leaves of the prompt, and in which order it takes",
		long: `Tell how the tokens of a budget are spent, and in which order fragments are
shortened and left out. The order is the same for every budget: the least
important first, among those the last declared, variants before the fragment
itself, groups together, and nothing before what needs it. So a larger budget
keeps all that a smaller one keeps, unless its policy is to fill what is left.

A step shows what the prompt needs behind it, by its count or by that of its parts
if that is more, and from which budget on it isn't taken. The budget is that of
the manifest, or --tokens; without one, one that is enough for everything.

With --record it tells the same of a prompt that was recorded, such as that of a
session's turn, with what the turn before left it to keep.

With --curve it tells what every budget keeps: as a table, as CSV or as a drawing
in SVG.`,
		examples: `  cento budget --tokens 4000
  cento budget --tokens 20% --model claude-opus-5
  cento budget --record s1@4
  cento budget --curve
  cento budget --curve --format svg -o curve.svg`,
		args:    noArguments,
		answers: answer[call.Budgeted](),
		ends:    atOnce,
		run: func(cmd *cobra.Command, _ []string) error {
			switch {
			case tokens != "" && f.budget != "":
				return wrongUse("", "--tokens and --budget are the same: give one")
			case tokens != "":
				f.budget, f.budgetFlag = tokens, "tokens"
			}
			if err := knownFormat(format, "table", "csv", "svg"); err != nil {
				return err
			}
			if format != "" && !curve {
				return wrongUse("add --curve", "--format is for the curve")
			}
			if c.json && format != "" {
				return wrongUse("", "--format and --json are two forms of the result: choose one")
			}
			a, err := c.budgetOf(cmd.Context(), &f, record, form)
			if err != nil {
				return err
			}
			switch {
			case c.json:
				out := call.Budgeted{BudgetAnswer: *a}
				return c.printNoted(&out, &out.Notes)
			case format == "svg":
				return c.print(func(w *terminal.Writer) { writeCurveSVG(w, a) })
			case format == "csv":
				return c.print(func(w *terminal.Writer) { writeCurveCSV(w, a) })
			case curve:
				return c.print(func(w *terminal.Writer) { writeCurve(w, a) })
			}
			return c.print(func(w *terminal.Writer) { writeBudget(w, a) })
		},
	}
	f.whatIf.register(c, cmd)
	cmd.with(func(fl *flags) {
		registerStore(fl, &f.place)
		fl.StringVar(&record, "record", "", "the prompt that was recorded as `RECORD`, as cento log show names it, and not the manifest's")
		fl.StringVar(&tokens, "tokens", "", "the budget, as --budget: `N` tokens, or a part of what the model takes in such as 20%")
		fl.StringVar(&form, "wire", "", "count the request as `PROVIDER` gets it: "+strings.Join(app.WireForms(), ", "))
		fl.completeWords("wire", app.WireForms()...)
		fl.BoolVar(&curve, "curve", false, "tell what every budget keeps")
		fl.StringVar(&format, "format", "", "the `FORM` of the curve: table, csv or svg")
		fl.completeWords("format", "table", "csv", "svg")
	})
	return cmd
}

// budgetOf tells of the budget of the manifest's prompt, or of a recorded one.
func (c *console) budgetOf(ctx context.Context, f *storeFlag, record, form string) (*app.BudgetAnswer, error) {
	if record == "" {
		p, err := c.open(ctx, &f.whatIf)
		if err != nil {
			return nil, err
		}
		return p.Budget(ctx, f.input(c, p), form)
	}
	size := f.budget
	f.budget = ""
	if form != "" {
		return nil, wrongUse("leave out --wire", "a recorded prompt was fitted to its own provider format")
	}
	if changes := f.changes(); len(changes) > 0 || f.target != "" || f.model != "" {
		return nil, wrongUse("leave the other flags out", "a prompt that was recorded is made of what was recorded with it; of the flags that change a prompt it takes --tokens alone")
	}
	var in cento.Input
	err := c.withLog(ctx, f, app.Reads, func(l *app.Log) (err error) {
		ref, err := l.Named(ctx, record)
		if err == nil {
			in, err = l.Input(ctx, ref)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	if size != "" {
		b, err := app.ParseBudget(size)
		if err != nil {
			return nil, wrongUse("give a number of tokens, or a part such as 20%", "--tokens %w", err)
		}
		if in, err = b.On(in); err != nil {
			return nil, err
		}
	}
	p, err := app.OpenRecorded(in)
	if err != nil {
		return nil, err
	}
	c.gather(p.Notes(in.Notes))
	return p.Budget(ctx, in, "")
}

func writeBudget(w *terminal.Writer, a *app.BudgetAnswer) {
	var t table
	told := func(name string, n int, exact bool, about string) {
		t.Add(cell{Text: name}, cell{Text: count(n, exact), Right: true}, cell{Text: about, Paint: dim})
	}
	line := func(name string, n int, about string) { told(name, n, a.Exact, about) }
	about := "tokens"
	if !a.Named {
		about = "tokens: no budget is set, and this is the least that keeps everything"
	}
	told("budget", a.Budget, a.Named || a.RequestExact(), about)
	told("reserve", a.Reserve, true, "")
	definitions := plural(a.ActiveTools, "active definition")
	if a.Form != "" {
		definitions += ", as the form " + a.Form + " sends them"
	}
	told("tools", a.Tools, a.ToolsExact, definitions)
	writeFraming(&t, a)
	about = "what is left for the prompt"
	if !a.Named && a.Limit > a.Prompt {
		about += ": the sum of its parts, which is more than the whole"
	}
	told("limit", a.Limit, a.LimitExact, about)
	told("least", a.Least, a.RequestExact(), "the smallest budget that works")
	line("required", a.Required, "of the prompt, with all else dropped")
	if a.Given != 0 {
		line("removed", a.Given, "from required fragments: descriptions of skills, then lines of the project's instructions")
	}
	line("optional", a.Full-a.Required, "the rest of the whole prompt")
	line("prompt", a.Prompt, fmt.Sprintf("%s dropped, %s shortened", plural(a.Dropped, "fragment"), strconv.Itoa(a.Shortened)))
	told("left", a.Left, a.RequestExact(), a.Policy.String())
	if a.KeepCached {
		about := "kept by the prompt cache, given up last"
		if a.CachedLost != nil {
			about += "; " + lossOf(a.CachedLost, a.Exact)
		}
		t.Add(cell{Text: "cached"}, cell{Text: strconv.Itoa(a.Cached), Right: true}, cell{Text: plural(a.Cached, "fragment")[len(strconv.Itoa(a.Cached))+1:] + " " + about, Paint: dim})
	}
	w.Table(&t)
	if len(a.Cuts) > 0 {
		w.Printf("\n")
		writeCuts(w, a.Cuts)
	}
	w.Printf("\n%s\n", a.Summary)
	if len(a.Sequence) == 0 {
		return
	}
	w.Printf("\n")
	var steps table
	steps.Add(cell{Text: " "}, cell{Text: "importance", Paint: dim, Right: true}, cell{Text: "needs", Paint: dim, Right: true}, cell{Text: "stays from", Paint: dim, Right: true}, cell{Text: "step", Paint: dim})
	for i, s := range a.Sequence {
		if i == a.Cut && i > 0 {
			steps.Add(cell{Text: "-"}, cell{}, cell{Text: count(a.Limit, a.LimitExact), Right: true}, cell{Text: count(a.Budget, true), Right: true}, cell{Text: "-- the budget takes no more --", Paint: yellow})
		}
		mark, paint := "+", green
		if s.Taken {
			mark, paint = "-", red
		}
		words := "drop " + strings.Join(s.Fragments, ", ")
		if s.Variant > 0 {
			words = fmt.Sprintf("shorten %s to variant %d", s.Fragments[0], s.Variant)
		}
		if s.Cached != nil {
			words += "; of the cache " + lossOf(s.Cached, a.Exact)
		}
		steps.Add(cell{Text: mark, Paint: paint}, cell{Text: strconv.Itoa(s.Importance), Right: true}, cell{Text: count(s.Tokens, a.Exact), Right: true}, cell{Text: count(s.StaysFrom, a.RequestExact()), Right: true}, cell{Text: words})
	}
	w.Table(&steps)
}

// writeCuts lists what shortened fragments lost.
func writeCuts(w *terminal.Writer, cuts []cento.Cut) {
	var t table
	t.Add(cell{Text: "shortened", Paint: dim}, cell{Text: "bytes kept", Paint: dim, Right: true}, cell{Text: "removed", Paint: dim, Right: true})
	for _, x := range cuts {
		name := x.Fragment
		switch {
		case x.Variant > 0:
			name += fmt.Sprintf(", variant %d", x.Variant)
		case x.File != "":
			name += ", " + x.File
		}
		t.Add(cell{Text: name}, cell{Text: strconv.Itoa(x.Kept), Right: true}, cell{Text: strconv.Itoa(x.Bytes - x.Kept), Right: true})
	}
	w.Table(&t)
}

// writeFraming tells what is around the prompt, and that it isn't all where it isn't.
func writeFraming(t *table, a *app.BudgetAnswer) {
	known, about := "?", ""
	if a.Framing != nil {
		known = count(*a.Framing, a.FramingKnown && (a.Exact || *a.Framing == 0))
	}
	if !a.FramingKnown {
		about = "what a provider adds around the prompt isn't known"
	}
	t.Add(cell{Text: "framing"}, cell{Text: known, Right: true}, cell{Text: about, Paint: dim})
}

// lossOf is what is read of the prompt cache no more, in words.
func lossOf(l *cento.CachedLoss, exact bool) string {
	out := count(l.Tokens, exact) + " are lost"
	if l.Price != nil {
		out += ", " + money(*l.Price)
	}
	return out
}

func writeCurve(w *terminal.Writer, a *app.BudgetAnswer) {
	var t table
	head := func(s string) cell { return cell{Text: s, Paint: dim, Right: true} }
	t.Add(head("budget"), head("prompt"), head("dropped"), head("shortened"))
	for _, p := range a.Curve {
		t.Add(cell{Text: count(p.Budget, a.RequestExact()), Right: true}, cell{Text: count(p.Tokens, a.Exact), Right: true}, cell{Text: strconv.Itoa(p.Dropped), Right: true}, cell{Text: strconv.Itoa(p.Shortened), Right: true})
	}
	w.Table(&t)
}

func writeCurveCSV(w *terminal.Writer, a *app.BudgetAnswer) {
	w.Printf("budget,prompt,dropped,shortened,exact,limit_exact\n")
	for _, p := range a.Curve {
		w.Printf("%d,%d,%d,%d,%t,%t\n", p.Budget, p.Tokens, p.Dropped, p.Shortened, a.Exact, a.LimitExact)
	}
}

// writeCurveSVG draws what the prompt takes over the budget, as steps.
func writeCurveSVG(w *terminal.Writer, a *app.BudgetAnswer) {
	const width, height, left, foot = 640, 320, 60, 40
	last := a.Curve[len(a.Curve)-1]
	across, up := max(last.Budget+last.Budget/10, 1), 1
	for _, p := range a.Curve {
		up = max(up, p.Tokens)
	}
	x := func(n int) int { return left + n*(width-left-20)/across }
	y := func(n int) int { return height - foot - n*(height-foot-20)/up }
	unit := "tokens"
	if !a.RequestExact() {
		unit = "tokens, estimated"
	}
	w.Printf("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"12\">\n", width, height)
	w.Printf("<title>What each budget keeps</title>\n<rect width=\"%d\" height=\"%d\" fill=\"white\"/>\n", width, height)
	w.Printf("<path d=\"M%d %dV20M%d %dH%d\" stroke=\"black\" fill=\"none\"/>\n", left, height-foot, left, height-foot, width-20)
	w.Printf("<path d=\"M%d %d", x(a.Curve[0].Budget), y(a.Curve[0].Tokens))
	for _, p := range a.Curve[1:] {
		w.Printf("H%dV%d", x(p.Budget), y(p.Tokens))
	}
	w.Printf("H%d\" stroke=\"#1f6feb\" stroke-width=\"2\" fill=\"none\"/>\n", width-20)
	if a.Named {
		w.Printf("<path d=\"M%d %dV20\" stroke=\"#cf222e\" stroke-dasharray=\"4\"/>\n", min(x(a.Budget), width-20), height-foot)
	}
	w.Printf("<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%d</text>\n", left-6, y(up)+4, up)
	w.Printf("<text x=\"%d\" y=\"%d\">%d</text>\n", x(a.Curve[0].Budget), height-foot+16, a.Curve[0].Budget)
	w.Printf("<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%d</text>\n", x(last.Budget), height-foot+16, last.Budget)
	w.Printf("<text x=\"%d\" y=\"%d\">budget, and what the prompt takes of it, in %s</text>\n</svg>\n", left, height-6, unit)
}
