package app

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"slices"
	"sync"
	"time"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/watch"
)

// DiskReading is what was asked of a disk, and tells whether it is still so.
type DiskReading = watch.Reading

// Collection is a project as it was read, and what that asked of the disk.
type Collection struct {
	Site    Site
	Project *Project
	// Reading tells whether the files are still as they were read.
	Reading *DiskReading
	// AsOf is when reading began.
	AsOf time.Time
}

// ManifestGone: a project that is read again and again had a manifest, which is gone. A
// project without one has a prompt too, but whoever deletes a tree doesn't want that one.
const ManifestGone cento.ErrorCode = "manifest.gone"

// LastSite is where a project stood when it was found last, for whoever finds it again
// and again. The zero value is usable, by several goroutines at once.
type LastSite struct {
	mu   sync.Mutex
	site Site
}

// Locate finds the project of a request. That the manifest which it had is gone is an
// error with the code [ManifestGone], until it is back: a nearer one that is new, or none
// at all from the start, is as good as ever.
func (l *LastSite) Locate(r Request) (Site, error) {
	site, err := Locate(r)
	if err != nil {
		return site, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if was := l.site.ManifestPath; was != "" && was != site.ManifestPath && r.ManifestText == nil {
		if _, err := r.Disk.Lstat(was); err != nil {
			return site, &cento.SourceError{
				Code: ManifestGone, Position: cento.Position{File: l.site.Show(was)}, Message: "the manifest is gone",
				Hint: "put it back; to go on without it, end this and begin anew",
			}
		}
	}
	l.site = site
	return site, nil
}

// Collect finds the project of a request and opens it. Reading is there beside an error,
// too: it tells when another try may go better.
func (l *LastSite) Collect(ctx context.Context, r Request, asOf time.Time) (Collection, error) {
	c := Collection{Reading: &watch.Reading{}, AsOf: asOf}
	r.Disk = c.Reading.On(r.Disk)
	var err error
	if c.Site, err = l.Locate(r); err == nil {
		c.Project, err = Open(ctx, c.Site, r)
	}
	return c, err
}

// At is the project with another clock. What is done to it leaves the one that was
// collected as it is.
func (c *Collection) At(now time.Time) *Project {
	project := *c.Project.Project
	project.Input.Files.Now = now
	return of(&project)
}

// mostVariations is how many variations are kept: who goes round more of them reads
// each anew.
const mostVariations = 16

// VariationKey is a [Variation].
type VariationKey = [sha256.Size]byte

// Variations keep what was made for those that were asked for last. The zero value is
// empty; whoever uses it locks it.
type Variations[T any] struct {
	known map[VariationKey]*T
	order []VariationKey // the one used last is the last
}

// Of is what is kept under a key, empty for one that is new. What had to go for it is
// left, or nil.
func (v *Variations[T]) Of(key VariationKey) (kept, left *T) {
	if kept = v.known[key]; kept != nil {
		at := slices.Index(v.order, key)
		v.order = append(slices.Delete(v.order, at, at+1), key)
		return kept, nil
	}
	if v.known == nil {
		v.known = map[VariationKey]*T{}
	}
	kept = new(T)
	v.known[key], v.order = kept, append(v.order, key)
	if len(v.order) > mostVariations {
		left = v.known[v.order[0]]
		delete(v.known, v.order[0])
		v.order = slices.Delete(v.order, 0, 1)
	}
	return kept, left
}

// All are those that are kept, the one used last at the end.
func (v *Variations[T]) All() []*T {
	out := make([]*T, len(v.order))
	for i, key := range v.order {
		out[i] = v.known[key]
	}
	return out
}

// Variation is a digest of what a request says that makes reading its project give
// something else. clock is that of the door, which isn't part of it: see
// [Collection.At]. Of a manifest, files and prefixes that come with a request it knows
// nothing: whoever keeps variations takes none of these.
func Variation(r Request, clock time.Time) (VariationKey, error) {
	asked := struct {
		Dir, Target, Model string
		ModelAt            cento.Position // of what there is to say about it
		Vars               json.RawMessage
		Assignments        []Assignment
		Skills             []string
		Now                string
		Tools              []byte
		Profile            *Profile
		Session            *Layer
		Budget             *Budget
	}{r.Dir, r.Target, r.Model, r.ModelAt, r.Vars, r.Assignments, r.Skills, "", r.ToolsText, r.Profile, r.Session, r.Budget}
	if !r.Now.Equal(clock) {
		asked.Now = r.Now.Format(time.RFC3339Nano)
	}
	b, err := json.Marshal(asked)
	return sha256.Sum256(b), err
}
