package project

import (
	"errors"
	"net/url"
	"path"
	"path/filepath"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/strict"
)

// storePart is the name of the part of a manifest that says where records go.
const storePart = "store"

// decodeStore reads the key store, which says where records go.
func decodeStore(d *strict.Decoder, t *text) *FileReference {
	if t == nil {
		return nil
	}
	if strings.TrimSpace(t.Value) == "" {
		d.Fail(t.Position(), strict.WrongValue, "a blank place").Hint = "leave store out, or name a file or postgres://…"
		return nil
	}
	return &FileReference{Path: strings.TrimSpace(t.Value), Position: t.Position()}
}

// isStoreAddress reports whether a place is on a server.
func isStoreAddress(s string) bool {
	return strings.HasPrefix(s, "postgres://") || strings.HasPrefix(s, "postgresql://")
}

// storeAsked is the part of the manifest that asks for a store elsewhere than in
// a file below the project, nil where it doesn't.
func (m *Manifest) storeAsked() *Part {
	if m.Store == nil || storeBelow(m.Store.Path) {
		return nil
	}
	at := m.Store.Position
	if shownStore(m.Store.Path) != m.Store.Path {
		at.Line, at.Column = 0, 0 // an error shows its line, and this one holds a password
	}
	part := NewPart(storePart, m.says("store"), Ask{Text: "keep records in " + shownStore(m.Store.Path), Position: at})
	return &part
}

// storeBelow reports whether a place is a file below the folder of the manifest,
// as it is written.
func storeBelow(s string) bool {
	name := filepath.ToSlash(strings.TrimPrefix(s, "sqlite:"))
	return !isStoreAddress(s) && !filepath.IsAbs(s) && !path.IsAbs(name) && filepath.IsLocal(filepath.FromSlash(name)) && !strings.HasPrefix(name, "~")
}

// shownStore is a place without its password.
func shownStore(s string) string {
	if !isStoreAddress(s) {
		return s
	}
	u, err := url.Parse(s)
	if err != nil {
		return "a PostgreSQL server"
	}
	u.RawQuery = ""
	return u.Redacted()
}

// StorePlace says where the manifest, or else the user's configuration, keeps
// records; empty where neither does. A manifest alone opens no file outside of
// its folder and no connection: for those the error is [TrustRequired] until the
// user has agreed.
func (p *Project) StorePlace() (string, error) {
	s := p.base.Store
	if s == nil {
		return p.userStore(), nil
	}
	if part := p.base.storeAsked(); part != nil {
		if err := p.RequireApproval(*part, "--store "+shownStore(s.Path)); err != nil {
			return "", err
		}
		if isStoreAddress(s.Path) {
			return s.Path, nil
		}
		return p.named(strings.TrimPrefix(s.Path, "sqlite:")), nil
	}
	place := p.named(strings.TrimPrefix(s.Path, "sqlite:"))
	// A link that leads out is what the words don't say.
	if real, err := realPath(place); err != nil {
		return "", err
	} else if _, inside := below(p.ApprovalRoot(), real); !inside {
		return "", &cento.SourceError{
			Code: TrustRequired, Position: s.Position, Message: "the store " + s.Path + " leads out of the project by a link",
			Hint: "--store " + real + " allows it once",
		}
	}
	return place, nil
}

// realPath follows the links of a path as far as it is there.
func realPath(name string) (string, error) {
	for rest := ""; ; {
		real, err := filepath.EvalSymlinks(name)
		if err == nil {
			return filepath.Join(real, rest), nil
		}
		parent := filepath.Dir(name)
		if parent == name {
			return "", errors.Join(errors.New("finding the folder of the store"), err)
		}
		rest, name = filepath.Join(filepath.Base(name), rest), parent
	}
}

// userStore is the place that the user's configuration names. Its paths start
// from the user's folder.
func (p *Project) userStore() string {
	s := p.settings.store
	switch {
	case s == nil:
		return ""
	case isStoreAddress(s.Path):
		return s.Path
	}
	name := filepath.FromSlash(strings.TrimPrefix(s.Path, "sqlite:"))
	switch {
	case filepath.IsAbs(name):
		return name
	case strings.HasPrefix(name, "~/") && p.home != "":
		return filepath.Join(p.home, name[2:])
	}
	return filepath.Join(p.config, name)
}

// OpenStorePlace reads the manifest and the user's configuration, and nothing
// else of a project, and says where records go: [Project.StorePlace].
func (place Place) OpenStorePlace(r Request) (string, error) {
	p := &Project{Place: place, request: r}
	if err := p.readManifest(); err != nil {
		return "", err
	}
	p.Manifest = p.base
	if err := p.readConfig(); err != nil {
		return "", err
	}
	return p.StorePlace()
}
