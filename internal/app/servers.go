package app

import (
	"context"
	"os"
	"path/filepath"
	"sync"

	"github.com/cento-dev/cento/project"
	"github.com/cento-dev/cento/project/consent"
	"github.com/cento-dev/cento/project/toolserver"
)

// NewLister makes what asks the tool servers of projects. One is enough for a
// run: it asks each server once. Most runs have no server, so what it takes is
// made when one is asked; asked is called before that each time, since from then
// on there is something to end with the run.
func NewLister(e Environ, asked func()) project.Lister {
	return &lazyLister{sync.OnceValue(func() *toolserver.Lister { return lister(e) }), asked}
}

type lazyLister struct {
	made  func() *toolserver.Lister
	asked func()
}

func (l *lazyLister) List(ctx context.Context, s consent.Server, dir string) (consent.Listing, error) {
	l.asked()
	return l.made().List(ctx, s, dir)
}

func (l *lazyLister) Kept(s consent.Server, dir string) (consent.Listing, error) {
	return l.made().Kept(s, dir)
}

func lister(e Environ) *toolserver.Lister {
	l := &toolserver.Lister{Environ: os.Environ(), Version: Version()}
	if e.Cache != "" {
		l.Cache = filepath.Join(e.Cache, "tools")
	}
	return l
}
