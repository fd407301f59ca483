package jinja

import "slices"

// name is the value of a name: of the nearest scope that binds it, or of what
// surrounds the template.
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
					v.org = origin(0, r.pathName(0, name))
				}
				return v
			}
		}
	}
	if v, ok := r.env.globals[name]; ok {
		if v.flags&fromData != 0 && !r.noSp {
			v.org = origin(0, r.pathName(0, name))
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
