package project

import (
	"errors"
	"io/fs"

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
	Layers    []layerFile  `json:"layers,omitempty" jsonschema:"Layers of the user, below those of packs and projects."`
	Prompt    *strict.Node `json:"prompt,omitempty" jsonschema:"Texts of the program, worded anew."`
	Fragments *unsupported `json:"fragments,omitempty"`
	Models    *unsupported `json:"models,omitempty"`
	Trust     *unsupported `json:"trust,omitempty"`
	Limits    *unsupported `json:"limits,omitempty"`
	Store     *text        `json:"store,omitempty" jsonschema:"Where prompts and sessions are recorded: the path of a file, or postgres://…. Default: cento/cento.db in the user's folder of state."`
	Skills    *skillsFile  `json:"skills,omitempty" jsonschema:"As in a manifest, for projects whose manifest says nothing of skills."`
	Scope     *unsupported `json:"scope,omitempty"`
}

// userConfig is what the configuration means.
type userConfig struct {
	layers []NamedLayer
	// skills is nil when nothing is said.
	skills *Skills
	// wording is nil when there is none.
	wording *pack.Wording
	// store is where records go; nil for the default.
	store *FileReference
}

// parseConfig reads a user's configuration as strictly as a manifest. Everything
// that is wrong is returned at once.
func parseConfig(name string, data []byte, limits cento.Limits) (userConfig, error) {
	root, err := strict.YAML(name, data, limits)
	if err != nil {
		return userConfig{}, err
	}
	d := strict.Decoder{Trust: cento.TrustUser}
	var f configFile
	if root.Kind() != strict.Null {
		d.Decode(root, &f)
	}
	var c userConfig
	d.In("layers", func() { c.layers = namedLayers(&d, f.Layers, layer.UserRank) })
	c.skills = f.Skills.settings()
	c.store = decodeStore(&d, f.Store)
	if f.Prompt != nil {
		var err error
		c.wording, err = pack.WordingOf(f.Prompt, cento.TrustUser)
		d.Report(err)
	}
	return c, d.Err()
}

// readConfig reads the user's configuration, if there is one.
func (p *Project) readConfig() error {
	path := p.configPath()
	if path == "" {
		return nil
	}
	f, err := p.readFile(path, cento.Position{})
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	p.settings, err = parseConfig(p.Show(path), []byte(f.Text), cento.DefaultLimits())
	return err
}
