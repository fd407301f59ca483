package toontest

import (
	"fmt"
	"strconv"
	"unicode/utf8"

	"github.com/cento-dev/cento/internal/quote"
	"github.com/cento-dev/cento/internal/toon"
)

// defaultDepth is how deep arrays and objects nest where nothing else is set.
const defaultDepth = 100

// Encoder writes values. The zero Encoder has the defaults of the
// specification.
type Encoder struct {
	// Delimiter separates cells and inline items. Default [toon.Comma].
	Delimiter toon.Delimiter
	// Indent is how many spaces one level is indented. Default 2.
	Indent int
	// Depth is how deep arrays and objects may nest. Default 100.
	Depth int
}

// Encode writes a value with the defaults; see [Encoder.Append].
func Encode(v Value) (string, error) {
	text, err := Encoder{}.Append(nil, v)
	return string(text), err
}

// Append appends a value as one document, without a line end behind it. An
// empty object is an empty document. The form follows from the value alone:
// arrays of scalars stand on one line, arrays of objects with equal keys are
// tables, and so are objects of two or more such objects.
//
// The error is an [*toon.Error] without a place: [toon.LimitExceeded] for nesting,
// [toon.DuplicateKey], or [toon.InvalidUTF8].
func (e Encoder) Append(dst []byte, v Value) ([]byte, error) {
	if e.Delimiter == 0 {
		e.Delimiter = toon.Comma
	}
	if e.Indent <= 0 {
		e.Indent = 2
	}
	if e.Depth <= 0 {
		e.Depth = defaultDepth
	}
	if e.Delimiter != toon.Comma && e.Delimiter != toon.Tab && e.Delimiter != toon.Pipe {
		return dst, &toon.Error{Code: toon.Syntax, Message: fmt.Sprintf("%q is no delimiter", rune(e.Delimiter)), Hint: "a comma, a tab or a pipe"}
	}
	if err := check(v, e.Depth); err != nil {
		return dst, err
	}
	from := len(dst)
	w := writer{Encoder: e, dst: dst, from: from}
	w.root(v)
	if !utf8.Valid(w.dst[from:]) {
		return dst, &toon.Error{Code: toon.InvalidUTF8, Message: "a text of the value isn't UTF-8"}
	}
	return w.dst, nil
}

// check finds what can't be written. It walks with a stack of its own, as a
// value may be deeper than the program's.
func check(v Value, limit int) error {
	type level struct {
		n    *node
		next int
	}
	var levels []level
	var seen keySet
	var checked []string
	enter := func(v Value) error {
		if v.kind < ArrayKind {
			return nil
		}
		if len(levels) == limit {
			return &toon.Error{Code: toon.LimitExceeded, Message: fmt.Sprintf("arrays and objects nest more than %d deep", limit)}
		}
		if v.node == nil {
			return nil
		}
		if keys := v.node.keys; len(keys) > 0 && (len(checked) != len(keys) || &checked[0] != &keys[0]) {
			seen.reset()
			for _, key := range keys {
				if !seen.add(key) {
					return &toon.Error{Code: toon.DuplicateKey, Message: fmt.Sprintf("key %q is given twice in one object", clip(key))}
				}
			}
			checked = keys
		}
		levels = append(levels, level{n: v.node})
		return nil
	}
	if err := enter(v); err != nil {
		return err
	}
	for len(levels) > 0 {
		top := &levels[len(levels)-1]
		if top.next == len(top.n.items) {
			levels = levels[:len(levels)-1]
			continue
		}
		top.next++
		if err := enter(top.n.items[top.next-1]); err != nil {
			return err
		}
	}
	return nil
}

// writer writes one document. It recurses no deeper than Depth.
type writer struct {
	Encoder
	dst  []byte
	from int // where the document begins
}

// line begins a line.
func (w *writer) line(depth int) {
	if len(w.dst) > w.from {
		w.dst = append(w.dst, '\n')
	}
	for range depth * w.Indent {
		w.dst = append(w.dst, ' ')
	}
}

func (w *writer) root(v Value) {
	switch v.kind {
	case ArrayKind:
		if v.node == nil {
			w.dst = append(w.dst, "[]"...)
			return
		}
		w.array(v, 0, tableOf(v.node.items))
	case ObjectKind:
		if t := keyedTableOf(v); t != nil {
			w.entries(v, t, 0)
			return
		}
		w.fields(v, 0, 0)
	case StringKind:
		if len(v.text) >= len(byteOrderMark) && v.text[:len(byteOrderMark)] == byteOrderMark {
			w.dst = quote.Common.Append(w.dst, v.text)
			return
		}
		w.scalar(v)
	default:
		w.scalar(v)
	}
}

func (w *writer) scalar(v Value) {
	switch v.kind {
	case NullKind:
		w.dst = append(w.dst, "null"...)
	case StringKind:
		w.dst = appendString(w.dst, v.text, w.Delimiter)
	default:
		w.dst = append(w.dst, v.text...)
	}
}

// fields writes the members of an object from an index on, a line each.
func (w *writer) fields(v Value, from, depth int) {
	for i := from; i < v.Len(); i++ {
		w.line(depth)
		w.field(v.Key(i), v.Item(i), depth)
	}
}

// field writes a member on the line that was begun. Depth is where it stands,
// which behind a hyphen is one deeper than the line.
func (w *writer) field(key string, v Value, depth int) {
	w.dst = appendKey(w.dst, key)
	switch {
	case v.kind < ArrayKind:
		w.dst = append(w.dst, ": "...)
		w.scalar(v)
	case v.kind == ArrayKind && v.node == nil:
		w.dst = append(w.dst, ": []"...)
	case v.kind == ArrayKind:
		w.array(v, depth, tableOf(v.node.items))
	default:
		if t := keyedTableOf(v); t != nil {
			w.entries(v, t, depth)
			return
		}
		w.dst = append(w.dst, ':')
		w.fields(v, 0, depth+1)
	}
}

// array writes an array that isn't empty, from its bracket on; as a table if
// there is one.
func (w *writer) array(v Value, depth int, t *table) {
	w.bracket(len(v.node.items), false)
	switch {
	case t != nil:
		w.names(t)
		w.dst = append(w.dst, ':')
		for r := range v.node.items {
			w.line(depth + 1)
			w.row(t, r, false)
		}
	case allScalars(v.node.items):
		w.dst = append(w.dst, ": "...)
		for i, item := range v.node.items {
			if i > 0 {
				w.dst = append(w.dst, byte(w.Delimiter))
			}
			w.scalar(item)
		}
	default:
		w.dst = append(w.dst, ':')
		for _, item := range v.node.items {
			w.line(depth + 1)
			w.item(item, depth+1)
		}
	}
}

// entries writes an object as a keyed table, from its bracket on.
func (w *writer) entries(v Value, t *table, depth int) {
	w.bracket(v.Len(), true)
	w.names(t)
	w.dst = append(w.dst, ':')
	for r, key := range v.node.keys {
		w.line(depth + 1)
		w.dst = append(appendKey(w.dst, key), ": "...)
		w.row(t, r, false)
	}
}

// item writes an item of a list behind its hyphen.
func (w *writer) item(v Value, depth int) {
	w.dst = append(w.dst, '-')
	switch {
	case v.kind == ObjectKind && v.node == nil:
	case v.kind == ObjectKind:
		w.dst = append(w.dst, ' ')
		w.field(v.Key(0), v.Item(0), depth+1)
		w.fields(v, 1, depth+1)
	case v.kind == ArrayKind && v.node == nil:
		w.dst = append(w.dst, ' ')
		w.bracket(0, false)
		w.dst = append(w.dst, ':')
	case v.kind == ArrayKind:
		// A table has no place behind a hyphen: only a document's root may have
		// a field list without a key.
		w.dst = append(w.dst, ' ')
		w.array(v, depth, nil)
	default:
		w.dst = append(w.dst, ' ')
		w.scalar(v)
	}
}

// bracket writes a length and declares the delimiter.
func (w *writer) bracket(n int, keyed bool) {
	w.dst = strconv.AppendInt(append(w.dst, '['), int64(n), 10)
	if keyed {
		w.dst = append(w.dst, ':')
	}
	if w.Delimiter != toon.Comma {
		w.dst = append(w.dst, byte(w.Delimiter))
	}
	w.dst = append(w.dst, ']')
}

// names writes the field list of a table.
func (w *writer) names(t *table) {
	w.dst = append(w.dst, '{')
	for i, name := range t.names {
		if i > 0 {
			w.dst = append(w.dst, byte(w.Delimiter))
		}
		w.dst = appendKey(w.dst, name)
		if t.groups[i] != nil {
			w.names(t.groups[i])
		}
	}
	w.dst = append(w.dst, '}')
}

// row writes the cells of a row, those of groups in place. It tells whether it
// wrote any, which the next cell is delimited from.
func (w *writer) row(t *table, r int, begun bool) bool {
	for i, cell := range t.rows[r] {
		if g := t.groups[i]; g != nil {
			begun = w.row(g, r, begun)
			continue
		}
		if begun {
			w.dst = append(w.dst, byte(w.Delimiter))
		}
		w.scalar(cell)
		begun = true
	}
	return begun
}

func allScalars(items []Value) bool {
	for _, v := range items {
		if v.kind >= ArrayKind {
			return false
		}
	}
	return true
}
