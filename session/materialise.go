package session

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/pack"
	"github.com/cento-dev/cento/reminder"
	"github.com/cento-dev/cento/store"
	"github.com/cento-dev/cento/wire"
)

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
	s, err := readState(state)
	if err != nil {
		return 0
	}
	return s.Prompt.Seq
}

// materialised is a session with its prompt. The error is [NotMaterialised] where there
// is none.
func (s *Service) materialised(ctx context.Context, id string) (*loaded, *frozen, error) {
	l, err := s.load(ctx, id)
	switch {
	case err != nil:
		return nil, nil, err
	case l.state.Epoch == 0:
		return nil, nil, notMaterialised(l)
	}
	f, err := s.thaw(ctx, l)
	return l, f, err
}

func notMaterialised(l *loaded) error {
	return &cento.SourceError{
		Code: NotMaterialised, Message: fmt.Sprintf("session %q has no prompt yet", l.row.ID),
		Hint: "its next turn makes it, or one that is asked for alone",
	}
}

// make reads the sources, and makes the prompt of what they say. before is what the
// prompt before did without, for a budget that holds; nil for the first one. as says
// how the budget counts; nil: as the source has it.
func (s *Service) make(ctx context.Context, l *loaded, r Reading, before *cento.Budget, as counting, from Source) (*frozen, error) {
	if from == nil {
		return nil, notMaterialised(l)
	}
	removals, err := s.store.Removals(ctx)
	if err != nil {
		return nil, err
	}
	r.Session = l.row.ID
	in, err := from(ctx, r)
	if err != nil {
		return nil, err
	}
	in = as.over(knowing(r.Own.over(in), before))
	document, err := store.InputDocument(in)
	if err != nil {
		return nil, err
	}
	p, use, err := s.reduced(in)
	if err != nil {
		return nil, err
	}
	m := &made{from: origin{clockless: clockless(document, in), clock: use.Of(in.Files.Now)}, digest: p.Digest(), prompt: p, input: in}
	f := &frozen{made: m, of: address{digestOfText(document), m.digest}, input: in, removals: removals}
	if held := s.memory.made(m.from); held != nil && held.digest == m.digest {
		f.made, f.input.Tools = held, held.input.Tools
		return f, nil
	}
	m.text, m.ok = p.System()
	m.size = sizeOf(len(document), len(m.text))
	// Requests have the definitions as they are stored: every process writes the same bytes.
	m.input.Tools, err = s.replays(p, document)
	f.input.Tools = m.input.Tools
	return f, err
}

// knowing tells the budget of an input what the prompt before did without, and what of
// it the prompt cache holds, unless the source did.
func knowing(in cento.Input, before *cento.Budget) cento.Input {
	b := in.Budget
	if b == nil || before == nil {
		return in
	}
	told := *b
	if b.Hold > 0 && b.Before == nil {
		told.Before = before.Before
	}
	if b.KeepCached && b.Cached == nil {
		told.Cached = before.Cached
	}
	in.Budget = &told
	return in
}

// counting sets which request a budget counts.
type counting func(*cento.Budget, *cento.Model)

func (as counting) over(in cento.Input) cento.Input {
	if in.Budget == nil || as == nil {
		return in
	}
	told := *in.Budget
	as(&told, in.Model)
	in.Budget = &told
	return in
}

// countedFor counts the request that is asked for; nil for none.
func countedFor(asked *wire.Request) counting {
	if asked == nil {
		return nil
	}
	return func(b *cento.Budget, m *cento.Model) {
		b.Form, b.Sections = "", "" // of no form, no request is written
		if form := cmp.Or(asked.Form, wire.FormOf(cmp.Or(asked.Model, m))); form != 0 {
			b.Form = form.String()
		}
		if s := asked.Sections.For(cmp.Or(asked.Model, m)); s != wire.Markdown {
			b.Sections = s.String()
		}
	}
}

// countedAs counts as another budget does; nil for none.
func countedAs(was *cento.Budget) counting {
	if was == nil {
		return nil
	}
	return func(b *cento.Budget, _ *cento.Model) { b.Form, b.Sections = was.Form, was.Sections }
}

// before is what the prompt that a session has did without; nil where it has none, or
// none that can be made again: then nothing of it is kept out.
func (s *Service) before(ctx context.Context, l *loaded) (*cento.Budget, error) {
	if l.state.Epoch == 0 {
		return nil, nil
	}
	f, err := s.thaw(ctx, l)
	switch {
	case errors.Is(err, store.Redacted), errors.Is(err, store.UnknownRecord):
		return nil, nil
	case err != nil || f.prompt == nil:
		return nil, err
	}
	marked, err := s.marked(ctx, l)
	return &cento.Budget{Before: f.prompt.Sacrificed(), Cached: marked}, err
}

func (s *Service) reduced(in cento.Input) (*cento.Prompt, pack.ClockUse, error) {
	p, use, err := s.reduce(in)
	if err == nil && p == nil {
		err = &cento.SourceError{Code: WrongSettings, Message: "the function that makes prompts of inputs gave neither a prompt nor an error"}
	}
	return p, use, err
}

// replays makes a prompt again of what will be stored of its input, and refuses
// one that comes out as another: it couldn't be explained later, nor could
// anybody tell what it was made of. It returns the tools as they are stored.
func (s *Service) replays(p *cento.Prompt, document []byte) ([]cento.Tool, error) {
	var stored cento.Input
	err := json.Unmarshal(document, &stored)
	var again *cento.Prompt
	if err == nil {
		again, _, err = s.reduced(stored)
	}
	refused := &cento.SourceError{
		Code: NotRecorded, Message: "the input, read back as it would be stored, gives another prompt", Err: err,
		Hint: "the input holds something that isn't kept with it: give the prompt by what stands in cento.Input alone",
	}
	if err != nil {
		refused.Message = "the input, read back as it would be stored, gives no prompt"
		return nil, refused
	}
	d := cento.Diff(p, again)
	if d.Empty() && p.Digest() == again.Digest() {
		return stored.Tools, nil
	}
	var differ []string
	for _, list := range [][]cento.Change{d.Changed, d.Added, d.Removed, d.Verdicts, d.Moved} {
		for _, c := range list {
			if !slices.Contains(differ, c.ID) {
				differ = append(differ, c.ID)
			}
		}
	}
	const most = 5
	if n := len(differ); n > most {
		differ = append(differ[:most], fmt.Sprintf("and %d more", n-most))
	}
	if len(differ) > 0 {
		refused.Message += "; other fragments: " + strings.Join(differ, ", ")
	}
	return nil, refused
}

// record makes f the prompt of a session, as the first that a step stores.
func (st *step) record(l *loaded, f *frozen, label string) error {
	st.state.Epoch, st.state.Day = l.state.Epoch+1, ""
	st.state.Prompt = Recorded{Seq: l.next(), Digest: f.of.prompt, Input: f.of.input}
	return st.draft(f, label)
}

// draft adds a record of f to what a step stores.
func (st *step) draft(f *frozen, label string) error {
	d, err := f.draft(label)
	st.drafts = append(st.drafts, d)
	return err
}

// StartRequest begins a session.
type StartRequest struct {
	// ID is the name of the session: a text that can be shown on one line.
	ID string `json:"id"`
	Settings
	Own
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
	// Notes are what there is to say of a prompt that was made now: those of its input,
	// and of making it.
	Notes []cento.Note `json:"notes,omitempty"`
	// Caveats are those of a prompt that was made now.
	cento.Caveats
}

// tell has what there is to say of a prompt that was made now.
func (s *Started) tell(p *cento.Prompt) {
	s.Notes, s.Caveats = p.Notes(), p.Caveats()
}

// Start begins a session and makes its prompt. When that fails, the session is
// there and has no prompt: the same request again, [Service.Materialise] or the
// next turn makes it. The errors are [WrongSettings], [reminder.Invalid],
// [reminder.InvalidSessionID], those of the store, among them [store.SessionExists],
// and the source's.
func (s *Service) Start(ctx context.Context, r StartRequest, from Source) (*Started, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	if err := r.Settings.check(s.Providers); err != nil {
		return nil, err
	}
	if err := r.Own.check(); err != nil {
		return nil, err
	}
	state := storedState{Settings: r.Settings, Own: r.Own, Reminders: reminder.Session{ID: r.ID}}
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
		Changes: []store.Change{{Session: r.ID, Projects: s.projects, Expect: 0, State: doc}},
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
	var project string
	out, err := apply[Started](ctx, s, id, Options{}, "materialise", func(l *loaded, a *Started) (step, error) {
		st := step{state: l.state}
		if made, st.none = nil, l.state.Epoch > 0; !st.none {
			f, err := s.make(ctx, l, Reading{Own: l.state.Own}, nil, nil, from)
			if err != nil {
				return st, err
			}
			made, project = f, l.row.Project
			a.tell(f.prompt)
			if err := st.record(l, f, "materialise"); err != nil {
				return st, err
			}
		}
		a.Record, a.Made = st.state.Prompt.Seq, !st.none
		a.Digest = orNil(st.state.Prompt.Digest)
		return st, nil
	})
	if err == nil && made != nil {
		s.memory.keep(id, project, out.Epoch, made)
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
	text, digest, err := s.Text(ctx, id)
	return text, digest != "", err
}

// Text is [Service.System] with the SHA-256 of the text, in lower-case hex; empty where
// there is no prompt.
func (s *Service) Text(ctx context.Context, id string) (text, digest string, err error) {
	if err := s.check(); err != nil {
		return "", "", err
	}
	if w, held := s.memory.words(id, s.projects); held {
		return w.text, w.digest, nil
	}
	l, err := s.load(ctx, id)
	if err != nil {
		return "", "", err
	}
	if l.state.Epoch == 0 {
		return "", "", notMaterialised(l)
	}
	removals, err := s.store.Removals(ctx)
	if err != nil {
		return "", "", err
	}
	w, err := s.stored(ctx, l, removals)
	if err != nil {
		return "", "", err
	}
	s.memory.read(id, l.row.Project, l.state.Epoch, address{l.state.Prompt.Input, w.digest}, removals, w)
	return w.text, w.digest, nil
}

// RematerialiseRequest asks for a new prompt.
type RematerialiseRequest struct {
	ID string `json:"id"`
	Options
	// Own takes the place of what belongs to the session; what is nil in it stays.
	Own
	// Reason is kept with the record: a line of visible text of at most 150 bytes.
	Reason string `json:"reason"`
}

// maxReason is how long a reason may be, in bytes. It stands in the label of a record,
// which is bounded, too.
const maxReason = 150

func checkReason(reason string) error {
	wrong := ""
	switch {
	case reason != "" && strings.TrimSpace(reason) == "":
		wrong = "the text is blank"
	case len(reason) > maxReason:
		wrong = fmt.Sprintf("%d bytes, and the limit is %d", len(reason), maxReason)
	case !utf8.ValidString(reason) || strings.ContainsFunc(reason, func(r rune) bool { return !unicode.IsPrint(r) }):
		wrong = "isn't one line of visible text"
	default:
		return nil
	}
	return &cento.SourceError{Code: WrongReason, Message: "reason: " + wrong, Hint: fmt.Sprintf("say it in a line of at most %d bytes", maxReason)}
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
// is cleared. A reason that the record can't keep is [WrongReason].
func (s *Service) Rematerialise(ctx context.Context, r RematerialiseRequest, from Source) (*Rematerialised, error) {
	if err := checkReason(r.Reason); err != nil {
		return nil, err
	}
	given := r.Own
	if len(given.Scope) == 0 {
		given.Scope = nil // none are kept from now on
	}
	if err := given.check(); err != nil {
		return nil, err
	}
	var made *frozen
	var project string
	asked := r
	asked.Scope = nil // as the prompt, it is what the sources say now, whoever asks again
	out, err := apply[Rematerialised](ctx, s, r.ID, r.Options, []any{"rematerialise", asked}, func(l *loaded, a *Rematerialised) (step, error) {
		st := step{state: l.state}
		st.state.Own = l.state.Own.with(r.Own)
		was, err := s.before(ctx, l)
		if err != nil {
			return st, err
		}
		f, err := s.make(ctx, l, Reading{Own: st.state.Own}, was, nil, from)
		if err != nil {
			return st, err
		}
		made, project = f, l.row.Project
		a.tell(f.prompt)
		label := "rematerialise"
		if r.Reason != "" {
			label += ": " + r.Reason
		}
		before := l.state.Prompt.Digest
		if err := st.record(l, f, label); err != nil {
			return st, err
		}
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
		s.memory.keep(r.ID, project, out.Epoch, made)
	}
	return out, err
}
