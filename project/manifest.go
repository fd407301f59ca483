package project

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/strict"
	"github.com/cento-dev/cento/layer"
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
	// manifest holds that text itself, in Primary.System.
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
	// Scope is nil when none is configured. Its rules are relative to the
	// folder of the manifest.
	Scope        *workspace.ScopeConfig `json:"scope,omitempty"`
	Instructions Instructions           `json:"project"`
	// Profile says where the project profile comes from; the zero value is off.
	Profile ProfileSetting `json:"profile,omitzero"`
	// Model is the name of the model; empty when none is chosen.
	Model string `json:"model,omitempty"`
	// Replacement is nil when there is none.
	Replacement *cento.Replacement `json:"replacement,omitempty"`
	Limits      cento.Limits       `json:"limits"`
	Policy      cento.Policy       `json:"policy,omitzero"`
	// Vars are the variables for prompt files and conditions, a JSON object in
	// the order of the file; nil when there are none.
	Vars json.RawMessage `json:"vars,omitempty"`
	// PromptPack is a file that words the program's own texts anew; nil for none.
	PromptPack *FileReference `json:"prompt_pack,omitempty"`
	// Packs are the installed packs, in the order of the file.
	Packs []PackReference `json:"packs,omitempty"`
	// Skills is nil when the manifest says nothing of them: they are off then,
	// unless the user's configuration says otherwise.
	Skills *Skills `json:"skills,omitempty"`
	// Ignore are findings that somebody accepts.
	Ignore []Ignore `json:"ignore,omitempty"`
	// Reminders and Materialise are about sessions.
	Reminders   Reminders   `json:"reminders,omitzero"`
	Materialise Materialise `json:"materialise,omitzero"`
	// Store is where records go; nil for the user's own place.
	Store *FileReference `json:"store,omitempty"`
	// Notes are remarks on what it says.
	Notes []cento.Note `json:"notes,omitempty"`

	root *strict.Node
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
}

// Ignore accepts findings of a code; ID is the fragment or file that they are
// about, empty for any.
type Ignore struct {
	Code     string         `json:"code"`
	ID       string         `json:"id,omitempty"`
	Reason   string         `json:"reason"`
	Position cento.Position `json:"position,omitzero"`
}

// Caps are the capabilities that are set, and those taken from what the model
// and the project bring along.
type Caps struct {
	Set    []string `json:"set,omitempty"`
	Remove []string `json:"remove,omitempty"`
}

// Instructions say how project instructions are found.
type Instructions struct {
	// Profile names the loading rules, see [workspace.Profiles], or is
	// [workspace.NoInstructions].
	Profile string `json:"instructions"`
	// Markers are the names that mark the root of a project.
	Markers []string `json:"markers"`
	// Limit is how many bytes of instructions go into the prompt.
	Limit int `json:"limit"`
	// Imports puts the files in place that a text names as `@path`.
	Imports bool `json:"imports"`
}

// ParseManifest reads a manifest: YAML, or JSON when the name ends in `.json`.
// The name is the one shown in positions. Everything that is wrong is returned
// at once, targets included; see the codes of this package. A manifest of
// another version is refused as that, and nothing else is said about it.
func ParseManifest(name string, data []byte) (*Manifest, error) {
	root, err := strict.Read(name, data, cento.DefaultLimits())
	if err != nil {
		return nil, err
	}
	if err := checkVersion(root); err != nil {
		return nil, err
	}
	d := strict.Decoder{Trust: cento.TrustWorkspace}
	var f manifestFile
	if root.Kind() != strict.Null {
		d.Decode(root, &f)
	}
	m := build(&d, &f.settingsFile)
	m.root = root
	d.In("targets", func() {
		for _, name := range m.Targets() {
			if target := f.Targets[name]; target != nil {
				d.In(name, func() { build(&d, &target.settingsFile) })
			}
		}
	})
	if f.Scope != nil {
		d.In("scope", func() { requireAllow(&d, f.Scope) })
	}
	d.In("store", func() { m.Store = decodeStore(&d, f.Store) })
	if err := d.Err(); err != nil {
		return nil, err
	}
	return m, nil
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

// Target returns the manifest with a target laid on it: maps are merged, and
// anything else is replaced. A list of tool names alone, or an empty one, says
// which of the defined tools are active; system and instruction replace each
// other; null takes a key out, so that its default holds. The result has no
// targets. An unknown name is the error [UnknownTarget]; values that exclude
// each other only once they are merged are errors too.
func (m *Manifest) Target(name string) (*Manifest, error) {
	names := m.Targets()
	if !slices.Contains(names, name) {
		var d strict.Decoder
		var at cento.Position
		if m.root != nil {
			if key, _ := m.root.Member("targets"); key != nil {
				at = key.Position()
			}
		}
		e := d.Fail(at, UnknownTarget, "there is no target %q", name)
		if len(names) == 0 {
			e.Hint = "the manifest has no targets"
		} else {
			e.Hint = strict.UnknownHint(name, names)
		}
		return nil, d.Err()
	}
	_, targets := m.root.Member("targets")
	_, over := targets.Member(name)
	base := m.root.Without("targets")
	d := strict.Decoder{Trust: cento.TrustWorkspace}
	var active *Tools
	if over.Kind() == strict.Map {
		for _, pair := range [...][2]string{{"system", "instruction"}, {"instruction", "system"}} {
			if _, v := over.Member(pair[0]); v != nil {
				base = base.Without(pair[1])
			}
		}
		if _, tools := over.Member("tools"); tools != nil && tools.Kind() == strict.List {
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
	d.Decode(base.Without("version").Without("store"), &f)
	t := build(&d, &f)
	t.Store = m.Store
	if f.Scope != nil {
		d.In("scope", func() { requireAllow(&d, f.Scope) })
	}
	if err := d.Err(); err != nil {
		return nil, err
	}
	t.root = base
	if active != nil {
		t.Tools.Active, t.Tools.Listed, t.Tools.Exact = active.Active, true, true
	}
	return t, nil
}

// AppendYAML appends the manifest as it is written, with a target laid on it if
// it is one, as a line of YAML. [ParseManifest] reads it back as the same.
func (m *Manifest) AppendYAML(dst []byte) []byte {
	if m.root == nil {
		return dst
	}
	return m.root.AppendYAML(dst)
}

// build turns what is written into what it means. It also checks a target on
// its own, so it says nothing of what only a whole manifest must have.
func build(d *strict.Decoder, f *settingsFile) *Manifest {
	m := Defaults()
	if a := f.Agent; a != nil {
		m.Agent = Agent{Name: textOf(a.Name, d.Trust), ExecutionPrompt: textOf(a.ExecutionPrompt, d.Trust)}
	}
	if f.Instruction != nil {
		ref, err := pack.ParseRef(f.Instruction.Value, pack.Ref{}, f.Instruction.Position())
		d.Report(err)
		m.Instruction = &Reference{Ref: ref, Position: f.Instruction.Position()}
	}
	if f.System != nil {
		if f.Instruction != nil {
			conflict(d, "system", f.System.Position(), "instruction", f.Instruction.Position(), "both are the agent's main text")
		}
		m.Instruction = nil
		m.Primary.System = textOf(f.System, d.Trust)
	}
	if h := f.Host; h != nil {
		m.Host = cento.Host{
			SystemPreamble: h.SystemPreamble.HostOption, SystemPrefix: h.SystemPrefix.HostOption,
			SystemContext: h.SystemContext.HostOption, SystemPromptParts: h.SystemPromptParts.HostOption,
			SystemAppendix: h.SystemAppendix.HostOption, SystemSuffix: h.SystemSuffix.HostOption,
		}
	}
	if p := f.Primary; p != nil {
		m.Primary.MCPAdvisory, m.Primary.ProgressTool = textOf(p.MCPAdvisory, d.Trust), textOf(p.ProgressTool, d.Trust)
		m.Primary.LoopContract, m.Primary.ToolContract = textOf(p.LoopContract, d.Trust), textOf(p.ToolContract, d.Trust)
		m.Primary.ProgressToolName = strings.TrimSpace(p.ProgressToolName)
	}
	d.In("layers", func() { m.Layers = namedLayers(d, f.Layers, layer.WorkspaceRank) })
	d.In("fragments", func() {
		m.Fragments = fragments(d, f.Fragments, "manifest", true)
		m.Contracts, m.Notes = contractFiles(f.Fragments), contractNotes(f.Fragments)
	})
	if f.Tools != nil {
		m.Tools = f.Tools.Tools
	}
	d.In("caps", func() { m.Caps = caps(d, f.Caps) })
	if f.Scope != nil {
		scope := f.Scope.config(d)
		m.Scope = &scope
	}
	if f.Project != nil {
		d.In("project", func() { m.Instructions = f.Project.instructions(d, m.Instructions) })
	}
	d.In("profile", func() { m.Profile = f.Profile.setting(d, true) })
	if f.Model != nil {
		m.Model = strings.TrimSpace(f.Model.Value)
		if _, ok := f.Model.Text(); ok && m.Model == "" {
			d.In("model", func() {
				d.Fail(f.Model.Position(), strict.WrongValue, "a blank name").Hint = "leave model out, or name one"
			})
		}
	}
	if f.Replacement != nil {
		m.Replacement = &cento.Replacement{Text: *textOf(f.Replacement, d.Trust)}
		if _, ok := f.Replacement.Text(); ok && strings.TrimSpace(f.Replacement.Value) == "" {
			d.Fail(f.Replacement.Position(), cento.BlankReplacement, "the replacement is blank").
				Hint = "leave replacement out, or write the text that should stand instead"
		}
	}
	if f.Vars != nil {
		m.Vars = f.Vars.json
	}
	if f.PromptPack != nil {
		if _, ok := f.PromptPack.Text(); ok && strings.TrimSpace(f.PromptPack.Value) == "" {
			d.In("prompt_pack", func() {
				d.Fail(f.PromptPack.Position(), strict.WrongValue, "a blank path").Hint = "leave prompt_pack out, or name a file"
			})
		}
		m.PromptPack = &FileReference{Path: f.PromptPack.Value, Position: f.PromptPack.Position()}
	}
	d.In("packs", func() { m.Packs = packs(d, f.Packs) })
	m.Skills = f.Skills.settings()
	d.In("ignore", func() { m.Ignore = ignored(d, f.Ignore) })
	if m.Materialise = f.Materialise; f.Reminders != nil {
		d.In("reminders", func() { m.Reminders = f.Reminders.reminders(d) })
	}
	if f.Trust != nil && f.Trust.Policy != nil {
		m.Policy = f.Trust.Policy.Policy
	}
	if f.Limits != nil {
		d.In("limits", func() { m.Limits, m.limitsAt = f.Limits.tightened(d, m.Limits) })
	}
	return &m
}

// textOf is a text with its places; nil for none.
func textOf(t *text, trust cento.Trust) *cento.Text {
	if t == nil {
		return nil
	}
	return &cento.Text{Body: t.Value, Runs: t.Runs(trust), Trust: trust, Origin: t.Position()}
}

// caps parts names that are set from those that are taken away.
func caps(d *strict.Decoder, list []text) Caps {
	var c Caps
	seen := make(map[string]bool, len(list)) // true: taken away
	for i := range list {
		name, removed := strings.CutPrefix(list[i].Value, "-")
		before, repeated := seen[name]
		switch {
		case strings.TrimSpace(name) == "":
			if _, ok := list[i].Text(); !ok {
				continue // of another kind, as was reported
			}
			d.InItem(i, func() { d.Fail(list[i].Position(), strict.WrongValue, "a capability without a name") })
		case repeated && before != removed:
			d.InItem(i, func() {
				d.Fail(list[i].Position(), Conflict, "capability %q is both set and taken away", name).Hint = "keep one of the two"
			})
		case !repeated && removed:
			c.Remove = append(c.Remove, name)
			seen[name] = true
		case !repeated:
			c.Set = append(c.Set, name)
			seen[name] = false
		}
	}
	return c
}

// config is the scope as the workspace takes it.
func (s *scopeFile) config(d *strict.Decoder) workspace.ScopeConfig {
	return workspace.ScopeConfig{Allow: rules(d, s.Allow), Deny: rules(d, s.Deny), ShowDenied: s.ShowDenied}
}

func rules(d *strict.Decoder, list []scopeRuleFile) []workspace.ScopeRule {
	var out []workspace.ScopeRule
	for _, r := range list {
		out = append(out, workspace.ScopeRule{
			Target: r.Target.Value, Permission: workspace.Read + workspace.Permission(r.Permission), Recursive: r.Recursive,
			Position: r.Target.Position(), Trust: d.Trust,
		})
		if _, ok := r.Target.Text(); ok && strings.TrimSpace(r.Target.Value) == "" {
			d.Fail(r.Target.Position(), workspace.InvalidTarget, "a blank target").Hint = `the project itself is "."`
		}
	}
	return out
}

func requireAllow(d *strict.Decoder, s *scopeFile) {
	if len(s.Allow) == 0 && !s.Position().IsZero() && (s.Allow != nil || !s.Has("allow")) {
		d.Fail(s.Position(), workspace.NoAllow, "the scope has no allow rule").
			Hint = "without one nothing may be read; add allow: [{target: ., permission: read}], or take the scope out"
	}
}

// instructions lays what is written on the defaults.
func (p *projectFile) instructions(d *strict.Decoder, i Instructions) Instructions {
	if p.Instructions != nil {
		i.Profile = p.Instructions.Value
		if known := append(workspace.Profiles(), workspace.NoInstructions); !slices.Contains(known, i.Profile) {
			d.In("instructions", func() {
				d.Fail(p.Instructions.Position(), workspace.UnknownProfile, "no loading rules are named %q", i.Profile).
					Hint = strict.UnknownHint(i.Profile, known)
			})
		}
	}
	if p.Markers != nil {
		i.Markers = make([]string, len(p.Markers))
		for j, m := range p.Markers {
			i.Markers[j] = m.Value
			if _, ok := m.Text(); ok && (strings.TrimSpace(m.Value) == "" || strings.ContainsAny(m.Value, `/\`) || m.Value == "." || m.Value == "..") {
				d.In("markers", func() {
					d.InItem(j, func() {
						d.Fail(m.Position(), workspace.InvalidMarker, "expected the name of one file or folder, got %q", m.Value)
					})
				})
			}
		}
	}
	if p.Limit != nil {
		i.Limit = p.Limit.Value
	}
	i.Imports = p.Imports
	return i
}

// tightened lowers the limits that hold, and tells where each was set. One that
// is higher is an error.
func (f *limitsFile) tightened(d *strict.Decoder, l cento.Limits) (cento.Limits, map[string]cento.Position) {
	at := map[string]cento.Position{}
	for _, c := range [...]struct {
		name  string
		asked *count
		limit *int
	}{{"file", f.File, &l.File}, {"prompt", f.Prompt, &l.Prompt}, {"fragments", f.Fragments, &l.Fragments}, {"nesting", f.Nesting, &l.Nesting}} {
		switch {
		case c.asked == nil:
		case c.asked.Value > *c.limit:
			d.In(c.name, func() {
				d.Fail(c.asked.Position(), Loosened, "%d is more than the %d that hold", c.asked.Value, *c.limit).
					Hint = "a manifest may only lower limits"
			})
		case c.asked.Value > 0:
			*c.limit = c.asked.Value
			at[c.name] = c.asked.Position()
		}
	}
	return l, at
}

// whereSet points the error of a limit at the manifest that set it; what was one
// too many stands beside it.
func (m *Manifest) whereSet(err error) error {
	e, ok := errors.AsType[*cento.SourceError](err)
	if !ok || e.Code != cento.LimitExceeded {
		return err
	}
	for name, at := range m.limitsAt {
		if e.Hint != "the limit is limits."+name {
			continue
		}
		if !e.Position.IsZero() {
			e.Related = append(e.Related, cento.Related{Position: e.Position, Message: "the first beyond it"})
		}
		e.Position = at
	}
	return err
}
