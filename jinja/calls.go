package jinja

import (
	"slices"
	"strings"
)

// Call is a call of a function, filter or test. It is valid until the function
// returns.
type Call struct {
	r    *run
	at   uint32
	name string
	args []Value
	kw   []keyword
	// asked is how many names of arguments other calls had asked for before, which stand
	// before its own in the run's list.
	asked int
}

type keyword struct {
	name string
	v    Value
	used bool
}

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

// hostFunction is a function of the host as a value.
type hostFunction struct{ callable }

// NewFunction returns a value that calls fn.
func NewFunction(name string, fn Func) Value {
	return Value{kind: KindFunction, ref: &hostFunction{callable{name: name, host: fn}}}
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
	*c = Call{r: r, at: id, name: name, args: r.argv[base:], kw: r.kwargs[kwBase:], asked: len(r.asked)}
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
	case *hostFunction:
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
			switch {
			case name == "caller":
				e.Hint = "caller() stands in a macro that is used as {% call name() %}…{% endcall %}"
			case name == "include":
				e.Hint = "a tag includes: write {% include " + r.quotedArgument(calleeID) + " %}"
			default:
				if e.Nearest = nearest(name, r.visibleNames()); e.Nearest == "" {
					e.Hint = "known here: " + strings.Join(r.functionNames(), ", ")
				}
			}
			panic(e)
		}
		r.failUndefined(callee, calleeID)
	}
	e := r.failure(ErrType, calleeID, "cannot call '"+name+"', it is "+article(callee.kind))
	if slices.Contains(r.functionNames(), name) {
		e.Hint = "a value of that name stands instead of the function: give the value another name"
	} else {
		e.Nearest = nearest(name, r.functionNames())
	}
	panic(e)
}

// quotedArgument is the text between quotes that a call of a name begins its arguments
// with, as it is written; a name to put in for another one.
func (r *run) quotedArgument(calleeID uint32) string {
	rest, ok := strings.CutPrefix(strings.TrimLeft(r.t.src.Text[r.nodes[calleeID].end:], " \t"), "(")
	rest = strings.TrimLeft(rest, " \t")
	if ok && rest != "" && (rest[0] == '\'' || rest[0] == '"') {
		const longest = 100
		if end := strings.IndexByte(rest[1:min(len(rest), longest)], rest[0]); end > 0 && !strings.ContainsAny(rest[:end+1], "\\\n") {
			return rest[:end+2]
		}
	}
	return "'NAME'"
}

func (c *Call) find(name string) *Value {
	for i := range c.kw {
		if c.kw[i].name == name {
			return &c.kw[i].v
		}
	}
	return nil
}

// arguments says how many there are, or may be.
func arguments(n int) string {
	switch n {
	case 0:
		return "no arguments"
	case 1:
		return "1 argument"
	}
	return itoa(n) + " arguments"
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
	return r.boolean(id, v.truth() == (n.flag == 0))
}
