package project

import (
	"path"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/contract"
	"github.com/cento-dev/cento/internal/strict"
)

// ContractReference is a fragment that is made of a contract file.
type ContractReference struct {
	FileReference
	// Fragment is the id of the fragment.
	Fragment string `json:"fragment"`
	// Form is how the contract is written; default [contract.EDN].
	Form contract.Form `json:"form"`
	// Exact is the option [contract.Exact].
	Exact bool `json:"exact,omitempty"`
}

// contractFile is the value of `contract` in a fragment: the path of a contract
// file, or the contract itself.
type contractFile struct {
	strict.Located[*strict.Node]
	path   string
	inline *contract.File // nil when it can't be read, as was reported
}

func (c *contractFile) DecodeNode(d *strict.Decoder, n *strict.Node) {
	c.Located.DecodeNode(d, n)
	file, ok := n.Text()
	if !ok {
		var f contract.File
		if f.DecodeNode(d, n); f.Contract != nil {
			c.inline = &f
		}
		return
	}
	switch {
	case d.Trust == cento.TrustHost:
		d.Fail(n.Position(), Unsupported, "a request brings no contract files").Hint = "write the contract itself in place of its path"
	case !isDataFile(file):
		d.Fail(n.Position(), strict.WrongValue, "expected a contract, or a path that ends in .json, .yaml or .yml, got %q", file)
	default:
		c.path = file
	}
}

func isDataFile(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".json", ".yaml", ".yml":
		return true
	}
	return false
}

// written is the text of a contract.
func written(c *contract.File, form contract.Form, exact bool) cento.Text {
	if exact {
		return c.Text(form, contract.Exact)
	}
	return c.Text(form)
}

func (f *fragmentFile) form() contract.Form {
	if f.Form == nil {
		return contract.EDN
	}
	return f.Form.Value
}

func (f *fragmentFile) exact() bool { return f.Exact != nil && f.Exact.Value }

// contractKeys refuses what says how a contract is written where there is none.
func (f *fragmentFile) contractKeys(d *strict.Decoder) {
	if f.Contract != nil {
		return
	}
	report := func(at cento.Position, key string) {
		d.Fail(at, strict.MissingKey, "%s says how a contract is written, and the key %q is missing", key, "contract").Hint = "take " + key + " out, or give the fragment a contract"
	}
	if f.Form != nil {
		report(f.Form.Position(), "form")
	}
	if f.Exact != nil {
		report(f.Exact.Position(), "exact")
	}
}

// contractFiles are the contract files that fragments are made of.
func contractFiles(files []fragmentFile) []ContractReference {
	var out []ContractReference
	for i := range files {
		if f := &files[i]; f.Contract != nil && f.Contract.path != "" {
			out = append(out, ContractReference{
				FileReference: FileReference{Path: f.Contract.path, Position: f.Contract.Position()},
				Fragment:      f.ID.Value, Form: f.form(), Exact: f.exact(),
			})
		}
	}
	return out
}

// contractNotes are the notes on contracts that stand in fragments themselves.
func contractNotes(files []fragmentFile) []cento.Note {
	var notes []cento.Note
	for i := range files {
		if f := &files[i]; f.Contract != nil && f.Contract.inline != nil {
			notes = append(notes, notesFor(f.ID.Value, f.Contract.inline.Notes())...)
		}
	}
	return notes
}

func notesFor(fragment string, notes []cento.Note) []cento.Note {
	for i := range notes {
		notes[i].Fragment = fragment
	}
	return notes
}

// writing is a contract file in one form. Fragments that want the same share
// its text, so that a small manifest can't ask for much memory.
type writing struct {
	path  string
	form  contract.Form
	exact bool
}

// contracts reads the contract files of the fragments and writes them. All
// together may be as long as a prompt.
func (p *Project) contracts() error {
	if len(p.Manifest.Contracts) == 0 {
		return nil
	}
	fragments := make(map[string]*cento.Fragment, len(p.Input.Fragments))
	list := slices.Clone(p.Input.Fragments)
	for i := range list {
		fragments[list[i].ID] = &list[i]
	}
	files := map[string]*contract.File{} // nil for one that can't be read
	texts := map[writing]cento.Text{}
	var errs []*cento.SourceError
	total := 0
	for _, c := range p.Manifest.Contracts {
		file, read := files[c.Path]
		if !read {
			var err error
			if file, err = p.contractFile(c.FileReference); err != nil {
				errs = append(errs, sourceErrorsOf(err, c.Position)...)
			} else {
				p.Input.Notes = append(p.Input.Notes, notesFor(c.Fragment, file.Notes())...)
			}
			files[c.Path] = file
		}
		if file == nil {
			continue
		}
		key := writing{c.Path, c.Form, c.Exact}
		text, there := texts[key]
		if !there {
			text = written(file, c.Form, c.Exact)
			texts[key] = text
		}
		if total += len(text.Body); total > p.Manifest.Limits.Prompt {
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
	p.Input.Fragments = list
	return cento.Join(errs)
}

// contractFile reads a contract file that the manifest names.
func (p *Project) contractFile(named FileReference) (*contract.File, error) {
	name := p.named(named.Path)
	f, err := p.readInside(name, named.Position)
	if err != nil {
		return nil, err
	}
	c, err := contract.ParseFile(p.Show(name), []byte(f.Text), p.Manifest.Limits, cento.TrustWorkspace)
	if err != nil {
		for _, e := range asSourceErrors(err) {
			e.Related = append(e.Related, cento.Related{Position: named.Position, Message: "named here"})
		}
		return nil, err
	}
	return c, nil
}
