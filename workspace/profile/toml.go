package profile

import (
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"github.com/cento-dev/cento"
)

// tomlFile is a TOML file with the places of its tables and keys.
type tomlFile struct {
	values map[string]any
	places map[string]cento.Position // by path, joined with a NUL
}

// maxNesting bounds brackets within brackets: the parser recurses.
const maxNesting = 64

// toml reads a TOML file of the folder; a broken one is a note.
func (d *folder) toml(name string) (tomlFile, bool) {
	text, ok := d.read(name)
	if !ok {
		return tomlFile{}, false
	}
	at := d.at(name)
	f := tomlFile{places: map[string]cento.Position{}}
	if tooNested(text) {
		d.broken(name, "TOML", at)
		return f, false
	}
	if err := toml.Unmarshal([]byte(text), &f.values); err != nil {
		if e, ok := errors.AsType[*toml.DecodeError](err); ok {
			at.Line, at.Column = e.Position()
		}
		d.broken(name, "TOML", at)
		return f, false
	}
	f.locate(text, at.File)
	return f, true
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

// locate notes where each table and each key begins.
func (f *tomlFile) locate(text, file string) {
	var p unstable.Parser
	p.Reset([]byte(text))
	lines := lineCounter{text: text, at: cento.Position{File: file, Line: 1, Column: 1}}
	var table []string
	for p.NextExpression() {
		e := p.Expression()
		key := e.Key()
		var path []string
		at := -1
		for key.Next() {
			n := key.Node()
			if at < 0 {
				at = int(n.Raw.Offset)
			}
			if len(path) <= maxNesting {
				path = append(path, string(n.Data))
			}
		}
		if e.Kind == unstable.Table || e.Kind == unstable.ArrayTable {
			table = path
		} else {
			path = append(table[:len(table):len(table)], path...)
		}
		if len(path) > maxNesting {
			continue // nothing that is asked for
		}
		place := lines.position(at)
		for n := 1; n <= len(path); n++ {
			joined := strings.Join(path[:n], "\x00")
			if _, there := f.places[joined]; !there {
				f.places[joined] = place
			}
		}
	}
}

// value is what stands at a path, and where; nil when nothing does.
func (f tomlFile) value(path ...string) (any, cento.Position) {
	var v any = f.values
	for _, key := range path {
		m, ok := v.(map[string]any)
		if !ok {
			return nil, cento.Position{}
		}
		if v, ok = m[key]; !ok {
			return nil, cento.Position{}
		}
	}
	for n := len(path); n > 0; n-- { // the keys of inline tables have no place of their own
		if at, ok := f.places[strings.Join(path[:n], "\x00")]; ok {
			return v, at
		}
	}
	return v, cento.Position{}
}

// has reports whether anything stands at a path, and where.
func (f tomlFile) has(path ...string) (cento.Position, bool) {
	v, at := f.value(path...)
	return at, v != nil
}

// lineCounter turns offsets that grow into places.
type lineCounter struct {
	text string
	from int
	at   cento.Position
}

func (c *lineCounter) position(offset int) cento.Position {
	if offset < c.from || offset > len(c.text) {
		return c.at
	}
	part := c.text[c.from:offset]
	if n := strings.Count(part, "\n"); n > 0 {
		c.at.Line, c.at.Column = c.at.Line+n, 1
		part = part[strings.LastIndexByte(part, '\n')+1:]
	}
	c.at.Column += utf8.RuneCountInString(part)
	c.from = offset
	return c.at
}
