package jinja

import "slices"

// callableObject and methodObject are what objects that templates can call or
// that have methods implement.
type callableObject interface{ call(*Call) Value }

type methodObject interface {
	method(name string) func(*Call) Value
}

type selfObject struct{ inst *instance }

func describeObject(ref any) string {
	switch o := ref.(type) {
	case *macro:
		return "<macro " + o.function().name + ">"
	case *hostFunction:
		return "<function " + o.name + ">"
	case *loopState:
		return "<loop " + itoa(o.index) + "/" + itoa(len(o.items)) + ">"
	case *instance:
		return o.body.s
	case selfObject:
		return "<self>"
	}
	return "<object>"
}

func (r *run) objectAttr(obj *Value, name string, id uint32) Value {
	switch o := obj.ref.(type) {
	case *loopState:
		if v, ok := r.loopAttr(o, name, id); ok {
			return v
		}
		return r.undefined(name, loopKeys, id)
	case *instance:
		if v := o.export(name); v.kind != kindUnset {
			return v
		}
		u := r.undefinedAttr(name, id)
		return u
	case *macro:
		fn := o.function()
		switch name {
		case "name":
			return r.computed(id, Value{kind: KindString, s: fn.name})
		case "arguments":
			items := make([]Value, len(fn.params))
			for i := range items {
				items[i] = r.computed(id, Value{kind: KindString, s: fn.params[i].name})
			}
			r.items(len(items), id)
			return r.list(items, false, id)
		case "caller":
			return r.boolean(id, fn.callable != noSlot)
		}
	case *cycler:
		if name == "current" {
			return o.items[o.at]
		}
	}
	return r.undefinedAttr(name, id)
}

func (r *run) loopAttr(l *loopState, name string, id uint32) (Value, bool) {
	n := len(l.items)
	number := func(i int) (Value, bool) {
		return Value{kind: KindInt, num: uint64(i), ref: r.t, org: origin(id, 0), trust: r.t.src.Trust}, true
	}
	switch name {
	case "index":
		return number(l.index + 1)
	case "index0":
		return number(l.index)
	case "revindex":
		return number(n - l.index)
	case "revindex0":
		return number(n - l.index - 1)
	case "length":
		return number(n)
	case "depth":
		return number(l.depth + 1)
	case "depth0":
		return number(l.depth)
	case "first":
		return r.boolean(id, l.index == 0), true
	case "last":
		return r.boolean(id, l.index == n-1), true
	case "previtem":
		if l.index > 0 {
			return r.item(&l.items[l.index-1], l.base, l.index-1), true
		}
		return r.undefinedAttr(name, id), true
	case "nextitem":
		if l.index < n-1 {
			return r.item(&l.items[l.index+1], l.base, l.index+1), true
		}
		return r.undefinedAttr(name, id), true
	}
	return Value{}, false
}

// loopAttrs are the names of the attributes of loop, sorted.
var loopAttrs = []string{"depth", "depth0", "first", "index", "index0", "last", "length", "nextitem", "previtem", "revindex", "revindex0"}

// loopKeys has their names, among which the near one is looked for.
var loopKeys = func() *dict {
	m := new(dict)
	for _, name := range loopAttrs {
		m.keys = append(m.keys, dictKey{kind: KindString, s: name})
	}
	return m
}()

// entriesOf returns what is found in a map, in an imported template under its
// names and in loop under its attributes; nil if v is none of these.
func (r *run) entriesOf(v *Value, at uint32) *dict {
	m := new(dict)
	switch o := v.ref.(type) {
	case *dict:
		return o
	case *instance:
		for _, name := range slices.Sorted(slices.Values(o.exports())) {
			m.keys, m.vals = append(m.keys, dictKey{s: name, kind: KindString}), append(m.vals, o.export(name))
		}
	case *loopState:
		for _, name := range loopAttrs {
			item, _ := r.loopAttr(o, name, at)
			m.keys, m.vals = append(m.keys, dictKey{s: name, kind: KindString}), append(m.vals, item)
		}
	default:
		return nil
	}
	r.items(2*len(m.keys), at)
	return m
}

func (l *loopState) method(name string) func(*Call) Value {
	switch name {
	case "cycle":
		return func(c *Call) Value {
			args := c.args[1:]
			c.args = c.args[:len(c.args):len(c.args)]
			if len(args) == 0 {
				c.fail(ErrArguments, "cycle needs something to cycle through")
			}
			return args[l.index%len(args)]
		}
	case "changed":
		return func(c *Call) Value {
			args := c.args[1:]
			same := l.seen && len(args) == len(l.changed)
			if same {
				cmp := comparer{c.r, c.at}
				for i := range args {
					same = same && cmp.equal(&args[i], &l.changed[i])
				}
			}
			if !same {
				l.changed = append(l.changed[:0], args...)
				l.seen = true
			}
			return c.r.boolean(c.at, !same)
		}
	}
	return nil
}

func methodNames(v *Value) []string {
	switch v.kind {
	case KindString:
		return sortedKeys(stringMethods)
	case KindList:
		return sortedKeys(listMethods)
	case KindMap:
		return sortedKeys(mapMethods)
	case kindObject:
		if _, ok := v.ref.(*loopState); ok {
			return []string{"changed", "cycle"}
		}
	}
	return nil
}
