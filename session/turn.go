package session

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/reminder"
	"github.com/cento-dev/cento/store"
)

// CodePlacedInTurn is the code of a note: reminders were to stand in the system
// prompt and went into the turn, since the prompt would have changed elsewhere.
const CodePlacedInTurn cento.Code = "reminder.placed_in_turn"

// CodeNotReplayed is the code of a note: the prompt is used as it was stored, and
// this program would make another one of the same input.
const CodeNotReplayed cento.Code = "session.not_replayed"

// TurnRequest asks for a turn.
type TurnRequest struct {
	ID string `json:"id"`
	Options
	// Moment is what the host knows, for the providers; its kind is [reminder.AtTurn]
	// or [reminder.OnResume].
	Moment reminder.Moment `json:"moment"`
	// Tools are the names of those that the model is offered in this turn; nil: not
	// told. Where the prompt was made with others, a note says so.
	Tools []string `json:"tools"`
	// Check says whether the sources are read though the prompt is there.
	Check DriftCheck `json:"check"`
}

// DriftCheck says what is done about the drift of a prompt in a turn.
type DriftCheck uint8

const (
	// DriftIgnored: nothing is read. The default.
	DriftIgnored DriftCheck = iota
	// DriftTold: the answer tells, with a note.
	DriftTold
	// DriftReminded: so does the provider workspace_drift, of the files.
	DriftReminded
)

// Turn is what a model is asked with in one turn.
type Turn struct {
	Meta
	// System is the system prompt; null for none.
	System *string `json:"system"`
	Digest *string `json:"digest"`
	// Record is the number of the record of this turn's system prompt; 0 where
	// it couldn't be recorded, which a note tells.
	Record    int64              `json:"record"`
	Placement reminder.Placement `json:"placement"`
	// Reminders are the ids of those that the turn shows, in order.
	Reminders []string `json:"reminders"`
	// Envelope is what they say at the end of the newest user turn; null where
	// that isn't their place, and for append-only envelopes.
	Envelope *string `json:"envelope"`
	// Messages are what they say in the native form.
	Messages []reminder.Message `json:"messages,omitempty"`
	// Sent are all envelopes of an append-only conversation, each with the turn
	// that it belongs to.
	Sent []reminder.SentEnvelope `json:"sent,omitempty"`
	// Drift is there where it was asked for, and nil for a prompt that was made in
	// this turn.
	Drift  *Drift           `json:"drift,omitempty"`
	Events []reminder.Event `json:"events"`
	Notes  []cento.Note     `json:"notes,omitempty"`
}

// Turn begins the next turn of a session: it ends the one that was begun before,
// asks the providers, and says what a model is to be asked with. The prompt is
// made first where there is none. Everything that is handed out is recorded, in
// the transaction that begins the turn. The errors are [reminder.Invalid] for a
// moment that can't be, [NotMaterialised] where a prompt has to be made and there
// is no source, those of the store, and the source's.
func (s *Service) Turn(ctx context.Context, r TurnRequest, from Source) (*Turn, error) {
	if err := r.Moment.Check(); err != nil {
		return nil, err
	}
	var used *frozen
	out, err := apply[Turn](ctx, s, r.ID, r.Options, []any{"turn", r}, func(l *loaded, t *Turn) (step, error) {
		st := step{state: l.state}
		t.Events = []reminder.Event{}
		if st.state.Reminders.TurnBuilt {
			var events []reminder.Event
			st.state.Reminders, events = st.state.Reminders.EndTurn()
			t.Events = append(t.Events, events...)
		}
		f, err := s.ofTurn(ctx, l, &st, from)
		if err != nil {
			return st, err
		}
		used = f
		moment := r.Moment
		if t.Drift, err = s.driftOfTurn(ctx, l, f, r.Check, from); err != nil {
			return st, err
		}
		if t.Drift != nil && r.Check == DriftReminded {
			moment.Drift = slices.Concat(moment.Drift, t.Drift.rewritten())
		}
		t.Notes = append(t.Notes, driftNotes(t.Drift, r.Tools, f)...)
		if err := s.ask(&st.state, moment, &t.Events); err != nil {
			return st, err
		}
		var live []reminder.Reminder
		var events []reminder.Event
		st.state.Reminders, live, events = st.state.Reminders.Built()
		t.Events = append(t.Events, events...)
		t.Reminders = make([]string, len(live))
		for i := range live {
			t.Reminders[i] = live[i].ID
		}
		return st, s.place(&st, l, t, f, live)
	})
	if err != nil {
		return nil, err
	}
	if !out.Replayed {
		if used != nil {
			s.keep(r.ID, used)
		}
		return out, nil
	}
	if out.Digest != nil {
		text, err := s.handedOut(ctx, r.ID, out)
		if err != nil {
			return nil, err
		}
		out.System = &text
	}
	return out, nil
}

// handedOut is the system prompt of a turn that was answered before.
func (s *Service) handedOut(ctx context.Context, id string, t *Turn) (string, error) {
	if t.Record > 0 {
		text, _, err := s.store.Text(ctx, id, t.Record)
		return text, err
	}
	text, _, err := s.System(ctx, id)
	return text, err
}

// ask lets the providers of a session inject what they have to say.
func (s *Service) ask(state *State, m reminder.Moment, events *[]reminder.Event) error {
	providers, err := reminder.Choose(state.Providers, s.Providers...)
	if err != nil {
		return err
	}
	for i := range providers {
		providers[i] = naming{providers[i], s.NewID}
	}
	next, more, err := reminder.Evaluate(providers, m, state.Reminders)
	if err != nil {
		return err
	}
	state.Reminders = next
	*events = append(*events, more...)
	return nil
}

// naming is a provider whose reminders get ids of the service.
type naming struct {
	reminder.Provider
	newID func() (string, error)
}

// Evaluate asks the provider.
func (n naming) Evaluate(m reminder.Moment, s reminder.Session) ([]reminder.Reminder, error) {
	list, err := n.Provider.Evaluate(m, s)
	for i := range list {
		if list[i].ID == "" && err == nil {
			list[i].ID, err = n.newID()
		}
	}
	return list, err
}

// ofTurn is the prompt of a turn: the one that was made once, or a new one, which
// is then recorded in the same step.
func (s *Service) ofTurn(ctx context.Context, l *loaded, st *step, from Source) (*frozen, error) {
	if !l.state.PerTurn && l.state.Epoch > 0 {
		return s.thaw(ctx, l)
	}
	f, err := s.make(ctx, l, Reading{}, from)
	switch {
	case err != nil:
		return nil, err
	case l.state.PerTurn: // place records it
		st.state.Epoch = f.epoch
	default:
		st.record(l, f, "materialise")
	}
	return f, nil
}

// place puts the reminders of a turn where they belong, and records what is
// handed out.
func (s *Service) place(st *step, l *loaded, t *Turn, f *frozen, live []reminder.Reminder) error {
	t.Placement = st.state.placement(f.input.Active.Caps)
	options := f.options()
	system, input := f.prompt, f.input
	if f.prompt == nil {
		t.Notes = append(t.Notes, cento.Note{
			Code:    CodeNotReplayed,
			Message: "the prompt is used as it was stored; this release would make another one of the same input, so the turn has no record of its own",
		})
	}
	if t.Placement == reminder.InSystem && len(live) > 0 {
		with := f.input
		with.Reminders = append(with.Reminders[:len(with.Reminders):len(with.Reminders)], reminder.Fragments(live)...)
		p, why := s.withReminders(f, with)
		if p != nil {
			system, input = p, with
		} else {
			t.Placement = reminder.InTurn
			t.Notes = append(t.Notes, cento.Note{
				Code: CodePlacedInTurn, Message: "the reminders stand in the turn: in the system prompt " + why,
			})
		}
	}
	label := fmt.Sprintf("turn %d", st.state.Reminders.Turn)
	if system != nil {
		t.Record = l.next() + int64(len(st.drafts))
		if st.state.PerTurn {
			st.state.Prompt = Recorded{Seq: t.Record, Digest: f.prompt.Digest()}
			if system != f.prompt { // the prompt itself has a record, too
				st.drafts = append(st.drafts, store.Draft{Prompt: f.prompt, Input: f.input, Label: "materialise for " + label})
				t.Record++
			}
		}
		st.drafts = append(st.drafts, store.Draft{Prompt: system, Input: input, Label: label})
		if text, ok := system.System(); ok {
			t.System, t.Digest = &text, orNil(system.Digest())
		}
	} else if f.ok {
		t.System, t.Digest = &f.text, orNil(st.state.Prompt.Digest)
	}
	switch t.Placement {
	case reminder.InTurn:
		parts := reminder.EnvelopeFragments(live)
		p, err := cento.ReduceFragments(parts, cento.Active{}, options)
		if err != nil {
			return err
		}
		text, ok := p.System()
		if ok {
			in := cento.Input{Reminders: parts, Policy: f.input.Policy, Limits: f.input.Limits}
			st.drafts = append(st.drafts, store.Draft{Prompt: p, Input: in, Label: label + " envelope"})
		}
		if st.state.AppendOnly {
			st.state.Sent, _ = st.state.Sent.Send(st.state.Reminders.Turn, text)
			t.Sent = st.state.Sent
		} else if ok {
			t.Envelope = &text
		}
	case reminder.InNative:
		var err error
		if t.Messages, err = reminder.Native(live, f.input.Active.Caps, options); err != nil {
			return err
		}
	}
	return nil
}

// withReminders is the prompt with reminders in it, provided that everything
// else is as it was: what is frozen are the texts and the decisions on them.
// Otherwise it says why not.
func (s *Service) withReminders(f *frozen, in cento.Input) (*cento.Prompt, string) {
	if f.prompt == nil {
		return nil, "they would go with another prompt than the stored one"
	}
	p, err := s.reduce(in)
	if err != nil {
		return nil, "they can't be placed: " + err.Error()
	}
	d := cento.Diff(f.prompt, p)
	if len(d.Removed)+len(d.Moved)+len(d.Changed)+len(d.Verdicts) > 0 {
		return nil, "they would change what else is in it"
	}
	for _, a := range d.Added {
		if !strings.HasPrefix(a.ID, "reminder:") || a.Included == nil || !*a.Included {
			return nil, "they would be left out"
		}
	}
	return p, ""
}
