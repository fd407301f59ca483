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
// 64 bits. Duplicate members, nesting beyond 100, more than 200,000 values and
// anything behind the value are errors. The error is an *Error of kind ErrData.
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
	// What the lists and maps under way hold so far: each is copied, at its size,
	// when it is complete.
	vals  []Value
	keys  []dictKey
	count int
}

// maxValues bounds the values of one JSON text.
const maxValues = 200_000

// grow appends to a slice that doubles when it is full.
func grow[T any](list []T, v T) []T {
	if n := len(list); n == cap(list) {
		grown := make([]T, n, max(64, 2*n))
		copy(grown, list)
		list = grown
	}
	return append(list, v)
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
	if d.count++; d.count > maxValues {
		return Value{}, fmt.Errorf("more than %d values", maxValues)
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
	begin := len(d.vals)
	for d.dec.More() {
		v, err := d.value(depth + 1)
		if err != nil {
			return Value{}, err
		}
		d.vals = grow(d.vals, v)
	}
	if _, err := d.dec.Token(); err != nil {
		return Value{}, err
	}
	items := slices.Clone(d.vals[begin:])
	d.vals = d.vals[:begin]
	v, _ := makeList(items, false)
	v.flags, v.trust = fromData, d.trust
	return v, nil
}

func (d *jsonReader) dict(depth int) (Value, error) {
	begin, beginKeys := len(d.vals), len(d.keys)
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
		keys := d.keys[beginKeys:]
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
			return Value{}, fmt.Errorf("member %q is there twice", shown(name))
		}
		d.keys = grow(d.keys, dictKey{s: name, kind: KindString})
		v, err := d.value(depth + 1)
		if err != nil {
			return Value{}, err
		}
		d.vals = grow(d.vals, v)
	}
	if _, err := d.dec.Token(); err != nil {
		return Value{}, err
	}
	vals := slices.Clone(d.vals[begin:])
	v, _ := makeDict(d.share(d.keys[beginKeys:]), vals, d.trust)
	d.vals, d.keys = d.vals[:begin], d.keys[:beginKeys]
	v.flags, v.trust = fromData, d.trust
	return v, nil
}

// share returns an equal list of keys seen before, if there is one.
func (d *jsonReader) share(keys []dictKey) []dictKey {
	if len(keys) > smallDict {
		return slices.Clone(keys)
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
	keys = slices.Clone(keys)
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
