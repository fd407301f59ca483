package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/reminder"
	"github.com/cento-dev/cento/store"
	"github.com/cento-dev/cento/wire"
)

// CodePlacedInTurn is the code of a note: reminders were to stand in the system
// prompt and went into the turn, since the prompt would have changed elsewhere.
const CodePlacedInTurn cento.Code = "reminder.placed_in_turn"

// CodeNoTurn is the code of a note: no turn was begun since the last one ended, so there
// is none to end, and nothing changes.
const CodeNoTurn cento.Code = "session.no_turn"

// CodeOtherBody is the code of a note: a turn that is asked for again has another body
// than before, such as where its messages say the same in other bytes.
const CodeOtherBody cento.Code = "session.other_body"

// CodeNotReplayed is the code of a note: the prompt is used as it was stored, and
// this program would make another one of the same input.
const CodeNotReplayed cento.Code = "session.not_replayed"

// TurnRequest asks for a turn, which is one request to a model.
type TurnRequest struct {
	ID string `json:"id"`
	Options
	// Moment is what the host knows, for the providers; its kind is [reminder.AtTurn]
	// or [reminder.OnResume].
	Moment reminder.Moment `json:"moment"`
	// Tools are the names of the tools that the model is offered in this turn: the
	// request of Wire defines these alone, and a prompt that the turn makes
	// ([Settings].PerTurn) is made with them. Nil: those of the prompt. A prompt that
	// was made before keeps its guidance, and a note names the difference.
	Tools []string `json:"tools"`
	// Caps are the capabilities that a prompt is made with where the turn makes it, as
	// Tools are; nil: those of the source. Nothing else in a request depends on them.
	Caps []string `json:"caps,omitzero"`
	// Model is the name of the model that the turn asks. A source that makes the prompt
	// of the turn gets it as [Reading].Model. A note says where the prompt was made for
	// another one. The request is for the model of Wire, else for the prompt's.
	Model string `json:"model,omitempty"`
	// Continues: the user said nothing since the turn before, so no reminder ages: a
	// TTLTurns of 1 lasts for all requests of a tool loop. Without it, so does a turn whose
	// Wire ends with results of tools. A conversation that is append-only has each envelope
	// where it was sent, and reminders age with each request there.
	Continues bool `json:"continues,omitempty"`
	// Check says whether the sources are read though the prompt is there.
	Check DriftCheck `json:"check"`
	// Wire asks for the request of a provider, and says what it has beside the prompt and
	// the reminders, which are the turn's. Its Model, Tools, Active and Counter are
	// those of the prompt unless they are set, and Active is the Tools of this request
	// where there are any; a note names tools that the prompt wasn't made with. Without a
	// Form it is the model's. Without Cache.Key it is a digest of the session's id. Where
	// the messages aren't ones that can be sent, no turn begins. Nil: none is written.
	Wire *wire.Request `json:"wire,omitempty"`
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
	// Prompt is the same with its decisions and the origin of every byte; nil where it
	// can't be made again of what was stored, which a note tells.
	Prompt *cento.Prompt `json:"-"`
	// Active is the active set that the prompt was made with, the names of tools filled
	// in.
	Active cento.Active `json:"active"`
	// Record is the number of the record of this turn's system prompt; 0 where
	// it couldn't be recorded, which a note tells.
	Record int64 `json:"record"`
	// Aside is the number of the record of the reminders where they stand beside the
	// prompt; 0 for none.
	Aside     int64              `json:"reminders_record,omitempty"`
	Placement reminder.Placement `json:"placement"`
	// Reminders are the ids of those that the turn shows, in order.
	Reminders []string `json:"reminders"`
	// Envelope is what they say at the end of the newest user turn; null where
	// that isn't their place, and for append-only envelopes.
	Envelope *string `json:"envelope"`
	// Messages are what they say in the native form.
	Messages []reminder.Message `json:"messages,omitempty"`
	// Sent is the envelope of an append-only conversation that is new in this turn, to
	// stand at its end as a user turn of its own for ever. It is absent when there is
	// nothing new to say. Those before it stay where they are; [Shown.Sent] has all.
	Sent []reminder.SentEnvelope `json:"sent,omitempty"`
	// Request is the request of a provider, where one is asked for.
	Request *wire.Result `json:"request,omitempty"`
	// Drift is there where it was asked for, and nil for a prompt that was made in
	// this turn.
	Drift  *Drift           `json:"drift,omitempty"`
	Events []reminder.Event `json:"events"`
	Notes  []cento.Note     `json:"notes,omitempty"`
	// Caveats are those of the system prompt, and what was found in the texts of reminders
	// that stand beside it.
	cento.Caveats
}

// Turn begins the next turn of a session: it ends the one that was begun before, or goes on
// with it ([TurnRequest].Continues), asks the providers, and says what a model is to be asked with. The prompt is
// made first where there is none. Everything that is handed out is recorded, in
// the transaction that begins the turn. The errors are [reminder.Invalid] for a
// moment that can't be, [NotMaterialised] where a prompt has to be made and there
// is no source, those of the store and of [wire.Build], and the source's.
func (s *Service) Turn(ctx context.Context, r TurnRequest, from Source) (*Turn, error) {
	if err := r.Moment.Check(); err != nil {
		return nil, err
	}
	if err := (&Own{Tools: r.Tools, Caps: r.Caps}).check(); err != nil {
		return nil, err
	}
	var used *frozen
	var project string
	out, err := apply[Turn](ctx, s, r.ID, r.Options, []any{"turn", askedOf(r)}, func(l *loaded, t *Turn) (step, error) {
		st := step{state: l.state}
		t.Events = []reminder.Event{}
		if st.state.Reminders.TurnBuilt && !st.state.AppendOnly && (r.Continues || endsWithResults(r.Wire)) {
			st.state.Reminders.Turn++
		} else if st.state.Reminders.TurnBuilt {
			var events []reminder.Event
			st.state.Reminders, events = st.state.Reminders.EndTurn()
			t.Events = append(t.Events, events...)
		}
		f, made, err := s.ofTurn(ctx, l, &st, r, from)
		if err != nil {
			return st, err
		}
		if used, project = f, l.row.Project; made {
			t.Notes = append(t.Notes, f.prompt.Notes()...)
		}
		moment := r.Moment
		if t.Drift, err = s.driftOfTurn(ctx, l, f, made, r.Check, from); err != nil {
			return st, err
		}
		if t.Drift != nil && r.Check == DriftReminded {
			moment.Drift = slices.Concat(moment.Drift, t.Drift.rewritten())
		}
		t.Active = activeOf(f.input)
		now := offered{r.Tools, r.Caps, r.Model}
		if now.tools == nil {
			now.tools = offeredBy(r.Wire, f.input.Tools)
		}
		t.Notes = append(t.Notes, driftNotes(t.Drift, now, t.Active)...)
		moment.Today = s.newDay(&st.state, f)
		notes, err := s.ask(&st.state, st.state.placement(f.input.Active.Caps), moment, &t.Events)
		if err != nil {
			return st, err
		}
		t.Notes = append(t.Notes, notes...)
		if moment.Today != "" {
			t.Notes = append(t.Notes, dayNote(f.day(), moment.Today, t.Events))
		}
		var live []reminder.Reminder
		var events []reminder.Event
		st.state.Reminders, live, events = st.state.Reminders.Built()
		t.Events = append(t.Events, events...)
		t.Reminders = make([]string, len(live))
		for i := range live {
			t.Reminders[i] = live[i].ID
		}
		aside, err := s.place(ctx, &st, l, t, f, live)
		if err != nil || r.Wire == nil {
			return st, err
		}
		w := wired{input: f.input, aside: aside, tools: r.Tools}
		if st.state.AppendOnly {
			if w.sent, err = s.sent(ctx, &l.state); err != nil {
				return st, err
			}
			w.sent = append(w.sent, t.Sent...)
		}
		written, err := t.write(r.ID, r.Wire, w, true)
		if err != nil {
			return st, err
		}
		return st, st.sentAs(st.state.Reminders.Turn, written, t.Request)
	})
	if _, ok := errors.AsType[*json.MarshalerError](err); ok && r.Wire != nil {
		// It can't even be told apart from others; whoever writes requests knows why.
		if _, why := wire.Build(*r.Wire); why != nil {
			return nil, why
		}
	}
	if err != nil {
		return nil, err
	}
	if !out.Replayed {
		if used != nil {
			s.memory.keep(r.ID, project, out.Epoch, used)
		}
		return out, nil
	}
	return out, s.handOutAgain(ctx, out, r)
}

// handOutAgain puts what isn't kept with an answer into that of a turn that was given
// before: the system prompt, and the request.
func (s *Service) handOutAgain(ctx context.Context, t *Turn, r TurnRequest) error {
	if t.Record == 0 {
		if t.Digest != nil {
			text, _, err := s.System(ctx, r.ID)
			if t.System = &text; err != nil {
				return err
			}
		}
		if r.Wire == nil {
			return nil
		}
		_, err := t.write(r.ID, r.Wire, wired{tools: r.Tools}, false)
		return err
	}
	in, err := s.recorded(ctx, r.ID, t)
	if err != nil || r.Wire == nil {
		return err
	}
	return s.writeAgain(ctx, t, in, r)
}

// recorded reads the prompt of a turn from its record.
func (s *Service) recorded(ctx context.Context, id string, t *Turn) (cento.Input, error) {
	text, ok, err := s.store.Text(ctx, id, t.Record)
	if err != nil {
		return cento.Input{}, err
	}
	if ok {
		t.System = &text
	}
	in, err := s.store.Input(ctx, id, t.Record)
	if err != nil {
		return in, err
	}
	if p, _, err := s.reduce(in); err == nil {
		if made, some := p.System(); some == ok && made == text {
			t.Prompt = p
		}
	}
	return in, nil
}

// ask lets the providers of a session inject what they have to say. Its notes
// tell of those that failed.
func (s *Service) ask(state *storedState, to reminder.Placement, m reminder.Moment, events *[]reminder.Event) ([]cento.Note, error) {
	m.Metadata = state.Metadata
	providers, err := reminder.Choose(state.Providers, to, s.Providers...)
	if err != nil {
		return nil, err
	}
	if m.Today == "" { // it has nothing to say on any other turn
		providers = slices.DeleteFunc(providers, func(p reminder.Provider) bool { return p.Name() == reminder.DayChanged })
	}
	next, more, notes := reminder.Evaluate(providers, m, state.Reminders, s.NewID)
	state.Reminders = next
	*events = append(*events, more...)
	return notes, nil
}

// ofTurn is the prompt of a turn: the one that was made once, or one that is made
// now, and then recorded in the same step.
func (s *Service) ofTurn(ctx context.Context, l *loaded, st *step, r TurnRequest, from Source) (f *frozen, made bool, err error) {
	if !l.state.PerTurn && l.state.Epoch > 0 {
		f, err = s.thaw(ctx, l)
		return f, false, err
	}
	before, err := s.before(ctx, l)
	if err != nil {
		return nil, false, err
	}
	reading := Reading{Own: l.state.Own}
	if l.state.PerTurn {
		reading.Own, reading.Model = reading.Own.with(Own{Tools: r.Tools, Caps: r.Caps}), r.Model
	}
	f, err = s.make(ctx, l, reading, before, countedFor(r.Wire), from)
	switch {
	case err != nil:
		return nil, false, err
	case l.state.PerTurn: // place records it
		st.state.Epoch, st.state.Day = l.state.Epoch+1, ""
	default:
		err = st.record(l, f, "materialise")
	}
	return f, true, err
}

// turnLabel is the label of the record that has the system prompt of a turn.
func turnLabel(turn int64) string { return fmt.Sprintf("turn %d", turn) }

// TurnOf is the turn whose system prompt a record has, by the label of the record. It is
// false for all other records, such as those of the reminders beside a prompt.
func TurnOf(label string) (turn int64, ok bool) {
	n, _ := strings.CutPrefix(label, "turn ")
	turn, err := strconv.ParseInt(n, 10, 64)
	return turn, err == nil && turn >= 0 && label == turnLabel(turn)
}

// The labels of records beside the prompt of a turn end with one of these.
const (
	envelopeLabel = " envelope"
	messagesLabel = " messages"
)

// BesidePrompt reports whether a record has reminders that a turn shows beside its system
// prompt, by the label of the record.
func BesidePrompt(label string) bool {
	for _, end := range []string{envelopeLabel, messagesLabel} {
		if of, ok := strings.CutSuffix(label, end); ok {
			_, ok = TurnOf(of)
			return ok
		}
	}
	return false
}

// place puts the reminders of a turn where they belong, and records what is
// handed out. It gives the envelope, where it stands at the end of the turn.
func (s *Service) place(ctx context.Context, st *step, l *loaded, t *Turn, f *frozen, live []reminder.Reminder) (aside *cento.Prompt, err error) {
	t.Placement = st.state.placement(f.input.Active.Caps)
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
	label := turnLabel(st.state.Reminders.Turn)
	if system != nil {
		t.Record = l.next() + int64(len(st.drafts))
		if st.state.PerTurn {
			st.state.Prompt = Recorded{Seq: t.Record, Digest: f.of.prompt, Input: f.of.input}
			if system != f.prompt { // the prompt itself has a record, too
				if err := st.draft(f, "materialise for "+label); err != nil {
					return nil, err
				}
				t.Record++
			}
		}
		if system == f.prompt {
			if err := st.draft(f, label); err != nil {
				return nil, err
			}
		} else {
			st.drafts = append(st.drafts, store.Draft{Prompt: system, Input: input, Label: label})
		}
		t.Prompt, t.Caveats = system, system.Caveats()
		if text, ok := system.System(); ok {
			t.System, t.Digest = &text, orNil(system.Digest())
		}
	} else if f.ok {
		t.System, t.Digest = &f.text, orNil(st.state.Prompt.Digest)
	}
	return s.placeAside(ctx, st, l, t, f, live, label)
}

// placeAside puts reminders beside the prompt where that is their place.
func (s *Service) placeAside(ctx context.Context, st *step, l *loaded, t *Turn, f *frozen, live []reminder.Reminder, label string) (*cento.Prompt, error) {
	var parts []cento.Fragment
	options := f.options()
	switch t.Placement {
	case reminder.InSystem:
		return nil, nil
	case reminder.InTurn:
		parts = reminder.EnvelopeFragments(live)
		label += envelopeLabel
	case reminder.InNative:
		parts = reminder.NativeFragments(live, f.input.Active.Caps)
		var err error
		if t.Messages, err = reminder.Native(live, f.input.Active.Caps, options); err != nil {
			return nil, err
		}
		label += messagesLabel
	}
	p, err := cento.ReduceFragments(parts, cento.Active{}, options)
	if err != nil {
		return nil, err
	}
	text, ok := p.System()
	if ok {
		t.Aside = l.next() + int64(len(st.drafts))
		in := cento.Input{Reminders: parts, Policy: f.input.Policy, Limits: f.input.Limits}
		st.drafts = append(st.drafts, store.Draft{Prompt: p, Input: in, Label: label})
	}
	noted := p.NotedTexts()
	switch {
	case t.Placement == reminder.InNative:
		t.NotedTexts = append(t.NotedTexts, noted...)
		return nil, nil
	case st.state.AppendOnly:
		sent, err := s.send(ctx, st, st.state.Reminders.Turn, text)
		if err == nil && sent {
			t.NotedTexts = append(t.NotedTexts, noted...)
			t.Sent = []reminder.SentEnvelope{{Turn: st.state.Reminders.Turn, Text: text}}
		}
		return nil, err
	case ok:
		t.NotedTexts = append(t.NotedTexts, noted...)
		t.Envelope = &text
	}
	return p, nil
}

// withReminders is the prompt with reminders in it, provided that everything
// else is as it was: what is frozen are the texts and the decisions on them.
// Otherwise it says why not.
func (s *Service) withReminders(f *frozen, in cento.Input) (*cento.Prompt, string) {
	if f.prompt == nil {
		return nil, "they would go with another prompt than the stored one"
	}
	p, _, err := s.reduce(in)
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
