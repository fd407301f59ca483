package jinja

// macro is a macro or the body of a call block, with what it keeps of the place
// where it was made.
type macro struct {
	t        *Template
	fn       uint32
	inst     *instance
	captured []Value
	outer    *frame
	scope    int32
}

func (m *macro) function() *function { return &m.t.fns[m.fn] }

// closure makes a macro of a function of the current template.
func (r *run) closure(fn uint32) Value {
	f := &r.t.fns[fn]
	m := &macro{t: r.t, fn: fn, inst: r.frame.inst}
	if r.frame.fn.kind == opBlock || r.frame.outer != nil {
		m.outer, m.scope = r.frame.outer, r.frame.outerScope
	}
	if n := len(f.captures); n > 0 {
		r.items(n, f.node)
		m.captured = make([]Value, n)
		for i, c := range f.captures {
			m.captured[i] = r.bound(c.node)
		}
	}
	return Value{kind: KindFunction, ref: m}
}

// bound reads a name as far as functions bind it: what is found further out is
// looked up when the macro runs.
func (r *run) bound(id uint32) Value {
	for {
		n := &r.nodes[id]
		switch n.op {
		case opLocal:
			if r.slots[n.a].kind != kindUnset {
				return r.slots[n.a]
			}
		case opCaptured:
			if r.frame.captured[n.a].kind != kindUnset {
				return r.frame.captured[n.a]
			}
		default:
			return Value{}
		}
		if n.b == 0 {
			return Value{}
		}
		id = n.b
	}
}

// callWith runs the call of a call block, with its body as caller.
func (r *run) callWith(call uint32, body Value, id uint32) {
	n := &r.nodes[call]
	var callee Value
	var off, count, calleeID uint32
	if n.op == opCall {
		callee = r.eval(n.a)
		off, count, calleeID = n.b, n.c, n.a
	} else {
		obj := r.eval(n.a)
		callee = r.member(&obj, r.t.names[r.t.kids[n.b]], call)
		off, count, calleeID = n.b+1, n.c, call
	}
	m, ok := callee.ref.(*macro)
	if !ok {
		if callee.IsUndefined() {
			name := r.t.calleeName(calleeID)
			e := r.failure(ErrUnknownFunction, calleeID, "unknown function '"+name+"'")
			e.Nearest = nearest(name, r.visibleNames())
			panic(e)
		}
		r.fail(ErrType, call, "a call block needs a macro, not "+article(callee.kind))
	}
	c := r.evalArgs(call, m.function().name, off, count, nil)
	r.callMacro(m, c, &body)
	r.endCall(c)
}

// callMacro binds arguments to parameters and prints the body.
func (r *run) callMacro(m *macro, c *Call, caller *Value) {
	fn := m.function()
	r.descend(c.at)
	if len(c.args) > len(fn.params) {
		r.failf(ErrArguments, c.at, "%s takes %s, %d given", fn.name, arguments(len(fn.params)), len(c.args))
	}
	what := "macro"
	if fn.kind == opCallBody {
		what = "call block"
	}
	f := &frame{
		t: m.t, fn: fn, fnIndex: int32(m.fn), inst: m.inst, captured: m.captured, outer: m.outer, outerScope: m.scope,
		caller: r.frame, callNode: c.at, callerStmt: r.stmt, what: what, name: fn.name,
	}
	// Arguments are checked where the call stands, before the frame changes.
	for i := range c.kw {
		k := &c.kw[i]
		if k.name == "caller" && caller == nil && fn.callable != noSlot {
			caller = &k.v
			continue
		}
		j := paramIndex(fn, k.name)
		switch {
		case j < 0:
			e := r.failure(ErrArguments, c.at, fn.name+" has no argument '"+shown(k.name)+"'")
			e.Nearest = nearest(k.name, paramNames(fn))
			panic(e)
		case j < len(c.args):
			r.fail(ErrArguments, c.at, "argument '"+k.name+"' is given twice")
		}
	}
	if caller != nil && fn.callable == noSlot && fn.kind == opMacro {
		r.fail(ErrArguments, c.at, fn.name+" does not use caller, so it can't be used in a call block")
	}
	r.enter(f)
	if fn.callable != noSlot {
		r.slots[fn.callable] = Value{kind: KindUndefined, s: "caller", org: origin(0, 0), num: uint64(r.indexOf(r.t)) << 8}
		if caller != nil {
			r.slots[fn.callable] = *caller
		}
	}
	for i := range fn.params {
		p := &fn.params[i]
		slot := m.t.nodes[p.target].a
		if i < len(c.args) {
			r.slots[slot] = c.args[i]
		} else if k := c.find(p.name); k != nil {
			r.slots[slot] = *k
		} else if p.def != 0 {
			r.stmt = p.def
			r.slots[slot] = r.keep(r.eval(p.def))
		} else {
			r.slots[slot] = r.undefined(p.name, nil, 0)
		}
		if r.slots[slot].kind == kindUnset {
			r.slots[slot].kind = KindUndefined
		}
	}
	r.reached.add(f.t, 0, int(f.fnIndex)+1)
	r.exec(fn.body, fn.bodyLen)
	r.leave(f)
	r.depth--
}

func paramIndex(fn *function, name string) int {
	for i := range fn.params {
		if fn.params[i].name == name {
			return i
		}
	}
	return -1
}

func paramNames(fn *function) []string {
	names := make([]string, len(fn.params))
	for i := range names {
		names[i] = fn.params[i].name
	}
	return names
}
