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
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/strict"
	"github.com/cento-dev/cento/pack"
)

// packFolder is where packs are installed unless the manifest says otherwise,
// from the folder of the manifest.
const packFolder = ".cento/packs"

// packs checks the packs that a manifest names.
func packs(d *strict.Decoder, files []packFile) []PackReference {
	var out []PackReference
	first := map[string]cento.Position{}
	for i := range files {
		d.InItem(i, func() {
			f := &files[i]
			name, ok := f.Name.Text()
			if !ok {
				return // missing or of another kind, as was reported
			}
			d.Report(pack.CheckName(name, f.Name.Position()))
			if at, repeated := first[name]; repeated {
				e := d.Fail(f.Name.Position(), Conflict, "the pack %q is named twice", name)
				e.Related = []cento.Related{{Position: at, Message: "the other one"}}
			} else {
				first[name] = f.Name.Position()
			}
			folder := path.Join(packFolder, name)
			if f.Path != nil {
				folder = f.Path.Value
				if why := outside(folder); why != "" {
					d.Fail(f.Path.Position(), strict.WrongValue, "path: %s", why).Hint = "packs lie inside the project; cento pack add installs one"
				}
			}
			out = append(out, PackReference{Name: name, Path: path.Clean(folder), Position: f.Name.Position()})
		})
	}
	return out
}

// outside says why a path doesn't lead to a folder inside the project, or
// nothing.
func outside(name string) string {
	switch {
	case strings.TrimSpace(name) == "":
		return "a blank path"
	case strings.Contains(name, `\`):
		return "a backslash in a path; write /"
	case path.IsAbs(name) || filepath.IsAbs(name) || !filepath.IsLocal(filepath.FromSlash(name)):
		return "it leads out of the project"
	}
	return ""
}

// ignored checks findings that are accepted.
func ignored(d *strict.Decoder, files []ignoreFile) []Ignore {
	var out []Ignore
	for i := range files {
		d.InItem(i, func() {
			f := &files[i]
			for _, field := range []struct {
				key  string
				text *text
			}{{"code", &f.Code}, {"id", f.ID}, {"reason", &f.Reason}} {
				if field.text == nil {
					continue
				}
				if _, ok := field.text.Text(); ok && strings.TrimSpace(field.text.Value) == "" {
					d.Fail(field.text.Position(), strict.WrongValue, "%s: a blank text", field.key)
				}
			}
			x := Ignore{Code: f.Code.Value, Reason: f.Reason.Value, Position: f.Position()}
			if f.ID != nil {
				x.ID = f.ID.Value
			}
			out = append(out, x)
		})
	}
	return out
}

// openPacks reads the packs that the manifest names, and holds each to the
// lock: what nobody agreed to is not used.
func (p *Project) openPacks() error {
	if len(p.Manifest.Packs) == 0 {
		return nil
	}
	lock, err := p.Lock()
	if err != nil {
		return err
	}
	var errs []*cento.SourceError
	for _, named := range p.Manifest.Packs {
		installed, err := p.openPack(named)
		if err == nil {
			err = lock.Check(installed, named.Position)
		}
		if err != nil {
			list := asSourceErrors(err)
			if list == nil {
				return err
			}
			errs = append(errs, list...)
			continue
		}
		p.packs = append(p.packs, installed)
	}
	return cento.Join(errs)
}

func (p *Project) openPack(named PackReference) (*pack.Installed, error) {
	return pack.OpenInstalled(named.Name, filepath.Join(p.Base, filepath.FromSlash(named.Path)), p.showBelow(named.Path), p.Manifest.Limits, named.Position)
}

// showBelow names the files of a folder of the project.
func (p Place) showBelow(folder string) func(string) string {
	return func(file string) string {
		return p.Show(filepath.Join(p.Base, filepath.FromSlash(folder), filepath.FromSlash(file)))
	}
}

// LockPath is where the lock of the project's packs is.
func (p Place) LockPath() string { return filepath.Join(p.Base, pack.LockFile) }

// Lock reads the lock of the project's packs. Where there is no such file, it
// has none.
func (p *Project) Lock() (*pack.Lock, error) {
	limits := p.Manifest.Limits
	limits.File = p.LockLimit()
	f, err := p.readInsideUpTo(p.LockPath(), cento.Position{}, limits.File)
	if errors.Is(err, fs.ErrNotExist) {
		return pack.ParseLock(pack.LockFile, "version: 1\npacks: []\n", limits)
	}
	if err != nil {
		return nil, err
	}
	return pack.ParseLock(p.Show(p.LockPath()), f.Text, limits)
}

// LockLimit is the longest lock that the project reads, in bytes: [pack.MaxLock],
// or what the manifest says of files when that isn't the default.
func (p *Project) LockLimit() int {
	if limit := p.Manifest.Limits.File; limit != cento.DefaultLimits().File {
		return limit
	}
	return pack.MaxLock
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
func (place Place) Packs(ctx context.Context, r Request) ([]PackState, error) {
	p, err := place.open(ctx, r)
	if err != nil {
		return nil, err
	}
	lock, err := p.Lock()
	if err != nil {
		return nil, err
	}
	out := []PackState{}
	for _, named := range p.Manifest.Packs {
		s := PackState{Name: named.Name, Path: named.Path, Position: named.Position}
		installed, err := p.openPack(named)
		if err == nil {
			s.Version, s.Description, s.Digest, s.Files = installed.Version, installed.Description, installed.Digest, len(installed.Files)
			err = lock.Check(installed, named.Position)
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

// StrayLock: a lock holds a pack that the manifest doesn't name.
const StrayLock cento.ErrorCode = "pack.stray"

// PackChange is what installing or removing a pack writes: nothing was written
// yet.
type PackChange struct {
	// Pack is nil when one is removed.
	Pack *pack.Installed
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
func (place Place) AddPack(ctx context.Context, r Request, dir string) (*PackChange, error) {
	p, lock, err := place.openForPacks(ctx, r)
	if err != nil {
		return nil, err
	}
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(p.Root.Cwd, dir)
	}
	name, err := pack.NameOf(dir, p.Show, p.Manifest.Limits)
	if err != nil {
		return nil, err
	}
	installed, err := pack.OpenInstalled(name, dir, func(file string) string { return p.Show(filepath.Join(dir, filepath.FromSlash(file))) }, p.Manifest.Limits, cento.Position{})
	if err != nil {
		return nil, err
	}
	change := &PackChange{Pack: installed, Folder: dir, Lock: lock.With(installed).String()}
	inside, ok := below(p.Base, dir)
	at := slices.IndexFunc(p.Manifest.Packs, func(n PackReference) bool { return n.Name == name })
	if at >= 0 {
		named := p.Manifest.Packs[at]
		if (!ok || named.Path != inside) && named.Path != path.Join(packFolder, name) {
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
		inside = path.Join(packFolder, name)
		change.Folder, change.Copied = filepath.Join(p.Base, filepath.FromSlash(inside)), true
		if _, err := os.Lstat(change.Folder); err == nil {
			return nil, &cento.SourceError{
				Code: PackElsewhere, Position: cento.Position{File: p.Show(change.Folder)},
				Message: fmt.Sprintf("there is a folder where the pack %q would be copied to, and the manifest doesn't name it", name),
				Hint:    fmt.Sprintf("agree to it with `cento pack add %s`, or move it away", p.Show(change.Folder)),
			}
		}
	}
	change.Manifest, err = p.withPack(name, inside)
	return change, err
}

// RemovePack prepares to take a pack out of the manifest and the lock. Its
// folder is given when it lies in .cento/packs, where packs are copies.
func (place Place) RemovePack(ctx context.Context, r Request, name string) (*PackChange, error) {
	p, lock, err := place.openForPacks(ctx, r)
	if err != nil {
		return nil, err
	}
	locked := slices.ContainsFunc(lock.Packs, func(l pack.Locked) bool { return l.Name == name })
	at := slices.IndexFunc(p.Manifest.Packs, func(n PackReference) bool { return n.Name == name })
	if at < 0 && !locked {
		var known []string
		for _, n := range p.Manifest.Packs {
			known = append(known, n.Name)
		}
		e := &cento.SourceError{Code: pack.NotConfigured, Message: fmt.Sprintf("no pack is named %q", name)}
		if e.Hint = strict.UnknownHint(name, known); len(known) == 0 {
			e.Hint = "no pack is installed"
		}
		return nil, e
	}
	change := &PackChange{Manifest: p.text, Lock: lock.Without(name).String()}
	if at < 0 {
		return change, nil
	}
	if named := p.Manifest.Packs[at]; named.Path == path.Join(packFolder, name) {
		change.Folder = filepath.Join(p.Base, filepath.FromSlash(named.Path))
	}
	change.Manifest, err = p.withoutPack(at)
	return change, err
}

func (place Place) openForPacks(ctx context.Context, r Request) (*Project, *pack.Lock, error) {
	if place.ManifestPath == "" {
		return nil, nil, &cento.SourceError{
			Code: NoManifest, Message: "there is no " + FileName + " to name packs in", Hint: "write one with `cento init`",
		}
	}
	r.Target = ""
	p, err := place.open(ctx, r)
	if err != nil {
		return nil, nil, err
	}
	lock, err := p.Lock()
	return p, lock, err
}

// NoManifest: something needs a manifest, and there is none.
const NoManifest cento.ErrorCode = "manifest.missing"
