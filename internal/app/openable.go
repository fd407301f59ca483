package app

import (
	"cmp"
	"os"
	"path/filepath"
	"strings"

	"github.com/cento-dev/cento/pack"
	"github.com/cento-dev/cento/project"
)

// Positions name a prompt file by its reference, and other files by their paths from the
// root of the project, which are the same on every machine and in every folder. This is
// the way from there to the file, for whoever wants to open it.

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
	here map[string]string // by name
}

// NewPaths makes them for a project that was, or was to be, read with a request.
func NewPaths(site Site, r Request) *Paths {
	return &Paths{site: site, full: site.Paths(r), here: map[string]string{}}
}

// Full is the path behind a name; false for what lies in no file.
func (p *Paths) Full(shown string) (string, bool) { return p.full(shown) }

// Beside has the prompt files of `$workspace` lie in a folder: see [Project.OpenPrompt].
func (p *Paths) Beside(folder string) {
	full := p.full
	p.full = func(shown string) (string, bool) {
		if file, ok := strings.CutPrefix(shown, string(pack.Workspace)+"/"); ok {
			return filepath.Join(folder, filepath.FromSlash(file)), true
		}
		return full(shown)
	}
	clear(p.here)
}

// FromHere is the path of a file that positions name, as a terminal opens it from the
// folder that the program runs in; empty where the name is that path itself, and for what
// isn't there. A prompt file is named by its reference, other files of the project by
// their paths from its root.
func (p *Paths) FromHere(shown string) string {
	if shown == "" || filepath.IsAbs(filepath.FromSlash(shown)) || strings.HasPrefix(shown, "~") {
		return ""
	}
	here, known := p.here[shown]
	if !known {
		full, ok := p.full(shown)
		if ok { // what was read of a commit, or isn't there, is nothing to open
			_, err := os.Lstat(full)
			ok = err == nil
		}
		if ok {
			if here = p.site.Show(full); !filepath.IsAbs(here) && !strings.HasPrefix(here, "~") {
				here = fromHere(p.site, here)
			}
			if here == shown {
				here = ""
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
