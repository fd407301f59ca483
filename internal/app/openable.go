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
	if p == nil {
		return ""
	}
	return p.PromptPath(shown)
}

// Paths tells where files are that positions name. It needs no open project: a mistake in
// a prompt file is what most often is told with its place.
type Paths struct {
	site project.Site
	full func(shown string) (string, bool)
	here map[string]string // of prompt files, by reference
}

// NewPaths makes them for a project that was, or was to be, read with a request.
func NewPaths(site Site, r Request) *Paths {
	return &Paths{site: site, full: site.Paths(r), here: map[string]string{}}
}

// Full is the path behind a name; false for what lies in no file.
func (p *Paths) Full(shown string) (string, bool) { return p.full(shown) }

// FromHere is the path of a prompt file, which positions name by its reference, as a
// terminal opens it from the folder that the program runs in; empty for other names, which
// are paths themselves, and for what lies in no file.
func (p *Paths) FromHere(shown string) string {
	if !strings.HasPrefix(shown, "$") {
		return ""
	}
	here, known := p.here[shown]
	if !known {
		if full, ok := p.full(shown); ok {
			if here = p.site.Show(full); !filepath.IsAbs(here) && !strings.HasPrefix(here, "~") {
				here = fromHere(p.site, here)
			}
		}
		p.here[shown] = here
	}
	return here
}

// fromHere is a path from the root of a project as one from the folder that the program
// runs in.
func fromHere(site Site, path string) string {
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
