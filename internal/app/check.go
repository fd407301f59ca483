package app

import (
	"context"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/cento-dev/cento/lint"
	"github.com/cento-dev/cento/project"
)

// CheckAnswer is what the checks of a project found.
type CheckAnswer struct {
	Findings []lint.Finding `json:"findings"`
	Errors   int            `json:"errors"`
	Warnings int            `json:"warnings"`
	// Ignored is how many findings the manifest accepts.
	Ignored int `json:"ignored"`
	// Targets are those that were looked at; the empty name is the manifest
	// without target.
	Targets []string `json:"targets"`
	OK      bool     `json:"ok"`

	subject *lint.Subject
}

// Check asks all checks about a project and its targets. When strict, a warning
// says no as an error does.
func Check(ctx context.Context, place project.Place, r project.Request, strict bool) (*CheckAnswer, error) {
	s, err := lint.Open(ctx, place, r)
	if err != nil {
		return nil, err
	}
	s.Exists = exists(place.Root.Dir, place.Root.Cwd, place.Base)
	found, err := lint.Run(s)
	if err != nil {
		return nil, err
	}
	a := &CheckAnswer{Findings: found, Targets: []string{}, OK: !lint.Failed(found, strict), subject: s}
	for _, t := range s.Targets {
		a.Targets = append(a.Targets, t.Name)
	}
	for _, f := range found {
		switch {
		case f.Ignored != "":
			a.Ignored++
		case f.Severity == lint.Error:
			a.Errors++
		default:
			a.Warnings++
		}
	}
	return a, nil
}

// exists looks for what a text mentions below some folders. The names of files
// alone are asked for; nothing is opened.
func exists(folders ...string) func(string) bool {
	return func(mentioned string) bool {
		for _, f := range folders {
			if _, err := os.Lstat(filepath.Join(f, filepath.FromSlash(mentioned))); err == nil {
				return true
			}
		}
		return false
	}
}

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
	Suppressions []sarifSuppression `json:"suppressions,omitempty"`
}

type sarifSuppression struct {
	Kind          string `json:"kind"`
	Justification string `json:"justification"`
}

type sarifLocation struct {
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
		if f.Hint != "" {
			text += "\n" + f.Hint
		}
		r := sarifResult{RuleID: string(f.Code), Level: f.Severity.String(), Message: sarifText{text}}
		if uri, ok := a.uri(f.Position.File); ok {
			var l sarifLocation
			l.Physical.Artifact.URI = uri
			if f.Position.Line > 0 {
				l.Physical.Region = &sarifRegion{f.Position.Line, f.Position.Column}
			}
			r.Locations = []sarifLocation{l}
		}
		if f.Ignored != "" {
			r.Suppressions = []sarifSuppression{{"external", f.Ignored}}
		}
		run.Results = append(run.Results, r)
	}
	return sarifLog{Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0", Runs: []sarifRun{run}}
}

// uri is where a file is; false for what is no file on this disk.
func (a *CheckAnswer) uri(shown string) (string, bool) {
	p := a.subject.Project
	path, ok := p.Path(shown)
	if !ok {
		return "", false
	}
	if rel := p.Show(path); !filepath.IsAbs(rel) && !strings.HasPrefix(rel, "~") {
		return (&url.URL{Path: rel}).EscapedPath(), true
	}
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(path)}).String(), true
}
