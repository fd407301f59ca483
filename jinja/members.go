package jinja

import "unicode/utf8"

// noKeys stands for the keys of what has none.
var noKeys = new(dict)

// attr reads a constant attribute. A value read from data notes only that the
// node says how its path goes on.
func (r *run) attr(obj *Value, n *node, id uint32) Value {
	name := r.t.names[n.c]
	switch obj.kind {
	case KindMap:
		m := obj.ref.(*dict)
		i := m.find(name)
		if i < 0 {
			return r.undefined(name, m, id)
		}
		v := m.vals[i]
		if v.kind <= KindUndefined {
			return r.undefined(name, m, id)
		}
		if v.flags&fromData != 0 && v.org == 0 && obj.path() != 0 && !r.noSp {
			if obj.flags&chained != 0 || r.nodes[n.a].op != opGetAttr {
				v.org = origin(id, obj.path())
				v.flags |= chained
			} else {
				v.org = origin(0, r.pathName(obj.path(), name))
			}
		}
		return v
	case KindUndefined, kindUnset:
		if r.env.opts.Undefined != Chainable && obj.flags&silent == 0 {
			r.failUndefined(obj, n.a)
		}
		return r.undefined(name, nil, id)
	case kindNamespace:
		if p := obj.ref.(*namespace).get(name); p != nil {
			return *p
		}
	case KindList:
		if p := obj.ref.(*list).member(name); p != nil {
			return *p
		}
	case kindObject, KindFunction:
		return r.objectAttr(obj, name, id)
	}
	return r.undefinedAttr(name, id)
}

func (r *run) undefinedAttr(name string, id uint32) Value {
	return r.undefined(name, noKeys, id)
}

// index reads obj[key].
func (r *run) index(obj, key *Value, id uint32) Value {
	switch obj.kind {
	case KindMap:
		m := obj.ref.(*dict)
		r.bytes(len(key.s), id)
		k, ok := keyOf(key)
		if !ok {
			if key.IsUndefined() {
				r.failUndefined(key, id)
			}
			return r.undefinedAttr(key.kind.String(), id)
		}
		i := m.findKey(k)
		if i < 0 || m.vals[i].kind <= KindUndefined {
			return r.undefined(keyText(&k), m, id)
		}
		return r.child(&m.vals[i], obj.path(), &k)
	case KindList:
		if key.isIntegral() {
			items := obj.ref.(*list).items
			i := int(int64(key.num))
			if i < 0 {
				i += len(items)
			}
			if i >= 0 && i < len(items) {
				return r.item(&items[i], obj.path(), i)
			}
			return r.undefinedAttr(itoa(int(int64(key.num))), id)
		}
		if p := obj.ref.(*list).member(key.s); p != nil && key.kind == KindString {
			return *p
		}
	case KindString:
		if key.isIntegral() {
			i := int(int64(key.num))
			r.bytes(len(obj.s), id)
			n := utf8.RuneCountInString(obj.s)
			if i < 0 {
				i += n
			}
			if i >= 0 && i < n {
				lo := runeOffset(obj.s, i)
				return r.slice(obj, lo, lo+runeLenAt(obj.s, lo), id)
			}
			return r.undefinedAttr(itoa(int(int64(key.num))), id)
		}
	case KindUndefined, kindUnset:
		if r.env.opts.Undefined != Chainable && obj.flags&silent == 0 {
			r.failUndefined(obj, id)
		}
	case kindNamespace:
		if p := obj.ref.(*namespace).get(key.s); p != nil && key.kind == KindString {
			return *p
		}
	case kindObject, KindFunction:
		if key.kind == KindString {
			return r.objectAttr(obj, key.s, id)
		}
	}
	if key.kind == KindUndefined && r.env.opts.Undefined <= SemiStrict {
		r.failUndefined(key, id)
	}
	k, _ := keyOf(key)
	return r.undefinedAttr(keyText(&k), id)
}

// child is the value of a map under a key, with its path.
func (r *run) child(v *Value, base uint32, k *dictKey) Value {
	out := *v
	if base != 0 && out.flags&fromData != 0 && out.org == 0 && !r.noSp {
		out.org = origin(0, r.pathName(base, keyText(k)))
	}
	return out
}

func keyText(k *dictKey) string {
	switch k.kind {
	case KindString:
		return k.s
	case KindInt:
		return itoa(int(int64(k.num)))
	}
	v := k.value(0)
	return v.String()
}

func runeLen(c rune) int { return max(1, utf8.RuneLen(c)) }

func runeLenAt(s string, i int) int {
	_, n := utf8.DecodeRuneInString(s[i:])
	return n
}

// runeOffset returns the byte offset of the i-th code point.
func runeOffset(s string, i int) int {
	off := 0
	for ; i > 0 && off < len(s); i-- {
		off += runeLenAt(s, off)
	}
	return off
}
