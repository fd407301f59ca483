package project

import "github.com/cento-dev/cento"

// Output is a file that a target's prompt is written to.
type Output struct {
	Target string `json:"target"`
	// File is relative to the folder of the manifest, and below it.
	File string `json:"file"`
	// Form is that of the request that is written instead of the text; empty for none.
	Form string `json:"wire,omitempty"`
	// JSON: it is written as JSON.
	JSON     bool           `json:"json,omitempty"`
	Position cento.Position `json:"position,omitzero"`
}

// Outputs are the files that targets are written to, in the order of the targets.
func (p *Project) Outputs() []Output {
	var out []Output
	for _, o := range p.from.base.Outputs() {
		x := Output{Target: o.Target, File: o.File, JSON: o.JSON, Position: o.Position}
		if o.Wire != nil {
			x.Form = o.Wire.String()
		}
		out = append(out, x)
	}
	return out
}
