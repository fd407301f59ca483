package app

import (
	"context"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/needle"
	"github.com/cento-dev/cento/internal/provenance"
	"github.com/cento-dev/cento/store"
)

// RecordSearch is what a search in records found.
type RecordSearch struct {
	// Matches are records, the newest first.
	Matches []RecordMatch `json:"matches"`
	// More: there are further ones beyond the limit.
	More bool `json:"more"`
	// Texts is how many distinct texts of fragments hold it.
	Texts int `json:"texts"`
	// IgnoredCase: it was found only with letter case set aside.
	IgnoredCase bool `json:"ignored_case"`
}

// RecordMatch is a record that holds the text.
type RecordMatch struct {
	store.Summary
	// Fragments are those that hold it.
	Fragments []FoundFragment `json:"fragments"`
}

// FoundFragment is a fragment of a record that holds the text. Its origin is the
// first of the places; without one it names the fragment's file alone, since the
// line of the text isn't known.
type FoundFragment struct {
	store.Fragment
	// Places are where the text stands in the files that the fragment was made of.
	// There is none for what came from no file, nor where the record can't be made
	// again, as when it was redacted.
	Places []cento.Position `json:"places"`
}

// maxPlaces is how many places of a text are told of one fragment.
const maxPlaces = 100

// SearchLog looks for a text in the records of a project, whose store is opened for it.
func SearchLog(ctx context.Context, site Site, r Request, place string, q SearchQuery) (_ *RecordSearch, err error) {
	l, err := OpenLog(ctx, site, r, place, Reads)
	if q.Session == "" && NothingRecorded(err, place) {
		return &RecordSearch{Matches: []RecordMatch{}}, nil
	}
	if err != nil {
		return nil, err
	}
	defer func() {
		if closed := l.Close(); err == nil {
			err = closed
		}
	}()
	return l.Search(ctx, q)
}

// Search looks for a text in what was recorded; when it is nowhere, with letter
// case set aside.
func (l *Log) Search(ctx context.Context, q SearchQuery) (*RecordSearch, error) {
	s := l.store
	var err error
	if q.RecordQuery, err = l.scoped(ctx, q.RecordQuery); err != nil {
		return nil, err
	}
	found, err := s.Search(ctx, q)
	if err != nil {
		return nil, err
	}
	ignoredCase := false
	if len(found.Matches) == 0 && !q.IgnoreCase {
		q.IgnoreCase = true
		if found, err = s.Search(ctx, q); err != nil {
			return nil, err
		}
		ignoredCase = len(found.Matches) > 0
	}
	out := &RecordSearch{Matches: []RecordMatch{}, More: found.More, Texts: found.Texts, IgnoredCase: ignoredCase}
	text := needle.Exact(q.Text)
	if q.IgnoreCase {
		text = needle.AnyCase(q.Text)
	}
	for _, m := range found.Matches {
		// What can't be made again has its fragments, and no places.
		replayed, err := replayRecord(ctx, s, RecordRef{m.Session, m.Seq})
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		x := RecordMatch{Summary: m.Summary, Fragments: make([]FoundFragment, 0, len(m.Fragments))}
		for _, f := range m.Fragments {
			y := FoundFragment{Fragment: f, Places: []cento.Position{}}
			if err == nil && replayed.Same {
				y.Places = placesOf(replayed.prompt, f.ID, text)
			}
			switch {
			case len(y.Places) > 0:
				y.Origin = &y.Places[0]
			case y.Origin != nil:
				y.Origin = &cento.Position{File: y.Origin.File}
			}
			x.Fragments = append(x.Fragments, y)
		}
		out.Matches = append(out.Matches, x)
	}
	return out, nil
}

// placesOf are the places where a text begins in the text of a fragment, each
// once: a value may stand there more often than in its file.
func placesOf(prompt *cento.Prompt, id string, asked needle.Needle) []cento.Position {
	out := []cento.Position{}
	i, ok := prompt.Index(id)
	if !ok {
		return out
	}
	text := prompt.Text(i)
	var begins []int
	found, _ := asked.In(text, len(text))
	for _, at := range found {
		if store.WordBegins(text, at[0]) {
			begins = append(begins, at[0])
		}
	}
	told := map[cento.Position]bool{}
	for _, p := range provenance.Positions(prompt, i, begins) {
		if p.File != "" && !told[p] && len(out) < maxPlaces {
			told[p] = true
			out = append(out, p)
		}
	}
	return out
}
