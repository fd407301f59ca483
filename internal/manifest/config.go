package manifest

import (
	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/strict"
	"github.com/cento-dev/cento/layer"
	"github.com/cento-dev/cento/pack"
)

// ConfigName is the name of the user's configuration, in the user's folder. It
// holds for every project of the user, below what the project says.
const ConfigName = "config.yaml"

// configFile is the configuration as it is written.
type configFile struct {
	strict.At
	Layers    []layerFile      `json:"layers,omitempty" jsonschema:"Layers of the user, below those of packs and projects."`
	Prompt    *strict.Node     `json:"prompt,omitempty" jsonschema:"Texts of the program, worded anew."`
	Fragments *unsupported     `json:"fragments,omitempty"`
	Models    []modelEntryFile `json:"models,omitempty" jsonschema:"What is said of models, over what the catalog knows of them."`
	Trust     *unsupported     `json:"trust,omitempty"`
	Limits    *unsupported     `json:"limits,omitempty"`
	Store     *text            `json:"store,omitempty" jsonschema:"Where prompts and sessions are recorded: the path of a file, or postgres://…. Default: cento/cento.db in the user's folder of state."`
	Skills    *skillsFile      `json:"skills,omitempty" jsonschema:"As in a manifest, for projects whose manifest says nothing of skills."`
	Scope     *unsupported     `json:"scope,omitempty"`
}

// Config is what the configuration means.
type Config struct {
	Layers []NamedLayer
	// Skills is nil when nothing is said.
	Skills *Skills
	// Wording is nil when there is none.
	Wording *pack.Wording
	// Models are what is said of models, below the manifest's.
	Models []cento.Model
	// Store is where records go; nil for the default.
	Store *FileReference
}

// ParseConfig reads a user's configuration as strictly as a manifest, which says what
// prefixes are. Everything that is wrong is returned at once.
func ParseConfig(name string, data []byte, limits cento.Limits, prefixes ...string) (Config, error) {
	root, err := strict.YAML(name, data, limits)
	if err != nil {
		return Config{}, err
	}
	d := strict.Decoder{Trust: cento.TrustUser, Prefixes: prefixes}
	var f configFile
	if root.Kind() != strict.Null {
		d.Decode(root, &f)
	}
	var c Config
	d.In("layers", func() { c.Layers = namedLayers(&d, f.Layers, layer.UserRank) })
	d.In("models", func() { c.Models = modelEntries(&d, f.Models) })
	c.Skills = f.Skills.settings()
	c.Store = decodeStore(&d, f.Store)
	if f.Prompt != nil {
		var err error
		c.Wording, err = pack.WordingIn(name, string(data), cento.TrustUser, limits)
		d.Report(err)
	}
	return c, d.Err()
}
