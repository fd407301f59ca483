package jinja

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"unicode/utf8"
)

// FromJSON returns the value of a JSON text with one label throughout. Members
// keep their order; a whole number is an int, or a float if it does not fit into
// 64 bits. Duplicate members, nesting beyond 100 and anything behind the value
// are errors. The error is an *Error of kind ErrData.
func FromJSON(data []byte, trust Trust) (Value, error) {
	d := jsonReader{dec: json.NewDecoder(bytes.NewReader(data)), trust: trust, shapes: make(map[uint64][][]dictKey)}
	d.dec.UseNumber()
	v, err := d.value(1)
	if err == nil {
		if _, end := d.dec.Token(); end != io.EOF {
			err = errors.New("text behind the JSON value")
		}
	}
	if err != nil {
		return Value{}, &Error{Kind: ErrData, Message: "invalid JSON: " + err.Error(), Cause: err}
	}
	return v, nil
}

type jsonReader struct {
	dec   *json.Decoder
	trust Trust
	// shapes holds the key lists of small maps by hash: records of one shape share
	// their keys.
	shapes map[uint64][][]dictKey
}

func (d *jsonReader) value(depth int) (Value, error) {
	if depth > maxDepth {
		return Value{}, fmt.Errorf("nests deeper than %d", maxDepth)
	}
	tok, err := d.dec.Token()
	if err != nil {
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return Value{}, err
	}
	var v Value
	switch t := tok.(type) {
	case nil:
		v = None()
	case bool:
		v = Bool(t)
	case string:
		v = String(t, d.trust)
	case json.Number:
		if n, err := strconv.ParseInt(string(t), 10, 64); err == nil {
			v = Int(n)
			break
		}
		f, err := strconv.ParseFloat(string(t), 64)
		if err != nil {
			return Value{}, fmt.Errorf("number %s is out of range", t)
		}
		v = Float(f)
	case json.Delim:
		if t == '[' {
			return d.list(depth)
		}
		return d.dict(depth)
	}
	v.trust = d.trust
	return v, nil
}

func (d *jsonReader) list(depth int) (Value, error) {
	var items []Value
	for d.dec.More() {
		v, err := d.value(depth + 1)
		if err != nil {
			return Value{}, err
		}
		items = append(items, v)
	}
	if _, err := d.dec.Token(); err != nil {
		return Value{}, err
	}
	v, _ := makeList(slices.Clip(items), false)
	v.flags, v.trust = fromData, d.trust
	return v, nil
}

func (d *jsonReader) dict(depth int) (Value, error) {
	var keys []dictKey
	var vals []Value
	var seen map[string]bool
	for d.dec.More() {
		tok, err := d.dec.Token()
		if err != nil {
			return Value{}, err
		}
		name, _ := tok.(string)
		if !utf8.ValidString(name) {
			name = string([]rune(name))
		}
		duplicate := false
		if len(keys) < smallDict {
			duplicate = slices.Contains(keys, dictKey{s: name, kind: KindString})
		} else {
			if seen == nil {
				seen = make(map[string]bool, 2*len(keys))
				for _, k := range keys {
					seen[k.s] = true
				}
			}
			duplicate = seen[name]
			seen[name] = true
		}
		if duplicate {
			return Value{}, fmt.Errorf("member %q is there twice", name)
		}
		v, err := d.value(depth + 1)
		if err != nil {
			return Value{}, err
		}
		keys, vals = append(keys, dictKey{s: name, kind: KindString}), append(vals, v)
	}
	if _, err := d.dec.Token(); err != nil {
		return Value{}, err
	}
	v, _ := makeDict(d.share(keys), slices.Clip(vals), d.trust)
	v.flags, v.trust = fromData, d.trust
	return v, nil
}

// share returns an equal list of keys seen before, if there is one.
func (d *jsonReader) share(keys []dictKey) []dictKey {
	if len(keys) > smallDict {
		return slices.Clip(keys)
	}
	h := uint64(len(keys))
	for _, k := range keys {
		for i := range len(k.s) {
			h = h*1099511628211 + uint64(k.s[i])
		}
		h = h*31 + 7
	}
	for _, known := range d.shapes[h] {
		if slices.Equal(known, keys) {
			return known
		}
	}
	keys = slices.Clip(keys)
	if len(d.shapes[h]) < 8 {
		d.shapes[h] = append(d.shapes[h], keys)
	}
	return keys
}

// From returns the value of a Go value with one label throughout: nil, bools,
// integers, floats, strings, json.Number, Values, and slices and string-keyed
// maps of such. Maps are sorted by key. It looks into no other type: what a
// template should see of a struct, the host says by building a map. The error is
// an *Error of kind ErrData.
func From(x any, trust Trust) (Value, error) {
	v, err := fromAny(x, trust, 1)
	if err != nil {
		return Value{}, &Error{Kind: ErrData, Message: err.Error()}
	}
	return v, nil
}

func fromAny(x any, trust Trust, depth int) (v Value, err error) {
	if depth > maxDepth {
		return v, fmt.Errorf("value nests deeper than %d", maxDepth)
	}
	switch x := x.(type) {
	case nil:
		v = None()
	case Value:
		return x, nil
	case bool:
		v = Bool(x)
	case int:
		v = Int(int64(x))
	case int8:
		v = Int(int64(x))
	case int16:
		v = Int(int64(x))
	case int32:
		v = Int(int64(x))
	case int64:
		v = Int(x)
	case uint8:
		v = Int(int64(x))
	case uint16:
		v = Int(int64(x))
	case uint32:
		v = Int(int64(x))
	case uint:
		if uint64(x) > math.MaxInt64 {
			return v, fmt.Errorf("%d does not fit into 64 bits", x)
		}
		v = Int(int64(x))
	case uint64:
		if x > math.MaxInt64 {
			return v, fmt.Errorf("%d does not fit into 64 bits", x)
		}
		v = Int(int64(x))
	case float32:
		v = Float(float64(x))
	case float64:
		v = Float(x)
	case json.Number:
		if n, err := x.Int64(); err == nil {
			v = Int(n)
		} else if f, err := x.Float64(); err == nil {
			v = Float(f)
		} else {
			return v, fmt.Errorf("%q is not a number", string(x))
		}
	case string:
		v = String(x, trust)
	case []string:
		items := make([]Value, len(x))
		for i, s := range x {
			items[i] = String(s, trust)
		}
		v, _ = makeList(items, false)
	case []any:
		items := make([]Value, len(x))
		for i := range x {
			if items[i], err = fromAny(x[i], trust, depth+1); err != nil {
				return v, err
			}
		}
		v, _ = makeList(items, false)
	case []Value:
		v, _ = makeList(slices.Clone(x), false)
	case map[string]any:
		var b MapBuilder
		for _, k := range slices.Sorted(maps.Keys(x)) {
			item, err := fromAny(x[k], trust, depth+1)
			if err != nil {
				return v, err
			}
			b.Set(k, item)
		}
		v = b.Map()
	case map[string]string:
		var b MapBuilder
		for _, k := range slices.Sorted(maps.Keys(x)) {
			b.Set(k, String(x[k], trust))
		}
		v = b.Map()
	case map[string]Value:
		var b MapBuilder
		for _, k := range slices.Sorted(maps.Keys(x)) {
			b.Set(k, x[k])
		}
		v = b.Map()
	default:
		return v, fmt.Errorf("a Go value of type %T can't be used in a template", x)
	}
	v.flags, v.trust = fromData, max(v.trust, trust)
	return v, nil
}

// filterToJSON prints a value as JSON. Characters that could end an HTML script
// are written as escapes, as MiniJinja does.
func filterToJSON(c *Call) Value {
	c.most(1)
	w := jsonWriter{c: c, ascii: c.boolArg(len(c.args), "ensure_ascii", false), sortKeys: c.boolArg(len(c.args), "sort_keys", false)}
	w.comma, w.colon = ",", ":"
	if sep := c.arg(len(c.args), "separators"); sep != nil && sep.kind == KindList {
		if a, ok := sep.Index(0).Str(); ok {
			w.comma = a
		}
		if b, ok := sep.Index(1).Str(); ok {
			w.colon = b
		}
	}
	if in := c.arg(1, "indent"); in != nil && in.kind != KindNone {
		switch {
		case in.kind == KindBool && in.num == 0:
		case in.kind == KindBool:
			w.indent = 2
		default:
			w.indent = c.int(in, "indent")
		}
		if w.indent < 0 || w.indent > 64 {
			c.fail(ErrArguments, "tojson: indent must be from 0 to 64")
		}
		if w.indent > 0 {
			w.colon = ": "
		}
	}
	w.value(&c.args[0], 0)
	v := c.text(string(w.out))
	v.flags |= safe
	return v
}

type jsonWriter struct {
	c            *Call
	out          []byte
	indent       int
	ascii        bool
	sortKeys     bool
	comma, colon string
}

func (w *jsonWriter) line(depth int) {
	if w.indent == 0 {
		return
	}
	w.out = append(w.out, '\n')
	for range depth * w.indent {
		w.out = append(w.out, ' ')
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
			w.str(keyText(&m.keys[i]))
			w.out = append(w.out, w.colon...)
			w.value(&m.vals[i], depth+1)
		}
		if len(order) > 0 {
			w.line(depth)
		}
		w.out = append(w.out, '}')
	case KindNamespace:
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
		c.fail(ErrType, article(v.kind)+" can't be written as JSON")
	}
}

func (w *jsonWriter) str(s string) {
	const hex = "0123456789abcdef"
	w.out = append(w.out, '"')
	for i := 0; i < len(s); {
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
			case c < ' ' || c == 0x7f || c == '<' || c == '>' || c == '&' || c == '\'':
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
