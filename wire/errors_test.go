package wire_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/model"
	"github.com/cento-dev/cento/token"
	"github.com/cento-dev/cento/wire"
)

// TestErrors: what a provider would refuse is told with its code, its place and what
// to do, all at once, and nothing is written.
func TestErrors(t *testing.T) {
	at := cento.Position{File: "tools.json", Line: 3, Column: 2}
	opus, _ := model.Default().Lookup("claude-opus-5")
	gemini, _ := model.Default().Lookup("gemini-3.5-flash")
	many := make([]cento.Tool, 513)
	for i := range many {
		many[i] = cento.Tool{Name: "t" + strings.Repeat("x", i%100) + string(rune('a'+i%26)) + strings.Repeat("y", i/100)}
	}
	for name, c := range map[string]struct {
		r    wire.Request
		want []cento.ErrorCode
	}{
		"form":                {wire.Request{Form: 99}, []cento.ErrorCode{wire.InvalidForm}},
		"no form":             {wire.Request{}, []cento.ErrorCode{wire.InvalidForm}},
		"no form of a model":  {wire.Request{Model: &cento.Model{ID: "m"}}, []cento.ErrorCode{wire.InvalidForm}},
		"name":                {wire.Request{Form: wire.Anthropic, Tools: []cento.Tool{{Name: "a.b", Origin: at}}}, []cento.ErrorCode{wire.InvalidToolName}},
		"long name":           {wire.Request{Form: wire.Bedrock, Tools: []cento.Tool{{Name: strings.Repeat("a", 65), Origin: at}}}, []cento.ErrorCode{wire.InvalidToolName}},
		"first a digit":       {wire.Request{Form: wire.Gemini, Tools: []cento.Tool{{Name: "1a", Origin: at}}}, []cento.ErrorCode{wire.InvalidToolName}},
		"too many":            {wire.Request{Form: wire.Gemini, Tools: many}, []cento.ErrorCode{wire.TooManyTools}},
		"twice":               {wire.Request{Form: wire.Anthropic, Tools: []cento.Tool{{Name: "a", Origin: at}, {Name: "a"}}}, []cento.ErrorCode{cento.DuplicateTool}},
		"schema":              {wire.Request{Form: wire.Anthropic, Tools: []cento.Tool{{Name: "a", Parameters: json.RawMessage(`[]`), Origin: at}, {Name: "b", Parameters: json.RawMessage(`{`), Origin: at}, {Name: "c", Parameters: json.RawMessage(`{"type":"string"}`), Origin: at}}}, []cento.ErrorCode{wire.InvalidToolSchema, wire.InvalidToolSchema, wire.InvalidToolSchema}},
		"description":         {wire.Request{Form: wire.Anthropic, Tools: []cento.Tool{{Name: "a", Description: "\xff", Origin: at}}}, []cento.ErrorCode{wire.InvalidToolText}},
		"role":                {wire.Request{Form: wire.Anthropic, Messages: []wire.Message{{Role: "system", Text: "x"}}}, []cento.ErrorCode{wire.InvalidMessage}},
		"blank":               {wire.Request{Form: wire.Anthropic, Messages: []wire.Message{{Role: "user", Text: " \n"}}}, []cento.ErrorCode{wire.InvalidMessage}},
		"raw and text":        {wire.Request{Form: wire.Anthropic, Messages: []wire.Message{{Role: "user", Raw: json.RawMessage(`{}`)}}}, []cento.ErrorCode{wire.InvalidMessage}},
		"raw no object":       {wire.Request{Form: wire.Anthropic, Messages: []wire.Message{{Raw: json.RawMessage(`[]`)}}}, []cento.ErrorCode{wire.InvalidMessage}},
		"raw no JSON":         {wire.Request{Form: wire.Anthropic, Messages: []wire.Message{{Raw: json.RawMessage(`{`)}}}, []cento.ErrorCode{wire.InvalidMessage}},
		"raw member twice":    {wire.Request{Form: wire.Anthropic, Messages: []wire.Message{{Raw: json.RawMessage(`{"role":"user","role":"x"}`)}}}, []cento.ErrorCode{wire.InvalidMessage}},
		"turn not told":       {wire.Request{Form: wire.Anthropic, Messages: []wire.Message{{Role: "user", Text: "x"}}, Reminders: wire.Reminders{Sent: []wire.Sent{{Turn: 1, Text: "r"}}}}, []cento.ErrorCode{wire.InvalidMessage}},
		"extra no object":     {wire.Request{Form: wire.Anthropic, Extra: json.RawMessage(`7`)}, []cento.ErrorCode{wire.InvalidExtra}},
		"extra written":       {wire.Request{Form: wire.Anthropic, Extra: json.RawMessage(`{"system":"x","tools":[]}`)}, []cento.ErrorCode{wire.InvalidExtra, wire.InvalidExtra}},
		"max tokens":          {wire.Request{Form: wire.OpenAIResponses, MaxTokens: 15}, []cento.ErrorCode{wire.InvalidMaxTokens}},
		"ttl":                 {wire.Request{Form: wire.Anthropic, Model: &opus, Cache: wire.Cache{StaticTTL: "30m"}}, []cento.ErrorCode{wire.InvalidTTL}},
		"ttl order":           {wire.Request{Form: wire.Anthropic, Model: &opus, Cache: wire.Cache{SessionTTL: "1h"}}, []cento.ErrorCode{wire.TTLOrder}},
		"too many marks":      {wire.Request{Form: wire.Anthropic, Model: &opus, Extra: json.RawMessage(`{"a":[{"cache_control":{}},{"cache_control":{}},{"cache_control":{}},{"cache_control":{}},{"\u0063ache_control":{}}]}`)}, []cento.ErrorCode{wire.TooManyMarks}},
		"object elsewhere":    {wire.Request{Form: wire.Anthropic, Cache: wire.Cache{Object: &wire.ObjectName{Name: "n"}}}, []cento.ErrorCode{wire.InvalidForm}},
		"object stale":        {wire.Request{Form: wire.Gemini, Model: &gemini, Prompt: prompt(t, cento.Static), Cache: wire.Cache{Object: &wire.ObjectName{Name: "n", Digest: "d"}}}, []cento.ErrorCode{wire.StaleObject}},
		"object that changes": {wire.Request{Form: wire.Gemini, Model: &gemini, Prompt: prompt(t, cento.PerTurn), Cache: wire.Cache{Object: &wire.ObjectName{Name: "n"}}}, []cento.ErrorCode{wire.StaleObject}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := wire.Build(c.r)
			if got != nil {
				t.Errorf("written: %s", got.Body)
			}
			var codes []cento.ErrorCode
			for _, e := range cento.SourceErrors(err) {
				codes = append(codes, e.Code)
				if e.Hint == "" {
					t.Errorf("%v has no hint", e)
				}
				if len(c.r.Tools) > 0 && c.r.Tools[0].Origin == at && e.Code != cento.DuplicateTool && e.Position != at {
					t.Errorf("%v stands at %v", e, e.Position)
				}
			}
			if !slices.Equal(codes, c.want) {
				t.Errorf("codes %q: %v", codes, err)
			}
		})
	}
}

// Times that can't be are told where they are asked for, both where they conflict.
func TestTTLPlaces(t *testing.T) {
	opus, _ := model.Default().Lookup("claude-opus-5")
	static, session := cento.Position{File: "cento.yaml", Line: 3, Column: 5}, cento.Position{File: "cento.yaml", Line: 4, Column: 5}
	places := map[string]cento.Position{wire.StaticTTLPlace: static, wire.SessionTTLPlace: session}
	for name, c := range map[string]struct {
		asked wire.Cache
		want  []cento.Position
	}{
		"order":           {wire.Cache{StaticTTL: "5m", SessionTTL: "1h"}, []cento.Position{session, static}},
		"unknown static":  {wire.Cache{StaticTTL: "30m"}, []cento.Position{static}},
		"unknown session": {wire.Cache{SessionTTL: "30m"}, []cento.Position{session}},
	} {
		_, err := wire.Build(wire.Request{Form: wire.Anthropic, Model: &opus, Cache: c.asked, Places: places})
		var got []cento.Position
		for _, e := range cento.SourceErrors(err) {
			got = append(got, e.Position)
			for _, r := range e.Related {
				got = append(got, r.Position)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v: %v", name, got, err)
		}
	}
}

// Marks that there are too many of are told at the members of extra that bring them, and not
// at the others.
func TestMarksPlaces(t *testing.T) {
	opus, _ := model.Default().Lookup("claude-opus-5")
	at := func(line int) cento.Position { return cento.Position{File: "cento.yaml", Line: line, Column: 5} }
	places := map[string]cento.Position{wire.ExtraPlace("cache_control"): at(3), wire.ExtraPlace("metadata"): at(4), wire.ExtraPlace("more"): at(5)}
	extra := `{"cache_control": {}, "metadata": {"user_id": "u"}, "more": [{"cache_control": {}}, {"cache_control": {}}, {"cache_control": {}}, {"cache_control": {}}]}`
	_, err := wire.Build(wire.Request{Form: wire.Anthropic, Model: &opus, Extra: json.RawMessage(extra), Places: places})
	var got []cento.Position
	for _, e := range cento.SourceErrors(err) {
		got = append(got, e.Position)
		for _, r := range e.Related {
			got = append(got, r.Position)
		}
	}
	if want := []cento.Position{at(3), at(3), at(5)}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v: %v", got, want, err)
	}
}

func prompt(t testing.TB, stabilities ...cento.Stability) *cento.Prompt {
	t.Helper()
	var fragments []cento.Fragment
	for i, s := range stabilities {
		f := cento.NewFragment(string(rune('a'+i)), "", cento.Before, strings.Repeat("Word ", 2000))
		f.Stability = s
		fragments = append(fragments, f)
	}
	p, err := cento.ReduceFragments(fragments, cento.Active{}, cento.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestMarks: a mark stands behind the longest static prefix and behind the longest of
// a session, behind the tools where nothing static follows, and behind the
// conversation; what is too short has none.
func TestMarks(t *testing.T) {
	const st, se, tu = cento.Static, cento.PerSession, cento.PerTurn
	for name, c := range map[string]struct {
		form  wire.Form
		model string
		of    []cento.Stability
		cache wire.Cache
		want  string
	}{
		"static alone":           {wire.Anthropic, "claude-opus-5", []cento.Stability{st, st}, wire.Cache{}, "static /system/0 5m"},
		"static and session":     {wire.Anthropic, "claude-opus-5", []cento.Stability{st, se, tu, st}, wire.Cache{StaticTTL: "1h"}, "static /system/0 1h, session /system/1 5m"},
		"nothing static":         {wire.Anthropic, "claude-opus-5", []cento.Stability{se}, wire.Cache{}, "tools /tools/0 5m, session /system/0 5m"},
		"nothing stays":          {wire.Anthropic, "claude-opus-5", []cento.Stability{tu, st}, wire.Cache{}, "tools /tools/0 5m"},
		"conversation":           {wire.Anthropic, "claude-opus-5", []cento.Stability{st}, wire.Cache{Conversation: true}, "static /system/0 5m, conversation /messages/0/content/0 5m"},
		"off":                    {wire.Anthropic, "claude-opus-5", []cento.Stability{st}, wire.Cache{Off: true}, ""},
		"element of its own":     {wire.Bedrock, "us.anthropic.claude-opus-5-v1:0", []cento.Stability{st, tu}, wire.Cache{}, "static /system/1 5m"},
		"OpenAI before gpt-5.6":  {wire.OpenAI, "gpt-5.4", []cento.Stability{st}, wire.Cache{}, ""},
		"OpenAI from gpt-5.6 on": {wire.OpenAI, "gpt-6-sol", []cento.Stability{st, tu}, wire.Cache{}, "static /messages/0/content/0 30m"},
		"Chat":                   {wire.OpenAI, "gpt-6-sol", []cento.Stability{st, tu}, wire.Cache{StaticTTL: "12h"}, "static /messages/0/content/0 12h"},
		"Responses":              {wire.OpenAIResponses, "gpt-6-sol", []cento.Stability{st, tu}, wire.Cache{StaticTTL: "12h"}, "static /input/0/content/0 12h"},
		"a form that has none":   {wire.OpenAICompatible, "qwen3.8-max", []cento.Stability{st}, wire.Cache{}, ""},
		"a model nobody knows":   {wire.Anthropic, "zephyr-7b", []cento.Stability{st}, wire.Cache{}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			m, _ := model.Default().Lookup(c.model)
			got, err := wire.Build(wire.Request{
				Form: c.form, Model: &m, Prompt: prompt(t, c.of...), Cache: c.cache, Messages: []wire.Message{{Role: "user", Text: "x"}},
				Tools: []cento.Tool{{Name: "read", Description: strings.Repeat("Reads a file of the project. ", 300)}}, Counter: token.CounterFor(c.model),
			})
			if err != nil {
				t.Fatal(err)
			}
			var marks []string
			for _, b := range got.Breakpoints {
				marks = append(marks, b.After+" "+b.Pointer+" "+b.TTL)
			}
			if s := strings.Join(marks, ", "); s != c.want {
				t.Errorf("marks %s, want %s", s, c.want)
			}
		})
	}
}

// FuzzMessage: whatever a raw message is, it is refused, or stands in the body byte
// for byte, but for what comes behind its content, and the map stays exact.
func FuzzMessage(f *testing.F) {
	for form, list := range rawMessages {
		for _, raw := range list {
			f.Add(uint8(form), raw, true)
		}
	}
	f.Add(uint8(0), `{"role":"user","content":[]}`, true)
	f.Add(uint8(0), `{"content":{"a":"}"}, "role" : "user"}`, false)
	f.Add(uint8(5), `{"role":"user","content":"\""}`, true)
	f.Fuzz(func(t *testing.T, form uint8, raw string, marked bool) {
		m, _ := model.Default().Lookup([]string{"claude-opus-5", "gpt-6-sol"}[form%2])
		envelope, err := cento.ReduceFragments([]cento.Fragment{cento.NewFragment("r", "", cento.Before, "Tests are red.")}, cento.Active{}, cento.Options{})
		if err != nil {
			t.Fatal(err)
		}
		r := wire.Request{
			Form: wire.Form(1 + int(form)%len(wire.Forms())), Model: &m, Messages: []wire.Message{{Raw: json.RawMessage(raw)}},
			Reminders: wire.Reminders{Envelope: envelope}, Cache: wire.Cache{Conversation: marked},
		}
		got, err := wire.Build(r)
		if err != nil {
			return
		}
		if r.Form != wire.Text && !json.Valid([]byte(got.Body)) {
			t.Fatalf("not JSON: %s", got.Body)
		}
		strs := stringsOf(t, r.Form, got)
		for _, p := range got.Map {
			if s := strs[p.Pointer]; p.End > len(s) || got.Spans[p.Span].Fragment == "r" && s[p.Start:p.End] != "Tests are red." {
				t.Fatalf("%+v of %q in %s", p, s, got.Body)
			}
		}
		r.Reminders, r.Cache = wire.Reminders{}, wire.Cache{}
		if plain, err := wire.Build(r); err == nil && r.Form != wire.Text && !strings.Contains(plain.Body, raw) {
			t.Fatalf("%s isn't in %s", raw, plain.Body)
		}
	})
}
