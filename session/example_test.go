package session_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/reminder"
	"github.com/cento-dev/cento/session"
	"github.com/cento-dev/cento/store"
	"github.com/cento-dev/cento/store/sqlite"
	"github.com/cento-dev/cento/wire"
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

// An agent that runs tools until the model answers. Each step of the loop is a request of
// its own, and all of them belong to one turn of the user: the reminder lasts for all of
// them, and is gone when the user says something else. The model is scripted here.
func Example_toolLoop() {
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
	files := map[string]string{"Makefile": "test: ; go test ./..."}
	tools := map[string]func(input json.RawMessage) string{
		"list": func(json.RawMessage) string { return "Makefile" },
		"read": func(input json.RawMessage) string {
			var asked struct{ Name string }
			if err := json.Unmarshal(input, &asked); err != nil {
				return err.Error() // the model made a mistake, and can correct it
			}
			return files[asked.Name]
		},
	}
	source := func(context.Context, session.Reading) (cento.Input, error) {
		return cento.Input{AllTools: true, Tools: []cento.Tool{
			{Name: "list", Description: "List the files."},
			{Name: "read", Description: "Read a file.", Parameters: json.RawMessage(`{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}`)},
		}}, nil
	}
	script := []string{
		`{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"list","input":{}}]}`,
		`{"role":"assistant","content":[{"type":"tool_use","id":"t2","name":"read","input":{"name":"Makefile"}}]}`,
		`{"role":"assistant","content":[{"type":"text","text":"Run go test ./..."}]}`,
		`{"role":"assistant","content":[{"type":"text","text":"You are welcome."}]}`,
	}

	s, inTurn := session.New(kept), reminder.InTurn
	if _, err := s.Start(ctx, session.StartRequest{ID: "s1", Settings: session.Settings{Placement: &inTurn}}, source); err != nil {
		panic(err)
	}
	if _, err := s.Remind(ctx, session.RemindRequest{ID: "s1", Reminder: reminder.Reminder{Body: "Tests are red.", TTLTurns: 1}}); err != nil {
		panic(err)
	}
	var conversation []wire.Message
	requests := 0
	for _, said := range []string{"How do I run the tests?", "Thank you."} {
		conversation = append(conversation, wire.Message{Role: "user", Text: said})
		for running := true; running; {
			turn, err := s.Turn(ctx, session.TurnRequest{
				ID: "s1", Options: session.Options{Key: fmt.Sprint("request ", requests)}, // asked twice, it is one request
				Wire: &wire.Request{Form: wire.Anthropic, Messages: conversation},
			}, source)
			if err != nil {
				panic(err)
			}
			fmt.Printf("request %d: %d messages, %d reminders\n", requests, len(conversation), len(turn.Reminders))
			reply := script[requests] // instead of sending turn.Request.Body to turn.Request.URLPath
			requests++

			// What the model said goes back as it came, then the results of its calls.
			conversation = append(conversation, wire.Message{Raw: json.RawMessage(reply)})
			var answer struct {
				Content []struct {
					Type, ID, Name, Text string
					Input                json.RawMessage
				}
			}
			if err := json.Unmarshal([]byte(reply), &answer); err != nil {
				panic(err)
			}
			var results []any
			for _, part := range answer.Content {
				switch part.Type {
				case "text":
					fmt.Println(part.Text)
				case "tool_use":
					result := "there is no tool " + part.Name
					if run := tools[part.Name]; run != nil {
						result = run(part.Input)
					}
					results = append(results, map[string]any{"type": "tool_result", "tool_use_id": part.ID, "content": result})
				}
			}
			if running = results != nil; running {
				raw, err := json.Marshal(map[string]any{"role": "user", "content": results})
				if err != nil {
					panic(err)
				}
				conversation = append(conversation, wire.Message{Raw: raw})
			}
		}
	}
	// Output:
	// request 0: 1 messages, 1 reminders
	// request 1: 3 messages, 1 reminders
	// request 2: 5 messages, 1 reminders
	// Run go test ./...
	// request 3: 7 messages, 0 reminders
	// You are welcome.
}
