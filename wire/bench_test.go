package wire_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/model"
	"github.com/cento-dev/cento/token"
	"github.com/cento-dev/cento/wire"
)

// BenchmarkBuild writes a prompt of 100 fragments with 50 tools and a conversation of
// 20 messages, counts known from the first time on. The ratio is to copying the body,
// which is the least that can be done.
func BenchmarkBuild(b *testing.B) {
	var fragments []cento.Fragment
	for i := range 100 {
		f := cento.NewFragment(fmt.Sprintf("f%d", i), "", cento.Before, strings.Repeat(fmt.Sprintf("Rule %d says what is to be done.\n", i), 8))
		if i >= 90 {
			f.Stability = cento.PerSession
		}
		fragments = append(fragments, f)
	}
	p, err := cento.ReduceFragments(fragments, cento.Active{}, cento.Options{})
	if err != nil {
		b.Fatal(err)
	}
	var tools []cento.Tool
	for i := range 50 {
		tools = append(tools, cento.Tool{
			Name: fmt.Sprintf("tool_%d", i), Description: strings.Repeat("Reads a file of the project. ", 5),
			Parameters: json.RawMessage(`{"type":"object","properties":{"path":{"type":"string","description":"The file to read."},"from":{"type":"integer"},"to":{"type":"integer"}},"required":["path"]}`),
		})
	}
	var messages []wire.Message
	for i := range 20 {
		messages = append(messages, wire.Message{Role: []string{"user", "assistant"}[i%2], Text: strings.Repeat("A sentence of the conversation. ", 10)})
	}
	envelope, err := cento.ReduceFragments([]cento.Fragment{cento.NewFragment("reminder:a", "", cento.Before, "Tests are red.")}, cento.Active{}, cento.Options{})
	if err != nil {
		b.Fatal(err)
	}
	var cache token.Cache
	for _, name := range []string{"claude-opus-5", "gpt-6-sol", "gemini-3.5-flash", "us.anthropic.claude-opus-5-v1:0", "llama-3.3-70b-instruct"} {
		b.Run(name, func(b *testing.B) {
			m, _ := model.Default().Lookup(name)
			var form wire.Form
			if err := form.UnmarshalText([]byte(m.Wire)); err != nil {
				b.Fatal(err)
			}
			r := wire.Request{
				Form: form, Model: &m, Prompt: p, Tools: tools, Messages: messages, Reminders: wire.Reminders{Envelope: envelope},
				Counter: cache.Counter(token.CounterFor(name)),
			}
			got, err := wire.Build(r)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			b.SetBytes(int64(len(got.Body)))
			for b.Loop() {
				if _, err := wire.Build(r); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
