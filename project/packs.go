package project

import (
	"errors"
	"io/fs"
	"path"
	"path/filepath"
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

// PackLayerUnused is the note that a pack has a layer, which this version
// doesn't apply.
const PackLayerUnused cento.Code = "pack.layer_unused"

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
		if installed.Layer != nil {
			p.Input.Notes = append(p.Input.Notes, cento.Note{
				Code: PackLayerUnused, Position: installed.Layer.Position(),
				Message: "the layer of the pack " + installed.Name + " is not applied by this version",
			})
		}
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
	f, err := p.readFile(p.LockPath(), cento.Position{})
	if errors.Is(err, fs.ErrNotExist) {
		return pack.ParseLock(pack.LockFile, "version: 1\npacks: []\n", p.Manifest.Limits)
	}
	if err != nil {
		return nil, err
	}
	return pack.ParseLock(p.Show(p.LockPath()), f.Text, p.Manifest.Limits)
}
