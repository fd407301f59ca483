package session

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/pack"
	"github.com/cento-dev/cento/reminder"
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
	Tools SetChange   `json:"tools"`
	Caps  SetChange   `json:"caps"`
	Model *NameChange `json:"model"`
	// Clock is the day that the prompt names and today, where they differ; else null. A new
	// day alone is no drift: the sources are read with the clock of the prompt.
	Clock *NameChange `json:"clock"`
	// Notes tell of the prompt that the sources would give, and of what can't be told.
	Notes []cento.Note `json:"notes,omitempty"`

	replaced bool // a host brings the files of $builtin
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

// CodeDayChanged is the code of a note: the prompt of a session names another day than
// today's. A turn reports each day once.
const CodeDayChanged cento.Code = "session.day_changed"

// day is the day that the prompt names, or may name by what else it reads of the clock;
// empty where it reads no clock.
func (f *frozen) day() string {
	if f.prompt == nil || f.input.Files.Now.IsZero() || f.from.clock == pack.ClockUnread.Of(f.input.Files.Now) {
		return ""
	}
	return f.input.Files.Now.Format(time.DateOnly)
}

// today is the day now, in the time zone of a prompt unless the caller has another.
func (s *Service) today(f *frozen) string {
	if !s.at.IsZero() {
		return s.at.Format(time.DateOnly)
	}
	_, east := f.input.Files.Now.Zone()
	return s.Now().UTC().Add(time.Duration(east) * time.Second).Format(time.DateOnly)
}

// newDay is the day where it is another than the prompt names and than a turn told last;
// else empty. It keeps that a turn tells it.
func (s *Service) newDay(state *storedState, f *frozen) string {
	named := f.day()
	if today := s.today(f); named != "" && today != cmp.Or(state.Day, named) {
		state.Day = today
		return today
	}
	return ""
}

// dayNote reports that the prompt names another day than today's, and what to do where no
// reminder tells the model.
func dayNote(named, today string, events []reminder.Event) cento.Note {
	n := cento.Note{Code: CodeDayChanged, Message: "the prompt names the day " + named + ", and today is " + today}
	if !slices.ContainsFunc(events, func(e reminder.Event) bool {
		return e.Event == reminder.EventInjected && e.DedupeKey == reminder.DayChanged
	}) {
		n.Message += "; no reminder tells the model, since the session doesn't have the provider " + reminder.DayChanged
	}
	return n
}

// Drift reads the sources, with the clock that the prompt was made with, and
// tells what would be different. It changes nothing. The error is
// [NotMaterialised] for a session without a prompt, one of the store, or the
// source's.
func (s *Service) Drift(ctx context.Context, id string, from Source) (*Drift, error) {
	l, was, err := s.materialised(ctx, id)
	if err != nil {
		return nil, err
	}
	return s.drift(ctx, l, was, from)
}

func (s *Service) drift(ctx context.Context, l *loaded, was *frozen, from Source) (*Drift, error) {
	// With what the prompt was made with, as for the clock: else the budget would hold
	// what it took itself, and the prompt would seem to drift.
	is, err := s.make(ctx, l, Reading{Own: l.state.Own, Now: was.input.Files.Now}, was.input.Budget, countedAs(was.input.Budget), from)
	if err != nil {
		return nil, err
	}
	d := compared(was, is)
	if day := was.day(); day != "" && day != s.today(was) {
		d.Clock = &NameChange{day, s.today(was)}
	}
	d.Notes = append(slices.Clip(is.prompt.Notes()), d.Notes...)
	d.Meta = Meta{Session: l.row.ID, Version: l.row.Version, Epoch: l.state.Epoch, Turn: l.state.Reminders.Turn}
	return d, nil
}

// driftOfTurn is the drift of a prompt that a turn uses as it was made before;
// nil for one that it makes, and where nobody asks.
func (s *Service) driftOfTurn(ctx context.Context, l *loaded, f *frozen, made bool, check DriftCheck, from Source) (*Drift, error) {
	if check == DriftIgnored || made {
		return nil, nil
	}
	return s.drift(ctx, l, f, from)
}

// offered is what a host says that is active in a turn; nil and empty: not told.
type offered struct {
	tools, caps []string
	model       string
}

// activeOf is the active set of an input with the names of all tools filled in.
func activeOf(in cento.Input) cento.Active {
	a := in.Active
	a.Tools, a.Caps = append([]string{}, in.ActiveTools()...), append([]string{}, a.Caps...)
	return a
}

// driftNotes tell of a drift that was found, and of an active set that isn't the one
// that the prompt was made with.
func driftNotes(d *Drift, now offered, was cento.Active) []cento.Note {
	var tools, caps SetChange
	var model *NameChange
	if d != nil {
		tools, caps, model = d.Tools, d.Caps, d.Model
	}
	if now.tools != nil {
		tools = changedSet(was.Tools, now.tools)
	}
	if now.caps != nil {
		caps = changedSet(was.Caps, now.caps)
	}
	if now.model != "" {
		if model = nil; now.model != was.Model {
			model = &NameChange{was.Model, now.model}
		}
	}
	var notes []cento.Note
	for _, set := range []struct {
		what string
		SetChange
	}{{"tools", tools}, {"capabilities", caps}} {
		var changes []string
		if len(set.Added) > 0 {
			changes = append(changes, "new: "+strings.Join(set.Added, ", "))
		}
		if len(set.Removed) > 0 {
			changes = append(changes, "gone: "+strings.Join(set.Removed, ", "))
		}
		if len(changes) > 0 {
			notes = append(notes, cento.Note{Code: CodeDrifted, Message: "the prompt was made with other " + set.what + "; " + strings.Join(changes, "; ")})
		}
	}
	if model != nil {
		notes = append(notes, cento.Note{Code: CodeDrifted, Message: "the prompt was made for " + modelName(model.From) + ", and this turn is for " + modelName(model.To)})
	}
	if notes == nil && d != nil && d.Drifted {
		notes = append(notes, cento.Note{Code: CodeDrifted, Message: "the prompt is used as it was made, and its sources would give another one now"})
	}
	return notes
}

func modelName(name string) string {
	if name == "" {
		return "no model in particular"
	}
	return "the model " + strconv.Quote(name)
}

// rewritten are the files that hold another text now, and that somebody can read. Where
// a decision alone is another one, or an order, the file that the text stands in needn't
// have changed.
func (d *Drift) rewritten() []string {
	var out []string
	for _, f := range d.Fragments {
		if f.What == "added" || f.What == "removed" || f.What == "changed" {
			out = append(out, slices.DeleteFunc(slices.Clone(f.Files), func(name string) bool { return d.ofProgram(name) || ofRequest(name) })...)
		}
	}
	return out
}

// ofRequest reports whether a name stands for what came with a request: `<request>.json`
// is no file, and neither is any other name of that form.
func ofRequest(name string) bool {
	return strings.HasPrefix(name, "<") && !strings.Contains(name, "/")
}

// compared tells two prompts apart, with what they were made of.
func compared(was, is *frozen) *Drift {
	d := &Drift{
		Fragments: []DriftedFragment{}, Files: []string{},
		Tools: changedSet(was.input.ActiveTools(), is.input.ActiveTools()),
		Caps:  changedSet(was.input.Active.Caps, is.input.Active.Caps),

		replaced: replacesBuiltin(was.input) || replacesBuiltin(is.input),
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
			if d.outside(files) {
				maps.DeleteFunc(files, func(name string, _ bool) bool { return d.ofProgram(name) })
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

// ofProgram reports whether a file is part of the program, and not of a host that
// replaced it.
func (d *Drift) ofProgram(name string) bool {
	return strings.HasPrefix(name, "$builtin/") && (!d.replaced || strings.HasPrefix(name, "$builtin/catalog/"))
}

// replacesBuiltin reports whether a host brought the files of `$builtin`.
func replacesBuiltin(in cento.Input) bool {
	_, replaced := in.Files.Prefixes["$builtin"]
	return replaced
}

// outside reports whether some of the files aren't part of the program: then it
// is those that somebody changed.
func (d *Drift) outside(files map[string]bool) bool {
	for name := range files {
		if !d.ofProgram(name) {
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
