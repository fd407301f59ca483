package cli

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/project"
)

// allProfiles is the word for every profile there is.
const allProfiles = "all"

func (c *console) instructionsCommand() *cobra.Command {
	var f whatIf
	var profiles []string
	var forFile, diff string
	var text bool
	cmd := &cobra.Command{
		Use:   "instructions [PROFILE]",
		Short: "Show which instruction files are loaded, by whose rules, and what is not",
		Long: `List every AGENTS.md and its kin that was considered, in the order in which they
are loaded: loaded, shadowed by another one, cut for a limit, failed, or ignored,
and why. The rules are those that the manifest names, or with --profile those of
another client: what would Codex, Claude Code, Gemini CLI or opencode load here?

With --profile all, or more than one, a table sets them beside each other. With
--diff P Q the answer is what the two load differently, and the exit code is 1
when that is anything. With --for FILE, files that a client reads only when it
works on FILE are listed too.

Nothing of the project is run, and the clients needn't be installed.`,
		Example: `  cento instructions
  cento instructions --profile claude
  cento instructions --profile all
  cento instructions --diff codex claude
  cento instructions --profile claude --for src/api/user.ts`,
		Args: func(_ *cobra.Command, args []string) error {
			switch {
			case len(args) == 1 && diff == "":
				return wrongUse("cento instructions --profile "+quoted(args[0]), "the profile %s has no flag before it", quoted(args[0]))
			case len(args) > 1:
				return wrongUse("cento instructions --diff codex claude", "cento instructions wants at most one more profile, to compare with")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if diff != "" && (len(profiles) > 0 || text) {
				return wrongUse("cento instructions --diff codex claude", "--diff goes without --profile and --text")
			}
			if slices.Contains(profiles, allProfiles) {
				profiles = app.InstructionProfiles()
			}
			if text && (len(profiles) > 1 || c.json) {
				return wrongUse("cento instructions --profile codex --text", "--text is for one profile, and --json has the text already")
			}
			req, err := c.request(cmd.Context(), &f)
			if err != nil {
				return err
			}
			if forFile != "" && !filepath.IsAbs(forFile) {
				forFile = filepath.Join(req.Dir, forFile)
			}
			if c.place, err = project.Locate(req); err != nil {
				return err
			}
			if diff != "" {
				profiles = append([]string{diff}, args...)
			}
			load := func(names ...string) ([]*app.InstructionsReport, error) {
				return app.Instructions(cmd.Context(), c.place, req, names, forFile)
			}
			reports, err := load(profiles...)
			if err != nil {
				return err
			}
			if diff != "" {
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
			case text:
				if reports[0].Text == nil {
					c.say("nothing is loaded")
					return nil
				}
				return c.printText(*reports[0].Text)
			}
			return c.printInstructions(reports[0])
		},
	}
	c.withFlags(cmd, func() {
		fl := cmd.Flags()
		fl.StringVar(&f.cwd, "cwd", "", "work as if started in `DIR`")
		fl.StringVar(&f.file, "file", "", "read the manifest `FILE` instead of the nearest cento.yaml")
		fl.StringVar(&f.target, "target", "", "the target `NAME` of the manifest")
		fl.StringVar(&f.model, "model", "", "count tokens as for the model `NAME`")
		namesFlag(cmd, &profiles, "profile", "the rules of `PROFILE`, repeatable: "+strings.Join(app.InstructionProfiles(), ", ")+"; or all")
		fl.StringVar(&diff, "diff", "", "compare `PROFILE` with the one that follows, or with that of the manifest")
		fl.StringVar(&forFile, "for", "", "what holds for work on `FILE`")
		fl.BoolVar(&text, "text", false, "print the text that is loaded, with the client's words around it")
		c.completes(cmd, &f, targetNames, "target")
		for _, name := range []string{"profile", "diff"} {
			if err := cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(append(app.InstructionProfiles(), allProfiles), cobra.ShellCompDirectiveNoFileComp)); err != nil {
				panic("cli: " + err.Error())
			}
		}
	})
	return cmd
}

// printInstructions prints what became of each file.
func (c *console) printInstructions(r *app.InstructionsReport) error {
	c.tellNotes(r.Notes)
	if c.json {
		return c.printJSON(r)
	}
	if len(r.Files) == 0 {
		c.say("no instruction file is found by the rules of %s", r.Profile)
		return nil
	}
	var t table
	for _, f := range r.Files {
		bytes, tokens := "", ""
		if f.To > f.From {
			bytes, tokens = strconv.Itoa(f.To-f.From), strconv.Itoa(f.Tokens)
		}
		status := statusCell(f)
		t.add(status, cell{text: app.PrintableLine(f.Path)}, cell{text: bytes, right: true}, cell{text: tokens, right: true},
			cell{text: app.PrintableLine(f.Reason), paint: dim})
	}
	c.say("the rules of %s: %s", r.Profile, total(r.Bytes, r.Tokens, r.Exact))
	return c.print(func(w io.Writer) error { return t.write(c, w) })
}

func total(bytes, size int, exact bool) string {
	about := ""
	if !exact {
		about = "about "
	}
	return plural(bytes, "byte") + ", " + about + tokens(size, true)
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
	return cell{text: word, paint: colour}
}

// printComparison prints a column for each profile.
func (c *console) printComparison(x *app.InstructionsComparison) error {
	if c.json {
		return c.printJSON(x)
	}
	var t table
	head := []cell{{}}
	for _, r := range x.Profiles {
		head = append(head, cell{text: r.Profile, paint: bold})
	}
	t.add(head...)
	for _, path := range x.Paths {
		row := []cell{{text: app.PrintableLine(path)}}
		for _, r := range x.Profiles {
			f, ok := r.Of(path)
			if !ok {
				row = append(row, cell{text: "-", paint: dim})
				continue
			}
			row = append(row, statusCell(f))
		}
		t.add(row...)
	}
	for _, line := range []struct {
		name  string
		value func(*app.InstructionsReport) int
	}{
		{"(bytes)", func(r *app.InstructionsReport) int { return r.Bytes }},
		{"(tokens)", func(r *app.InstructionsReport) int { return r.Tokens }},
	} {
		row := []cell{{text: line.name, paint: dim}}
		for _, r := range x.Profiles {
			row = append(row, cell{text: strconv.Itoa(line.value(r))})
		}
		t.add(row...)
	}
	return c.print(func(w io.Writer) error { return t.write(c, w) })
}

// printInstructionsDiff prints what two profiles load differently.
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
		c.say("%s and %s load the same", d.Left, d.Right)
		return nil
	}
	var t table
	t.add(cell{}, cell{text: d.Left, paint: bold}, cell{text: d.Right, paint: bold}, cell{})
	side := func(f *app.InstructionFile) (cell, string) {
		if f == nil {
			return cell{text: "-", paint: dim}, ""
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
		t.add(cell{text: app.PrintableLine(f.Path)}, left, right, cell{text: app.PrintableLine(why), paint: dim})
	}
	t.add(cell{text: "(bytes)", paint: dim}, cell{text: strconv.Itoa(d.Bytes[0])}, cell{text: strconv.Itoa(d.Bytes[1])}, cell{})
	t.add(cell{text: "(tokens)", paint: dim}, cell{text: strconv.Itoa(d.Tokens[0])}, cell{text: strconv.Itoa(d.Tokens[1])}, cell{})
	return c.print(func(w io.Writer) error {
		if err := t.write(c, w); err != nil || d.Order == nil {
			return err
		}
		_, err := fmt.Fprintf(w, "order of %s: %s\norder of %s: %s\n",
			d.Left, app.PrintableLine(strings.Join(d.Order[0], ", ")), d.Right, app.PrintableLine(strings.Join(d.Order[1], ", ")))
		return err
	})
}
