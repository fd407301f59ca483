package project

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/disk"
	"github.com/cento-dev/cento/internal/manifest"
	"github.com/cento-dev/cento/internal/strict"
	"github.com/cento-dev/cento/pack"
	"github.com/cento-dev/cento/project/consent"
)

// openPacks reads the packs that the manifest names, and holds each to the
// lock: what nobody agreed to is not used.
func (r *reader) openPacks() ([]*consent.Installed, error) {
	if len(r.manifest.Packs) == 0 {
		return nil, nil
	}
	lock, err := r.lock()
	if err != nil {
		return nil, err
	}
	var packs []*consent.Installed
	var faults faults
	for _, named := range r.manifest.Packs {
		installed, err := r.openPack(named)
		if err == nil {
			err = lock.Check(installed, r.showBelow(named.Path)(""), named.Position)
		}
		if faults.fatal(err) {
			return nil, err
		}
		packs = append(packs, installed)
	}
	return packs, cento.Join(faults)
}

func (r *reader) openPack(named manifest.PackReference) (*consent.Installed, error) {
	p, err := consent.OpenInstalled(r.disk, named.Name, filepath.Join(r.Base, filepath.FromSlash(named.Path)), r.showBelow(named.Path), r.manifest.Limits, named.Position)
	// What is wrong where the pack is named, and not in a file of it, is its folder.
	if e, ok := errors.AsType[*cento.SourceError](err); ok && e.Position == named.Position {
		e.Position = named.PathPosition
	}
	return p, err
}

// showBelow names the files of a folder of the project.
func (p Site) showBelow(folder string) func(string) string {
	return func(file string) string {
		return p.Show(filepath.Join(p.Base, filepath.FromSlash(folder), filepath.FromSlash(file)))
	}
}

// LockPath is where the lock of the project's packs is.
func (p Site) LockPath() string { return filepath.Join(p.Base, consent.LockFile) }

// Lock reads the lock of the project's packs. Where there is no such file, it
// has none.
func (p *Project) Lock() (*consent.Lock, error) { return p.from.lock() }

func (r *reader) lock() (*consent.Lock, error) {
	limits := r.manifest.Limits
	limits.File = r.lockLimit()
	f, err := r.readInsideUpTo(r.LockPath(), cento.Position{}, limits.File)
	if errors.Is(err, fs.ErrNotExist) {
		return consent.ParseLock(consent.LockFile, "version: 1\npacks: []\n", limits)
	}
	if err != nil {
		return nil, err
	}
	return consent.ParseLock(r.Show(r.LockPath()), f.Text, limits)
}

// LockLimit is the longest lock that the project reads, in bytes: [consent.MaxLock],
// or what the manifest says of files when that isn't the default.
func (p *Project) LockLimit() int { return p.from.lockLimit() }

func (r *reader) lockLimit() int {
	if limit := r.manifest.Limits.File; limit != cento.DefaultLimits().File {
		return limit
	}
	return consent.MaxLock
}

// PackState tells how an installed pack is beside what was agreed to.
type PackState struct {
	Name        string         `json:"name"`
	Path        string         `json:"path"`
	Version     string         `json:"version,omitempty"`
	Description string         `json:"description,omitempty"`
	Digest      string         `json:"sha256,omitempty"`
	Files       int            `json:"files,omitempty"`
	Position    cento.Position `json:"position,omitzero"`
	// Err is what keeps the pack from being used; nil when it can be.
	Err error `json:"-"`
}

// Packs reads the packs of a project without using them: each tells what is
// wrong with it. A pack that is locked and not named in the manifest is an
// error too.
func (site Site) Packs(ctx context.Context, r Request) ([]PackState, error) {
	p, err := site.read(r)
	if err != nil {
		return nil, err
	}
	lock, err := p.lock()
	if err != nil {
		return nil, err
	}
	out := []PackState{}
	for _, named := range p.manifest.Packs {
		s := PackState{Name: named.Name, Path: named.Path, Position: named.Position}
		installed, err := p.openPack(named)
		if err == nil {
			s.Version, s.Description, s.Digest, s.Files = installed.Version, installed.Description, installed.Digest, len(installed.Files)
			err = lock.Check(installed, p.showBelow(named.Path)(""), named.Position)
		}
		s.Err = err
		out = append(out, s)
	}
	for _, l := range lock.Packs {
		if !slices.ContainsFunc(out, func(s PackState) bool { return s.Name == l.Name }) {
			out = append(out, PackState{Name: l.Name, Version: l.Version, Digest: l.Digest, Position: l.Position, Err: &cento.SourceError{
				Code: StrayLock, Position: l.Position, Message: fmt.Sprintf("the pack %q is locked, and the manifest doesn't name it", l.Name),
				Hint: "name it under packs, or run cento pack remove " + l.Name,
			}})
		}
	}
	return out, nil
}

// PackChange is what installing or removing a pack writes: nothing was written
// yet.
type PackChange struct {
	// Pack is nil when one is removed.
	Pack *consent.Installed
	// Folder is where the pack lies, absolute.
	Folder string
	// Copied tells that its files aren't there yet.
	Copied bool
	// Manifest and Lock are the new texts of both files.
	Manifest, Lock string
}

// AddPack prepares to install the pack in a folder, or to agree to one that is
// installed there. A pack from outside of the project is copied to
// .cento/packs.
func (site Site) AddPack(ctx context.Context, r Request, dir string) (*PackChange, error) {
	p, lock, err := site.openForPacks(ctx, r)
	if err != nil {
		return nil, err
	}
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(p.Root.Cwd, dir)
	}
	name, err := consent.NameOf(dir, p.Show, p.manifest.Limits)
	if err != nil {
		return nil, err
	}
	installed, err := consent.OpenInstalled(disk.Disk{}, name, dir, func(file string) string { return p.Show(filepath.Join(dir, filepath.FromSlash(file))) }, p.manifest.Limits, cento.Position{})
	if err != nil {
		return nil, err
	}
	change := &PackChange{Pack: installed, Folder: dir, Lock: lock.With(installed).String()}
	inside, ok := below(p.Base, dir)
	at := slices.IndexFunc(p.manifest.Packs, func(n manifest.PackReference) bool { return n.Name == name })
	if at >= 0 {
		named := p.manifest.Packs[at]
		if (!ok || named.Path != inside) && named.Path != path.Join(manifest.PackFolder, name) {
			// That folder is somebody's own, not a copy that the program made.
			return nil, &cento.SourceError{
				Code: PackElsewhere, Position: named.Position,
				Message: fmt.Sprintf("the pack %q is the folder %s already, and %s is another one", name, named.Path, p.Show(dir)),
				Hint:    fmt.Sprintf("take it out first: cento pack remove %s", name),
			}
		}
		if !ok || named.Path != inside {
			change.Folder, change.Copied = filepath.Join(p.Base, filepath.FromSlash(named.Path)), true
		}
		change.Manifest = p.text
		return change, nil
	}
	if !ok {
		inside = path.Join(manifest.PackFolder, name)
		change.Folder, change.Copied = filepath.Join(p.Base, filepath.FromSlash(inside)), true
		if _, err := os.Lstat(change.Folder); err == nil {
			return nil, &cento.SourceError{
				Code: PackElsewhere, Position: cento.Position{File: p.Show(change.Folder)},
				Message: fmt.Sprintf("there is a folder where the pack %q would be copied to, and the manifest doesn't name it", name),
				Hint:    fmt.Sprintf("agree to it with `cento pack add %s`, or move it away", p.Show(change.Folder)),
			}
		}
	}
	change.Manifest, err = p.base.WithPack(p.Show(p.ManifestPath), p.text, name, inside)
	return change, err
}

// RemovePack prepares to take a pack out of the manifest and the lock. Its
// folder is given when it lies in .cento/packs, where packs are copies.
func (site Site) RemovePack(ctx context.Context, r Request, name string) (*PackChange, error) {
	p, lock, err := site.openForPacks(ctx, r)
	if err != nil {
		return nil, err
	}
	locked := slices.ContainsFunc(lock.Packs, func(l consent.LockedPack) bool { return l.Name == name })
	at := slices.IndexFunc(p.manifest.Packs, func(n manifest.PackReference) bool { return n.Name == name })
	if at < 0 && !locked {
		var known []string
		for _, n := range p.manifest.Packs {
			known = append(known, n.Name)
		}
		e := &cento.SourceError{Code: pack.NotConfigured, Message: fmt.Sprintf("no pack is named %q", name)}
		if e.Hint = strict.UnknownHint(name, known); len(known) == 0 {
			e.Hint = "no pack is installed, so none can be taken out"
		}
		return nil, e
	}
	change := &PackChange{Manifest: p.text, Lock: lock.Without(name).String()}
	if at < 0 {
		return change, nil
	}
	if named := p.manifest.Packs[at]; named.Path == path.Join(manifest.PackFolder, name) {
		change.Folder = filepath.Join(p.Base, filepath.FromSlash(named.Path))
	}
	change.Manifest, err = p.base.WithoutPack(p.Show(p.ManifestPath), p.text, at)
	return change, err
}

func (site Site) openForPacks(ctx context.Context, r Request) (*reader, *consent.Lock, error) {
	if site.ManifestPath == "" {
		return nil, nil, &cento.SourceError{
			Code: NoManifest, Message: "there is no " + manifest.FileName + " to name packs in", Hint: "write one with `cento init`",
		}
	}
	r.Target = ""
	p, err := site.read(r)
	if err != nil {
		return nil, nil, err
	}
	lock, err := p.lock()
	return p, lock, err
}
