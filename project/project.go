package project

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/layer"
	"github.com/cento-dev/cento/pack"
	"github.com/cento-dev/cento/workspace"
)

// Request says which project to read and what to read instead of its files.
// Nothing is taken from the environment: the folders are arguments.
type Request struct {
	// Dir is the folder of the run, absolute.
	Dir string
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
	// Target is the target of the manifest; empty for none.
	Target string
	// Model is used instead of the manifest's.
	Model string
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
	// ToolsName names the tool definitions to use instead of the manifest's. It
	// is a path, unless ToolsText holds them; empty: the manifest's.
	ToolsName string
	ToolsText []byte
	// Skills are the active skills instead of the manifest's; nil: the
	// manifest's.
	Skills []string
	// Env are the names of environment variables that have a value, and aliases
	// of credentials, for a project profile; never values.
	Env []string
	// Signals are facts about the project that the host knows, such as those of
	// a code index, by name: JSON values. Each sets the capability
	// `signal.<name>`, where there is a project profile.
	Signals map[string]json.RawMessage
	// Profile is a project profile that stands instead of the manifest's; nil for
	// none.
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

// Project is a project as it was read: its manifest, with the target laid on
// it, and the input of its prompt.
type Project struct {
	Place
	Manifest *Manifest
	Input    cento.Input
	// Scope is nil when none is configured.
	Scope        *workspace.Scope
	Instructions workspace.Instructions
	// Skills is nil when they are off.
	Skills *FoundSkills
	// Profile is nil when the project profile is off.
	Profile *Profile

	found   *foundProfile // by look
	catalog *pack.Catalog
	request Request
	base    *Manifest // without target
	text    string    // of the manifest
	engine  *pack.Engine
	files   []*pack.File
	packs   []*pack.Installed // parallel to the manifest's
	loader  *pack.Loader

	listings   []ServerListing
	lock       *pack.Lock // nil: not read yet
	settings   userConfig
	stack      []layer.Ranked
	resolution *layer.Resolution
}

// Open reads a project once: its manifest, the files that this names, and the
// instructions of its people. A project without a manifest has the defaults of
// [Implied].
//
// The errors are those of the manifest and of the files that it names; files
// that nobody names, such as an AGENTS.md that can't be read, are notes.
func Open(ctx context.Context, r Request) (*Project, error) {
	place, err := Locate(r)
	if err != nil {
		return nil, err
	}
	return place.Open(ctx, r)
}

// Open is the function [Open] for a place that was found already.
func (place Place) Open(ctx context.Context, r Request) (*Project, error) {
	p, err := place.open(ctx, r)
	if err != nil {
		return nil, err
	}
	return p, p.collect(ctx)
}

// OpenPrompts reads what prompt files are rendered with: the manifest, the packs
// and the tools, but none of the files that the prompt is made of. Its input
// has no texts.
func (place Place) OpenPrompts(ctx context.Context, r Request) (*Project, error) {
	p, err := place.open(ctx, r)
	if err != nil {
		return nil, err
	}
	return p, errors.Join(p.prepare(), p.tools(ctx))
}

// open reads the manifest.
func (place Place) open(ctx context.Context, r Request) (*Project, error) {
	p := &Project{Place: place, request: r}
	if err := p.readManifest(); err != nil {
		return nil, err
	}
	p.Manifest = p.base
	if r.Target != "" {
		var err error
		if p.Manifest, err = p.base.Target(r.Target); err != nil {
			return nil, err
		}
	}
	return p, ctx.Err()
}

// Target is the same project for another of its targets; the manifest isn't
// read again.
func (p *Project) Target(ctx context.Context, name string) (*Project, error) {
	q := &Project{Place: p.Place, request: p.request, base: p.base, Manifest: p.base, found: p.found}
	q.request.Target = name
	if name != "" {
		var err error
		if q.Manifest, err = p.base.Target(name); err != nil {
			return nil, err
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return q, q.collect(ctx)
}

// Targets lists the targets of the manifest.
func (p *Project) Targets() []string { return p.base.Targets() }

// Collect reads a project and gives its input: everything its prompt depends
// on, as plain data.
func Collect(ctx context.Context, r Request) (cento.Input, error) {
	p, err := Open(ctx, r)
	if err != nil {
		return cento.Input{}, err
	}
	return p.Input, nil
}

// Assemble reads a project and makes its prompt.
func Assemble(ctx context.Context, r Request) (*cento.Prompt, error) {
	p, err := Open(ctx, r)
	if err != nil {
		return nil, err
	}
	return p.Reduce(p.Input)
}

// Reduce makes the prompt of the project's input, or of a copy of it in which
// something is changed. It reads nothing.
func (p *Project) Reduce(in cento.Input) (*cento.Prompt, error) {
	prompt, err := cento.ReduceWith(in, p.engine)
	return prompt, p.Manifest.whereSet(err)
}

// Summary says in one line what the prompt is made of.
func (p *Project) Summary() string {
	var said []string
	if p.ManifestPath == "" {
		said = append(said, "no "+FileName+", using the defaults")
	} else {
		said = append(said, p.Show(p.ManifestPath))
	}
	files := map[workspace.Status][]string{}
	for _, f := range p.Instructions.Files {
		status := f.Status
		if status == workspace.Cut {
			files[workspace.Loaded] = append(files[workspace.Loaded], workspace.Visible(f.Path))
		}
		files[status] = append(files[status], workspace.Visible(f.Path))
	}
	if loaded := files[workspace.Loaded]; len(loaded) == 0 {
		said = append(said, "no project instructions")
	} else {
		said = append(said, "instructions "+someOf(loaded))
	}
	for _, s := range []workspace.Status{workspace.Shadowed, workspace.Cut, workspace.Failed} {
		if len(files[s]) > 0 {
			said = append(said, string(s)+" "+someOf(files[s]))
		}
	}
	if p.Skills != nil {
		said = append(said, p.Skills.summary())
	}
	switch {
	case p.Scope == nil:
		said = append(said, "no scope")
	case p.ManifestPath == "" && p.Root.Marker == "":
		said = append(said, "read only, since nothing marks the root of a project")
	case p.ManifestPath == "" && (p.Root.Home || p.Root.Disk):
		said = append(said, "read only, since this is the home folder or the whole disk")
	}
	return strings.Join(said, "; ")
}

// someOf names up to three of a list.
func someOf(names []string) string {
	if len(names) <= 3 {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", names[0], len(names)-1)
}
