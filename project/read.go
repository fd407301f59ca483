package project

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/tree"
	"github.com/cento-dev/cento/workspace"
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
	m.Profile.Auto = true
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
	limit := 0
	if p.Manifest != nil {
		limit = p.Manifest.Limits.File
	}
	return p.readInsideUpTo(name, at, limit)
}

// readInsideUpTo is readInside for a file that has a limit of its own; 0 is the
// default.
func (p *Project) readInsideUpTo(name string, at cento.Position, limit int) (*tree.File, error) {
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
