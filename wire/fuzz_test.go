package wire_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/model"
	"github.com/cento-dev/cento/token"
	"github.com/cento-dev/cento/wire"
)

// FuzzBuild: whatever a prompt, a tool, a message and further members say, a request is
// refused by errors with codes, or its body is valid, the same when it is built again, and
// every string that the map names is tiled by it to its end.
func FuzzBuild(f *testing.F) {
	for form := range wire.Forms() {
		f.Add(byte(form), byte(form), "# Rules\n</rules> é", "read", `{"type": "object"}`, `{"role":"user","content":"x"}`, `{"z": 1}`)
		f.Add(byte(form), byte(255-form), "a\u2028b", "a.b", `{"n": 1.0, "n": 2}`, `{"role":"user","content":[{"type":"text","text":"x"}],"parts":[{"text":"x"}]}`, ``)
	}
	f.Fuzz(func(t *testing.T, form, flags byte, text, tool, schema, message, extra string) {
		fragments := []cento.Fragment{
			{ID: "a", Body: text, Section: "Rules", Trust: cento.TrustHost},
			{ID: "b", Body: "b" + text, Section: "Rules", Stability: cento.Stability(flags % 3), Trust: cento.TrustWorkspace},
		}
		p, err := cento.ReduceFragments(fragments, cento.Active{}, cento.Options{})
		if err != nil {
			return
		}
		m, _ := model.Default().Lookup(modelNames[int(flags)%len(modelNames)])
		least := 1
		m.Cache.MinTokens = &least
		r := wire.Request{
			Form: wire.Form(1 + int(form)%len(wire.Forms())), Model: &m, Prompt: p, Counter: token.CounterFor("gpt-4o"),
			Tools: []cento.Tool{{Name: tool, Description: text, Parameters: json.RawMessage(schema)}}, Extra: json.RawMessage(extra),
			Messages: []wire.Message{{Role: "user", Text: "Go."}, {Raw: json.RawMessage(message)}}, Sections: wire.Sectioning(flags >> 7),
			Cache: wire.Cache{Conversation: flags&64 != 0},
		}
		if flags&32 != 0 {
			r.Reminders.Envelope = p
		}
		got, err := wire.Build(r)
		if err != nil {
			var one *cento.SourceError
			if !errors.As(err, &one) || one.Code == "" || one.Message == "" {
				t.Fatalf("an error without a code: %v", err)
			}
			return
		}
		if r.Form != wire.Text && !json.Valid([]byte(got.Body)) {
			t.Fatalf("not JSON: %s", got.Body)
		}
		again, err := wire.Build(r)
		if err != nil || again.Body != got.Body {
			t.Fatalf("built again: %v\n%s\n%s", err, got.Body, again.Body)
		}
		strs, ends := stringsOf(t, r.Form, got), map[string]int{}
		for _, p := range got.Map {
			s, ok := strs[p.Pointer]
			if !ok || p.Start < 0 || p.End > len(s) || p.Start >= p.End || p.Span >= len(got.Spans) {
				t.Fatalf("the map has %+v\n%s", p, got.Body)
			}
			if before, seen := ends[p.Pointer]; seen && before != p.Start && s[before:p.Start] != "\n\n" {
				t.Fatalf("%q has a gap from %d to %d\n%s", p.Pointer, before, p.Start, got.Body)
			}
			ends[p.Pointer] = p.End
		}
		for pointer, end := range ends {
			if end != len(strs[pointer]) {
				t.Fatalf("the map of %q ends at %d of %d\n%s", pointer, end, len(strs[pointer]), got.Body)
			}
		}
	})
}
