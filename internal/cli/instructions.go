package cli

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/terminal"
)

// allConventions is the word for every convention there is.
const allConventions = "all"

// instructionsQuery is what the flags of the command say.
type instructionsQuery struct {
	whatIf      whatIf
	conventions []string
	forFiles    []string
	diff        string // the convention that others are compared with
	text        bool
}

func (c *console) instructionsCommand() *command {
	var a instructionsQuery
	names := slices.Concat(app.InstructionConventions(), app.InstructionVersions(), []string{allConventions})
	cmd := &command{
		use:   "instructions [CONVENTION...]",
		short: "Show which instruction files are loaded, by whose rules, and what is not",
		long: `List every AGENTS.md and its kin that was considered, in the order in which they
are loaded: loaded, shadowed by another one, cut for a limit, failed, or ignored,
and why. The rules are those that the manifest names, or of each CONVENTION, which
--profile names too, those of another client: what would Codex, Claude Code, Gemini
CLI or opencode load here? The name of a client means the newest version that was
measured; claude@2.1.197 means that version. Cento prints the version and the day of
the measurement.

With the convention all, or more than one, a table sets them beside each other. With
--diff P Q the answer is what the two load differently, and the exit code is 1
when that is anything. Files of deeper folders are counted; with --for PATH, those
that are read once something is done with PATH are listed as such.

Nothing of the project is run, and the clients needn't be installed.`,
		examples: `  cento instructions
  cento instructions claude
  cento instructions all
  cento instructions --diff codex claude
  cento instructions claude --for src/api/user.ts`,
		args: func(_ *cobra.Command, args []string) error {
			if a.diff != "" && len(args) > 1 {
				return wrongUse("cento instructions --diff codex claude", "cento instructions --diff wants at most one more convention, to compare with")
			}
			return nil
		},
		words:   names,
		answers: slices.Concat(answer[app.InstructionsReport](), answer[app.InstructionsComparison](), answer[app.InstructionsDiff]()),
		run:     func(cmd *cobra.Command, args []string) error { return c.instructions(cmd.Context(), &a, args) },
	}
	cmd.with(func(fl *flags) {
		fl.StringVar(&a.whatIf.cwd, "cwd", "", "work as if started in `DIR`")
		fl.StringVar(&a.whatIf.file, "file", "", "read the manifest `FILE` instead of the nearest cento.yaml")
		fl.StringVar(&a.whatIf.target, "target", "", "the target `NAME` of the manifest")
		fl.StringVar(&a.whatIf.model, "model", "", "count tokens as for the model `NAME`")
		fl.names(&a.conventions, "profile", "the rules of `CONVENTION`, repeatable: "+strings.Join(app.InstructionConventions(), ", ")+", NAME@VERSION; or all")
		fl.StringVar(&a.diff, "diff", "", "compare `CONVENTION` with the one that follows, or with that of the manifest")
		fl.StringArrayVar(&a.forFiles, "for", nil, "what holds for work on `PATH`, repeatable")
		fl.BoolVar(&a.text, "text", false, "print the text that is loaded, with the client's words around it")
		fl.complete(c.complete(&a.whatIf, targetNames), "target")
		for _, name := range []string{"profile", "diff"} {
			fl.completeWords(name, names...)
		}
	})
	return cmd
}

// instructions answers what is asked, with conventions as arguments too.
func (c *console) instructions(ctx context.Context, a *instructionsQuery, args []string) error {
	if a.diff != "" && (len(a.conventions) > 0 || a.text) {
		return wrongUse("cento instructions --diff codex claude", "--diff goes without --profile and --text")
	}
	if a.diff == "" {
		a.conventions = append(a.conventions, args...)
	}
	if slices.Contains(a.conventions, allConventions) {
		a.conventions = app.InstructionConventions()
	}
	if a.text && (len(a.conventions) > 1 || c.json) {
		return wrongUse("cento instructions --profile codex --text", "--text is for one convention, and --json has the text already")
	}
	req, err := c.request(ctx, &a.whatIf)
	if err != nil {
		return err
	}
	for i, name := range a.forFiles {
		if !filepath.IsAbs(name) {
			a.forFiles[i] = filepath.Join(req.Dir, name)
		}
	}
	if c.site, err = app.Locate(req); err != nil {
		return err
	}
	if a.diff != "" {
		a.conventions = append([]string{a.diff}, args...)
	}
	load := func(names ...string) ([]*app.InstructionsReport, error) {
		return app.Instructions(ctx, c.site, req, names, a.forFiles)
	}
	reports, err := load(a.conventions...)
	if err != nil {
		return err
	}
	if a.diff != "" {
		if len(reports) == 1 { // with the one that the manifest names
			own, err := load()
			if err != nil {
				return err
			}
			reports = append(own, reports...)
		}
		return c.printInstructionsDiff(app.DiffInstructions(reports[0], reports[1]))
	}
	switch {
	case len(reports) > 1:
		return c.printComparison(app.CompareInstructions(reports))
	case a.text:
		if reports[0].Text == nil {
			c.err.Say("nothing is loaded")
			return c.printText("")
		}
		return c.printText(*reports[0].Text)
	}
	return c.printInstructions(reports[0])
}

// printInstructions prints what became of each file.
func (c *console) printInstructions(r *app.InstructionsReport) error {
	c.tellNotes(r.Notes)
	if len(r.Files) == 0 {
		c.err.Say("no instruction file is found by the rules of %s", r.Rules())
	}
	if c.json {
		return c.printJSON(r)
	}
	var t table
	for _, f := range r.Files {
		bytes, size := "", ""
		if f.To > f.From {
			bytes, size = strconv.Itoa(f.To-f.From), count(f.Tokens, r.Exact)
		}
		status := statusCell(f)
		t.Add(status, cell{Text: f.Path}, cell{Text: bytes, Right: true}, cell{Text: size, Right: true},
			cell{Text: f.Reason, Paint: dim})
	}
	if len(r.Files) > 0 {
		c.err.Say("the rules of %s: %s", r.Rules(), plural(r.Bytes, "byte")+", "+tokens(r.Tokens, r.Exact))
	}
	return c.print(func(w *terminal.Writer) { w.Table(&t) })
}

// statusCell is the word on a file; those that come later say so.
func statusCell(f app.InstructionFile) cell {
	word := string(f.Status)
	if f.OnDemand {
		word = "on demand"
	}
	colour := dim
	switch f.Status {
	case "loaded":
		colour = green
	case "cut", "shadowed":
		colour = yellow
	case "failed":
		colour = red
	}
	return cell{Text: word, Paint: colour}
}

// printComparison prints a column for each convention.
func (c *console) printComparison(x *app.InstructionsComparison) error {
	if c.json {
		return c.printJSON(x)
	}
	c.tellNotes(x.NotesOfFiles())
	var t table
	head := []cell{{}}
	for _, r := range x.Conventions {
		head = append(head, cell{Text: r.Convention, Paint: bold})
	}
	t.Add(head...)
	for _, path := range x.Paths {
		row := []cell{{Text: path}}
		for _, r := range x.Conventions {
			f, ok := r.Of(path)
			if !ok {
				row = append(row, cell{Text: "-", Paint: dim})
				continue
			}
			row = append(row, statusCell(f))
		}
		t.Add(row...)
	}
	for _, line := range []struct {
		name  string
		value func(*app.InstructionsReport) string
	}{
		{"(bytes)", func(r *app.InstructionsReport) string { return strconv.Itoa(r.Bytes) }},
		{"(tokens)", func(r *app.InstructionsReport) string { return strconv.Itoa(r.Tokens) }},
		{"(version)", func(r *app.InstructionsReport) string { return cmp.Or(r.Version, "-") }},
		{"(measured)", func(r *app.InstructionsReport) string { return cmp.Or(r.Measured, "-") }},
	} {
		row := []cell{{Text: line.name, Paint: dim}}
		for _, r := range x.Conventions {
			row = append(row, cell{Text: line.value(r)})
		}
		t.Add(row...)
	}
	return c.print(func(w *terminal.Writer) { w.Table(&t) })
}

// printInstructionsDiff prints what two conventions load differently.
func (c *console) printInstructionsDiff(d *app.InstructionsDiff) error {
	var err error
	if c.json {
		err = c.printJSON(d)
	} else {
		err = c.printInstructionsChanges(d)
	}
	if err == nil && !d.Same {
		err = errNo
	}
	return err
}

func (c *console) printInstructionsChanges(d *app.InstructionsDiff) error {
	if d.Same {
		c.err.Say("%s and %s load the same", d.Left, d.Right)
		return nil
	}
	var t table
	t.Add(cell{}, cell{Text: d.Left, Paint: bold}, cell{Text: d.Right, Paint: bold}, cell{})
	side := func(f *app.InstructionFile) (cell, string) {
		if f == nil {
			return cell{Text: "-", Paint: dim}, ""
		}
		return statusCell(*f), f.Reason
	}
	for _, f := range d.Files {
		left, why := side(f.Left)
		right, whyRight := side(f.Right)
		switch {
		case f.Text:
			why = fmt.Sprintf("the text differs: %d and %d bytes", f.Left.To-f.Left.From, f.Right.To-f.Right.From)
		case why == "" || f.Left.Status == "loaded":
			why = whyRight
		}
		t.Add(cell{Text: f.Path}, left, right, cell{Text: why, Paint: dim})
	}
	row := func(name, left, right string) {
		t.Add(cell{Text: name, Paint: dim}, cell{Text: cmp.Or(left, "-")}, cell{Text: cmp.Or(right, "-")}, cell{})
	}
	row("(bytes)", strconv.Itoa(d.Bytes[0]), strconv.Itoa(d.Bytes[1]))
	row("(tokens)", strconv.Itoa(d.Tokens[0]), strconv.Itoa(d.Tokens[1]))
	row("(version)", d.Versions[0], d.Versions[1])
	row("(measured)", d.Measured[0], d.Measured[1])
	return c.print(func(w *terminal.Writer) {
		w.Table(&t)
		if d.Order != nil {
			w.Printf("order of %s: %s\norder of %s: %s\n", d.Left, strings.Join(d.Order[0], ", "), d.Right, strings.Join(d.Order[1], ", "))
		}
	})
}
