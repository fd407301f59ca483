package wire_test

import (
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
		for f := range wire.Form(len(wire.Forms())) {
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
