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
	// Profiles are those to load by, see [workspace.Profiles]; empty: that of the
	// manifest alone.
	Profiles []string
	// For is the absolute path of a file that is worked on; empty for none.
	For string
}

// LoadedInstructions are a project's instructions as several profiles load them.
type LoadedInstructions struct {
	// Profile is the one that the manifest names, Model its model.
	Profile, Model string
	// List has one for each profile that was asked for.
	List []*workspace.Instructions
}

// LoadInstructions reads a project's instructions by the rules of profiles, in
// the order asked for, and nothing of what else its prompt is made of. Errors are
// those of the manifest, of the packs that word the notices, and
// [workspace.UnknownProfile].
func (place Place) LoadInstructions(ctx context.Context, r Request, choice InstructionsChoice) (*LoadedInstructions, error) {
	p, err := place.open(ctx, r)
	if err != nil {
		return nil, err
	}
	if err := p.prepare(); err != nil {
		return nil, err
	}
	wording, err := p.wording()
	if err != nil {
		return nil, err
	}
	catalog, _, err := pack.NewCatalog(p.loader, wording...)
	if err != nil {
		return nil, err
	}
	out := &LoadedInstructions{Profile: p.Manifest.Instructions.Profile, Model: p.Input.Active.Model}
	profiles := choice.Profiles
	if len(profiles) == 0 {
		profiles = []string{out.Profile}
	}
	for _, name := range profiles {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		in, err := p.loadInstructions(catalog, name, choice.For)
		if err != nil {
			return nil, err
		}
		out.List = append(out.List, in)
	}
	return out, nil
}

// loadInstructions reads the instructions by the rules of one profile, with the
// settings of the manifest.
func (p *Project) loadInstructions(catalog *pack.Catalog, profile, forFile string) (*workspace.Instructions, error) {
	set := p.Manifest.Instructions
	root := p.Root
	if !slices.Equal(set.Markers, workspace.VCSMarkers()) {
		var err error
		if root, err = workspace.FindRoot(p.Root.Cwd, p.home, set.Markers); err != nil {
			return nil, err
		}
	}
	var failed error
	notice := func(t cento.Text, err error) string {
		failed = errors.Join(failed, err)
		return t.Body
	}
	maxFile := p.Manifest.Limits.File
	if maxFile == cento.DefaultLimits().File {
		maxFile = 0 // that of the profile
	}
	in, err := workspace.LoadInstructions(workspace.InstructionsConfig{
		Profile: cmp.Or(profile, workspace.DefaultProfile), Root: root.Dir, Cwd: root.Cwd, Top: topOf(root.Dir), For: forFile,
		Global: p.request.Config, Home: p.home, Folders: p.request.Clients,
		Imports: set.Imports, Limit: set.Limit, MaxFile: maxFile,
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
		return nil, err
	}
	return in, nil
}

// topOf is the root of the disk that a folder is on: some clients walk there.
func topOf(dir string) string {
	for {
		up := filepath.Dir(dir)
		if up == dir {
			return dir
		}
		dir = up
	}
}
