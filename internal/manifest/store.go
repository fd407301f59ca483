package manifest

import (
	"errors"
	"fmt"
	"net/url"
	"path"
	"path/filepath"
	"strings"

	"github.com/cento-dev/cento/internal/storeaddress"
	"github.com/cento-dev/cento/internal/strict"
	"github.com/cento-dev/cento/project/consent"
)

// StorePart is the name of the part of a manifest that says where records go.
const StorePart = "store"

// decodeStore reads the key store, which says where records go.
func decodeStore(d *strict.Decoder, t *text) *FileReference {
	if t == nil {
		return nil
	}
	if _, ok := t.Text(); !ok {
		return nil // as was reported
	}
	if strings.TrimSpace(t.Value) == "" {
		d.Fail(t.Position(), strict.WrongValue, "a blank place").Hint = "leave store out, or name a file or postgres://…"
		return nil
	}
	place := strings.TrimSpace(t.Value)
	if _, err := storeaddress.Read(place); err != nil {
		fault, _ := errors.AsType[*storeaddress.Fault](err)
		at := t.Position()
		if strings.ContainsAny(place, "@?=") {
			at.Line, at.Column = 0, 0 // an error shows its line, and this one may hold a password
		}
		d.Fail(at, strict.WrongValue, "%s", fault.Message).Hint = fault.Hint
		return nil
	}
	return &FileReference{Path: place, Position: t.Position()}
}

// ReadStore reads a place that stood in a manifest or in the user's configuration,
// where it was looked at.
func ReadStore(s string) storeaddress.Address {
	place, err := storeaddress.Read(s)
	if err != nil {
		panic("a place of a store that was looked at: " + err.Error())
	}
	return place
}

// StoreAsked is the part of the manifest that asks for a store elsewhere than in
// a file below the project, nil where it doesn't.
func (m *Manifest) StoreAsked() *consent.Part {
	if m.Store == nil || storeBelow(m.Store.Path) {
		return nil
	}
	at, text := m.Store.Position, "keep records in "+ShownStore(m.Store.Path)
	if HidesStore(m.Store.Path) { // an error shows its line, and this one holds a password
		text += fmt.Sprintf(" (line %d, shown without what may be a password)", at.Line)
		at.Line, at.Column = 0, 0
	}
	part := consent.NewPart(StorePart, m.says("store"), consent.Ask{Text: text, Position: at})
	return &part
}

// storeBelow reports whether a place is a file below the folder of the manifest,
// as it is written.
func storeBelow(s string) bool {
	at := ReadStore(s)
	name := filepath.ToSlash(at.Path)
	return at.Server == "" && !filepath.IsAbs(at.Path) && !path.IsAbs(name) && filepath.IsLocal(filepath.FromSlash(name)) && !strings.HasPrefix(name, "~")
}

// HidesStore reports whether a place is shown without a part that may be a password.
func HidesStore(s string) bool { return ShownStore(s) != s }

// ShownStore is a place without its password.
func ShownStore(s string) string {
	if ReadStore(s).Server == "" {
		return s
	}
	u, err := url.Parse(s)
	if err != nil {
		return "a PostgreSQL server"
	}
	u.RawQuery = ""
	return u.Redacted()
}
