package manifest

import (
	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/strict"
	"github.com/cento-dev/cento/layer"
)

// LayersRequest asks for the prompt of a stack of layers that is handed over.
type LayersRequest struct {
	// Layers stand low to high, unless they have ranks: see [LayersRequest.Stack].
	Layers  []RequestedLayer `json:"layers"`
	Context LayersContext    `json:"context,omitzero"`
	// Merge asks for the order of [layer.Resolution.Merged].
	Merge bool `json:"merge,omitempty"`
}

// RequestedLayer is one layer of a request.
type RequestedLayer struct {
	Name  string      `json:"name"`
	Rank  *layer.Rank `json:"rank,omitempty"`
	Layer layer.Layer `json:"layer" holds:"template slots patch"`
}

// LayersContext is what the prompt of a request is for.
type LayersContext struct {
	// ExecutionPrompt is the text of the builtin `execution_instructions`.
	ExecutionPrompt string `json:"execution_prompt,omitempty"`
	// ToolNames are the active tools, Caps the capabilities that are set.
	ToolNames []string `json:"tool_names,omitempty"`
	Caps      []string `json:"caps,omitempty"`
	// AgentName is who the agent is told to be; blank: the default.
	AgentName string `json:"agent_name,omitempty"`
}

// ParseLayers reads a request for the prompt of layers. The file is the one
// shown in errors; limits that are 0 are the defaults, and Limits.File bounds the
// request. Everything that is wrong is returned at once.
func ParseLayers(file string, data []byte, limits cento.Limits) (*LayersRequest, error) {
	r, err := strict.Request[LayersRequest](file, data, limits)
	if err != nil {
		return nil, err
	}
	d := strict.Decoder{Trust: cento.TrustHost}
	d.In("context", func() {
		d.In("tool_names", func() {
			for i, name := range r.Context.ToolNames {
				d.InItem(i, func() { checkToolName(&d, name, cento.Position{File: file}) })
			}
		})
	})
	if err := d.Err(); err != nil {
		return nil, err
	}
	return r, nil
}

// Stack gives the layers low to high. A layer without a rank stands directly
// above the one that is listed before it, so that a list without ranks keeps its
// order; the first of a list then counts as builtin.
func (r *LayersRequest) Stack() []layer.Ranked {
	var groups []layer.Ranked // each led by a layer with a rank
	rank := layer.BuiltinRank
	for _, l := range r.Layers {
		if l.Rank != nil {
			rank = *l.Rank
		}
		groups = append(groups, layer.Ranked{Name: l.Name, Rank: rank, Layer: l.Layer})
	}
	return layer.Sort(groups)
}
