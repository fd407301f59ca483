package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/terminal"
	"github.com/cento-dev/cento/internal/tree"
)

func (c *console) checkCommand() *command {
	var f whatIf
	var format string
	var o app.CheckOptions
	var fix, dryRun, update bool
	var baseline string
	cmd := &command{
		use:   "check",
		short: "Find what is doubtful about the prompt, in all targets",
		long:  checkLong(),
		examples: `  cento check
  cento check --strict --target ci
  cento check --fix --dry-run
  cento check --baseline .cento/baseline.json
  cento check --format sarif -o cento.sarif`,
		args:    noArguments,
		answers: answer[app.CheckAnswer](),
		run: func(cmd *cobra.Command, _ []string) error {
			if err := knownFormat(format, "text", "json", "sarif", "github"); err != nil {
				return err
			}
			switch {
			case c.json && format != "text" && format != "json":
				return wrongUse("", "--format %s and --json are two forms of the result: choose one", format)
			case dryRun && !fix:
				return wrongUse("add --fix", "--dry-run says what --fix would do")
			case update && (baseline == "" || fix):
				return wrongUse("", "--update-baseline goes with --baseline FILE, and without --fix")
			}
			c.json = c.json || format == "json"
			req, err := c.located(cmd.Context(), &f)
			if err != nil {
				return err
			}
			if baseline != "" && !update {
				if o.Baseline, err = app.ReadBaseline(c.disk(), c.site.FilesRoot(), baseline, baseline); err != nil {
					return err
				}
			}
			var mended []app.MendedFile
			if fix {
				mended, err = app.Mend(cmd.Context(), c.site, req, o, dryRun)
			}
			var answer *app.CheckAnswer
			if err == nil {
				answer, err = app.Check(cmd.Context(), c.site, req, o)
			}
			if err != nil { // what was written is told all the same
				c.writeMended(c.err, mended, dryRun)
				return err
			}
			answer.Mended = mended
			if update {
				return c.updateBaseline(baseline, answer)
			}
			if format != "text" && !c.json {
				c.writeMended(c.err, mended, dryRun)
			}
			switch {
			case format == "sarif":
				err = c.writeJSON(answer.SARIF())
			case format == "github":
				err = c.print(func(w *terminal.Writer) { writeWorkflowCommands(w, answer) })
			case c.json:
				err = c.printJSON(answer)
			default:
				err = c.print(func(w *terminal.Writer) {
					c.writeMended(w, mended, dryRun)
					c.writeFindings(w, answer)
				})
			}
			if err == nil && !answer.OK {
				err = errNo
			}
			return err
		},
	}
	cmd.withWatch(c, "fix", "update-baseline")
	f.registerProject(c, cmd, " alone, instead of all")
	cmd.with(func(fl *flags) {
		fl.StringVar(&format, "format", "text", "how to print the findings: `FORMAT` text, json, sarif or github")
		fl.BoolVar(&o.Strict, "strict", false, "say no to warnings too")
		fl.StringVar(&baseline, "baseline", "", "leave out the findings that stand in `FILE`")
		fl.BoolVar(&update, "update-baseline", false, "write what is found to the file of --baseline")
		fl.BoolVar(&fix, "fix", false, "mend what needs no decision, in the project's own files, and print what changed")
		fl.BoolVar(&dryRun, "dry-run", false, "with --fix: print what it would change, and write nothing")
	})
	return cmd
}

// writeMended prints what was changed, or would be on trial.
func (c *console) writeMended(w *terminal.Writer, mended []app.MendedFile, trial bool) {
	done := "mended"
	if trial {
		done = "would mend"
	}
	for _, m := range mended {
		w.Printf("%s %s in %s\n", done, plural(m.Fixes, "finding"), m.File)
		for _, l := range m.Lines() {
			line := terminal.Text(string(l.Op) + " " + terminal.Masked(l.Text))
			switch l.Op {
			case '-':
				w.Printf("  %s\n", red.On(line))
			case '+':
				w.Printf("  %s\n", green.On(line))
			default:
				w.Printf("  %s\n", line)
			}
		}
	}
}

// checkLong lists the checks, so that nobody has to look their codes up.
func checkLong() string {
	var b strings.Builder
	b.WriteString(`Assemble the prompt of the manifest and of each target, and look for what is
wrong with them. The exit code is 1 when an error is found; with --strict a warning
is enough; a note never is. A finding that is accepted stands under ignore in the
manifest, with its code and the reason; --baseline leaves out those that were there
when somebody began to check. --fix mends what needs no decision, by as few bytes as
can be. With --target one prompt is looked at, and what only all of them tell, such
as that nothing reads a variable, isn't looked for.

`)
	b.WriteString(watchHelp + "\n\nChecks:\n")
	for _, x := range app.Checks() {
		fmt.Fprintf(&b, "  %-22s %s\n", x.Code, strings.TrimSuffix(x.Doc, "."))
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func (c *console) writeFindings(w *terminal.Writer, answer *app.CheckAnswer) {
	source := c.sources()
	for _, f := range answer.Findings {
		if f.Ignored != "" {
			continue
		}
		place := f.Position.String()
		if place != "" {
			place += ": "
		}
		w.Printf("%s%s %s\n", place, severityPaint(f.Severity).On(f.Severity.String()+" "+string(f.Code)+":"), f.Message)
		c.writeOpenable(w, f.Position, "  ")
		if src, ok := source(f.Position); ok {
			w.Excerpt(src, f.Position.Line, f.Position.Column, "  ")
		}
		c.writeRelated(w, f.Related)
		if len(f.Targets) > 0 {
			w.Printf("  in %s\n", targetList(f.Targets))
		}
		w.HintAt("  ", f.Hint)
		if f.More > 0 {
			w.Printf("  and %d more findings of %s\n", f.More, f.Code)
		}
	}
	for i, k := range answer.Stale {
		if i == maxStale {
			w.Printf("and %d more\n", len(answer.Stale)-i)
			break
		}
		w.Printf("%s: no longer found: %s %s\n", k.File, k.Code, k.Message)
	}
	w.Printf("%s, %s", plural(answer.Errors, "error"), plural(answer.Warnings, "warning"))
	if answer.Notes > 0 {
		w.Printf(", %s", plural(answer.Notes, "note"))
	}
	if answer.Known > 0 {
		w.Printf(", %d in the baseline", answer.Known)
	}
	w.Printf(", %d accepted; %s\n", answer.Ignored, plural(len(answer.Targets), "prompt"))
}

// maxStale is how many findings are told that the baseline has in vain.
const maxStale = 20

// updateBaseline writes what was found to the file of a baseline. What no baseline can
// put off, such as a target that has no prompt, is told.
func (c *console) updateBaseline(path string, answer *app.CheckAnswer) error {
	if _, err := app.ReadBaseline(c.disk(), c.site.FilesRoot(), path, path); err != nil && !errors.Is(err, tree.NotFound) {
		return err // what stands there is no baseline
	}
	if err := c.writeFile(path, func(w *terminal.Writer) error { w.JSON(answer.Baseline()); return nil }); err != nil {
		return writing(path, err)
	}
	n := answer.Baseline().Len()
	c.err.Say("%s in %s", plural(n, "finding"), path)
	if answer.Errors+answer.Warnings+answer.Notes > n {
		c.err.Hint("errors for which a target has no prompt can't be put off: `cento check` tells them")
		return errNo
	}
	return nil
}

// writeWorkflowCommands prints findings as GitHub reads them from the log of a job: a
// line each, so that none of what they say ends it or begins another command.
func writeWorkflowCommands(w *terminal.Writer, answer *app.CheckAnswer) {
	for _, f := range answer.Findings {
		if f.Ignored != "" {
			continue
		}
		command := map[string]string{"error": "error", "warning": "warning", "note": "notice"}[f.Severity.String()]
		var properties []string
		if file := answer.File(f.Position.File); file != "" {
			properties = append(properties, "file="+workflowProperty(file))
			if f.Position.Line > 0 {
				properties = append(properties, fmt.Sprintf("line=%d", f.Position.Line))
			}
			if f.Position.Column > 0 {
				properties = append(properties, fmt.Sprintf("col=%d", f.Position.Column))
			}
		}
		properties = append(properties, "title="+workflowProperty(string(f.Code)))
		text := f.Message
		if f.More > 0 {
			text += fmt.Sprintf("\nand %d more findings of %s", f.More, f.Code)
		}
		for _, r := range f.Related {
			text += "\n" + r.String()
		}
		if f.Hint != "" {
			text += "\nhint: " + f.Hint
		}
		w.Printf("::%s %s::%s\n", command, strings.Join(properties, ","), workflowData.Replace(text))
	}
}

// workflowData and workflowProperty write out what ends a value of a workflow command.
var workflowData = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")

func workflowProperty(s string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(workflowData.Replace(s))
}

// severityPaint is red for what says no, yellow for what doesn't by itself, and cyan for
// what never does.
func severityPaint(s fmt.Stringer) paint {
	switch s.String() {
	case "error":
		return red
	case "note":
		return cyan
	}
	return yellow
}

// targetList names targets; the manifest without one has no name.
func targetList(names []string) string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = "target " + n
		if n == "" {
			out[i] = "the manifest without target"
		}
	}
	return strings.Join(out, ", ")
}
