package wire_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/model"
	"github.com/cento-dev/cento/token"
	"github.com/cento-dev/cento/wire"
)

// words are texts that are awkward in JSON, in pointers and in tags.
var words = []string{
	"a", "Run the tests.", "\"quoted\" \\ and\ttabs", "<b> & </b> > $x", "é日本🙂", "\u2028 and \u0001 bell", "# Rules", "</rules>", "line\nline\n", "~/a/b", "```go\nx := 1\n```", "{{ x }}",
}

func drawText(t *rapid.T, name string) string {
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 1, 4).Draw(t, name), " ")
}

func drawPrompt(t *rapid.T, name string) *cento.Prompt {
	var fragments []cento.Fragment
	for i := range rapid.IntRange(0, 8).Draw(t, name) {
		f := cento.NewFragment(name+strconv.Itoa(i), "", rapid.SampledFrom([]cento.Bucket{cento.Before, cento.After}).Draw(t, "bucket"), drawText(t, "body"))
		f.Stability = rapid.SampledFrom([]cento.Stability{cento.Static, cento.Static, cento.PerSession, cento.PerTurn}).Draw(t, "stability")
		f.Section = rapid.SampledFrom([]string{"", "", "Rules", "2 Things", "…"}).Draw(t, "section")
		f.Title = rapid.SampledFrom([]string{"", "", "Title"}).Draw(t, "title")
		f.Trust = rapid.SampledFrom([]cento.Trust{cento.TrustHost, cento.TrustWorkspace, cento.TrustSession}).Draw(t, "trust")
		fragments = append(fragments, f)
	}
	p, err := cento.ReduceFragments(fragments, cento.Active{}, cento.Options{})
	if err != nil {
		t.Skip(err)
	}
	return p
}

var schemas = []string{"", `{"type":"object"}`, `{ "type" : "object", "properties": {"a/b~": {"type":"string","pattern":"<x>"}}, "required":["a/b~"] }`, `{"type":"object","properties":{"n":{"type":"integer","maximum":12345678901234567890,"multipleOf":1.0}}}`}

var modelNames = []string{"claude-opus-5", "claude-sonnet-5", "claude-haiku-4-5", "us.anthropic.claude-opus-4-8-v1:0", "gpt-4.1", "gpt-5.4", "gpt-6-sol", "gpt-6.2-sol", "gemini-3.5-flash", "gemini-2.5-pro", "qwen3.8-max", "zephyr-7b", "llama-3.3-70b-instruct", "amazon.nova-pro-v1:0"}

// raw are objects in each form's own terms.
var rawMessages = map[wire.Form][]string{
	wire.Anthropic:        {`{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"ok"}]}`, `{ "role": "user", "content": "text \"x\"" }`, `{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"read","input":{"a":1}}]}`},
	wire.OpenAI:           {`{"role":"tool","tool_call_id":"t1","content":"ok"}`, `{"role":"user","content":[{"type":"text","text":"x"}]}`, `{"role":"user","content":"x"}`},
	wire.OpenAIResponses:  {`{"type":"function_call_output","call_id":"t1","output":"ok"}`, `{"type":"message","role":"user","content":[{"type":"input_text","text":"x"}]}`},
	wire.Gemini:           {`{"role":"user","parts":[{"functionResponse":{"name":"read","response":{"x":1}}}]}`, `{"role":"model","parts":[{"text":"x"}]}`},
	wire.Bedrock:          {`{"role":"user","content":[{"toolResult":{"toolUseId":"t1","content":[{"text":"ok"}]}}]}`, `{"role":"assistant","content":[{"text":"x"}]}`},
	wire.Ollama:           {`{"role":"tool","content":"ok"}`, `{"role":"user","content":"x"}`},
	wire.OpenAICompatible: {`{"role":"tool","tool_call_id":"t1","content":"ok"}`, `{"role":"user","content":"x\u0041"}`},
	wire.JSON:             {`{"role":"user","content":"x"}`},
}

func drawRequest(t *rapid.T) wire.Request {
	form := wire.Form(rapid.IntRange(1, len(wire.Forms())).Draw(t, "form"))
	m, _ := model.Default().Lookup(rapid.SampledFrom(modelNames).Draw(t, "model"))
	r := wire.Request{
		Form: form, Model: &m, Prompt: drawPrompt(t, "f"), Partial: rapid.Bool().Draw(t, "partial"),
		Cache:     wire.Cache{Off: rapid.IntRange(0, 4).Draw(t, "off") == 0, Conversation: rapid.Bool().Draw(t, "conversation"), Key: rapid.SampledFrom([]string{"", "k"}).Draw(t, "key")},
		Sections:  rapid.SampledFrom([]wire.Sectioning{wire.Markdown, wire.Markdown, wire.XML, wire.Auto}).Draw(t, "sections"),
		MaxTokens: rapid.SampledFrom([]int{0, 100}).Draw(t, "max"),
	}
	if rapid.Bool().Draw(t, "counted") {
		r.Counter = token.CounterFor("gpt-4o")
	}
	if rapid.Bool().Draw(t, "small") { // so that marks are set in short prompts
		least := 1
		m.Cache.MinTokens = &least
	}
	for i := range rapid.IntRange(0, 3).Draw(t, "tools") {
		r.Tools = append(r.Tools, cento.Tool{
			Name: "tool_" + strconv.Itoa(i), Description: rapid.SampledFrom(append(words, "")).Draw(t, "description"),
			Parameters: json.RawMessage(rapid.SampledFrom(schemas).Draw(t, "schema")), Trust: cento.TrustTool,
		})
	}
	for i := range rapid.IntRange(0, 4).Draw(t, "messages") {
		switch raw := rawMessages[form]; {
		case len(raw) > 0 && rapid.Bool().Draw(t, "raw"):
			r.Messages = append(r.Messages, wire.Message{Raw: json.RawMessage(rapid.SampledFrom(raw).Draw(t, "message")), Turn: new(int64(i + 1))})
		default:
			r.Messages = append(r.Messages, wire.Message{Role: rapid.SampledFrom([]string{"user", "assistant"}).Draw(t, "role"), Text: drawText(t, "text"), Turn: new(int64(i + 1))})
		}
	}
	if rapid.Bool().Draw(t, "enveloped") {
		r.Reminders.Envelope = drawPrompt(t, "r")
	}
	if rapid.IntRange(0, 3).Draw(t, "sent") == 0 {
		r.Reminders.Sent = []wire.Sent{{Turn: 1, Text: "<context-directives>\nx\n</context-directives>"}}
	}
	for range rapid.IntRange(-3, 3).Draw(t, "native") {
		r.Reminders.Native = append(r.Reminders.Native, wire.Native{
			Role: rapid.SampledFrom([]string{"user", "developer"}).Draw(t, "as"), Text: drawPrompt(t, "n"), Mark: rapid.Bool().Draw(t, "marked"),
		})
	}
	r.Reminders.System = rapid.Bool().Draw(t, "system")
	return r
}

// TestLaws: whatever the form, the model, the marks, the tools, the conversation and
// the reminders, a body is JSON without white space, the same each time, and its map
// is exact.
func TestLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := drawRequest(t)
		got, err := wire.Build(r)
		if err != nil {
			t.Fatal(err)
		}
		again, _ := wire.Build(r)
		if got.Body != again.Body {
			t.Fatalf("twice not the same:\n%s\n%s", got.Body, again.Body)
		}
		checkBody(t, r, got)
	})
}

// failer is a test of any kind.
type failer interface {
	Helper()
	Fatalf(format string, args ...any)
}

// checkBody holds what is true of every body.
func checkBody(t failer, r wire.Request, got *wire.Result) {
	t.Helper()
	if r.Form != wire.Text {
		var dense bytes.Buffer
		if err := json.Compact(&dense, []byte(got.Body)); err != nil {
			t.Fatalf("not JSON: %v\n%s", err, got.Body)
		}
		if raw := len(r.Messages) > 0; !raw && dense.String() != got.Body {
			t.Fatalf("white space in %s", got.Body)
		}
	}
	prompt := ""
	if r.Prompt != nil {
		prompt, _ = r.Prompt.System()
	}
	var reminded []string // what each of the last spans says
	if !r.Partial && r.Form != wire.Text {
		asides := []*cento.Prompt{r.Reminders.Envelope}
		for _, n := range r.Reminders.Native {
			asides = append(asides, n.Text)
		}
		for _, p := range asides {
			if p == nil {
				continue
			}
			text, _ := p.System()
			for _, s := range p.Spans() {
				reminded = append(reminded, text[s.Start:s.End])
			}
		}
	}
	strs := stringsOf(t, r.Form, got)
	// Every string that the map knows is tiled by it, to its end; in forms that join
	// texts, from where the reminders begin.
	ends := map[string]int{}
	var said strings.Builder
	prompts := 0
	if r.Prompt != nil {
		prompts = len(r.Prompt.Spans())
	}
	for _, p := range got.Map {
		s, ok := strs[p.Pointer]
		if !ok {
			t.Fatalf("the map names %q, where no string is\n%s", p.Pointer, got.Body)
		}
		if p.Start < 0 || p.End > len(s) || p.Start >= p.End || p.Span >= len(got.Spans) {
			t.Fatalf("%+v of a string of %d bytes and %d spans", p, len(s), len(got.Spans))
		}
		before, seen := ends[p.Pointer]
		if seen && before != p.Start && s[before:p.Start] != "\n\n" {
			t.Fatalf("%q has a gap from %d to %d", p.Pointer, before, p.Start)
		}
		if !seen && p.Start > 0 && r.Form != wire.Ollama && r.Form != wire.OpenAICompatible && r.Form != wire.JSON {
			t.Fatalf("%q begins at %d", p.Pointer, p.Start)
		}
		ends[p.Pointer] = p.End
		span, text := got.Spans[p.Span], s[p.Start:p.End]
		switch {
		case r.Sections == wire.Markdown && p.Span < prompts:
			if prompt[span.Start:span.End] != text {
				t.Fatalf("span %d says %q, and the body %q", p.Span, prompt[span.Start:span.End], text)
			}
			said.WriteString(text)
		case strings.HasPrefix(span.Fragment, "tool:"):
			if want := toolOf(r, span.Fragment); want.Description != text || span.Trust != want.Trust {
				t.Fatalf("%s is described by %q, and the body says %q", span.Fragment, want.Description, text)
			}
		case p.Span >= len(got.Spans)-len(reminded):
			if want := reminded[p.Span-len(got.Spans)+len(reminded)]; want != text {
				t.Fatalf("the reminders say %q, and the body %q", want, text)
			}
		}
	}
	for pointer, end := range ends {
		if end != len(strs[pointer]) {
			t.Fatalf("the map of %q ends at %d of %d", pointer, end, len(strs[pointer]))
		}
	}
	if r.Counter != nil && r.Prompt != nil && r.Sections == wire.Markdown {
		explained := 0
		if e := r.Prompt.Explain(cento.ExplainOptions{Counter: r.Counter}); e.Tokens != nil {
			explained = *e.Tokens
		}
		if got.SystemTokens == nil || *got.SystemTokens != explained {
			t.Fatalf("the request counts %v tokens of the prompt, and its explanation %d", got.SystemTokens, explained)
		}
	}
	if r.Sections == wire.Markdown && said.String() != prompt {
		t.Fatalf("the blocks say %q, and the prompt is %q", said.String(), prompt)
	}
	if r.Sections == wire.XML && r.Prompt != nil {
		checkTagged(t, r, got, strs)
	}
	checkMarks(t, r, got)
}

// checkTagged: with tags in place of headings the count is that of the text as it is
// sent. The explanation counts the prompt, which has other words there and the same
// bodies. A section Rules is the
// counterexample to one number for both: "# Rules" stands over it there, and <rules> and
// </rules> around it here.
func checkTagged(t failer, r wire.Request, got *wire.Result, strs map[string]string) {
	t.Helper()
	sent, bodies, at := "", "", 0
	for _, p := range got.Map {
		s := got.Spans[p.Span]
		if text := strs[p.Pointer][p.Start:p.End]; p.Span == at || p.Span == at-1 && at > 0 { // a span may reach over two blocks
			if at = p.Span + 1; strings.HasPrefix(s.Fragment, "f") {
				sent += text
				if s.Kind == cento.BodySpan {
					bodies += text
				}
			}
		}
	}
	prompt, want := "", ""
	prompt, _ = r.Prompt.System()
	for _, s := range r.Prompt.Spans() {
		if s.Kind == cento.BodySpan {
			want += prompt[s.Start:s.End]
		}
	}
	if strings.ReplaceAll(bodies, "&lt;", "<") != strings.ReplaceAll(want, "&lt;", "<") {
		t.Fatalf("the bodies say %q, and those of the prompt %q", bodies, want)
	}
	if r.Counter != nil && (got.SystemTokens == nil || *got.SystemTokens != r.Counter.Count(sent)) {
		t.Fatalf("the request counts %v tokens of the prompt, and what is sent of it has %d", got.SystemTokens, r.Counter.Count(sent))
	}
}

// checkMarks: as many as the body has, no more than the provider takes, each at the
// end of what it says, longer times first.
func checkMarks(t failer, r wire.Request, got *wire.Result) {
	key := map[wire.Form]string{wire.Anthropic: `"cache_control":`, wire.OpenAI: `"prompt_cache_breakpoint":`, wire.OpenAIResponses: `"prompt_cache_breakpoint":`, wire.Bedrock: `"cachePoint":`, wire.JSON: `"mark":`}[r.Form]
	n := 0
	if key != "" {
		n = strings.Count(got.Body, key)
	}
	if n != len(got.Breakpoints) {
		t.Fatalf("%d marks and %d breakpoints\n%s", n, len(got.Breakpoints), got.Body)
	}
	if n == 0 {
		return
	}
	if most := r.Model.Cache.MaxBreakpoints; most == nil || n > *most {
		t.Fatalf("%d marks", n)
	}
	end := 0
	for _, b := range got.Breakpoints {
		if b.End < end {
			t.Fatalf("breakpoints out of order: %+v", got.Breakpoints)
		}
		end = b.End
		if least := r.Model.Cache.MinTokens; b.Tokens != nil && least != nil && *b.Tokens < *least {
			t.Fatalf("a mark behind %d tokens, and %d are kept", *b.Tokens, *least)
		}
	}
}

func toolOf(r wire.Request, fragment string) cento.Tool {
	for _, t := range r.Tools {
		if "tool:"+t.Name == fragment {
			return t
		}
	}
	return cento.Tool{}
}

// stringsOf are all strings of a body by their JSON pointers.
func stringsOf(t failer, form wire.Form, got *wire.Result) map[string]string {
	t.Helper()
	if form == wire.Text {
		return map[string]string{"": got.Body}
	}
	var v any
	if err := json.Unmarshal([]byte(got.Body), &v); err != nil {
		t.Fatalf("%v", err)
	}
	out := map[string]string{}
	escape := strings.NewReplacer("~", "~0", "/", "~1")
	var walk func(at string, v any)
	walk = func(at string, v any) {
		switch v := v.(type) {
		case string:
			out[at] = v
		case []any:
			for i, x := range v {
				walk(fmt.Sprintf("%s/%d", at, i), x)
			}
		case map[string]any:
			for k, x := range v {
				walk(at+"/"+escape.Replace(k), x)
			}
		}
	}
	walk("", v)
	return out
}
