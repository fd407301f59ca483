package provenance

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/strict"
	"github.com/cento-dev/cento/internal/tree"
)

// Setting is the code of a text of the manifest, or of another file of keys and values,
// that is no text of the prompt.
const Setting cento.Code = "text.setting"

// settings are what the manifest says, and the other files of keys and values that the
// project is read from: their names and values, and the files as they are written.
func (s *search) settings() (values, files []leftText) {
	add := func(name, text, what string, trust cento.Trust) {
		left := leftText{at: cento.Position{File: name, Line: 1, Column: 1}, text: text, trust: trust, code: Setting, reason: "written like this in " + what}
		files = append(files, left)
		root, err := strict.Read(name, []byte(text), cento.DefaultLimits())
		if err != nil {
			return // in another language, such as TOML
		}
		for n := range named(root, "") {
			value := located(n.Located(trust))
			value.text, _ = n.Text()
			value.code, value.trust = Setting, trust
			value.reason = fmt.Sprintf("the value of `%s` in %s, and no text of this prompt", n.path, what)
			if n.isName {
				value.reason = fmt.Sprintf("the name of `%s` in %s, and no text of this prompt", n.path, what)
			}
			values = append(values, value)
		}
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
	return values, files
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
