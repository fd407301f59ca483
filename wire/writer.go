package wire

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"
	"unsafe"

	"github.com/cento-dev/cento"
)

// writer writes the JSON of a body without white space, and keeps the JSON pointer
// of where it is, and the map.
type writer struct {
	buf    []byte
	path   []byte
	stack  []frame
	pieces []Piece
	// wrote are values that stand as a tool wrote them; their pointers stand in paths, up
	// to ends.
	wrote []Schema
	paths []byte
	ends  []int
}

// frame is an object or array that was begun.
type frame struct {
	array bool
	n     int // members by now
	path  int // length of the pointer to it
}

func (w *writer) begin(array bool) {
	w.stack = append(w.stack, frame{array: array, path: len(w.path)})
	if array {
		w.buf = append(w.buf, '[')
	} else {
		w.buf = append(w.buf, '{')
	}
}

func (w *writer) object() { w.begin(false) }
func (w *writer) array()  { w.begin(true) }

// end ends the object or array that was begun last.
func (w *writer) end() {
	f := w.stack[len(w.stack)-1]
	w.stack = w.stack[:len(w.stack)-1]
	w.path = w.path[:f.path]
	if f.array {
		w.buf = append(w.buf, ']')
	} else {
		w.buf = append(w.buf, '}')
	}
}

// name begins a member of the object in hand.
func (w *writer) name(key string) {
	w.next()
	w.buf = appendQuoted(w.buf, key)
	w.buf = append(w.buf, ':')
	w.path = append(w.path, '/')
	w.path = append(w.path, pointerEscaper.Replace(key)...)
}

var pointerEscaper = strings.NewReplacer("~", "~0", "/", "~1")

// item begins an element of the array in hand.
func (w *writer) item() {
	n := w.next()
	w.path = append(w.path, '/')
	w.path = strconv.AppendInt(w.path, int64(n), 10)
}

func (w *writer) next() int {
	f := &w.stack[len(w.stack)-1]
	w.path = w.path[:f.path]
	if f.n > 0 {
		w.buf = append(w.buf, ',')
	}
	f.n++
	return f.n - 1
}

// written is what was written, without a copy of it: nothing may be written after that.
func (w *writer) written() string { return unsafe.String(unsafe.SliceData(w.buf), len(w.buf)) }

func (w *writer) pointer() string { return string(w.path) }

func (w *writer) string(s string)       { w.buf = appendQuoted(w.buf, s) }
func (w *writer) member(key, s string)  { w.name(key); w.string(s) }
func (w *writer) number(n int)          { w.buf = strconv.AppendInt(w.buf, int64(n), 10) }
func (w *writer) bool(b bool)           { w.buf = strconv.AppendBool(w.buf, b) }
func (w *writer) raw(b json.RawMessage) { w.buf = append(w.buf, b...) }

// compact writes JSON without its white space, everything else as it is.
func (w *writer) compact(b json.RawMessage) error {
	out := bytes.NewBuffer(w.buf)
	err := json.Compact(out, b)
	w.buf = out.Bytes()
	return err
}

// sourced is text that is known where it came from: stretches that tile it, each a
// span of the result.
type sourced struct {
	text string
	// spans are those of the result from first on; their offsets, less base, are
	// places in text, cut to its length.
	spans []cento.Span
	first int
	base  int
}

// text writes a string of which the map tells every byte. Parts are joined as they
// are.
func (w *writer) text(parts ...sourced) {
	if len(parts) == 1 {
		w.buf = appendQuoted(w.buf, parts[0].text)
	} else {
		w.buf = append(w.buf, '"')
		for _, p := range parts {
			w.buf = appendEscaped(w.buf, p.text)
		}
		w.buf = append(w.buf, '"')
	}
	at := 0
	pointer := ""
	for _, p := range parts {
		for i := range p.spans {
			s := &p.spans[i]
			start, end := max(s.Start-p.base, 0), min(s.End-p.base, len(p.text))
			if start >= end {
				continue
			}
			if pointer == "" {
				pointer = w.pointer()
			}
			w.pieces = append(w.pieces, Piece{Pointer: pointer, Start: at + start, End: at + end, Span: p.first + i})
		}
		at += len(p.text)
	}
}

// appendQuoted appends a text as a JSON string. Nothing is escaped but what JSON
// wants; a text is valid UTF-8.
func appendQuoted(dst []byte, s string) []byte {
	dst = append(dst, '"')
	dst = appendEscaped(dst, s)
	return append(dst, '"')
}

// escaped are the bytes that JSON wants escaped in a string.
var escaped = func() (is [256]bool) {
	for c := range byte(' ') {
		is[c] = true
	}
	is['"'], is['\\'] = true, true
	return is
}()

func appendEscaped(dst []byte, s string) []byte {
	from := 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		if !escaped[c] {
			continue
		}
		dst = append(dst, s[from:i]...)
		from = i + 1
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\n':
			dst = append(dst, '\\', 'n')
		case '\r':
			dst = append(dst, '\\', 'r')
		case '\t':
			dst = append(dst, '\\', 't')
		default:
			const hex = "0123456789abcdef"
			dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
	}
	return append(dst, s[from:]...)
}

func validText(s string) bool { return utf8.ValidString(s) }
