package cache_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/model"
	"github.com/cento-dev/cento/token"
	"github.com/cento-dev/cento/wire"
	"github.com/cento-dev/cento/wire/cache"
)

// TestToolsAnywhere: a request has the tokens of its tools, its prompt and its conversation,
// whichever of them the form has first, and a second one of the same bytes pays nothing that
// it reads.
func TestToolsAnywhere(t *testing.T) {
	in := cento.Input{Fragments: []cento.Fragment{cento.NewFragment("rules", "", cento.Before, strings.Repeat("Run the tests before each commit. ", 600))}}
	prompt, err := cento.Reduce(in)
	if err != nil {
		t.Fatal(err)
	}
	for form, name := range map[wire.Form]string{
		wire.Anthropic: "claude-opus-5", wire.OpenAI: "gpt-5.4", wire.OpenAIResponses: "gpt-5.4", wire.Gemini: "gemini-2.5-flash",
		wire.Bedrock: "us.anthropic.claude-opus-4-7-20260416-v1:0", wire.Ollama: "llama3.3", wire.OpenAICompatible: "qwen3.7-max",
	} {
		m, _ := model.Default().Lookup(name)
		counter := token.CounterFor(name)
		for n := range 4 {
			var tools []cento.Tool
			for i := range n {
				tools = append(tools, cento.Tool{Name: fmt.Sprintf("tool_%d", i), Description: "Reads one of the files of the project.", Parameters: json.RawMessage(`{"type":"object","properties":{}}`)})
			}
			r := wire.Request{Form: form, Model: &m, Prompt: prompt, Tools: tools, Counter: counter, Partial: true}
			built, err := wire.Build(r)
			if err != nil {
				t.Fatal(err)
			}
			a := cache.New(cache.Options{})
			for i := range 2 {
				got, err := a.Add(cache.Step{Name: fmt.Sprint(i), Input: &in, Request: r})
				if err != nil {
					t.Fatal(err)
				}
				want := *built.SystemTokens + *built.ToolTokens
				if got.Tokens < want-2 || got.Tokens > want+2 { // where texts meet they may count less
					t.Errorf("%s, %d tools: %d tokens, want %d", form, n, got.Tokens, want)
				}
				if p := got.Prediction; p != nil && (p.Read < 0 || p.Paid < 0 || p.Read+p.Written+p.Paid != got.Tokens) {
					t.Errorf("%s, %d tools: %+v of %d tokens", form, n, p, got.Tokens)
				}
			}
		}
	}
}
