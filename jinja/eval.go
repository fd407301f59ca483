package jinja

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
		if v, root := r.dataChain(id); v != nil && v.kind == KindString && !r.escape && v.ref == nil {
			r.room(len(v.s), id)
			if v.s != "" {
				r.out = append(r.out, v.s...)
				r.push(spanChain, id, root.path(), v.trust)
			}
			return
		}
	case opCond:
		r.burn(1, id)
		if r.chosen(id, n) {
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
	return v.truth()
}

// dataChain follows a chain of attributes from a variable into data of the host
// without copying a value on the way. It returns nil if anything about the chain
// is out of the ordinary; eval then does it step by step.
func (r *run) dataChain(id uint32) (v, root *Value) {
	n := &r.nodes[id]
	switch n.op {
	case opGetAttr:
		v, root = r.dataChain(n.a)
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
		v, _ := r.dataChain(id)
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
		return r.conditional(id, n)
	case opList, opTuple:
		return r.listOf(id, n)
	case opDict:
		return r.dictOf(id, n)
	case opSelf:
		return Value{kind: kindObject, ref: selfObject{r.frame.inst}}
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
	if v, root := r.dataChain(id); v != nil && v.kind > KindUndefined {
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
		if v.truth() == (n.op == opOr) {
			break
		}
	}
	return r.keep(v)
}

// chosen reports whether an inline if takes its first value.
func (r *run) chosen(id uint32, n *node) bool {
	first := r.truth(n.b)
	if r.reached != nil {
		r.reached.add(r.t, id, otherValue(first))
	}
	return first
}

// otherValue is the part of an inline if: 0 its first value, 1 the other.
func otherValue(first bool) int {
	if first {
		return 0
	}
	return 1
}

func (r *run) conditional(id uint32, n *node) Value {
	if r.chosen(id, n) {
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
	r.items(3*len(kids), id) // the pairs, the map and its index
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
