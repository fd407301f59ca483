package layer

import (
	"slices"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/strict"
)

// Request asks for the prompt of a stack of layers that is handed over.
type Request struct {
	// Layers stand low to high, unless they have ranks: see [Request.Stack].
	Layers  []RequestLayer `json:"layers"`
	Context Context        `json:"context,omitzero"`
	// Merge asks for the order of [Resolution.Merged].
	Merge bool `json:"merge,omitempty"`
}

// RequestLayer is one layer of a request.
type RequestLayer struct {
	Name  string `json:"name"`
	Rank  *Rank  `json:"rank,omitempty"`
	Layer Layer  `json:"layer"`
}

// Context is what the prompt of a request is for.
type Context struct {
	// ExecutionPrompt is the text of the builtin `execution_instructions`.
	ExecutionPrompt string `json:"execution_prompt,omitempty"`
	// ToolNames are the active tools, Caps the capabilities that are set.
	ToolNames []string `json:"tool_names,omitempty"`
	Caps      []string `json:"caps,omitempty"`
	// AgentName is who the agent is told to be; blank: the default.
	AgentName string `json:"agent_name,omitempty"`
}

// Response is the answer to a [Request].
type Response struct {
	// Text is the prompt; empty when nothing is in it.
	Text string `json:"text"`
	// Template is the section plan in force.
	Template Template `json:"template"`
	// Contributions are those in force, each with its layer.
	Contributions []Resolved `json:"contributions"`
	// Fragments tells of every fragment why it is in or out.
	Fragments []cento.Trace `json:"fragments"`
	Notes     []cento.Note  `json:"notes,omitempty"`
}

// ParseRequest reads a request. The name is the one shown in errors; limits that
// are 0 are the defaults, and Limits.File bounds the request. Everything that is
// wrong is returned at once.
func ParseRequest(name string, data []byte, limits cento.Limits) (*Request, error) {
	return strict.Request[Request](name, data, limits)
}

// Stack gives the layers low to high. A layer without a rank stands directly
// above the one that is listed before it, so that a list without ranks keeps its
// order; the first of a list then counts as builtin.
func (r *Request) Stack() []Ranked {
	var groups []Ranked // each led by a layer with a rank
	rank := BuiltinRank
	for _, l := range r.Layers {
		if l.Rank != nil {
			rank = *l.Rank
		}
		groups = append(groups, Ranked{Name: l.Name, Rank: rank, Layer: l.Layer})
	}
	return Sort(groups)
}

// Answer makes the prompt that a request asks for. The words of the builtins are
// the caller's to find, but for the execution instructions, which the request
// brings. Its errors are those of [Resolve] and [cento.ReduceFragments].
func Answer(r *Request, b Builtins, o cento.Options) (*Response, error) {
	resolution, err := Resolve(r.Stack())
	if err != nil {
		return nil, err
	}
	if r.Merge {
		resolution = resolution.Merged()
	}
	b.ExecutionInstructions = cento.Text{Body: r.Context.ExecutionPrompt}
	fragments := resolution.Compile(b)
	placed := slices.Clone(fragments)
	for i := range fragments { // what came with the request came from no file
		if f := &fragments[i]; f.Source != builtinSource {
			f.Origin, f.WhenOrigin, f.Runs = cento.Position{}, cento.Position{}, nil
		}
	}
	active := cento.Active{Tools: r.Context.ToolNames, Caps: r.Context.Caps}
	prompt, err := cento.ReduceFragments(fragments, active, o)
	if err != nil {
		// But whoever wrote the request wants to know where it is wrong.
		if _, told := cento.ReduceFragments(placed, active, o); told != nil {
			err = told
		}
		return nil, err
	}
	text, _ := prompt.System()
	return &Response{
		Text: text, Template: resolution.Template(), Contributions: resolution.Contributions(),
		Fragments: prompt.Traces(cento.ExplainOptions{}), Notes: append(resolution.Notes(), prompt.Notes()...),
	}, nil
}
