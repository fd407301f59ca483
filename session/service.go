package session

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/reminder"
	"github.com/cento-dev/cento/store"
)

// Store is what this package needs of a store; [store.Store] is one.
type Store interface {
	Session(ctx context.Context, id string, of store.Projects) (*store.Session, error)
	Commit(ctx context.Context, t store.Transition) (*store.Committed, error)
	Text(ctx context.Context, session string, seq int64) (text string, ok bool, err error)
	Input(ctx context.Context, session string, seq int64) (cento.Input, error)
	Blob(ctx context.Context, sum string) ([]byte, error)
	Removals(ctx context.Context) (int64, error)
	Sessions(ctx context.Context, q store.SessionQuery) ([]store.Session, error)
	Delete(ctx context.Context, id string, o store.DeleteOptions) (*store.Deleted, error)
}

// Reading is what a source is asked for: the session that a prompt is made for.
type Reading struct {
	Session string
	// Own is what belongs to the session. Its tools and capabilities are put over
	// what the source returns, which needn't look at them.
	Own
	// Model is the name of the model that the turn asks for; empty: the source's own.
	Model string
	// Now is the clock that prompt files see; zero: the source's own.
	Now time.Time
}

// Source reads what a prompt is made of, and nothing else: the session makes the
// prompt of it.
type Source func(ctx context.Context, r Reading) (cento.Input, error)

// Service does the operations of sessions.
type Service struct {
	store  Store
	reduce reducer
	// Now is the clock for the times of transitions, NewID makes ids of reminders
	// that have none. Both are set by [New], and may be set otherwise before the
	// first use.
	Now   func() time.Time
	NewID func() (string, error)
	// Providers are the caller's own, which are asked after the built-in ones. A
	// session can switch them off by their names. To be set before the first use.
	Providers []reminder.Provider

	projects store.Projects

	at      time.Time
	memory  *memory
	thawing chan struct{} // as many as make a prompt again
}

// New returns a service on a store, with 64 MiB for prompts. It makes them
// as package pack does.
func New(s Store) *Service {
	return &Service{
		store: s, reduce: reduce, memory: &memory{most: defaultMemory}, thawing: make(chan struct{}, mostThawing),
		Now: func() time.Time { return time.Now().UTC() },
		NewID: func() (string, error) {
			id, err := uuid.NewV7()
			return id.String(), err
		},
	}
}

// In returns the service for a project: a session that it begins belongs to the project,
// and the sessions of other projects are [store.OtherProject]. It shares the store and the
// memory of s. A service that [New] returns is that of no project.
func (s *Service) In(p store.Projects) *Service {
	of := *s
	of.projects = p
	return &of
}

// At returns the service for callers whose clock reads now: turns and drift compare the day
// that a prompt names with that of now, in its time zone. Without it they ask Now. It shares
// the store and the memory of s.
func (s *Service) At(now time.Time) *Service {
	of := *s
	of.at = now
	return &of
}

// SetMemory bounds what the service holds of prompts, in bytes; [New] sets 64 MiB. It
// is about as much memory as they take; the prompt that was used last is held if it
// fits. To be called before the first use.
func (s *Service) SetMemory(bytes int) {
	if s.check() == nil {
		s.memory.most = bytes
	}
}

// check refuses a service that [New] didn't make, one without a store, and one whose Now or
// NewID was set to nil.
func (s *Service) check() error {
	switch {
	case s == nil || s.store == nil:
		return &cento.SourceError{Code: store.Unreachable, Message: "the sessions have no store", Hint: "open one, and give it to session.New"}
	case s.Now == nil || s.NewID == nil:
		return &cento.SourceError{Code: WrongSettings, Message: "the service of sessions has a nil Now or NewID", Hint: "keep the functions that session.New sets, or set your own"}
	}
	return nil
}

// Options are what every operation that changes a session takes.
type Options struct {
	// Key is an idempotency key: asked for again with the same key, the operation
	// isn't done again, and its first answer is given. Empty: none.
	Key string `json:"-"`
	// Expect is the version of the session that the caller has seen: an operation
	// on another one is refused with [store.Conflict]. 0: any; the operation is
	// done again when somebody else was quicker, up to a hundred times. After that it
	// is [store.Conflict], too.
	Expect int64 `json:"-"`
}

// retries bounds how often an operation is done again. Each time somebody else
// got on, so this is only met where very many write to one session.
const retries = 100

// Meta is what every answer tells.
type Meta struct {
	Session string `json:"session"`
	// Version is that of the session after the operation.
	Version int64 `json:"version"`
	// Epoch counts the prompts that were made; 0: none yet.
	Epoch int64 `json:"epoch"`
	// Turn is how many turns have ended.
	Turn int64 `json:"turn"`
	// Replayed: the key was used before, and nothing was done now.
	Replayed bool `json:"replayed"`
}

func (m *Meta) meta() *Meta { return m }

// noted is an answer that has notes.
type noted interface{ note([]cento.Note) }

func (t *Turn) note(n []cento.Note)    { t.Notes = append(t.Notes, n...) }
func (s *Started) note(n []cento.Note) { s.Notes = append(s.Notes, n...) }
func (c *Changed) note(n []cento.Note) { c.Notes = append(c.Notes, n...) }

// loaded is a session as it was read.
type loaded struct {
	row   *store.Session
	state storedState
}

// next is the number of the record that is stored next.
func (l *loaded) next() int64 { return l.row.Head.Seq + 1 }

func (s *Service) load(ctx context.Context, id string) (*loaded, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	row, err := s.store.Session(ctx, id, s.projects)
	if err != nil {
		return nil, err
	}
	if row.State == nil {
		return nil, &cento.SourceError{
			Code: store.UnknownSession, Message: fmt.Sprintf("%q has records and no state: it isn't a session", id),
			Hint: "begin one under another name",
		}
	}
	state, err := readState(row.State)
	if err != nil {
		return nil, err
	}
	return &loaded{row, *state}, nil
}

// step is what an operation makes of a session.
type step struct {
	state  storedState
	drafts []store.Draft
	blobs  [][]byte
	// also are changes of other sessions.
	also []store.Change
	// none: there is nothing to do.
	none bool
}

// answer is a pointer to an answer.
type answer[T any] interface {
	*T
	meta() *Meta
}

// apply does an operation on a session: it reads the state, lets do make the
// next one, and commits it. request is what tells two requests with one key
// apart.
func apply[T any, A answer[T]](ctx context.Context, s *Service, id string, o Options, request any, do func(*loaded, A) (step, error)) (A, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	sum, err := digestOf(request)
	if err != nil {
		return nil, err
	}
	if o.Key != "" {
		if out, err := replay[T, A](ctx, s, id, o.Key, sum); err != nil || out != nil {
			return out, err
		}
	}
	for try := 0; ; try++ {
		l, err := s.load(ctx, id)
		if err != nil {
			return nil, err
		}
		if o.Expect != 0 && o.Expect != l.row.Version {
			return nil, conflict(id, o.Expect, l.row.Version)
		}
		out := A(new(T))
		st, err := do(l, out)
		if err != nil {
			return nil, err
		}
		if n, ok := any(out).(noted); ok {
			n.note(store.ClockNotes(id, l.row.Updated, s.Now()))
		}
		*out.meta() = Meta{Session: id, Version: l.row.Version + 1, Epoch: st.state.Epoch, Turn: st.state.Reminders.Turn}
		if st.none {
			out.meta().Version--
			return out, nil
		}
		state, err := st.state.document()
		if err != nil {
			return nil, err
		}
		var stored []byte
		if o.Key != "" {
			if stored, err = json.Marshal(kept(out)); err != nil {
				return nil, err
			}
		}
		done, err := s.store.Commit(ctx, store.Transition{
			Key: o.Key, RequestDigest: sum, Answer: stored, At: s.Now(),
			Changes: append([]store.Change{{Session: id, Projects: s.projects, Expect: l.row.Version, State: state, Drafts: st.drafts, Blobs: st.blobs}}, st.also...),
		})
		switch {
		case err == nil && done.Replayed: // by somebody else with the same key, just now
			return stripped[T, A](done.Answer)
		case err == nil:
			return out, nil
		case !errors.Is(err, store.Conflict) || o.Expect != 0 || try >= retries:
			return nil, err
		}
	}
}

// never is a version that no session has.
const never int64 = 1 << 62

// replay gives the first answer for a key, nil for a key that is new. A store
// looks at the key before the version, so a change that can't be done asks for
// nothing else.
func replay[T any, A answer[T]](ctx context.Context, s *Service, id, key, sum string) (A, error) {
	done, err := s.store.Commit(ctx, store.Transition{
		Key: key, RequestDigest: sum, At: s.Now(), Changes: []store.Change{{Session: id, Projects: s.projects, Expect: never}},
	})
	switch {
	case errors.Is(err, store.Conflict) || errors.Is(err, store.UnknownSession):
		return nil, nil
	case err != nil:
		return nil, err
	}
	return stripped[T, A](done.Answer)
}

// kept is as much of an answer as is kept with a key: texts that have a record
// are read from there.
func kept(answer any) any {
	if t, ok := answer.(*Turn); ok {
		c := *t
		c.System, c.Request = nil, nil
		return &c
	}
	return answer
}

func stripped[T any, A answer[T]](stored []byte) (A, error) {
	out := A(new(T))
	if err := json.Unmarshal(stored, out); err != nil {
		return nil, unreadable(err)
	}
	out.meta().Replayed = true
	return out, nil
}

func conflict(id string, expected, actual int64) error {
	return &cento.SourceError{
		Code:    store.Conflict,
		Message: fmt.Sprintf("session %q has version %d, and %d was expected", id, actual, expected),
		Hint:    "somebody else changed it: look at it again, then repeat the operation",
	}
}

// digestOf tells requests apart: the operation, and what it is asked. Short digests of the
// members follow, as far as there is room, so that an error can name those that differ.
func digestOf(request any) (string, error) {
	b, err := json.Marshal(request)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(b)
	digest := hex.EncodeToString(sum[:])
	var parts []any
	if json.Unmarshal(b, &parts) != nil || len(parts) == 0 {
		return digest, nil
	}
	members := memberDigests(nil, "op", parts[0], 0)
	for _, part := range parts[1:] {
		if doc, ok := part.(string); ok && strings.HasPrefix(doc, "{") { // a document is its members
			_ = json.Unmarshal([]byte(doc), &part)
		}
		members = memberDigests(members, "", part, 0)
	}
	slices.Sort(members)
	if all := digest + " " + strings.Join(members, " "); len(all) <= store.MaxRequestDigest {
		return all, nil
	}
	return digest, nil
}

// memberDigests adds those of a value and, where it is an object, of what is in it, two
// objects deep. A zero value is as good as none.
func memberDigests(to []string, name string, value any, depth int) []string {
	plain := func(r rune) bool {
		return r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
	}
	if object, ok := value.(map[string]any); ok && depth < 2 && !slices.ContainsFunc(slices.Collect(maps.Keys(object)), func(key string) bool { return strings.ContainsFunc(key, func(r rune) bool { return !plain(r) }) }) {
		for key, inner := range object {
			of := key
			if name != "" {
				of = name + "." + key
			}
			to = memberDigests(to, of, inner, depth+1)
		}
		return to
	}
	switch b, _ := json.Marshal(value); string(b) {
	case `null`, `""`, `0`, `false`, `[]`, `{}`:
		return to
	default:
		sum := sha256.Sum256(b)
		return append(to, cmp.Or(name, "request")+":"+hex.EncodeToString(sum[:3]))
	}
}
