package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/reminder"
	"github.com/cento-dev/cento/store"
)

// Changed is what an operation on reminders did.
type Changed struct {
	Meta
	Events []reminder.Event `json:"events"`
	// Pending are the reminders after it.
	Pending []reminder.Reminder `json:"pending"`
	Notes   []cento.Note        `json:"notes,omitempty"`
}

// change does an operation on the reminders of a session.
func (s *Service) change(ctx context.Context, id string, o Options, request any, do func(*loaded, *storedState) ([]reminder.Event, error)) (*Changed, error) {
	return apply[Changed](ctx, s, id, o, request, func(l *loaded, a *Changed) (step, error) {
		st := step{state: l.state}
		events, err := do(l, &st.state)
		if err != nil {
			return st, err
		}
		a.Events = append([]reminder.Event{}, events...)
		a.Pending = append([]reminder.Reminder{}, st.state.Reminders.Reminders...)
		return st, nil
	})
}

// showable finds reminders that no turn could show, by the policy and the limits
// that the prompt was made under: a session that took them would fail at every turn.
func (s *Service) showable(ctx context.Context, l *loaded, state *storedState) error {
	if l.state.Epoch == 0 {
		return nil // what holds isn't known yet
	}
	f, err := s.thaw(ctx, l)
	if err != nil {
		return nil // a prompt that is gone is the next turn's trouble
	}
	_, err = cento.ReduceFragments(reminder.EnvelopeFragments(reminder.Reduce(state.Reminders.Reminders)), cento.Active{}, f.options())
	return err
}

// RemindRequest injects a reminder.
type RemindRequest struct {
	ID string `json:"id"`
	Options
	// Reminder without an id gets a UUID of version 7.
	Reminder reminder.Reminder `json:"reminder"`
}

// Remind injects a reminder. It is refused when a turn couldn't show it: the errors
// are those of [reminder.Session.Inject], of [cento.ReduceFragments] and of the
// store.
func (s *Service) Remind(ctx context.Context, r RemindRequest) (*Changed, error) {
	if err := r.Reminder.Check(); err != nil {
		return nil, err
	}
	out, err := s.change(ctx, r.ID, r.Options, []any{"remind", r}, func(l *loaded, state *storedState) (events []reminder.Event, err error) {
		add := r.Reminder
		if add.ID == "" {
			if add.ID, err = s.NewID(); err != nil {
				return nil, err
			}
		}
		if state.Reminders, events, err = state.Reminders.Inject(add); err != nil {
			return nil, err
		}
		return events, s.showable(ctx, l, state)
	})
	if err != nil {
		return nil, err
	}
	for i := range out.Pending { // the one that is new
		if e := out.Events[len(out.Events)-1]; out.Pending[i].ID == e.ID {
			out.Notes = reminder.Shape(out.Pending[i : i+1])
		}
	}
	return out, nil
}

// ClearRequest takes reminders out.
type ClearRequest struct {
	ID string `json:"id"`
	Options
	Match reminder.Match `json:"match"`
}

// Clear takes out the reminders that match. That none does is no error.
func (s *Service) Clear(ctx context.Context, r ClearRequest) (*Changed, error) {
	return s.change(ctx, r.ID, r.Options, []any{"clear", r}, func(_ *loaded, state *storedState) (events []reminder.Event, err error) {
		state.Reminders, events, err = state.Reminders.Clear(r.Match)
		return events, err
	})
}

// EndRequest ends a turn.
type EndRequest struct {
	ID string `json:"id"`
	Options
}

// EndTurn ends the turn of a session without beginning another. Where none was begun since
// the last one ended, it changes nothing, and says so in the note [CodeNoTurn].
func (s *Service) EndTurn(ctx context.Context, r EndRequest) (*Changed, error) {
	return apply[Changed](ctx, s, r.ID, r.Options, []any{"end", r}, func(l *loaded, a *Changed) (step, error) {
		st := step{state: l.state, none: !l.state.Reminders.TurnBuilt}
		a.Events = []reminder.Event{}
		if st.none {
			a.Notes = []cento.Note{{Code: CodeNoTurn, Message: fmt.Sprintf("session %q has no turn to end: none was begun since the last one ended", r.ID)}}
		} else {
			var events []reminder.Event
			st.state.Reminders, events = st.state.Reminders.EndTurn()
			a.Events = append(a.Events, events...)
		}
		a.Pending = append([]reminder.Reminder{}, st.state.Reminders.Reminders...)
		return st, nil
	})
}

// CompactRequest tells that the conversation was compacted.
type CompactRequest struct {
	ID string `json:"id"`
	Options
	// Recap is what was kept of it, in words, for the provider post_compact_recap.
	Recap string `json:"recap"`
}

// Compact does what a compaction of the conversation does to reminders. The
// prompt stays as it is; the envelopes that the conversation held are gone with
// it, so what they say may be sent again.
func (s *Service) Compact(ctx context.Context, r CompactRequest) (*Changed, error) {
	moment := reminder.Moment{Kind: reminder.AfterCompaction, Recap: r.Recap}
	if err := moment.Check(); err != nil {
		return nil, err
	}
	var notes []cento.Note
	out, err := s.change(ctx, r.ID, r.Options, []any{"compact", r}, func(l *loaded, state *storedState) (events []reminder.Event, err error) {
		state.Reminders, events = state.Reminders.Compact()
		state.Sent, state.Early = conversation{}, nil
		to, err := s.placementOf(ctx, l)
		if err != nil {
			return nil, err
		}
		if notes, err = s.ask(state, to, moment, &events); err != nil {
			return nil, err
		}
		return events, s.showable(ctx, l, state)
	})
	if err == nil {
		out.Notes = append(out.Notes, notes...)
	}
	return out, err
}

// placementOf is where the reminders of a session go. Before its prompt is made
// they go where those without a model do.
func (s *Service) placementOf(ctx context.Context, l *loaded) (reminder.Placement, error) {
	if l.state.Placement != nil || l.state.AppendOnly || l.state.Epoch == 0 {
		return l.state.placement(nil), nil
	}
	f, err := s.thaw(ctx, l)
	switch {
	case errors.Is(err, store.Redacted), errors.Is(err, store.UnknownRecord):
		return l.state.placement(nil), nil // a prompt that is gone is the next turn's trouble
	case err != nil:
		return 0, err
	}
	return l.state.placement(f.input.Active.Caps), nil
}

// ForkRequest begins a child session.
type ForkRequest struct {
	// ID is the session, Child the name of the new one.
	ID    string `json:"id"`
	Child string `json:"child"`
	// Settings are those of the child; nil: its parent's.
	Settings *Settings `json:"settings,omitempty"`
	// Own takes the place of what the parent has; what is nil in it is inherited.
	Own
	// Key is an idempotency key; it is one of the child.
	Key string `json:"-"`
}

// Forked is a child session.
type Forked struct {
	Meta
	Parent string `json:"parent"`
	// Events are the parent's.
	Events []reminder.Event `json:"events"`
	// Inherited are the reminders of the child.
	Inherited []reminder.Reminder `json:"inherited"`
	// Notes are what a front end has to say of the child; [Service.Fork] has none.
	Notes []cento.Note `json:"notes,omitempty"`
}

// Fork begins a child session with the settings of its parent, what belongs to
// it, and the reminders that it inherits, unless the request says otherwise. The
// parent and its prompt stay as they are; the child makes a prompt of its own
// before its first turn, and the same source makes the child's.
func (s *Service) Fork(ctx context.Context, r ForkRequest) (*Forked, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	if err := r.Own.check(); err != nil {
		return nil, err
	}
	if r.Settings != nil {
		if err := r.Settings.check(s.Providers); err != nil {
			return nil, err
		}
	}
	sum, err := digestOf([]any{"fork", r})
	if err != nil {
		return nil, err
	}
	if r.Key != "" {
		if out, err := replay[Forked](ctx, s, r.Child, r.Key, sum); err != nil || out != nil {
			return out, err
		}
	}
	for try := 0; ; try++ {
		out, err := s.fork(ctx, &r, sum)
		if !errors.Is(err, store.Conflict) || try >= retries {
			return out, err
		}
	}
}

// fork forks the parent as it is read now. The error is [store.Conflict] where that was
// changed in between, and [store.UnknownSession] where it was deleted.
func (s *Service) fork(ctx context.Context, r *ForkRequest, sum string) (*Forked, error) {
	l, err := s.load(ctx, r.ID)
	if err != nil {
		return nil, err
	}
	child, events, err := l.state.Reminders.Fork(r.Child)
	if err != nil {
		return nil, err
	}
	state := storedState{Settings: l.state.Settings, Own: l.state.Own.with(r.Own), Reminders: child}
	if r.Settings != nil {
		state.Settings = *r.Settings
	}
	doc, err := state.document()
	if err != nil {
		return nil, err
	}
	out := &Forked{
		Meta: Meta{Session: r.Child, Version: 1}, Parent: r.ID,
		Events: append([]reminder.Event{}, events...), Inherited: append([]reminder.Reminder{}, child.Reminders...),
	}
	stored, err := json.Marshal(out)
	if err != nil {
		return nil, err
	}
	done, err := s.store.Commit(ctx, store.Transition{
		Key: r.Key, RequestDigest: sum, Answer: stored, At: s.Now(),
		Changes: []store.Change{{Session: r.Child, Projects: s.of(l.row.Project), Parent: r.ID, ParentVersion: l.row.Version, State: doc}},
	})
	switch {
	case err != nil:
		return nil, err
	case done.Replayed:
		return stripped[Forked](done.Answer)
	}
	return out, nil
}

// of is the caller as the project of a session that it reaches, which may be another name
// of its own.
func (s *Service) of(project string) store.Projects {
	return store.Projects{Name: project, Also: append([]string{s.projects.Name}, s.projects.Also...), Any: s.projects.Any}
}

// AdoptRequest moves a session to the project of the service.
type AdoptRequest struct {
	ID string `json:"id"`
	Options
}

// Adopted is a session that was moved.
type Adopted struct {
	Meta
	// From and Project are the project before and after.
	From    string `json:"from"`
	Project string `json:"project"`
}

// Adopt moves a session to the project of the service, whichever project it belongs to. Its
// prompt and its reminders stay, and its records keep the project that they were made for.
// The records of builds are moved in the same way.
func (s *Service) Adopt(ctx context.Context, r AdoptRequest) (*Adopted, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	to := store.Projects{Name: s.projects.Name, Any: true}
	sum, err := digestOf([]any{"adopt", r, to.Name})
	if err != nil {
		return nil, err
	}
	if r.Key != "" {
		if out, err := replay[Adopted](ctx, s.In(to), r.ID, r.Key, sum); err != nil || out != nil {
			return out, err
		}
	}
	for try := 0; ; try++ {
		row, err := s.store.Session(ctx, r.ID, to)
		if err != nil {
			return nil, err
		}
		if r.Expect != 0 && r.Expect != row.Version {
			return nil, conflict(r.ID, r.Expect, row.Version)
		}
		out := &Adopted{Meta: Meta{Session: r.ID, Version: row.Version}, From: row.Project, Project: to.Name}
		if row.State != nil {
			state, err := readState(row.State)
			if err != nil {
				return nil, err
			}
			out.Epoch, out.Turn = state.Epoch, state.Reminders.Turn
		}
		if row.Project == to.Name {
			return out, nil
		}
		out.Version++
		answer, err := json.Marshal(out)
		if err != nil {
			return nil, err
		}
		done, err := s.store.Commit(ctx, store.Transition{
			Key: r.Key, RequestDigest: sum, Answer: answer, At: s.Now(),
			Changes: []store.Change{{Session: r.ID, Projects: to, Expect: row.Version, Adopt: true}},
		})
		switch {
		case err == nil && done.Replayed:
			return stripped[Adopted](done.Answer)
		case err == nil:
			s.memory.deleted(r.ID) // what is known of it is the other project's
			return out, nil
		case !errors.Is(err, store.Conflict) || r.Expect != 0 || try >= retries:
			return nil, err
		}
	}
}

// Shown is a session as it stands.
type Shown struct {
	Meta
	Parent string `json:"parent,omitempty"`
	// Project is the project that it belongs to; empty for none.
	Project string `json:"project"`
	// Materialise is `once` or `per_turn`.
	Materialise string `json:"materialise"`
	// Placement is null where it follows from the prompt's capabilities.
	Placement  *reminder.Placement `json:"placement"`
	AppendOnly bool                `json:"append_only"`
	Providers  []string            `json:"providers"`
	// Record and Digest are those of the prompt; 0 and null for none.
	Record int64   `json:"record"`
	Digest *string `json:"digest"`
	Own
	// TurnBuilt: a turn was begun and hasn't ended.
	TurnBuilt bool                `json:"turn_built"`
	Pending   []reminder.Reminder `json:"pending"`
	// Sent are all envelopes that an append-only conversation holds, oldest first,
	// each with the turn that it was sent in. Whoever keeps no conversation of their
	// own sends each again where it was sent first.
	Sent  []reminder.SentEnvelope `json:"sent"`
	Notes []cento.Note            `json:"notes,omitempty"`
}

// Show tells how a session stands.
func (s *Service) Show(ctx context.Context, id string) (*Shown, error) {
	l, err := s.load(ctx, id)
	if err != nil {
		return nil, err
	}
	st := &l.state
	sent, err := s.sent(ctx, st)
	if err != nil {
		return nil, err
	}
	return &Shown{
		Meta:   Meta{Session: id, Version: l.row.Version, Epoch: st.Epoch, Turn: st.Reminders.Turn},
		Parent: l.row.Parent, Project: l.row.Project, Materialise: materialiseName(st.PerTurn), Placement: st.Placement, AppendOnly: st.AppendOnly,
		Providers: append([]string{}, st.Providers...), Record: st.Prompt.Seq, Digest: orNil(st.Prompt.Digest), Own: st.Own,
		TurnBuilt: st.Reminders.TurnBuilt, Pending: append([]reminder.Reminder{}, st.Reminders.Reminders...),
		Sent: append([]reminder.SentEnvelope{}, sent...), Notes: reminder.Shape(st.Reminders.Reminders),
	}, nil
}
