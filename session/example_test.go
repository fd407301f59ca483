package session_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/reminder"
	"github.com/cento-dev/cento/session"
	"github.com/cento-dev/cento/store"
	"github.com/cento-dev/cento/store/sqlite"
)

// A session with one reminder, which is shown in the turn after it came up.
func Example() {
	ctx := context.Background()
	folder, err := os.MkdirTemp("", "agent")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	kept, err := sqlite.Open(ctx, filepath.Join(folder, "agent.db"), store.Options{})
	if err != nil {
		panic(err)
	}
	defer kept.Close()
	source := func(context.Context, session.Reading) (cento.Input, error) {
		return cento.Input{Fragments: []cento.Fragment{cento.NewFragment("rules", "agent", cento.Before, "You are careful.")}}, nil
	}

	s := session.New(kept)
	if _, err := s.Start(ctx, session.StartRequest{ID: "s1"}, source); err != nil {
		panic(err)
	}
	if _, err := s.Remind(ctx, session.RemindRequest{ID: "s1", Reminder: reminder.Reminder{Body: "Tests are red.", TTLTurns: 1}}); err != nil {
		panic(err)
	}
	for range 2 {
		turn, err := s.Turn(ctx, session.TurnRequest{ID: "s1"}, source)
		if err != nil {
			panic(err)
		}
		fmt.Printf("turn %d: %q\n", turn.Turn, *turn.System)
	}
	// Output:
	// turn 0: "You are careful.\n\nTests are red."
	// turn 1: "You are careful."
}
