package profile

import (
	"errors"

	"github.com/pelletier/go-toml/v2/unstable"

	"github.com/cento-dev/cento"
)

// The library's parser is used, and not what it makes of a whole file: to find
// keys that stand twice, it looks at all keys of a table for each of them, and a
// table is as long as a stranger likes.

// tomlFile is a TOML file with the places of its tables and keys.
type tomlFile struct{ root *tomlTable }

// tomlTable is a table, or what stands for one: what else a key can hold is a
// string, a []any, or a tomlScalar.
type tomlTable struct {
	entries map[string]tomlEntry
	written bool // by a header of its own, or inline: it is not written again
}

type tomlEntry struct {
	value any
	at    cento.Position // of the first line that names it
}

// tomlTables is an array of tables, each with a header of its own.
type tomlTables struct{ list []*tomlTable }

// tomlScalar is a number, a date or a truth value: nothing that is asked for.
type tomlScalar struct{}

// maxNesting bounds brackets within brackets, and the parts of a key: the parser
// recurses.
const maxNesting = 64

// toml reads a TOML file of the folder; a broken one is a note.
func (d *folder) toml(name string) (tomlFile, bool) {
	text, ok := d.read(name)
	if !ok {
		return tomlFile{}, false
	}
	at := d.at(name)
	if tooNested(text) {
		d.broken(name, "TOML", at)
		return tomlFile{}, false
	}
	r := tomlReader{root: &tomlTable{written: true}, lines: cento.CursorAt(at, text)}
	if place, ok := r.read(text); !ok {
		d.broken(name, "TOML", place)
		return tomlFile{}, false
	}
	return tomlFile{r.root}, true
}

// tooNested counts brackets, those in texts included: it is to refuse what
// nobody writes, not to parse.
func tooNested(text string) bool {
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case '[', '{':
			if depth++; depth > maxNesting {
				return true
			}
		case ']', '}':
			depth = max(0, depth-1)
		}
	}
	return false
}

// tomlReader makes tables of the parser's expressions.
type tomlReader struct {
	parser unstable.Parser
	root   *tomlTable
	lines  cento.Cursor
}

// read reads a file; where it isn't TOML, it gives the place.
func (r *tomlReader) read(text string) (cento.Position, bool) {
	r.parser.Reset([]byte(text))
	table := r.root
	at := r.lines.At(0)
	for r.parser.NextExpression() {
		e := r.parser.Expression()
		path, offset := keyPath(e)
		at = r.lines.At(offset)
		ok := len(path) <= maxNesting
		switch {
		case !ok:
		case e.Kind == unstable.Table, e.Kind == unstable.ArrayTable:
			table, ok = r.root.header(path, e.Kind == unstable.ArrayTable, at)
		case e.Kind == unstable.KeyValue:
			ok = table.set(path, e.Value(), at)
		}
		if !ok {
			return at, false
		}
	}
	if err := r.parser.Error(); err != nil {
		if e, ok := errors.AsType[*unstable.ParserError](err); ok && len(e.Highlight) > 0 {
			at = r.lines.At(int(r.parser.Range(e.Highlight).Offset))
		}
		return at, false
	}
	return cento.Position{}, true
}

// keyPath is the key of an expression, and where it begins.
func keyPath(e *unstable.Node) (path []string, offset int) {
	offset = -1
	for key := e.Key(); key.Next(); {
		n := key.Node()
		if offset < 0 {
			offset = int(n.Raw.Offset)
		}
		path = append(path, string(n.Data))
	}
	return path, offset
}

// child is the table of a key, which is made where there is none. The last table
// of an array stands for it.
func (t *tomlTable) child(key string, at cento.Position) (*tomlTable, bool) {
	switch v := t.entries[key].value.(type) {
	case nil:
		made := &tomlTable{}
		t.put(key, made, at)
		return made, true
	case *tomlTable:
		return v, true
	case *tomlTables:
		return v.list[len(v.list)-1], true
	}
	return nil, false
}

func (t *tomlTable) put(key string, value any, at cento.Position) {
	if t.entries == nil {
		t.entries = map[string]tomlEntry{}
	}
	t.entries[key] = tomlEntry{value, at}
}

// header is the table that a header begins.
func (t *tomlTable) header(path []string, array bool, at cento.Position) (*tomlTable, bool) {
	last := path[len(path)-1]
	for _, key := range path[:len(path)-1] {
		var ok bool
		if t, ok = t.child(key, at); !ok {
			return nil, false
		}
	}
	if array {
		made := &tomlTable{written: true}
		switch v := t.entries[last].value.(type) {
		case nil:
			t.put(last, &tomlTables{[]*tomlTable{made}}, at)
		case *tomlTables:
			v.list = append(v.list, made)
		default:
			return nil, false
		}
		return made, true
	}
	if _, tables := t.entries[last].value.(*tomlTables); tables {
		return nil, false
	}
	made, ok := t.child(last, at)
	if !ok || made.written {
		return nil, false
	}
	made.written = true
	return made, true
}

// set gives a key of the table its value.
func (t *tomlTable) set(path []string, value *unstable.Node, at cento.Position) bool {
	for _, key := range path[:len(path)-1] {
		if _, tables := t.entries[key].value.(*tomlTables); tables {
			return false
		}
		var ok bool
		if t, ok = t.child(key, at); !ok {
			return false
		}
	}
	last := path[len(path)-1]
	if _, there := t.entries[last]; there {
		return false
	}
	v, ok := tomlValue(value, at)
	t.put(last, v, at)
	return ok
}

func tomlValue(n *unstable.Node, at cento.Position) (any, bool) {
	switch n.Kind {
	case unstable.String:
		return string(n.Data), true
	case unstable.Array:
		list := []any{}
		for items := n.Children(); items.Next(); {
			item := items.Node()
			if item.Kind == unstable.Comment {
				continue
			}
			v, ok := tomlValue(item, at)
			if !ok {
				return nil, false
			}
			list = append(list, v)
		}
		return list, true
	case unstable.InlineTable:
		t := &tomlTable{}
		for items := n.Children(); items.Next(); {
			item := items.Node()
			if item.Kind == unstable.Comment {
				continue
			}
			if path, _ := keyPath(item); len(path) > maxNesting || !t.set(path, item.Value(), at) {
				return nil, false
			}
		}
		t.written = true
		return t, true
	}
	return tomlScalar{}, true
}

// value is what stands at a path, and where; nil when nothing does. What stands in
// an inline table is where that begins.
func (f tomlFile) value(path ...string) (any, cento.Position) {
	if f.root == nil {
		return nil, cento.Position{}
	}
	e := tomlEntry{value: f.root}
	for _, key := range path {
		t, ok := e.value.(*tomlTable)
		if !ok {
			return nil, cento.Position{}
		}
		e = t.entries[key]
	}
	return e.value, e.at
}

// table are the entries of the table at a path; none where there is no table.
func (f tomlFile) table(path ...string) map[string]tomlEntry {
	v, _ := f.value(path...)
	if t, ok := v.(*tomlTable); ok {
		return t.entries
	}
	return nil
}

// has reports whether anything stands at a path, and where.
func (f tomlFile) has(path ...string) (cento.Position, bool) {
	v, at := f.value(path...)
	return at, v != nil
}
