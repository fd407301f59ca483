package manifest

import (
	"maps"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/strict"
	"github.com/cento-dev/cento/layer"
	"github.com/cento-dev/cento/pack"
	"github.com/cento-dev/cento/workspace"
)

// ConfigName is the name of the user's configuration, in the user's folder. It
// holds for every project of the user, below what the project says.
const ConfigName = "config.yaml"

// configFile is the configuration as it is written.
type configFile struct {
	strict.At
	Layers    []layerFile      `json:"layers,omitempty" jsonschema:"Layers of the user, below those of packs and projects."`
	Fragments []fragmentFile   `json:"fragments,omitempty" jsonschema:"Fragments of the user, before those of the project."`
	Prompt    *strict.Node     `json:"prompt,omitempty" jsonschema:"Texts of the program, worded anew."`
	Models    []modelEntryFile `json:"models,omitempty" jsonschema:"What is said of models, over what the catalog knows of them."`
	Trust     *trustFile       `json:"trust,omitempty" jsonschema:"How untrusted text is treated, at least as strictly as the project says."`
	Limits    *limitsFile      `json:"limits,omitempty" jsonschema:"Ceilings: the lower one holds of each, the user's or the project's."`
	Store     *text            `json:"store,omitempty" jsonschema:"Where prompts and sessions are recorded: the path of a file, or postgres://…. Default: cento/cento.db in the user's folder of state."`
	Skills    *skillsFile      `json:"skills,omitempty" jsonschema:"As in a manifest, for projects whose manifest says nothing of skills."`
	Scope     *userScopeFile   `json:"scope,omitempty" jsonschema:"What an agent may read and write: allow for projects whose manifest says nothing of a scope, deny for every project."`
}

// userScopeFile is a scope that holds beside that of a project.
type userScopeFile struct {
	strict.At
	Allow []scopeRuleFile `json:"allow,omitempty" jsonschema:"What is permitted where a manifest says nothing of a scope."`
	Deny  []scopeRuleFile `json:"deny,omitempty" jsonschema:"What is not, in every project that has a scope."`
}

// Config is what the configuration means.
type Config struct {
	Layers []NamedLayer
	// Fragments are the user's, of that trust.
	Fragments []cento.Fragment
	// Skills is nil when nothing is said.
	Skills *Skills
	// Wording is nil when there is none.
	Wording *pack.Wording
	// Models are what is said of models, below the manifest's.
	Models []cento.Model
	// Store is where records go; nil for the default.
	Store *FileReference
	// Scope are rules for what an agent may read and write.
	Scope workspace.ScopeConfig
	// Limits and Policy are those of the user; the defaults where nothing is said.
	Limits cento.Limits
	Policy cento.Policy
	// Notes are remarks on what it says.
	Notes []cento.Note

	limitsAt map[string]cento.Position
	root     *strict.Node // nil for a configuration that nobody wrote
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
	c := Config{Limits: cento.DefaultLimits(), root: root}
	d.In("fragments", func() {
		c.Fragments = fragments(&d, f.Fragments, UserSource, true)
		c.Notes = contractNotes(f.Fragments)
		for _, named := range contractFiles(f.Fragments) {
			d.Fail(named.Position, Unsupported, "the fragment %q names a file, and a user's configuration has none beside it", named.Fragment).
				Hint = "write the contract or the text itself here, or name the file in a manifest"
		}
	})
	if f.Scope != nil {
		d.In("scope", func() { c.Scope.Allow, c.Scope.Deny = rules(&d, f.Scope.Allow), rules(&d, f.Scope.Deny) })
	}
	if f.Trust != nil && f.Trust.Policy != nil {
		c.Policy = f.Trust.Policy.Policy
	}
	if f.Limits != nil {
		d.In("limits", func() { c.Limits, c.limitsAt = f.Limits.tightened(&d, c.Limits) })
	}
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

// UserSource is the source of the user's fragments.
const UserSource = "user"

// ScopeUnused is the code of a note: the user's rules of a scope don't hold, since the
// project has its scope off.
const ScopeUnused cento.Code = "scope.user_unused"

// Under is a manifest as it holds for a user. The user's fragments stand before its
// own. A project may be stricter than its user and never looser: what the user denies
// is denied, and of two limits or two policies the stricter one holds. What the user
// allows holds where the manifest says nothing of a scope. A target that begins with
// ~/ begins in the home folder, where that is known.
func (m *Manifest) Under(c *Config, home string) *Manifest {
	out := *m
	out.Fragments = slices.Concat(c.Fragments, m.Fragments)
	out.Notes = slices.Concat(c.Notes, m.Notes)
	out.Policy = cento.Policy{
		Workspace: max(m.Policy.Workspace, c.Policy.Workspace), Tool: max(m.Policy.Tool, c.Policy.Tool), Session: max(m.Policy.Session, c.Policy.Session),
	}
	out.Limits, out.limitsAt = stricter(m, c)
	allow, deny := inHome(c.Scope.Allow, home), inHome(c.Scope.Deny, home)
	if m.ScopeOff {
		if all := slices.Concat(allow, deny); len(all) > 0 {
			out.Notes = append(out.Notes, cento.Note{
				Code: ScopeUnused, Position: all[0].Position, Message: "the project has its scope off, so that the rules of yours don't hold",
			})
		}
		return &out
	}
	if m.Scope == nil && len(allow) > 0 {
		out.Scope = &workspace.ScopeConfig{Allow: allow}
	}
	out.Denied = deny
	return &out
}

// stricter is the lower one of each limit, and where it was set.
func stricter(m *Manifest, c *Config) (cento.Limits, map[string]cento.Position) {
	limits, at := m.Limits, maps.Clone(m.limitsAt)
	for _, x := range [...]struct {
		name  string
		limit *int
		users int
	}{
		{FileLimit, &limits.File, c.Limits.File}, {"prompt", &limits.Prompt, c.Limits.Prompt},
		{"fragments", &limits.Fragments, c.Limits.Fragments}, {"nesting", &limits.Nesting, c.Limits.Nesting},
	} {
		if x.users >= *x.limit {
			continue
		}
		if at == nil {
			at = map[string]cento.Position{}
		}
		*x.limit, at[x.name] = x.users, c.limitsAt[x.name]
	}
	return limits, at
}

// inHome are rules with the home folder in place of a leading ~.
func inHome(rules []workspace.ScopeRule, home string) []workspace.ScopeRule {
	if home == "" {
		return rules
	}
	out := slices.Clone(rules)
	for i := range out {
		if rest, ok := strings.CutPrefix(out[i].Target, "~"); ok && (rest == "" || rest[0] == '/') {
			out[i].Target = workspace.EscapeTarget(home) + rest
		}
	}
	return out
}
