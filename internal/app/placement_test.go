package app_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/reminder"
	"github.com/cento-dev/cento/session"
	"github.com/cento-dev/cento/wire/cache"
)

// TestPlacementFigures: a session whose reminders are in the system prompt reports what the
// session costs that has them in the turn, and where that costs less it gives the hint. Both
// sessions are run, in several formats, with a scope and without, their conversation marked
// or not, with instructions behind the reminders or without.
func TestPlacementFigures(t *testing.T) {
	for _, model := range []string{"claude-opus-5", "gpt-5.4", "gpt-5.6-sol", "gemini-3.5-flash", "us.anthropic.claude-opus-5-v1:0", "deepseek-v4-pro"} {
		for _, scope := range []string{"off", "{allow: [{target: ., permission: read}]}"} {
			for _, marked := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s scope %s marked %v", model, scope, marked), func(t *testing.T) {
					system := ranSession(t, model, scope, "system", marked)
					turn := ranSession(t, model, scope, "turn", marked)
					told, is := system.Sum.Cost, turn.Sum.Cost
					if told == nil || told.InTurn == nil || is == nil {
						t.Fatal("no price is known")
					}
					if off := math.Abs(*told.InTurn-is.Predicted) / is.Predicted; off > 0.001 {
						t.Errorf("$%f with reminders in the turn, and that session costs $%f: %.2f %% off", *told.InTurn, is.Predicted, 100*off)
					}
					hinted := slices.ContainsFunc(system.Steps, func(s cache.StepReport) bool { return s.Hint != nil && s.Hint.Change == cache.PlaceInTurn })
					if saves := told.Predicted - is.Predicted; hinted != (saves > 0.01*told.Predicted) {
						t.Errorf("reminders in the turn save $%f of $%f, and the hint is there: %v", saves, told.Predicted, hinted)
					}
				})
			}
		}
	}
}

// ranSession is the report on a session of four turns, with a reminder in the second and third.
func ranSession(t *testing.T, model, scope, placement string, marked bool) *app.CacheReport {
	t.Helper()
	dir := t.TempDir()
	manifest := fmt.Sprintf("model: %q\nprofile: off\nscope: %s\nsystem: %q\nreminders: {placement: %s}\nwire: {cache: {conversation: %v}}\n",
		model, scope, strings.Repeat("Keep the house rules in mind at all times. ", 700), placement, marked)
	if err := os.WriteFile(filepath.Join(dir, "cento.yaml"), []byte(manifest), 0o600); err != nil {
		t.Fatal(err)
	}
	r := app.Request{Dir: dir}
	site, err := app.Locate(r)
	if err != nil {
		t.Fatal(err)
	}
	s, err := app.OpenSessions(t.Context(), site, r, "sessions.db", app.Begins)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	from := app.SessionProject(func(ctx context.Context, reading session.Reading) (*app.Project, cento.Input, error) {
		p, err := s.Open(ctx, reading)
		if err != nil {
			return nil, cento.Input{}, err
		}
		return p, p.Input, nil
	})
	if _, err := s.Start(t.Context(), app.SessionStart{ID: "c"}, from); err != nil {
		t.Fatal(err)
	}
	type message struct {
		Role string `json:"role"`
		Text string `json:"text"`
	}
	var said []message
	for i := range 4 {
		if i == 1 {
			if _, err := s.Remind(t.Context(), session.RemindRequest{ID: "c", Reminder: reminder.Reminder{Body: "The tests of the parser fail & block.", TTLTurns: 2}}); err != nil {
				t.Fatal(err)
			}
		}
		said = append(said, message{"user", fmt.Sprintf("Question %d: ", i) + strings.Repeat("please look at the file again and tell what is in it. ", 60)})
		data, err := json.Marshal(said)
		if err != nil {
			t.Fatal(err)
		}
		said = append(said, message{"assistant", fmt.Sprintf("Answer %d: ", i) + strings.Repeat("here is what it holds. ", 60)})
		o := app.WireOptions{}
		if o.Messages, err = app.ReadMessages("m.json", data); err != nil {
			t.Fatal(err)
		}
		turn := app.TurnRequest{ID: "c"}
		if err := s.Wire(&turn, o); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Turn(t.Context(), turn, from.Source()); err != nil {
			t.Fatal(err)
		}
	}
	report, err := s.Cache(t.Context(), "c", app.CacheOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return report
}
