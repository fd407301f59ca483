package app

import (
	"context"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/manifest"
	"github.com/cento-dev/cento/internal/needle"
	"github.com/cento-dev/cento/internal/prompttest"
	"github.com/cento-dev/cento/internal/provenance"
	"github.com/cento-dev/cento/internal/textdiff"
	"github.com/cento-dev/cento/project"
)

// Tests of prompts.
type (
	TestOptions  = prompttest.Options
	TestReport   = prompttest.Report
	TestFailure  = prompttest.Failure
	TestCoverage = prompttest.Coverage
	TestMutation = prompttest.Mutation
)

// IsPercent reports whether a number is a part of all in percent.
func IsPercent(x float64) bool { return prompttest.IsPercent(x) }

// Locked is a request by the listings of tool servers that were locked: nobody is asked,
// and what isn't as it was locked is refused.
func Locked(r Request) Request {
	r.Servers, r.Lister, r.Frozen = KeptServers, prompttest.LockedListings{Disk: r.Disk}, true
	return r
}

// TestFileSuffix ends the names of files of tests.
const TestFileSuffix = manifest.CaseFileSuffix

// How runs of tests end.
const (
	TestPassed = prompttest.Passed
	TestFailed = prompttest.Failed
)

// TestAnswer is what the tests of a project say.
type TestAnswer struct {
	TestReport
	// OK: there was a test or none has to be, none failed, no golden is an orphan, and as
	// much is covered and killed as was asked for.
	OK bool `json:"ok"`
}

// Test runs the tests of a project. Of the request it takes which project, and the
// user's folders.
func Test(ctx context.Context, r Request, o TestOptions) (*TestAnswer, error) {
	suite, err := prompttest.Load(r)
	if err != nil {
		return nil, err
	}
	o.Explain, o.Check = explainer{}, findingsOf
	report, err := suite.Run(ctx, o)
	if err != nil {
		return nil, err
	}
	return &TestAnswer{*report, report.OK()}, nil
}

// explainer tells of texts as `why` does.
type explainer struct{}

func (explainer) Missing(p *project.Project, in cento.Input, text string) []string {
	why, err := provenance.Of(p).ForTest().ExplainText(context.Background(), in, text)
	if err != nil {
		return nil // as the run reports it
	}
	var out []string
	for i := range why.Matches {
		m, where := &why.Matches[i], "not in the prompt: "
		if m.Start != nil {
			where = "in another letter case: "
		}
		out = append(out, where+m.Text+placeOf(m))
	}
	if m := why.Nearest; m != nil {
		out = append(out, "the nearest sentence: "+m.Text+placeOf(m))
	}
	return out
}

func (explainer) Places(p *cento.Prompt, text string) []string {
	found, _ := provenance.Find(p, needle.Exact(text))
	var out []string
	for i := range found {
		if m := &found[i]; m.Start != nil {
			out = append(out, m.Text+placeOf(m))
		}
	}
	return out
}

// placeOf tells of a match where it is from and why it is there.
func placeOf(m *Match) string {
	var of []string
	if m.Fragment != "" {
		of = append(of, m.Fragment)
	}
	if m.Origin != nil {
		of = append(of, m.Origin.String())
	}
	return " (" + strings.Join(of, ", ") + ": " + m.Reason + ")"
}

func (explainer) Lines(from, to string) []prompttest.Line {
	var out []prompttest.Line
	for _, l := range textdiff.Lines(from, to) {
		out = append(out, prompttest.Line{Op: string(l.Op), Text: l.Text})
	}
	return out
}

func (explainer) Counter(in cento.Input) cento.Counter { return CounterOf(in) }

// findingsOf are the codes that the checks find in one target.
func findingsOf(ctx context.Context, s *prompttest.Subject) ([]cento.Code, error) {
	answer, err := Check(ctx, s.Site, s.Request, CheckOptions{without: true})
	if err != nil {
		return nil, err
	}
	var out []cento.Code
	for _, f := range answer.Findings {
		if f.Ignored == "" && (f.Targets == nil || slices.Contains(f.Targets, s.Target)) {
			out = append(out, f.Code)
		}
	}
	return out, nil
}
