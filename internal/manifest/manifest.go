package manifest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/nearest"
	"github.com/cento-dev/cento/internal/strict"
	"github.com/cento-dev/cento/pack"
	"github.com/cento-dev/cento/workspace"
)

// FileName is the name of a project's manifest.
const FileName = "cento.yaml"

// Manifest is what a cento.yaml says, with the defaults of [Defaults] where it
// says nothing. Texts know their lines and have the trust of the workspace,
// tool definitions that of tools.
type Manifest struct {
	Version int   `json:"version"`
	Agent   Agent `json:"agent,omitzero"`
	// Instruction is the prompt file of the agent's main text; nil when the
	// manifest holds that text itself, in Primary.System, or has it off.
	Instruction *Reference `json:"instruction"`
	Host        cento.Host `json:"host,omitzero"`
	// Primary holds the texts that the manifest words itself; those that are nil
	// have the built-in wording.
	Primary cento.Primary `json:"primary,omitzero"`
	// Layers stand in the order of the file, low to high.
	Layers    []NamedLayer     `json:"layers,omitempty"`
	Fragments []cento.Fragment `json:"fragments,omitempty"`
	// Contracts are the fragments whose text is a contract file, which
	// collecting reads. A contract that stands in its fragment is its text.
	Contracts []ContractReference `json:"contracts,omitempty"`
	Tools     Tools               `json:"tools,omitzero"`
	Caps      Caps                `json:"caps,omitzero"`
	// Scope is nil where the manifest says nothing of it, so that it is
	// [DefaultScope], and where it is off. Its rules are relative to the folder of
	// the manifest.
	Scope    *workspace.ScopeConfig `json:"scope,omitempty"`
	ScopeOff bool                   `json:"scope_off,omitempty"`
	// Denied are rules of the user, beside those of the scope that holds.
	Denied       []workspace.ScopeRule `json:"-"`
	Instructions Instructions          `json:"project"`
	// Profile says where the project profile comes from; the zero value is off.
	Profile ProfileSetting `json:"profile,omitzero"`
	// Model is the name of the model; empty when none is chosen.
	Model string `json:"model,omitempty"`
	// ModelAt is where it is named.
	ModelAt cento.Position `json:"-"`
	// Models are what is said of models, over what the catalog knows.
	Models []cento.Model `json:"models,omitempty"`
	Wire   Wire          `json:"wire,omitzero"`
	// Replacement is nil when there is none.
	Replacement *cento.Replacement `json:"replacement,omitempty"`
	Limits      cento.Limits       `json:"limits"`
	// Budget is how many tokens a request may take; nil for any number.
	Budget *Budget      `json:"budget,omitempty"`
	Policy cento.Policy `json:"policy,omitzero"`
	// Vars are the variables for prompt files and conditions, a JSON object in
	// the order of the file; nil when there are none.
	Vars json.RawMessage `json:"vars,omitempty"`
	// VarStability is how often those change that don't change with the file alone.
	VarStability map[string]cento.Stability `json:"var_stability,omitempty"`
	// PromptPack is a file that words the program's own texts anew; nil for none.
	PromptPack *FileReference `json:"prompt_pack,omitempty"`
	// Packs are the installed packs, in the order of the file.
	Packs []PackReference `json:"packs,omitempty"`
	// Skills is nil when the manifest says nothing of them: they are as the user's
	// configuration says then, else [DefaultSkills].
	Skills *Skills `json:"skills,omitempty"`
	// Ignore are findings that somebody accepts.
	Ignore []Ignore `json:"ignore,omitempty"`
	// Reminders and Materialise are about sessions.
	Reminders   Reminders   `json:"reminders,omitzero"`
	Materialise Materialise `json:"materialise,omitzero"`
	// Store is where records go; nil for the user's own place.
	Store *FileReference `json:"store,omitempty"`
	// Tests are those of its prompts; a target has none.
	Tests []Case `json:"tests,omitempty"`
	// Notes are remarks on what it says.
	Notes []cento.Note `json:"notes,omitempty"`

	root *strict.Node
	// prefixes are those of the host.
	prefixes []string
	// outputs are those of all targets.
	outputs []Output
	// limitsAt is where a limit is set, by its key.
	limitsAt map[string]cento.Position
}

// Agent is who the prompt is for.
type Agent struct {
	// Name is nil when the agent has none.
	Name *cento.Text `json:"name,omitempty"`
	// ExecutionPrompt is nil when there is none.
	ExecutionPrompt *cento.Text `json:"execution_prompt,omitempty"`
}

// Reference names a prompt file, and knows where it is named.
type Reference struct {
	Ref      pack.Ref       `json:"-"`
	Position cento.Position `json:"position,omitzero"`
}

// MarshalJSON gives the reference as it is written, or null for the zero one.
func (r Reference) MarshalJSON() ([]byte, error) {
	return fmt.Appendf(nil, "%q", r.Ref.String()), nil
}

// FileReference names a file of the project, and knows where it is named.
type FileReference struct {
	// Path is relative to the folder of the manifest.
	Path     string         `json:"path"`
	Position cento.Position `json:"position,omitzero"`
}

// PackReference names an installed pack, and knows where it is named.
type PackReference struct {
	Name string `json:"name"`
	// Path is its folder, relative to that of the manifest and inside of it.
	Path     string         `json:"path"`
	Position cento.Position `json:"position,omitzero"`
	// PathPosition is where the path is named; that of the name where it follows from it.
	PathPosition cento.Position `json:"-"`
}

// UsualName is the name of a file as its kind is usually written, to hold against names
// that are looked for: in lower case, with - and .yaml, without the .txt that editors add.
// JSON is YAML, so that a file of it is only called otherwise.
func UsualName(name string) string {
	usual := []byte(name) // a name needn't be UTF-8
	for i, c := range usual {
		switch {
		case 'A' <= c && c <= 'Z':
			usual[i] = c + 'a' - 'A'
		case c == '_':
			usual[i] = '-'
		}
	}
	name = strings.TrimSuffix(string(usual), ".txt")
	for _, ending := range [...]string{".yml", ".json"} {
		if stem, ok := strings.CutSuffix(name, ending); ok {
			return stem + ".yaml"
		}
	}
	return name
}

// Ignore accepts findings of a code; ID is the fragment or file that they are
// about, empty for any.
type Ignore struct {
	Code     string         `json:"code"`
	ID       string         `json:"id,omitempty"`
	Reason   string         `json:"reason"`
	Position cento.Position `json:"position,omitzero"`
	// IDPosition is where ID stands.
	IDPosition cento.Position `json:"-"`
}

// Caps are the capabilities that are set, and those taken from what the model
// and the project bring along.
type Caps struct {
	Set    []string `json:"set,omitempty"`
	Remove []string `json:"remove,omitempty"`
	// SetAt is where each of Set stands, and RemoveAt where each of Remove does.
	SetAt    []cento.Position `json:"-"`
	RemoveAt []cento.Position `json:"-"`
}

// Instructions say how project instructions are found.
type Instructions struct {
	// Convention names the loading rules, see [workspace.Conventions], or is
	// [workspace.NoInstructions].
	Convention string `json:"instructions"`
	// Markers are the names that mark the root of a project.
	Markers []string `json:"markers"`
	// Limit is how many bytes of instructions go into the prompt; 0: as many as
	// the loading rules say, see [workspace.InstructionsConfig].
	Limit int `json:"limit,omitempty"`
	// Imports puts the files in place that a text names as `@path`.
	Imports bool `json:"imports"`
}

// Parse reads a manifest: YAML, or JSON when the name ends in `.json`.
// The name is the one shown in positions, and prefixes are those that a host brings:
// references may begin with them too. Everything that is wrong is returned
// at once, targets included; see the codes of this package. A manifest of
// another version is refused as that, and nothing else is said about it.
func Parse(name string, data []byte, prefixes ...string) (*Manifest, error) {
	root, err := strict.Read(name, data, cento.DefaultLimits())
	if err != nil {
		return nil, err
	}
	if err := checkVersion(root); err != nil {
		return nil, err
	}
	d := strict.Decoder{Trust: cento.TrustWorkspace, Prefixes: prefixes}
	var f manifestFile
	if root.Kind() != strict.Null {
		d.Decode(addedToTargets(&d, root), &f)
	}
	m := build(&d, &f.settingsFile)
	m.root, m.prefixes = root, prefixes
	d.In("targets", func() {
		names := m.Targets()
		if len(names) > maxTargets {
			d.Fail(m.TargetPosition(names[maxTargets]), cento.LimitExceeded, "%d targets are more than the %d that a manifest may have", len(names), maxTargets).
				Hint = "put some of them into a manifest of their own, and name that with --file"
			return
		}
		for _, name := range names {
			if target := f.Targets[name]; target != nil {
				d.In(name, func() { build(&d, &target.settingsFile) })
			}
		}
	})
	d.In("targets", func() {
		checkRemovals(&d, root)
		m.outputs = outputs(&d, m.Targets(), f.Targets)
	})
	if f.Scope != nil {
		d.In("scope", func() { f.Scope.requireAllow(&d) })
	}
	d.In("store", func() { m.Store = decodeStore(&d, f.Store) })
	d.In("tests", func() { m.Tests = cases(&d, f.Tests) })
	if err := d.Err(); err != nil {
		m.offerPacks(name, data, err)
		return nil, err
	}
	return m, nil
}

// offerPacks gives errors on prefixes that there are none of the pack that was probably
// meant, which people write as a prefix of its own.
func (m *Manifest) offerPacks(name string, data []byte, err error) {
	names := []string{"builtin", "user", "workspace", "pack"}
	for _, p := range m.Packs {
		names = append(names, p.Name)
	}
	for _, e := range cento.SourceErrors(err) {
		if e.Code != pack.UnknownPrefix {
			continue
		}
		written, _ := TextAt(name, data, e.Position)
		prefix, file, _ := strings.Cut(strings.TrimSpace(written), "/")
		near, ok := nearest.Name(strings.TrimPrefix(prefix, "$"), names)
		if ok && slices.ContainsFunc(m.Packs, func(p PackReference) bool { return p.Name == near }) {
			e.Hint = "did you mean '" + string(pack.PackPrefix(near)) + "/" + file + "'?"
		}
	}
}

func checkVersion(root *strict.Node) error {
	_, version := root.Member("version")
	if version == nil || version.Kind() != strict.Number {
		return nil
	}
	if v, ok := version.Int(); ok && v == Version {
		return nil
	}
	var d strict.Decoder
	said, _ := version.AppendJSON(nil)
	d.Fail(version.Position(), UnsupportedVersion, "version %s of the manifest is not supported, only %d is", said, Version).
		Hint = fmt.Sprintf("write version: %d, or use a newer release of the program", Version)
	return d.Err()
}

// maxTargets is how many targets a manifest may have: a check makes the prompt of
// each, which takes about a millisecond.
const maxTargets = 500

// Targets lists the names of the targets, in the order of the file.
func (m *Manifest) Targets() []string {
	if m.root == nil {
		return nil
	}
	var names []string
	if _, targets := m.root.Member("targets"); targets != nil {
		for key := range targets.Members() {
			name, _ := key.Text()
			names = append(names, name)
		}
	}
	return names
}

// TargetPosition is where a target is named; zero where there is none.
func (m *Manifest) TargetPosition(name string) cento.Position {
	if m.root == nil {
		return cento.Position{}
	}
	_, targets := m.root.Member("targets")
	if targets == nil {
		return cento.Position{}
	}
	if key, _ := targets.Member(name); key != nil {
		return key.Position()
	}
	return cento.Position{}
}

// Plain reports whether a target sets nothing but its output: its prompt is the one of any
// other target that does.
func (m *Manifest) Plain(name string) bool {
	_, targets := m.root.Member("targets")
	if targets == nil {
		return false
	}
	_, over := targets.Member(name)
	if over == nil || over.Kind() != strict.Map {
		return false
	}
	for range over.Without("output").Members() {
		return false
	}
	return true
}

// SettingPosition is where the value of a key stands, by the path to it, of names and ranks
// from 0; zero where the manifest doesn't say it.
func (m *Manifest) SettingPosition(path ...string) cento.Position {
	if n := m.setting(path...); n != nil {
		return n.Position()
	}
	return cento.Position{}
}

// SettingNamePosition is where the key itself stands; zero where there is none.
func (m *Manifest) SettingNamePosition(path ...string) cento.Position {
	if n := m.setting(path[:len(path)-1]...); n != nil {
		if key, _ := n.Member(path[len(path)-1]); key != nil {
			return key.Position()
		}
	}
	return cento.Position{}
}

// setting is what stands on a path in the manifest; nil for nothing.
func (m *Manifest) setting(path ...string) *strict.Node {
	n := m.root
	for _, step := range path {
		if n == nil {
			return nil
		}
		if below := n.Below([]string{step}); below != n {
			n = below
		} else {
			n = nil
		}
	}
	return n
}

// NoTarget is the error [UnknownTarget]. It has no place: who asks for a target names it
// elsewhere than in the manifest.
func (m *Manifest) NoTarget(name string) *cento.SourceError {
	e := &cento.SourceError{Code: UnknownTarget, Message: fmt.Sprintf("there is no target %q", name), Hint: "the manifest has no targets"}
	if names := m.Targets(); len(names) > 0 {
		e.Hint = strict.UnknownHint(name, names)
	}
	if m.root != nil {
		if key, _ := m.root.Member("targets"); key != nil {
			e.Related = []cento.Related{{Position: key.Position(), Message: "the targets that there are"}}
		}
	}
	return e
}

// Target returns the manifest with a target laid on it: maps are merged, and
// anything else is replaced; a list may be changed by {add, remove} in its place. A list of tool names alone, or an empty one, says
// which of the defined tools are active; system and instruction replace each
// other; null takes a key out, so that its default holds. The result has no
// targets. An unknown name is the error [UnknownTarget]; values that exclude
// each other only once they are merged are errors too.
func (m *Manifest) Target(name string) (*Manifest, error) {
	var targets, over *strict.Node
	if m.root != nil {
		_, targets = m.root.Member("targets")
	}
	if targets != nil {
		_, over = targets.Member(name)
	}
	if over == nil {
		return nil, m.NoTarget(name)
	}
	base := m.root.Without("targets", "tests")
	over = over.Without("output")
	d := strict.Decoder{Trust: cento.TrustWorkspace, Prefixes: m.prefixes}
	changed := changesTools(over)
	manifests := lists{root: base}
	over, removed := manifests.resolved(&d, over)
	var active *Tools
	if over.Kind() == strict.Map {
		for _, pair := range [...][2]string{{"system", "instruction"}, {"instruction", "system"}} {
			if _, v := over.Member(pair[0]); v != nil {
				base = base.Without(pair[1])
			}
		}
		if _, tools := over.Member("tools"); !changed && tools != nil && tools.Kind() == strict.List {
			var t toolsFile
			d.Decode(tools, &t)
			if len(t.Defined) == 0 && len(t.Files) == 0 {
				active = &t.Tools
				over = over.Without("tools")
			}
		}
		base = base.With(over)
	}
	var f settingsFile
	said := base.Without("version", "store")
	_, own := over.Member("fragments")
	if own == nil { // they are the manifest's, which were read without a fault
		said = said.Without("fragments")
	}
	d.Decode(said, &f)
	t := build(&d, &f)
	if own == nil {
		t.Fragments, t.Contracts, t.Notes = m.Fragments, m.Contracts, m.Notes
	}
	t.Store, t.outputs = m.Store, m.outputs
	if f.Scope != nil {
		d.In("scope", func() { f.Scope.requireAllow(&d) })
	}
	if err := d.Err(); err != nil {
		return nil, err
	}
	t.root, t.prefixes = base, m.prefixes
	t.Tools.without(removed)
	if active != nil {
		t.Tools.Active, t.Tools.Listed, t.Tools.Exact, t.Tools.NamedAt = active.Active, true, true, active.NamedAt
	}
	return t, nil
}
