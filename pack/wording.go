package pack

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/nearest"
	"github.com/cento-dev/cento/internal/strict"
)

// Wording is texts of the catalog that a user, a project or a pack words anew.
type Wording struct {
	trust cento.Trust
	texts []worded
}

// worded is one text of a file.
type worded struct {
	key  string
	at   cento.Position // of the key
	text string
	// runs tell where the bytes of the text stand in the file.
	runs []cento.Run
}

// Codes of the catalog.
const (
	// InvalidWording: a text of the catalog can't be used.
	InvalidWording cento.ErrorCode = "catalog.invalid"
	// ProtectedWording: a text of a protected section would make it disappear.
	ProtectedWording cento.ErrorCode = "catalog.protected"
	// UnknownWording is the note that a key isn't known and its text unused.
	UnknownWording cento.Code = "catalog.unknown"
)

// ParseWording reads a file of wording: `prompts.yaml` with one map `prompt` at
// the top, or the same as TOML where the name ends in `.toml`. The name is that
// of its positions.
func ParseWording(name, text string, trust cento.Trust, limits cento.Limits) (*Wording, error) {
	if strings.HasSuffix(name, ".toml") {
		return parseTOML(name, text, trust)
	}
	root, err := strict.YAML(name, []byte(text), limits.Or(cento.DefaultLimits()))
	if err != nil {
		return nil, err
	}
	var file struct {
		Prompt *strict.Node `json:"prompt,omitempty"`
	}
	if root.Kind() == strict.Null {
		return &Wording{trust: trust}, nil
	}
	var d strict.Decoder
	d.Decode(root, &file)
	if err := d.Err(); err != nil {
		return nil, err
	}
	return wordingOf(file.Prompt, trust)
}

// WordingIn reads the wording in a YAML file that holds other things too, such
// as the user's configuration: the map `prompt` at its top.
func WordingIn(name, text string, trust cento.Trust, limits cento.Limits) (*Wording, error) {
	root, err := strict.YAML(name, []byte(text), limits.Or(cento.DefaultLimits()))
	if err != nil {
		return nil, err
	}
	_, prompt := root.Member("prompt")
	return wordingOf(prompt, trust)
}

// wordingOf reads the texts of a map by their keys; there are none without a map.
func wordingOf(n *strict.Node, trust cento.Trust) (*Wording, error) {
	w := &Wording{trust: trust}
	if n == nil {
		return w, nil
	}
	var d strict.Decoder
	d.In("prompt", func() {
		if n.Kind() != strict.Map {
			d.Expected(n, strict.Map.String())
		}
		for key, value := range n.Members() {
			name, _ := key.Text()
			text, ok := value.Text()
			if value.Kind() == strict.Null {
				text, ok = "", true // blanks the text
			}
			if !ok {
				d.In(name, func() { d.Expected(value, strict.Text.String()) })
				continue
			}
			w.texts = append(w.texts, worded{key: name, at: key.Position(), text: text, runs: value.Runs(trust)})
		}
	})
	if err := d.Err(); err != nil {
		return nil, err
	}
	return w, nil
}

// unknown is the note on a key that nothing reads.
func (w *worded) unknown() cento.Note {
	names := make([]string, len(catalogue))
	for i, e := range catalogue {
		names[i] = string(e.key)
	}
	slices.Sort(names)
	n := cento.Note{
		Code: UnknownWording, Position: w.at,
		Message: fmt.Sprintf("unknown key %s, its text is not used", quote(w.key)),
	}
	if near, ok := nearest.Name(w.key, names); ok {
		n.Message += "; did you mean " + quote(near) + "?"
	}
	return n
}
