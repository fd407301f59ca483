package project

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/tree"
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
	// Layers says which layers are used.
	Layers LayerChoice
}

// Place is where a project stands on disk.
type Place struct {
	Root workspace.Root
	// ManifestPath is the manifest's path; empty when there is none. Base is
	// the folder that its relative paths start from.
	ManifestPath, Base string
	home, config       string
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

	request Request
	base    *Manifest // without target
	text    string    // of the manifest
	engine  *pack.Engine
	files   []*pack.File
	packs   []*pack.Installed // parallel to the manifest's
	loader  *pack.Loader

	settings   userConfig
	stack      []layer.Ranked
	resolution *layer.Resolution
}

// Locate finds a project: its root, and its manifest if it has one.
func Locate(r Request) (Place, error) {
	p := Place{home: r.Home, config: r.Config}
	dir, err := filepath.Abs(r.Dir)
	if err != nil {
		return p, err
	}
	if p.Root, err = workspace.FindRoot(dir, r.Home, nil); err != nil {
		return p, err
	}
	p.Base = p.Root.Dir
	if p.Root.Project != "" {
		p.Base = p.Root.Project
		file := filepath.Join(p.Root.Project, FileName)
		if _, err := os.Lstat(file); err == nil {
			p.ManifestPath = file
		}
	}
	if r.Manifest != "" {
		p.ManifestPath = r.Manifest
		if !filepath.IsAbs(p.ManifestPath) {
			p.ManifestPath = filepath.Join(dir, p.ManifestPath)
		}
		p.Base = filepath.Dir(p.ManifestPath)
	}
	return p, nil
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
	return p, p.collect()
}

// OpenPrompts reads what prompt files are rendered with: the manifest, the packs
// and the tools, but none of the files that the prompt is made of. Its input
// has no texts.
func (place Place) OpenPrompts(ctx context.Context, r Request) (*Project, error) {
	p, err := place.open(ctx, r)
	if err != nil {
		return nil, err
	}
	return p, errors.Join(p.prepare(), p.tools())
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
	q := &Project{Place: p.Place, request: p.request, base: p.base, Manifest: p.base}
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
	return q, q.collect()
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
	return cento.ReduceWith(in, p.engine)
}

// Show is the name that people know for a path: relative to the root of the
// project, `~/…` in the home folder, else absolute.
func (p Place) Show(name string) string {
	if rel, ok := below(p.Root.Dir, name); ok {
		return rel
	}
	if rel, ok := below(p.home, name); ok && p.home != "" {
		return "~/" + rel
	}
	return filepath.ToSlash(name)
}

// Path is the path behind a name made by [Place.Show], as far as it follows
// from the place alone; false for others, such as `$builtin/…`.
func (p Place) Path(shown string) (string, bool) {
	switch {
	case shown == "" || strings.HasPrefix(shown, "<"):
		return "", false
	case strings.HasPrefix(shown, "$workspace/"):
		return filepath.Join(p.Base, filepath.FromSlash(promptFolder), filepath.FromSlash(strings.TrimPrefix(shown, "$workspace/"))), true
	case strings.HasPrefix(shown, "$user/"):
		return filepath.Join(p.config, userPrompts, filepath.FromSlash(strings.TrimPrefix(shown, "$user/"))), p.config != ""
	case strings.HasPrefix(shown, "$"):
		return "", false
	case strings.HasPrefix(shown, "~/"):
		return filepath.Join(p.home, filepath.FromSlash(shown[2:])), p.home != ""
	case filepath.IsAbs(filepath.FromSlash(shown)):
		return filepath.FromSlash(shown), true
	}
	return filepath.Join(p.Root.Dir, filepath.FromSlash(shown)), true
}

// Path is the path behind a name that people know: those of [Place.Path], and
// the prompt files of packs.
func (p *Project) Path(shown string) (string, bool) {
	ref, err := pack.ParseRef(shown, pack.Ref{}, cento.Position{})
	if err != nil {
		return p.Place.Path(shown)
	}
	name, _ := ref.Prefix().Pack()
	for i, installed := range p.packs {
		if installed.Name == name {
			folder := filepath.Join(filepath.FromSlash(p.Manifest.Packs[i].Path), filepath.FromSlash(installed.Folder))
			return filepath.Join(p.Base, folder, filepath.FromSlash(ref.File())), true
		}
	}
	return p.Place.Path(shown)
}

func below(dir, name string) (string, bool) {
	rel, err := filepath.Rel(dir, name)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return "", false
	}
	return filepath.ToSlash(rel), true
}

const (
	// promptFolder is where a project keeps its prompt files, from the folder of
	// its manifest.
	promptFolder = ".cento/prompts"
	// userPrompts is where users keep theirs, from their own folder.
	userPrompts = "prompts"
)

func (p *Project) readManifest() error {
	if p.ManifestPath == "" {
		m := Implied(p.Root)
		p.base = &m
		return nil
	}
	read := p.readFile
	if p.request.Manifest == "" { // found, not named: it may be a stranger's link
		read = p.readInside
	}
	f, err := read(p.ManifestPath, cento.Position{})
	if err != nil {
		return err
	}
	p.text = f.Text
	p.base, err = ParseManifest(p.Show(p.ManifestPath), []byte(f.Text))
	return err
}

// Implied is what holds for a project without a manifest: the defaults, and a
// scope of its root. Where the root isn't marked, or is the home folder or the
// root of the disk, it may only be read: nobody said that this is a project.
func Implied(root workspace.Root) Manifest {
	m := Defaults()
	permission := workspace.Write
	if root.Marker == "" || root.Home || root.Disk {
		permission = workspace.Read
	}
	m.Scope = &workspace.ScopeConfig{Allow: []workspace.ScopeRule{{Target: root.Dir, Permission: permission}}}
	return m
}

// readFile reads a file that somebody named; at is where.
func (p *Project) readFile(name string, at cento.Position) (*tree.File, error) {
	shown := p.Show(name)
	limit := 0 // the manifest itself is read under the default
	if p.Manifest != nil {
		limit = p.Manifest.Limits.File
	}
	f, err := tree.ReadPath(name, tree.Options{Limit: limit, Show: func(string) string { return shown }})
	if err != nil {
		return nil, namedAt(err, at)
	}
	return f, nil
}

// readInside reads a file that the project itself names. A project can't reach
// out of its root, neither by its paths nor by links.
func (p *Project) readInside(name string, at cento.Position) (*tree.File, error) {
	root := p.Root.Dir
	if _, ok := below(root, p.Base); !ok {
		root = p.Base // the manifest was named and stands elsewhere
	}
	rel, ok := below(root, name)
	if !ok {
		return nil, &cento.SourceError{
			Code: tree.Outside, Position: at,
			Message: fmt.Sprintf("the file %s is outside of the project", p.Show(name)),
			Hint:    "a project names files below its root; give others with a flag",
		}
	}
	limit := 0
	if p.Manifest != nil {
		limit = p.Manifest.Limits.File
	}
	t, err := tree.Open(root, tree.Options{Limit: limit, Show: func(rel string) string {
		return p.Show(filepath.Join(root, filepath.FromSlash(rel)))
	}})
	if err != nil {
		return nil, namedAt(err, at)
	}
	defer t.Close()
	f, err := t.Read(rel)
	if err != nil {
		return nil, namedAt(err, at)
	}
	return f, nil
}

// named is the path of a file that the manifest names: relative to its folder.
func (p *Project) named(name string) string {
	if name = filepath.FromSlash(name); filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(p.Base, name)
}

// prepare fills what needs no file but the manifest and the packs.
func (p *Project) prepare() error {
	m := p.Manifest
	p.Input = cento.Input{
		Host: m.Host, Primary: m.Primary, Fragments: m.Fragments, Replacement: m.Replacement,
		Limits: m.Limits, Policy: m.Policy, Notes: slices.Clone(p.Root.Notes),
		Files: cento.Files{Now: p.request.Now, Cwd: filepath.ToSlash(p.Root.Cwd), Vars: m.Vars, Given: p.request.Vars},
	}
	if m.Agent.Name != nil {
		p.Input.Files.AgentName = *m.Agent.Name
	}
	p.Input.Active.Caps = slices.DeleteFunc(slices.Clone(m.Caps.Set), func(c string) bool { return slices.Contains(m.Caps.Remove, c) })
	p.Input.Active.Model = m.Model
	if p.request.Model != "" {
		p.Input.Active.Model = p.request.Model
	}
	if err := p.readConfig(); err != nil {
		return err
	}
	if err := p.openPacks(); err != nil {
		return err
	}
	p.loader = pack.NewLoader(p.roots(), m.Limits)
	return nil
}

func (p *Project) collect() error {
	if err := p.prepare(); err != nil {
		return err
	}
	wording, err := p.wording()
	if err != nil {
		return err
	}
	catalog, notes, err := pack.NewCatalog(p.loader, wording...)
	if err != nil {
		return err
	}
	p.Input.Notes = append(p.Input.Notes, notes...)
	var errs []*cento.SourceError
	for _, step := range []func() error{
		p.tools,
		func() error { return p.layers(catalog) },
		p.prompts,
		p.assign,
		func() error { catalog = catalog.With(p.variables()); return nil },
		func() error { return p.primary(catalog) },
		func() error { return p.boundaries(catalog) },
		func() error { return p.instructions(catalog) },
	} {
		if err := step(); err != nil {
			list := asSourceErrors(err)
			if list == nil {
				return err
			}
			errs = append(errs, list...)
		}
	}
	if err := cento.Join(errs); err != nil {
		return err
	}
	if err := noteSecrets(&p.Input); err != nil {
		return err
	}
	p.engine, err = pack.NewEngine(p.Input, p.files...)
	return err
}

// namedAt adds where a file is named to an error about it.
func namedAt(err error, at cento.Position) error {
	if e, ok := errors.AsType[*cento.SourceError](err); ok && !at.IsZero() {
		e.Related = append(e.Related, cento.Related{Position: at, Message: "named here"})
	}
	return err
}

func asSourceErrors(err error) []*cento.SourceError {
	if list, ok := errors.AsType[*cento.Errors](err); ok {
		return list.List
	}
	if e, ok := errors.AsType[*cento.SourceError](err); ok {
		return []*cento.SourceError{e}
	}
	return nil
}

func (p *Project) tools() error {
	t := p.Manifest.Tools
	switch {
	case p.request.ToolsText != nil:
		var err error
		if t, err = ReadTools(p.request.ToolsName, p.request.ToolsText, p.Manifest.Limits); err != nil {
			return err
		}
	case p.request.ToolsName != "":
		name := p.request.ToolsName
		if !filepath.IsAbs(name) {
			name = filepath.Join(p.request.Dir, name)
		}
		var err error
		if t, err = p.toolsFile(p.readFile, name, cento.Position{}); err != nil {
			return err
		}
	case t.File != nil:
		read, err := p.toolsFile(p.readInside, p.named(t.File.Path), t.File.Position)
		if err != nil {
			return err
		}
		if t.Listed {
			read.Listed, read.Active = true, t.Active
		}
		t = read
	}
	p.Input.Tools = t.Defined
	p.Input.AllTools = !t.Listed
	if t.Listed {
		p.Input.Active.Tools = t.Names()
	}
	return nil
}

func (p *Project) toolsFile(read func(string, cento.Position) (*tree.File, error), name string, at cento.Position) (Tools, error) {
	f, err := read(name, at)
	if err != nil {
		return Tools{}, err
	}
	return ReadTools(p.Show(name), []byte(f.Text), p.Manifest.Limits)
}

// primary fills the parts of the agent's block that the manifest doesn't word
// itself with the built-in wording.
func (p *Project) primary(catalog *pack.Catalog) error {
	block := &p.Input.Primary
	for _, part := range []struct {
		text *(*cento.Text)
		make func() (cento.Text, error)
	}{
		{&block.MCPAdvisory, catalog.MCPAdvisory},
		{&block.ProgressTool, func() (cento.Text, error) {
			return catalog.ProgressTool(cento.Text{Body: block.ProgressToolName, Trust: cento.TrustWorkspace})
		}},
		{&block.LoopContract, catalog.LoopContract},
		{&block.ToolContract, func() (cento.Text, error) { return catalog.ToolContract(p.Input.Tools) }},
	} {
		if *part.text != nil {
			continue
		}
		made, err := part.make()
		if err != nil {
			return err
		}
		*part.text = &made
	}
	return nil
}

func (p *Project) boundaries(catalog *pack.Catalog) error {
	cfg := p.Manifest.Scope
	if cfg == nil {
		return nil
	}
	denied, err := catalog.DeniedHeading()
	if err != nil {
		return err
	}
	scope := *cfg
	scope.Wording = workspace.ScopeWording{Denied: denied.Body, Trust: denied.Trust}
	if p.Scope, err = workspace.ResolveScope(scope, p.Base); err != nil {
		return err
	}
	p.Input.Notes = append(p.Input.Notes, p.Scope.Notes()...)
	section, err := catalog.WorkingBoundariesSection(asData(*p.Scope.Text(), "scope_summary"))
	if err != nil {
		return err
	}
	p.Input.Boundaries = &section
	return nil
}

func (p *Project) instructions(catalog *pack.Catalog) error {
	set := p.Manifest.Instructions
	root := p.Root
	if !slices.Equal(set.Markers, workspace.VCSMarkers()) {
		var err error
		if root, err = workspace.FindRoot(p.Root.Cwd, p.home, set.Markers); err != nil {
			return err
		}
	}
	var failed error
	notice := func(t cento.Text, err error) string {
		failed = errors.Join(failed, err)
		return t.Body
	}
	in, err := workspace.LoadInstructions(workspace.InstructionsConfig{
		Profile: set.Profile, Root: root.Dir, Cwd: root.Cwd, Global: p.request.Config, Home: p.home,
		Imports: set.Imports, Limit: set.Limit, MaxFile: p.Manifest.Limits.File,
		Wording: workspace.Wording{
			Cut: func(path string, kept, bytes, limit int) string {
				return notice(catalog.InstructionsCut(path, kept, bytes, limit))
			},
			LeftOut: func(path string, bytes, limit int) string {
				return notice(catalog.InstructionsLeftOut(path, bytes, limit))
			},
			Trust: cento.TrustBuiltin,
		},
	})
	if err := errors.Join(err, failed); err != nil {
		return err
	}
	p.Instructions = *in
	p.Input.Notes = append(p.Input.Notes, in.Notes...)
	if in.Text == nil {
		return nil
	}
	section, err := catalog.AgentsMDSection(asData(*in.Text, "agents_md"))
	if err != nil {
		return err
	}
	p.Input.Instructions = &section
	return nil
}

// asData marks a text as the value of a variable, so that no line of it can be
// taken for the wording around it.
func asData(t cento.Text, name string) cento.Text {
	if len(t.Runs) == 0 {
		t.Runs = []cento.Run{{End: len(t.Body), Position: t.Origin, Trust: t.Trust}}
	} else {
		t.Runs = slices.Clone(t.Runs)
	}
	for i := range t.Runs {
		if t.Runs[i].Var == "" {
			t.Runs[i].Var = name
		}
	}
	return t
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

// Name is the name of the project: that of its root folder.
func (p Place) Name() string { return path.Base(filepath.ToSlash(p.Root.Dir)) }
