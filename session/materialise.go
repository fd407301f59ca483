package session

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/layer"
	"github.com/cento-dev/cento/reminder"
	"github.com/cento-dev/cento/store"
)

// frozen is a prompt that was made and stored. It is never changed.
type frozen struct {
	epoch int64
	text  string
	ok    bool // there is a prompt
	input cento.Input
	// removals is the store's count when it was known to be stored.
	removals int64
	// prompt is the same with its decisions; nil where this program makes another
	// one of the input than the one that stored it.
	prompt *cento.Prompt
}

// options are those that hold for a session's reminders, too.
func (f *frozen) options() cento.Options {
	return cento.Options{Policy: f.input.Policy, Limits: f.input.Limits}
}

// A service holds at most keptPrompts in memory, whose texts have at most keptBytes
// together.
const (
	keptPrompts = 256
	keptBytes   = 64 << 20
)

// keep holds a prompt in memory, and lets go of those that were held first.
func (s *Service) keep(id string, f *frozen) *frozen {
	s.mu.Lock()
	defer s.mu.Unlock()
	if old := s.frozen[id]; old == nil {
		s.ages = append(s.ages, id)
	} else if old.epoch > f.epoch {
		return f
	} else {
		s.held -= len(old.text)
	}
	s.frozen[id] = f
	s.held += len(f.text)
	for len(s.ages) > 1 && (len(s.ages) > keptPrompts || s.held > keptBytes) {
		s.held -= len(s.frozen[s.ages[0]].text)
		delete(s.frozen, s.ages[0])
		s.ages = slices.Clone(s.ages[1:])
	}
	return f
}

// drop lets go of a prompt.
func (s *Service) drop(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if old := s.frozen[id]; old != nil {
		s.held -= len(old.text)
		delete(s.frozen, id)
		s.ages = slices.DeleteFunc(slices.Clone(s.ages), func(other string) bool { return other == id })
	}
}

func (s *Service) kept(id string) *frozen {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.frozen[id]
}

// thaw gets the prompt of a session that has one. One in memory counts for as long
// as nothing was taken out of the store: else a text that was redacted would be
// recorded again.
func (s *Service) thaw(ctx context.Context, l *loaded) (*frozen, error) {
	id := l.row.ID
	removals, err := s.store.Removals(ctx)
	if err != nil {
		return nil, err
	}
	if f := s.kept(id); f != nil && f.epoch == l.state.Epoch && f.removals == removals {
		return f, nil
	}
	s.drop(id)
	f := &frozen{epoch: l.state.Epoch, removals: removals}
	if f.text, f.ok, err = s.store.Text(ctx, id, l.state.Prompt.Seq); err == nil {
		f.input, err = s.store.Input(ctx, id, l.state.Prompt.Seq)
	}
	if err != nil {
		return nil, lost(id, err)
	}
	// The text is what counts. The decisions are made again from what was stored
	// with it, and hold only if they lead to the same text.
	if p, err := s.reduce(f.input); err == nil {
		if text, ok := p.System(); ok == f.ok && text == f.text {
			f.prompt = p
		}
	}
	return s.keep(id, f), nil
}

// lost words the error of a prompt that was taken out of the store on purpose. It
// isn't made again of itself: that would be another prompt without anybody knowing.
func lost(id string, err error) error {
	e, ok := errors.AsType[*cento.SourceError](err)
	if !ok || e.Code != store.Redacted && e.Code != store.UnknownRecord {
		return err
	}
	told := *e
	told.Message = fmt.Sprintf("the prompt of session %q is no longer stored: %s", id, e.Message)
	told.Hint = "make a new one, on record: rematerialise the session"
	return &told
}

// Needs is the number of the record that the stored state of a session leads to:
// its prompt. It is 0 for a state without a prompt, and for what is no state.
// [store.GCOptions] take it, so that a prompt in use isn't swept away.
func Needs(state []byte) int64 {
	s, err := ReadState(state)
	if err != nil {
		return 0
	}
	return s.Prompt.Seq
}

// make reads the sources.
func (s *Service) make(ctx context.Context, l *loaded, r Reading, from Source) (*frozen, error) {
	if from == nil {
		return nil, &cento.SourceError{
			Code: NotMaterialised, Message: fmt.Sprintf("session %q has no prompt yet", l.row.ID),
			Hint: "its next turn makes it, or one that is asked for alone",
		}
	}
	if r.Layer == nil {
		r.Layer = l.state.Layer.Session
	}
	removals, err := s.store.Removals(ctx)
	if err != nil {
		return nil, err
	}
	in, p, err := from(ctx, r)
	if err != nil {
		return nil, err
	}
	f := &frozen{epoch: l.state.Epoch + 1, input: in, prompt: p, removals: removals}
	f.text, f.ok = p.System()
	return f, nil
}

// record makes f the prompt of a session, in a step that stores it.
func (st *step) record(l *loaded, f *frozen, label string) {
	st.state.Epoch, st.state.Prompt = f.epoch, Recorded{Seq: l.next() + int64(len(st.drafts)), Digest: f.prompt.Digest()}
	st.drafts = append(st.drafts, store.Draft{Prompt: f.prompt, Input: f.input, Label: label})
}

// StartRequest begins a session.
type StartRequest struct {
	// ID is the name of the session: a text that can be shown on one line.
	ID string `json:"id"`
	Settings
	// Layer is the session's own layer; nil: none. An empty one isn't none.
	Layer *layer.Layer `json:"layer"`
	// Key is an idempotency key.
	Key string `json:"-"`
}

// Started is a session with its prompt.
type Started struct {
	Meta
	// Record is the number of the prompt's record; Digest is null for no prompt.
	Record int64   `json:"record"`
	Digest *string `json:"digest"`
	// Made: the prompt was made now.
	Made bool `json:"made"`
}

// Start begins a session and makes its prompt. When that fails, the session is
// there and has no prompt: the same request again, [Service.Materialise] or the
// next turn makes it. The errors are [WrongSettings], [reminder.Invalid], those of
// the store, among them [store.SessionExists], and the source's.
func (s *Service) Start(ctx context.Context, r StartRequest, from Source) (*Started, error) {
	if err := r.Settings.check(s.Providers); err != nil {
		return nil, err
	}
	state := State{Settings: r.Settings, Layer: layer.Saved{Session: r.Layer}, Reminders: reminder.Session{ID: r.ID}}
	if err := state.Reminders.Check(); err != nil {
		return nil, err
	}
	doc, err := state.document()
	if err != nil {
		return nil, err
	}
	sum, err := digestOf([]any{"start", string(doc)})
	if err != nil {
		return nil, err
	}
	done, err := s.store.Commit(ctx, store.Transition{
		Key: r.Key, RequestDigest: sum, Answer: []byte("{}"), At: s.Now(),
		Changes: []store.Change{{Session: r.ID, Expect: 0, State: doc}},
	})
	if errors.Is(err, store.SessionExists) {
		switch l, why := s.load(ctx, r.ID); {
		case errors.Is(why, store.UnknownSession):
			return nil, why // records of that name, and no session
		case why == nil && !r.PerTurn && l.row.Parent == "" && bytes.Equal(l.row.State, doc):
			// Begun in the same words, it waits for nothing but its first prompt.
			return s.Materialise(ctx, r.ID, from)
		}
	}
	if err != nil {
		return nil, err
	}
	if r.PerTurn {
		return &Started{Meta: Meta{Session: r.ID, Version: done.Versions[0], Replayed: done.Replayed}}, nil
	}
	out, err := s.Materialise(ctx, r.ID, from)
	if err == nil {
		out.Replayed = done.Replayed
	}
	return out, err
}

// Materialise makes the prompt of a session that has none, and tells of the one
// that it has. However many ask at the same time, and whichever of them fail,
// there is one prompt.
func (s *Service) Materialise(ctx context.Context, id string, from Source) (*Started, error) {
	var made *frozen
	out, err := apply[Started](ctx, s, id, Options{}, "materialise", func(l *loaded, a *Started) (step, error) {
		st := step{state: l.state}
		if made, st.none = nil, l.state.Epoch > 0; !st.none {
			f, err := s.make(ctx, l, Reading{}, from)
			if err != nil {
				return st, err
			}
			made = f
			st.record(l, f, "materialise")
		}
		a.Record, a.Made = st.state.Prompt.Seq, !st.none
		a.Digest = orNil(st.state.Prompt.Digest)
		return st, nil
	})
	if err == nil && made != nil {
		s.keep(id, made)
	}
	return out, err
}

func orNil(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// System is the prompt of a session, and false when there is none: then the
// agent has no system prompt, which isn't the same as an empty one. It comes out
// of memory where this service has used it before: a prompt that another process
// made anew since is seen by the next operation. The error is [NotMaterialised]
// for a session whose prompt isn't made yet, or one of the store.
func (s *Service) System(ctx context.Context, id string) (string, bool, error) {
	f := s.kept(id)
	if f == nil {
		l, err := s.load(ctx, id)
		if err != nil {
			return "", false, err
		}
		if l.state.Epoch == 0 {
			_, err := s.make(ctx, l, Reading{}, nil)
			return "", false, err
		}
		if f, err = s.thaw(ctx, l); err != nil {
			return "", false, err
		}
	}
	return f.text, f.ok, nil
}

// RematerialiseRequest asks for a new prompt.
type RematerialiseRequest struct {
	ID string `json:"id"`
	Options
	// Layer becomes the session's own layer; nil: it stays as it is.
	Layer *layer.Layer `json:"layer"`
	// Reason is kept with the record, in a line.
	Reason string `json:"reason"`
}

// Rematerialised is what a new prompt changed.
type Rematerialised struct {
	Started
	// From is the digest of the prompt before; null for none.
	From *string `json:"from"`
	// Changed: the text is another one.
	Changed bool `json:"changed"`
	// Events tell of reminders of a drift, which end with it.
	Events []reminder.Event `json:"events"`
}

// Rematerialise makes the prompt of a session anew, from what the sources say
// now. It is recorded, also when nothing changed. The conversation's envelopes
// stay where they are; what the provider workspace_drift said of the prompt before
// is cleared.
func (s *Service) Rematerialise(ctx context.Context, r RematerialiseRequest, from Source) (*Rematerialised, error) {
	var made *frozen
	out, err := apply[Rematerialised](ctx, s, r.ID, r.Options, []any{"rematerialise", r}, func(l *loaded, a *Rematerialised) (step, error) {
		st := step{state: l.state}
		if r.Layer != nil {
			st.state.Layer.Session = r.Layer
		}
		f, err := s.make(ctx, l, Reading{Layer: r.Layer}, from)
		if err != nil {
			return st, err
		}
		made = f
		label := "rematerialise"
		if r.Reason != "" {
			label += ": " + r.Reason
		}
		before := l.state.Prompt.Digest
		st.record(l, f, label)
		a.Record, a.Digest, a.From, a.Made = st.state.Prompt.Seq, orNil(st.state.Prompt.Digest), orNil(before), true
		a.Changed = before != st.state.Prompt.Digest || l.state.Epoch == 0
		a.Events = []reminder.Event{}
		for _, told := range l.state.Reminders.Reminders {
			if told.DedupeKey != reminder.WorkspaceDrift || told.Source != reminder.StdlibProvider {
				continue
			}
			var events []reminder.Event
			if st.state.Reminders, events, err = st.state.Reminders.Clear(reminder.Match{ID: told.ID}); err != nil {
				return st, err
			}
			a.Events = append(a.Events, events...)
		}
		return st, nil
	})
	if err == nil && made != nil && !out.Replayed {
		s.keep(r.ID, made)
	}
	return out, err
}

// IsConflict reports whether an operation was refused since somebody else
// changed the session.
func IsConflict(err error) bool { return errors.Is(err, store.Conflict) }
