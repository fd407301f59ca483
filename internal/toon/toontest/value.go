package toontest

import (
	"iter"
	"math"
	"slices"
	"strconv"

	"github.com/cento-dev/cento/internal/toon"
)

// Kind is what a value is.
type Kind uint8

// The kinds of JSON values.
const (
	NullKind Kind = iota
	BoolKind
	NumberKind
	StringKind
	ArrayKind
	ObjectKind
)

// String names the kind as errors do, with its article.
func (k Kind) String() string {
	switch k {
	case NullKind:
		return "null"
	case BoolKind:
		return "true or false"
	case NumberKind:
		return "a number"
	case StringKind:
		return "a string"
	case ArrayKind:
		return "an array"
	case ObjectKind:
		return "an object"
	}
	return "kind " + strconv.Itoa(int(k))
}

// Value is an immutable JSON value. Objects keep the order of their keys,
// numbers all their digits. The zero Value is null.
type Value struct {
	kind Kind
	text string // of a string; of a number and a truth value as they are written
	node *node  // of an array or object; nil when it is empty
}

// node is what an array or object holds. Objects of one table share their keys.
type node struct {
	items []Value
	keys  []string // of an object, as many as items
}

// Member is a key of an object and its value.
type Member struct {
	Key   string
	Value Value
}

// Bool returns a truth value.
func Bool(b bool) Value { return Value{kind: BoolKind, text: strconv.FormatBool(b)} }

// String returns a string.
func String(s string) Value { return Value{kind: StringKind, text: s} }

// Int returns a whole number.
func Int(i int64) Value { return Value{kind: NumberKind, text: strconv.FormatInt(i, 10)} }

// Float returns a number, with the fewest digits that tell it from its
// neighbours. What is no number or infinite becomes null.
func Float(f float64) Value {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return Value{}
	}
	text, _ := canonicalNumber(strconv.FormatFloat(f, 'e', -1, 64))
	return Value{kind: NumberKind, text: text}
}

// Number returns the number that a text is in JSON, with all its digits. The
// error is [InvalidNumber].
func Number(text string) (Value, error) {
	if isNumber(text) {
		if text, ok := canonicalNumber(text); ok {
			return Value{kind: NumberKind, text: text}, nil
		}
		return Value{}, &toon.Error{Code: InvalidNumber, Message: "the exponent of " + clip(text) + " has more than nine digits"}
	}
	return Value{}, &toon.Error{Code: InvalidNumber, Message: strconv.Quote(clip(text)) + " is no number"}
}

// Array returns an array of items.
func Array(items ...Value) Value {
	if len(items) == 0 {
		return Value{kind: ArrayKind}
	}
	return Value{kind: ArrayKind, node: &node{items: slices.Clone(items)}}
}

// Object returns an object of members in their order. A key given twice is
// found when the value is written.
func Object(members ...Member) Value {
	if len(members) == 0 {
		return Value{kind: ObjectKind}
	}
	n := &node{items: make([]Value, len(members)), keys: make([]string, len(members))}
	for i, m := range members {
		n.keys[i], n.items[i] = m.Key, m.Value
	}
	return Value{kind: ObjectKind, node: n}
}

// Kind says what the value is.
func (v Value) Kind() Kind { return v.kind }

// Number returns a number as TOON writes it: all its digits, with an exponent
// only below 1e-6 and from 1e21 on.
func (v Value) Number() (digits string, ok bool) {
	if v.kind != NumberKind {
		return "", false
	}
	return v.text, true
}

// Int64 returns a whole number, and false for other values and numbers that
// don't fit.
func (v Value) Int64() (int64, bool) {
	if v.kind != NumberKind {
		return 0, false
	}
	i, err := strconv.ParseInt(v.text, 10, 64)
	return i, err == nil
}

// Float64 returns the nearest float of a number, and false for other values and
// numbers out of range.
func (v Value) Float64() (float64, bool) {
	if v.kind != NumberKind {
		return 0, false
	}
	f, err := strconv.ParseFloat(v.text, 64)
	return f, err == nil
}

// Len is the number of items of an array or members of an object.
func (v Value) Len() int {
	if v.node == nil {
		return 0
	}
	return len(v.node.items)
}

// Item is the item or member value of an index below [Value.Len].
func (v Value) Item(i int) Value { return v.node.items[i] }

// Key is the key of a member of an object, of an index below [Value.Len].
func (v Value) Key(i int) string { return v.node.keys[i] }

// Items yields the items of an array; nothing for other values.
func (v Value) Items() iter.Seq[Value] {
	if v.kind != ArrayKind || v.node == nil {
		return func(func(Value) bool) {}
	}
	return slices.Values(v.node.items)
}

// Members yields keys and values of an object in order; nothing for other
// values.
func (v Value) Members() iter.Seq2[string, Value] {
	return func(yield func(string, Value) bool) {
		if v.kind != ObjectKind || v.node == nil {
			return
		}
		for i, key := range v.node.keys {
			if !yield(key, v.node.items[i]) {
				return
			}
		}
	}
}

// Equal reports whether two values are the same: the same order of keys, texts
// by their code points, numbers by their mathematical value.
func (v Value) Equal(w Value) bool {
	type pair struct{ v, w Value }
	for open := []pair{{v, w}}; len(open) > 0; {
		p := open[len(open)-1]
		open = open[:len(open)-1]
		if p.v.kind != p.w.kind || p.v.text != p.w.text || p.v.Len() != p.w.Len() {
			return false
		}
		if p.v.node == p.w.node {
			continue
		}
		if !slices.Equal(p.v.node.keys, p.w.node.keys) {
			return false
		}
		for i := range p.v.node.items {
			open = append(open, pair{p.v.node.items[i], p.w.node.items[i]})
		}
	}
	return true
}
