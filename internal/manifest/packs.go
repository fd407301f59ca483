package manifest

import (
	"path"
	"path/filepath"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/strict"
	"github.com/cento-dev/cento/pack"
)

// PackFolder is where packs are installed unless the manifest says otherwise,
// from the folder of the manifest.
const PackFolder = ".cento/packs"

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
			folder, at := path.Join(PackFolder, name), f.Name.Position()
			if f.Path != nil {
				folder, at = f.Path.Value, f.Path.Position()
				if why := outside(folder); why != "" {
					d.Fail(f.Path.Position(), strict.WrongValue, "path: %s", why).Hint = "packs lie inside the project; cento pack add installs one"
				}
			}
			out = append(out, PackReference{Name: name, Path: path.Clean(folder), Position: f.Name.Position(), PathPosition: at})
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
				hint string
			}{
				{"code", &f.Code, "write the code of the finding, as cento check prints it"},
				{"id", f.ID, "write the id of the fragment or the name of the file, or leave id out for all"},
				{"reason", &f.Reason, "say why the finding is accepted"},
			} {
				if field.text == nil {
					continue
				}
				if _, ok := field.text.Text(); ok && strings.TrimSpace(field.text.Value) == "" {
					d.Fail(field.text.Position(), strict.WrongValue, "%s: a blank text", field.key).Hint = field.hint
				}
			}
			x := Ignore{Code: f.Code.Value, Reason: f.Reason.Value, Position: f.Code.Position()}
			if f.ID != nil {
				x.ID, x.IDPosition = f.ID.Value, f.ID.Position()
			}
			out = append(out, x)
		})
	}
	return out
}
