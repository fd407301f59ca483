package app

import (
	"cmp"
	"context"
	"maps"
	"path/filepath"
	"slices"
	"sync"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/disk"
	"github.com/cento-dev/cento/internal/prompttest"
	"github.com/cento-dev/cento/project"
	"github.com/cento-dev/cento/project/lint"
)

// Diagnosis is everything that can be told of a project while somebody writes it: what
// the checks find, and what keeps it from being read.
type Diagnosis struct {
	Site     project.Site
	Findings []Diagnosed
	// Project is nil where the manifest can't be read. Its targets can be had from it.
	Project *Project
	// TestFiles are the files of tests, by their paths.
	TestFiles []string
}

// Diagnosed is a finding, or an error as one.
type Diagnosed struct {
	lint.Finding
	// Path is the file that it is about; empty for none on this disk.
	Path string
}

// Diagnose reads a project and its tests, and looks for everything that is wrong or
// doubtful. What a file has that can't be read is a finding too; what is accepted
// isn't one. Servers are never asked: where their tools aren't known that is told, and
// the rest is looked at without them. Only a failure of another kind is an error.
func Diagnose(ctx context.Context, r Request) (*Diagnosis, error) {
	r.Servers = KeptServers
	site, err := Locate(r)
	if err != nil {
		return nil, err
	}
	d := &Diagnosis{Site: site}
	var tests loadedTests
	var beside sync.WaitGroup // the checks: somebody who types waits for both
	defer beside.Wait()
	asked := r // what the checks are asked for changes below
	beside.Go(func() { tests.load(asked) })
	options, done := lintOptions(site, r)
	defer done()
	check := CheckOptions{tests: func() (*prompttest.Suite, error) { beside.Wait(); return tests.suite, tests.err }}
	answer, err := Check(ctx, site, r, check)
	if serverUnknown(err) {
		if err = d.fail(err, options); err != nil {
			return nil, err
		}
		r.Servers = NoServers
		answer, err = Check(ctx, site, r, check)
	}
	if err = d.fail(err, options); err != nil {
		return nil, err
	}
	if answer != nil {
		d.Project = of(answer.project)
		for _, f := range answer.Findings {
			if f.Ignored == "" && (r.Servers != NoServers || !dependsOnTools(f)) {
				d.Findings = append(d.Findings, Diagnosed{Finding: f})
			}
		}
	}
	if beside.Wait(); tests.panic != nil {
		panic(tests.panic)
	}
	if tests.suite != nil {
		d.TestFiles = tests.suite.Files()
	}
	if err = d.fail(tests.err, options); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	for i := range d.Findings {
		d.Findings[i].Path = d.path(d.Findings[i].Position.File)
	}
	slices.SortStableFunc(d.Findings, func(a, b Diagnosed) int {
		return cmp.Or(a.Position.Compare(b.Position), cmp.Compare(a.Code, b.Code), cmp.Compare(a.Message, b.Message))
	})
	d.Findings = slices.CompactFunc(d.Findings, func(a, b Diagnosed) bool {
		return a.Position == b.Position && a.Code == b.Code && a.Message == b.Message
	})
	return d, nil
}

// loadedTests are the tests of a project, or why there are none.
type loadedTests struct {
	suite *prompttest.Suite
	err   error
	panic any // a mistake of ours, for whoever waits
}

func (l *loadedTests) load(r Request) {
	defer func() { l.panic = recover() }()
	l.suite, l.err = prompttest.Load(r)
}

// WithUnsaved is a request for a project in which texts are being written: each stands
// for what its file holds, see [disk.Unsaved].
func WithUnsaved(r Request, texts map[string]string) Request {
	r.Disk = disk.Unsaved(texts)
	return r
}

// PathOf is the file behind a name that people know; empty for none on this disk.
func (d *Diagnosis) PathOf(shown string) string { return d.path(shown) }

func (d *Diagnosis) path(shown string) string {
	var path string
	var ok bool
	if d.Project != nil {
		path, ok = d.Project.Path(shown)
	} else {
		path, ok = d.Site.Path(shown)
	}
	if !ok {
		return ""
	}
	return path
}

// fail keeps the errors of an input, with their fixes; others are returned.
func (d *Diagnosis) fail(err error, o lint.Options) error {
	list := cento.SourceErrors(err)
	if list == nil {
		return err
	}
	for _, f := range lint.Findings(err, o) {
		d.Findings = append(d.Findings, Diagnosed{Finding: f})
	}
	if more := cento.MoreErrors(err); more != "" {
		last := list[len(list)-1]
		d.Findings = append(d.Findings, Diagnosed{Finding: lint.Finding{
			Code: cento.Code(last.Code), Severity: cento.SeverityError, Position: last.Position, Message: more,
		}})
	}
	return nil
}

// Edit is one of a fix.
type Edit = lint.Edit

// Together are the edits of a fix, if the text is the one that it is for; see
// [lint.Together].
func Together(text string, fixes ...*lint.Fix) ([]Edit, int) { return lint.Together(text, fixes) }

// Mended is what fixes come to in one of the texts that stand over files, see
// [WithUnsaved], by its path without links: edits of the text as it stands, and how many
// findings they mend. It is asked again with each of them made, as [Mend] does it, until
// nothing is left there to mend. Only the one text is changed.
func (d *Diagnosis) Mended(ctx context.Context, r Request, texts map[string]string, path string) (edits []lint.Edit, done int, err error) {
	text := texts[path]
	texts = maps.Clone(texts)
	for range mendRounds {
		list, n := lint.Together(texts[path], d.fixesIn(path))
		if n == 0 {
			break
		}
		mended, err := lint.Apply(texts[path], list)
		if err != nil {
			return nil, 0, err
		}
		if edits = list; done > 0 {
			edits = []lint.Edit{changedLines(text, mended)}
		}
		done += n
		texts[path] = mended
		if d, err = Diagnose(ctx, WithUnsaved(r, texts)); err != nil {
			return nil, 0, err
		}
	}
	return edits, done, nil
}

// fixesIn are those of the findings in one file.
func (d *Diagnosis) fixesIn(path string) []*lint.Fix {
	var out []*lint.Fix
	for _, f := range d.Findings {
		if f.Fix == nil {
			continue
		}
		if own := d.path(f.Fix.File); own == path || withoutLinks(own) == path {
			out = append(out, f.Fix)
		}
	}
	return out
}

func withoutLinks(path string) string {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return ""
	}
	return real
}

// serverUnknown reports whether nobody knows what a tool server of the project has.
func serverUnknown(err error) bool {
	return slices.ContainsFunc(cento.SourceErrors(err), func(e *cento.SourceError) bool { return e.Code == project.ServerNotAsked })
}

// dependsOnTools reports whether a finding may be wrong where tools are unknown. Those of
// checks that only look at texts can't; nor can what fails.
func dependsOnTools(f lint.Finding) bool {
	switch f.Code {
	case cento.CodeUnrendered, "catalog.unknown", "frontmatter.ignored", "frontmatter.text", "include.unreachable", "instructions.cut", "instructions.long",
		"name.unknown", "path.dead", "scope.none", "secret", "text.control_token", "text.forged", "text.invisible", "var.unknown":
		return false
	}
	return slices.ContainsFunc(lint.Checks(), func(c lint.Check) bool { return c.Code == f.Code })
}

// changedLines is the one edit of whole lines by which a text becomes another.
func changedLines(from, to string) lint.Edit {
	head := 0
	for i := 0; i < len(from) && i < len(to) && from[i] == to[i]; i++ {
		if from[i] == '\n' {
			head = i + 1
		}
	}
	end, last := len(from), len(to)
	for i := 1; i <= len(from)-head && i <= len(to)-head && from[len(from)-i] == to[len(to)-i]; i++ {
		if from[len(from)-i] == '\n' {
			end, last = len(from)-i+1, len(to)-i+1
		}
	}
	return lint.Edit{Start: head, End: end, Text: to[head:last]}
}
