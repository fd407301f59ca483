package project

import (
	"testing"

	"github.com/cento-dev/cento"
)

// TestWindow: a share is of what a request may take, which is less than what the model takes
// in where Ollama is asked to run it with less.
func TestWindow(t *testing.T) {
	opened := func(t *testing.T, manifest string) *Project {
		t.Helper()
		p, err := Open(t.Context(), inFolder(t, map[string]string{FileName: manifest}))
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	for _, c := range []struct {
		name, more string
		tokens     int
		asked      bool
	}{
		{"the model's own", "models: [{id: tide, context: 1000, wire: ollama}]", 1000, false},
		{"less", "models: [{id: tide, context: 1000}], wire: {provider: ollama, extra: {options: {num_ctx: 600}}}", 600, true},
		{"less, in the model's form", "models: [{id: tide, context: 1000, wire: ollama}], wire: {extra: {options: {num_ctx: 600}}}", 600, true},
		{"more", "models: [{id: tide, context: 1000}], wire: {provider: ollama, extra: {options: {num_ctx: 6000}}}", 1000, false},
		{"of a model of which nothing is known", "wire: {provider: ollama, extra: {options: {num_ctx: 600}}}", 600, true},
		{"another form", "models: [{id: tide, context: 1000}], wire: {provider: openai-compatible, extra: {options: {num_ctx: 600}}}", 1000, false},
		{"no number", "models: [{id: tide, context: 1000}], wire: {provider: ollama, extra: {options: {num_ctx: large}}}", 1000, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := opened(t, "{system: Work., profile: off, scope: off, model: tide, budget: {share: 0.5}, "+c.more+"}")
			tokens, at, known := p.Window(p.Input)
			if tokens != c.tokens || !known || at.IsZero() == c.asked {
				t.Errorf("a window of %d (%t) at %v, want %d", tokens, known, at, c.tokens)
			}
			if got := p.Input.Budget.Tokens; got != c.tokens/2 {
				t.Errorf("half of it is %d, want %d", got, c.tokens/2)
			}
		})
	}
	var none cento.Position
	p := opened(t, "{system: Work., profile: off, scope: off, model: nobody-knows-it}")
	if tokens, at, known := p.Window(p.Input); tokens != 0 || at != none || known {
		t.Errorf("of nothing: %d at %v (%t)", tokens, at, known)
	}
}
