package project

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"slices"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/pack"
	"github.com/cento-dev/cento/workspace"
)

// InstructionsChoice says whose loading rules are asked for.
type InstructionsChoice struct {
	// Conventions are those to load by, see [workspace.Conventions]; empty: that of the
	// manifest alone.
	Conventions []string
	// For are the absolute paths of files that are worked on.
	For []string
}

// LoadedInstructions are a project's instructions as several conventions load them.
type LoadedInstructions struct {
	// Model is the model that the request or the manifest names, and Notes are what there is
	// to say of that name.
	Model string
	Notes []cento.Note
	// List has one for each convention that was asked for.
	List []*workspace.Instructions
}

// LoadInstructions reads a project's instructions by the rules of conventions, in
// the order asked for, and nothing of what else its prompt is made of. Errors are
// those of the manifest, of the packs that word the notices, and
// [workspace.UnknownConvention].
func (site Site) LoadInstructions(ctx context.Context, r Request, choice InstructionsChoice) (*LoadedInstructions, error) {
	p, err := site.read(r)
	if err != nil {
		return nil, err
	}
	b, err := p.basis(nil)
	if err != nil {
		return nil, err
	}
	catalog, _, err := p.catalog(b)
	if err != nil {
		return nil, err
	}
	named := p.model()
	out := &LoadedInstructions{Model: named.name, Notes: named.notes}
	conventions := choice.Conventions
	if len(conventions) == 0 {
		conventions = []string{p.manifest.Instructions.Convention}
	}
	below, err := p.findBelow()
	if err != nil {
		return nil, err
	}
	for _, name := range conventions {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		in, err := p.loadInstructions(catalog, name, choice.For, below)
		if err != nil {
			return nil, err
		}
		out.List = append(out.List, in)
	}
	return out, nil
}

// loadInstructions reads the instructions by one convention, with the
// settings of the manifest.
func (r *reader) loadInstructions(catalog *pack.Catalog, convention string, forFiles []string, below *workspace.Below) (*workspace.Instructions, error) {
	cfg, err := r.instructionsConfig(convention)
	if err != nil {
		return nil, err
	}
	cfg.For, cfg.Below = forFiles, below
	var failed error
	stability := cento.Static // of the notices
	notice := func(t cento.Text, err error) string {
		failed, stability = errors.Join(failed, err), max(stability, t.Stability)
		return t.Body
	}
	cfg.Wording.Cut = func(path string, kept, bytes, limit int) string {
		return notice(catalog.InstructionsCut(path, kept, bytes, limit))
	}
	cfg.Wording.LeftOut = func(path string, bytes, limit int) string {
		return notice(catalog.InstructionsLeftOut(path, bytes, limit))
	}
	in, err := workspace.LoadInstructions(cfg)
	if err := errors.Join(err, failed); err != nil {
		return nil, err
	}
	if in.Text != nil {
		in.Text.Stability = stability
	}
	return in, nil
}

// instructionsConfig is how a convention is read here, but for the wording of what is
// cut.
func (r *reader) instructionsConfig(convention string) (workspace.InstructionsConfig, error) {
	set := r.manifest.Instructions
	root := r.Root
	if !r.copied && !slices.Equal(set.Markers, workspace.VCSMarkers()) {
		var err error
		if root, err = workspace.FindRoot(r.disk, r.Root.Cwd, r.home, set.Markers); err != nil {
			return workspace.InstructionsConfig{}, err
		}
	}
	maxFile := r.manifest.Limits.File
	if maxFile == cento.DefaultLimits().File {
		maxFile = 0 // that of the convention
	}
	return workspace.InstructionsConfig{
		Convention: cmp.Or(convention, workspace.DefaultConvention), Root: root.Dir, Cwd: root.Cwd, Disk: r.disk, Outputs: r.outputPaths(), Top: r.topOf(root.Dir),
		Global: r.request.Config, Home: r.home, Folders: r.request.Clients,
		Imports: set.Imports, Limit: set.Limit, MaxFile: maxFile,
		Wording: workspace.Wording{
			Absolute: func(path string) string {
				return filepath.ToSlash(cmp.Or(r.told(filepath.FromSlash(path)), r.Show(path)))
			},
			Trust: cento.TrustBuiltin,
		},
	}, nil
}

// findBelow lists the instruction files of the project by their names.
func (r *reader) findBelow() (*workspace.Below, error) {
	return workspace.FindBelow(r.disk, r.Root.Dir, r.Root.Cwd, r.outputPaths()...)
}

// outputPaths are the files that targets are written to.
func (r *reader) outputPaths() []string {
	var out []string
	for _, o := range r.base.Outputs() {
		out = append(out, filepath.ToSlash(filepath.Join(r.Base, filepath.FromSlash(o.File))))
	}
	return out
}

// InstructionsBelow are the instruction files of deeper folders, which a prompt
// doesn't have from the start. The project is looked at anew; where it can't be, there
// are none.
func (p *Project) InstructionsBelow() []workspace.File {
	if p.from == nil || p.from.manifest == nil || p.catalog == nil {
		return nil
	}
	below, err := p.from.findBelow()
	if err != nil {
		return nil
	}
	in, err := p.from.loadInstructions(p.catalog, p.from.manifest.Instructions.Convention, nil, below)
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(in.Files, func(f workspace.File) bool { return f.Status != workspace.BelowCwd })
}

// OthersInstructions is an instruction file that the rules of other conventions consider.
type OthersInstructions struct {
	// File is as the first of these conventions has it, of those that could use it if any
	// could.
	File workspace.File
	// Looking are the conventions that consider the file, and Loading those of them by
	// which it is in the text from the start, whole or in part, in the order of
	// [workspace.Conventions].
	Looking, Loading []string
}

// InstructionsOfOthers are the instruction files that the rules of other conventions
// consider, each once. The project is looked at anew; where it can't be, there are none.
func (p *Project) InstructionsOfOthers() []OthersInstructions {
	if p.from == nil || p.from.manifest == nil || p.catalog == nil {
		return nil
	}
	below, err := p.from.findBelow()
	if err != nil {
		return nil
	}
	var out []OthersInstructions
	known := map[string]int{} // in out, by path
	add := func(list []string, convention string) []string {
		if len(list) > 0 && list[len(list)-1] == convention {
			return list // which imports a file that is also listed by itself
		}
		return append(list, convention)
	}
	for _, name := range workspace.Conventions() {
		if name == p.Instructions.Convention {
			continue
		}
		in, err := p.from.loadInstructions(p.catalog, name, nil, below)
		if err != nil {
			continue
		}
		for _, f := range in.Files {
			if f.Code == string(workspace.InstructionsOtherClient) || f.Status == workspace.BelowCwd && !workspace.LooksBelow(name) {
				continue // listed, and never read
			}
			i, ok := known[f.Path]
			if !ok {
				i = len(out)
				known[f.Path] = i
				out = append(out, OthersInstructions{File: f})
			}
			x := &out[i]
			if x.File.Status == workspace.Failed {
				x.File = f
			}
			x.Looking = add(x.Looking, name)
			if f.Status == workspace.Loaded || f.Status == workspace.Cut && f.From < f.To {
				x.Loading = add(x.Loading, name)
			}
		}
	}
	return out
}

// ImportsOfOthers are the notes on imports that a client does not find, of each other client
// that the project has files of its own for. The messages name the client, and an import is
// reported once. The project is looked at anew; where it can't be, there are none.
func (p *Project) ImportsOfOthers() []cento.Note {
	if p.from == nil || p.from.manifest == nil || p.catalog == nil {
		return nil
	}
	seen := map[cento.Position]bool{}
	for _, n := range p.Input.Notes {
		seen[n.Position] = seen[n.Position] || n.Code == workspace.InstructionsImport
	}
	files := p.KnownInstructions()
	var out []cento.Note
	for _, name := range workspace.Conventions() {
		client := workspace.ConventionClient(name)
		if name == p.Instructions.Convention || !slices.ContainsFunc(files, func(f workspace.KnownFile) bool { return f.Client == client }) {
			continue
		}
		in, err := p.from.loadInstructions(p.catalog, name, nil, nil)
		if err != nil {
			continue
		}
		for _, n := range in.Notes {
			if n.Code == workspace.InstructionsImport && !seen[n.Position] {
				seen[n.Position] = true
				n.Message = client + ": " + n.Message
				out = append(out, n)
			}
		}
	}
	return out
}

// KnownInstructions lists the files of the project that have a name by which some client
// reads instructions; nil if they can't be listed.
func (p *Project) KnownInstructions() []workspace.KnownFile {
	if p.from == nil {
		return nil
	}
	below, err := p.from.findBelow()
	if err != nil {
		return nil
	}
	return below.Files()
}

// InstructionsNamed are the files that the instructions name as `@path` where the rules
// put none in. The project is looked at anew; where it can't be, there are none.
func (p *Project) InstructionsNamed() []workspace.File {
	if p.from == nil || p.from.manifest == nil || p.catalog == nil {
		return nil
	}
	cfg, err := p.from.instructionsConfig(p.from.manifest.Instructions.Convention)
	if err != nil {
		return nil
	}
	files, err := workspace.FindNamed(cfg)
	if err != nil {
		return nil
	}
	return files
}

// topOf is the root of the disk that a folder is on: some clients walk there, but
// for a copy, which has its own files alone, and where other machines have others.
func (r *reader) topOf(dir string) string {
	if r.copied || r.portable {
		return dir
	}
	for {
		up := filepath.Dir(dir)
		if up == dir {
			return dir
		}
		dir = up
	}
}
