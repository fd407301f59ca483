package prompttest

import (
	"context"
	"maps"
	"slices"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/manifest"
	"github.com/cento-dev/cento/project"
)

// namesSeen are the names of what is different in the runs, by their places. One that
// some run knows is right there: a case over all targets may name what one of them has.
type namesSeen struct {
	known  map[cento.Position]bool
	notes  map[cento.Position]cento.Note
	looked map[lookedAt]bool
	of     map[*reading]*project.KnownNames
}

// lookedAt is a place as a reading knows it: a matrix has many more runs than places.
type lookedAt struct {
	reading *reading
	place   cento.Position
}

func newNamesSeen() *namesSeen {
	return &namesSeen{map[cento.Position]bool{}, map[cento.Position]cento.Note{}, map[lookedAt]bool{}, map[*reading]*project.KnownNames{}}
}

// sides are what is different in a run, on both sides of a comparison.
func (r *run) sides() []*manifest.With {
	out := []*manifest.With{&r.with}
	if r.of.SamePrefix != nil {
		out = append(out, otherSide(r))
	}
	return out
}

// skip takes a run that wasn't made for one that knows all its names.
func (s *namesSeen) skip(r *run) {
	for _, w := range r.sides() {
		for _, key := range w.Keys() {
			for _, at := range w.NamesAt(key) {
				s.known[at] = true
			}
		}
	}
}

// maxReadings is how many readings of a project [Suite.Names] makes: whoever asks waits
// for them while a file is being written.
const maxReadings = 32

// Names are the notes on names that [Report] has, without running anything. A run that
// wants files laid over, or another reading than the first 32, may know any name.
func (s *Suite) Names(ctx context.Context) ([]cento.Note, error) {
	lib := s.library()
	defer lib.close()
	names := newNamesSeen()
	runs := s.runs()
	for i := range runs {
		r := &runs[i]
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if len(lib.read) >= maxReadings || slices.ContainsFunc(r.sides(), func(w *manifest.With) bool { return len(w.Files) > 0 }) {
			names.skip(r)
		} else {
			names.look(ctx, lib, r)
		}
	}
	return names.list(), nil
}

// look holds the names of a run against those of the project as it reads it.
func (s *namesSeen) look(ctx context.Context, l *library, r *run) {
	for _, w := range r.sides() {
		reading := l.open(ctx, r.target, w)
		if reading.err != nil {
			s.skip(r) // what is wrong there is told
			return
		}
		for _, key := range w.Keys() {
			for name, at := range w.NamesAt(key) {
				place := lookedAt{reading, at}
				if s.known[at] || s.looked[place] {
					continue
				}
				s.looked[place] = true
				k := s.of[reading]
				if k == nil {
					k = reading.project.KnownNames()
					s.of[reading] = k
				}
				n, unknown := unknownName(k, w, key, name)
				if n.Position = at; unknown {
					s.notes[at] = n
				} else {
					s.known[at] = true
				}
			}
		}
	}
}

func unknownName(k *project.KnownNames, w *manifest.With, key, name string) (cento.Note, bool) {
	switch {
	case key == "tools":
		return k.Tool(name)
	case key == "without_tools" && !slices.Contains(w.Tools, name):
		return k.WithoutTool(name)
	case key == "caps":
		return k.Cap(name)
	case key == "without_caps" && !slices.Contains(w.Caps, name):
		return k.WithoutCap(name)
	case key == "vars":
		return k.Var(name)
	case key == "model":
		return k.Model()
	}
	return cento.Note{}, false
}

// list are the notes on names that no run knows, by their places.
func (s *namesSeen) list() []cento.Note {
	var out []cento.Note
	for _, at := range slices.SortedFunc(maps.Keys(s.notes), cento.Position.Compare) {
		if !s.known[at] {
			out = append(out, s.notes[at])
		}
	}
	return out
}
