package provenance

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"sync"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/needle"
	"github.com/cento-dev/cento/internal/strict"
	"github.com/cento-dev/cento/internal/tree"
)

// Setting is the code of a text of the manifest, or of another file of keys and values,
// that is no text of the prompt.
const Setting cento.Code = "text.setting"

// settingFile is a file of keys and values, as it is written.
type settingFile struct {
	leftText
	name, what string
	// values are its names and values, read when something of them is looked for.
	values func() []leftText
}

// settings are the manifest and the other files of keys and values that the project is
// read from.
func (s *search) settings() (out []settingFile) {
	add := func(name, text, what string, trust cento.Trust) {
		f := settingFile{name: name, what: what, leftText: leftText{
			at: cento.Position{File: name, Line: 1, Column: 1}, text: text, trust: trust, code: Setting, reason: "written like this in " + what,
		}}
		f.values = sync.OnceValue(f.read)
		out = append(out, f)
	}
	if name, text := s.project.ManifestText(); text != "" {
		add(name, text, "the manifest", cento.TrustWorkspace)
	}
	trees := confined{project: s.project, open: map[string]*tree.Tree{}}
	defer trees.close()
	for _, name := range s.project.SettingFiles() {
		f, err := trees.read(name)
		switch {
		case err == nil:
			add(name, f.Text, name, cento.TrustWorkspace)
		case !errors.Is(err, fs.ErrNotExist):
			s.passOver(name + ": " + err.Error())
		}
	}
	return out
}

// read gives the names and values of the file; none of one in another language, such as
// TOML.
func (f *settingFile) read() (out []leftText) {
	root, err := strict.Read(f.name, []byte(f.text), cento.DefaultLimits())
	if err != nil {
		return nil
	}
	for n := range named(root, "") {
		value := leftText{trust: f.trust, code: Setting, locate: func(offset int) cento.Position { return n.Located(f.trust).Locate(offset) }}
		value.text, _ = n.Text()
		what := "value"
		if n.isName {
			what = "name"
		}
		value.reason = fmt.Sprintf("the %s of `%s` in %s, and no text of this prompt", what, n.path, f.what)
		out = append(out, value)
	}
	return out
}

// settingValues looks for texts among the names and values of files. What a file doesn't
// have as it is written, its values don't have either, unless one is written otherwise.
func (s *search) settingValues(files func() []settingFile) look {
	return func(text needle.Needle) ([]Match, Texts) {
		var out []Match
		for _, f := range files() {
			if mayHold(f.text, text) {
				found, _ := matchesLeft(f.values(), text)
				out = append(out, found...)
			}
		}
		return out, s.Texts
	}
}

// mayHold reports whether a value in JSON or YAML may have a text, going by how the whole is
// written: a value without escapes stands there as it is.
func mayHold(written string, text needle.Needle) bool {
	return strings.Contains(written, `\`) || strings.Contains(written, "''") || text.StandsIn(written)
}

// namedNode is a scalar of a file, or a name in it, with the path to it.
type namedNode struct {
	*strict.Node
	path   string
	isName bool
}

// named gives the names and the scalars of a value, in the order of the file.
func named(n *strict.Node, path string) func(yield func(namedNode) bool) {
	return func(yield func(namedNode) bool) { walkNamed(n, path, yield) }
}

func walkNamed(n *strict.Node, path string, yield func(namedNode) bool) bool {
	switch n.Kind() {
	case strict.Map:
		for key, value := range n.Members() {
			name, _ := key.Text()
			at := strings.TrimPrefix(path+valueStep(name), ".")
			if !yield(namedNode{key, at, true}) || !walkNamed(value, at, yield) {
				return false
			}
		}
	case strict.List:
		for i := range n.Items() {
			if !walkNamed(&n.Items()[i], path+"["+strconv.Itoa(i)+"]", yield) {
				return false
			}
		}
	default:
		return yield(namedNode{n, path, false})
	}
	return true
}

// valueStep writes a name as a step of a path as [valuePath] reads it.
func valueStep(name string) string {
	if name == "" || strings.ContainsAny(name, " .[]\"\t\n`") {
		return "[" + strconv.Quote(name) + "]"
	}
	return "." + name
}
