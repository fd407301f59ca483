package amend

import (
	"path"
	"slices"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/strict"
)

// Document is a file and the values that it holds: YAML, JSON, or a text below a
// front matter in YAML.
type Document struct {
	name, text string
	front      bool
	from, to   int // of the values in the text; in front matter between the rulers
	lines      lineIndex
	root       *strict.Node // nil: a text without front matter
	members    map[place]entry
	items      map[place]entry
	named      map[place]entry // items that are maps, by the places of their names
	maps       map[place]*strict.Node
	holders    map[*strict.Node]entry // of values: the member that they are the value of, or the item
	lists      map[*strict.Node][]entry
	reread     int // bytes
}

// place is a position in the one file.
type place struct{ line, column int }

// entry is a member of a map or an item of a list, which is its own key.
type entry struct {
	parent     *strict.Node
	index      int
	key, value *strict.Node
}

// Read reads a file, byte for byte as it is stored. A name that ends in `.json`,
// `.yaml` or `.yml` says that all of it is values, any other that there may be front
// matter. Its errors are those of the strict reader.
func Read(name, text string) (*Document, error) {
	d := &Document{name: name, text: text, to: len(text), lines: newLineIndex(text)}
	values := text
	switch path.Ext(name) {
	case ".json", ".yaml", ".yml":
	default:
		d.front = true
		if d.from, d.to, _ = strict.Rulers(text); d.to == 0 {
			return d, nil
		}
		values = "\n" + text[d.from:d.to] // so that places are right
	}
	root, err := strict.Read(name, []byte(values), cento.DefaultLimits())
	if err != nil {
		return nil, err
	}
	if d.front && root.Kind() != strict.Map {
		return d, nil
	}
	d.root = root
	d.members, d.items, d.named = map[place]entry{}, map[place]entry{}, map[place]entry{}
	d.maps, d.holders, d.lists = map[place]*strict.Node{}, map[*strict.Node]entry{}, map[*strict.Node][]entry{}
	d.index(root)
	return d, nil
}

// Text is the file as it was read.
func (d *Document) Text() string { return d.text }

// Keys are the places of those keys of the outermost map that have one of some names.
func (d *Document) Keys(names []string) []cento.Position {
	var out []cento.Position
	if d.root == nil {
		return nil
	}
	for key := range d.root.Members() {
		if slices.Contains(names, textOf(key)) {
			out = append(out, key.Position())
		}
	}
	return out
}

// NameAt is the key or the item that stands at a place; empty where none does.
func (d *Document) NameAt(at cento.Position) string {
	e, _ := d.entry(place{at.Line, at.Column}, "")
	return textOf(e.key)
}

func (d *Document) index(n *strict.Node) {
	if n.Kind() == strict.Map {
		d.maps[placeOf(n)] = n
	}
	list := entriesOf(n)
	for _, e := range list {
		d.holders[e.value] = e
		if e.key != e.value {
			d.members[placeOf(e.key)] = e
		} else {
			d.items[placeOf(e.key)] = e
			if _, name := e.value.Member("name"); name != nil {
				d.named[placeOf(name)] = e
			}
		}
		d.index(e.value)
	}
	d.lists[n] = list
}

func entriesOf(n *strict.Node) []entry {
	var list []entry
	for key, value := range n.Members() {
		list = append(list, entry{n, len(list), key, value})
	}
	items := n.Items()
	for i := range items {
		list = append(list, entry{n, i, &items[i], &items[i]})
	}
	return list
}

func placeOf(n *strict.Node) place {
	at := n.Position()
	return place{at.Line, at.Column}
}

// at is the byte where a value begins.
func (d *Document) at(n *strict.Node) int {
	off, _ := d.lines.offset(n.Position())
	return off
}

// entries are the members or items of a value of the document.
func (d *Document) entries(n *strict.Node) []entry { return d.lists[n] }

// flow reports whether a map or list is written between braces or brackets.
func (d *Document) flow(n *strict.Node) bool {
	at := d.at(n)
	return at < len(d.text) && (d.text[at] == '{' || d.text[at] == '[')
}
