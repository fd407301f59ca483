package app

import "github.com/cento-dev/cento"

// BuiltPrompt is a prompt by its bytes alone.
type BuiltPrompt struct {
	// System is the prompt; null when nothing is included.
	System *string `json:"system"`
	// Digest is the SHA-256 of it, in lower-case hex; null when that is null.
	Digest *string `json:"digest"`
	// Bytes is its length.
	Bytes int `json:"bytes"`
	cento.Caveats
}

// Built gives a prompt by its bytes.
func Built(p *cento.Prompt) BuiltPrompt {
	b := BuiltPrompt{Bytes: p.Bytes(), Caveats: p.Caveats()}
	if text, ok := p.System(); ok {
		digest := p.Digest()
		b.System, b.Digest = &text, &digest
	}
	return b
}
