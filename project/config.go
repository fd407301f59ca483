package project

import (
	"errors"
	"io/fs"
	"path/filepath"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/manifest"
)

// userConfig reads the user's configuration; where there is none, it says nothing.
func (r *reader) userConfig() (manifest.Config, error) {
	none := manifest.Config{Limits: cento.DefaultLimits()}
	if r.request.Config == "" {
		return none, nil
	}
	path := filepath.Join(r.request.Config, manifest.ConfigName)
	f, err := r.readFile(path, cento.Position{})
	if errors.Is(err, fs.ErrNotExist) {
		return none, r.misnamedSettings(path, "the configuration of a user")
	}
	if err != nil {
		return none, err
	}
	return manifest.ParseConfig(r.Show(path), []byte(f.Text), cento.DefaultLimits(), r.prefixes()...)
}

// UserSettings reports whether the user's configuration says something of skills, and what
// an agent may read and write, where a manifest doesn't. One that can't be read says
// nothing.
func (site Site) UserSettings(r Request) (skills, scope bool) {
	p, err := site.read(r)
	if err != nil {
		return false, false
	}
	return p.user.Skills != nil, len(p.user.Scope.Allow) > 0
}
