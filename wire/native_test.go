package wire_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/model"
	"github.com/cento-dev/cento/wire"
)

// TestNative: reminders in the words of a family stand behind what the user said last,
// as the form has a place for them.
func TestNative(t *testing.T) {
	prompt := func(text string) *cento.Prompt {
		p, err := cento.ReduceFragments([]cento.Fragment{cento.NewFragment("reminder:r", "", cento.Before, text)}, cento.Active{}, cento.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	cases := []struct {
		form   wire.Form
		model  string
		role   string
		want   string
		losses []cento.Code
		marked bool // the mark of the first stands in the body
	}{
		{wire.Anthropic, "claude-opus-5", "user", `[{"role":"user","content":[{"type":"text","text":"Go."},{"type":"text","text":"One","cache_control":{"type":"ephemeral"}},{"type":"text","text":"Two"}]}]`, nil, true},
		{wire.Bedrock, "claude-opus-5", "user", `[{"role":"user","content":[{"text":"Go."},{"text":"One"},{"cachePoint":{"type":"default"}},{"text":"Two"}]}]`, nil, true},
		{wire.OpenAI, "gpt-5.4", "developer", `{"role":"user","content":"Go."},{"role":"developer","content":"One"},{"role":"developer","content":"Two"}]`, nil, false},
		{wire.OpenAIResponses, "gpt-5.4", "developer", `{"type":"message","role":"user","content":"Go."},{"type":"message","role":"developer","content":"One"},{"type":"message","role":"developer","content":"Two"}]`, nil, false},
		{wire.OpenAICompatible, "gpt-5.4", "developer", `{"role":"user","content":"Go."},{"role":"user","content":"One"},{"role":"user","content":"Two"}]`, []cento.Code{wire.CodeRole, wire.CodeRole}, false},
		{wire.Gemini, "gemini-3.5-flash", "user", `[{"role":"user","parts":[{"text":"Go."},{"text":"One"},{"text":"Two"}]}]`, nil, false},
		{wire.Ollama, "", "user", `{"role":"user","content":"Go."},{"role":"user","content":"One"},{"role":"user","content":"Two"}]`, nil, false},
	}
	for _, c := range cases {
		m, _ := model.Default().Lookup(c.model)
		r, err := wire.Build(wire.Request{
			Form: c.form, Model: &m, Messages: []wire.Message{{Role: "user", Text: "Go."}},
			Reminders: wire.Reminders{Native: []wire.Native{{Role: c.role, Text: prompt("One"), Mark: true}, {Role: c.role, Text: prompt("Two")}, {Role: c.role}}},
		})
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(r.Body, c.want) {
			t.Errorf("%s: %s\nhas no %s", c.form, r.Body, c.want)
		}
		var losses []cento.Code
		for _, l := range r.Losses {
			if l.Code == wire.CodeRole {
				losses = append(losses, l.Code)
			}
		}
		if lost := slices.ContainsFunc(r.Losses, func(l wire.Loss) bool { return l.Code == wire.CodeNoMarks && l.Fragment == "reminder:r" }); lost == c.marked {
			t.Errorf("%s: that its mark is lost is told: %t: %v", c.form, lost, r.Losses)
		}
		if !slices.Equal(losses, c.losses) {
			t.Errorf("%s: losses %v", c.form, r.Losses)
		}
	}
}

// TestNativeMarksGoFirst: marks behind reminders are the first that are given up, the
// oldest among them, and raw messages' marks count.
func TestNativeMarksGoFirst(t *testing.T) {
	m, _ := model.Default().Lookup("claude-opus-5")
	p, err := cento.ReduceFragments([]cento.Fragment{cento.NewFragment("reminder:r", "", cento.Before, "R")}, cento.Active{}, cento.Options{})
	if err != nil {
		t.Fatal(err)
	}
	natives := slices.Repeat([]wire.Native{{Role: "user", Text: p, Mark: true}}, *m.Cache.MaxBreakpoints+1)
	r, err := wire.Build(wire.Request{
		Form: wire.Anthropic, Model: &m, Prompt: p, Messages: []wire.Message{{Role: "user", Text: "Go."}},
		Cache: wire.Cache{Conversation: true}, Reminders: wire.Reminders{Native: natives},
	})
	if err != nil {
		t.Fatal(err)
	}
	var after []string
	for _, b := range r.Breakpoints {
		after = append(after, b.After)
	}
	if want := []string{"static", "conversation", "reminder", "reminder"}; !slices.Equal(after, want) {
		t.Errorf("marks stand after %v, want %v", after, want)
	}
	given := 0
	for _, l := range r.Losses {
		if l.Code == wire.CodeGivenUp {
			given++
		}
	}
	if given != 3 {
		t.Errorf("%d marks were told as given up: %v", given, r.Losses)
	}
}
