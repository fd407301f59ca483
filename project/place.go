package project

import (
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/pack"
	"github.com/cento-dev/cento/workspace"
)

// Place is where a project stands on disk.
type Place struct {
	Root workspace.Root
	// ManifestPath is the manifest's path; empty when there is none. Base is
	// the folder that its relative paths start from.
	ManifestPath, Base string
	home, config       string
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

const (
	// promptFolder is where a project keeps its prompt files, from the folder of
	// its manifest.
	promptFolder = ".cento/prompts"
	// userPrompts is where users keep theirs, from their own folder.
	userPrompts = "prompts"
)

// Name is the name of the project: that of its root folder.
func (p Place) Name() string { return path.Base(filepath.ToSlash(p.Root.Dir)) }

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
