package project

import (
	"path/filepath"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/manifest"
	"github.com/cento-dev/cento/internal/tree"
)

// maxBeside is how many entries of a folder are looked at for a misnamed file.
const maxBeside = 10_000

// misnamed refuses a file of a folder that was surely meant as one of another name, which
// isn't there: what it says would hold nowhere, and nobody would hear of it. The message
// says what the file is, the hint what to do with it.
func (site Site) misnamed(folder, name string, e cento.SourceError) error {
	entries, err := tree.ListPath(site.disk, folder, maxBeside)
	if err != nil {
		return nil // there is no such folder, or whoever reads in it tells
	}
	for _, x := range entries {
		if x.Name == name || x.Mode.IsDir() || strings.TrimPrefix(manifest.UsualName(x.Name), ".") != name {
			continue
		}
		e.Position = cento.Position{File: site.Show(filepath.Join(folder, x.Name))}
		e.Message += " is called " + name + ", and this file isn't read"
		if e.Hint == "" {
			e.Hint = "rename it to " + name
		}
		return &e
	}
	return nil
}

// Misnamed is the error of a project without a manifest in which a file lies that was
// surely meant as one, of another name or in another place than it is looked for. The
// project has a prompt without it, which isn't the one that was written.
//
// Errors: [MisnamedManifest].
func (site Site) Misnamed() error {
	if site.ManifestPath != "" {
		return nil
	}
	e := cento.SourceError{Code: MisnamedManifest, Message: "a manifest"}
	if err := site.misnamed(site.Base, FileName, e); err != nil {
		return err
	}
	own := filepath.Join(site.Base, ".cento")
	if _, err := site.disk.Lstat(filepath.Join(own, FileName)); err == nil {
		e.Position = cento.Position{File: site.Show(filepath.Join(own, FileName))}
		e.Message, e.Hint = "a manifest lies beside the folder .cento, and this file isn't read", "move it out of .cento"
		return &e
	}
	return nil
}

// misnamedSettings refuses a file that was meant as one of the user's, or as wording.
func (site Site) misnamedSettings(path, what string) error {
	return site.misnamed(filepath.Dir(path), filepath.Base(path), cento.SourceError{Code: MisnamedSettings, Message: what})
}
