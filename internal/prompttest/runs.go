package prompttest

import (
	"context"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/manifest"
	"github.com/cento-dev/cento/project"
)

// run is one combination of a case.
type run struct {
	of     *testCase
	name   string
	target string
	with   manifest.With
	// column names the run in the truth table of its case.
	column string
}

// runs are those of all cases, in the order of the cases.
func (s *Suite) runs() []run {
	var out []run
	for i := range s.cases {
		out = append(out, s.runsOf(&s.cases[i])...)
	}
	return out
}

// runsOf are the combinations of a case: for each target those of its matrix, the last
// key changing first.
func (s *Suite) runsOf(c *testCase) []run {
	targets, named := []string{""}, false
	switch {
	case c.AllTargets:
		targets, named = append(targets, s.targets...), true
	case len(c.Targets) > 0:
		targets, named = nil, len(c.Targets) > 1
		for _, t := range c.Targets {
			targets = append(targets, t.Text)
		}
	}
	var out []run
	for _, target := range targets {
		var labels []string
		if named {
			labels = []string{"target=" + target}
		}
		out = c.combine(out, target, c.With, labels, c.Matrix)
	}
	return out
}

func (c *testCase) combine(out []run, target string, w manifest.With, labels []string, axes []manifest.Axis) []run {
	if len(axes) == 0 {
		r := run{of: c, name: c.Name, target: target, with: w, column: strings.Join(labels, ", ")}
		if r.column != "" {
			r.name += " [" + r.column + "]"
		}
		return append(out, r)
	}
	a := axes[0]
	for i := range a.Values {
		v := &a.Values[i]
		out = c.combine(out, target, v.With.Over(a.Key, w), append(slices.Clip(labels), a.Key+"="+v.Label), axes[1:])
	}
	return out
}

// Options say what is run, and what is done beside it. The zero value runs all.
type Options struct {
	// Run is what the names of runs have to match; nil for all.
	Run *regexp.Regexp
	// Target: only runs of this target; nil for all. The manifest without target has
	// the empty name.
	Target *string
	// FailFast ends with the first run that fails.
	FailFast bool
	// Update writes goldens and truth tables instead of comparing with them.
	Update bool
	// Coverage and Mutate ask for these.
	Coverage, Mutate bool
	// CoverageMin and MutateMin ask for them too, and say how many percent there have to
	// be; nil: any will do.
	CoverageMin, MutateMin *float64
	// AllowNone: a project without tests is as it has to be.
	AllowNone bool
	// Without is what is taken out, one after the other: which runs fail then?
	Without []Removal
	// Explain tells of texts in prompts; nil for nobody.
	Explain Explainer
	// Check tells the codes that the checks of a target find; nil: assertions about
	// findings fail.
	Check func(ctx context.Context, p *Subject) ([]cento.Code, error)
	// Progress is told how much of what is done; nil for nobody.
	Progress func(what string, done, all int)
}

// Result is what became of a run.
type Result struct {
	// Name is that of the case, with what the run has of its matrix.
	Name   string `json:"name"`
	Target string `json:"target,omitempty"`
	// Position is that of the case.
	Position cento.Position `json:"position"`
	Status   Status         `json:"status"`
	Failures []Failure      `json:"failures,omitempty"`
}

// Status is how a run ended.
type Status string

// How runs end.
const (
	Passed  Status = "passed"
	Failed  Status = "failed"
	Skipped Status = "skipped"
)

// Failure is something that isn't as a case says.
type Failure struct {
	// Position is that of the assertion, or of the error, and Path that of
	// [cento.SourceError].
	Position cento.Position `json:"position"`
	Path     string         `json:"path,omitempty"`
	// Assertion is its key.
	Assertion string `json:"assertion"`
	// Code is that of the error; empty where an assertion alone failed.
	Code    cento.ErrorCode `json:"code,omitempty"`
	Message string          `json:"message"`
	// Details are lines that tell more: where a text is from, why a fragment is out.
	Details []string `json:"details,omitempty"`
	// Lines compare what is wanted with what is.
	Lines []Line `json:"lines,omitempty"`
	Hint  string `json:"hint,omitempty"`
}

// Line is a line of a comparison: Op is "-", "+" or " ".
type Line struct {
	Op   string `json:"op"`
	Text string `json:"text"`
}

// Report is what became of all runs.
type Report struct {
	Results []Result `json:"results"`
	Passed  int      `json:"passed"`
	Failed  int      `json:"failed"`
	Skipped int      `json:"skipped"`
	// Updated are the files that were written, by their paths from the root.
	Updated []string `json:"updated,omitempty"`
	// Orphans are files among goldens that no case names.
	Orphans []string `json:"orphans,omitempty"`
	// Notes tell of names in what is different that nothing knows: such a case goes on
	// saying what it says, whatever was meant. They are in the order of their places.
	Notes []cento.Note `json:"notes,omitempty"`
	// Coverage and Mutation are nil where nobody asked.
	Coverage *Coverage `json:"coverage,omitempty"`
	Mutation *Mutation `json:"mutation,omitempty"`
	// Short tells what there is less of than was asked for.
	Short []Shortfall `json:"short,omitempty"`
	// Noticed are, for each set of [Options.Without], the names of the runs that pass and
	// fail without it.
	Noticed [][]string `json:"-"`

	allowNone bool
}

// Shortfall is a part that is less than what was asked for.
type Shortfall struct {
	// Of is what it is a part of: coverage or mutation.
	Of string `json:"of"`
	// Percent is how much there is, Min how much there has to be.
	Percent float64 `json:"percent"`
	Min     float64 `json:"min"`
}

// String is the shortfall in words.
func (s Shortfall) String() string {
	return fmt.Sprintf("%s is %s %%, and at least %s %% were asked for", s.Of, shortest(math.Floor(s.Percent*100)/100), shortest(s.Min))
}

// shortest is a number without zeros that say nothing. What falls short is rounded down
// before: 99.999 isn't to read as the 100 that it falls short of.
func shortest(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// fallsShort notes what is less than what has to be.
func (r *Report) fallsShort(of string, percent float64, least *float64) {
	if least != nil && percent < *least {
		r.Short = append(r.Short, Shortfall{of, percent, *least})
	}
}

// OK reports whether there was a run or none had to be, none failed, no golden is an orphan,
// and there is as much of everything as was asked for.
func (r *Report) OK() bool {
	return (r.Passed > 0 || r.allowNone && len(r.Results) == 0) && r.Failed == 0 && len(r.Orphans) == 0 && len(r.Short) == 0
}

// An Explainer tells of texts in prompts, and compares them.
type Explainer interface {
	// Missing returns what removed a text from the prompt of an input of a project, or else
	// the sentence nearest to the text: a line for each place.
	Missing(p *project.Project, in cento.Input, text string) []string
	// Places are where a text of the prompt is from, a line for each.
	Places(p *cento.Prompt, text string) []string
	// Lines compare two texts.
	Lines(from, to string) []Line
	// Counter counts the tokens of an input's prompts.
	Counter(in cento.Input) cento.Counter
}

// IsPercent reports whether a number is a part of all in percent.
func IsPercent(x float64) bool { return x >= 0 && x <= 100 }

// Run runs the tests. The error is that of the context, or of a golden that can't be
// written, such as [OwnFile]; whatever else goes wrong is a failure of its run.
func (s *Suite) Run(ctx context.Context, o Options) (*Report, error) {
	if o.Target != nil && *o.Target != "" && !slices.Contains(s.targets, *o.Target) {
		return nil, s.manifest.NoTarget(*o.Target)
	}
	lib := s.library()
	defer lib.close()
	out := &Report{Results: []Result{}, allowNone: o.AllowNone}
	t := &tester{suite: s, library: lib, options: o, files: newGoldens(s)}
	names := newNamesSeen()
	var done []ran
	all := s.runs()
	ended := false
	for i := range all {
		r := &all[i]
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if o.Progress != nil {
			o.Progress("testing", i, len(all))
		}
		result := Result{Name: r.name, Target: r.target, Position: r.of.Position, Status: Passed}
		switch skip := o.Run != nil && !o.Run.MatchString(r.name) || o.Target != nil && *o.Target != r.target; {
		case skip || ended:
			result.Status = Skipped
			out.Skipped++
			t.truthSkipped(r)
			names.skip(r)
		default:
			a, failures := t.run(ctx, r)
			done = append(done, ran{r, a, len(failures) == 0})
			names.look(ctx, lib, r)
			if result.Failures = failures; len(failures) > 0 {
				result.Status = Failed
				out.Failed++
				ended = o.FailFast
			} else {
				out.Passed++
			}
		}
		out.Results = append(out.Results, result)
	}
	out.Notes = names.list()
	t.truths(out)
	err := t.checkRead(done)
	if err != nil {
		return nil, err
	}
	if out.Updated, err = t.files.write(); err != nil {
		return nil, err
	}
	if out.Orphans, err = t.files.orphans(); err != nil {
		return nil, err
	}
	if o.Coverage || o.CoverageMin != nil {
		if out.Coverage, err = lib.coverage(ctx, done); err != nil {
			return nil, err
		}
		out.fallsShort("coverage", out.Coverage.Percent(), o.CoverageMin)
	}
	if o.Mutate || o.MutateMin != nil {
		if out.Mutation, err = t.mutate(ctx, done); err != nil {
			return nil, err
		}
		out.fallsShort("mutation", out.Mutation.Percent(), o.MutateMin)
	}
	if o.Without != nil {
		out.Noticed, err = t.ablate(ctx, done, o.Without)
	}
	return out, err
}

// ran is a run with its prompt; nil where there is none.
type ran struct {
	*run
	prompt *assembled
	passed bool
}
