package workspace

import (
	"fmt"
	"path"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/tree"
)

// DefaultProfile is the profile that holds when none is named.
const DefaultProfile = "cento"

// profile is one set of loading rules.
type profile struct {
	name string
	// global are the names looked for in the user's own folder, names those in
	// each folder of the project; the first that can be used shadows the others.
	global, names []string
	walk          walk
}

// walk says which folders are looked into.
type walk uint8

const (
	cwdOnly   walk = iota
	nearestUp      // from cwd up to the root, until one has a file
	rootToCwd      // all of them
)

var profiles = []profile{
	{name: "cento", walk: rootToCwd,
		global: []string{"AGENTS.override.md", "AGENTS.md"},
		names:  []string{"AGENTS.override.md", "AGENTS.md", "CLAUDE.md", "GEMINI.md", ".github/copilot-instructions.md"}},
	{name: "cwd", walk: cwdOnly, names: []string{"AGENTS.md"}},
	{name: "nearest", walk: nearestUp, names: []string{"AGENTS.md"}},
}

// Profiles lists the names of all profiles, the default first.
func Profiles() []string {
	out := make([]string, len(profiles))
	for i, p := range profiles {
		out[i] = p.name
	}
	return out
}

func findProfile(name string) (*profile, error) {
	for i := range profiles {
		if profiles[i].name == name {
			return &profiles[i], nil
		}
	}
	e := &cento.SourceError{
		Code: UnknownProfile, Message: fmt.Sprintf("unknown instructions profile %q", name),
		Hint: "Profiles are " + strings.Join(Profiles(), ", ") + ".",
	}
	if near, ok := nearest(name, Profiles()); ok {
		e.Message += fmt.Sprintf(", did you mean %q", near)
	}
	return nil, e
}

// place is one folder to look into.
type place struct {
	tree  *tree.Tree
	dir   string // in the tree
	names []string
	trust cento.Trust
}

// places gives the folders of the project, nearest to cwd first.
func (p *profile) places(t *tree.Tree, cwd string) []place {
	var out []place
	for dir := cwd; ; dir = path.Dir(dir) {
		out = append(out, place{tree: t, dir: dir, names: p.names, trust: cento.TrustWorkspace})
		if dir == "." || p.walk == cwdOnly {
			return out
		}
	}
}
