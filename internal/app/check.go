package app

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/disk"
	"github.com/cento-dev/cento/internal/prompttest"
	"github.com/cento-dev/cento/internal/tree"
	"github.com/cento-dev/cento/project"
	"github.com/cento-dev/cento/project/lint"
)

// CheckAnswer is what the checks of a project found.
type CheckAnswer struct {
	Findings []lint.Finding `json:"findings"`
	Errors   int            `json:"errors"`
	Warnings int            `json:"warnings"`
	Notes    int            `json:"notes"`
	// Ignored is how many findings the manifest accepts.
	Ignored int `json:"ignored"`
	// Known is how many findings stand in the baseline, and aren't listed.
	Known int `json:"known,omitempty"`
	// Stale are those of the baseline that weren't found.
	Stale []lint.KnownFinding `json:"stale,omitempty"`
	// Targets are those that were looked at; the empty name is the manifest
	// without target.
	Targets []string `json:"targets"`
	OK      bool     `json:"ok"`
	// Mended are the files that were changed before, or would be on trial; there are
	// some only where that was asked for.
	Mended []MendedFile `json:"mended,omitempty"`

	project *project.Project
	all     *lint.Baseline
}

// CheckOptions say what a check says no to.
type CheckOptions struct {
	// Strict: a warning says no as an error does.
	Strict bool
	// Baseline are findings that aren't told; nil for none.
	Baseline *lint.Baseline

	// tests are those of the project; nil: they are read, where its files are on disk.
	tests func() (*prompttest.Suite, error)
	// without: nobody asks what tests say, since it is one that asks.
	without bool
}

// testNames are the names in tests that nothing knows. Tests that can't be read are told
// by those who run them.
func (o *CheckOptions) testNames(ctx context.Context, r project.Request) func() ([]cento.Note, error) {
	load := o.tests
	switch {
	case o.without || r.Copy != "" || r.ManifestText != nil:
		return nil // no test is on disk
	case load == nil:
		load = func() (*prompttest.Suite, error) { return prompttest.Load(r) }
	}
	return func() ([]cento.Note, error) {
		suite, err := load()
		if err != nil || suite == nil {
			return nil, nil
		}
		return suite.Names(ctx)
	}
}

// Check asks all checks about a project and its targets.
func Check(ctx context.Context, site project.Site, r project.Request, o CheckOptions) (*CheckAnswer, error) {
	options, done := lintOptions(site, r)
	defer done()
	options.Baseline, options.TestNames = o.Baseline, o.testNames(ctx, r)
	report, err := lint.Run(ctx, site, r, options)
	if err != nil {
		return nil, err
	}
	failed := lint.Failed
	if o.Strict {
		failed = lint.FailedStrictly
	}
	a := &CheckAnswer{
		Findings: report.Findings, Targets: report.Targets, OK: !failed(report.Findings),
		Known: report.Known, Stale: report.Stale, project: report.Project, all: report.Baseline,
	}
	if a.Targets == nil {
		a.Targets = []string{}
	}
	for i := range a.Findings {
		f := &a.Findings[i]
		f.Path = pathOf(a.project, f.Position.File)
		f.Related = slices.Clone(f.Related)
		for k := range f.Related {
			f.Related[k].Path = pathOf(a.project, f.Related[k].Position.File)
		}
	}
	for _, f := range a.Findings {
		switch {
		case f.Ignored != "":
			a.Ignored += 1 + f.More
		case f.Severity == cento.SeverityError:
			a.Errors += 1 + f.More
		case f.Severity == cento.SeverityWarning:
			a.Warnings += 1 + f.More
		default:
			a.Notes += 1 + f.More
		}
	}
	return a, nil
}

// ReadBaseline reads the findings that aren't to be told, from a file on a disk that
// somebody named. A link in the folder of the project may not lead out of it.
func ReadBaseline(d disk.Disk, project, path, shown string) (*lint.Baseline, error) {
	if _, err := tree.Within(project, path); err != nil {
		return nil, err
	}
	f, err := tree.ReadPathOn(d, path, tree.Options{Show: func(string) string { return shown }})
	if err != nil {
		if errors.Is(err, tree.NotFound) {
			if e, ok := errors.AsType[*cento.SourceError](err); ok {
				e.Hint = "--update-baseline writes it"
			}
		}
		return nil, err
	}
	return lint.ParseBaseline(shown, []byte(f.Text))
}

// Baseline are all findings of the check that can be put off.
func (a *CheckAnswer) Baseline() *lint.Baseline { return a.all }

// File is the path of a file of positions, as code hosts know it: from the root of the
// project, with slashes; empty for what lies elsewhere.
func (a *CheckAnswer) File(shown string) string { return a.project.FromRoot(shown) }

// The types of this file's rest are a log in the Static Analysis Results
// Interchange Format, version 2.1.0, as far as findings need it.

type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool struct {
		Driver sarifDriver `json:"driver"`
	} `json:"tool"`
	ColumnKind string        `json:"columnKind"`
	Results    []sarifResult `json:"results"`
}

type sarifDriver struct {
	Name    string      `json:"name"`
	Version string      `json:"version"`
	Rules   []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID      string    `json:"id"`
	Short   sarifText `json:"shortDescription"`
	Default struct {
		Level string `json:"level"`
	} `json:"defaultConfiguration"`
}

type sarifText struct {
	Text string `json:"text"`
}

type sarifResult struct {
	RuleID       string             `json:"ruleId"`
	Level        string             `json:"level"`
	Message      sarifText          `json:"message"`
	Locations    []sarifLocation    `json:"locations,omitempty"`
	Related      []sarifLocation    `json:"relatedLocations,omitempty"`
	Suppressions []sarifSuppression `json:"suppressions,omitempty"`
}

type sarifSuppression struct {
	Kind          string `json:"kind"`
	Justification string `json:"justification"`
}

type sarifLocation struct {
	// Message says what is there, of a related one.
	Message  *sarifText `json:"message,omitempty"`
	Physical struct {
		Artifact struct {
			URI string `json:"uri"`
		} `json:"artifactLocation"`
		Region *sarifRegion `json:"region,omitempty"`
	} `json:"physicalLocation"`
}

type sarifRegion struct {
	StartLine   int `json:"startLine"`
	StartColumn int `json:"startColumn,omitempty"`
}

// SARIF gives the findings as a log that code hosts and editors read. Files are
// relative to the root of the project.
func (a *CheckAnswer) SARIF() any {
	run := sarifRun{ColumnKind: "unicodeCodePoints", Results: []sarifResult{}}
	run.Tool.Driver = sarifDriver{Name: "cento", Version: Version(), Rules: []sarifRule{}}
	for _, c := range lint.Checks() {
		r := sarifRule{ID: string(c.Code), Short: sarifText{c.Doc}}
		r.Default.Level = c.Severity.String()
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, r)
	}
	for _, f := range a.Findings {
		text := f.Message
		if f.More > 0 {
			text += fmt.Sprintf("\nand %d more findings of %s", f.More, f.Code)
		}
		if f.Hint != "" {
			text += "\n" + f.Hint
		}
		r := sarifResult{RuleID: string(f.Code), Level: f.Severity.String(), Message: sarifText{text}}
		if l, ok := a.location(f.Position); ok {
			r.Locations = []sarifLocation{l}
		}
		for _, other := range f.Related {
			if l, ok := a.location(other.Position); ok {
				l.Message = &sarifText{other.Message}
				r.Related = append(r.Related, l)
			} else {
				r.Message.Text += "\n" + other.String()
			}
		}
		if f.Ignored != "" {
			r.Suppressions = []sarifSuppression{{"external", f.Ignored}}
		}
		run.Results = append(run.Results, r)
	}
	return sarifLog{Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0", Runs: []sarifRun{run}}
}

// location is a place in a file; false for what is no file on this disk.
func (a *CheckAnswer) location(at cento.Position) (l sarifLocation, ok bool) {
	l.Physical.Artifact.URI, ok = a.uri(at.File)
	if at.Line > 0 {
		l.Physical.Region = &sarifRegion{at.Line, at.Column}
	}
	return l, ok
}

// uri is where a file is; false for what is no file on this disk.
func (a *CheckAnswer) uri(shown string) (string, bool) {
	p := a.project
	path, ok := p.Path(shown)
	if !ok {
		return "", false
	}
	if rel := p.Show(path); !filepath.IsAbs(rel) && !strings.HasPrefix(rel, "~") {
		return (&url.URL{Path: rel}).String(), true // a colon in its first folder is no scheme
	}
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(path)}).String(), true
}
