package jinja

import (
	"bytes"
	"math"
	"strconv"
	"unicode/utf8"
)

// Trust is the caller's label for where bytes come from. The engine knows one
// rule about it: a higher number is less trusted, and what is computed from
// several inputs takes the highest of their labels.
type Trust uint8

// Kind is the type of a [Value].
type Kind uint8

const (
	kindUnset Kind = iota // an empty slot; never leaves the engine
	// KindUndefined is the result of looking up a name that does not exist.
	KindUndefined
	// KindNone is the value none.
	KindNone
	// KindBool is true or false.
	KindBool
	// KindInt is a 64-bit signed integer.
	KindInt
	// KindFloat is a 64-bit floating-point number.
	KindFloat
	// KindString is UTF-8 text whose bytes know their origin.
	KindString
	// KindList is a list or a tuple.
	KindList
	// KindMap is a map in insertion order.
	KindMap
	// KindFunction is something callable: a host function, a macro.
	KindFunction
	// kindNamespace is the mutable object made by namespace().
	kindNamespace
	// kindObject is an object of the engine: loop, self, an imported module.
	kindObject
)

// String returns the name of the kind as error messages print it.
func (k Kind) String() string {
	switch k {
	case KindNone:
		return "none"
	case KindBool:
		return "bool"
	case KindInt:
		return "int"
	case KindFloat:
		return "float"
	case KindString:
		return "string"
	case KindList:
		return "list"
	case KindMap:
		return "map"
	case KindFunction:
		return "function"
	case kindNamespace:
		return "namespace"
	case kindObject:
		return "object"
	default:
		return "undefined"
	}
}

type valueFlags uint8

const (
	// fromData marks a value that the host put in and nothing has changed since.
	fromData valueFlags = 1 << iota
	// fromSource marks a string that stands in the template byte for byte; the
	// upper half of org is then an offset in the source and not a node.
	fromSource
	// chained marks a value read by a chain of constant attributes. Its path is
	// that of the chain's root, in org, plus the names in the nodes: most values
	// are printed and forgotten, so the whole path is built only when kept.
	chained
	// safe marks a string that an autoescape block prints as it is.
	safe
	// mutable marks a list or map with a namespace somewhere inside, whose label can
	// rise after the container was made.
	mutable
	// silent marks an undefined value that no mode complains about.
	silent
)

// Value is one value of a template: none, a bool, an int, a float, a string, a
// list, a map or a callable. The zero Value is undefined. Values are immutable
// and may be shared between goroutines; only the objects that namespace() makes
// change, and they never leave a rendering.
//
// A Value carries the [Trust] of its data. A list or map has the highest label
// of anything inside it.
type Value struct {
	s   string
	num uint64
	// ref holds the *list, *dict, *hostFunction … of a compound value. For a computed
	// scalar it is the *Template whose node computed it, for a string of several
	// origins the *parts.
	ref any
	// org is the origin: a node (or source offset) in the upper half and an index
	// into the rendering's paths in the lower.
	org   uint64
	kind  Kind
	trust Trust
	flags valueFlags
}

// parts are the origins of a string that was put together from several.
type parts struct{ spans []span }

func (v *Value) node() uint32 { return uint32(v.org >> 32) }
func (v *Value) path() uint32 { return uint32(v.org) }

func origin(node, path uint32) uint64 { return uint64(node)<<32 | uint64(path) }

// None returns the value none.
func None() Value { return Value{kind: KindNone, flags: fromData} }

// Bool returns a bool with trust 0.
func Bool(b bool) Value {
	v := Value{kind: KindBool, flags: fromData}
	if b {
		v.num = 1
	}
	return v
}

// Int returns an integer with trust 0.
func Int(n int64) Value { return Value{kind: KindInt, num: uint64(n), flags: fromData} }

// Float returns a floating-point number with trust 0.
func Float(f float64) Value {
	return Value{kind: KindFloat, num: math.Float64bits(f), flags: fromData}
}

// String returns text with the given label. Bytes that are not UTF-8 become
// U+FFFD, so that text stays text through every filter.
func String(s string, trust Trust) Value {
	if !utf8.ValidString(s) {
		s = string([]rune(s))
	}
	return Value{kind: KindString, s: s, trust: trust, flags: fromData}
}

// WithTrust returns v with the label t, throughout if v is a list or a map. It
// copies what it labels.
func (v Value) WithTrust(t Trust) Value {
	switch v.kind {
	case KindList:
		l := v.ref.(*list)
		items := make([]Value, len(l.items))
		for i, item := range l.items {
			items[i] = item.WithTrust(t)
		}
		v.ref = &list{items: items, depth: l.depth, tuple: l.tuple}
	case KindMap:
		m := v.ref.(*dict)
		vals := make([]Value, len(m.vals))
		for i, item := range m.vals {
			vals[i] = item.WithTrust(t)
		}
		v.ref = &dict{keys: m.keys, vals: vals, index: m.index, depth: m.depth}
	}
	v.trust = t
	return v
}

// Kind returns the type of v.
func (v Value) Kind() Kind {
	if v.kind == kindUnset {
		return KindUndefined
	}
	return v.kind
}

// Trust returns the label of v: the highest of everything in it.
func (v Value) Trust() Trust { return v.trust }

// IsUndefined reports whether v is undefined.
func (v Value) IsUndefined() bool { return v.kind <= KindUndefined }

// Bool returns the value of a bool, and whether v is one.
func (v Value) Bool() (b, ok bool) { return v.num != 0, v.kind == KindBool }

// Int returns the value of an int, and whether v is one.
func (v Value) Int() (n int64, ok bool) {
	if v.kind != KindInt {
		return 0, false
	}
	return int64(v.num), true
}

// Float returns the value of an int or float, and whether v is a number.
func (v Value) Float() (f float64, ok bool) {
	switch v.kind {
	case KindFloat:
		return math.Float64frombits(v.num), true
	case KindInt:
		return float64(int64(v.num)), true
	}
	return 0, false
}

// Str returns the text of a string, and whether v is one.
func (v Value) Str() (s string, ok bool) {
	if v.kind != KindString {
		return "", false
	}
	return v.s, true
}

// String returns v as a template prints it, cut to 256 bytes where a list or map
// is longer: it is for messages and debugging. Strings are returned whole.
func (v Value) String() string {
	if v.kind == KindString {
		return v.s
	}
	p := printer{limit: 256}
	p.value(&v, 0)
	return string(p.out)
}

// truth reports whether v counts as true: not none, not false, not zero, not
// empty, not undefined.
func (v Value) truth() bool {
	switch v.kind {
	case KindBool, KindInt:
		return v.num != 0
	case KindFloat:
		return math.Float64frombits(v.num) != 0
	case KindString:
		return v.s != ""
	case KindList:
		return len(v.ref.(*list).items) > 0
	case KindMap:
		return len(v.ref.(*dict).vals) > 0
	case KindFunction, kindNamespace, kindObject:
		return true
	}
	return false
}

// Len returns the number of items of a list or map, or of code points of a
// string, and -1 for anything else.
func (v Value) Len() int {
	switch v.kind {
	case KindString:
		return utf8.RuneCountInString(v.s)
	case KindList:
		return len(v.ref.(*list).items)
	case KindMap:
		return len(v.ref.(*dict).vals)
	case kindNamespace:
		return len(v.ref.(*namespace).names)
	}
	return -1
}

// Index returns item i of a list; undefined if there is none.
func (v Value) Index(i int) Value {
	if v.kind == KindList {
		if items := v.ref.(*list).items; i >= 0 && i < len(items) {
			return items[i]
		}
	}
	return Value{}
}

// Get returns the value under the string key of a map; undefined if there is none.
func (v Value) Get(key string) Value {
	if v.kind == KindMap {
		m := v.ref.(*dict)
		if i := m.find(key); i >= 0 {
			return m.vals[i]
		}
	}
	return Value{}
}

// isNumber reports whether v takes part in arithmetic; bools count as 0 and 1.
func (v *Value) isNumber() bool {
	return v.kind == KindInt || v.kind == KindFloat || v.kind == KindBool
}

// asFloat is the value of a number as a float.
func (v *Value) asFloat() float64 {
	if v.kind == KindFloat {
		return math.Float64frombits(v.num)
	}
	return float64(int64(v.num))
}

// isIntegral reports whether v is an int or a bool.
func (v *Value) isIntegral() bool { return v.kind == KindInt || v.kind == KindBool }

// manyParts returns the origins of text that has more than one, or nil.
func (v *Value) manyParts() *parts {
	p, _ := v.ref.(*parts)
	return p
}

// appendFloat prints a float as Python does: the shortest digits that read back as
// the same number, with an exponent below 1e-4 and from 1e16 on, and ".0" behind a
// whole number.
func appendFloat(dst []byte, f float64) []byte {
	switch {
	case math.IsNaN(f):
		return append(dst, "nan"...)
	case math.IsInf(f, 1):
		return append(dst, "inf"...)
	case math.IsInf(f, -1):
		return append(dst, "-inf"...)
	}
	if size := math.Abs(f); size != 0 && (size < 1e-4 || size >= 1e16) {
		return strconv.AppendFloat(dst, f, 'e', -1, 64)
	}
	start := len(dst)
	dst = strconv.AppendFloat(dst, f, 'f', -1, 64)
	if bytes.IndexByte(dst[start:], '.') < 0 {
		dst = append(dst, ".0"...)
	}
	return dst
}
