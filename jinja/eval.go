package jinja

import (
	"slices"
	"unicode/utf8"
)

// emit prints an expression. What prints as the concatenation of parts is
// printed part by part, so that nothing is put together first.
func (r *run) emit(id uint32) {
	n := &r.nodes[id]
	switch n.op {
	case opLocal:
		if v := &r.slots[n.a]; v.kind != kindUnset {
			r.burn(1, id)
			r.write(v, id)
			return
		}
	case opGetAttr:
		if v, root := r.walk(id); v != nil && v.kind == KindString && !r.escape && v.ref == nil {
			r.room(len(v.s), id)
			if v.s != "" {
				r.out = append(r.out, v.s...)
				r.push(spanChain, id, root.path(), v.trust)
			}
			return
		}
	case opCond:
		r.burn(1, id)
		if r.truth(n.b) {
			r.emit(n.a)
		} else if n.c != 0 {
			r.emit(n.c)
		}
		return
	case opConcat:
		if r.escape {
			break
		}
		r.burn(1, id)
		for _, k := range r.t.kids[n.a : n.a+n.b] {
			r.emit(k)
		}
		return
	case opCall:
		if r.emitCall(id, n) {
			return
		}
	case opMethod:
		if r.emitMethod(id, n) {
			return
		}
	case opFilter:
		if r.emitFilter(id, n) {
			return
		}
	}
	v := r.eval(id)
	r.write(&v, id)
}

func (r *run) truth(id uint32) bool {
	if n := &r.nodes[id]; n.op == opCompare {
		r.burn(1, id)
		return r.compares(id, n)
	}
	v := r.eval(id)
	if v.kind <= KindUndefined && v.flags&silent == 0 && r.env.opts.Undefined == Strict {
		r.failUndefined(&v, id)
	}
	return v.Truth()
}

// walk follows a chain of attributes from a variable into data of the host
// without copying a value on the way. It returns nil if anything about the chain
// is out of the ordinary; eval then does it step by step.
func (r *run) walk(id uint32) (v, root *Value) {
	n := &r.nodes[id]
	switch n.op {
	case opGetAttr:
		v, root = r.walk(n.a)
		if v == nil || v.kind != KindMap {
			return nil, nil
		}
		m := v.ref.(*dict)
		i := m.find(r.t.names[n.c])
		if i < 0 {
			return nil, nil
		}
		r.fuel--
		if v = &m.vals[i]; v.flags&fromData == 0 || v.org != 0 {
			return nil, nil
		}
		return v, root
	case opLocal:
		v = &r.slots[n.a]
	case opRoot:
		if f := r.frame; f.fn.kind != opBlock && r.t.top[n.a] == noSlot && f.inst.roots != nil {
			v = &f.inst.roots[n.a]
		}
	}
	if v == nil || v.kind != KindMap || v.flags&fromData == 0 || v.path() == 0 && !r.noSp {
		return nil, nil
	}
	r.fuel--
	return v, v
}

// operand returns a value that is at hand without evaluating anything, or nil.
func (r *run) operand(id uint32) *Value {
	switch n := &r.nodes[id]; n.op {
	case opConst:
		return &r.t.consts[n.a]
	case opGetAttr:
		v, _ := r.walk(id)
		return v
	}
	return nil
}

// eval evaluates an expression.
func (r *run) eval(id uint32) Value {
	n := &r.nodes[id]
	r.fuel--
	if r.fuel < 0 {
		r.burn(0, id)
	}
	switch n.op {
	case opConst:
		return r.t.consts[n.a]
	case opLocal, opCaptured, opRoot:
		return r.name(id, n)
	case opGetAttr:
		return r.attribute(id, n)
	case opGetItem:
		return r.subscript(id, n)
	case opSlice:
		return r.sliced(id, n)
	case opFilter:
		return r.filter(id, n)
	case opTest:
		return r.test(id, n)
	case opCall:
		return r.call(id, n)
	case opMethod:
		return r.method(id, n)
	case opNot:
		return r.boolean(id, !r.truth(n.a))
	case opNeg, opPos:
		return r.sign(id, n)
	case opBinary:
		return r.operation(id, n)
	case opConcat:
		return r.concat(id, n)
	case opAnd, opOr:
		return r.logic(n)
	case opCompare:
		return r.boolean(id, r.compares(id, n))
	case opCond:
		return r.conditional(n)
	case opList, opTuple:
		return r.listOf(id, n)
	case opDict:
		return r.dictOf(id, n)
	case opSelf:
		return Value{kind: KindObject, ref: selfObject{r.frame.inst}}
	case opSubject:
		return r.subject
	case opSuper:
		r.fail(ErrBlock, id, "super must be called")
	}
	panic("jinja: node is not an expression")
}

// The cases of eval with values of their own are functions of their own, which
// keeps the frame of the recursion small.

func (r *run) attribute(id uint32, n *node) Value {
	if v, root := r.walk(id); v != nil && v.kind > KindUndefined {
		out := *v
		if !r.noSp {
			out.org = origin(id, root.path())
			out.flags |= chained
		}
		return out
	}
	obj := r.eval(n.a)
	return r.attr(&obj, n, id)
}

func (r *run) subscript(id uint32, n *node) Value {
	obj := r.keep(r.eval(n.a))
	key := r.eval(n.b)
	return r.index(&obj, &key, id)
}

func (r *run) operation(id uint32, n *node) Value {
	left := r.keep(r.eval(n.a))
	right := r.eval(n.b)
	return r.binary(tok(n.flag), &left, &right, id)
}

func (r *run) concat(id uint32, n *node) Value {
	m := r.beginCapture()
	for _, k := range r.t.kids[n.a : n.a+n.b] {
		if r.escape {
			v := r.eval(k)
			r.write(&v, k)
		} else {
			r.emit(k)
		}
	}
	return r.endCapture(m, id)
}

func (r *run) logic(n *node) Value {
	var v Value
	kids := r.t.kids[n.a : n.a+n.b]
	for i, k := range kids {
		v = r.eval(k)
		if v.kind <= KindUndefined && v.flags&silent == 0 && r.env.opts.Undefined == Strict && i < len(kids)-1 {
			r.failUndefined(&v, k)
		}
		if v.Truth() == (n.op == opOr) {
			break
		}
	}
	return r.keep(v)
}

func (r *run) conditional(n *node) Value {
	if r.truth(n.b) {
		return r.keep(r.eval(n.a))
	}
	if n.c != 0 {
		return r.keep(r.eval(n.c))
	}
	return Value{kind: KindUndefined, flags: silent}
}

func (r *run) listOf(id uint32, n *node) Value {
	kids := r.t.kids[n.a : n.a+n.b]
	r.items(len(kids), id)
	items := make([]Value, len(kids))
	for i, k := range kids {
		items[i] = r.keep(r.eval(k))
	}
	return r.list(items, n.op == opTuple, id)
}

func (r *run) dictOf(id uint32, n *node) Value {
	kids := r.t.kids[n.a : n.a+n.b]
	r.items(len(kids), id)
	pairs := make([]Value, len(kids))
	for i, k := range kids {
		pairs[i] = r.keep(r.eval(k))
		if i%2 != 0 {
			continue
		}
		r.bytes(len(pairs[i].s), k)
		if _, ok := keyOf(&pairs[i]); !ok {
			if pairs[i].IsUndefined() {
				r.failUndefined(&pairs[i], k)
			}
			r.fail(ErrType, k, article(pairs[i].kind)+" can't be a key of a map")
		}
	}
	v, ok := pairsDict(pairs, 0)
	if !ok {
		r.failDeep(id)
	}
	return v
}

func (r *run) failDeep(at uint32) {
	r.fail(ErrNesting, at, "value nests deeper than the limit of "+itoa(maxDepth))
}

// list makes a list; the items are paid for.
func (r *run) list(items []Value, tuple bool, at uint32) Value {
	v, ok := makeList(items, tuple)
	if !ok {
		r.failDeep(at)
	}
	return v
}

// --- names

func (r *run) name(id uint32, n *node) Value {
	for {
		switch n.op {
		case opLocal:
			if v := &r.slots[n.a]; v.kind != kindUnset {
				return *v
			}
		case opCaptured:
			if v := &r.frame.captured[n.a]; v.kind != kindUnset {
				return *v
			}
		default:
			return r.root(n.a, id)
		}
		if n.b == 0 {
			return r.root(n.c, id)
		}
		n = &r.nodes[n.b]
	}
}

// root looks up a name that no scope of the function binds.
func (r *run) root(name, id uint32) Value {
	f := r.frame
	if f.fn.kind != opBlock && f.inst != nil {
		if slot := r.t.top[name]; slot != noSlot {
			if v := &f.inst.slots[slot]; v.kind != kindUnset {
				return *v
			}
		}
		if f.inst.roots != nil {
			if v := &f.inst.roots[name]; v.kind != kindUnset {
				if v.kind == KindUndefined {
					return r.undefined(r.t.names[name], nil, id)
				}
				return *v
			}
		}
	}
	v := r.outside(r.t.names[name])
	if f.fn.kind != opBlock && f.inst != nil && f.inst.roots != nil {
		f.inst.roots[name] = v
	}
	if v.kind == KindUndefined {
		return r.undefined(r.t.names[name], nil, id)
	}
	return v
}

// outside looks a name up in what surrounds the current function: the frames
// that include or hold it, the context, the globals.
func (r *run) outside(name string) Value {
	for f, s := r.frame.outer, r.frame.outerScope; f != nil; f, s = f.outer, f.outerScope {
		if v := f.visible(name, s); v.kind != kindUnset {
			return v
		}
	}
	if r.ctx != nil {
		if i := r.ctx.find(name); i >= 0 {
			v := r.ctx.vals[i]
			if v.kind > KindUndefined {
				if v.flags&fromData != 0 && !r.noSp {
					v.org = origin(0, r.trail.name(0, name))
				}
				return v
			}
		}
	}
	if v, ok := r.env.globals[name]; ok {
		if v.flags&fromData != 0 && !r.noSp {
			v.org = origin(0, r.trail.name(0, name))
		}
		return v
	}
	return Value{kind: KindUndefined}
}

// visible looks a name up in the scopes of a frame, from scope s outwards.
func (f *frame) visible(name string, s int32) Value {
	id, ok := f.t.findName(name)
	if !ok {
		return Value{}
	}
	for ; s >= 0; s = f.t.scopes[s].parent {
		sc := &f.t.scopes[s]
		if sc.fn != f.fnIndex {
			for i, c := range f.fn.captures {
				if c.name == id && f.captured[i].kind != kindUnset {
					return f.captured[i]
				}
			}
			break
		}
		if d := sc.find(id); d != nil {
			if v := f.slots[d.slot]; v.kind != kindUnset {
				return v
			}
		}
	}
	if f.fn.kind != opBlock {
		if slot := f.t.top[id]; slot != noSlot {
			return f.inst.slots[slot]
		}
	}
	return Value{}
}

func (p *program) findName(name string) (uint32, bool) {
	if p.nameID != nil {
		id, ok := p.nameID[name]
		return id, ok
	}
	i := slices.Index(p.names, name)
	return uint32(i), i >= 0
}

// peek is name without an effect: for error messages.
func (r *run) peek(id uint32) Value {
	n := &r.nodes[id]
	for n.op != opRoot {
		switch n.op {
		case opLocal:
			if int(n.a) < len(r.slots) && r.slots[n.a].kind != kindUnset {
				return r.slots[n.a]
			}
		case opCaptured:
			if int(n.a) < len(r.frame.captured) && r.frame.captured[n.a].kind != kindUnset {
				return r.frame.captured[n.a]
			}
		}
		if n.b == 0 {
			break
		}
		n = &r.nodes[n.b]
	}
	if r.frame == nil {
		return Value{}
	}
	f := r.frame
	if f.fn.kind != opBlock {
		if slot := r.t.top[n.c]; slot != noSlot && f.inst.slots[slot].kind != kindUnset {
			return f.inst.slots[slot]
		}
	}
	return r.outside(r.t.names[n.c])
}

// --- attributes and items

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
				v.org = origin(0, r.trail.name(obj.path(), name))
			}
		}
		return v
	case KindUndefined, kindUnset:
		if r.env.opts.Undefined != Chainable && obj.flags&silent == 0 {
			r.failUndefined(obj, n.a)
		}
		return r.undefined(name, nil, id)
	case KindNamespace:
		if p := obj.ref.(*namespace).get(name); p != nil {
			return *p
		}
	case KindObject, KindFunction:
		return r.objectAttr(obj, name, id)
	}
	return r.undefinedAttr(name, id)
}

func (r *run) undefinedAttr(name string, id uint32) Value {
	return r.undefined(name, noKeys, id)
}

// noKeys stands for the keys of what has none.
var noKeys = new(dict)

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
	case KindNamespace:
		if p := obj.ref.(*namespace).get(key.s); p != nil && key.kind == KindString {
			return *p
		}
	case KindObject, KindFunction:
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
		out.org = origin(0, r.trail.name(base, keyText(k)))
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
