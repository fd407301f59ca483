package app

import (
	"cmp"
	"os"
	"path/filepath"
	"strings"

	"github.com/cento-dev/cento/project"
)

// Positions name a prompt file by its reference, which is the same on every machine.
// This is the way from there to the file, for whoever wants to open it.

// pathOf is the path of a prompt file that a position names by its reference, from the
// root of the project and with slashes; empty for other names, which are paths
// themselves, and for what is no file of the project.
func pathOf(p *project.Project, shown string) string {
	if p == nil || !strings.HasPrefix(shown, "$") {
		return ""
	}
	return fromRoot(p, shown)
}

func fromRoot(p *project.Project, shown string) string {
	path, ok := p.Path(shown)
	if !ok {
		return ""
	}
	rel := p.Show(path)
	if filepath.IsAbs(rel) || strings.HasPrefix(rel, "~") {
		return ""
	}
	return rel
}

// FromHere is a path from the root of a project as one from the folder that the program
// runs in, which a terminal can open.
func FromHere(site Site, path string) string {
	here, err := os.Getwd()
	if err != nil {
		return path
	}
	full := filepath.Join(site.Root.Dir, filepath.FromSlash(path))
	near, err := filepath.Rel(here, full)
	if err != nil || !filepath.IsLocal(near) {
		// The system goes up from where a link leads to.
		near, err = filepath.Rel(cmp.Or(withoutLinks(here), here), cmp.Or(withoutLinks(full), full))
	}
	if err != nil {
		return path
	}
	return filepath.ToSlash(near)
}
