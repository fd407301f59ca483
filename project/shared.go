package project

import (
	"slices"
	"sync"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/manifest"
	"github.com/cento-dev/cento/pack"
	"github.com/cento-dev/cento/project/consent"
)

// shared is what the targets of a project mostly have in common and what takes long
// to read: the packs, and the wording of the program's texts. It holds what the last
// target found, and gives that to the next one which names the same files under the
// same limits. Nothing that failed is kept, so that every target tells its own fault.
// What is found in a text depends on nothing else, and is kept for all of them.
type shared struct {
	mu      sync.Mutex
	from    sharedFrom
	opened  *opened
	worded  *worded
	secrets sync.Map // the credentials in texts, by these
	kept    pack.Kept
	files   sync.Map // whether a path is a file, by the path
}

// sharedFrom is what these depend on in a manifest.
type sharedFrom struct {
	packs  []manifest.PackReference
	named  manifest.FileReference // prompt_pack; zero for none
	limits cento.Limits
}

// opened are the packs, parallel to the manifest's.
type opened struct {
	packs  []*consent.Installed
	loader *pack.Loader
}

// worded is the catalog without the variables of a target.
type worded struct {
	catalog *pack.Catalog
	notes   []cento.Note
}

// sharedOf gives what is shared, for a reader to look up or to fill, locked.
func (r *reader) sharedOf() *shared {
	from := sharedFrom{packs: r.manifest.Packs, limits: r.manifest.Limits}
	if named := r.manifest.PromptPack; named != nil {
		from.named = *named
	}
	s := r.shared
	s.mu.Lock()
	if !slices.Equal(s.from.packs, from.packs) || s.from.named != from.named || s.from.limits != from.limits {
		s.from, s.opened, s.worded = from, nil, nil
	}
	return s
}

func (r *reader) opened() (*opened, error) {
	s := r.sharedOf()
	defer s.mu.Unlock()
	if s.opened != nil {
		return s.opened, nil
	}
	var o opened
	var err error
	if o.packs, err = r.openPacks(); err != nil {
		return nil, err
	}
	o.loader = pack.NewLoader(r.roots(o.packs), r.manifest.Limits).Keeping()
	s.opened = &o
	return s.opened, nil
}

// catalog is that of the program as the user, the project and the manifest word
// it.
func (r *reader) catalog(b basis) (*pack.Catalog, []cento.Note, error) {
	s := r.sharedOf()
	defer s.mu.Unlock()
	if s.worded != nil {
		return s.worded.catalog, s.worded.notes, nil
	}
	wording, err := r.wording()
	if err != nil {
		return nil, nil, err
	}
	catalog, notes, err := pack.NewCatalog(b.loader, wording...)
	if err != nil {
		return nil, nil, err
	}
	s.worded = &worded{catalog, notes}
	return catalog, notes, nil
}
