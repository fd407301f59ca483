package app

import (
	"os"
	"path/filepath"

	"github.com/cento-dev/cento/project"
	"github.com/cento-dev/cento/toolserver"
)

// NewLister makes what asks the tool servers of projects. One is enough for a
// run: it asks each server once.
func NewLister(e Environ) project.Lister { return lister(e) }

func lister(e Environ) *toolserver.Lister {
	l := &toolserver.Lister{Environ: os.Environ(), Version: Version()}
	if e.Cache != "" {
		l.Cache = filepath.Join(e.Cache, "tools")
	}
	return l
}
