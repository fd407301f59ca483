package cli

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/page"
	"github.com/cento-dev/cento/internal/terminal"
)

func (c *console) explainCommand() *command {
	f := sessionFlags{whatIf: whatIf{notesShown: true}}
	var html, allReasons bool
	var ofSession string
	cmd := &command{
		use:   "explain",
		short: "Tell what is in the prompt, what is not, and why",
		long: `List every fragment that was considered, in declaration order: whether it is
in, who contributed it, how many tokens it costs, and the reason. A count that is
an estimate begins with ~.

With --html it is one page that needs nothing else: the prompt in colours, with
the origin of every stretch and the reason for everything that is not there.

` + watchHelp,
		examples: `  cento explain
  cento explain --without-tool todo --all-reasons
  cento explain --html -o prompt.html
  cento explain --json`,
		args:    noArgumentsBut("`cento why TEXT` tells of one text, or of the fragment with that id"),
		answers: slices.Concat(answer[cento.Explanation](), answer[app.SessionExplanation]()),
		ends:    atOnce,
		run: func(cmd *cobra.Command, _ []string) error {
			if html && c.json {
				return wrongUse("", "--html and --json are two forms of the result: choose one")
			}
			if of, err := f.instead(cmd, "prompt", "html", "all-reasons"); err != nil {
				return err
			} else if of {
				return c.explainSession(cmd.Context(), &f, ofSession, html, allReasons)
			}
			if html && c.toTerminal() {
				return wrongUse("give it a file: cento explain --html -o prompt.html", "a page is not for a terminal")
			}
			p, err := c.open(cmd.Context(), &f.whatIf)
			if err != nil {
				return err
			}
			in := f.input(c, p)
			prompt, err := c.reduce(&f.whatIf, p, in)
			if err != nil {
				return err
			}
			if err := c.sinceLast(cmd.Context(), &f.whatIf, app.MadePrompt{Project: p, Input: in, Prompt: prompt}); err != nil {
				return err
			}
			counter := app.CounterOf(p.Input)
			switch {
			case html:
				e, err := p.Explanation(in, prompt, cento.ExplainOptions{AllReasons: true, ExcludedTexts: true, Counter: counter})
				if err != nil {
					return err
				}
				return c.printFrom(func(w *terminal.Writer) error {
					return page.Write(w.Document(), page.Page{Title: p.Input.Files.AgentName.Body, Project: p.Name(), Target: f.target, Changes: f.changes(), Values: p.SetAt(p.Input), Version: app.Version()}, e)
				})
			case c.json:
				e, err := p.Explanation(in, prompt, cento.ExplainOptions{AllReasons: allReasons, Counter: counter})
				if err != nil {
					return err
				}
				return c.printNoted(e, &e.Notes)
			}
			return c.printExplanation(prompt.Explain(cento.ExplainOptions{AllReasons: allReasons, Counter: counter}), ": see `"+c.withFlags("budget", nil)+"`")
		},
	}
	cmd.withWatch(c, "session")
	f.register(c, cmd)
	cmd.with(func(fl *flags) {
		fl.BoolVar(&html, "html", false, "write one self-contained page")
		f.registerOf(fl, &ofSession)
		fl.BoolVar(&allReasons, "all-reasons", false, "give every unmet condition of what is not in")
	})
	return cmd
}

// printExplanation prints a table; seeBudget proposes the command that shows the budget.
func (c *console) printExplanation(e *cento.Explanation, seeBudget string) error {
	var t table
	t.Add(cell{Text: " "}, cell{Text: "fragment", Paint: dim}, cell{Text: "source", Paint: dim},
		cell{Text: "tokens", Paint: dim, Right: true}, cell{Text: "reason", Paint: dim})
	for _, f := range e.Fragments {
		t.Add(c.traceRow(f, *e.TokensExact, e.Budget != nil && e.Budget.RequestExact())...)
		for i, u := range f.Unmet {
			if i > 0 {
				t.Add(cell{}, cell{}, cell{}, cell{}, cell{Text: "also " + u.Reason, Paint: red})
			}
		}
		for _, text := range noteTexts(f.Notes) {
			t.Add(cell{}, cell{}, cell{}, cell{}, cell{Text: text, Paint: yellow})
		}
	}
	return c.print(func(w *terminal.Writer) {
		w.Table(&t)
		sum := "no system prompt"
		if e.Digest != nil {
			sum = fmt.Sprintf("%s (%s), %s, sha256 %s",
				tokens(*e.Tokens, *e.TokensExact), *e.Encoding, plural(e.Bytes, "byte"), (*e.Digest)[:16])
		}
		w.Printf("\n%d in, %d out; %s\n", e.Included, e.Excluded, sum)
		if b := e.Budget; b != nil {
			w.Printf("budget %s, of which %s for the prompt; %s dropped, %d shortened%s\n", tokens(b.Budget, true), count(b.Limit, b.LimitExact), plural(b.Dropped, "fragment"), b.Shortened, seeBudget)
		}
		if notes := c.untold(e.Notes); len(notes) > 0 {
			w.Printf("\n")
			c.writeNotes(w, notes)
		}
	})
}

// count is a number of tokens; one that is an estimate says so.
func count(n int, exact bool) string { return cento.FormatTokens(n, exact) }

// estimate is a number as it is written, marked unless it is exact.
func estimate(number string, exact bool) string {
	if exact {
		return number
	}
	return "~" + number
}

// tokens is [count] with its unit.
func tokens(n int, exact bool) string {
	if n == 1 {
		return count(n, exact) + " token"
	}
	return count(n, exact) + " tokens"
}

// traceRow is the row of a fragment. exact is said of counts of the prompt, request of those
// of budgets of whole requests.
func (c *console) traceRow(f cento.Trace, exact, request bool) []cell {
	id, source := f.ID, withLayer(f.Source, f.Layer)
	if !f.Included {
		return []cell{{Text: "-", Paint: red}, {Text: id, Paint: dim}, {Text: source, Paint: dim}, {Text: "0", Paint: dim, Right: true}, {Text: f.Reason, Paint: red}}
	}
	reason := f.Reason
	switch {
	case f.Budget == nil:
	case f.Budget.Required:
		reason += fmt.Sprintf("; over budget: gave %s for what is required, whole from %s", tokens(f.Budget.Tokens, exact), tokens(f.Budget.StaysFrom, request))
	default:
		reason += fmt.Sprintf("; over budget: variant %d, longer from %s (importance %d)", f.Variant, tokens(f.Budget.StaysFrom, request), f.Budget.Importance)
	}
	return []cell{{Text: "+", Paint: green}, {Text: id}, {Text: source}, {Text: count(*f.Tokens, exact), Right: true}, {Text: reason}}
}

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return strconv.Itoa(n) + " " + word + "s"
}

// noteTexts words the findings in a text, with their places. What is alike on
// one line of a file is told once.
func noteTexts(notes []cento.TextNote) []string {
	var out []string
	for i := 0; i < len(notes); {
		n, alike := notes[i], 1
		for i+alike < len(notes) && n.Code == notes[i+alike].Code && sameLine(n.Position, notes[i+alike].Position) {
			alike++
		}
		text := n.Message
		if n.Position != nil && !n.Position.IsZero() {
			text = n.Position.String() + ": " + text
		}
		if alike > 1 {
			text += fmt.Sprintf(", and %d more on this line", alike-1)
		}
		out = append(out, text)
		i += alike
	}
	return out
}

func sameLine(a, b *cento.Position) bool {
	return a != nil && b != nil && a.File == b.File && a.Line == b.Line && a.Line > 0
}
