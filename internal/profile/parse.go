package profile

import (
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"strings"
	"sync"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/strict"
)

// lazily compiles an expression when it is first needed: most projects need two
// or three of them, and every start of the program would pay for all.
func lazily(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

// json reads a JSON file of the folder; a broken one is a note.
func (d *folder) json(name string) (*strict.Node, bool) { return d.strict(name, "JSON", strict.JSON) }

// yaml reads a YAML file of the folder; a broken one is a note.
func (d *folder) yaml(name string) (*strict.Node, bool) { return d.strict(name, "YAML", strict.YAML) }

func (d *folder) strict(name, kind string, read func(string, []byte, cento.Limits) (*strict.Node, error)) (*strict.Node, bool) {
	text, ok := d.read(name)
	if !ok {
		return nil, false
	}
	at := d.at(name)
	n, err := read(at.File, []byte(text), cento.DefaultLimits())
	if err == nil && n.Kind() == strict.Map {
		return n, true
	}
	if list := cento.SourceErrors(err); len(list) > 0 && list[0].Position.Line > 0 {
		at = list[0].Position
	}
	d.broken(name, kind, at)
	return nil, false
}

// keys are the places of the keys of a map in a map.
func keys(n *strict.Node, name string) map[string]cento.Position {
	_, m := n.Member(name)
	if m == nil {
		return nil
	}
	out := map[string]cento.Position{}
	for key, value := range m.Members() {
		if value.Kind() == strict.Null {
			continue
		}
		text, _ := key.Text()
		out[text] = key.Position()
	}
	return out
}

// wholeXML reports whether a text is well-formed XML, and if not, where it stops
// being so. Entities are those of XML alone, so nothing expands.
func wholeXML(text string, at cento.Position) (cento.Position, bool) {
	d := xml.NewDecoder(strings.NewReader(text))
	// Whatever encoding it names, the text was read as UTF-8.
	d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
	depth := 0
	for {
		token, err := d.RawToken()
		if errors.Is(err, io.EOF) {
			return at, depth == 0
		}
		if err != nil {
			at.Line, at.Column = d.InputPos()
			return at, false
		}
		switch token.(type) {
		case xml.StartElement:
			depth++
		case xml.EndElement:
			depth--
		}
	}
}
