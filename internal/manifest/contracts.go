package manifest

import (
	"path"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/contract"
	"github.com/cento-dev/cento/internal/strict"
)

// ContractReference is a fragment that is made of a contract file, or of a text file.
type ContractReference struct {
	FileReference
	// Fragment is the id of the fragment.
	Fragment string `json:"fragment"`
	// Literal: the file is a text and not a contract.
	Literal bool `json:"literal,omitempty"`
	// Form is how the contract is written; default [contract.Lines].
	Form contract.Form `json:"form"`
	// Exact is the option [contract.Exact].
	Exact bool `json:"exact,omitempty"`
}

// Options are those that the contract is written with.
func (c *ContractReference) Options() []contract.Option { return contractOptions(c.Exact) }

func contractOptions(exact bool) []contract.Option {
	if exact {
		return []contract.Option{contract.Exact}
	}
	return nil
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
		if d.Decode(n, &f); f.Contract != nil {
			c.inline = &f
		}
		return
	}
	switch {
	case d.Trust == cento.TrustHost:
		d.Fail(n.Position(), Unsupported, "a request brings no contract files").Hint = "write the contract itself in place of its path"
	case !isDataFile(file):
		d.Fail(n.Position(), strict.WrongValue, "expected a contract, or a path that ends in .json, .yaml or .yml, got %q", file).Hint = "name the file of the contract, such as contracts/review.yaml, or write it here as a map"
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

func (f *fragmentFile) form() contract.Form {
	if f.Form == nil {
		return contract.Lines
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

// contractFiles are the contract files and text files that fragments are made of.
func contractFiles(files []fragmentFile) []ContractReference {
	var out []ContractReference
	for i := range files {
		if f := &files[i]; f.Contract != nil && f.Contract.path != "" {
			out = append(out, ContractReference{
				FileReference: FileReference{Path: f.Contract.path, Position: f.Contract.Position()},
				Fragment:      f.ID.Value, Form: f.form(), Exact: f.exact(),
			})
		} else if f.File != nil && f.Contract == nil {
			out = append(out, ContractReference{FileReference: FileReference{Path: f.File.Value, Position: f.File.Position()}, Fragment: f.ID.Value, Literal: true})
		}
	}
	return out
}

// contractNotes are the notes on contracts that stand in fragments themselves, and on how
// they are written.
func contractNotes(files []fragmentFile) []cento.Note {
	var notes []cento.Note
	for i := range files {
		if f := &files[i]; f.Contract != nil && f.Contract.inline != nil {
			c := f.Contract.inline
			notes = append(notes, NotesFor(f.ID.Value, append(c.Notes(), c.Losses(f.form(), contractOptions(f.exact())...)...))...)
		}
	}
	return notes
}

// NotesFor names the fragment that notes are about, in place, and gives the list back.
func NotesFor(fragment string, notes []cento.Note) []cento.Note {
	for i := range notes {
		notes[i].Fragment = fragment
	}
	return notes
}
