package project

import (
	"slices"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/contract"
	"github.com/cento-dev/cento/internal/manifest"
)

// writing is a contract file in one form. Fragments that want the same share
// its text, so that a small manifest can't ask for much memory.
type writing struct {
	path  string
	form  contract.Form
	exact bool
}

// contracts gives the fragments of the manifest with the texts of their contract
// files. All of these together may be as long as a prompt.
func (r *reader) contracts() ([]cento.Fragment, []cento.Note, error) {
	if len(r.manifest.Contracts) == 0 {
		return r.manifest.Fragments, nil, nil
	}
	list := slices.Clone(r.manifest.Fragments)
	fragments := make(map[string]*cento.Fragment, len(list))
	for i := range list {
		fragments[list[i].ID] = &list[i]
	}
	files := map[string]*contract.File{} // nil for one that can't be read
	texts := map[writing]cento.Text{}
	var notes []cento.Note
	var errs []*cento.SourceError
	total := 0
	for _, c := range r.manifest.Contracts {
		file, read := files[c.Path]
		if !read {
			var err error
			if file, err = r.contractFile(c.FileReference); err != nil {
				errs = append(errs, sourceErrorsOf(err, c.Position)...)
			} else {
				notes = append(notes, manifest.NotesFor(c.Fragment, file.Notes())...)
			}
			files[c.Path] = file
		}
		if file == nil {
			continue
		}
		key := writing{c.Path, c.Form, c.Exact}
		text, there := texts[key]
		if !there {
			text = file.Text(c.Form, c.Options()...)
			texts[key] = text
			notes = append(notes, manifest.NotesFor(c.Fragment, file.Losses(c.Form, c.Options()...))...)
		}
		if total += len(text.Body); total > r.manifest.Limits.Prompt {
			errs = append(errs, &cento.SourceError{
				Code: cento.LimitExceeded, Position: c.Position,
				Message: "the contracts of the fragments are longer than a prompt may be",
				Hint:    "leave facts out, or raise the limit",
			})
			break
		}
		if f := fragments[c.Fragment]; f != nil {
			f.Body, f.Runs = text.Body, text.Runs
		}
	}
	return list, notes, cento.Join(errs)
}

// contractFile reads a contract file that the manifest names.
func (r *reader) contractFile(named manifest.FileReference) (*contract.File, error) {
	name := r.named(named.Path)
	f, err := r.readInside(name, named.Position)
	if err != nil {
		return nil, err
	}
	c, err := contract.ParseFile(r.Show(name), []byte(f.Text), r.manifest.Limits, cento.TrustWorkspace)
	if err != nil {
		for _, e := range cento.SourceErrors(err) {
			e.Related = append(e.Related, cento.Related{Position: named.Position, Message: "named here"})
		}
		return nil, err
	}
	return c, nil
}
