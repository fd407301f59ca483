package project

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/disk"
	"github.com/cento-dev/cento/internal/manifest"
	"github.com/cento-dev/cento/layer"
	"github.com/cento-dev/cento/pack"
	"github.com/cento-dev/cento/project/consent"
	"github.com/cento-dev/cento/reminder"
	"github.com/cento-dev/cento/workspace"
)

// Request says which project to read and what to read instead of its files.
// Nothing is taken from the environment: the folders are arguments.
type Request struct {
	// Dir is the folder of the run, absolute.
	Dir string
	// Disk is where all folders lie; the zero value is the machine's. On another one,
	// files stand instead of those of a folder, such as those of a revision.
	Disk disk.Disk
	// Home is the user's home folder; empty when there is none. Names of files
	// in it are shown as `~/…`.
	Home string
	// Config is the folder of the user's own prompts and instructions; empty for
	// none.
	Config string
	// Clients are the folders of the users of other clients, where they aren't at
	// their usual place below Home, see [workspace.InstructionsConfig]. They are
	// read only for the instructions profile of such a client.
	Clients map[string]string
	// Manifest is the manifest to read; empty: the nearest cento.yaml.
	Manifest string
	// ManifestText is a manifest that stands instead of a file, as text by the name
	// ManifestName, which ends in `.json` for JSON. Its relative paths start from the
	// folder where cento.yaml would lie. Nil: the file.
	ManifestName string
	ManifestText []byte
	// Copy is a folder that holds a copy of the project's files, and Dir lies in it or
	// is it: that is the root, and nothing above it is looked at. Empty: Dir is where
	// the project lies. Folder is where the files of a copy lie, absolute, as texts
	// name it. When it is empty, no text can tell where something may be read or
	// written: there is no scope but one of absolute targets.
	Copy   string
	Folder string
	// Portable makes the same prompt on every machine of the same files: in texts the
	// root of the project is `<root>` and the home folder `~`, and the remotes of a
	// clone aren't looked at.
	Portable bool
	// Committed: the prompt goes into a file of the project, so it says of boundaries
	// only what the manifest says.
	Committed bool
	// Target is the target of the manifest; empty for none.
	Target string
	// Model is used instead of the manifest's; ModelAt is where it is named, zero for a
	// flag.
	Model   string
	ModelAt cento.Position
	// Models are what is said of models, over the manifest's, the user's and the
	// catalog's; see [model.Catalog.With].
	Models []cento.Model
	// Budget is used instead of the manifest's; nil: the manifest's.
	Budget *Budget
	// Now is the clock and time zone for prompt files; zero for none: reading
	// the time is an error then.
	Now time.Time
	// Vars are variables for prompt files and conditions, over the manifest's: a
	// JSON object.
	Vars json.RawMessage
	// Assignments are the same as words, as a command line has them. Each takes
	// the type that a prompt file or the manifest declares, and is a text where
	// none does. They come after Vars.
	Assignments []Assignment
	// Host are parts by which the host frames the agent's prompt. Those of an option
	// stand behind the manifest's of the same one.
	Host cento.Host
	// Primary is the primary block as parts, instead of all that the manifest says of
	// it; nil: the manifest's. An empty list isn't nil: there is no block then.
	Primary []cento.Fragment
	// Caps are capabilities that are set beside those of the manifest, the profile and
	// the model; the manifest takes none of them away.
	Caps []string
	// Prefixes are those of the host's own prompt files, such as `$insomnia`, each with
	// its files and the trust of these; `$builtin` among them stands instead of the
	// files that are built in. Prompts made with them can be recorded: an input holds
	// the texts that it was made of.
	Prefixes map[pack.Prefix]pack.Own
	// Wording words the program's own texts anew, over that of the user and of the
	// project; later ones over earlier ones.
	Wording []*pack.Wording
	// Stack are layers of the host beside those of the project, each with its rank and
	// a name that no other has.
	Stack []layer.Ranked
	// Tools are tool definitions of the host, in addition to those of the manifest, its
	// files and its servers. All are active, except the names that the target removes.
	// Where another source defines a tool of the same name, Cento uses the definition of
	// Tools and adds the note [CodeReplaced]. The names and schemas are checked as those
	// of files are.
	Tools []cento.Tool
	// OnlyTools leaves out the tools of the manifest, its files and its servers, with the
	// note [CodeReplaced]: Tools are then all. No server is asked.
	OnlyTools bool
	// ToolsName names the tool definitions to use instead of the manifest's. It
	// is a path, unless ToolsText holds them; empty: the manifest's. Cento adds the note
	// [CodeReplaced] where the manifest has tools.
	ToolsName string
	ToolsText []byte
	// Skills are the active skills instead of the manifest's, with the note
	// [CodeReplaced] for the names that are no longer active; nil: the manifest's.
	Skills []string
	// Env are the names of environment variables that have a value, and aliases
	// of credentials, for a project profile; never values.
	Env []string
	// Signals are facts about the project that the host knows, such as those of
	// a code index, by name: JSON values. Each sets the capability
	// `signal.<name>`, where there is a project profile.
	Signals map[string]json.RawMessage
	// Profile is a project profile that stands instead of the manifest's, with the note
	// [CodeReplaced] where the manifest has one; nil for none.
	Profile *Profile
	// Layers says which layers are used.
	Layers LayerChoice
	// Session is the layer of a session, above those of the project; nil: none.
	Session *layer.Layer
	// AllowMCP lets the manifest's servers be asked though nobody approved them.
	AllowMCP bool
	// Servers says whether the manifest's servers are asked.
	Servers ServerUse
	// Lister asks them. Without one a manifest that names servers is an error.
	Lister Lister
	// Frozen makes a server that isn't in the lock an error, as the manifest's
	// `lock: require` does.
	Frozen bool
	// Unlocked uses what servers say though the lock says something else, to
	// compare both and to lock it anew.
	Unlocked bool
}

// Project is a project as it was read: what its manifest says, with a target
// laid on it, and the input of its prompt.
type Project struct {
	Site
	Input cento.Input
	// Scope is nil when it is off.
	Scope        *workspace.Scope
	Instructions workspace.Instructions
	// Skills is nil when they are off.
	Skills *FoundSkills
	// Profile is nil when the project profile is off.
	Profile *Profile

	from     *reader
	looked   *foundProfile // what the files say of the project; nil: nobody looked
	catalog  *pack.Catalog
	packs    []*consent.Installed // parallel to the manifest's
	loader   *pack.Loader
	engine   *pack.Engine
	files    []*pack.File
	listings []consent.ServerListing
	plan     sectionPlan
}

// Open reads a project once: its manifest, the files that this names, and the
// instructions of its people. A project without a manifest is one whose manifest is
// empty.
//
// The errors are those of the manifest and of the files that it names; files
// that nobody names, such as an AGENTS.md that can't be read, are notes.
func Open(ctx context.Context, r Request) (*Project, error) {
	site, err := Locate(r)
	if err != nil {
		return nil, err
	}
	return site.Open(ctx, r)
}

// Open is the function [Open] for a site that was found already.
func (site Site) Open(ctx context.Context, r Request) (*Project, error) {
	p, err := site.read(r)
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return p.collected(ctx, nil)
}

// OpenPrompts reads what prompt files are rendered with: the manifest, the packs
// and the tools, but none of the files that the prompt is made of. Its input has
// the texts alone that stand in the manifest.
func (site Site) OpenPrompts(ctx context.Context, r Request) (*Project, error) {
	p, err := site.read(r)
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	b, err := p.basis(nil)
	tools, unusable := p.tools(ctx)
	if err := errors.Join(err, unusable); err != nil {
		return nil, err
	}
	in := p.frame(b.caps, b.model, tools)
	in.Profile = b.given()
	in.Notes = slices.Concat(p.Root.Notes, p.manifest.Notes, b.model.notes, b.remarks(), tools.remarks())
	return &Project{
		Site: site, Input: in, Profile: b.profile,
		from: p, looked: b.looked, packs: b.packs, loader: b.loader, listings: tools.listings,
	}, nil
}

// Target is the same project for another of its targets. The manifest isn't read
// again, nor are prompt files that were read, the packs, the wording and the user's
// configuration, unless the target names others.
func (p *Project) Target(ctx context.Context, name string) (*Project, error) {
	r, err := p.from.target(name)
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return r.collected(ctx, p.looked)
}

// Recorded is a project of which nothing is known but the input of a prompt: it
// has no files, targets or layers.
func Recorded(in cento.Input) (*Project, error) {
	m := manifest.Defaults()
	engine, err := pack.NewEngine(in)
	if err != nil {
		return nil, err
	}
	return &Project{Site: Site{copied: true}, Input: in, from: &reader{base: &m, manifest: &m, shared: &shared{}}, engine: engine}, nil
}

// Targets reads the manifest and the user's configuration, and nothing else of a
// project, and lists its targets.
func (site Site) Targets(r Request) ([]string, error) {
	r.Target = ""
	p, err := site.read(r)
	if err != nil {
		return nil, err
	}
	return p.base.Targets(), nil
}

// Targets lists the targets of the manifest.
func (p *Project) Targets() []string { return p.from.base.Targets() }

// PlainTargets lists the targets that set nothing but their output, so that their prompts
// are one.
func (p *Project) PlainTargets() []string {
	return slices.DeleteFunc(p.Targets(), func(name string) bool { return !p.from.base.Plain(name) })
}

// TargetPosition is where the manifest names a target; zero where it doesn't.
func (p *Project) TargetPosition(name string) cento.Position { return p.from.base.TargetPosition(name) }

// Assemble reads a project and makes its prompt.
func Assemble(ctx context.Context, r Request) (*cento.Prompt, error) {
	p, err := Open(ctx, r)
	if err != nil {
		return nil, err
	}
	return p.Reduce(p.Input)
}

// Reduce makes the prompt of the project's input, or of a copy of it in which
// something is changed, whatever it is: it is [pack.Reduce]. It reads nothing.
func (p *Project) Reduce(in cento.Input) (*cento.Prompt, error) {
	prompt, err := p.engine.Reduce(in)
	return prompt, p.located(err, in.Files.Given)
}

// Assemble is Reduce of the project's input with another active set alone, of which the
// tools are those listed: it is [pack.Engine.Assemble], and reads nothing.
func (p *Project) Assemble(a cento.Active) (*cento.Prompt, error) {
	prompt, err := p.engine.Assemble(a, p.Input.Files.Now)
	return prompt, p.located(err, p.Input.Files.Given)
}

// located points errors at what the manifest says: its limits, and the values of its
// variables, unless a caller gave others.
func (p *Project) located(err error, given json.RawMessage) error {
	for _, e := range cento.SourceErrors(err) {
		wrong, ok := errors.AsType[*pack.VarError](e)
		if !ok || e.Position != wrong.Declared.Position {
			continue
		}
		value, set := p.from.manifest.Value(wrong.Declared.Name)
		for name := range membersOf(given) {
			set = set && name != wrong.Declared.Name
		}
		if set {
			e.Related = append(e.Related, cento.Related{Position: e.Position, Message: "its type is declared here"})
			e.Position = value.Origin
		}
	}
	return p.Pathed(p.from.manifest.LocateLimit(err))
}

// Unreached tells which literal texts of a fragment's prompt files its rendering
// doesn't come to; see [pack.Engine.Unreached].
func (p *Project) Unreached(f *cento.Fragment, a cento.Active) ([]pack.Unreached, error) {
	return p.engine.Unreached(f, a)
}

// Condition is the condition of one of the project's fragments. Its errors are those of
// making the prompt.
func (p *Project) Condition(f *cento.Fragment) (*pack.Condition, error) {
	c, err := p.engine.Compile(f.WhenText())
	if err != nil {
		return nil, err
	}
	return c.(*pack.Condition), nil
}

// Sources are the prompt file of a fragment and those that were read for it, by
// name; none for a fragment without one.
func (p *Project) Sources(f *cento.Fragment) []*pack.Source { return p.engine.Sources(f) }

// Summary says in one line what the prompt is made of.
func (p *Project) Summary() string {
	var parts []string
	switch {
	case p.from.request.ManifestText != nil:
		parts = append(parts, p.from.request.ManifestName)
	case p.ManifestPath == "":
		parts = append(parts, "no "+manifest.FileName+", using the defaults")
	default:
		parts = append(parts, p.Show(p.ManifestPath))
	}
	files := map[workspace.Status][]string{}
	for _, f := range p.from.reported(&p.Instructions) {
		status := f.Status
		if status == workspace.Cut {
			files[workspace.Loaded] = append(files[workspace.Loaded], workspace.Visible(f.Path))
		}
		files[status] = append(files[status], workspace.Visible(f.Path))
	}
	if loaded := files[workspace.Loaded]; len(loaded) == 0 {
		parts = append(parts, "no project instructions")
	} else {
		parts = append(parts, "instructions "+someOf(loaded))
	}
	for _, s := range []workspace.Status{workspace.Shadowed, workspace.Cut, workspace.Failed} {
		if len(files[s]) > 0 {
			parts = append(parts, string(s)+" "+someOf(files[s]))
		}
	}
	if p.Skills != nil && len(p.Skills.listed)+len(p.Skills.active) > 0 {
		parts = append(parts, p.Skills.summary())
	}
	switch implied := p.from.manifest.Scope == nil; {
	case p.Scope == nil:
		parts = append(parts, "no scope")
	case implied && p.Root.Marker == "":
		parts = append(parts, "read only, since nothing marks the root of a project")
	case implied && (p.Root.Home || p.Root.Disk):
		parts = append(parts, "read only, since this is the home folder or the whole disk")
	}
	return strings.Join(parts, "; ")
}

// ScopeOff reports whether the manifest turns the scope off. Else a project without one has
// no folder that anybody could name.
func (p *Project) ScopeOff() bool { return p.from != nil && p.from.manifest.ScopeOff }

// someOf names up to three of a list.
func someOf(names []string) string {
	if len(names) <= 3 {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", names[0], len(names)-1)
}

// Ignore accepts findings of a code; ID is the fragment or file that they are
// about, empty for any.
type Ignore struct {
	Code, ID, Reason string
	// Position is where Code stands, and IDPosition where ID does.
	Position, IDPosition cento.Position
}

// Ignored are the findings that the manifest accepts.
func (p *Project) Ignored() []Ignore {
	out := make([]Ignore, len(p.from.manifest.Ignore))
	for i, x := range p.from.manifest.Ignore {
		out[i] = Ignore{Code: x.Code, ID: x.ID, Reason: x.Reason, Position: x.Position, IDPosition: x.IDPosition}
	}
	return out
}

// CapsTakenAway are the capabilities that the manifest takes away, whatever sets them.
func (p *Project) CapsTakenAway() []string { return slices.Clone(p.from.manifest.Caps.Remove) }

// Variables are the variables that the manifest declares, each with its place.
func (p *Project) Variables() map[string]cento.Position { return p.from.manifest.Variables() }

// VariablesTogether are the variables that one map of the manifest sets, its own or that of
// a target, each with its place.
func (p *Project) VariablesTogether() []map[string]cento.Position {
	return p.from.base.VariablesTogether()
}

// Value is the value of a variable as the manifest sets it, or what stands in it on a path
// of names and ranks from 0, as far as that leads: where it begins, and of a text its runs.
// False for a variable that the manifest doesn't set.
func (p *Project) Value(name string, path ...string) (cento.Text, bool) {
	return p.from.manifest.Value(name, path...)
}

// SessionSettings are what a manifest says about sessions.
type SessionSettings struct {
	// PerTurn makes the prompt anew for each turn; else it is made once.
	PerTurn bool
	// Placement is where reminders go; nil where none is chosen: the turn for
	// append-only envelopes and for a model with a prompt cache, else the system
	// prompt.
	Placement *reminder.Placement
	// AppendOnly keeps every envelope where it was sent first.
	AppendOnly bool
	// Providers names those that are asked, as [reminder.Choose] reads it.
	Providers []string
}

// SessionSettings are what the manifest says about sessions.
func (p *Project) SessionSettings() SessionSettings {
	m := p.from.manifest
	return SessionSettings{
		PerTurn: m.Materialise == manifest.EveryTurn, Placement: m.Reminders.Placement, AppendOnly: m.Reminders.AppendOnly,
		Providers: m.Reminders.Providers,
	}
}
