package wire_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/wire"
)

// A conversation that was kept and read again makes the same request, byte for byte.
func TestKeptConversationHasTheSameBytes(t *testing.T) {
	messages := []wire.Message{
		{Role: "user", Text: "a < b & c\u2028"},
		{Raw: json.RawMessage(`{"role": "assistant",  "content": "a < b \u003c & é"}`), Turn: new(int64(3))},
		{Role: "user", Text: "y"},
	}
	body := func(messages []wire.Message) string {
		t.Helper()
		out, err := wire.Build(wire.Request{Form: wire.OpenAI, Model: &cento.Model{Name: "m"}, Messages: messages})
		if err != nil {
			t.Fatal(err)
		}
		return out.Body
	}
	kept, err := wire.AppendMessages([]byte("x"), messages)
	if err != nil || !bytes.HasPrefix(kept, []byte(`x[{"role":"user","text":"a < b`)) {
		t.Fatalf("%s, %v", kept, err)
	}
	for range 3 {
		read, err := wire.ReadMessages(kept[1:])
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(read[1].Raw, messages[1].Raw) || *read[1].Turn != 3 || body(read) != body(messages) {
			t.Errorf("read as %s", read[1].Raw)
		}
		again, err := wire.AppendMessages([]byte("x"), read)
		if err != nil || !bytes.Equal(again, kept) {
			t.Errorf("kept again as %s, %v", again, err)
		}
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(messages[1]); err != nil || b.String() != `{"raw":{"role":"assistant","content":"a < b \u003c & é"},"turn":3}`+"\n" {
		t.Errorf("%s, %v", b.String(), err)
	}
	for _, bad := range []wire.Message{{Raw: json.RawMessage(`{`)}, {Role: "user", Text: "\xff"}} {
		if out, err := wire.AppendMessages(nil, []wire.Message{bad}); err == nil {
			t.Errorf("%+v is kept as %s", bad, out)
		}
	}
	if _, err := wire.ReadMessages([]byte(`[{"role":"user","txet":"x"}]`)); err == nil {
		t.Error("an unknown member is read")
	}
	if none, err := wire.AppendMessages(nil, nil); err != nil || string(none) != "[]\n" {
		t.Errorf("%s, %v", none, err)
	}
}
