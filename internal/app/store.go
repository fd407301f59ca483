package app

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/storeaddress"
	"github.com/cento-dev/cento/internal/tree"
	"github.com/cento-dev/cento/project"
	"github.com/cento-dev/cento/store"
	"github.com/cento-dev/cento/store/engines"
)

// storePlace says where records go: to the place that was asked for, else where
// the manifest or the user's configuration says, else into the user's own store.
// A manifest that asks for a store elsewhere than below its folder needs
// approval: [consent.TrustRequired].
func storePlace(site project.Site, r project.Request, asked string) (string, error) {
	if asked != "" {
		at, err := AskedStore(r.Dir, asked)
		if err != nil || !filepath.IsAbs(at) {
			return at, err
		}
		_, err = tree.Within(site.FilesRoot(), at)
		return at, err
	}
	named, err := site.StoreAddress(r)
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

// AskedStore is a place as a person names it, from the folder of the run.
func AskedStore(dir, asked string) (string, error) {
	at, err := storeaddress.Read(asked)
	switch fault, _ := errors.AsType[*storeaddress.Fault](err); {
	case fault != nil:
		return "", &cento.SourceError{Code: store.Invalid, Message: "--store: " + fault.Message, Hint: fault.Hint}
	case at.Server != "":
		return at.Server, nil
	case filepath.IsAbs(at.Path):
		return at.Path, nil
	}
	return filepath.Join(dir, at.Path), nil
}

// Access is what is done to a store that is opened.
type Access uint8

const (
	// Reads: nothing is written to it.
	Reads Access = iota
	// Changes: what is there is changed, and no store is made.
	Changes
	// Begins: a store is made where there is none.
	Begins
)

// openStore opens the store of [storePlace]. The caller closes it.
func openStore(ctx context.Context, site project.Site, r project.Request, asked string, access Access) (*store.Store, error) {
	at, err := storePlace(site, r, asked)
	if err != nil {
		return nil, err
	}
	return engines.Open(ctx, at, store.Options{ReadOnly: access == Reads, Existing: access == Changes})
}

// noFile reports whether a store is a file, and not there.
func noFile(place string) bool {
	if !filepath.IsAbs(place) {
		return false // the address of a server
	}
	_, err := os.Lstat(place)
	return errors.Is(err, fs.ErrNotExist)
}
