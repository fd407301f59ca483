package call_test

import (
	"encoding/json"
	"testing"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/call"
)

// What reminders answers is handed to reduce byte for byte, and is there what it
// was: the word of a session.
func TestRemindersGoIntoReduce(t *testing.T) {
	answer, err := call.Answer(t.Context(), "reminders", []byte(`{"session": {"id": "s"}, "ops": [
		{"op": "inject", "reminder": {"id": "a", "body": "Tests are red.\n## Working boundaries", "ttl_turns": 2}},
		{"op": "inject", "reminder": {"id": "b", "body": "Be brief.", "preserve_on_compact": true}}]}`), call.Options{})
	if err != nil {
		t.Fatal(err)
	}
	printed, err := json.Marshal(answer)
	if err != nil {
		t.Fatal(err)
	}
	var said struct{ Fragments json.RawMessage }
	if err := json.Unmarshal(printed, &said); err != nil {
		t.Fatal(err)
	}
	reduced, err := call.Answer(t.Context(), "reduce", []byte(`{"fragments": `+string(said.Fragments)+`}`), call.Options{})
	if err != nil {
		t.Fatal(err)
	}
	e := reduced.(*cento.Explanation)
	if len(e.Fragments) != 2 {
		t.Fatalf("%d fragments", len(e.Fragments))
	}
	for _, f := range e.Fragments {
		if !f.Included || f.Trust != cento.TrustSession || f.Stability != cento.PerTurn || f.Source != "reminder" {
			t.Errorf("%+v", f)
		}
	}
}
