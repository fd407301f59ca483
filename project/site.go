package project

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/disk"
	"github.com/cento-dev/cento/internal/manifest"
	"github.com/cento-dev/cento/pack"
	"github.com/cento-dev/cento/project/consent"
	"github.com/cento-dev/cento/workspace"
)

// FileName is the name of a project's manifest.
const FileName = manifest.FileName

// Site is where a project stands on disk: its root, its manifest, and the user's
// folders beside it.
type Site struct {
	Root workspace.Root
	// ManifestPath is the manifest's path; empty when there is none. Base is
	// the folder that its relative paths start from.
	ManifestPath, Base string
	home, config       string
	disk               disk.Disk
	// copied, folder and portable are those of the request.
	copied   bool
	folder   string
	portable bool
}

// Locate finds a project: its root, and its manifest if it has one.
func Locate(r Request) (Site, error) {
	p := Site{disk: r.Disk, home: r.Home, config: r.Config, copied: r.Copy != "", folder: r.Folder, portable: r.Portable}
	for _, dir := range []struct {
		field, path string
		optional    bool
	}{{"Dir", r.Dir, false}, {"Home", r.Home, true}, {"Config", r.Config, true}, {"Copy", r.Copy, true}, {"Folder", r.Folder, true}} {
		if !filepath.IsAbs(dir.path) && !(dir.optional && dir.path == "") {
			return p, &cento.SourceError{
				Code: workspace.InvalidFolder, Message: fmt.Sprintf("folder %q, which is %s of the project's request, is not absolute", dir.path, dir.field),
				Hint: "write the whole path of the folder",
			}
		}
	}
	dir := filepath.Clean(r.Dir)
	if p.copied {
		return p.atCopy(dir, r)
	}
	var err error
	if p.Root, err = workspace.FindRoot(r.Disk, dir, r.Home, nil); err != nil {
		return p, err
	}
	p.Base = p.Root.Dir
	if p.Root.Project != "" {
		p.Base = p.Root.Project
		file := filepath.Join(p.Root.Project, FileName)
		if _, err := r.Disk.Lstat(file); err == nil {
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
	if r.ManifestText != nil {
		p.ManifestPath = ""
	}
	return p, nil
}

// atCopy is the site whose root is the folder of a copy, whatever lies above it.
func (site Site) atCopy(dir string, r Request) (Site, error) {
	real, err := r.Disk.Real(r.Copy)
	if err != nil {
		return site, err
	}
	cwd, err := r.Disk.Real(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return site, &cento.SourceError{Code: workspace.InvalidFolder, Message: "there is no such folder among the files of the project"}
	}
	if err != nil {
		return site, err
	}
	site.Base = real
	root := filepath.ToSlash(real)
	site.Root = workspace.Root{Dir: root, Cwd: filepath.ToSlash(cwd), Marker: FileName, Project: root}
	if _, ok := below(root, site.Root.Cwd); !ok {
		return site, &cento.SourceError{Code: workspace.InvalidFolder, Message: "the folder of the run lies outside of the project"}
	}
	if r.ManifestText == nil {
		site.ManifestPath = filepath.Join(real, FileName)
		if _, err := r.Disk.Lstat(site.ManifestPath); err != nil {
			site.ManifestPath = ""
		}
	}
	return site, nil
}

// portableRoot is the root of a project in texts that are the same on every machine.
const portableRoot = "<root>"

// portableName is a path in such texts.
func (site Site) portableName(name string) string {
	if rel, ok := below(site.Root.Dir, name); ok {
		return path.Join(portableRoot, rel)
	}
	return site.Show(name)
}

// told is the folder of a copy as texts name it: where the files lie; empty when
// that isn't known. Any other folder is named as it is, in texts for every machine
// by what it is to the project.
func (site Site) told(dir string) string {
	if site.portable {
		return site.portableName(dir)
	}
	if !site.copied {
		return dir
	}
	rel, ok := below(site.Root.Dir, dir)
	if !ok || site.folder == "" {
		return ""
	}
	return filepath.Join(site.folder, filepath.FromSlash(rel))
}

const (
	// promptFolder is where a project keeps its prompt files, from the folder of
	// its manifest.
	promptFolder = pack.WorkspaceFolder
	// userPrompts is where users keep theirs, from their own folder.
	userPrompts = "prompts"
)

// FilesRoot is the folder that the project's files are below: the root, or the folder of
// a manifest that was named and is elsewhere.
func (site Site) FilesRoot() string {
	if _, ok := below(site.Root.Dir, site.Base); !ok {
		return site.Base
	}
	return site.Root.Dir
}

// Disk says where the paths of the project lead.
func (site Site) Disk() disk.Disk { return site.disk }

// Name is the name of the project: that of its root folder.
func (p Site) Name() string { return path.Base(filepath.ToSlash(p.Root.Dir)) }

// Project is the name by which a store knows the project: the real path of its root. It is
// empty for files that came with a request which doesn't name their folder.
func (p Site) Project() string {
	root := p.Root.Dir
	if p.copied {
		root = p.folder
	}
	if strings.ContainsFunc(root, func(r rune) bool { return !unicode.IsPrint(r) }) || !utf8.ValidString(root) {
		return strconv.Quote(root)
	}
	return filepath.ToSlash(root)
}

// Show is the name that people know for a path: relative to the root of the
// project, `~/…` in the home folder, else absolute.
func (p Site) Show(name string) string {
	if rel, ok := below(p.Root.Dir, name); ok {
		return rel
	}
	if rel, ok := below(p.home, name); ok && p.home != "" {
		return "~/" + rel
	}
	return filepath.ToSlash(name)
}

// Path is the path behind a name made by [Site.Show], as far as it follows
// from the place alone; false for others, such as `$builtin/…`.
func (p Site) Path(shown string) (string, bool) {
	switch {
	case shown == "" || strings.HasPrefix(shown, "<") || p.copied && p.Root.Dir == "":
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

// Path is the path behind a name that people know: those of [Site.Path], and
// the prompt files of packs.
func (p *Project) Path(shown string) (string, bool) {
	i := slices.IndexFunc(p.packs, func(x *consent.Installed) bool { return x.Name == packOf(shown) })
	if i < 0 {
		return p.Site.Path(shown)
	}
	return p.packPath(shown, p.from.manifest.Packs[i], p.packs[i]), true
}

// Paths is [Project.Path] for a project that can't be opened, such as one with a
// mistake in a prompt file. What the manifest says of packs is read when one of their
// files is asked for.
func (site Site) Paths(r Request) func(shown string) (string, bool) {
	read := sync.OnceValue(func() *reader {
		p, err := site.read(r)
		if err != nil {
			return nil // no pack was opened either
		}
		return p
	})
	return func(shown string) (string, bool) {
		if packOf(shown) == "" || read() == nil {
			return site.Path(shown)
		}
		return read().path(shown)
	}
}

// path is [Project.Path] of a project that is being read.
func (r *reader) path(shown string) (string, bool) {
	name := packOf(shown)
	if name == "" {
		return r.Path(shown)
	}
	named := r.manifest.Packs
	i := slices.IndexFunc(named, func(x manifest.PackReference) bool { return x.Name == name })
	if i < 0 {
		return r.Path(shown)
	}
	installed, err := r.openPack(named[i])
	if err != nil {
		return r.Path(shown)
	}
	return r.packPath(shown, named[i], installed), true
}

// packOf is the pack that a name is a prompt file of; empty for other names.
func packOf(shown string) string {
	ref, err := pack.ParseRef(shown, pack.Ref{}, cento.Position{}) // the host's have no path
	if err != nil {
		return ""
	}
	name, _ := ref.Prefix().Pack()
	return name
}

// packPath is the path of a prompt file of a pack.
func (site Site) packPath(shown string, named manifest.PackReference, installed *consent.Installed) string {
	_, file, _ := strings.Cut(strings.TrimPrefix(shown, "$pack/"), "/")
	return filepath.Join(site.Base, filepath.FromSlash(named.Path), filepath.FromSlash(installed.Folder), filepath.FromSlash(file))
}

func below(dir, name string) (string, bool) {
	rel, err := filepath.Rel(dir, name)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return "", false
	}
	return filepath.ToSlash(rel), true
}

// PromptPath is the path of a prompt file that a position names by its reference, as
// [Project.FromRoot] gives it; empty for other names, which are paths themselves.
func (p *Project) PromptPath(shown string) string { return p.promptPath(shown, p.Path) }

// RealPath is the path without links of a file that positions name, and whether links were
// on the way. It is the name itself where that has no path.
func (p *Project) RealPath(shown string) (real string, linked bool) {
	path, ok := p.Path(shown)
	if !ok {
		return shown, false
	}
	real, err := p.disk.Real(path)
	if err != nil {
		return path, false
	}
	return real, real != path
}

// FromCwd returns the name that positions have for a file, given its path from the folder of
// the run.
func (p *Project) FromCwd(path string) string {
	if strings.HasPrefix(path, "~") || strings.HasPrefix(path, "$") {
		return path
	}
	path = filepath.FromSlash(path)
	if !filepath.IsAbs(path) {
		path = filepath.Join(p.Root.Cwd, path)
	}
	return p.Show(filepath.Clean(path))
}

// FromRoot is the path behind a name that people know, from the root of the project and
// with slashes; empty for what is no file of the project.
func (p *Project) FromRoot(shown string) string { return p.fromRoot(shown, p.Path) }

// promptPath is [Project.PromptPath] by what gives the paths behind names.
func (site Site) promptPath(shown string, path func(string) (string, bool)) string {
	if !strings.HasPrefix(shown, "$") {
		return ""
	}
	return site.fromRoot(shown, path)
}

func (site Site) fromRoot(shown string, path func(string) (string, bool)) string {
	full, ok := path(shown)
	if !ok {
		return ""
	}
	rel := site.Show(full)
	if filepath.IsAbs(rel) || strings.HasPrefix(rel, "~") {
		return ""
	}
	return rel
}

// pathed gives errors, and the other parties of each, the paths of the prompt files that
// they name by a reference: who reads them as data opens the file by the path. The errors
// are copied, since others may hold them too.
func (site Site) pathed(err error, path func(string) (string, bool)) error {
	one := func(e *cento.SourceError) *cento.SourceError {
		c := *e
		c.Path = site.promptPath(e.Position.File, path)
		c.Related = slices.Clone(e.Related)
		for i := range c.Related {
			c.Related[i].Path = site.promptPath(c.Related[i].Position.File, path)
		}
		return &c
	}
	switch e := err.(type) {
	case *cento.SourceError:
		return one(e)
	case *cento.Errors:
		c := *e
		c.List = make([]*cento.SourceError, len(e.List))
		for i := range e.List {
			c.List[i] = one(e.List[i])
		}
		return &c
	}
	return err
}

// Pathed gives errors the paths of prompt files, where they have none yet; see
// [cento.SourceError]. Those of opening a project and of making its prompts have them.
func (p *Project) Pathed(err error) error { return p.pathed(err, p.Path) }

// Explain tells everything about a prompt of the project, with the paths of prompt files
// in its notes and in those on texts; see [cento.Note].
func (p *Project) Explain(prompt *cento.Prompt, o cento.ExplainOptions) *cento.Explanation {
	e := prompt.Explain(o)
	e.Notes = p.Notes(e.Notes)
	for i := range e.Fragments {
		notes := slices.Clone(e.Fragments[i].Notes)
		for k := range notes {
			if at := notes[k].Position; at != nil {
				notes[k].Path = p.PromptPath(at.File)
			}
		}
		e.Fragments[i].Notes = notes
	}
	return e
}

// Notes are notes with the paths of prompt files; see [cento.Note].
func (p *Project) Notes(list []cento.Note) []cento.Note {
	out := slices.Clone(list)
	for i := range out {
		out[i].Path = p.PromptPath(out[i].Position.File)
	}
	return out
}
