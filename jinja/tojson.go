package jinja

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// filterToJSON writes a value as JSON in the form of Python's json.dumps, which is
// what Jinja2 and the programs that render chat templates print. In an autoescape
// block the characters that could end an HTML script are escapes.
func filterToJSON(c *Call) Value {
	c.most(1)
	w := jsonWriter{c: c, html: c.r.escape, ascii: c.boolArg(len(c.args), "ensure_ascii", false), sortKeys: c.boolArg(len(c.args), "sort_keys", false)}
	w.comma, w.colon = ", ", ": "
	if in := c.arg(1, "indent"); in != nil {
		w.setIndent(in)
	}
	if sep := c.arg(len(c.args), "separators"); sep != nil && sep.kind != KindNone {
		comma, isText := sep.Index(0).Str()
		colon, isText2 := sep.Index(1).Str()
		if !isText || !isText2 || sep.Len() != 2 {
			c.fail(ErrArguments, "tojson: separators must be a list or tuple of two strings")
		}
		w.comma, w.colon = comma, colon
	}
	w.value(&c.args[0], 0)
	v := c.text(string(w.out))
	v.flags |= safe
	return v
}

// setIndent takes a count of spaces, the text to indent with, true for two spaces,
// or false and none for one line.
func (w *jsonWriter) setIndent(in *Value) {
	c := w.c
	switch {
	case in.kind == KindNone, in.kind == KindBool && in.num == 0:
		return
	case in.kind == KindBool:
		w.indent = "  "
	case in.kind == KindString:
		w.indent = in.s
	default:
		n := c.int(in, "indent")
		if n < 0 || n > maxIndent {
			c.failf(ErrArguments, "tojson: indent must be from 0 to %d", maxIndent)
		}
		w.indent = strings.Repeat(" ", n)
	}
	if len(w.indent) > maxIndent {
		c.failf(ErrArguments, "tojson: indent must have at most %d characters", maxIndent)
	}
	w.lines, w.comma = true, ","
}

// maxIndent bounds the indent of one level.
const maxIndent = 64

type jsonWriter struct {
	c            *Call
	out          []byte
	lines        bool   // an item a line, indented
	indent       string // of one level
	html         bool
	ascii        bool
	sortKeys     bool
	comma, colon string
}

func (w *jsonWriter) line(depth int) {
	if !w.lines {
		return
	}
	w.out = append(w.out, '\n')
	for range depth {
		w.out = append(w.out, w.indent...)
	}
}

func (w *jsonWriter) value(v *Value, depth int) {
	c := w.c
	c.r.burn(1+len(v.s)>>6, c.at)
	if len(w.out) > c.r.limits.Value {
		c.r.alloc(len(w.out), c.at)
	}
	if depth > maxDepth {
		c.r.failDeep(c.at)
	}
	switch v.kind {
	case KindNone:
		w.out = append(w.out, "null"...)
	case KindBool:
		w.out = strconv.AppendBool(w.out, v.num != 0)
	case KindInt:
		w.out = strconv.AppendInt(w.out, int64(v.num), 10)
	case KindFloat:
		f := v.asFloat()
		if math.IsNaN(f) || math.IsInf(f, 0) {
			w.out = append(w.out, "null"...)
			return
		}
		w.out = appendFloat(w.out, f)
	case KindString:
		w.str(v.s)
	case KindList:
		items := v.ref.(*list).items
		w.out = append(w.out, '[')
		for i := range items {
			if i > 0 {
				w.out = append(w.out, w.comma...)
			}
			w.line(depth + 1)
			w.value(&items[i], depth+1)
		}
		if len(items) > 0 {
			w.line(depth)
		}
		w.out = append(w.out, ']')
	case KindMap:
		m := v.ref.(*dict)
		order := make([]int, len(m.keys))
		for i := range order {
			order[i] = i
		}
		if w.sortKeys {
			slices.SortStableFunc(order, func(a, b int) int {
				x, y := m.keys[a].value(0), m.keys[b].value(0)
				return comparer{c.r, c.at}.order(&x, &y)
			})
		}
		w.out = append(w.out, '{')
		for n, i := range order {
			if n > 0 {
				w.out = append(w.out, w.comma...)
			}
			w.line(depth + 1)
			w.key(&m.keys[i])
			w.out = append(w.out, w.colon...)
			w.value(&m.vals[i], depth+1)
		}
		if len(order) > 0 {
			w.line(depth)
		}
		w.out = append(w.out, '}')
	case kindNamespace:
		ns := v.ref.(*namespace)
		w.out = append(w.out, '{')
		for i := range ns.names {
			if i > 0 {
				w.out = append(w.out, w.comma...)
			}
			w.line(depth + 1)
			w.str(ns.names[i])
			w.out = append(w.out, w.colon...)
			w.value(&ns.vals[i], depth+1)
		}
		if len(ns.names) > 0 {
			w.line(depth)
		}
		w.out = append(w.out, '}')
	case KindUndefined, kindUnset:
		c.r.checkOperand(v, c.at)
		w.out = append(w.out, "null"...)
	default:
		if o, ok := v.ref.(*instance); ok {
			m := c.r.entriesOf(v, c.at)
			w.value(&Value{kind: KindMap, ref: m, trust: o.body.trust}, depth)
			return
		}
		c.fail(ErrType, article(v.kind)+" can't be written as JSON")
	}
}

func (w *jsonWriter) str(s string) {
	const hex = "0123456789abcdef"
	w.out = append(w.out, '"')
	for i := 0; i < len(s); {
		if len(w.out) > w.c.r.limits.Value {
			w.c.within(len(w.out))
		}
		c := s[i]
		if c < utf8.RuneSelf {
			i++
			switch {
			case c == '"' || c == '\\':
				w.out = append(w.out, '\\', c)
			case c == '\n':
				w.out = append(w.out, `\n`...)
			case c == '\r':
				w.out = append(w.out, `\r`...)
			case c == '\t':
				w.out = append(w.out, `\t`...)
			case c == '\b':
				w.out = append(w.out, `\b`...)
			case c == '\f':
				w.out = append(w.out, `\f`...)
			case c < ' ' || w.ascii && c == 0x7f || w.html && (c == '<' || c == '>' || c == '&' || c == '\''):
				w.out = append(w.out, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
			default:
				w.out = append(w.out, c)
			}
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if w.ascii {
			if r > 0xffff {
				r -= 0x10000
				w.escape(0xd800 + r>>10)
				w.escape(0xdc00 + r&0x3ff)
			} else {
				w.escape(r)
			}
		} else {
			w.out = append(w.out, s[i:i+n]...)
		}
		i += n
	}
	w.out = append(w.out, '"')
}

func (w *jsonWriter) escape(r rune) {
	const hex = "0123456789abcdef"
	w.out = append(w.out, '\\', 'u', hex[r>>12&15], hex[r>>8&15], hex[r>>4&15], hex[r&15])
}

// key writes a key of a map, which JSON knows as text only.
func (w *jsonWriter) key(k *dictKey) {
	if k.kind == KindNone {
		w.str("null")
		return
	}
	w.str(keyText(k))
}
