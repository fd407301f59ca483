package jinja

// Call is a call of a function, filter or test. It is valid until the function
// returns.
type Call struct {
	r    *run
	at   uint32
	name string
	args []Value
	kw   []keyword
}

type keyword struct {
	name string
	v    Value
	used bool
}

// Name returns what was called.
func (c *Call) Name() string { return c.name }

// Args returns the positional arguments. For a filter or test the first is what
// it is applied to.
func (c *Call) Args() []Value { return c.args }

// Keyword returns a named argument, and whether it was given.
func (c *Call) Keyword(name string) (Value, bool) {
	for i := range c.kw {
		if c.kw[i].name == name {
			c.kw[i].used = true
			return c.kw[i].v, true
		}
	}
	return Value{}, false
}

// Keywords returns the names of the named arguments in order.
func (c *Call) Keywords() []string {
	names := make([]string, len(c.kw))
	for i := range c.kw {
		c.kw[i].used = true
		names[i] = c.kw[i].name
	}
	return names
}

// Function is a callable of the host as a value.
type Function struct{ callable }

// NewFunction returns a value that calls fn.
func NewFunction(name string, fn Func) Value {
	return Value{kind: KindFunction, ref: &Function{callable{name: name, host: fn}}}
}

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

// evalArgs evaluates arguments onto the run's stacks and returns a Call over
// them. The caller ends it with endCall.
func (r *run) evalArgs(id uint32, name string, off, n uint32, subject *Value) *Call {
	base, kwBase := len(r.argv), len(r.kwargs)
	if subject != nil {
		r.argv = append(r.argv, *subject)
	}
	args := r.t.kids[off : off+n]
	for i := 0; i < len(args); i += 2 {
		kind, e := args[i], args[i+1]
		v := r.keep(r.eval(e))
		switch {
		case kind == argPlain:
			r.argv = append(r.argv, v)
		case kind == argSplat:
			items := r.iterate(&v, e)
			r.items(len(items), e)
			for j := range items {
				r.argv = append(r.argv, r.item(&items[j], v.path(), j))
			}
		case kind == argSplatMap:
			m, ok := v.ref.(*dict)
			if !ok {
				r.fail(ErrArguments, e, "cannot use "+article(v.Kind())+" as named arguments")
			}
			r.items(len(m.keys), e)
			for j := range m.keys {
				if m.keys[j].kind != KindString {
					r.fail(ErrArguments, e, "names of arguments must be strings")
				}
				r.addKeyword(kwBase, m.keys[j].s, r.child(&m.vals[j], v.path(), &m.keys[j]), e)
			}
		default:
			r.addKeyword(kwBase, r.t.names[kind-argNamed], v, e)
		}
	}
	if len(r.kwargs)-kwBase > fewKeywords {
		r.distinct(r.kwargs[kwBase:], id)
	}
	if r.ncalls == len(r.calls) {
		r.calls = append(r.calls, new(Call))
	}
	c := r.calls[r.ncalls]
	r.ncalls++
	*c = Call{r: r, at: id, name: name, args: r.argv[base:], kw: r.kwargs[kwBase:]}
	return c
}

// fewKeywords is up to how many named arguments are compared with each other.
const fewKeywords = 16

func (r *run) addKeyword(base int, name string, v Value, at uint32) {
	for i := range r.kwargs[base:min(len(r.kwargs), base+fewKeywords)] {
		if r.kwargs[base+i].name == name {
			r.fail(ErrArguments, at, "argument '"+name+"' is given twice")
		}
	}
	r.kwargs = append(r.kwargs, keyword{name: name, v: v})
}

// distinct fails when two of many named arguments have one name.
func (r *run) distinct(kw []keyword, at uint32) {
	r.items(len(kw), at)
	seen := make(map[string]bool, len(kw))
	for i := range kw {
		if seen[kw[i].name] {
			r.fail(ErrArguments, at, "argument '"+kw[i].name+"' is given twice")
		}
		seen[kw[i].name] = true
	}
}

func (r *run) endCall(c *Call) {
	r.ncalls--
	r.argv = r.argv[:len(r.argv)-len(c.args)]
	r.kwargs = r.kwargs[:len(r.kwargs)-len(c.kw)]
}

// invoke runs a filter, test or function.
func (r *run) invoke(f *callable, c *Call) Value {
	r.burn(1, c.at)
	if f.builtin != nil {
		v := f.builtin(c)
		c.finish()
		return v
	}
	v, err := f.host(c)
	if err != nil {
		e := r.failure(ErrHost, c.at, f.name+": "+err.Error())
		e.Cause = err
		panic(e)
	}
	return r.fromHost(v, c)
}

// fromHost takes a value that a function of the host made: it is no more
// trusted than what the function was given.
func (r *run) fromHost(v Value, c *Call) Value {
	var trust Trust
	var path uint32
	for i := range c.args {
		if a := &c.args[i]; r.label(a) > trust || path == 0 {
			trust, path = max(trust, r.label(a)), a.path()
		}
	}
	for i := range c.kw {
		trust = max(trust, r.label(&c.kw[i].v))
	}
	if v.kind <= KindUndefined {
		return r.undefined("", nil, c.at)
	}
	v = r.raise(v, trust, c.at)
	if v.kind < KindList && v.org == 0 {
		v.flags &^= fromData
		v.org, v.ref = origin(c.at, path), r.t
	}
	return v
}

// raise gives everything in v a label of at least trust.
func (r *run) raise(v Value, trust Trust, at uint32) Value {
	if trust == 0 {
		return v
	}
	switch v.kind {
	case KindList:
		l := v.ref.(*list)
		r.items(len(l.items), at)
		items := make([]Value, len(l.items))
		for i := range items {
			items[i] = r.raise(l.items[i], trust, at)
		}
		v.ref = &list{items: items, depth: l.depth, tuple: l.tuple}
	case KindMap:
		m := v.ref.(*dict)
		r.items(len(m.vals), at)
		vals := make([]Value, len(m.vals))
		for i := range vals {
			vals[i] = r.raise(m.vals[i], trust, at)
		}
		v.ref = &dict{keys: m.keys, vals: vals, index: m.index, depth: m.depth}
	case KindString:
		if p := v.manyParts(); p != nil {
			v.ref = nil
		}
	}
	v.trust = max(v.trust, trust)
	return v
}

// --- calls in expressions

// calleeName is the name that a call is known by.
func (t *Template) calleeName(id uint32) string {
	n := &t.nodes[id]
	switch n.op {
	case opLocal, opCaptured, opRoot, opSuper, opSelf, opGetAttr:
		return t.names[n.c]
	}
	return "function"
}

// emitCall prints a call that prints its result as it goes: a macro, super(), a
// recursive loop. It returns false if the callee is of another kind.
func (r *run) emitCall(id uint32, n *node) bool {
	callee := &r.nodes[n.a]
	if callee.op == opSuper {
		r.super(id)
		return true
	}
	if callee.op != opLocal && callee.op != opRoot && callee.op != opCaptured {
		return false
	}
	v := r.name(n.a, callee)
	switch f := v.ref.(type) {
	case *macro:
		c := r.evalArgs(id, f.function().name, n.b, n.c, nil)
		r.callMacro(f, c, nil)
		r.endCall(c)
		return true
	case *loopState:
		r.recurse(f, id, n.b, n.c)
		return true
	}
	return false
}

func (r *run) call(id uint32, n *node) Value {
	if r.nodes[n.a].op == opSuper {
		m := r.beginCapture()
		r.super(id)
		return r.endCapture(m, id)
	}
	callee := r.eval(n.a)
	return r.callValue(&callee, id, n.a, n.b, n.c)
}

// callValue calls a value with the arguments at off.
func (r *run) callValue(callee *Value, id, calleeID, off, n uint32) Value {
	switch f := callee.ref.(type) {
	case *Function:
		c := r.evalArgs(id, f.name, off, n, nil)
		v := r.invoke(&f.callable, c)
		r.endCall(c)
		return v
	case *macro:
		c := r.evalArgs(id, f.function().name, off, n, nil)
		m := r.beginCapture()
		r.callMacro(f, c, nil)
		v := r.endCapture(m, id)
		r.endCall(c)
		return v
	case *loopState:
		m := r.beginCapture()
		r.recurse(f, id, off, n)
		return r.endCapture(m, id)
	}
	if m, ok := callee.ref.(callableObject); ok {
		c := r.evalArgs(id, r.t.calleeName(calleeID), off, n, nil)
		v := m.call(c)
		c.finish()
		r.endCall(c)
		return v
	}
	name := r.t.calleeName(calleeID)
	if callee.IsUndefined() {
		o := r.nodes[calleeID].op
		if o == opLocal || o == opRoot || o == opCaptured {
			e := r.failure(ErrUnknownFunction, calleeID, "unknown function '"+name+"'")
			e.Nearest = nearest(name, r.visibleNames())
			panic(e)
		}
		r.failUndefined(callee, calleeID)
	}
	r.fail(ErrType, calleeID, "cannot call '"+name+"', it is "+article(callee.kind))
	return Value{}
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
		r.failf(ErrArguments, c.at, "%s takes %s, %d given", fn.name, plural(len(fn.params), "argument"), len(c.args))
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
			e := r.failure(ErrArguments, c.at, fn.name+" has no argument '"+k.name+"'")
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
	r.exec(fn.body, fn.bodyLen)
	r.leave(f)
	r.depth--
}

func (c *Call) find(name string) *Value {
	for i := range c.kw {
		if c.kw[i].name == name {
			return &c.kw[i].v
		}
	}
	return nil
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

func plural(n int, word string) string {
	switch n {
	case 0:
		return "no " + word + "s"
	case 1:
		return "1 " + word
	}
	return itoa(n) + " " + word + "s"
}

// recurse runs a recursive loop once more, over the argument.
func (r *run) recurse(l *loopState, id, off, n uint32) {
	if l.frame != r.frame {
		r.fail(ErrType, id, "loop can be called only in the body of its own loop")
	}
	if r.nodes[l.node].flag == 0 {
		e := r.failure(ErrType, id, "the loop is not recursive")
		e.Hint = "write recursive at the end of the for tag"
		panic(e)
	}
	c := r.evalArgs(id, "loop", off, n, nil)
	if len(c.args) != 1 || len(c.kw) != 0 {
		r.fail(ErrArguments, id, "loop takes 1 argument")
	}
	iter := c.args[0]
	r.endCall(c)
	r.descend(id)
	slots := r.slots[l.rec.slotLo:l.rec.slotHi]
	saved := make([]Value, len(slots))
	copy(saved, slots)
	r.memory -= len(saved) * valueSize
	stmt := r.stmt
	r.loop(l.node, l.rec, iter, l.depth+1)
	copy(slots, saved)
	r.stmt = stmt
	r.depth--
}

// super prints the next less derived definition of the block under way.
func (r *run) super(id uint32) {
	f := r.frame
	if f.block == nil {
		r.fail(ErrBlock, id, "super() is not in a block")
	}
	if f.level+1 >= len(f.block.defs) {
		r.fail(ErrBlock, id, "block '"+f.block.name+"' has no parent")
	}
	if d := f.block.defs[f.level+1]; d.inst.t.fns[d.fn].required {
		return
	}
	r.runBlock(f.block, f.level+1, id, f.fn.scope)
}

// --- filters and tests

func (r *run) filter(id uint32, n *node) Value {
	f := r.t.filters[r.t.kids[n.b]]
	subject := r.keep(r.eval(n.a))
	c := r.evalArgs(id, f.name, n.b+1, n.c, &subject)
	v := r.invoke(f, c)
	r.endCall(c)
	return v
}

// emitFilter prints filters whose result is put together from parts.
func (r *run) emitFilter(id uint32, n *node) bool {
	f := r.t.filters[r.t.kids[n.b]]
	if f.fast != fastJoin || r.escape {
		return false
	}
	subject := r.keep(r.eval(n.a))
	c := r.evalArgs(id, f.name, n.b+1, n.c, &subject)
	r.burn(2, id)
	writeJoin(c)
	c.finish()
	r.endCall(c)
	return true
}

func (r *run) test(id uint32, n *node) Value {
	f := r.t.filters[r.t.kids[n.b]]
	subject := r.eval(n.a)
	c := r.evalArgs(id, f.name, n.b+1, n.c, &subject)
	v := r.invoke(f, c)
	r.endCall(c)
	return r.boolean(id, v.Truth() == (n.flag == 0))
}
