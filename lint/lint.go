package lint

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/pack"
	"github.com/cento-dev/cento/project"
)

// Severity is how bad a finding is.
type Severity uint8

// Severities: an error makes the prompt wrong, a warning most likely does.
const (
	Warning Severity = iota
	Error
)

// String gives "warning" or "error".
func (s Severity) String() string {
	if s == Error {
		return "error"
	}
	return "warning"
}

// MarshalText gives the name.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Finding is one thing that a check found.
type Finding struct {
	Code     cento.Code     `json:"code"`
	Severity Severity       `json:"severity"`
	Position cento.Position `json:"position"`
	// ID is the fragment or the prompt file that it is about; empty for the
	// project as a whole.
	ID      string `json:"id,omitempty"`
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"`
	// Targets are those that it holds for, when it doesn't hold for all; the
	// manifest without target is the empty name.
	Targets []string `json:"targets,omitempty"`
	// Ignored is the reason for which the manifest accepts it; empty when it
	// doesn't.
	Ignored string `json:"ignored,omitempty"`
}

// Check looks for one kind of finding.
type Check struct {
	Code     cento.Code
	Severity Severity
	// Doc says in a sentence what is found, and why it matters.
	Doc string
	// Run reports what it finds; code and severity are the check's own.
	Run func(s *Subject, report func(Finding)) error
}

// Subject is what checks look at.
type Subject struct {
	// Project is the manifest without target; it holds no prompt of its own.
	Project *project.Project
	// Targets are the prompts of the manifest without target, which comes first
	// and has the empty name, and of all its targets, but for those that fail.
	Targets []Target
	// Files are the prompt files of the project, the user and the packs.
	Files []*pack.File
	// Exists tells whether there is a file or folder at a path that a text
	// mentions; nil: paths aren't looked at.
	Exists func(mentioned string) bool

	failed []Finding
}

// Target is one prompt.
type Target struct {
	Name    string
	Project *project.Project
	Prompt  *cento.Prompt
}

// Open reads a project with its targets, or with one alone when the request
// names it. What fails is a finding of [Run]: a target whose prompt can't be
// made, a prompt file that doesn't compile. A manifest that can't be read is an
// error.
func Open(ctx context.Context, place project.Place, r project.Request) (*Subject, error) {
	base, err := place.OpenPrompts(ctx, r)
	if err != nil {
		return nil, err
	}
	s := &Subject{Project: base}
	names := []string{r.Target}
	if r.Target == "" {
		names = append(names, base.Targets()...)
	}
	for _, name := range names {
		r.Target = name
		t, err := open(ctx, place, r)
		if err == nil {
			s.Targets = append(s.Targets, t)
		} else if err := s.fail(err, name); err != nil {
			return nil, err
		}
	}
	return s, s.openFiles()
}

func open(ctx context.Context, place project.Place, r project.Request) (Target, error) {
	p, err := place.Open(ctx, r)
	if err != nil {
		return Target{}, err
	}
	prompt, err := p.Reduce(p.Input)
	return Target{Name: r.Target, Project: p, Prompt: prompt}, err
}

func (s *Subject) openFiles() error {
	loader := s.Project.Loader()
	for _, prefix := range loader.Prefixes() {
		if prefix == pack.Builtin {
			continue
		}
		refs, err := loader.List(prefix)
		if err != nil {
			return err
		}
		for _, ref := range refs {
			f, err := loader.Open(ref, cento.Position{File: ref.Path()})
			if err == nil {
				s.Files = append(s.Files, f)
			} else if err := s.fail(err, ""); err != nil {
				return err
			}
		}
	}
	return nil
}

// fail keeps the errors of an input as findings; others are returned.
func (s *Subject) fail(err error, target string) error {
	var list []*cento.SourceError
	if many, ok := errors.AsType[*cento.Errors](err); ok {
		list = many.List
	} else if e, ok := errors.AsType[*cento.SourceError](err); ok {
		list = []*cento.SourceError{e}
	} else {
		return err
	}
	for _, e := range list {
		message := strings.TrimPrefix(e.Error(), e.Position.String()+": ")
		s.failed = append(s.failed, Finding{
			Code: cento.Code(e.Code), Severity: Error, Position: e.Position, Message: message, Hint: e.Hint, Targets: []string{target},
		})
	}
	return nil
}

// Run asks the checks, all of [Checks] if none is given, and returns what they
// find, ordered by place, code and message.
func Run(s *Subject, checks ...Check) ([]Finding, error) {
	if len(checks) == 0 {
		checks = Checks()
	}
	found := slices.Clone(s.failed)
	for _, c := range checks {
		err := c.Run(s, func(f Finding) {
			f.Code, f.Severity = c.Code, c.Severity
			found = append(found, f)
		})
		if err != nil {
			return nil, fmt.Errorf("check %s: %w", c.Code, err)
		}
	}
	out := merged(found, len(s.Targets))
	for i := range out {
		// What fails can't be accepted: there is no prompt.
		if slices.ContainsFunc(checks, func(c Check) bool { return c.Code == out[i].Code }) {
			out[i].Ignored = s.ignored(out[i])
		}
	}
	return out, nil
}

// merged sorts findings and makes one of those that differ in their targets
// alone.
func merged(found []Finding, targets int) []Finding {
	slices.SortStableFunc(found, func(a, b Finding) int {
		return cmp.Or(a.Position.Compare(b.Position), strings.Compare(string(a.Code), string(b.Code)), strings.Compare(a.ID, b.ID), strings.Compare(a.Message, b.Message))
	})
	out := []Finding{}
	for _, f := range found {
		if n := len(out); n > 0 {
			if last := &out[n-1]; last.Position == f.Position && last.Code == f.Code && last.ID == f.ID && last.Message == f.Message {
				for _, t := range f.Targets {
					if !slices.Contains(last.Targets, t) {
						last.Targets = append(last.Targets, t)
					}
				}
				continue
			}
		}
		f.Targets = slices.Clone(f.Targets)
		out = append(out, f)
	}
	for i := range out {
		if len(out[i].Targets) >= targets {
			out[i].Targets = nil
		}
	}
	return out
}

// ignored is the reason for which the manifest accepts a finding.
func (s *Subject) ignored(f Finding) string {
	for _, i := range s.Project.Manifest.Ignore {
		if i.Code == string(f.Code) && (i.ID == "" || i.ID == f.ID) {
			return i.Reason
		}
	}
	return ""
}

// Failed reports whether findings say that something is wrong: an error, or a
// warning too when strict. What is accepted doesn't count.
func Failed(found []Finding, strict bool) bool {
	return slices.ContainsFunc(found, func(f Finding) bool { return f.Ignored == "" && (f.Severity == Error || strict) })
}
