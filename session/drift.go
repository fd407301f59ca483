package session

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
)

// Drift tells how the prompt that the sources would give now differs from the
// one that the session has.
type Drift struct {
	Meta
	// Drifted: they differ, in a text, a decision, or what is active.
	Drifted bool `json:"drifted"`
	// Fragments are those that differ.
	Fragments []DriftedFragment `json:"fragments"`
	// Files are those that the differences stand in, sorted.
	Files []string `json:"files"`
	// Tools and Caps are what came into the active set and what went; Model is
	// null unless another one is named.
	Tools SetChange    `json:"tools"`
	Caps  SetChange    `json:"caps"`
	Model *NameChange  `json:"model"`
	Notes []cento.Note `json:"notes,omitempty"`
}

// DriftedFragment is one fragment that would be another.
type DriftedFragment struct {
	ID string `json:"id"`
	// What is `added`, `removed`, `changed`, `moved` or `verdict`.
	What string `json:"what"`
	// Files are those in which the difference stands; where its text stands, for
	// one that isn't changed.
	Files []string `json:"files"`
	// From and To are the texts of a changed one, the reasons of one with another
	// decision, the neighbours of one that moved; null where there is none.
	From *string `json:"from"`
	To   *string `json:"to"`
}

// SetChange is what came into a set and what went, sorted.
type SetChange struct {
	Added   []string `json:"added"`
	Removed []string `json:"removed"`
}

func (c SetChange) empty() bool { return len(c.Added)+len(c.Removed) == 0 }

// NameChange is a name and the one that took its place; empty for none.
type NameChange struct {
	From string `json:"from"`
	To   string `json:"to"`
}

// CodeDrifted is the code of a note: the prompt of a session is used as it was
// made, and its sources, or the tools that the model is offered, are others now.
const CodeDrifted cento.Code = "session.drifted"

// Drift reads the sources, with the clock that the prompt was made with, and
// tells what would be different. It changes nothing. The error is
// [NotMaterialised] for a session without a prompt, one of the store, or the
// source's.
func (s *Service) Drift(ctx context.Context, id string, from Source) (*Drift, error) {
	l, err := s.load(ctx, id)
	if err != nil {
		return nil, err
	}
	if l.state.Epoch == 0 {
		_, err := s.make(ctx, l, Reading{}, nil)
		return nil, err
	}
	was, err := s.thaw(ctx, l)
	if err != nil {
		return nil, err
	}
	return s.drift(ctx, l, was, from)
}

func (s *Service) drift(ctx context.Context, l *loaded, was *frozen, from Source) (*Drift, error) {
	is, err := s.make(ctx, l, Reading{Now: was.input.Files.Now}, from)
	if err != nil {
		return nil, err
	}
	d := compared(was, is)
	d.Meta = Meta{Session: l.row.ID, Version: l.row.Version, Epoch: l.state.Epoch, Turn: l.state.Reminders.Turn}
	return d, nil
}

// driftOfTurn is the drift of a prompt that a turn uses as it was made before;
// nil for one that it makes, and where nobody asks.
func (s *Service) driftOfTurn(ctx context.Context, l *loaded, f *frozen, check DriftCheck, from Source) (*Drift, error) {
	if check == DriftIgnored || f.epoch != l.state.Epoch {
		return nil, nil
	}
	return s.drift(ctx, l, f, from)
}

// driftNotes tell of a drift that was found, and of tools that the model is
// offered and the prompt doesn't know of, or the other way round.
func driftNotes(d *Drift, offered []string, f *frozen) []cento.Note {
	var tools SetChange
	if d != nil {
		tools = d.Tools
	}
	if offered != nil {
		tools = changedSet(f.input.ActiveTools(), offered)
	}
	var changes []string
	for _, x := range []struct {
		names []string
		what  string
	}{{tools.Added, "new"}, {tools.Removed, "gone"}} {
		if len(x.names) > 0 {
			changes = append(changes, x.what+": "+strings.Join(x.names, ", "))
		}
	}
	switch {
	case len(changes) > 0:
		return []cento.Note{{Code: CodeDrifted, Message: "the prompt was made with other tools; " + strings.Join(changes, "; ")}}
	case d != nil && d.Drifted:
		return []cento.Note{{Code: CodeDrifted, Message: "the prompt is used as it was made, and its sources would give another one now"}}
	}
	return nil
}

// rewritten are the files that hold another text now. Where a decision alone is
// another one, or an order, the file that the text stands in needn't have changed.
func (d *Drift) rewritten() []string {
	var out []string
	for _, f := range d.Fragments {
		if f.What == "added" || f.What == "removed" || f.What == "changed" {
			out = append(out, slices.DeleteFunc(slices.Clone(f.Files), builtin)...)
		}
	}
	return out
}

// compared tells two prompts apart, with what they were made of.
func compared(was, is *frozen) *Drift {
	d := &Drift{
		Fragments: []DriftedFragment{}, Files: []string{},
		Tools: changedSet(was.input.ActiveTools(), is.input.ActiveTools()),
		Caps:  changedSet(was.input.Active.Caps, is.input.Active.Caps),
	}
	if a, b := was.input.Active.Model, is.input.Active.Model; a != b {
		d.Model = &NameChange{a, b}
	}
	d.Drifted = was.ok != is.ok || was.text != is.text || !d.Tools.empty() || !d.Caps.empty() || d.Model != nil
	if was.prompt == nil {
		if d.Drifted {
			d.Notes = append(d.Notes, cento.Note{
				Code: CodeNotReplayed, Message: "which fragments differ can't be told: this release would make another prompt of the stored input",
			})
		}
		return d
	}
	diff := cento.Diff(was.prompt, is.prompt)
	all := map[string]bool{}
	add := func(what string, changes []cento.Change) {
		for _, c := range changes {
			files := map[string]bool{}
			a, b := filesOf(was.prompt, c.ID), filesOf(is.prompt, c.ID)
			for _, side := range []map[string]string{a, b} {
				for name := range side {
					if what != "changed" || a[name] != b[name] {
						files[name] = true
					}
				}
			}
			if outside(files) {
				maps.DeleteFunc(files, func(name string, _ bool) bool { return builtin(name) })
			}
			maps.Copy(all, files)
			d.Fragments = append(d.Fragments, DriftedFragment{ID: c.ID, What: what, Files: sorted(files), From: c.From, To: c.To})
		}
	}
	add("added", diff.Added)
	add("removed", diff.Removed)
	add("changed", diff.Changed)
	add("verdict", diff.Verdicts)
	add("moved", diff.Moved)
	d.Files = sorted(all)
	d.Drifted = d.Drifted || !diff.Empty()
	return d
}

// filesOf are the files that a fragment of a prompt was read from, each with
// what the text has of it.
func filesOf(p *cento.Prompt, id string) map[string]string {
	files := map[string]string{}
	i, ok := p.Index(id)
	if !ok {
		return files
	}
	text := p.Text(i)
	for _, s := range p.TextSpans(i) {
		if s.File != "" {
			files[s.File] += text[s.Start:s.End]
		}
	}
	if at := p.Fragment(i).Origin.File; len(files) == 0 && at != "" {
		files[at] = ""
	}
	return files
}

// builtin reports whether a file is part of the program.
func builtin(name string) bool { return strings.HasPrefix(name, "$builtin/") }

// outside reports whether some of the files aren't part of the program: then it
// is those that somebody changed.
func outside(files map[string]bool) bool {
	for name := range files {
		if !builtin(name) {
			return true
		}
	}
	return false
}

func sorted(set map[string]bool) []string {
	out := slices.Sorted(maps.Keys(set))
	if out == nil {
		return []string{}
	}
	return out
}

func changedSet(was, is []string) SetChange {
	gone := func(a, b []string) []string {
		out := map[string]bool{}
		for _, x := range a {
			if !slices.Contains(b, x) {
				out[x] = true
			}
		}
		return sorted(out)
	}
	return SetChange{Added: gone(is, was), Removed: gone(was, is)}
}
