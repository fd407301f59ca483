package project

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/manifest"
	"github.com/cento-dev/cento/internal/tree"
	"github.com/cento-dev/cento/project/consent"
)

// storePlace is [Site.StoreAddress] of what was read.
func (r *reader) storePlace() (string, error) {
	s := r.base.Store
	if s == nil {
		return r.userStore(), nil
	}
	if part := r.base.StoreAsked(); part != nil {
		flag := "--store " + manifest.ShownStore(s.Path)
		if manifest.HidesStore(s.Path) {
			flag = "--store with the address as it stands there"
		}
		if err := r.requireApproval(*part, flag); err != nil {
			return "", err
		}
		if at := manifest.ReadStore(s.Path); at.Server != "" {
			return at.Server, nil
		}
		return r.named(manifest.ReadStore(s.Path).Path), nil
	}
	place := r.named(manifest.ReadStore(s.Path).Path)
	// A link that leads out is what the words don't say.
	real, err := tree.Resolve(place)
	if err != nil {
		return "", fmt.Errorf("finding the folder of the store: %w", err)
	}
	if _, inside := below(r.ApprovalRoot(), real); !inside {
		return "", &cento.SourceError{
			Code: consent.TrustRequired, Position: s.Position, Message: "the store " + s.Path + " leads out of the project by a link",
			Hint: "--store " + real + " allows it once",
		}
	}
	return real, nil // nobody follows a link again
}

// userStore is the place that the user's configuration names. Its paths start
// from the user's folder.
func (r *reader) userStore() string {
	s := r.user.Store
	if s == nil {
		return ""
	}
	at := manifest.ReadStore(s.Path)
	if at.Server != "" {
		return at.Server
	}
	name := filepath.FromSlash(at.Path)
	switch {
	case filepath.IsAbs(name):
		return name
	case strings.HasPrefix(name, "~/") && r.home != "":
		return filepath.Join(r.home, name[2:])
	}
	return filepath.Join(r.config, name)
}

// StoreAddress reads the manifest and the user's configuration, and nothing else of
// a project, and says where one of them keeps records; empty where neither does. A
// manifest alone opens no file outside of its folder and no connection: for those
// the error is [consent.TrustRequired] until the user has agreed.
func (site Site) StoreAddress(r Request) (string, error) {
	r.Target = ""
	p, err := site.read(r)
	if err != nil {
		return "", err
	}
	return p.storePlace()
}
