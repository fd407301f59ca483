package jinja

// control is how a body ended.
type control uint8

const (
	proceed control = iota
	breaking
	continuing
)

// visit is how a template came to run.
type visit struct {
	what, name string // for errors
	at         uint32 // the node that asked for it
	// outer is the frame whose names the template sees, from scope on; nil if it
	// sees the context only.
	outer  *frame
	scope  int32
	blocks map[string]*blockChain // of the templates that extend it
}

// template runs a template from its first statement on.
func (r *run) template(t *Template, v visit) *instance {
	inst := &instance{t: t, blocks: v.blocks}
	f := &frame{
		t: t, fn: &t.fns[0], inst: inst, outer: v.outer, outerScope: v.scope,
		caller: r.frame, callNode: v.at, callerStmt: r.stmt, what: v.what, name: v.name,
	}
	r.enter(f)
	inst.slots = f.slots
	r.memoryFor(len(t.names)*valueSize, v.at)
	if t.macros {
		inst.roots = make([]Value, len(t.names))
	} else {
		inst.roots = r.reserve(len(t.names))
	}
	for _, fn := range t.blocks {
		name := t.fns[fn].name
		if inst.blocks == nil {
			inst.blocks = make(map[string]*blockChain)
		}
		c := inst.blocks[name]
		if c == nil {
			c = &blockChain{name: name}
			inst.blocks[name] = c
		}
		c.defs = append(c.defs, blockDef{inst, fn})
	}
	r.reached.add(t, 0, 0)
	r.exec(f.fn.body, f.fn.bodyLen)
	if parent := inst.parent; parent != nil {
		// What was printed behind extends is dropped; the names and blocks that the
		// template made are there for its parent.
		r.dropCapture(inst.dropFrom)
		r.openTemplate(inst.extendsAt)
		r.template(parent, visit{what: "extends", name: parent.src.Name, at: inst.extendsAt, outer: f, blocks: inst.blocks})
		r.closeTemplate()
	}
	r.leave(f)
	r.memory += len(t.names) * valueSize
	return inst
}

// enter makes f the current frame and gives it slots, paid for until it leaves.
func (r *run) enter(f *frame) {
	f.base = len(r.stack)
	if r.memory -= f.fn.slots * valueSize; r.memory < 0 {
		r.memoryFor(0, f.callNode)
	}
	if f.t.macros {
		f.slots = make([]Value, f.fn.slots)
	} else {
		f.slots = r.reserve(f.fn.slots)
	}
	r.frame = f
	r.t, r.nodes, r.slots = f.t, f.t.nodes, f.slots
}

func (r *run) leave(f *frame) {
	r.stack = r.stack[:f.base]
	r.memory += f.fn.slots * valueSize
	c := f.caller
	r.frame, r.stmt = c, f.callerStmt
	if c != nil {
		r.t, r.nodes, r.slots = c.t, c.t.nodes, c.slots
	}
}

// reserve takes n empty slots from the stack. When it is full a new one is made;
// frames under way keep the old one alive.
func (r *run) reserve(n int) []Value {
	lo := len(r.stack)
	if lo+n > cap(r.stack) {
		r.stack = make([]Value, lo, max(32, 2*cap(r.stack), lo+n))
	}
	r.stack = r.stack[:lo+n]
	s := r.stack[lo : lo+n : lo+n]
	clear(s)
	return s
}

// exec runs the statements of a body.
func (r *run) exec(off, n uint32) control {
	kids := r.t.kids[off : off+n]
	for _, id := range kids {
		st := &r.nodes[id]
		r.fuel--
		switch st.op {
		case opText:
			s := r.t.src.Text[st.a:st.b]
			r.stmt = id
			if r.fuel < 0 || len(r.out)+len(s) > cap(r.out) {
				r.burn(0, id)
				r.growOut(len(s), id)
			}
			r.fuel -= len(s) >> 6
			r.out = append(r.out, s...)
			r.push(spanText, st.a, 0, r.t.src.Trust)
		case opEmit:
			r.stmt = id
			r.emit(st.a)
		default:
			r.stmt = id
			if c := r.statement(id, st); c != proceed {
				return c
			}
		}
	}
	return proceed
}

func (r *run) statement(id uint32, st *node) control {
	if r.fuel < 0 {
		r.burn(0, id)
	}
	switch st.op {
	case opIf:
		triples := r.t.kids[st.a : st.a+st.b]
		for i := 0; i < len(triples); i += 3 {
			if triples[i] == 0 || r.truth(triples[i]) {
				r.reached.add(r.t, id, i/3)
				return r.exec(triples[i+1], triples[i+2])
			}
		}
		r.reached.add(r.t, id, noBranch)
	case opFor:
		rec := r.t.loop(st)
		iter := r.eval(rec.iter)
		r.loop(id, &rec, r.keep(iter), 0)
	case opSet:
		v := r.eval(st.b)
		r.assign(st.a, r.keep(v))
	case opSetBlock:
		rec := r.t.kids[st.b : st.b+3]
		v := r.capture(rec[0], rec[1], id)
		if rec[2] != 0 {
			v = r.keep(r.filtered(rec[2], v))
		}
		r.assign(st.a, v)
	case opWith:
		rec := r.t.kids[st.c : st.c+4]
		clear(r.slots[rec[2]:rec[3]])
		pairs := r.t.kids[st.a : st.a+st.b]
		for i := 0; i < len(pairs); i += 2 {
			v := r.eval(pairs[i+1])
			r.assign(pairs[i], r.keep(v))
		}
		return r.exec(rec[0], rec[1])
	case opFilterBody:
		v := r.capture(st.a, st.b, id)
		r.stmt = id
		outer := r.subject
		r.subject = v
		r.emit(st.c)
		r.subject = outer
	case opMacro:
		r.assign(st.b, r.closure(st.a))
	case opCallBody:
		r.callWith(st.a, r.closure(st.b), id)
	case opBlock:
		r.block(id, st)
	case opInclude:
		r.include(id, st)
	case opImport:
		r.assign(st.b, r.module(r.importTemplate(st.a, id)))
	case opFrom:
		r.importNames(id, st)
	case opExtends:
		r.extends(id, st)
	case opDo:
		r.eval(st.a)
	case opBreak:
		return breaking
	case opContinue:
		return continuing
	case opAutoescape:
		return r.autoescape(id, st)
	}
	return proceed
}

// capture runs a body and returns what it prints.
func (r *run) capture(off, n, at uint32) Value {
	m := r.beginCapture()
	r.exec(off, n)
	return r.endCapture(m, at)
}

// filtered evaluates a chain of filters over opSubject.
func (r *run) filtered(expr uint32, subject Value) Value {
	outer := r.subject
	r.subject = subject
	v := r.eval(expr)
	r.subject = outer
	return v
}

func (r *run) autoescape(id uint32, st *node) control {
	v := r.eval(st.a)
	outer := r.escape
	switch s, isText := v.Str(); {
	case isText && s == "html", v.kind == KindBool && v.num == 1:
		r.escape = true
	case isText && s == "none", v.kind == KindBool && v.num == 0:
		r.escape = false
	default:
		r.fail(ErrType, st.a, "autoescape must be true, false, \"html\" or \"none\"")
	}
	c := r.exec(st.b, st.c)
	r.escape = outer
	return c
}

// assign stores a value in a target.
func (r *run) assign(target uint32, v Value) {
	n := &r.nodes[target]
	switch n.op {
	case opTargetSlot:
		if v.kind == kindUnset {
			v.kind = KindUndefined
		}
		r.slots[n.a] = v
	case opTargetAttr:
		obj := r.eval(n.a)
		ns, ok := obj.ref.(*namespace)
		if !ok {
			if obj.kind == KindUndefined {
				r.failUndefined(&obj, n.a)
			}
			r.fail(ErrType, target, "can only assign to attributes of a namespace, not of "+article(obj.Kind()))
		}
		r.setAttribute(ns, r.t.names[n.c], v)
	case opTargetTuple:
		want := int(n.b)
		switch v.kind {
		case KindList:
		case KindUndefined:
			r.failUndefined(&v, target)
		default:
			r.fail(ErrUnpack, target, "cannot unpack "+article(v.Kind())+" into "+itoa(want)+" names")
		}
		l := v.ref.(*list)
		if len(l.items) != want {
			r.fail(ErrUnpack, target, "cannot unpack "+itoa(len(l.items))+" items into "+itoa(want)+" names")
		}
		kids := r.t.kids[n.a : n.a+n.b]
		base := v.path()
		for i, k := range kids {
			r.assign(k, r.item(&l.items[i], base, i))
		}
	}
}

// item returns an item of a list with its path: its own if it has one, as it came
// from elsewhere, else that of the list and its index.
func (r *run) item(v *Value, base uint32, i int) Value {
	out := *v
	if base != 0 && out.flags&fromData != 0 && out.path() == 0 && !r.noSp {
		out.org = origin(0, r.pathIndex(base, i))
	}
	return out
}
