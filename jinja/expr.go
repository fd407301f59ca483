package jinja

// Expr is a stand-alone expression, such as a condition. It is immutable and
// safe for concurrent use.
type Expr struct{ t *Template }

// ParseExpr reads an expression, without delimiters around it. The error is an
// *Error.
func (e *Env) ParseExpr(src Source) (*Expr, error) {
	t := &Template{env: e, src: src}
	if err := t.parse(true); err != nil {
		return nil, err
	}
	return &Expr{t}, nil
}

// Eval evaluates the expression with the entries of the map ctx as variables.
// The value keeps the label of what it was computed from. The error is an *Error.
func (x *Expr) Eval(ctx Value) (Value, error) {
	v, _, err := x.eval(ctx, false)
	return v, err
}

// Test reports whether the expression is true by the rules of if.
func (x *Expr) Test(ctx Value) (bool, error) {
	_, b, err := x.eval(ctx, true)
	return b, err
}

func (x *Expr) eval(ctx Value, test bool) (v Value, b bool, err error) {
	t := x.t
	r := t.env.start(ctx)
	err = r.protect(func() {
		inst := &instance{t: t, roots: make([]Value, len(t.names))}
		f := &frame{t: t, fn: &t.fns[0], inst: inst}
		r.enter(f)
		inst.slots = f.slots
		if test {
			b = r.truth(t.program.root)
			return
		}
		v = r.detach(r.eval(t.program.root))
	})
	r.release()
	return v, b, err
}

// detach frees a value of the run that made it: origins mean nothing outside.
// Objects of a run become undefined.
func (r *run) detach(v Value) Value {
	switch v.kind {
	case KindString:
		v.ref = nil
	case KindList:
		l := v.ref.(*list)
		r.items(len(l.items), r.t.program.root)
		items := make([]Value, len(l.items))
		for i := range items {
			items[i] = r.detach(l.items[i])
		}
		v.ref = &list{items: items, depth: l.depth, tuple: l.tuple}
	case KindMap:
		m := v.ref.(*dict)
		r.items(len(m.vals), r.t.program.root)
		vals := make([]Value, len(m.vals))
		for i := range vals {
			vals[i] = r.detach(m.vals[i])
		}
		v.ref = &dict{keys: m.keys, vals: vals, index: m.index, depth: m.depth}
	case KindFunction:
		if _, ok := v.ref.(*hostFunction); !ok {
			return Value{}
		}
	case kindNamespace, kindObject, KindUndefined, kindUnset:
		return Value{}
	default:
		v.ref = nil
	}
	v.org = 0
	v.flags = fromData
	return v
}

// Undeclared returns the variables that the expression reads; see [Template.Undeclared].
func (x *Expr) Undeclared() []string { return x.t.Undeclared() }

// Refs returns the uses of variables; see [Template.Refs].
func (x *Expr) Refs() []Ref { return x.t.Refs() }

// Calls returns the calls of functions; see [Template.Calls].
func (x *Expr) Calls(names ...string) []CallSite { return x.t.Calls(names...) }

// TextUses returns the uses of variables as texts; see [Template.TextUses].
func (x *Expr) TextUses() []TextUse { return x.t.TextUses() }
