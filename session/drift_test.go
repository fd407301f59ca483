package session_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/storetest"
	"github.com/cento-dev/cento/session"
)

func TestDrift(t *testing.T) {
	place := storetest.SQLite(t)
	f := begin(t, place, session.Settings{})
	ctx := context.Background()
	drift := func() *session.Drift {
		t.Helper()
		d, err := f.again().Drift(ctx, "s", f.files.source)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	if d := drift(); d.Drifted || len(d.Fragments)+len(d.Files) > 0 {
		t.Errorf("%+v", d)
	}
	f.files.instructions = "Run the tests twice."
	d := drift()
	if !d.Drifted || len(d.Fragments) != 1 || d.Fragments[0].ID != cento.InstructionsID || d.Fragments[0].What != "changed" ||
		!slices.Equal(d.Files, []string{"AGENTS.md"}) || !strings.Contains(text(d.Fragments[0].To), "twice") {
		t.Errorf("%+v", d)
	}
	f.files.instructions = "Run the tests."
	f.files.tools = []string{"write"}
	d = drift()
	if !d.Drifted || !slices.Equal(d.Tools.Added, []string{"write"}) || !slices.Equal(d.Tools.Removed, []string{"read"}) || !slices.Equal(d.Files, []string{"tools.json"}) {
		t.Errorf("%+v", d)
	}
	// A capability that nothing asks for changes no byte, and is drift all the same.
	f.files.tools, f.files.caps = []string{"read"}, []string{"headless"}
	if d := drift(); !d.Drifted || len(d.Fragments) > 0 || !slices.Equal(d.Caps.Added, []string{"headless"}) {
		t.Errorf("%+v", d)
	}
	// So is another model.
	f.files.caps = nil
	d, err := f.again().Drift(ctx, "s", func(ctx context.Context, r session.Reading) (cento.Input, error) {
		in, err := f.files.source(ctx, r)
		in.Active.Model = "another"
		return in, err
	})
	if err != nil || !d.Drifted || d.Model == nil || *d.Model != (session.NameChange{From: "", To: "another"}) {
		t.Errorf("%+v, %v", d, err)
	}
	if turn := f.turn("s"); turn.Epoch != 1 {
		t.Errorf("drift made a prompt: %+v", turn)
	}
}

// The sources are read as of the moment that the prompt was made at, so that the
// time alone is no drift; and a prompt that a turn makes itself has none to tell.
func TestDriftOfTheSameMoment(t *testing.T) {
	ctx := context.Background()
	f := fresh(t, storetest.SQLite(t))
	made := time.Date(2026, 5, 4, 3, 2, 1, 0, time.UTC)
	var asked []time.Time
	source := func(ctx context.Context, r session.Reading) (cento.Input, error) {
		asked = append(asked, r.Now)
		in, err := f.files.source(ctx, r)
		if in.Files.Now = r.Now; r.Now.IsZero() {
			in.Files.Now = made
		}
		return in, err
	}
	f.files.err = errBroken
	if _, err := f.Start(ctx, session.StartRequest{ID: "s"}, source); err == nil {
		t.Fatal("the first prompt was made")
	}
	f.files.err = nil
	asked = nil
	first, err := f.Turn(ctx, session.TurnRequest{ID: "s", Check: session.DriftTold}, source)
	if err != nil || first.Drift != nil || len(asked) != 1 || !asked[0].IsZero() {
		t.Errorf("%+v, %v; asked at %v", first, err, asked)
	}
	next, err := f.Turn(ctx, session.TurnRequest{ID: "s", Check: session.DriftTold}, source)
	if err != nil || next.Drift == nil || next.Drift.Drifted || len(asked) != 2 || !asked[1].Equal(made) {
		t.Errorf("%+v, %v; asked at %v", next, err, asked)
	}
}
