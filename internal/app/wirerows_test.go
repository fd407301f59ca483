package app

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/model"
	"github.com/cento-dev/cento/token"
	"github.com/cento-dev/cento/wire"
)

func drawRowsPrompt(t *rapid.T, name string) *cento.Prompt {
	words := []string{"it.", "Run the tests.", "é日本🙂", "</rules>", "line\nline", "// x", "a"}
	var fragments []cento.Fragment
	for i := range rapid.IntRange(0, 5).Draw(t, name) {
		f := cento.NewFragment(fmt.Sprint(name, i), "", cento.Before, strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 1, 3).Draw(t, "body"), " "))
		f.Stability = rapid.SampledFrom([]cento.Stability{cento.Static, cento.PerSession, cento.PerTurn}).Draw(t, "stability")
		f.Section = rapid.SampledFrom([]string{"", "Rules", "2 Things"}).Draw(t, "section")
		fragments = append(fragments, f)
	}
	p, err := cento.ReduceFragments(fragments, cento.Active{}, cento.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// unparted counts as its counter does, and can't say where counts add up.
type unparted struct{ cento.Counter }

// TestWireRows: whatever the form and the sectioning, the rows of the system prompt and
// of the tools add up to what the request says of them, in tokens and in bytes; with
// headings as they are, to what the explanation says.
func TestWireRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m, _ := model.Default().Lookup(rapid.SampledFrom([]string{"claude-opus-5", "gpt-4.1", "gpt-6-sol", "gemini-2.5-pro", "qwen3:8b"}).Draw(t, "model"))
		m.Cache.MinTokens = new(int)
		counter := rapid.SampledFrom([]cento.Counter{token.CounterFor("gpt-4o"), token.CounterFor("claude-opus-5"), unparted{token.CounterFor("gpt-4o")}}).Draw(t, "counter")
		r := wire.Request{
			Form: wire.Form(rapid.IntRange(1, len(wire.Forms())).Draw(t, "form")), Model: &m, Counter: counter,
			Sections: rapid.SampledFrom([]wire.Sectioning{wire.Markdown, wire.XML}).Draw(t, "sections"),
			Messages: []wire.Message{{Role: "user", Text: "Go."}},
		}
		if rapid.Bool().Draw(t, "prompted") {
			r.Prompt = drawRowsPrompt(t, "f")
		}
		if rapid.Bool().Draw(t, "reminded") {
			r.Reminders.Envelope = drawRowsPrompt(t, "r")
		}
		for i := range rapid.IntRange(0, 3).Draw(t, "tools") {
			r.Tools = append(r.Tools, cento.Tool{
				Name: fmt.Sprint("tool_", i), Description: rapid.SampledFrom([]string{"", "Reads <a> \"file\"."}).Draw(t, "description"),
				Parameters: json.RawMessage(rapid.SampledFrom([]string{"", `{"type": "object", "cache_control": 1}`}).Draw(t, "schema")),
			})
		}
		got, err := wire.Build(r)
		if err != nil {
			t.Fatal(err)
		}
		w := &WireBody{Form: r.Form.String(), Result: *got}
		checkRows(t, w, r, counter)
	})
}

func checkRows(t *rapid.T, w *WireBody, r wire.Request, counter cento.Counter) {
	tokens, bytes, n := map[WireKind]int{}, map[WireKind]int{}, map[WireKind]int{}
	for _, row := range w.Rows(counter) {
		if row.Tokens < 0 || row.Bytes <= 0 || row.Fragment == "" {
			t.Fatalf("%+v", row)
		}
		n[row.Kind]++
		tokens[row.Kind] += row.Tokens
		bytes[row.Kind] += row.Bytes
	}
	if tokens[WireSystem] != *w.SystemTokens || tokens[WireTool] != *w.ToolTokens {
		t.Fatalf("the rows have %v tokens, and the request %d and %d\n%s", tokens, *w.SystemTokens, *w.ToolTokens, w.Body)
	}
	if want := len(r.Tools); r.Form != wire.Text && n[WireTool] != want {
		t.Fatalf("%d rows of %d tools\n%s", n[WireTool], want, w.Body)
	}
	if r.Prompt != nil && r.Sections == wire.Markdown {
		text, _ := r.Prompt.System()
		e := r.Prompt.Explain(cento.ExplainOptions{Counter: counter})
		if bytes[WireSystem] != len(text) || tokens[WireSystem] != *e.Tokens {
			t.Fatalf("the rows have %d bytes, %d tokens, and the prompt %d and %d", bytes[WireSystem], tokens[WireSystem], len(text), *e.Tokens)
		}
	}
	if e := r.Reminders.Envelope; e != nil && r.Form != wire.Text {
		text, _ := e.System()
		if bytes[WireReminders] != len(text) || tokens[WireReminders] != counter.Count(text) {
			t.Fatalf("the rows have %d bytes, %d tokens of %q", bytes[WireReminders], tokens[WireReminders], text)
		}
	}
}
