package prompttest

import (
	"encoding/xml"
	"fmt"
	"strings"
)

// The types of this file are a report in the form that JUnit's runner for Ant began, as
// far as servers read it.

type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Skipped  int          `xml:"skipped,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Name      string         `xml:"name,attr"`
	ClassName string         `xml:"classname,attr"`
	File      string         `xml:"file,attr,omitempty"`
	Line      int            `xml:"line,attr,omitempty"`
	Failures  []junitFailure `xml:"failure"`
	Skipped   *struct{}      `xml:"skipped"`
}

type junitFailure struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}

// JUnit is the report as XML. Runs of one file stand in one suite; a golden that no
// case names is a failure too. Times aren't told: they would differ from run to run. XML
// has no way to write most control characters, and who shows a report acts on others:
// spell writes out what isn't to be shown as it is.
func (r *Report) JUnit(spell func(string) string) ([]byte, error) {
	var out junitSuites
	add := func(suite string, c junitCase) {
		n := len(out.Suites)
		if n == 0 || out.Suites[n-1].Name != suite {
			out.Suites = append(out.Suites, junitSuite{Name: suite})
			n++
		}
		s := &out.Suites[n-1]
		s.Cases = append(s.Cases, c)
		s.Tests++
		out.Tests++
		if len(c.Failures) > 0 {
			s.Failures++
			out.Failures++
		}
		if c.Skipped != nil {
			s.Skipped++
			out.Skipped++
		}
	}
	for _, x := range r.Results {
		file := spell(x.Position.File)
		c := junitCase{Name: spell(x.Name), ClassName: file, File: file, Line: x.Position.Line}
		for _, f := range x.Failures {
			c.Failures = append(c.Failures, junitFailure{Message: spell(f.Message), Type: f.Assertion, Text: spell(f.text())})
		}
		if x.Status == Skipped {
			c.Skipped = &struct{}{}
		}
		add(file, c)
	}
	for _, orphan := range r.Orphans {
		name := spell(orphan)
		add("goldens", junitCase{Name: name, ClassName: "goldens", File: name, Failures: []junitFailure{{Message: orphanMessage, Type: "golden", Text: name}}})
	}
	for _, s := range r.Short {
		add(s.Of, junitCase{Name: s.Of, ClassName: s.Of, Failures: []junitFailure{{Message: s.String(), Type: s.Of, Text: s.String()}}})
	}
	text, err := xml.MarshalIndent(out, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("writing the report: %w", err)
	}
	return append([]byte(xml.Header), append(text, '\n')...), nil
}

const orphanMessage = "no test names this file among goldens"

// text is a failure in lines.
func (f *Failure) text() string {
	var b strings.Builder
	if at := f.Position.String(); at != "" {
		b.WriteString(at + ": ")
	}
	b.WriteString(f.Assertion + ": " + f.Message)
	for _, d := range f.Details {
		b.WriteString("\n" + d)
	}
	for _, l := range f.Lines {
		b.WriteString("\n" + l.Op + " " + l.Text)
	}
	if f.Hint != "" {
		b.WriteString("\nhint: " + f.Hint)
	}
	return b.String()
}
