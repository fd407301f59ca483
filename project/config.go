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
	if r.request.Config == "" {
		return manifest.Config{}, nil
	}
	path := filepath.Join(r.request.Config, manifest.ConfigName)
	f, err := r.readFile(path, cento.Position{})
	if errors.Is(err, fs.ErrNotExist) {
		return manifest.Config{}, nil
	}
	if err != nil {
		return manifest.Config{}, err
	}
	return manifest.ParseConfig(r.Show(path), []byte(f.Text), cento.DefaultLimits(), r.prefixes()...)
}
