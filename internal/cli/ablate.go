package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/terminal"
)

// ablateFlags are those of the command ablate.
type ablateFlags struct {
	whatIf
	by, dir   string
	promptfoo bool
	tests     bool
}

func (c *console) ablateCommand() *command {
	var f ablateFlags
	cmd := &command{
		use:   "ablate",
		short: "Make the prompts without each of its parts, and tell what each is worth",
		long: `Make the whole prompt, and for each fragment the prompt without it; with --by for
each section, source or group of a budget instead, for each layer or each active
tool. Protected fragments stay in. Of each it tells how many tokens are saved, which
other fragments go with it, come back or are worded otherwise, and with --tests
which tests of the project notice.

A fragment is taken out, and what it stands instead of isn't put in its place; a
layer is left out as by cento diff --without-layer, a tool as by --without-tool, and
the tokens of its definition are told besides.

With --json it prints a line of JSON for each prompt, the whole one first. With
--dir the prompts are written to files of a new folder, with an index.json; with
--promptfoo there is a configuration of promptfoo beside them, to which providers
and tests are to be added.`,
		examples: `  cento ablate
  cento ablate --tests
  cento ablate --by tool --model claude-opus-5
  cento ablate --target ci --json
  cento ablate --by source --dir ablation --promptfoo`,
		args:    noArguments,
		answers: answer[app.Ablated](),
		run:     func(cmd *cobra.Command, _ []string) error { return c.ablate(cmd.Context(), &f) },
	}
	f.register(c, cmd)
	cmd.with(func(fl *flags) {
		fl.StringVar(&f.by, "by", string(app.AblateFragments), "what is taken out at a time, a `UNIT`: "+strings.Join(app.AblateUnits(), ", "))
		fl.completeWords("by", app.AblateUnits()...)
		fl.StringVar(&f.dir, "dir", "", "write the prompts to files of the new folder `DIR`")
		fl.BoolVar(&f.promptfoo, "promptfoo", false, "with --dir: write a configuration of promptfoo, too")
		fl.BoolVar(&f.tests, "tests", false, "tell which tests fail without each part")
	})
	return cmd
}

func (c *console) ablate(ctx context.Context, f *ablateFlags) error {
	by := app.AblateUnit(f.by)
	if f.promptfoo && f.dir == "" {
		return wrongUse("add --dir DIR", "--promptfoo writes a configuration beside the files of --dir")
	}
	p, err := c.open(ctx, &f.whatIf)
	if err != nil {
		return err
	}
	f.input(c, p) // tells what the flags change
	bar := c.progress("taking out")
	a, err := p.Ablate(ctx, app.AblateOptions{By: by, On: app.WhatIfOn(f.active()), Progress: func(done, all int) { bar.at(int64(done), int64(all)) }})
	bar.end()
	if err != nil {
		return err
	}
	if f.tests {
		if err := c.ablateTests(ctx, f, a); err != nil {
			return err
		}
	}
	if f.dir != "" {
		n, err := a.Write(f.dir, f.promptfoo)
		if err != nil {
			return err
		}
		c.err.Say("wrote %s to %s", plural(n, "prompt"), f.dir)
	}
	if c.json {
		c.noted(&a.Whole.Notes)
		c.hold(a.Whole)
		return c.print(func(w *terminal.Writer) {
			w.JSONLine(a.Whole)
			for i := range a.Parts {
				w.JSONLine(a.Parts[i])
			}
		})
	}
	return c.print(func(w *terminal.Writer) { c.writeAblation(w, a) })
}

// ablateTests asks the tests of the project, and tells when they can't say much.
func (c *console) ablateTests(ctx context.Context, f *ablateFlags, a *app.Ablation) error {
	req, err := c.request(ctx, &f.whatIf)
	if err != nil {
		return err
	}
	bar := c.progress("testing")
	tests, err := app.AblateTests(ctx, req, a, func(_ string, done, all int) { bar.at(int64(done), int64(all)) })
	bar.end()
	switch {
	case err != nil:
		return err
	case len(tests.Results) == 0:
		c.err.Say("there is no test")
	case tests.Failed > 0:
		c.err.Say("%s as it is, and can't notice anything: see `cento test`", plural(tests.Failed, "test")+map[bool]string{true: " fails", false: " fail"}[tests.Failed == 1])
	}
	return nil
}

func (c *console) writeAblation(w *terminal.Writer, a *app.Ablation) {
	var t table
	head := []cell{{Text: "tokens", Paint: dim, Right: true}, {Text: "saved", Paint: dim, Right: true}}
	row := []cell{{Text: count(a.Whole.Tokens, a.Exact), Right: true}, {}}
	if a.By == app.AblateTools {
		head = append(head, cell{Text: "definitions", Paint: dim, Right: true})
		row = append(row, cell{Text: count(*a.Whole.Definitions, a.Exact), Right: true})
	}
	t.Add(append(head, cell{Text: "without", Paint: dim}, cell{})...)
	t.Add(append(row, cell{Text: "(the whole prompt)"})...)
	for i := range a.Parts {
		x := &a.Parts[i]
		row := []cell{{Text: count(x.Tokens, a.Exact), Right: true}, {Text: count(x.Saved, a.Exact), Right: true}}
		if x.Definitions != nil {
			row = append(row, cell{Text: count(*x.Definitions, a.Exact), Right: true})
		}
		t.Add(append(row, cell{Text: x.Name}, cell{Text: effects(x, a.By), Paint: dim})...)
	}
	w.Table(&t)
	c.writeCounting(w, a.Counting)
	if len(a.Parts) == 0 {
		c.err.Say("nothing in the prompt can be taken out by %s", string(a.By))
	}
}

// effects tell what else is different without a part.
func effects(x *app.Ablated, by app.AblateUnit) string {
	var out []string
	list := func(what string, ids []string) {
		if len(ids) > 0 {
			out = append(out, what+" "+strings.Join(ids, ", "))
		}
	}
	if by != app.AblateFragments {
		list("takes out", x.Without)
	}
	list("gone with it:", x.Gone)
	list("back:", x.Back)
	list("reworded:", x.Reworded)
	if x.Tests != nil {
		list("fails:", *x.Tests)
		if len(*x.Tests) == 0 {
			out = append(out, "no test notices")
		}
	}
	return strings.Join(out, "; ")
}
