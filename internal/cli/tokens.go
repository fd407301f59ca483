package cli

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/terminal"
	"github.com/cento-dev/cento/internal/tree"
)

func (c *console) tokensCommand() *command {
	var f whatIf
	var encoding string
	cmd := &command{
		use:   "tokens [FILE]",
		short: "Count the tokens of the prompt and its fragments, or of a file",
		long: `Count the tokens of the prompt, fragment by fragment in the order of the prompt.
The prompt itself is counted as one text: headings and blank lines stand between
the fragments, so it isn't their sum. With FILE, or - for stdin, count a text as
it is.

Counts are those of the model's encoding. Where that isn't at hand, or no model is
chosen, the count is an estimate, without a model that of ` + app.DefaultEncoding + `: it begins
with ~, and what it rests on is told below.`,
		examples: `  cento tokens
  cento tokens --model claude-sonnet-4-5 --without-tool todo
  cento tokens AGENTS.md --encoding cl100k_base
  git diff | cento tokens - --json`,
		args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return wrongUse("count one at a time", "cento tokens wants one file at most, and got %d arguments", len(args))
			}
			return nil
		},
		answers: slices.Concat(answer[app.PromptCount](), answer[app.TextCount]()),
		run: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				return c.countFile(cmd, args[0], f.model, encoding)
			}
			p, prompt, err := c.assemble(cmd.Context(), &f)
			if err != nil {
				return err
			}
			counter, about, err := p.CountBy(f.model, encoding)
			if err != nil {
				return err
			}
			n := app.CountPrompt(prompt, counter, about)
			if c.json {
				return c.printNoted(n, &n.Notes)
			}
			return c.print(func(w *terminal.Writer) { c.writePromptCount(w, n) })
		},
	}
	f.register(c, cmd)
	cmd.with(func(fl *flags) { encodingFlag(fl, &encoding) })
	return cmd
}

// encodingFlag defines the flag that names what counts.
func encodingFlag(fl *flags, encoding *string) {
	fl.StringVar(encoding, "encoding", "", "count by the encoding `NAME` instead of the model's: "+strings.Join(app.Encodings(), ", "))
	fl.completeWords("encoding", app.Encodings()...)
}

func (c *console) countFile(cmd *cobra.Command, name, model, encoding string) error {
	// What changes a prompt changes no file.
	var idle []string
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if !slices.Contains([]string{"model", "encoding", "json", "output", "clock", "timezone"}, f.Name) {
			idle = append(idle, "--"+f.Name)
		}
	})
	if len(idle) > 0 {
		return wrongUse("leave the file out to count the prompt", "%s changes the prompt, and %s is counted as it is", strings.Join(idle, ", "), name)
	}
	counter, about, err := app.CountBy(model, encoding)
	if err != nil {
		return err
	}
	c.noteModel(model)
	_, text, err := c.readNamed(cmd.Context(), name, "the text")
	if err != nil {
		return err
	}
	n := app.CountText(string(text), counter, about)
	if n.Invalid > 0 {
		c.err.Say("%s isn't part of UTF-8, and counted as the character that is sent instead", plural(n.Invalid, "byte"))
	}
	if c.json {
		return c.printNoted(n, &n.Notes)
	}
	return c.print(func(w *terminal.Writer) {
		w.Printf("%s, %s\n", tokens(n.Tokens, n.Exact), plural(n.Bytes, "byte"))
		c.writeCounting(w, n.Counting)
	})
}

// readNamed reads what a person named: a file as it is on disk, or stdin. The
// name is the one to show.
func (c *console) readNamed(ctx context.Context, name, what string) (string, []byte, error) {
	if name == "-" {
		text, err := c.readAll(ctx, what)
		return "<stdin>", text, err
	}
	text, err := tree.ReadRawPath(name, tree.Options{Limit: maxStdin})
	if e, ok := errors.AsType[*cento.SourceError](err); ok && e.Code == tree.NotFound {
		e.Hint = "name a file that is there, or - for stdin"
		if near, ok := tree.NearFile(name, name); ok {
			e.Hint = "did you mean " + strconv.Quote(near) + "?"
		}
	}
	return name, text, err
}

func (c *console) writePromptCount(w *terminal.Writer, n *app.PromptCount) {
	var t table
	t.Add(cell{Text: "tokens", Paint: dim, Right: true}, cell{Text: "bytes", Paint: dim, Right: true}, cell{Text: "fragment", Paint: dim}, cell{Text: "source", Paint: dim})
	row := func(tokens, bytes int, name, source string) {
		t.Add(cell{Text: count(tokens, n.Exact), Right: true}, cell{Text: strconv.Itoa(bytes), Right: true}, cell{Text: name}, cell{Text: source, Paint: dim})
	}
	for _, f := range n.Fragments {
		row(f.Tokens, f.Bytes, f.ID, withLayer(f.Source, f.Layer))
	}
	row(n.Tokens, n.Bytes, "(the prompt)", "")
	w.Table(&t)
	c.writeCounting(w, n.Counting)
}

// writeCounting tells how it was counted.
func (c *console) writeCounting(w *terminal.Writer, by app.Counting) {
	said := by.Encoding + ", exact"
	if !by.Exact {
		said = by.Encoding + ", an estimate: " + by.Basis
	}
	w.Printf("%s\n", dim.On(said))
}
