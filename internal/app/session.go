package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/tree"
	"github.com/cento-dev/cento/layer"
	"github.com/cento-dev/cento/pack"
	"github.com/cento-dev/cento/project"
	"github.com/cento-dev/cento/reminder"
	"github.com/cento-dev/cento/session"
	"github.com/cento-dev/cento/store"
)

// Sessions are the sessions of a store.
type Sessions struct {
	*session.Service
	store *store.Store
}

// OpenSessions opens the store of [OpenStore] for its sessions. The caller
// closes it. A file that isn't there is made where a session is to begin; else it
// is [store.UnknownSession].
func OpenSessions(ctx context.Context, place project.Place, r project.Request, asked string, begins bool) (*Sessions, error) {
	at, err := StorePlace(place, r, asked)
	if err != nil {
		return nil, err
	}
	if !begins && filepath.IsAbs(at) { // else the address of a server
		if _, err := os.Lstat(at); errors.Is(err, fs.ErrNotExist) {
			return nil, &cento.SourceError{
				Code: store.UnknownSession, Message: "there is no session: nothing is stored at " + filepath.ToSlash(at),
				Hint: "cento session start begins one; --store names another store",
			}
		}
	}
	s, err := store.Open(ctx, at, store.Options{})
	if err != nil {
		return nil, err
	}
	return &Sessions{session.New(s, Reduce), s}, nil
}

// Located tells of a session that isn't there where it was looked for.
func (s *Sessions) Located(err error) error {
	e, ok := errors.AsType[*cento.SourceError](err)
	if !ok || e.Code != store.UnknownSession {
		return err
	}
	told := *e
	told.Message += " in the store " + s.store.Place()
	if told.Hint == "" {
		told.Hint = "cento session list tells which there are, cento session start begins one"
	}
	return &told
}

// Close closes the store.
func (s *Sessions) Close() error { return s.store.Close() }

// Reduce makes the prompt of an input that was collected before, with all that
// it brings along. It reads nothing.
func Reduce(in cento.Input) (*cento.Prompt, error) {
	engine, err := pack.NewEngine(in)
	if err != nil {
		return nil, err
	}
	return cento.ReduceWith(in, engine)
}

// SessionSettings are those that a project asks for.
func (p *Project) SessionSettings() session.Settings {
	m := p.Manifest
	return session.Settings{
		PerTurn: m.Materialise == project.EveryTurn, Placement: m.Reminders.Placement, AppendOnly: m.Reminders.AppendOnly,
		Providers: m.Reminders.Providers,
	}
}

// SessionRow is a session in a list.
type SessionRow struct {
	store.Session
	Epoch   int64 `json:"epoch"`
	Turn    int64 `json:"turn"`
	Pending int   `json:"pending"`
}

// List lists the sessions of the store in the order in which they began, or the
// children of one. What has records and no state is no session.
func (s *Sessions) List(ctx context.Context, parent string, limit int) ([]SessionRow, error) {
	list, err := s.store.Sessions(ctx, store.SessionQuery{Parent: parent, Limit: limit})
	if err == nil && len(list) == 0 && parent != "" {
		_, err = s.store.Session(ctx, parent) // children outlive a parent that was swept
	}
	if err != nil {
		return nil, err
	}
	out := []SessionRow{}
	for _, x := range list {
		row, err := s.store.Session(ctx, x.ID)
		if err != nil {
			return nil, err
		}
		if row.State == nil {
			continue
		}
		state, err := session.ReadState(row.State)
		if err != nil {
			return nil, err
		}
		out = append(out, SessionRow{Session: *row, Epoch: state.Epoch, Turn: state.Reminders.Turn, Pending: len(state.Reminders.Reminders)})
	}
	return out, nil
}

// ReadSessionLayer reads the layer of a session from a file that the user names.
func ReadSessionLayer(path string) (*layer.Layer, error) {
	f, err := tree.ReadPath(path, tree.Options{Limit: cento.DefaultLimits().File})
	if err != nil {
		return nil, err
	}
	l, err := layer.Read(path, []byte(f.Text), cento.TrustHost, cento.Limits{})
	if err != nil {
		return nil, err
	}
	return &l, nil
}

// SessionExplanation is the prompt that a session has, with its live reminders.
type SessionExplanation struct {
	cento.Explanation
	Session   string             `json:"session"`
	Epoch     int64              `json:"epoch"`
	Turn      int64              `json:"turn"`
	Placement reminder.Placement `json:"placement"`
	// Reminders are those that a turn would show now and that don't stand in the
	// system prompt; the others are among the fragments.
	Reminders []cento.Trace `json:"reminders"`
}

// Explain tells what is in the prompt of a session, and why. Reminders that are
// placed in the system prompt are among its fragments.
func (s *Sessions) Explain(ctx context.Context, id string, o cento.ExplainOptions) (*SessionExplanation, error) {
	v, err := s.View(ctx, id)
	if err != nil {
		return nil, err
	}
	if o.Counter, err = CounterFor(v.Input.Active.Model); err != nil {
		return nil, err
	}
	out := &SessionExplanation{
		Explanation: *v.Prompt.Explain(o), Session: id, Epoch: v.Epoch, Turn: v.Turn, Placement: v.Placement, Reminders: []cento.Trace{},
	}
	if v.Aside != nil {
		for i := range v.Aside.Len() {
			if t := v.Aside.Trace(i, o); t.Trust == cento.TrustSession {
				out.Reminders = append(out.Reminders, t)
			}
		}
	}
	return out, nil
}

// DriftSummary is a drift in one line.
func DriftSummary(d *session.Drift) string {
	if !d.Drifted {
		return fmt.Sprintf("the sources of session %q give the prompt that it has", d.Session)
	}
	return fmt.Sprintf("the sources of session %q give another prompt than the one that it has", d.Session)
}
