package jinja

// loopState is the object loop.
type loopState struct {
	items   []Value
	base    uint32
	index   int
	depth   int
	node    uint32
	rec     *loopRecord
	frame   *frame
	changed []Value
	seen    bool
}

// loop runs a for statement over a value.
func (r *run) loop(id uint32, rec *loopRecord, iter Value, depth int) {
	items := r.iterate(&iter, rec.iter)
	base := iter.path()
	slots := r.slots[rec.slotLo:rec.slotHi]
	if rec.cond != 0 {
		items, base = r.filterItems(rec, items, base), 0
	}
	if len(items) == 0 {
		r.reached.add(r.t, id, 1)
		r.exec(rec.els, rec.elsLen)
		return
	}
	var state *loopState
	if rec.loopSlot != noSlot {
		state = &loopState{items: items, base: base, depth: depth, node: id, rec: rec, frame: r.frame}
	}
	r.reached.add(r.t, id, 0)
	target := &r.nodes[rec.target]
	for i := range items {
		r.fuel--
		if r.fuel < 0 {
			r.burn(0, id)
		}
		clear(slots)
		if state != nil {
			state.index = i
			r.slots[rec.loopSlot] = Value{kind: kindObject, ref: state}
		}
		if target.op == opTargetSlot {
			dst := &r.slots[target.a]
			*dst = items[i]
			if base != 0 && dst.flags&fromData != 0 && dst.path() == 0 && !r.noSp {
				dst.org = origin(0, r.pathIndex(base, i))
			}
			if dst.kind == kindUnset {
				dst.kind = KindUndefined
			}
		} else {
			r.stmt = id
			r.assign(rec.target, r.item(&items[i], base, i))
		}
		if r.exec(rec.body, rec.bodyLen) == breaking {
			break
		}
	}
}

// filterItems returns the items for which the condition of a for statement holds.
func (r *run) filterItems(rec *loopRecord, items []Value, base uint32) []Value {
	var kept []Value
	for i := range items {
		r.burn(1, rec.cond)
		v := r.item(&items[i], base, i)
		r.assign(rec.target, v)
		if r.truth(rec.cond) {
			kept = r.add(kept, v, rec.iter)
		}
	}
	return kept
}

// iterate returns what a loop or a filter iterates over: items, keys, or the
// characters of a string. None has no items.
func (r *run) iterate(v *Value, at uint32) []Value {
	switch v.kind {
	case KindList:
		return v.ref.(*list).items
	case KindMap:
		m := v.ref.(*dict)
		r.items(len(m.keys), at)
		keys := make([]Value, len(m.keys))
		path := v.path()
		for i := range keys {
			keys[i] = m.keys[i].value(v.trust)
			keys[i].org = origin(0, path)
		}
		return keys
	case kindNamespace:
		ns := v.ref.(*namespace)
		r.items(len(ns.names), at)
		keys := make([]Value, len(ns.names))
		for i, n := range ns.names {
			keys[i] = r.computed(at, Value{kind: KindString, s: n}, v)
		}
		return keys
	case KindString:
		return r.characters(v, at)
	case KindNone:
		return nil
	case KindUndefined, kindUnset:
		if r.env.opts.Undefined <= SemiStrict && v.flags&silent == 0 {
			r.failUndefined(v, at)
		}
		return nil
	}
	r.fail(ErrType, at, article(v.Kind())+" is not iterable")
	return nil
}

// characters splits a string; each character keeps its origin.
func (r *run) characters(v *Value, at uint32) []Value {
	n := v.Len()
	r.items(n, at)
	out := make([]Value, 0, n)
	for i, c := range v.s {
		out = append(out, r.slice(v, i, i+runeLen(c), at))
	}
	return out
}
