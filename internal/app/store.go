package app

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/project"
	"github.com/cento-dev/cento/store"
)

// StorePlace says where records go: to the place that was asked for, else where
// the manifest or the user's configuration says, else into the user's own store.
// A manifest that asks for a store elsewhere than below its folder needs
// approval: [project.TrustRequired].
func StorePlace(place project.Place, r project.Request, asked string) (string, error) {
	if asked != "" {
		return askedStore(r.Dir, asked), nil
	}
	named, err := place.OpenStorePlace(r)
	if err != nil || named != "" {
		return named, err
	}
	env, err := Environment()
	if err != nil {
		return "", err
	}
	if env.State == "" {
		return "", &cento.SourceError{
			Code: store.Unreachable, Message: "there is no home folder to keep records in", Hint: "name a place with --store, or set XDG_STATE_HOME",
		}
	}
	return filepath.Join(env.State, "cento.db"), nil
}

// askedStore is a place as a person names it, from the folder of the run.
func askedStore(dir, asked string) string {
	if strings.HasPrefix(asked, "postgres://") || strings.HasPrefix(asked, "postgresql://") {
		return asked
	}
	name := strings.TrimPrefix(asked, "sqlite:")
	if !filepath.IsAbs(name) {
		name = filepath.Join(dir, name)
	}
	return name
}

// OpenStore opens the store of [StorePlace]. The caller closes it.
func OpenStore(ctx context.Context, place project.Place, r project.Request, asked string, o store.Options) (*store.Store, error) {
	at, err := StorePlace(place, r, asked)
	if err != nil {
		return nil, err
	}
	return store.Open(ctx, at, o)
}
