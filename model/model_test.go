package model_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/model"
	"github.com/cento-dev/cento/token"
)

// TestLookup: a model is found by every name that providers give it, and who
// serves it decides the form of requests and what of it is known there.
func TestLookup(t *testing.T) {
	const known, guessed, unknown = "", string(model.CodeGuessed), string(model.CodeUnknown)
	for _, c := range []struct {
		asked                            string
		id, name, provider, family, wire string
		note                             string
		min                              int // tokens of the cache; 0: not known
	}{
		{"claude-opus-5", "claude-opus-5", "claude-opus-5", "anthropic", "claude", "anthropic", known, 512},
		{" Claude-Opus-5 ", "claude-opus-5", "Claude-Opus-5", "anthropic", "claude", "anthropic", known, 512},
		{"claude-haiku-4-5-20251001", "claude-haiku-4-5", "claude-haiku-4-5-20251001", "anthropic", "claude", "anthropic", known, 4096},
		{"claude-opus-4-8-20260601", "claude-opus-4-8", "claude-opus-4-8-20260601", "anthropic", "claude", "anthropic", known, 1024},
		{"claude-opus-4-8@20260601", "claude-opus-4-8", "claude-opus-4-8@20260601", "anthropic", "claude", "anthropic", known, 1024},
		{"anthropic/claude-opus-5", "claude-opus-5", "claude-opus-5", "anthropic", "claude", "anthropic", known, 512},
		{"us.anthropic.claude-opus-4-7-20260416-v1:0", "claude-opus-4-7", "us.anthropic.claude-opus-4-7-20260416-v1:0", "bedrock", "claude", "bedrock", known, 4096},
		{"claude-opus-4-7", "claude-opus-4-7", "claude-opus-4-7", "anthropic", "claude", "anthropic", known, 2048},
		{"anthropic.claude-opus-5-5-v1", "claude-opus-5-5", "anthropic.claude-opus-5-5-v1", "bedrock", "claude", "bedrock", known, 0},
		{"openrouter/anthropic/claude-opus-4.8", "claude-opus-4-8", "anthropic/claude-opus-4.8", "openrouter", "claude", "openai-compatible", known, 0},
		{"vertex_ai/claude-opus-5@20260401", "claude-opus-5", "claude-opus-5@20260401", "vertex_ai", "claude", "anthropic", known, 512},
		{"bedrock/openai.gpt-5.6-sol", "gpt-5.6-sol", "openai.gpt-5.6-sol", "bedrock", "gpt", "openai-responses", known, 0},
		{"openai.gpt-oss-120b-1:0", "", "openai.gpt-oss-120b-1:0", "bedrock", "gpt", "bedrock", guessed, 0},
		{"amazon.nova-pro-v1:0", "amazon.nova-pro-v1:0", "amazon.nova-pro-v1:0", "amazon", "nova", "bedrock", known, 0},
		{"eu.amazon.nova-pro-v1:0", "amazon.nova-pro-v1:0", "eu.amazon.nova-pro-v1:0", "amazon", "nova", "bedrock", known, 0},
		{"gpt-5.4", "gpt-5.4", "gpt-5.4", "openai", "gpt", "openai", known, 1024},
		{"gpt-5.4-2026-03-05", "gpt-5.4", "gpt-5.4-2026-03-05", "openai", "gpt", "openai", known, 1024},
		{"azure/gpt-5.4", "gpt-5.4", "gpt-5.4", "azure", "gpt", "openai", known, 1024},
		{"gpt-6.1-sol", "gpt-6.1-sol", "gpt-6.1-sol", "openai", "gpt", "openai-responses", known, 1024},
		{"models/gemini-2.5-pro", "gemini-2.5-pro", "gemini-2.5-pro", "google", "gemini", "gemini", known, 2048},
		{"qwen3.8-max", "qwen3.8-max", "qwen3.8-max", "alibaba", "qwen", "openai-compatible", known, 0},
		{"claude-opus-9", "", "claude-opus-9", "anthropic", "claude", "anthropic", guessed, 0},
		{"us.anthropic.claude-opus-9-v1:0", "", "us.anthropic.claude-opus-9-v1:0", "bedrock", "claude", "bedrock", guessed, 0},
		{"gpt-5.9", "", "gpt-5.9", "openai", "gpt", "openai", guessed, 1024},
		{"gpt-4o-mini", "gpt-4o-mini", "gpt-4o-mini", "openai", "gpt", "openai", known, 1024},
		{"gpt-4o-2024-11-20", "gpt-4o", "gpt-4o-2024-11-20", "openai", "gpt", "openai", known, 1024},
		{"anthropic/claude-sonnet-4.5", "claude-sonnet-4-5", "claude-sonnet-4.5", "anthropic", "claude", "anthropic", known, 1024},
		{"o3", "o3", "o3", "openai", "o", "openai", known, 1024},
		{"claude-mythos-5.1", "claude-mythos-5-1", "claude-mythos-5.1", "anthropic", "claude", "anthropic", known, 512},
		{"mistral-large-latest", "mistral-large-2512", "mistral-large-latest", "mistral", "mistral", "openai-compatible", known, 64},
		{"x-ai/grok-4.6", "grok-4.6", "grok-4.6", "xai", "grok", "openai-compatible", known, 0},
		{"gpt-99", "", "gpt-99", "openai", "gpt", "openai", guessed, 0},
		{"o3-pro", "", "o3-pro", "openai", "o", "openai", guessed, 0},
		{"acme/llama-3.3-70b-instruct", "llama-3.3-70b-instruct", "acme/llama-3.3-70b-instruct", "acme", "llama", "openai-compatible", guessed, 0},
		{"arn:aws:bedrock:us-east-1::foundation-model/anthropic.claude-opus-4-7-20260416-v1:0", "claude-opus-4-7", "arn:aws:bedrock:us-east-1::foundation-model/anthropic.claude-opus-4-7-20260416-v1:0", "bedrock", "claude", "bedrock", known, 4096},
		{"arn:aws-us-gov:bedrock:us-gov-west-1:123456789012:inference-profile/us-gov.anthropic.claude-opus-4-7-v1:0", "claude-opus-4-7", "arn:aws-us-gov:bedrock:us-gov-west-1:123456789012:inference-profile/us-gov.anthropic.claude-opus-4-7-v1:0", "bedrock", "claude", "bedrock", known, 4096},
		{"arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/a1b2c3", "", "arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/a1b2c3", "bedrock", "", "bedrock", unknown, 0},
		{"zephyr-7b", "", "zephyr-7b", "", "", "openai-compatible", unknown, 0},
		{"cloude-opus-5", "", "cloude-opus-5", "", "", "openai-compatible", unknown, 0},
	} {
		m, notes := model.Default().Lookup(c.asked)
		id := c.id
		if id == "" {
			id = strings.TrimSpace(c.asked)
		}
		if m.ID != id || m.Name != c.name || m.Provider != c.provider || m.Family != c.family || m.Wire != c.wire {
			t.Errorf("%s: id %q, name %q, provider %q, family %q, wire %q", c.asked, m.ID, m.Name, m.Provider, m.Family, m.Wire)
		}
		note := ""
		if len(notes) > 0 {
			note = string(notes[0].Code)
		}
		if note != c.note {
			t.Errorf("%s: notes %v, want %q", c.asked, notes, c.note)
		}
		least := 0
		if m.Cache.MinTokens != nil {
			least = *m.Cache.MinTokens
		}
		if least != c.min {
			t.Errorf("%s: the cache keeps from %d tokens on, want %d", c.asked, least, c.min)
		}
		if got := token.CounterFor(c.asked); m.Counting.Counter != got.Name() || m.Counting.Exact != got.Exact() {
			t.Errorf("%s: counted by %+v, and token.CounterFor says %s", c.asked, m.Counting, got.Name())
		}
	}
}

// TestVendorPath: the vendor before a name is kept beside it; the word for a server isn't.
func TestVendorPath(t *testing.T) {
	for asked, want := range map[string][2]string{
		"Qwen/Qwen3-8B": {"Qwen", "Qwen3-8B"}, "openai/gpt-oss-120b": {"openai", "gpt-oss-120b"}, "anthropic/claude-opus-5": {"anthropic", "claude-opus-5"},
		"mistralai/zephyr-7b": {"mistralai", "zephyr-7b"}, "openrouter/anthropic/claude-opus-5": {"", "anthropic/claude-opus-5"},
		"acme/zephyr-7b": {"", "acme/zephyr-7b"}, "gpt-5.4": {"", "gpt-5.4"},
	} {
		if m, _ := model.Default().Lookup(asked); m.Path != want[0] || m.Name != want[1] {
			t.Errorf("%s: path %q and name %q, want %q", asked, m.Path, m.Name, want)
		}
	}
}

// TestChatTools: a model that takes no tools in Chat Completions is known for it where its
// vendor serves it; what another server does isn't known.
func TestChatTools(t *testing.T) {
	for _, name := range []string{"gpt-6.1-sol", "openai/gpt-6.1-sol"} {
		if m, _ := model.Default().Lookup(name); m.ChatTools == nil || *m.ChatTools {
			t.Errorf("%s: chat_tools is %v, want false", name, m.ChatTools)
		}
	}
	for _, name := range []string{"azure/gpt-6.1-sol", "openrouter/openai/gpt-6.1-sol", "bedrock/openai.gpt-6.1-sol", "gpt-6.2-sol"} {
		if m, _ := model.Default().Lookup(name); m.ChatTools != nil {
			t.Errorf("%s: chat_tools is %v, want nothing", name, *m.ChatTools)
		}
	}
}

// TestNearest: an unknown name is told with the nearest one.
func TestNearest(t *testing.T) {
	_, notes := model.Default().Lookup("cloude-opus-5")
	if len(notes) != 1 || !strings.Contains(notes[0].Message, `did you mean "claude-opus-5"?`) {
		t.Errorf("notes %v", notes)
	}
	for name, want := range map[string]string{
		"gpt-5.5-turbo": "gpt-5.5", "gpt-4o-fake": "gpt-4o", "o1-imaginary": "o1", "GPT-5.4-2026-99-99": "gpt-5.4", "gtp-4o": "gpt-4o", "openai/gpt-4o-mni": "gpt-4o-mini",
		"claude-opus-4-8-new": "claude-opus-4-8", "deepsek-v9": "deepseek-v9",
		"text-davinci-003": "", "gpt2": "", "davinci": "", "gpt-4o": "", "openai/gpt-4o": "", "claude-opus-5": "", "zygote-1": "", "": "",
	} {
		if near := model.Default().Nearest(name); near != want {
			t.Errorf("%s: nearest is %q, want %q", name, near, want)
		}
	}
}

// TestWith: entries laid over the catalog change what they say and nothing else,
// and the catalog stays as it was.
func TestWith(t *testing.T) {
	window, price, encoding := 12345, 1.5, "cl100k_base"
	c := model.Default().With(
		cento.Model{ID: "Claude-Opus-5", Context: &window, Price: cento.ModelPrice{Input: &price}},
		cento.Model{ID: "house-1", Provider: "house", Tokenizer: &encoding},
	)
	base, _ := model.Default().Lookup("claude-opus-5")
	over, _ := c.Lookup("claude-opus-5")
	if *over.Context != window || *over.Price.Input != price || *over.Price.Output != *base.Price.Output || over.ID != "claude-opus-5" || *over.Cache.MinTokens != 512 {
		t.Errorf("over: %+v", over)
	}
	if *base.Context == window || *base.Price.Input == price {
		t.Error("the catalog itself was changed")
	}
	house, notes := c.Lookup("house-1")
	if len(notes) > 0 || house.Provider != "house" || house.Counting.Counter != encoding || !house.Counting.Exact {
		t.Errorf("house-1: %+v %v", house, notes)
	}
	if _, notes := model.Default().Lookup("house-1"); len(notes) == 0 {
		t.Error("the catalog itself knows house-1")
	}
	sol, _ := model.Default().Lookup("gpt-5.6-sol")
	own, _ := model.Default().With(cento.Model{ID: "gpt-5.6", Price: cento.ModelPrice{Input: &price}}).Lookup("gpt-5.6-sol")
	if sol.Price.Until != "2026-11-21" || own.Price.Until != "" || *own.Price.Input != price {
		t.Errorf("the vendor's price holds until %q, one's own until %q", sol.Price.Until, own.Price.Until)
	}
	if n, m := len(model.Default().Models()), len(c.Models()); m != n+1 {
		t.Errorf("%d models became %d", n, m)
	}
}

// TestCatalog: what holds for every entry of the embedded catalog.
func TestCatalog(t *testing.T) {
	for _, m := range model.Default().Models() {
		switch {
		case m.Family == "" || m.Provider == "" || m.Source == "" || m.AsOf == "" || m.Checked == "" || m.Wire == "" || m.System == "":
			t.Errorf("%s lacks a fact that each has: %+v", m.ID, m)
		case m.Cache.MaxBreakpoints != nil && *m.Cache.MaxBreakpoints > 0 && len(m.Cache.TTL) == 0:
			t.Errorf("%s takes marks, and nothing says for how long", m.ID)
		case strings.HasPrefix(m.ID, "gpt-6") && (m.Counting.Exact || m.Tokenizer != nil), m.Family == "claude" && m.Counting.Exact:
			t.Errorf("%s is counted exactly, and no encoding of it is public", m.ID)
		}
		if got, notes := model.Default().Lookup(m.ID); got.ID != m.ID || notes != nil {
			t.Errorf("%s isn't found by its name", m.ID)
		}
		for _, alias := range m.Aliases {
			if got, _ := model.Default().Lookup(alias); got.ID != m.ID {
				t.Errorf("%s isn't found by its alias %s", m.ID, alias)
			}
		}
	}
}

// TestCaps: capabilities follow from what is known, and none from what isn't.
func TestCaps(t *testing.T) {
	opus, _ := model.Default().Lookup("claude-opus-5")
	want := []string{"model.family.claude", "model.prompt_cache", "model.cache_breakpoints", "model.system_field", "model.native_tools", "model.sections_xml", "model.vision", "model.reasoning"}
	if got := opus.Caps(); !slices.Equal(got, want) {
		t.Errorf("caps %q", got)
	}
	unknown, _ := model.Default().Lookup("zephyr-7b")
	if got := unknown.Caps(); got != nil {
		t.Errorf("caps of an unknown model: %q", got)
	}
}

// FuzzLookup: a name of any kind is answered, the same way every time, and an
// entry with no note is one of the catalog.
func FuzzLookup(f *testing.F) {
	for _, s := range []string{"", "/", "a/b/c", "us.anthropic.", "claude-", "gpt-5.", "@", "::", "x.y.z", "anthropic/claude-opus-5:beta", "openrouter/x/y"} {
		f.Add(s)
	}
	known := map[string]bool{}
	for _, m := range model.Default().Models() {
		known[m.ID] = true
	}
	f.Fuzz(func(t *testing.T, name string) {
		m, notes := model.Default().Lookup(name)
		again, _ := model.Default().Lookup(name)
		if m.ID != again.ID || m.Wire != again.Wire || m.Provider != again.Provider {
			t.Errorf("%q: %+v and then %+v", name, m, again)
		}
		if len(notes) == 0 && !known[m.ID] {
			t.Errorf("%q: no note, and %q isn't in the catalog", name, m.ID)
		}
		if m.Wire == "" || m.System == "" {
			t.Errorf("%q: no form: %+v", name, m)
		}
		if near := model.Default().Nearest(name); near != "" && strings.EqualFold(near, strings.TrimSpace(name)) {
			t.Errorf("%q: itself is proposed", name)
		}
	})
}
