package session_test

import (
	"context"
	"testing"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/reminder"
	"github.com/cento-dev/cento/session"
	"github.com/cento-dev/cento/store"
	"github.com/cento-dev/cento/store/engines"
)

func open(t testing.TB, place string) *store.Store {
	t.Helper()
	s, err := engines.Open(context.Background(), place, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// files is a project of two files, as a source reads it.
type files struct {
	system, instructions string
	tools                []string
	caps                 []string
	err                  error
	read                 int // how often
}

func (f *files) input() cento.Input {
	in := cento.Input{
		Primary:      cento.Primary{System: &cento.Text{Body: f.system, Trust: cento.TrustWorkspace, Origin: cento.Position{File: "cento.yaml", Line: 1, Column: 9}}},
		Instructions: &cento.Text{Body: "## Project instructions (AGENTS.md)\n\n" + f.instructions, Trust: cento.TrustWorkspace, Origin: cento.Position{File: "AGENTS.md", Line: 1, Column: 1}},
		AllTools:     true, Active: cento.Active{Caps: f.caps},
	}
	for _, name := range f.tools {
		words := "Use " + name + " with care."
		in.Tools = append(in.Tools, cento.Tool{Name: name, Guidance: &words, Origin: cento.Position{File: "tools.json", Line: 1, Column: 1}})
	}
	return in
}

func (f *files) source(_ context.Context, r session.Reading) (cento.Input, error) {
	f.read++
	if f.err != nil {
		return cento.Input{}, f.err
	}
	in := f.input()
	if r.Layer != nil {
		text, err := r.Layer.AppendJSON(nil)
		if err != nil {
			return in, err
		}
		in.Fragments = []cento.Fragment{{ID: "layer", Body: string(text)}}
	}
	return in, nil
}

func project() *files {
	return &files{system: "You are careful.", instructions: "Run the tests.", tools: []string{"read"}}
}

// fixture is a service on a store, and the project that it reads.
type fixture struct {
	*session.Service
	t     testing.TB
	place string
	store *store.Store
	other *store.Store // the same place, opened once more when it is asked for
	files *files
}

func fresh(t testing.TB, place string) *fixture {
	t.Helper()
	f := &fixture{t: t, place: place, store: open(t, place), files: project()}
	f.Service = session.New(f.store)
	return f
}

// begin is a service with a session s.
func begin(t testing.TB, place string, settings session.Settings) *fixture {
	t.Helper()
	f := fresh(t, place)
	f.start("s", settings)
	return f
}

func (f *fixture) start(id string, settings session.Settings) *session.Started {
	f.t.Helper()
	out, err := f.Start(context.Background(), session.StartRequest{ID: id, Settings: settings}, f.files.source)
	if err != nil {
		f.t.Fatal(err)
	}
	return out
}

func (f *fixture) turn(id string) *session.Turn {
	f.t.Helper()
	out, err := f.Turn(context.Background(), session.TurnRequest{ID: id}, f.files.source)
	if err != nil {
		f.t.Fatal(err)
	}
	return out
}

func (f *fixture) remind(id string, r reminder.Reminder) *session.Changed {
	f.t.Helper()
	out, err := f.Remind(context.Background(), session.RemindRequest{ID: id, Reminder: r})
	if err != nil {
		f.t.Fatal(err)
	}
	return out
}

func (f *fixture) show(id string) *session.Shown {
	f.t.Helper()
	out, err := f.Show(context.Background(), id)
	if err != nil {
		f.t.Fatal(err)
	}
	return out
}

// again is the same store as another process sees it: through a handle of its
// own, with nothing in memory.
func (f *fixture) again() *fixture {
	f.t.Helper()
	if f.other == nil {
		f.other = open(f.t, f.place)
	}
	return &fixture{Service: session.New(f.other), t: f.t, place: f.place, store: f.other, other: f.store, files: f.files}
}

func (f *fixture) head(id string) int64 {
	f.t.Helper()
	row, err := f.store.Session(context.Background(), id, store.Projects{})
	if err != nil {
		f.t.Fatal(err)
	}
	return row.Head.Seq
}

func placed(p reminder.Placement) session.Settings { return session.Settings{Placement: &p} }

func text(s *string) string {
	if s == nil {
		return "(none)"
	}
	return *s
}

func second[T any](_ T, err error) error { return err }

func third[T, U any](_ T, _ U, err error) error { return err }
