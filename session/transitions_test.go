package session_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/storetest"
	"github.com/cento-dev/cento/reminder"
	"github.com/cento-dev/cento/session"
	"github.com/cento-dev/cento/wire"
)

// toolLoop are a call of a tool and its result in the words of each form.
var toolLoop = map[wire.Form][]string{
	wire.Anthropic: {
		`{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"read","input":{}}]}`,
		`{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"found"}]}`,
	},
	wire.OpenAI: {
		`{"role":"assistant","tool_calls":[{"id":"c1","type":"function","function":{"name":"read","arguments":"{}"}}]}`,
		`{"role":"tool","tool_call_id":"c1","content":"found"}`,
	},
	wire.OpenAIResponses: {
		`{"type":"function_call","call_id":"c1","name":"read","arguments":"{}"}`,
		`{"type":"function_call_output","call_id":"c1","output":"found"}`,
	},
	wire.Gemini: {
		`{"role":"model","parts":[{"functionCall":{"name":"read","args":{}}}]}`,
		`{"role":"user","parts":[{"functionResponse":{"name":"read","response":{"result":"found"}}}]}`,
	},
	wire.Bedrock: {
		`{"role":"assistant","content":[{"toolUse":{"toolUseId":"c1","name":"read","input":{}}}]}`,
		`{"role":"user","content":[{"toolResult":{"toolUseId":"c1","content":[{"text":"found"}]}}]}`,
	},
	wire.Ollama: {
		`{"role":"assistant","content":"","tool_calls":[{"function":{"name":"read","arguments":{}}}]}`,
		`{"role":"tool","tool_name":"read","content":"found"}`,
	},
}

func raw(texts ...string) []wire.Message {
	out := make([]wire.Message, len(texts))
	for i, text := range texts {
		out[i] = wire.Message{Raw: json.RawMessage(text)}
	}
	return out
}

// What a compaction kept, and every reminder of one turn, lasts for all requests of a
// tool loop, and goes when the user speaks again.
func TestRemindersLastForAToolLoop(t *testing.T) {
	ctx := context.Background()
	for form, loop := range toolLoop {
		t.Run(form.String(), func(t *testing.T) {
			f := begin(t, storetest.SQLite(t), placed(reminder.InTurn))
			ask := func(messages []wire.Message, continues bool) *session.Turn {
				t.Helper()
				r := session.TurnRequest{ID: "s", Continues: continues, Wire: &wire.Request{Form: form, Messages: messages}}
				if messages == nil {
					r.Wire = nil
				}
				out, err := f.Turn(ctx, r, f.files.source)
				if err != nil {
					t.Fatal(err)
				}
				return out
			}
			hello := []wire.Message{{Role: "user", Text: "Begin."}}
			ask(hello, false)
			if _, err := f.Compact(ctx, session.CompactRequest{ID: "s", Recap: "RECAP"}); err != nil {
				t.Fatal(err)
			}
			f.remind("s", reminder.Reminder{Body: "RED", TTLTurns: 1, ID: "red"})
			conversation := []wire.Message{{Role: "user", Text: "Go on."}}
			for request := range 4 {
				out := ask(conversation, false)
				for _, want := range []string{"RECAP", "RED"} {
					if n := strings.Count(out.Request.Body, want); n != 1 {
						t.Fatalf("request %d has %s %d times:\n%s", request, want, n, out.Request.Body)
					}
				}
				if out.Turn != int64(request+1) {
					t.Errorf("request %d is turn %d", request, out.Turn)
				}
				conversation = append(conversation, raw(loop...)...)
			}
			if out := ask(nil, true); out.Envelope == nil || !strings.Contains(*out.Envelope, "RECAP") {
				t.Error("a turn that goes on has lost the recap")
			}
			conversation = append(conversation, wire.Message{Role: "assistant", Text: "Done."}, wire.Message{Role: "user", Text: "Thanks."})
			if out := ask(conversation, false); strings.Contains(out.Request.Body, "RECAP") || strings.Contains(out.Request.Body, "RED") {
				t.Errorf("the next turn of the user has them:\n%s", out.Request.Body)
			}
		})
	}
}

// Each transition twice, and in the wrong order: what has nothing to do says so or does
// it again, and no reminder is lost before a turn showed it.
func TestTransitionsTwice(t *testing.T) {
	ctx := context.Background()
	f := begin(t, storetest.SQLite(t), placed(reminder.InTurn))
	f.remind("s", reminder.Reminder{Body: "Red.", ID: "r", TTLTurns: 2})
	before := f.show("s").Version
	for range 3 {
		out, err := f.EndTurn(ctx, session.EndRequest{ID: "s", Options: session.Options{Key: "end"}})
		if err != nil {
			t.Fatal(err)
		}
		noted := slices.ContainsFunc(out.Notes, func(n cento.Note) bool { return n.Code == session.CodeNoTurn })
		if out.Version != before || len(out.Pending) != 1 || out.Pending[0].TTLTurns != 2 || len(out.Events) > 0 || out.Turn != 0 || !noted {
			t.Errorf("ending no turn: %+v", out)
		}
	}
	f.turn("s")
	for i := range 2 {
		out, err := f.EndTurn(ctx, session.EndRequest{ID: "s"})
		if err != nil || out.Turn != 1 || len(out.Pending) != 1 || out.Pending[0].TTLTurns != 1 || (len(out.Notes) > 0) != (i == 1) {
			t.Errorf("end %d: %+v, %v", i, out, err)
		}
	}
	for range 2 {
		out, err := f.Compact(ctx, session.CompactRequest{ID: "s", Recap: "Recap."})
		if err != nil || len(out.Pending) != 1 || !strings.Contains(out.Pending[0].Body, "Recap.") {
			t.Errorf("a compaction: %+v, %v", out, err)
		}
	}
	for i := range 2 {
		out, err := f.Clear(ctx, session.ClearRequest{ID: "s", Match: reminder.Match{ID: f.show("s").Pending[0].ID}})
		if i == 0 && (err != nil || len(out.Pending) != 0) {
			t.Errorf("clear: %+v, %v", out, err)
		}
		if i == 0 {
			f.remind("s", reminder.Reminder{Body: "Again.", ID: "again", TTLTurns: 1})
		}
	}
	if _, err := f.Materialise(ctx, "s", f.files.source); err != nil {
		t.Error(err)
	}
	for i := range 2 {
		if _, err := f.Fork(ctx, session.ForkRequest{ID: "s", Child: "kid"}); (err == nil) != (i == 0) {
			t.Errorf("fork %d: %v", i, err)
		}
	}
	for i := range 2 {
		if _, err := f.Delete(ctx, session.DeleteRequest{ID: "kid"}); (err == nil) != (i == 0) {
			t.Errorf("delete %d: %v", i, err)
		}
	}
	if _, err := f.EndTurn(ctx, session.EndRequest{ID: "kid"}); err == nil {
		t.Error("a turn of no session ends")
	}
}

// A turn that is asked for again with messages of other bytes has a note.
func TestOtherBytesAreNoted(t *testing.T) {
	ctx := context.Background()
	f := begin(t, storetest.SQLite(t), placed(reminder.InTurn))
	ask := func(content string) *session.Turn {
		t.Helper()
		messages := append([]wire.Message{{Role: "user", Text: "x"}}, raw(`{"role":"assistant","content":"`+content+`"}`)...)
		messages = append(messages, wire.Message{Role: "user", Text: "y"})
		out, err := f.Turn(ctx, session.TurnRequest{ID: "s", Options: session.Options{Key: "1"}, Wire: &wire.Request{Form: wire.OpenAI, Messages: messages}}, f.files.source)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	first := ask(`a < b`)
	for content, other := range map[string]bool{`a < b`: false, `a \u003c b`: true} {
		out := ask(content)
		noted := slices.ContainsFunc(out.Notes, func(n cento.Note) bool { return n.Code == session.CodeOtherBody })
		if !out.Replayed || noted != other || (out.Request.Body == first.Request.Body) == other {
			t.Errorf("%s: noted %v: %v", content, noted, out.Notes)
		}
	}
}
