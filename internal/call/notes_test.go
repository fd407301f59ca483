package call_test

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/call"
)

// silent are the operations whose answers have no notes on what a request names, with the
// reason.
var silent = map[string]string{
	"check":     "its findings tell of the model and the tools of each target, and its requests name neither",
	"contract":  "its requests name neither a model nor a tool",
	"layers":    "its requests name no model, and tools that nothing defines",
	"models":    "its notes tell of the name that is looked for",
	"reminders": "its requests name neither a model nor a tool",
	"scope":     "its requests name neither a model nor a tool",
}

// TestNotes: what there is to say of the names that a request has, and of its model, is in
// the answer of each operation that opens a project.
func TestNotes(t *testing.T) {
	const asked = `"manifest": {"system": "Be brief.", "tools": [{"name": "todo", "guidance": "Keep the list."}], "scope": "off", "profile": "off", "skills": "off"}, "model": "claude-opsu-5", "without_tools": ["tood"]`
	requests := map[string]string{
		"ablate": ``, "assemble": ``, "budget": ``, "cache": `, "provider": "anthropic", "to": {"caps": ["x"]}`, "diff": `, "to": {"caps": ["x"]}`,
		"explain": ``, "wire": `, "provider": "anthropic", "partial": true`, "why": `, "text": "brief"`,
		// These name no tool of a project.
		"instructions": `"manifest": {}, "model": "claude-opsu-5"`,
		"reduce":       `"fragments": [], "model": "claude-opsu-5"`,
		"render":       `"files": {"$workspace/a": "x"}, "root": "$workspace/a", "model": "claude-opsu-5"`,
		"tokens":       `"texts": ["x"], "model": "claude-opsu-5"`,
	}
	for _, op := range call.Operations() {
		request, spoken := requests[op.Name]
		switch {
		case op.Name == "session": // see TestSessionNotes
			continue
		case !spoken && silent[op.Name] == "":
			t.Errorf("%s: no request here shows its notes, and no reason says why it has none", op.Name)
			continue
		case !spoken:
			continue
		}
		changes := 0
		if request == "" || request[0] == ',' {
			request, changes = asked+request, 1
		}
		answer, err := call.Answer(t.Context(), op.Name, []byte("{"+request+"}"), call.Options{})
		if err != nil {
			t.Errorf("%s: %v", op.Name, err)
			continue
		}
		told(t, op.Name, answer, changes)
	}
}

// told holds an answer to the notes on the model and the tool that a request mistypes: each
// stands there once, and that on the model has its place.
func told(t *testing.T, op string, answer any, changes int) {
	t.Helper()
	b, err := json.Marshal(answer)
	if err != nil {
		t.Fatal(err)
	}
	var has struct{ Notes []cento.Note }
	if err := json.Unmarshal(b, &has); err != nil {
		t.Fatal(err)
	}
	n := map[cento.Code]int{}
	for _, note := range has.Notes {
		n[note.Code]++
		if note.Code == "model.guessed" && note.Position.Line != 1 {
			t.Errorf("%s: the model that is guessed has no place: %+v", op, note)
		}
	}
	if n["model.guessed"] != 1 || n["change.idle"] != changes {
		t.Errorf("%s doesn't tell once of the model and the tool: %s", op, b)
	}
}

// TestSessionNotes: whatever makes the prompt of a session says what assembling would.
func TestSessionNotes(t *testing.T) {
	stores := app.NewStores(nil)
	t.Cleanup(func() {
		if err := stores.Close(); err != nil {
			t.Error(err)
		}
	})
	const asked = `, "manifest": {"system": "Be brief.", "tools": [{"name": "todo", "guidance": "Keep the list."}], "scope": "off", "profile": "off", "skills": "off"}, "model": "claude-opsu-5", "without_tools": ["tood"]`
	store, err := json.Marshal(filepath.Join(t.TempDir(), "s.db"))
	if err != nil {
		t.Fatal(err)
	}
	ask := func(request string) any {
		t.Helper()
		answer, err := call.Answer(t.Context(), "session", []byte(`{"store": `+string(store)+asked+", "+request+"}"), call.Options{Stores: stores})
		if err != nil {
			t.Fatalf("%s: %v", request, err)
		}
		return answer
	}
	for _, request := range []string{
		`"op": "start", "id": "s"`, `"op": "rematerialise", "id": "s"`, `"op": "drift", "id": "s"`,
	} {
		told(t, request, ask(request), 1)
	}
	ask(`"op": "start", "id": "each", "materialise": "per_turn"`)
	told(t, "a turn that makes its prompt", ask(`"op": "turn", "id": "each"`), 1)
	turn, err := json.Marshal(ask(`"op": "turn", "id": "s"`))
	if err != nil {
		t.Fatal(err)
	}
	var has struct{ Drift json.RawMessage }
	if err := json.Unmarshal(turn, &has); err != nil {
		t.Fatal(err)
	}
	told(t, "a turn that is held against what is asked", has.Drift, 1)
}
