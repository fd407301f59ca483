package wire_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/wire"
)

// compared are the parts of a body as a cache compares them: where a block ends
// within the system prompt doesn't count, nor where a part stands.
func compared(t failer, form wire.Form, body string) (out []wire.Part, marks int) {
	t.Helper()
	parts, err := wire.Parts(form, body)
	if err != nil {
		t.Fatalf("%v\n%s", err, body)
	}
	for _, p := range parts {
		if p.Marked {
			marks++
		}
		if p.Kind == wire.SettingPart && p.Name == "prompt_cache_options" {
			continue // says how to use the cache, and is no part of what is kept
		}
		p.Pointer, p.Marked, p.TTL = "", false, ""
		if p.Kind == wire.SystemPart {
			p.Name = "" // instructions of Responses can't be marked, and stand in a message then
		}
		if n := len(out); p.Kind == wire.SystemPart && n > 0 && out[n-1].Kind == wire.SystemPart {
			out[n-1].Text += p.Text
			continue
		}
		out = append(out, p)
	}
	return out, marks
}

// TestPartsLaws: whatever was built comes apart into the prompt byte for byte, each
// string where its pointer says; and marks change nothing of what is compared.
func TestPartsLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := drawRequest(t)
		got, err := wire.Build(r)
		if err != nil {
			t.Fatal(err)
		}
		parts, err := wire.Parts(r.Form, got.Body)
		if err != nil {
			t.Fatalf("%v\n%s", err, got.Body)
		}
		strs := stringsOf(t, r.Form, got)
		var system strings.Builder
		for _, p := range parts {
			if p.Decoded && strs[p.Pointer] != p.Text {
				t.Fatalf("%q at %s, and there stands %q", p.Text, p.Pointer, strs[p.Pointer])
			}
			if p.Kind == wire.SystemPart {
				system.WriteString(p.Text)
			}
		}
		prompt := ""
		if r.Prompt != nil {
			prompt, _ = r.Prompt.System()
		}
		// A reminder in a developer's message before which nobody spoke stands where the
		// system prompt does, and a body doesn't tell the two apart.
		begins := len(r.Messages) == 0 && slices.ContainsFunc(r.Reminders.Native, func(n wire.Native) bool { return n.Role == "developer" })
		if r.Sections == wire.Markdown && system.String() != prompt && !(begins && strings.HasPrefix(system.String(), prompt)) {
			t.Fatalf("the prompt is %q, and the parts of the system %q", prompt, system.String())
		}
		marked, marks := compared(t, r.Form, got.Body)
		if marks != len(got.Breakpoints) {
			t.Fatalf("%d parts are marked, and %d marks were set\n%s", marks, len(got.Breakpoints), got.Body)
		}
		r.Cache.Off = true
		r.Cache.Conversation = false
		plain, err := wire.Build(r)
		if err != nil {
			t.Fatal(err)
		}
		unmarked, marks := compared(t, r.Form, plain.Body)
		if marks != 0 || !slices.Equal(marked, unmarked) {
			t.Fatalf("marks change what is compared:\n%+v\n%+v", marked, unmarked)
		}
	})
}

func TestPartsOrder(t *testing.T) {
	for _, c := range []struct {
		form wire.Form
		body string
		want string
	}{
		{wire.Anthropic, `{"messages":[{"role":"user","content":"hi"}],"thinking":{},"temperature":0,"tools":[{"name":"t"}],"system":"s","speed":"fast","model":"m"}`, "model t speed system thinking user temperature"},
		{wire.OpenAI, `{"model":"m","messages":[{"role":"developer","content":"s"},{"role":"user","content":"hi"},{"role":"system","content":"later"}],"tools":[{"type":"function","function":{"name":"t"}}],"response_format":{}}`, "model response_format t developer user system"},
		{wire.OpenAIResponses, `{"instructions":"s","input":"hi","tools":[{"type":"web_search"}],"text":{}}`, "text web_search system user"},
		{wire.Gemini, `{"contents":[{"role":"user","parts":[{"text":"hi"}]}],"tools":[{"functionDeclarations":[{"name":"a"},{"name":"b"}]},{"googleSearch":{}}],"systemInstruction":{"parts":[{"text":"s"}]}}`, "system a b  user"},
		{wire.Bedrock, `{"system":[{"text":"s"},{"cachePoint":{"type":"default","ttl":"1h"}}],"toolConfig":{"tools":[{"toolSpec":{"name":"t"}}],"toolChoice":{"auto":{}}},"messages":[{"role":"user","content":[{"text":"hi"},{"cachePoint":{"type":"default"}}]}]}`, "t system:1h toolChoice user:"},
		{wire.Ollama, `{"model":"m","messages":[{"role":"system","content":"s"},{"role":"user","content":"hi"}],"tools":[{"type":"function","function":{"name":"t"}}],"stream":false}`, "model system t user stream"},
	} {
		parts, err := wire.Parts(c.form, c.body)
		if err != nil {
			t.Fatalf("%s: %v", c.form, err)
		}
		var got []string
		for _, p := range parts {
			name := p.Name
			if p.Marked {
				name += ":" + p.TTL
			}
			got = append(got, name)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %q, want %q", c.form, strings.Join(got, " "), c.want)
		}
	}
}

func TestPartsRefuseWhatIsNoBody(t *testing.T) {
	for _, body := range []string{"", "[]", "{", "\"text\"", `{"tools":1}`, `{"tools":[1]}`, `{"messages":{}}`, `{"messages":["x"]}`, `{"system":7}`, `{"system":["x"]}`, "{\"model\":\"\xff\"}"} {
		_, err := wire.Parts(wire.Anthropic, body)
		var e *cento.SourceError
		if !errors.As(err, &e) || e.Code != wire.InvalidBody {
			t.Errorf("%q: %v", body, err)
		}
	}
}

// FuzzParts: whatever the bytes are, they come apart or are refused.
func FuzzParts(f *testing.F) {
	for _, form := range wire.Forms() {
		f.Add(form, `{"model":"m","system":[{"type":"text","text":"s","cache_control":{"ttl":"1h"}}],"tools":[{"name":"a"}],"messages":[{"role":"user","content":[{"type":"text","text":"x"}]}]}`)
	}
	f.Fuzz(func(t *testing.T, name, body string) {
		var form wire.Form
		if form.UnmarshalText([]byte(name)) != nil {
			t.Skip()
		}
		parts, err := wire.Parts(form, body)
		if err == nil && form != wire.Text && len(parts) == 0 && strings.Trim(body, " \t\r\n{}") != "" {
			t.Errorf("nothing of %q", body)
		}
	})
}
