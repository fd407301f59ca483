package jinja

import "slices"

func (r *run) emitMethod(id uint32, n *node) bool {
	if o := r.nodes[n.a].op; o != opSelf && o != opLocal && o != opRoot && o != opCaptured {
		return false
	}
	obj := r.eval(n.a)
	switch o := obj.ref.(type) {
	case selfObject:
		r.selfBlock(o, id, n)
		return true
	case *instance, *namespace:
		v := r.member(&obj, r.t.names[r.t.kids[n.b]], id)
		if f, ok := v.ref.(*macro); ok {
			c := r.evalArgs(id, f.function().name, n.b+1, n.c, nil)
			r.callMacro(f, c, nil)
			r.endCall(c)
			return true
		}
	}
	v := r.methodOf(obj, id, n)
	r.write(&v, id)
	return true
}

func (r *run) method(id uint32, n *node) Value { return r.methodOf(r.eval(n.a), id, n) }

func (r *run) methodOf(obj Value, id uint32, n *node) Value {
	obj = r.keep(obj)
	name := r.t.names[r.t.kids[n.b]]
	if s, ok := obj.ref.(selfObject); ok {
		m := r.beginCapture()
		r.selfBlock(s, id, n)
		return r.endCapture(m, id)
	}
	// A callable that a map or object holds goes before the methods of its kind.
	switch obj.kind {
	case KindMap, kindNamespace, kindObject:
		if v := r.member(&obj, name, id); v.kind == KindFunction || v.kind == kindObject {
			return r.callValue(&v, id, id, n.b+1, n.c)
		}
	case KindUndefined, kindUnset:
		r.failUndefined(&obj, n.a)
	}
	c := r.evalArgs(id, name, n.b+1, n.c, &obj)
	r.burn(1, id)
	var fn func(*Call) Value
	switch obj.kind {
	case KindString:
		fn = stringMethods[name]
	case KindList:
		fn = listMethods[name]
	case KindMap:
		fn = mapMethods[name]
	case kindObject:
		if o, ok := obj.ref.(methodObject); ok {
			fn = o.method(name)
		}
	}
	if fn == nil {
		r.failMethod(&obj, name, id)
	}
	v := fn(c)
	c.finish()
	r.endCall(c)
	return v
}

// changing are the methods by which Python's lists and maps change, and instead are how a
// template makes another one.
var (
	changing = map[Kind][]string{
		KindList: {"append", "clear", "extend", "insert", "pop", "remove", "reverse", "sort"},
		KindMap:  {"clear", "pop", "popitem", "setdefault", "update"},
	}
	instead = map[Kind]string{KindList: "{% set x = x + [1] %}", KindMap: "{% set x = dict(x, key=1) %}"}
)

func (r *run) failMethod(obj *Value, name string, id uint32) {
	e := r.failure(ErrUnknownMethod, id, article(obj.kind)+" has no method '"+name+"'")
	if e.Nearest = nearest(name, methodNames(obj)); slices.Contains(changing[obj.kind], name) {
		e.Nearest, e.Hint = "", "a template changes no value: make another, as in "+instead[obj.kind]
	}
	panic(e)
}

// member reads an attribute of a map, namespace or object; unset if there is none.
func (r *run) member(obj *Value, name string, id uint32) Value {
	switch o := obj.ref.(type) {
	case *dict:
		if i := o.find(name); i >= 0 {
			k := dictKey{s: name, kind: KindString}
			return r.child(&o.vals[i], obj.path(), &k)
		}
	case *namespace:
		if p := o.get(name); p != nil {
			return *p
		}
	case *instance:
		v := o.export(name)
		if v.kind == kindUnset {
			e := r.failure(ErrUnknownFunction, id, "template '"+o.t.src.Name+"' does not define '"+name+"'")
			e.Nearest = nearest(name, o.exports())
			panic(e)
		}
		return v
	}
	return Value{}
}

func (r *run) selfBlock(s selfObject, id uint32, n *node) {
	name := r.t.names[r.t.kids[n.b]]
	chain := s.inst.blocks[name]
	if chain == nil {
		e := r.failure(ErrBlock, id, "there is no block '"+name+"'")
		var names []string
		for _, b := range s.inst.t.blocks {
			names = append(names, s.inst.t.fns[b].name)
		}
		e.Nearest = nearest(name, names)
		panic(e)
	}
	if n.c != 0 {
		r.fail(ErrArguments, id, "a block takes no arguments")
	}
	r.runBlock(chain, 0, id, r.frame.fn.scope)
}
