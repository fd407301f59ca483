package wire_test

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/wire"
)

// TestSchemasStandInTheBody: in every form, what a tool wrote stands where the result
// says, and only the tools that wrote something are told.
func TestSchemasStandInTheBody(t *testing.T) {
	tools := []cento.Tool{
		{Name: "bare", Description: "Takes nothing."},
		{Name: "read", Parameters: json.RawMessage(`{"type": "object", "properties": {"path": {"type": "string", "description": "which file"}}}`)},
		{Name: "list", Description: "Lists.", Parameters: json.RawMessage(`{"type":"object"}`)},
	}
	for _, name := range wire.Forms() {
		var form wire.Form
		if err := form.UnmarshalText([]byte(name)); err != nil {
			t.Fatal(err)
		}
		out, err := wire.Build(wire.Request{Form: form, Tools: tools, Partial: true})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		want := []string{"read", "list"}
		if form == wire.Text {
			want = nil
		}
		if len(out.Schemas) != len(want) {
			t.Fatalf("%s: %d schemas, want those of %q", name, len(out.Schemas), want)
		}
		for i, s := range out.Schemas {
			if s.Tool.Name != want[i] {
				t.Errorf("%s: schema %d is of %q, want %q", name, i, s.Tool.Name, want[i])
			}
			var wrote bytes.Buffer
			if err := json.Compact(&wrote, s.Tool.Parameters); err != nil {
				t.Fatal(err)
			}
			if got := valueAt(t, out.Body, s.Pointer); got != wrote.String() || string(s.Value) != got {
				t.Errorf("%s: at %s stands %s, and %s was written as %s", name, s.Pointer, got, wrote.String(), s.Value)
			}
		}
	}
}

// valueAt is the value at a JSON pointer without escapes, as it is written.
func valueAt(t *testing.T, body, pointer string) string {
	t.Helper()
	at := json.RawMessage(body)
	for _, step := range strings.Split(pointer, "/")[1:] {
		var list []json.RawMessage
		var object map[string]json.RawMessage
		if n, err := strconv.Atoi(step); err == nil && json.Unmarshal(at, &list) == nil && n < len(list) {
			at = list[n]
		} else if json.Unmarshal(at, &object) == nil {
			at = object[step]
		}
	}
	return string(at)
}
