package manifest

import (
	"encoding/json"
	"maps"
	"slices"
	"time"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/strict"
)

// Changes are what is different from what the files say.
type Changes struct {
	Target string
	// Tools are the names of the active tools, where there are no definitions;
	// ToolsText holds those otherwise, JSON by the name of the request.
	Tools     []string
	ToolsText []byte
	// The lists below are laid on that.
	WithoutTools, Caps, WithoutCaps []string
	// Skills are the active ones; nil: those of the manifest.
	Skills []string
	Vars   json.RawMessage
	Model  string
	// ModelAt is where the model is named.
	ModelAt cento.Position
	// Budget is how many tokens the request may take; nil: as the manifest says.
	Budget *Budget
	// Now is the clock; zero: none.
	Now time.Time
	// given are the keys that stand in the request.
	given map[string]bool
}

// Over lays changes on others: each key that they have stands instead.
func (c Changes) Over(under Changes) Changes {
	out := under
	for key := range c.given {
		switch key {
		case "target":
			out.Target = c.Target
		case "tools":
			out.Tools, out.ToolsText = c.Tools, c.ToolsText
		case "without_tools":
			out.WithoutTools = c.WithoutTools
		case "caps":
			out.Caps = c.Caps
		case "without_caps":
			out.WithoutCaps = c.WithoutCaps
		case "skills":
			out.Skills = c.Skills
		case "vars":
			out.Vars = c.Vars
		case "model":
			out.Model, out.ModelAt = c.Model, c.ModelAt
		case "budget":
			out.Budget = c.Budget
		case "now":
			out.Now = c.Now
		}
	}
	out.given = maps.Clone(under.given)
	maps.Copy(out.given, c.given)
	return out
}

// changesFile is what is different.
type changesFile struct {
	strict.At
	Target       *text           `json:"target,omitempty" jsonschema:"A target of the manifest."`
	Tools        *toolsChange    `json:"tools,omitempty" jsonschema:"The active tools by their names, instead of all that are defined; or definitions, instead of those of the manifest."`
	WithoutTools []string        `json:"without_tools,omitempty" jsonschema:"Tools that are not active." names:"a tool"`
	Caps         []text          `json:"caps,omitempty" jsonschema:"Capabilities that are set as well."`
	WithoutCaps  []string        `json:"without_caps,omitempty" jsonschema:"Capabilities that are not set." names:"a capability"`
	Skills       []string        `json:"skills,omitempty" jsonschema:"The active skills, instead of those of the manifest." names:"a skill"`
	Vars         *valuesFile     `json:"vars,omitempty" jsonschema:"Variables for prompt files and conditions, over those of the manifest." names:"a variable"`
	Model        *text           `json:"model,omitempty" jsonschema:"Name of the model."`
	Budget       *budgetSizeFile `json:"budget,omitempty" jsonschema:"How many tokens the request may take, or a part of what the model takes in such as 20%, instead of the manifest's; its reserve, hold and policy stay."`
	Now          *text           `json:"now,omitempty" jsonschema:"The clock, as in RFC 3339; its offset is the time zone. Default the time of the run for a project on disk; reading the time is an error in any other."`
}

// toolsChange is a list of tools that knows where it stands.
type toolsChange struct {
	Tools
	node *strict.Node
}

func (t *toolsChange) DecodeNode(d *strict.Decoder, n *strict.Node) {
	t.node = n
	t.Tools.decode(d, n)
}

// collectedAlready refuses what a recorded input can't take: it was settled when
// its files were read.
func (f *changesFile) collectedAlready(d *strict.Decoder) {
	for _, key := range []string{"target", "skills", "vars"} {
		if f.Has(key) {
			d.In(key, func() {
				d.Fail(f.Position(), Conflict, "a recorded input has its %s", key).Hint = "ask about a project, or leave " + key + " out"
			})
		}
	}
	if f.Tools != nil && len(f.Tools.Defined) > 0 {
		d.In("tools", func() {
			d.Fail(f.Tools.node.Position(), Conflict, "a recorded input has its definitions of tools").Hint = "name those that are active"
		})
	}
}

// changes are what is different, as values.
func (f *changesFile) changes(d *strict.Decoder) Changes {
	c := Changes{
		Target: notBlankText(d, "target", f.Target), WithoutTools: f.WithoutTools, WithoutCaps: f.WithoutCaps, Skills: f.Skills,
		Model: notBlankText(d, "model", f.Model), Budget: f.Budget.budget(), Now: clock(d, f.Now), given: map[string]bool{},
	}
	if f.Model != nil {
		c.ModelAt = f.Model.Position()
	}
	d.In("caps", func() {
		set := caps(d, f.Caps)
		c.Caps, c.WithoutCaps = set.Set, append(slices.Clip(c.WithoutCaps), set.Remove...)
	})
	if f.Tools != nil && len(f.Tools.Defined) > 0 {
		c.ToolsText = f.Tools.node.Alone()
	} else if f.Tools != nil {
		if c.Tools = f.Tools.Names(); c.Tools == nil {
			c.Tools = []string{}
		}
	}
	if f.Vars != nil {
		c.Vars = f.Vars.json
	}
	for _, key := range []string{"target", "tools", "without_tools", "caps", "without_caps", "skills", "vars", "model", "budget", "now"} {
		if f.Has(key) {
			c.given[key] = true
		}
	}
	return c
}
