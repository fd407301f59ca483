package manifest

import (
	"encoding/json"
	"maps"
	"time"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/strict"
	"github.com/cento-dev/cento/wire"
)

// Case is a test of a project's prompts: what is different, and what has to be so.
type Case struct {
	Name string `json:"name"`
	// Position is that of the name.
	Position cento.Position `json:"position,omitzero"`
	// Targets are those that the case is about; none: the manifest without one.
	// AllTargets: every one, and the manifest without.
	Targets    []Said `json:"targets,omitempty"`
	AllTargets bool   `json:"all_targets,omitempty"`
	With       With   `json:"with,omitzero"`
	// Matrix are the keys of With that take several values, in the order of the file:
	// the case runs once for each combination.
	Matrix []Axis `json:"matrix,omitempty"`

	Contains    []Said     `json:"contains,omitempty"`
	NotContains []Said     `json:"not_contains,omitempty"`
	Matches     []Said     `json:"matches,omitempty"`
	NotMatches  []Said     `json:"not_matches,omitempty"`
	Included    []Said     `json:"included,omitempty"`
	Excluded    []Excluded `json:"excluded,omitempty"`
	Order       []Said     `json:"order,omitempty"`
	MaxTokens   *Most      `json:"max_tokens,omitempty"`
	MaxBytes    *Most      `json:"max_bytes,omitempty"`
	// MaxTokensOf bounds the sum of the fragments of a glob.
	MaxTokensOf []Most         `json:"max_tokens_of,omitempty"`
	SamePrefix  *SamePrefix    `json:"same_prefix,omitempty"`
	Wire        *WireCase      `json:"wire,omitempty"`
	Golden      *FileReference `json:"golden,omitempty"`
	Truth       *FileReference `json:"truth,omitempty"`
	// Error is the code that assembling has to give; nothing else is looked at then.
	Error    *Said     `json:"error,omitempty"`
	Findings *Findings `json:"findings,omitempty"`
}

// Said is a text with the place where it stands.
type Said struct {
	Text     string         `json:"text"`
	Position cento.Position `json:"position,omitzero"`
}

// Excluded is an id or a glob of fragments that are out; Code is the reason, empty
// for any.
type Excluded struct {
	Said
	Code string `json:"code,omitempty"`
}

// Most is an upper bound, of the fragments of a glob where there is one.
type Most struct {
	Said
	Count int `json:"count"`
}

// SamePrefix says that the prompt and another one are equal up to a place: the end of
// the fragment Through, or so many Bytes.
type SamePrefix struct {
	As       With           `json:"as"`
	Through  string         `json:"through,omitempty"`
	Bytes    int            `json:"bytes,omitempty"`
	Position cento.Position `json:"position,omitzero"`
	// Limit is where Through or Bytes stands.
	Limit cento.Position `json:"-"`
}

// WireCase is what the request of a provider has to be.
type WireCase struct {
	// Form is nil for that of the manifest, else of the model.
	Form *wire.Form `json:"provider,omitempty"`
	// Golden is nil when the body isn't compared.
	Golden *FileReference `json:"golden,omitempty"`
	// Losses are the codes of all losses, each once; nil when they aren't compared.
	Losses   []Said         `json:"losses,omitempty"`
	Position cento.Position `json:"position,omitzero"`
	// LossesPosition is where they stand, as none do in an empty list.
	LossesPosition cento.Position `json:"-"`
}

// Findings are the codes of what the checks find, each once.
type Findings struct {
	Codes    []Said         `json:"codes"`
	Position cento.Position `json:"position,omitzero"`
}

// With is what is different from what the files of a project say.
type With struct {
	// Tools are active instead of all that are defined; nil: those.
	Tools        []string `json:"tools,omitempty"`
	WithoutTools []string `json:"without_tools,omitempty"`
	Caps         []string `json:"caps,omitempty"`
	WithoutCaps  []string `json:"without_caps,omitempty"`
	Model        string   `json:"model,omitempty"`
	// Vars is a JSON object; nil for none.
	Vars json.RawMessage `json:"vars,omitempty"`
	// Skills are active instead of those of the manifest; nil: those.
	Skills []string  `json:"skills,omitempty"`
	Now    time.Time `json:"now,omitzero"`
	// Budget is nil for the manifest's. Its reserve and policy are the manifest's.
	Budget *Budget `json:"budget,omitempty"`
	// Cwd is the folder of the run, from the root of the project.
	Cwd string `json:"cwd,omitempty"`
	// Files are texts by their paths from the root of the project that stand over its
	// own; nil takes one away.
	Files map[string]*string `json:"files,omitempty"`
	// Home: the files of the user are read.
	Home bool `json:"home,omitempty"`

	at map[string]cento.Position
	// names are the places of the names under a key.
	names map[string]map[string]cento.Position
}

// At is where a key is given; zero where it isn't.
func (w *With) At(key string) cento.Position { return w.at[key] }

// NamesAt are the names of tools, capabilities and variables that a key gives, or that of
// the model, each with its first place.
func (w *With) NamesAt(key string) map[string]cento.Position { return w.names[key] }

// Keys are those that are given, in the order of the format.
func (w *With) Keys() []string {
	var out []string
	for _, k := range withKeys {
		if _, given := w.at[k.name]; given {
			out = append(out, k.name)
		}
	}
	return out
}

// Axis is a key of a matrix with its values.
type Axis struct {
	Key    string      `json:"key"`
	Values []AxisValue `json:"values"`
}

// AxisValue is one value of a key.
type AxisValue struct {
	// Label is the value as the name of a run has it.
	Label string `json:"label"`
	With  With   `json:"with"`
}

// Over is the other with the value of one key from w.
func (w *With) Over(key string, other With) With {
	for _, k := range withKeys {
		if k.name == key {
			k.copy(&other, w)
		}
	}
	at := map[string]cento.Position{}
	for k, v := range other.at {
		at[k] = v
	}
	at[key], other.at = w.at[key], at
	names := maps.Clone(other.names)
	if names == nil {
		names = map[string]map[string]cento.Position{}
	}
	names[key], other.names = w.names[key], names
	return other
}

// withKeys are the keys of a with, each with what is copied for it.
var withKeys = []struct {
	name string
	copy func(to, from *With)
}{
	{"tools", func(to, from *With) { to.Tools = from.Tools }},
	{"without_tools", func(to, from *With) { to.WithoutTools = from.WithoutTools }},
	{"caps", func(to, from *With) { to.Caps = from.Caps }},
	{"without_caps", func(to, from *With) { to.WithoutCaps = from.WithoutCaps }},
	{"model", func(to, from *With) { to.Model = from.Model }},
	{"vars", func(to, from *With) { to.Vars = from.Vars }},
	{"skills", func(to, from *With) { to.Skills = from.Skills }},
	{"now", func(to, from *With) { to.Now = from.Now }},
	{"budget", func(to, from *With) { to.Budget = from.Budget }},
	{"cwd", func(to, from *With) { to.Cwd = from.Cwd }},
	{"files", func(to, from *With) { to.Files = from.Files }},
	{"home", func(to, from *With) { to.Home = from.Home }},
}

// maxRuns is how many runs one case may have.
const maxRuns = 10_000

// CaseFileSuffix ends the names of files with cases.
const CaseFileSuffix = ".cento-test.yaml"

// casesFile is a file with cases.
type casesFile struct {
	Tests []caseFile `json:"tests" jsonschema:"Tests of the project's prompts."`
}

// ParseCases reads a file of cases as strictly as a manifest. Everything that is
// wrong is returned at once.
func ParseCases(name string, data []byte, limits cento.Limits) ([]Case, error) {
	root, err := strict.YAML(name, data, limits.Or(cento.DefaultLimits()))
	if err != nil {
		return nil, err
	}
	if root.Kind() == strict.Null {
		return nil, nil // as with tests: []
	}
	d := strict.Decoder{Trust: cento.TrustWorkspace}
	var f casesFile
	d.Decode(root, &f)
	var out []Case
	d.In("tests", func() { out = cases(&d, f.Tests) })
	return out, d.Err()
}
