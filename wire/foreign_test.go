package wire_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/model"
	"github.com/cento-dev/cento/wire"
)

// TestForeignForms: of the forms, those that are known to be foreign to a model.
func TestForeignForms(t *testing.T) {
	type list = []wire.Form
	const ant, oai, rsp, gem, bed, oll = wire.Anthropic, wire.OpenAI, wire.OpenAIResponses, wire.Gemini, wire.Bedrock, wire.Ollama
	for name, want := range map[string]list{
		"claude-opus-5": {oai, rsp, gem, oll},
		"us.anthropic.claude-opus-5-20260401-v1:0": {oai, rsp, gem, oll},
		"vertex_ai/claude-opus-5":                  {oai, rsp, gem, bed, oll},
		"openrouter/anthropic/claude-opus-5":       {gem},
		"gpt-5.4":                                  {ant, gem, bed, oll},
		"gpt-6.1-sol":                              {ant, gem, bed, oll},
		"azure/gpt-5.4":                            {ant, gem, bed, oll},
		"gpt-oss-120b":                             {gem},
		"gemini-3.5-flash":                         {ant, oai, rsp, bed, oll},
		"gemma-3":                                  nil,
		"amazon.nova-pro-v1:0":                     {ant, gem, oll},
		"bedrock/meta.llama-4":                     {ant, gem, oll},
		"nobody-knows-it":                          nil,
		"somebody/nobody-knows-it":                 nil,
	} {
		m, _ := model.Default().Lookup(name)
		var got list
		for f := wire.Anthropic; f <= wire.JSON; f++ {
			if f.ForeignTo(&m) {
				got = append(got, f)
			}
			if f.String() == m.Wire && f.ForeignTo(&m) {
				t.Errorf("%s: the form of its entry is foreign", name)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: foreign are %v, not %v", name, got, want)
		}
	}
	if wire.Anthropic.ForeignTo(nil) || wire.Anthropic.ForeignTo(&cento.Model{Wire: "text"}) {
		t.Error("a form is foreign to a model of no provider")
	}
}

// TestModelNames: a name that the provider of the form doesn't know is reported, and the name
// that a hint gives is one that it knows.
func TestModelNames(t *testing.T) {
	const ant, oai, rsp, gem, bed, com = wire.Anthropic, wire.OpenAI, wire.OpenAIResponses, wire.Gemini, wire.Bedrock, wire.OpenAICompatible
	lost := func(name string, form wire.Form) *wire.Loss {
		m, _ := model.Default().Lookup(name)
		out, err := wire.Build(wire.Request{Form: form, Model: &m, Messages: []wire.Message{{Role: "user", Text: "Hello"}}})
		if err != nil {
			t.Fatalf("%s in the form %s: %v", name, form, err)
		}
		if i := slices.IndexFunc(out.Losses, func(l wire.Loss) bool { return l.Code == wire.CodeModelName }); i >= 0 {
			return &out.Losses[i]
		}
		return nil
	}
	const known, unknown = "", "-"
	for _, c := range []struct {
		name  string
		forms []wire.Form
		want  string // the name in the hint; unknown: there is none
	}{
		{"claude-opus-5", []wire.Form{ant, com}, known},
		{"claude-opus-5-20260724", []wire.Form{ant}, known},
		{"claude-haiku-4-5-20251001", []wire.Form{ant}, known},
		{"anthropic/claude-opus-5", []wire.Form{ant, com}, known},
		{"anthropic/claude-opus-5.5", []wire.Form{com}, known},
		{"openrouter/anthropic/claude-opus-5.5", []wire.Form{com, ant, oai}, known},
		{"claude-opus-5.5", []wire.Form{ant}, "claude-opus-5-5"},
		{"anthropic/claude-opus-5.5", []wire.Form{ant}, "claude-opus-5-5"},
		{"claude-opus-5@20260724", []wire.Form{ant}, "claude-opus-5"},
		{"claude-opus-5-2026-07-24", []wire.Form{ant}, "claude-opus-5"},
		{"claude-opus-5-latest", []wire.Form{ant}, "claude-opus-5"},
		{"Claude-Opus-5", []wire.Form{ant}, "claude-opus-5"},
		{"claude-opus-9.5", []wire.Form{ant}, known}, // of a model that the catalog lacks
		{"anthropic/claude-opus-9.5", []wire.Form{ant}, known},
		{"vertex_ai/claude-opus-5@20260724", []wire.Form{ant}, known},
		{"vertex_ai/claude-opus-5.5", []wire.Form{ant}, "vertex_ai/claude-opus-5-5"},
		{"gpt-5.4-2026-03-05", []wire.Form{oai, rsp}, known},
		{"gpt-5.6", []wire.Form{oai, rsp}, known},
		{"GPT-5.4", []wire.Form{oai, rsp}, "gpt-5.4"},
		{"gpt-5.4-20260305", []wire.Form{oai, rsp}, "gpt-5.4"},
		{"azure/GPT-5.4", []wire.Form{oai, rsp}, known},
		{"models/gemini-2.5-pro", []wire.Form{gem}, known},
		{"Gemini-2.5-Pro", []wire.Form{gem}, "gemini-2.5-pro"},
		{"DeepSeek-V4-Pro", []wire.Form{com, oai}, known},
		{"us.anthropic.claude-opus-5-20260401-v1:0", []wire.Form{bed}, known},
		{"arn:aws:bedrock:us-east-1::foundation-model/anthropic.claude-opus-5-20260401-v1:0", []wire.Form{bed}, known},
		{"arn:aws:bedrock:us-east-1:123456789012:inference-profile/eu.amazon.nova-pro-v1:0", []wire.Form{bed}, known},
		{"arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/a1b2c3", []wire.Form{bed}, known},
		{"us.anthropic.claude-opus-5.5-v1:0", []wire.Form{bed}, "us.anthropic.claude-opus-5-5-v1:0"},
		{"US.Anthropic.Claude-Opus-5-v1:0", []wire.Form{bed}, "us.anthropic.claude-opus-5-v1:0"},
		{"us.anthropic.claude-opus-5-v1:0", []wire.Form{ant}, "claude-opus-5"},
		{"claude-opus-5", []wire.Form{bed}, unknown},
		{"bedrock/claude-opus-5", []wire.Form{bed}, unknown},
		{"bedrock/openai.gpt-5.6-sol", []wire.Form{rsp}, known},
		{"bedrock/gpt-6-sol", []wire.Form{rsp}, unknown},
	} {
		for _, form := range c.forms {
			l := lost(c.name, form)
			switch {
			case l == nil:
				if c.want != known {
					t.Errorf("%s in the form %s: nothing is reported", c.name, form)
				}
			case c.want == known:
				t.Errorf("%s in the form %s: %s", c.name, form, l.Message)
			case c.want == unknown && l.Hint != "", c.want != unknown && l.Hint != fmt.Sprintf("write %q", c.want):
				t.Errorf("%s in the form %s: hint %q, want the name %s", c.name, form, l.Hint, c.want)
			case c.want != unknown && lost(c.want, form) != nil:
				t.Errorf("%s in the form %s: the name of the hint isn't known either", c.name, form)
			}
		}
	}
	for _, m := range model.Default().Models() {
		for _, name := range append([]string{m.ID}, m.Aliases...) {
			if l := lost(name, wireForm(t, m.Wire)); l != nil {
				t.Errorf("%s: %s", name, l.Message)
			}
		}
	}
}

func wireForm(t *testing.T, name string) wire.Form {
	var f wire.Form
	if err := f.UnmarshalText([]byte(name)); err != nil {
		t.Fatal(err)
	}
	return f
}

// TestForeignMarks: marks stand where the cache of the model reads them, which a form
// that an entry declares doesn't change.
func TestForeignMarks(t *testing.T) {
	opus, _ := model.Default().Lookup("claude-opus-5")
	gpt, _ := model.Default().Lookup("gpt-6-sol")
	through := func(m cento.Model, form wire.Form) *cento.Model {
		m.Wire, m.Provider = form.String(), "gateway"
		return &m
	}
	for _, c := range []struct {
		form  wire.Form
		model *cento.Model
		marks bool
	}{
		{wire.Anthropic, &opus, true}, {wire.Bedrock, &opus, true}, {wire.JSON, &opus, true},
		{wire.OpenAI, &opus, false}, {wire.OpenAI, through(opus, wire.OpenAI), false}, {wire.Anthropic, through(opus, wire.OpenAICompatible), true},
		{wire.OpenAI, &gpt, true}, {wire.OpenAIResponses, &gpt, true}, {wire.JSON, &gpt, true},
		{wire.Anthropic, &gpt, false}, {wire.Bedrock, &gpt, false}, {wire.Anthropic, through(gpt, wire.Anthropic), false},
	} {
		r, err := wire.Build(wire.Request{Form: c.form, Model: c.model, Prompt: prompt(t, cento.Static)})
		if err != nil {
			t.Fatal(err)
		}
		if got := len(r.Breakpoints) > 0; got != c.marks {
			t.Errorf("%s of %s, form %s: marks %v", c.model.Name, c.model.Provider, c.form, got)
		}
	}
}
