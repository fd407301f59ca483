package sdktest

import (
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/ollama/ollama/api"
	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/responses"
	"google.golang.org/genai"
	"pgregory.net/rapid"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/wiretest"
	"github.com/cento-dev/cento/model"
	"github.com/cento-dev/cento/token"
	"github.com/cento-dev/cento/wire"
)

// geminiBody is the body of generateContent; the library has no type of all of it.
type geminiBody struct {
	SystemInstruction *genai.Content          `json:"systemInstruction,omitempty"`
	Tools             []*genai.Tool           `json:"tools,omitempty"`
	Contents          []*genai.Content        `json:"contents,omitempty"`
	GenerationConfig  *genai.GenerationConfig `json:"generationConfig,omitempty"`
	CachedContent     string                  `json:"cachedContent,omitempty"`
	ToolConfig        *genai.ToolConfig       `json:"toolConfig,omitempty"`
}

// cacheBody is the body that makes a cache object; the library has its parts.
type cacheBody struct {
	Model             string           `json:"model"`
	SystemInstruction *genai.Content   `json:"systemInstruction,omitempty"`
	Contents          []*genai.Content `json:"contents,omitempty"`
	Tools             []*genai.Tool    `json:"tools,omitempty"`
	TTL               string           `json:"ttl,omitempty"`
}

// into is a value of the library's type of a body.
func into(form wire.Form) any {
	switch form {
	case wire.Anthropic:
		return new(anthropic.MessageNewParams)
	case wire.OpenAI, wire.OpenAICompatible:
		return new(openai.ChatCompletionNewParams)
	case wire.OpenAIResponses:
		return new(responses.ResponseNewParams)
	case wire.Gemini:
		return new(geminiBody)
	case wire.Ollama:
		return new(api.ChatRequest)
	}
	panic("no library's type for " + form.String())
}

// stabilities are prompts by how often their fragments change.
var stabilities = [][]cento.Stability{
	nil, {cento.Static}, {cento.Static, cento.PerSession}, {cento.Static, cento.PerSession, cento.PerTurn}, {cento.PerTurn, cento.Static},
}

var tools = [][]cento.Tool{
	nil,
	{
		{Name: "read", Description: "Reads <a> file & \"more\".", Parameters: json.RawMessage(`{"type":"object","properties":{"path":{"type":"string","description":"é\n"}},"required":["path"]}`)},
		{Name: "list"},
	},
}

var raw = map[wire.Form][]string{
	wire.Anthropic: {
		`{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"read","input":{"path":"a"}}]}`,
		`{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":[{"type":"text","text":"ok"}]}]}`,
	},
	wire.OpenAI: {
		`{"role":"assistant","tool_calls":[{"id":"t1","type":"function","function":{"name":"read","arguments":"{}"}}]}`,
		`{"role":"tool","tool_call_id":"t1","content":"ok"}`,
	},
	wire.OpenAIResponses: {
		`{"type":"function_call","call_id":"t1","name":"read","arguments":"{}"}`,
		`{"type":"function_call_output","call_id":"t1","output":"ok"}`,
	},
	wire.Bedrock: {
		`{"role":"assistant","content":[{"toolUse":{"toolUseId":"t1","name":"read","input":{"path":"a"}}}]}`,
		`{"role":"user","content":[{"toolResult":{"toolUseId":"t1","content":[{"text":"ok"}]}}]}`,
	},
	wire.Ollama: {
		`{"role":"assistant","content":"","tool_calls":[{"function":{"index":0,"name":"read","arguments":{"path":"a"}}}]}`,
		`{"role":"tool","content":"ok","tool_name":"read"}`,
	},
	wire.Gemini: {
		`{"role":"model","parts":[{"functionCall":{"name":"read","args":{"path":"a"}}}]}`,
		`{"role":"user","parts":[{"functionResponse":{"name":"read","response":{"x":"ok"}}}]}`,
	},
}

// Each body goes into the library's type and comes back the same, but for what the
// library adds by itself: nothing in it is unknown to the library, misspelt, of
// another type or in the other interface's form.
func TestBodies(t *testing.T) {
	of, objects := map[wire.Form]int{}, 0
	for c := range bodies(t) {
		of[c.form]++
		if err := through(c.form, c.Body); err != nil {
			t.Fatalf("%s: %v", c.form, err)
		}
		if c.CacheObject != nil {
			objects++
			if err := throughType(c.form, new(cacheBody), c.CacheObject.Body); err != nil {
				t.Fatalf("%s: %v", c.form, err)
			}
			sameCacheObject(t, c.CacheObject)
		}
		rules(t, c)
	}
	n := 0
	for form := range models {
		n += of[form]
		if of[form] < 20 {
			t.Errorf("only %d bodies of %s", of[form], form)
		}
	}
	if n < 200 {
		t.Errorf("only %d bodies", n)
	}
	if objects < 20 {
		t.Errorf("only %d cache objects", objects)
	}
	t.Logf("%d bodies: %v, %d cache objects", n, of, objects)
}

var models = map[wire.Form][]string{
	wire.Anthropic:       {"claude-opus-5", "claude-sonnet-4-6", "claude-haiku-4-5"},
	wire.OpenAI:          {"gpt-4.1", "gpt-5.4", "gpt-6-sol"},
	wire.OpenAIResponses: {"gpt-5.4", "gpt-6-sol", "gpt-6.2-sol"},
	wire.Gemini:          {"gemini-2.5-pro", "gemini-3.5-flash"},
	wire.Bedrock:         {"us.anthropic.claude-opus-5-v1:0"},
	wire.Ollama:          {"qwen3:8b"},
}

// body is a request with what it was made of.
type body struct {
	*wire.Result
	form  wire.Form
	model *cento.Model
}

// bodies are requests of each form by model, stability, tools, messages and marks.
func bodies(t *testing.T) iter.Seq[body] {
	envelope := reduce(t, []cento.Stability{cento.PerTurn})
	return func(yield func(body) bool) {
		for _, form := range slices.Sorted(maps.Keys(models)) {
			for _, name := range models[form] {
				m, _ := model.Default().Lookup(name)
				for _, r := range requests(t, form, &m, envelope) {
					r.Counter = token.CounterFor(name)
					got, err := wire.Build(r)
					if err != nil {
						t.Fatalf("%s %s: %v", form, name, err)
					}
					if !yield(body{got, form, &m}) {
						return
					}
				}
			}
		}
	}
}

func requests(t *testing.T, form wire.Form, m *cento.Model, envelope *cento.Prompt) []wire.Request {
	var out []wire.Request
	conversations := [][]wire.Message{nil, {{Role: "user", Text: "Hi"}, {Role: "assistant", Text: "Yes"}, {Role: "user", Text: "Go \u2028 on"}}, rawTurns(form)}
	for _, of := range stabilities {
		for _, defs := range tools {
			for k, messages := range conversations {
				for _, marked := range []bool{false, true} {
					r := wire.Request{
						Form: form, Model: m, Prompt: reduce(t, of), Tools: defs, Messages: messages, MaxTokens: 100 * k,
						Cache: wire.Cache{Conversation: marked, Key: "k"},
					}
					if marked {
						r.Reminders.Envelope = envelope
						if form == wire.Gemini {
							r.Cache.StaticTTL = "1h"
						}
						if len(m.Cache.TTL) > 1 && form != wire.OpenAI && *m.Cache.MaxBreakpoints > 0 {
							r.Cache.StaticTTL = m.Cache.TTL[1]
						}
					}
					out = append(out, r)
				}
			}
		}
	}
	return out
}

func rawTurns(form wire.Form) []wire.Message {
	out := []wire.Message{{Role: "user", Text: "Read a."}}
	for _, m := range raw[form] {
		out = append(out, wire.Message{Raw: json.RawMessage(m)})
	}
	return out
}

func reduce(t *testing.T, of []cento.Stability) *cento.Prompt {
	t.Helper()
	var fragments []cento.Fragment
	for i, s := range of {
		f := cento.NewFragment(fmt.Sprint("f", i), "", cento.Before, strings.Repeat(fmt.Sprintf("Rule %d: \"<é>\" & 日本.\n", i), 300))
		f.Stability = s
		fragments = append(fragments, f)
	}
	p, err := cento.ReduceFragments(fragments, cento.Active{}, cento.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// through reads a body as the library's type of it, and compares it with what the library
// writes of that.
func through(form wire.Form, body string) error {
	if form == wire.Bedrock {
		return throughBedrock(body)
	}
	if form == wire.OpenAIResponses { // a message may leave its type out, which the library can't read
		of := decoded(body).(map[string]any)
		items, _ := of["input"].([]any)
		for _, x := range items {
			if item := x.(map[string]any); item["role"] != nil && item["type"] == nil {
				item["type"] = "message"
			}
		}
		typed, err := json.Marshal(of)
		if err != nil {
			return err
		}
		body = string(typed)
	}
	return throughType(form, into(form), body)
}

// throughType does so for a type of the library.
func throughType(form wire.Form, to any, body string) error {
	d := json.NewDecoder(strings.NewReader(body))
	d.DisallowUnknownFields()
	if err := d.Decode(to); err != nil {
		return err
	}
	back, err := json.Marshal(to)
	if err != nil {
		return err
	}
	return equal(form, body, string(back))
}

// equal compares two bodies without what a library adds by itself.
func equal(form wire.Form, ours, theirs string) error {
	a, b := decoded(ours), decoded(theirs)
	if form == wire.Anthropic { // whose library writes each text as a part
		a = parted(a)
	}
	// The types of Ollama write empty values, and those of Gemini leave them out.
	empty := form == wire.Ollama || form == wire.Gemini
	a, b = full(a, empty), full(b, empty)
	if !reflect.DeepEqual(a, b) {
		return fmt.Errorf("the library makes of\n%.3000s\n\n%.3000s", short(ours), short(theirs))
	}
	return nil
}

func parted(v any) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = parted(v[i])
		}
	case map[string]any:
		for name, x := range v {
			if text, ok := x.(string); ok && name == "content" {
				x = []any{map[string]any{"type": "text", "text": text}}
			}
			v[name] = parted(x)
		}
	}
	return v
}

// full is a value without the members that are null, and without empty ones where so asked.
func full(v any, empty bool) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = full(v[i], empty)
		}
	case map[string]any:
		for name, x := range v {
			x = full(x, empty)
			none := x == nil
			switch x := x.(type) {
			case map[string]any:
				none = empty && len(x) == 0
			case []any:
				none = empty && len(x) == 0
			case string:
				none = empty && x == ""
			case bool:
				none = empty && !x
			case json.Number:
				none = empty && x == "0"
			}
			if v[name] = x; none {
				delete(v, name)
			}
		}
	}
	return v
}

// sameCacheObject compares a body with what the library sends where it is asked to make
// the same cache object.
func sameCacheObject(t *testing.T, o *wire.CacheObject) {
	t.Helper()
	var c cacheBody
	if err := json.Unmarshal([]byte(o.Body), &c); err != nil {
		t.Fatal(err)
	}
	ttl, err := time.ParseDuration(c.TTL)
	if c.TTL != "" && err != nil {
		t.Fatal(err)
	}
	v := vendorWith(t, `{"name":"cachedContents/c"}`)
	client, err := genai.NewClient(t.Context(), &genai.ClientConfig{APIKey: "k", Backend: genai.BackendGeminiAPI, HTTPOptions: genai.HTTPOptions{BaseURL: v.URL}})
	if err != nil {
		t.Fatal(err)
	}
	made, err := client.Caches.Create(t.Context(), c.Model, &genai.CreateCachedContentConfig{SystemInstruction: c.SystemInstruction, Contents: c.Contents, Tools: c.Tools, TTL: ttl})
	if err != nil || made.Name != "cachedContents/c" {
		t.Fatal(made, err)
	}
	if v.path != o.URLPath {
		t.Fatalf("the library asks at %q, and it is to be %q", v.path, o.URLPath)
	}
	ours, theirs := decoded(o.Body), decoded(v.body)
	if !reflect.DeepEqual(ours, theirs) {
		t.Fatalf("the library sends\n%.3000s\nand we\n%.3000s", short(v.body), short(o.Body))
	}
}

func short(s string) string {
	for i := range 3 {
		s = strings.ReplaceAll(s, strings.Repeat(fmt.Sprintf(`Rule %d: \"<é>\" & 日本.\n`, i), 299), "…")
	}
	return s
}

// decoded is a value with its numbers as texts; nil for what isn't JSON.
func decoded(text string) (v any) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if d.Decode(&v) != nil {
		return nil
	}
	return v
}

// TestConversations: each drawn conversation without a refusal goes through the library's type
// unchanged, and Cento reports each change to a message that makes the library lose or refuse a
// part of the body.
func TestConversations(t *testing.T) {
	for _, form := range wiretest.Forms {
		t.Run(form.String(), rapid.MakeCheck(func(t *rapid.T) {
			c := wiretest.Draw(t, form)
			r := c.Build(t)
			if got := wiretest.Refusals(r); len(got) > 0 {
				t.Fatalf("%v\n%s", r.Losses, r.Body)
			}
			if err := through(form, r.Body); err != nil {
				t.Fatal(err)
			}
			c.Edit(t)
			r = c.Build(t)
			if len(wiretest.Refusals(r)) > 0 {
				return
			}
			if err := through(form, r.Body); err != nil {
				t.Fatalf("no loss: %v", err)
			}
		}))
	}
}

// rules are what the types of the libraries don't know: roles, times, how many marks,
// and that what stays longer stands first.
func rules(t *testing.T, got body) {
	t.Helper()
	form := got.form
	roles := map[wire.Form]string{wire.Anthropic: "user assistant", wire.OpenAI: "developer system user assistant tool", wire.OpenAIResponses: "developer system user assistant", wire.Gemini: "user model", wire.Bedrock: "user assistant", wire.Ollama: "system user assistant tool"}[form]
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, x := range v {
				walk(x)
			}
		case map[string]any:
			if role, ok := v["role"].(string); ok && !strings.Contains(" "+roles+" ", " "+role+" ") {
				t.Fatalf("%s: the role %q", form, role)
			}
			for _, x := range v {
				walk(x)
			}
		}
	}
	walk(decoded(got.Body))
	if n := len(got.Breakpoints); n > 0 && n > *got.model.Cache.MaxBreakpoints {
		t.Fatalf("%d marks", n)
	}
	long := map[string]int{"5m": 5, "30m": 30, "1h": 60, "12h": 720}
	before := 1 << 30
	for _, b := range got.Breakpoints {
		if long[b.TTL] == 0 || long[b.TTL] > before {
			t.Fatalf("%s: times %+v", form, got.Breakpoints)
		}
		before = long[b.TTL]
	}
}
