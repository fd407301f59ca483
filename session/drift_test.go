package session_test

import (
	"context"
	"slices"
	"strings"
	"testing"

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
	if turn := f.turn("s"); turn.Epoch != 1 {
		t.Errorf("drift made a prompt: %+v", turn)
	}
}
