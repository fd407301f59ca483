// Package wiretest draws conversations in the terms of each provider format, and breaks them.
package wiretest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/model"
	"github.com/cento-dev/cento/wire"
)

// dialect is how a provider format writes the steps of a conversation. TEXT is a JSON string,
// and ID the id of a call.
type dialect struct {
	model           string
	user, assistant string
	seen            string // a message of the user with an image, and with a breakpoint where the format has them
	calls, results  steps
	empty           string // a message with an empty text; "" where the provider takes it
	foreign         string // a message of another format
	schema          string // a tool's schema that the provider refuses; "" for none
	extra           string // further members that the model takes
	refused         string // and some that it refuses; "" for none
}

// steps are the calls of tools, or their results: one message with a part for each, or a
// message for each where before is "".
type steps struct{ before, each, after string }

func (s steps) of(ids []string) []string {
	var out []string
	for _, id := range ids {
		out = append(out, strings.ReplaceAll(s.each, "ID", id))
	}
	if s.before == "" {
		return out
	}
	return []string{s.before + strings.Join(out, ",") + s.after}
}

const image = "iVBORw0KGgo="

var dialects = map[wire.Form]dialect{
	wire.Anthropic: {
		model: "claude-opus-5", user: `{"role":"user","content":[{"type":"text","text":TEXT}]}`, assistant: `{"role":"assistant","content":TEXT}`,
		seen:    `{"role":"user","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"` + image + `"}},{"type":"text","text":TEXT,"cache_control":{"type":"ephemeral"}}]}`,
		calls:   steps{`{"role":"assistant","content":[{"type":"thinking","thinking":"Hm.","signature":"c2ln"},{"type":"text","text":"So."},`, `{"type":"tool_use","id":"ID","name":"read","input":{}}`, `]}`},
		results: steps{`{"role":"user","content":[`, `{"type":"tool_result","tool_use_id":"ID","content":[{"type":"text","text":"x"}],"is_error":false}`, `]}`},
		empty:   `{"role":"user","content":[{"type":"text","text":" \n"}]}`, foreign: `{"role":"tool","tool_call_id":"c","content":"x"}`,
		schema: `{"type":"object","anyOf":[{}]}`,
		extra:  `{"metadata":{"user_id":"u"},"tool_choice":{"type":"auto"}}`, refused: `{"temperature":0.2}`,
	},
	wire.OpenAI:           chat,
	wire.OpenAICompatible: served,
	wire.OpenAIResponses: {
		model: "gpt-5.4", user: `{"type":"message","role":"user","content":[{"type":"input_text","text":TEXT}]}`, assistant: `{"type":"message","role":"assistant","content":TEXT}`,
		seen:    `{"type":"message","role":"user","content":[{"type":"input_image","detail":"auto","image_url":"data:image/png;base64,` + image + `"},{"type":"input_text","text":TEXT}]}`,
		calls:   steps{each: `{"type":"function_call","call_id":"ID","name":"read","arguments":"{}"}`},
		results: steps{each: `{"type":"function_call_output","call_id":"ID","output":"x"}`},
		foreign: `{"role":"user","content":[{"type":"text","text":"x"}]}`,
		schema:  `{"type":"object","properties":{"a":{"type":"array"}}}`,
		extra:   `{"reasoning":{"effort":"low"},"tool_choice":"auto"}`, refused: `{"reasoning":{"effort":"low"},"temperature":0.2}`,
	},
	wire.Gemini: {
		model: "gemini-3.5-flash", user: `{"role":"user","parts":[{"text":TEXT}]}`, assistant: `{"role":"model","parts":[{"text":TEXT,"thoughtSignature":"AA=="}]}`,
		seen:    `{"role":"user","parts":[{"inlineData":{"mimeType":"image/png","data":"` + image + `"}},{"text":TEXT}]}`,
		calls:   steps{`{"role":"model","parts":[`, `{"functionCall":{"name":"read","args":{"a":1}}}`, `]}`},
		results: steps{`{"role":"user","parts":[`, `{"functionResponse":{"name":"read","response":{"x":1}}}`, `]}`},
		empty:   `{"role":"user","parts":[]}`, foreign: `{"role":"user","content":"x"}`,
		schema: `{"type":"object","properties":{"a":{"$ref":"#/$defs/b"}}}`,
		extra:  `{"generationConfig":{"temperature":0.2},"toolConfig":{"functionCallingConfig":{"mode":"AUTO"}}}`,
	},
	wire.Bedrock: {
		model: "us.anthropic.claude-opus-5-v1:0", user: `{"role":"user","content":[{"text":TEXT}]}`, assistant: `{"role":"assistant","content":[{"text":TEXT}]}`,
		seen:    `{"role":"user","content":[{"image":{"format":"png","source":{"bytes":"` + image + `"}}},{"text":TEXT},{"cachePoint":{"type":"default"}}]}`,
		calls:   steps{`{"role":"assistant","content":[{"reasoningContent":{"reasoningText":{"text":"Hm.","signature":"c2ln"}}},`, `{"toolUse":{"toolUseId":"ID","name":"read","input":{}}}`, `]}`},
		results: steps{`{"role":"user","content":[`, `{"toolResult":{"toolUseId":"ID","content":[{"text":"x"}],"status":"success"}}`, `]}`},
		empty:   `{"role":"user","content":[{"text":""}]}`, foreign: `{"role":"user","content":"x"}`,
		schema: `{"type":"object","anyOf":[{}]}`,
	},
	wire.Ollama: {
		model: "qwen3:8b", user: `{"role":"user","content":TEXT}`, assistant: `{"role":"assistant","content":TEXT,"thinking":"Hm."}`,
		calls:   steps{`{"role":"assistant","content":"So.","tool_calls":[`, `{"id":"ID","function":{"index":1,"name":"read","arguments":{"a":1}}}`, `]}`},
		results: steps{each: `{"role":"tool","content":"x","tool_name":"read","tool_call_id":"ID"}`},
		foreign: `{"role":"user","content":[{"type":"text","text":"x"}]}`,
		extra:   `{"options":{"num_ctx":8192}}`,
	},
}

var (
	chat = dialect{
		model: "gpt-5.4", user: `{"role":"user","content":[{"type":"text","text":TEXT}]}`, assistant: `{"role":"assistant","content":TEXT}`,
		seen:    `{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,` + image + `","detail":"auto"}},{"type":"text","text":TEXT}]}`,
		calls:   steps{`{"role":"assistant","content":null,"tool_calls":[`, `{"id":"ID","type":"function","function":{"name":"read","arguments":"{}"}}`, `]}`},
		results: steps{each: `{"role":"tool","tool_call_id":"ID","content":"x"}`},
		empty:   `{"role":"user","content":[]}`, foreign: `{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"x"}]}`,
		schema: `{"type":"object","properties":{"a":{"type":"array"}}}`,
		extra:  `{"tool_choice":"auto","seed":7}`, refused: `{"reasoning_effort":"low","temperature":0.2}`,
	}
	served = func() dialect {
		d := chat
		d.model, d.schema, d.refused = "qwen3.7-plus", "", ""
		return d
	}()
)

// Forms are the formats that conversations are drawn for.
var Forms = []wire.Form{wire.Anthropic, wire.OpenAI, wire.OpenAIResponses, wire.Gemini, wire.Bedrock, wire.Ollama, wire.OpenAICompatible}

// Conversation is a request whose messages, tools and settings are drawn.
type Conversation struct {
	Form  wire.Form
	Extra string
	Tools []cento.Tool

	dialect dialect
	kinds   []string   // of the steps
	steps   [][]string // each one or more messages
}

// Draw draws a conversation that the provider takes: rounds of the user's message, of calls
// with their results, and of an answer.
func Draw(t *rapid.T, form wire.Form) *Conversation {
	d := dialects[form]
	c := &Conversation{Form: form, dialect: d, Tools: []cento.Tool{{Name: "read", Parameters: json.RawMessage(`{"type":"object"}`)}}}
	add := func(kind string, messages ...string) {
		c.steps, c.kinds = append(c.steps, messages), append(c.kinds, kind)
	}
	n := 0
	for range rapid.IntRange(0, 3).Draw(t, "rounds") {
		user := d.user
		if d.seen != "" && rapid.Bool().Draw(t, "image") {
			user = d.seen
		}
		add("user", say(user, rapid.SampledFrom([]string{"Go.", "é\n<b>&", "x", "日本 \u2028"}).Draw(t, "text")))
		for range rapid.IntRange(0, 2).Draw(t, "loops") {
			var ids []string
			for range rapid.IntRange(1, 3).Draw(t, "calls") {
				n++
				ids = append(ids, fmt.Sprintf("t%d", n))
			}
			add("calls", d.calls.of(ids)...)
			add("results", d.results.of(ids)...)
		}
		add("assistant", say(d.assistant, "Done."))
	}
	add("user", say(d.user, "Go on."))
	if d.extra != "" && rapid.Bool().Draw(t, "settings") {
		c.Extra = d.extra
	}
	return c
}

func say(format, text string) string {
	q, _ := json.Marshal(text)
	return strings.ReplaceAll(format, "TEXT", string(q))
}

// Break changes one thing, so that the provider refuses the request, and returns the code of
// the loss that says so.
func (c *Conversation) Break(t *rapid.T) cento.Code {
	d, at := c.dialect, slices.Index(c.kinds, "calls")
	breaks := []string{"foreign"}
	for name, of := range map[string]string{"empty": d.empty, "schema": d.schema, "settings": d.refused} {
		if of != "" {
			breaks = append(breaks, name)
		}
	}
	if at >= 0 && c.Form != wire.Ollama {
		breaks = append(breaks, "no result", "no call")
		if c.Form == wire.Bedrock || c.Form == wire.Anthropic {
			breaks = append(breaks, "no tools")
		}
	}
	slices.Sort(breaks)
	last := len(c.steps) - 1
	switch rapid.SampledFrom(breaks).Draw(t, "break") {
	case "empty":
		c.steps[last] = []string{d.empty}
		return wire.CodeEmptyText
	case "schema":
		c.Tools[0].Parameters = json.RawMessage(d.schema)
		return wire.CodeToolKeyword
	case "settings":
		c.Extra = d.refused
		return wire.CodeExtraRefused
	case "no result":
		c.steps[at+1] = []string{say(d.user, "Well?")}
		return wire.CodeToolPair
	case "no call":
		c.steps[at] = []string{say(d.assistant, "So.")}
		return wire.CodeToolPair
	case "no tools":
		c.Tools, c.Extra = []cento.Tool{}, ""
		return wire.CodeToolMissing
	}
	c.steps[last] = []string{d.foreign}
	return wire.CodeShape
}

// free are members whose values are the caller's own.
var free = []string{"input", "args", "response"}

// Edit removes, renames or replaces the value of one member of a message. Formats whose
// providers ignore unknown members have none renamed.
func (c *Conversation) Edit(t *rapid.T) {
	i := rapid.IntRange(0, len(c.steps)-1).Draw(t, "step")
	j := rapid.IntRange(0, len(c.steps[i])-1).Draw(t, "message")
	var message any
	if err := json.Unmarshal([]byte(c.steps[i][j]), &message); err != nil {
		t.Fatal(err)
	}
	type spot struct {
		of   map[string]any
		name string
		in   string
	}
	var spots []spot
	var walk func(v any, in string)
	walk = func(v any, in string) {
		switch v := v.(type) {
		case []any:
			for _, x := range v {
				walk(x, in)
			}
		case map[string]any:
			names := make([]string, 0, len(v))
			for name := range v {
				names = append(names, name)
			}
			slices.Sort(names)
			for _, name := range names {
				spots = append(spots, spot{v, name, in})
				if object, ok := v[name].(map[string]any); !ok || !slices.Contains(free, name) && !(name == "arguments" && object != nil) {
					walk(v[name], name)
				}
			}
		}
	}
	walk(message, "")
	s := rapid.SampledFrom(spots).Draw(t, "member")
	edits := []string{"replace"}
	if s.in != "source" { // which of its members are required depends on the others
		edits = append(edits, "remove")
	}
	if c.Form == wire.Anthropic || c.Form == wire.OpenAIResponses || c.Form == wire.Gemini {
		edits = append(edits, "rename")
	}
	old := s.of[s.name]
	switch rapid.SampledFrom(edits).Draw(t, "edit") {
	case "rename":
		s.of[s.name+"x"] = old
		fallthrough
	case "remove":
		delete(s.of, s.name)
	case "replace":
		s.of[s.name] = rapid.SampledFrom([]any{"x", 7, true, []any{}, map[string]any{}}).Filter(func(v any) bool {
			return fmt.Sprintf("%T", v) != fmt.Sprintf("%T", old)
		}).Draw(t, "value")
	}
	out, err := json.Marshal(message)
	if err != nil {
		t.Fatal(err)
	}
	c.steps[i][j] = string(out)
}

// Requests are those that an agent sends while the conversation goes on: one for each message
// of the user, and one for each list of results.
func (c *Conversation) Requests() (out []wire.Request) {
	m, _ := model.Default().Lookup(c.dialect.model)
	r := wire.Request{Form: c.Form, Model: &m, Tools: c.Tools, MaxTokens: 100}
	if c.Extra != "" {
		r.Extra = json.RawMessage(c.Extra)
	}
	for i, step := range c.steps {
		for _, raw := range step {
			r.Messages = append(r.Messages, wire.Message{Raw: json.RawMessage(raw)})
		}
		if c.kinds[i] == "user" || c.kinds[i] == "results" {
			asked := r
			asked.Messages = slices.Clone(r.Messages)
			out = append(out, asked)
		}
	}
	return out
}

// Build builds the last request.
func (c *Conversation) Build(t *rapid.T) *wire.Result {
	requests := c.Requests()
	got, err := wire.Build(requests[len(requests)-1])
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// Refusals are the codes of the losses for which the provider refuses a request, certainly or
// likely.
func Refusals(r *wire.Result) (codes []cento.Code) {
	for _, l := range r.Losses {
		if l.Severity == cento.SeverityError || l.Severity == cento.SeverityWarning && l.Source != "" {
			codes = append(codes, l.Code)
		}
	}
	return codes
}
