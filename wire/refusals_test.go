package wire_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/model"
	"github.com/cento-dev/cento/wire"
)

// dialect is how a provider format writes the steps of a conversation.
type dialect struct {
	model           string
	user, assistant func(text string) string
	calls           func(ids []string) []string
	results         func(ids []string) []string
	empty           string // a message with an empty text; "" where the provider takes it
	foreign         string // a message of another format
}

func each(ids []string, format string) string {
	var out []string
	for _, id := range ids {
		out = append(out, strings.ReplaceAll(format, "ID", id))
	}
	return strings.Join(out, ",")
}

func one(before, format, after string) func([]string) []string {
	return func(ids []string) []string { return []string{before + each(ids, format) + after} }
}

func many(format string) func([]string) []string {
	return func(ids []string) []string {
		var out []string
		for _, id := range ids {
			out = append(out, strings.ReplaceAll(format, "ID", id))
		}
		return out
	}
}

func saying(format string) func(string) string {
	return func(text string) string {
		q, _ := json.Marshal(text)
		return strings.ReplaceAll(format, "TEXT", string(q))
	}
}

var dialects = map[wire.Form]dialect{
	wire.Anthropic: {
		"claude-opus-5", saying(`{"role":"user","content":[{"type":"text","text":TEXT}]}`), saying(`{"role":"assistant","content":TEXT}`),
		one(`{"role":"assistant","content":[{"type":"text","text":"So."},`, `{"type":"tool_use","id":"ID","name":"read","input":{}}`, `]}`),
		one(`{"role":"user","content":[`, `{"type":"tool_result","tool_use_id":"ID","content":"x"}`, `]}`),
		`{"role":"user","content":[{"type":"text","text":" \n"}]}`, `{"role":"tool","tool_call_id":"c","content":"x"}`,
	},
	wire.OpenAI: {
		"gpt-5.4", saying(`{"role":"user","content":[{"type":"text","text":TEXT}]}`), saying(`{"role":"assistant","content":TEXT}`),
		one(`{"role":"assistant","content":null,"tool_calls":[`, `{"id":"ID","type":"function","function":{"name":"read","arguments":"{}"}}`, `]}`),
		many(`{"role":"tool","tool_call_id":"ID","content":"x"}`),
		`{"role":"user","content":[]}`, `{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"x"}]}`,
	},
	wire.OpenAIResponses: {
		"gpt-5.4", saying(`{"type":"message","role":"user","content":[{"type":"input_text","text":TEXT}]}`), saying(`{"type":"message","role":"assistant","content":TEXT}`),
		many(`{"type":"function_call","call_id":"ID","name":"read","arguments":"{}"}`), many(`{"type":"function_call_output","call_id":"ID","output":"x"}`),
		"", `{"role":"user","content":[{"type":"text","text":"x"}]}`,
	},
	wire.Gemini: {
		"gemini-3.5-flash", saying(`{"role":"user","parts":[{"text":TEXT}]}`), saying(`{"role":"model","parts":[{"text":TEXT,"thoughtSignature":"AA=="}]}`),
		one(`{"role":"model","parts":[`, `{"functionCall":{"name":"read","args":{}}}`, `]}`),
		one(`{"role":"user","parts":[`, `{"functionResponse":{"name":"read","response":{"x":1}}}`, `]}`),
		`{"role":"user","parts":[]}`, `{"role":"user","content":"x"}`,
	},
	wire.Bedrock: {
		"us.anthropic.claude-opus-5-v1:0", saying(`{"role":"user","content":[{"text":TEXT}]}`), saying(`{"role":"assistant","content":[{"text":TEXT}]}`),
		one(`{"role":"assistant","content":[`, `{"toolUse":{"toolUseId":"ID","name":"read","input":{}}}`, `]}`),
		one(`{"role":"user","content":[`, `{"toolResult":{"toolUseId":"ID","content":[{"text":"x"}]}}`, `]}`),
		`{"role":"user","content":[{"text":""}]}`, `{"role":"user","content":"x"}`,
	},
}

// refusals are the losses of a request that a provider is certain or likely to refuse it for.
func refusals(t *rapid.T, form wire.Form, d dialect, messages []string, tools []cento.Tool) []string {
	m, _ := model.Default().Lookup(d.model)
	r := wire.Request{Form: form, Model: &m, Tools: tools, MaxTokens: 100}
	for _, raw := range messages {
		r.Messages = append(r.Messages, wire.Message{Raw: json.RawMessage(raw)})
	}
	got, err := wire.Build(r)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, l := range got.Losses {
		if l.Source != "" && l.Severity != cento.SeverityNote {
			if l.Pointer == "" {
				t.Fatalf("%s has no pointer", l.Code)
			}
			out = append(out, string(l.Code))
		}
	}
	return out
}

// TestRefusals: a conversation that a provider takes has no loss of the rules, and one mutation
// of it has exactly its own. `go test -rapid.checks=2000` draws 2,000 for each format.
func TestRefusals(t *testing.T) {
	read := []cento.Tool{{Name: "read", Parameters: json.RawMessage(`{"type":"object"}`)}}
	for form, d := range dialects {
		t.Run(form.String(), rapid.MakeCheck(func(t *rapid.T) {
			// A conversation is rounds: the user's message, rounds of calls, an answer.
			var steps [][]string
			var kinds []string
			add := func(kind string, messages ...string) {
				steps, kinds = append(steps, messages), append(kinds, kind)
			}
			n := 0
			for range rapid.IntRange(0, 3).Draw(t, "rounds") {
				add("user", d.user(rapid.SampledFrom(words).Draw(t, "text")))
				for range rapid.IntRange(0, 2).Draw(t, "loops") {
					var ids []string
					for range rapid.IntRange(1, 3).Draw(t, "calls") {
						n++
						ids = append(ids, fmt.Sprintf("t%d", n))
					}
					add("calls", d.calls(ids)...)
					add("results", d.results(ids)...)
				}
				add("assistant", d.assistant("Done."))
			}
			add("user", d.user("Go on."))
			if got := refusals(t, form, d, slices.Concat(steps...), read); len(got) > 0 {
				t.Fatalf("%s takes it: %v\n%s", form, got, slices.Concat(steps...))
			}
			mutations := []string{"foreign"}
			if d.empty != "" {
				mutations = append(mutations, "empty")
			}
			at := slices.Index(kinds, "calls")
			if at >= 0 {
				mutations = append(mutations, "no result", "no call")
				if form == wire.Bedrock || form == wire.Anthropic {
					mutations = append(mutations, "no tools")
				}
			}
			want, tools := "", read
			switch rapid.SampledFrom(mutations).Draw(t, "mutation") {
			case "foreign":
				steps[len(steps)-1], want = []string{d.foreign}, "wire.shape"
			case "empty":
				steps[len(steps)-1], want = []string{d.empty}, "wire.empty_text"
			case "no result":
				steps[at+1], want = []string{d.user("Well?")}, "wire.tool_pair"
			case "no call":
				steps[at], want = []string{d.assistant("So.")}, "wire.tool_pair"
			case "no tools":
				tools, want = nil, "wire.tool_missing"
			}
			got := slices.Compact(refusals(t, form, d, slices.Concat(steps...), tools))
			if len(got) == 0 || slices.ContainsFunc(got, func(code string) bool { return code != want }) {
				t.Fatalf("%s refuses it for %s: %v\n%s", form, want, got, slices.Concat(steps...))
			}
		}))
	}
}
