package jinja

import (
	"iter"
	"math"
	"slices"
	"sync"
)

// maxDepth bounds how deep lists and maps may nest in each other. It is checked
// where a container is made, so everything that walks a value is bounded too.
const maxDepth = 100

// list is a list or tuple. It is immutable once a Value holds it.
type list struct {
	items []Value
	depth uint8
	tuple bool
	// group marks the pairs that groupby makes: grouper and list are names of theirs.
	group bool
}

// dict is a map in insertion order. It is immutable once a Value holds it; keys
// may be shared by many maps of one shape.
type dict struct {
	keys  []dictKey
	vals  []Value
	index *keyIndex // nil for a small map, where a scan is faster
	depth uint8
}

// dictKey is a key of a map: a string as a rule, else an int, float, bool or none.
type dictKey struct {
	s    string
	num  uint64
	kind Kind
}

// smallDict is the size up to which a map is scanned rather than indexed.
const smallDict = 12

// keyIndex finds keys of a large map. It is built at the first look-up, since
// maps are often made and only printed or iterated over.
type keyIndex struct {
	once sync.Once
	at   map[dictKey]int32
}

func (m *dict) find(name string) int {
	if m.index == nil {
		for i := range m.keys {
			if k := &m.keys[i]; k.kind == KindString && k.s == name {
				return i
			}
		}
		return -1
	}
	return m.findKey(dictKey{s: name, kind: KindString})
}

func (m *dict) findKey(k dictKey) int {
	if m.index == nil {
		return slices.Index(m.keys, k)
	}
	m.index.once.Do(func() {
		m.index.at = make(map[dictKey]int32, len(m.keys))
		for i, k := range m.keys {
			m.index.at[k] = int32(i)
		}
	})
	if i, ok := m.index.at[k]; ok {
		return int(i)
	}
	return -1
}

// keyOf returns v as a key of a map. Whole floats and bools are the same key as
// the equal int, as they compare equal.
func keyOf(v *Value) (dictKey, bool) {
	switch v.kind {
	case KindString:
		return dictKey{s: v.s, kind: KindString}, true
	case KindInt, KindBool:
		return dictKey{num: v.num, kind: KindInt}, true
	case KindFloat:
		f := v.asFloat()
		if n := int64(f); float64(n) == f && math.Abs(f) < 1<<62 {
			return dictKey{num: uint64(n), kind: KindInt}, true
		}
		return dictKey{num: v.num, kind: KindFloat}, true
	case KindNone:
		return dictKey{kind: KindNone}, true
	}
	return dictKey{}, false
}

// value returns the key as a value of the map's trust.
func (k *dictKey) value(trust Trust) Value {
	return Value{kind: k.kind, s: k.s, num: k.num, trust: trust, flags: fromData}
}

// depthOf is the depth that v adds to a container that holds it.
func depthOf(v *Value) uint8 {
	switch v.kind {
	case KindList:
		return v.ref.(*list).depth
	case KindMap:
		return v.ref.(*dict).depth
	}
	return 0
}

// makeList returns a list that takes items over. It fails if it would nest too deep.
func makeList(items []Value, tuple bool) (v Value, ok bool) {
	l := &list{items: items, tuple: tuple}
	v = Value{kind: KindList, ref: l}
	l.depth = 1 + v.holds(items)
	return v, l.depth <= maxDepth
}

// makeDict returns a map that takes keys and vals over; keys must be distinct.
func makeDict(keys []dictKey, vals []Value, trust Trust) (v Value, ok bool) {
	m := &dict{keys: keys, vals: vals}
	v = Value{kind: KindMap, ref: m, trust: trust}
	m.depth = 1 + v.holds(vals)
	if len(keys) > smallDict {
		m.index = new(keyIndex)
	}
	return v, m.depth <= maxDepth
}

// holds raises the label of a container to that of its items, and returns how
// deep they nest.
func (v *Value) holds(items []Value) (depth uint8) {
	for i := range items {
		item := &items[i]
		v.trust = max(v.trust, item.trust)
		switch item.kind {
		case KindList, KindMap:
			depth = max(depth, depthOf(item))
			v.flags |= item.flags & mutable
		case kindObject:
			v.flags |= item.flags & mutable
		case kindNamespace:
			v.flags |= mutable
		}
	}
	return depth
}

// List returns a list of the given values. Its label is the highest of theirs.
// Nesting deeper than 100 gives an undefined value.
func List(items ...Value) Value {
	v, ok := makeList(slices.Clone(items), false)
	if !ok {
		return Value{}
	}
	v.flags = fromData
	return v
}

// MapBuilder collects the entries of a map in order. The zero value is ready.
type MapBuilder struct {
	keys []dictKey
	vals []Value
	at   map[string]int
}

// Set adds an entry, or replaces the value of an existing key in its place.
// Keys have trust 0 unless the value carries a higher label.
func (b *MapBuilder) Set(key string, v Value) *MapBuilder {
	if i, ok := b.at[key]; ok {
		b.vals[i] = v
		return b
	}
	if b.at == nil {
		b.at = make(map[string]int)
	}
	b.at[key] = len(b.keys)
	b.keys = append(b.keys, dictKey{s: key, kind: KindString})
	b.vals = append(b.vals, v)
	return b
}

// Map returns the map built so far; the builder may go on. Nesting deeper than
// 100 gives an undefined value.
func (b *MapBuilder) Map() Value {
	v, ok := makeDict(slices.Clone(b.keys), slices.Clone(b.vals), 0)
	if !ok {
		return Value{}
	}
	v.flags = fromData
	return v
}

// Entries iterates over the entries of a map, in order.
func (v Value) Entries() iter.Seq2[Value, Value] {
	return func(yield func(Value, Value) bool) {
		if v.kind != KindMap {
			return
		}
		m := v.ref.(*dict)
		for i := range m.keys {
			if !yield(m.keys[i].value(v.trust), m.vals[i]) {
				return
			}
		}
	}
}

// namespace is the one kind of object that a template can change. It lives in
// one rendering.
type namespace struct {
	names []string
	vals  []Value
}

func (ns *namespace) get(name string) *Value {
	for i, n := range ns.names {
		if n == name {
			return &ns.vals[i]
		}
	}
	return nil
}

func (ns *namespace) set(name string, v Value) {
	if p := ns.get(name); p != nil {
		*p = v
		return
	}
	ns.names = append(ns.names, name)
	ns.vals = append(ns.vals, v)
}
