package toolserver

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/cento-dev/cento/internal/tree"
	"github.com/cento-dev/cento/project/consent"
)

// What is kept: `servers/KEY.json` tells which listing a server gave last, and
// `listings/DIGEST.json` is the listing itself, so that one that somebody agreed
// to can still be compared with after the server has changed.

// keptServer is the file of a server.
type keptServer struct {
	Version int    `json:"version"`
	Server  string `json:"server"`
	SHA256  string `json:"sha256"`
	// Initialize: the server wants the greeting of protocols before 2026-07-28.
	Initialize bool `json:"initialize,omitempty"`
}

const keptVersion = 1

// cacheKey is the name that a server is kept by: what the manifest says of it,
// and where, since paths are relative.
func cacheKey(s consent.Server, dir string) string {
	s.Position, s.Timeout = (consent.Server{}).Position, 0
	text, err := json.Marshal(struct {
		Dir    string
		Server consent.Server
	}{dir, s})
	if err != nil {
		panic("toolserver: a server can't be written: " + err.Error())
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

var errNotKept = errors.New("no listing of it is kept")

// Kept gives the listing that a server gave last.
func (l *Lister) Kept(s consent.Server, dir string) (consent.Listing, error) {
	kept, err := l.about(cacheKey(s, dir))
	if err != nil {
		return consent.Listing{}, err
	}
	listing, err := l.KeptListing(kept.SHA256)
	return consent.Listing{Server: kept.Server, Text: listing}, err
}

// about reads what is kept of a server.
func (l *Lister) about(key string) (kept keptServer, err error) {
	if l.Cache == "" {
		return kept, errNotKept
	}
	text, err := read(filepath.Join(l.Cache, "servers", key+".json"))
	if err != nil {
		return kept, errNotKept
	}
	if err := json.Unmarshal([]byte(text), &kept); err != nil || kept.Version != keptVersion {
		return keptServer{}, errNotKept
	}
	return kept, nil
}

// KeptListing gives a listing by its digest. One that was changed since is as
// good as none.
func (l *Lister) KeptListing(digest string) (string, error) {
	if len(digest) != 2*sha256.Size || l.Cache == "" {
		return "", errNotKept
	}
	if _, err := hex.DecodeString(digest); err != nil {
		return "", errNotKept
	}
	text, err := read(filepath.Join(l.Cache, "listings", digest+".json"))
	if err != nil || (consent.Listing{Text: text}).Digest() != digest {
		return "", errNotKept
	}
	return text, nil
}

func read(path string) (string, error) {
	f, err := tree.ReadPath(path, tree.Options{Limit: consent.MaxListing})
	if err != nil {
		return "", err
	}
	return f.Text, nil
}

// keep keeps a listing. That it can't be kept is no reason not to use it. One
// without tools doesn't replace one with tools: servers lose theirs for a moment.
func (l *Lister) keep(key string, listing consent.Listing, initialize bool) {
	if l.Cache == "" {
		return
	}
	if before, err := l.about(key); err == nil && empty(listing.Text) {
		if text, err := l.KeptListing(before.SHA256); err == nil && !empty(text) {
			return
		}
	}
	digest := listing.Digest()
	about, err := json.Marshal(keptServer{keptVersion, listing.Server, digest, initialize})
	if err == nil && write(filepath.Join(l.Cache, "listings", digest+".json"), listing.Text) == nil {
		_ = write(filepath.Join(l.Cache, "servers", key+".json"), string(about)+"\n")
	}
}

func empty(listing string) bool {
	var said struct {
		Tools []json.RawMessage `json:"tools"`
	}
	return json.Unmarshal([]byte(listing), &said) == nil && len(said.Tools) == 0
}

// write replaces a file as a whole. Listings are the user's own business.
func write(path, text string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return tree.Replace(path, 0o600, func(w io.Writer) error { _, err := io.WriteString(w, text); return err })
}
