package cache_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/cento-dev/cento/model"
	"github.com/cento-dev/cento/token"
	"github.com/cento-dev/cento/wire"
	"github.com/cento-dev/cento/wire/cache"
)

// TestDataIsNoText: what an image, a file or something encrypted counts as is known to its
// provider alone, so it is in no count, the report says so and isn't exact. A report of texts is
// exact, and text counts whatever it looks like.
func TestDataIsNoText(t *testing.T) {
	data := strings.Repeat("JVBERi0xLjcK", 5000) // as a file of 45 KB
	for _, x := range []struct {
		form      wire.Form
		raw       string
		uncounted string
		exact     bool
		most      int // tokens
	}{
		{wire.OpenAI, `{"role": "user", "content": [{"type": "text", "text": "What is an image_url?"}]}`, "", true, 20},
		{wire.OpenAI, `{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "data:image/png;base64,DATA"}}]}`, "image", false, 20},
		{wire.OpenAI, `{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "https://images.example.com/a.png"}}]}`, "image", false, 20},
		{wire.OpenAI, `{"role": "user", "content": [{"type": "text", "text": "Read it."}, {"type": "file", "file": {"filename": "a.pdf", "file_data": "DATA"}}]}`, "file", false, 20},
		{wire.OpenAI, `{"role": "user", "content": [{"type": "input_audio", "input_audio": {"data": "DATA", "format": "mp3"}}]}`, "audio", false, 20},
		{wire.OpenAI, `{"role": "assistant", "content": null, "tool_calls": [{"id": "c", "type": "function", "function": {"name": "write", "arguments": "DATA"}}]}`, "", false, 100000},
		{wire.OpenAIResponses, `{"role": "user", "content": [{"type": "input_file", "file_data": "DATA"}]}`, "file", false, 20},
		{wire.OpenAIResponses, `{"type": "reasoning", "summary": [], "encrypted_content": "DATA"}`, "encrypted", false, 30},
		{wire.OpenAIResponses, `{"type": "function_call_output", "call_id": "c", "output": [{"type": "input_image", "image_url": "DATA"}]}`, "image", false, 40},
		{wire.Anthropic, `{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": [{"type": "text", "text": "Here."}, {"type": "image", "source": {"type": "base64", "data": "DATA"}}]}]}`, "image", false, 60},
		{wire.Anthropic, `{"role": "user", "content": [{"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "DATA"}}]}`, "", false, 100000},
		{wire.Anthropic, `{"role": "assistant", "content": [{"type": "thinking", "thinking": "Hm.", "signature": "DATA"}]}`, "encrypted", false, 30},
		{wire.Gemini, `{"role": "user", "parts": [{"inlineData": {"mimeType": "video/mp4", "data": "DATA"}}, {"inlineData": {"mimeType": "application/pdf", "data": "DATA"}}]}`, "file video", false, 20},
		{wire.Bedrock, `{"role": "user", "content": [{"document": {"name": "a", "format": "pdf", "source": {"bytes": "DATA"}}}]}`, "file", false, 20},
		{wire.Ollama, `{"role": "user", "content": "Look.", "images": ["DATA"]}`, "image", false, 20},
	} {
		m, _ := model.Default().Lookup("gpt-5.4")
		a := cache.New(cache.Options{})
		step, err := a.Add(cache.Step{Request: wire.Request{
			Form: x.form, Model: &m, Counter: token.CounterFor("gpt-5.4"), Messages: []wire.Message{{Raw: json.RawMessage(strings.ReplaceAll(x.raw, "DATA", data))}},
		}})
		if err != nil {
			t.Errorf("%s: %v", x.raw, err)
			continue
		}
		r := a.Report()
		counted := step.Tokens > 1000
		if !slices.Equal(r.Uncounted, strings.Fields(x.uncounted)) || r.Exact != x.exact || step.Tokens > x.most || counted != (x.most > 1000) {
			t.Errorf("%s: uncounted %q, exact %v, %d tokens", x.raw, r.Uncounted, r.Exact, step.Tokens)
		}
		whole, err := wire.Build(wire.Request{Form: x.form, Model: &m, Messages: []wire.Message{{Raw: json.RawMessage(strings.ReplaceAll(x.raw, "DATA", data))}}})
		if err != nil {
			t.Fatal(err)
		}
		blocks, err := whole.Blocks(x.form, token.CounterFor("gpt-5.4"))
		if err != nil {
			t.Fatal(err)
		}
		kept := 0
		for _, b := range blocks {
			if b.Kind != wire.SettingPart && b.Tokens != nil {
				kept += *b.Tokens
			}
		}
		if x.most < 1000 && kept > x.most {
			t.Errorf("%s: a session keeps %d tokens of it", x.raw, kept)
		}
	}
}
