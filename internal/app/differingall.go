package app

import (
	"cmp"
	"context"
	"slices"

	"github.com/cento-dev/cento"
)

// AllDiffering is what differs between the prompts of all targets of two sides.
type AllDiffering struct {
	Left  Side `json:"left"`
	Right Side `json:"right"`
	// Targets are the manifest without one, named "", and then each target, in the order
	// of the names.
	Targets []TargetDiffering `json:"targets"`
	// Notes tell of what was read for all of them, and of what the flags change.
	Notes   []cento.Note `json:"notes,omitempty"`
	Remarks []Remark     `json:"-"`
	// Summaries are those of both sides.
	Summaries []string `json:"-"`
}

// TargetDiffering is what differs for one target.
type TargetDiffering struct {
	Target string `json:"target"`
	// Only is "left" or "right" for a target that the other side doesn't have.
	Only string `json:"only,omitempty"`
	// Diff is null for a target of one side.
	Diff *Differing `json:"diff"`
}

// Empty reports whether nothing differs.
func (d *AllDiffering) Empty() bool {
	return !slices.ContainsFunc(d.Targets, func(t TargetDiffering) bool { return t.Only != "" || !t.Diff.Empty() })
}

// DiffAll compares every target of two sides, each of which is read once.
func DiffAll(ctx context.Context, r *DiffRequest) (*AllDiffering, error) {
	s, left, right, err := readSides(ctx, r)
	if err != nil {
		return nil, err
	}
	for _, side := range []Side{left, right} {
		if side.Kind == RecordSide || side.Kind == FileSide {
			return nil, &cento.SourceError{Code: UnknownSide, Message: "a " + string(side.Kind) + " is one prompt, and has no targets", Hint: "leave out --all"}
		}
	}
	left.Target, right.Target = "", ""
	a, b, err := s.both(left, right)
	if err != nil {
		return nil, err
	}
	out := &AllDiffering{Left: left, Right: right, Targets: []TargetDiffering{}, Notes: JoinNotes(a.notes, b.notes), Summaries: summaries(a, b)}
	before, after := a.project.Targets(), b.project.Targets()
	names := append([]string{""}, united(before, after)...)
	slices.Sort(names)
	for _, name := range names {
		x := TargetDiffering{Target: name}
		switch {
		case name != "" && !slices.Contains(after, name):
			x.Only = "left"
		case name != "" && !slices.Contains(before, name):
			x.Only = "right"
		default:
			if x.Diff, err = s.target(a, b, name); err != nil {
				return out, err
			}
			out.Notes, out.Remarks = JoinNotes(out.Notes, x.Diff.Notes), append(out.Remarks, x.Diff.Remarks...)
			x.Diff.Notes = nil // they stand there once
		}
		out.Targets = append(out.Targets, x)
	}
	return out, nil
}

// target compares one target of two sides that were read.
func (s *sides) target(a, b *made, name string) (*Differing, error) {
	var of [2]*made
	for i, m := range []*made{a, b} {
		x := *m
		x.Target, x.notes = name, nil
		if name != "" {
			p, err := m.project.Target(s.ctx, name)
			if err = cmp.Or(m.lost(), err); err != nil {
				return nil, m.at(err)
			}
			x.project = p
		}
		of[i] = &x
	}
	return s.compare(of[0], of[1])
}
