package cli

import (
	"fmt"
	"io"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/page"
)

func (c *console) explainCommand() *cobra.Command {
	f := sessionFlags{whatIf: whatIf{notesShown: true}}
	var html, allReasons bool
	var ofSession string
	cmd := &cobra.Command{
		Use:   "explain",
		Short: "Tell what is in the prompt, what is not, and why",
		Long: `List every fragment that was considered, in declaration order: whether it is
in, who contributed it, how many tokens it costs, and the reason. A count that is
an estimate begins with ~.

With --html it is one page that needs nothing else: the prompt in colours, with
the origin of every stretch and the reason for everything that is not there.`,
		Example: `  cento explain
  cento explain --without-tool todo --all-reasons
  cento explain --html -o prompt.html
  cento explain --json`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if html && c.json {
				return wrongUse("", "--html and --json are two forms of the result: choose one")
			}
			if ofSession != "" {
				return c.explainSession(cmd.Context(), &f, ofSession, html, allReasons)
			}
			if html && c.toTerminal() {
				return wrongUse("give it a file: cento explain --html -o prompt.html", "a page is not for a terminal")
			}
			p, prompt, err := c.assemble(cmd.Context(), &f.whatIf)
			if err != nil {
				return err
			}
			counter, err := app.CounterFor(p.Input.Active.Model)
			if err != nil {
				return err
			}
			switch {
			case html:
				e := prompt.Explain(cento.ExplainOptions{AllReasons: true, ExcludedTexts: true, Counter: counter})
				return c.print(func(w io.Writer) error {
					return page.Write(w, page.Page{Title: p.Input.Files.AgentName.Body, Project: p.Name(), Target: f.target, Changes: f.changes(), Version: app.Version()}, e)
				})
			case c.json:
				return c.printJSON(prompt.Explain(cento.ExplainOptions{AllReasons: allReasons, Counter: counter}))
			}
			return c.printExplanation(prompt.Explain(cento.ExplainOptions{AllReasons: allReasons, Counter: counter}))
		},
	}
	f.register(c, cmd)
	cmd.Flags().BoolVar(&html, "html", false, "write one self-contained page")
	cmd.Flags().StringVar(&ofSession, "session", "", "the prompt that the session `ID` has, with its live reminders, instead of the project's")
	cmd.Flags().StringVar(&f.store, "store", "", "with --session: the store, a file or the address of a PostgreSQL database (`DSN`)")
	cmd.Flags().BoolVar(&allReasons, "all-reasons", false, "give every unmet condition of what is not in")
	return cmd
}

func (c *console) printExplanation(e *cento.Explanation) error {
	var t table
	t.add(cell{text: " "}, cell{text: "fragment", paint: dim}, cell{text: "source", paint: dim},
		cell{text: "tokens", paint: dim, right: true}, cell{text: "reason", paint: dim})
	for _, f := range e.Fragments {
		t.add(c.traceRow(f, *e.TokensExact)...)
		for i, u := range f.Unmet {
			if i > 0 {
				t.add(cell{}, cell{}, cell{}, cell{}, cell{text: "also " + app.PrintableLine(u.Reason), paint: red})
			}
		}
		for _, text := range noteTexts(f.Notes) {
			t.add(cell{}, cell{}, cell{}, cell{}, cell{text: app.PrintableLine(text), paint: yellow})
		}

	}
	return c.print(func(w io.Writer) error {
		if err := t.write(c, w); err != nil {
			return err
		}
		sum := "no system prompt"
		if e.Digest != nil {
			sum = fmt.Sprintf("%s (%s), %s, sha256 %s",
				tokens(*e.Tokens, *e.TokensExact), *e.Encoding, plural(e.Bytes, "byte"), (*e.Digest)[:16])
		}
		_, err := fmt.Fprintf(w, "\n%d in, %d out; %s\n", e.Included, e.Excluded, sum)
		if len(e.Notes) > 0 && err == nil {
			_, err = fmt.Fprintln(w)
		}
		for _, n := range e.Notes {
			if err != nil {
				break
			}
			_, err = fmt.Fprintln(w, c.paint(yellow, app.PrintableLine("note: "+noteText(n))))
		}
		return err
	})
}

// count is a number of tokens; one that is an estimate says so.
func count(n int, exact bool) string {
	if exact {
		return strconv.Itoa(n)
	}
	return "~" + strconv.Itoa(n)
}

// tokens is [count] with its unit.
func tokens(n int, exact bool) string {
	if n == 1 {
		return count(n, exact) + " token"
	}
	return count(n, exact) + " tokens"
}

func (c *console) traceRow(f cento.Trace, exact bool) []cell {
	id, source := app.PrintableLine(f.ID), app.PrintableLine(withLayer(f.Source, f.Layer))
	if !f.Included {
		return []cell{{text: "-", paint: red}, {text: id, paint: dim}, {text: source, paint: dim}, {text: "0", paint: dim, right: true}, {text: app.PrintableLine(f.Reason), paint: red}}
	}
	return []cell{{text: "+", paint: green}, {text: id}, {text: source}, {text: count(*f.Tokens, exact), right: true}, {text: app.PrintableLine(f.Reason)}}
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
