package session_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/session"
)

// TestHeldBetweenPrompts: with a budget that holds, what the prompt before did without
// comes back only with room to spare, in a prompt of each turn as in one that is made
// anew; and a prompt that kept something out hasn't drifted from its sources for that.
func TestHeldBetweenPrompts(t *testing.T) {
	steps := []struct {
		words int // of a text that grows and shrinks
		held  bool
		plain bool
	}{
		{10, true, true},
		{40, false, false},
		{29, false, true}, // would fit, and leaves less than is to be left
		{10, true, true},
	}
	for _, perTurn := range []bool{true, false} {
		for _, hold := range []int{0, 10} {
			words := 0
			source := func(context.Context, session.Reading) (cento.Input, error) {
				return cento.Input{
					Primary:   cento.Primary{System: &cento.Text{Body: "Work" + strings.Repeat(" on", words) + "."}},
					Fragments: []cento.Fragment{{ID: "aside", Body: "Say it in few words.", Importance: cento.ImportanceOf(1)}},
					Budget:    &cento.Budget{Tokens: 45, Hold: hold}, Active: cento.Active{Model: "gpt-5.4"},
				}, nil
			}
			f := fresh(t, filepath.Join(t.TempDir(), "s.db"))
			for i, s := range steps {
				words = s.words
				if i == 0 {
					if _, err := f.Start(t.Context(), session.StartRequest{ID: "s", Settings: session.Settings{PerTurn: perTurn}}, source); err != nil {
						t.Fatal(err)
					}
				} else if !perTurn {
					if _, err := f.Rematerialise(t.Context(), session.RematerialiseRequest{ID: "s"}, source); err != nil {
						t.Fatal(err)
					}
				}
				turn, err := f.Turn(t.Context(), session.TurnRequest{ID: "s"}, source)
				if err != nil {
					t.Fatal(err)
				}
				want := s.plain
				if hold > 0 {
					want = s.held
				}
				if got := strings.Contains(text(turn.System), "few words"); got != want {
					t.Errorf("per turn %t, hold %d, step %d: it is in: %t, want %t", perTurn, hold, i, got, want)
				}
				d, err := f.Drift(t.Context(), "s", source)
				if err != nil {
					t.Fatal(err)
				}
				if d.Drifted {
					t.Errorf("per turn %t, hold %d, step %d: it drifted: %+v", perTurn, hold, i, d)
				}
			}
		}
	}
}
