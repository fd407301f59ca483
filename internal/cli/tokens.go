package cli

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/tree"
)

func (c *console) tokensCommand() *cobra.Command {
	var f whatIf
	var encoding string
	cmd := &cobra.Command{
		Use:   "tokens [FILE]",
		Short: "Count the tokens of the prompt and its fragments, or of a file",
		Long: `Count the tokens of the prompt, fragment by fragment in the order of the prompt.
The prompt itself is counted as one text: headings and blank lines stand between
the fragments, so it isn't their sum. With FILE, or - for stdin, count a text as
it is.

Counts are those of the model's encoding, by default ` + app.DefaultEncoding + `. Where that
isn't at hand the count is an estimate: it begins with ~, and what it rests on is
told below.`,
		Example: `  cento tokens
  cento tokens --model claude-sonnet-4-5 --without-tool todo
  cento tokens AGENTS.md --encoding cl100k_base
  git diff | cento tokens - --json`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return wrongUse("count one at a time", "cento tokens wants one file at most, and got %d arguments", len(args))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				return c.countFile(cmd, args[0], f.model, encoding)
			}
			p, prompt, err := c.assemble(cmd.Context(), &f)
			if err != nil {
				return err
			}
			counter, about, err := app.CountBy(p.Input.Active.Model, encoding)
			if err != nil {
				return err
			}
			n := app.CountPrompt(prompt, counter, about)
			if c.json {
				return c.printJSON(n)
			}
			return c.print(func(w io.Writer) error { return c.writePromptCount(w, n) })
		},
	}
	f.register(c, cmd)
	c.withFlags(cmd, func() { c.encodingFlag(cmd, &encoding) })
	return cmd
}

// encodingFlag defines the flag that names what counts.
func (c *console) encodingFlag(cmd *cobra.Command, encoding *string) {
	cmd.Flags().StringVar(encoding, "encoding", "", "count by the encoding `NAME` instead of the model's: "+strings.Join(app.Encodings(), ", "))
	if err := cmd.RegisterFlagCompletionFunc("encoding", cobra.FixedCompletions(app.Encodings(), cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic("cli: " + err.Error())
	}
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
	_, text, err := c.readNamed(cmd.Context(), name, "the text")
	if err != nil {
		return err
	}
	n := app.CountText(string(text), counter, about)
	if n.Invalid > 0 {
		c.say("%s isn't part of UTF-8, and counted as the character that is sent instead", plural(n.Invalid, "byte"))
	}
	if c.json {
		return c.printJSON(n)
	}
	return c.print(func(w io.Writer) error {
		fmt.Fprintf(w, "%s, %s\n", tokens(n.Tokens, n.Exact), plural(n.Bytes, "byte"))
		return c.writeCounting(w, n.Counting)
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
	return name, text, err
}

func (c *console) writePromptCount(w io.Writer, n *app.PromptCount) error {
	var t table
	t.add(cell{text: "tokens", paint: dim, right: true}, cell{text: "bytes", paint: dim, right: true}, cell{text: "fragment", paint: dim}, cell{text: "source", paint: dim})
	row := func(tokens, bytes int, name, source string) {
		t.add(cell{text: count(tokens, n.Exact), right: true}, cell{text: strconv.Itoa(bytes), right: true}, cell{text: name}, cell{text: source, paint: dim})
	}
	for _, f := range n.Fragments {
		row(f.Tokens, f.Bytes, app.PrintableLine(f.ID), app.PrintableLine(withLayer(f.Source, f.Layer)))
	}
	row(n.Tokens, n.Bytes, "(the prompt)", "")
	if err := t.write(c, w); err != nil {
		return err
	}
	return c.writeCounting(w, n.Counting)
}

// writeCounting tells how it was counted.
func (c *console) writeCounting(w io.Writer, by app.Counting) error {
	said := by.Encoding + ", exact"
	if !by.Exact {
		said = by.Encoding + ", an estimate: " + by.Basis
	}
	_, err := fmt.Fprintln(w, c.paint(dim, app.PrintableLine(said)))
	return err
}
