package cli

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/terminal"
)

// testFlags say which tests are run, and what is done beside it.
type testFlags struct {
	whatIf
	only, junit            string
	failFast, update, each bool
	coverage, mutate       bool
	coverageMin, mutateMin percent
	allowNone              bool
}

func (c *console) testCommand() *command {
	var f testFlags
	cmd := &command{
		use:   "test",
		short: "Run the tests of the prompts",
		long: `Run the tests that stand under tests in cento.yaml, and in files below its folder
whose names end in .cento-test.yaml. Each says what is different and what has to be
so of the prompt then. They say the same on every machine: the root of the project
reads <root>, the home folder ~, the clock stands at 2000-01-01T00:00:00Z, and the
user's own files, the environment and the remotes of a clone aren't looked at.

The exit code is 1 when a test fails, when there is none and --allow-none isn't
given, and when a file among goldens is named by no test; 2 when a test is written
wrong.

With --coverage it is told which gates and which branches of prompt files no test
had open and shut, with --mutate which sentences and gates could be taken out
without a test that notices.

` + watchHelp,
		examples: `  cento test
  cento test --run 'ci' -v
  cento test --update
  cento test --coverage --coverage-min 100
  cento test --mutate --junit report.xml`,
		args:    noArguments,
		answers: answer[app.TestAnswer](),
		run: func(cmd *cobra.Command, _ []string) error {
			o, err := f.options(cmd.Flags().Changed("target"))
			if err != nil {
				return err
			}
			req, err := c.located(cmd.Context(), &f.whatIf)
			if err != nil {
				return err
			}
			var bar *progressBar
			o.Progress = func(what string, done, all int) {
				if bar == nil || bar.what != what {
					if bar != nil {
						bar.end()
					}
					bar = c.progress(what)
				}
				bar.at(int64(done), int64(all))
			}
			answer, err := app.Test(cmd.Context(), req, o)
			if bar != nil {
				bar.end()
			}
			if err != nil {
				return err
			}
			return c.answerTest(answer, &f)
		},
	}
	cmd.withWatch(c, "update")
	cmd.with(func(fl *flags) {
		fl.StringVar(&f.cwd, "cwd", "", "work as if started in `DIR`")
		fl.StringVar(&f.file, "file", "", "read the manifest `FILE` instead of the nearest cento.yaml")
		fl.StringVar(&f.only, "run", "", "only tests whose names match the regular expression `RE`")
		fl.StringVar(&f.target, "target", "", "only tests of the target `NAME`")
		fl.BoolVar(&f.failFast, "fail-fast", false, "end with the first test that fails")
		fl.BoolVar(&f.allowNone, "allow-none", false, "don't say no when there is no test")
		fl.BoolVarP(&f.each, "verbose", "v", false, "tell of every test, not of those that fail alone")
		fl.BoolVar(&f.update, "update", false, "write goldens and truth tables as they are now, and list what changed")
		fl.StringVar(&f.junit, "junit", "", "write the report as JUnit's XML to `FILE` as well")
		fl.BoolVar(&f.coverage, "coverage", false, "tell which gates and branches no test had open and shut")
		fl.Var(&f.coverageMin, "coverage-min", "say no below `P` percent of them")
		fl.BoolVar(&f.mutate, "mutate", false, "take texts and gates out one after the other, and tell what no test notices")
		fl.Var(&f.mutateMin, "mutate-min", "say no below `P` percent that are noticed")
		fl.complete(c.complete(&f.whatIf, targetNames), "target")
	})
	return cmd
}

// percent is a part of all.
type percent struct {
	value float64
	given bool
}

func (p *percent) Set(s string) error {
	v, err := strconv.ParseFloat(strings.TrimSuffix(strings.TrimSpace(s), "%"), 64)
	if err != nil || !app.IsPercent(v) {
		return errors.New("expected a number from 0 to 100")
	}
	p.value, p.given = v, true
	return nil
}

func (p *percent) String() string {
	if !p.given {
		return ""
	}
	return strconv.FormatFloat(p.value, 'f', -1, 64)
}

// asked is the part that is asked for; nil for none.
func (p *percent) asked() *float64 {
	if !p.given {
		return nil
	}
	return &p.value
}

func (p *percent) Type() string { return "percent" }

// options are what the flags ask for.
func (f *testFlags) options(targeted bool) (app.TestOptions, error) {
	o := app.TestOptions{
		FailFast: f.failFast, Update: f.update, Coverage: f.coverage, Mutate: f.mutate, AllowNone: f.allowNone,
		CoverageMin: f.coverageMin.asked(), MutateMin: f.mutateMin.asked(),
	}
	if f.only != "" {
		var err error
		if o.Run, err = regexp.Compile(f.only); err != nil {
			return o, wrongUse("put it between single quotes, as in --run 'ci|review'", "--run: %s", strings.TrimPrefix(err.Error(), "error parsing regexp: "))
		}
	}
	if targeted {
		o.Target = &f.target
	}
	return o, nil
}

// answerTest prints what the tests say; the answer is no when something isn't as it has
// to be.
func (c *console) answerTest(answer *app.TestAnswer, f *testFlags) error {
	if f.junit != "" {
		text, err := answer.JUnit(terminal.WrittenOut)
		if err != nil {
			return err
		}
		if err := c.writeFile(f.junit, func(w *terminal.Writer) error { w.Exact(string(text)); return nil }); err != nil {
			return writing(f.junit, err)
		}
	}
	var err error
	if c.json {
		err = c.printJSON(answer)
	} else {
		err = c.print(func(w *terminal.Writer) { c.writeTests(w, answer, f) })
	}
	if err == nil && !answer.OK {
		err = errNo
	}
	return err
}

func (c *console) writeTests(w *terminal.Writer, answer *app.TestAnswer, f *testFlags) {
	for i := range answer.Results {
		r := &answer.Results[i]
		switch {
		case r.Status == app.TestFailed:
			w.Printf("%s %s\n", red.On("FAIL"), r.Name)
			for k := range r.Failures {
				c.writeFailure(w, &r.Failures[k])
			}
		case f.each && r.Status == app.TestPassed:
			w.Printf("%s %s\n", green.On("ok"), r.Name)
		case f.each:
			w.Printf("%s %s\n", yellow.On("skipped"), r.Name)
		}
	}
	for _, name := range answer.Updated {
		w.Printf("%s %s\n", yellow.On("wrote"), name)
	}
	for _, name := range answer.Orphans {
		w.Printf("%s %s: no test names this file among goldens\n", red.On("ORPHAN"), name)
	}
	if x := answer.Coverage; x != nil {
		c.writeCoverage(w, x)
	}
	if x := answer.Mutation; x != nil {
		c.writeMutation(w, x)
	}
	for _, s := range answer.Short {
		w.Printf("%s %s\n", red.On("SHORT"), s)
	}
	c.tellNotes(answer.Notes)
	w.Printf("%d passed, %d failed, %d skipped\n", answer.Passed, answer.Failed, answer.Skipped)
	switch {
	case len(answer.Results) == 0:
		c.err.Say("there is no test")
		if f.allowNone {
			return
		}
		c.err.Hint("write one under tests: in cento.yaml, as in tests: [{name: no to-dos are left, not_contains: TODO}]")
	case answer.Passed+answer.Failed == 0:
		c.err.Say("no test was run: all are left out by --run or --target")
	}
}

// writeFailure tells what isn't as a test says.
func (c *console) writeFailure(w *terminal.Writer, f *app.TestFailure) {
	place := f.Position.String()
	if place != "" {
		place += ": "
	}
	w.Printf("  %s%s %s\n", place, bold.On(cmp.Or(string(f.Code), f.Assertion)+":"), f.Message)
	c.writeOpenable(w, f.Position, "    ")
	if src, ok := c.sources()(f.Position); ok {
		w.Excerpt(src, f.Position.Line, f.Position.Column, "    ")
	}
	for _, d := range f.Details {
		w.Printf("    %s\n", d)
	}
	for _, l := range f.Lines {
		colour := map[string]paint{"-": red, "+": green}[l.Op]
		w.Printf("%s\n", colour.On(terminal.Text(strings.TrimRight(fmt.Sprintf("    %s %s", l.Op, l.Text), " "))))
	}
	w.HintAt("    ", f.Hint)
}

// writeCoverage tells what no test had open and shut.
func (c *console) writeCoverage(w *terminal.Writer, x *app.TestCoverage) {
	for _, m := range x.Missing {
		w.Printf("%s %s: %s\n", yellow.On("uncovered"), m.Position, m.Message)
		c.writeOpenable(w, m.Position, "  ")
	}
	if x.All == 0 {
		w.Printf("nothing to cover: no gate, and no branch of a prompt file\n")
		return
	}
	w.Printf("covered %d of %d gates and branches (%s)\n", x.Covered, x.All, percentage(x.Percent()))
}

// writeMutation tells what no test notices.
func (c *console) writeMutation(w *terminal.Writer, x *app.TestMutation) {
	for i := range x.Survivors {
		m := &x.Survivors[i]
		golden := ""
		if m.Golden {
			golden = ", but for a golden"
		}
		w.Printf("%s %s: %s%s\n", yellow.On("unnoticed"), m.Position, m.Words(), golden)
		c.writeOpenable(w, m.Position, "    ")
		if m.Text != "" {
			w.Printf("    %s\n", m.Text)
		}
	}
	w.Printf("killed %d of %d mutants (%s), without goldens %d (%s); %d unreached, %d equivalent\n",
		x.Killed, x.Mutants, percentage(x.KilledPercent()), x.KilledByAssertions, percentage(x.Percent()), x.Unreached, x.Equivalent)
}

func percentage(p float64) string { return strconv.FormatFloat(p, 'f', 1, 64) + " %" }
