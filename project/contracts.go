package project

import (
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/contract"
	"github.com/cento-dev/cento/internal/manifest"
	"github.com/cento-dev/cento/internal/strict"
)

// writing is a contract file in one form. Fragments that want the same share
// its text, so that a small manifest can't ask for much memory.
type writing struct {
	path  string
	form  contract.Form
	exact bool
}

// contracts gives the fragments of the manifest with the texts of their contract
// files and text files. All of these together may be as long as a prompt.
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
	var notes []cento.Note
	var errs []*cento.SourceError
	total := 0
	add := func(c *manifest.ContractReference, text cento.Text) bool {
		if total += len(text.Body); total > r.manifest.Limits.Prompt {
			errs = append(errs, &cento.SourceError{
				Code: cento.LimitExceeded, Position: c.Position,
				Message: "the files of the fragments are longer than a prompt may be",
				Hint:    "leave texts out, or raise the limit",
			})
			return false
		}
		if f := fragments[c.Fragment]; f != nil {
			f.Body, f.Runs = text.Body, text.Runs
		}
		return true
	}
	texts := map[writing]cento.Text{}
	for i := range r.manifest.Contracts {
		c := &r.manifest.Contracts[i]
		if c.Literal {
			text, err := r.literalFile(c.FileReference)
			if err != nil {
				errs = append(errs, sourceErrorsOf(err, c.Position)...)
			} else if !add(c, text) {
				break
			}
			continue
		}
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
		if !add(c, text) {
			break
		}
	}
	return list, notes, cento.Join(errs)
}

// literalFile reads a text file that the manifest names, without its front matter.
func (r *reader) literalFile(named manifest.FileReference) (cento.Text, error) {
	name := r.named(named.Path)
	f, err := r.readInside(name, named.Position)
	if err != nil {
		return cento.Text{}, err
	}
	_, begin := strict.Behind(f.Text)
	text := cento.Text{Body: f.Text[begin:], Trust: cento.TrustWorkspace}
	if text.Body != "" {
		at := cento.Position{File: r.Show(name), Line: strings.Count(f.Text[:begin], "\n") + 1, Column: 1}
		text.Runs = []cento.Run{{End: len(text.Body), Position: at, Trust: cento.TrustWorkspace}}
	}
	return text, nil
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
