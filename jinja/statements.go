package jinja

import (
	"errors"
	"slices"
)

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
	return inst
}

// enter makes f the current frame and gives it slots.
func (r *run) enter(f *frame) {
	f.base = len(r.stack)
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
			if r.fuel < 0 || len(r.out)+len(s) > r.limits.Output {
				r.burn(0, id)
				r.room(len(s), id)
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
				return r.exec(triples[i+1], triples[i+2])
			}
		}
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
		inst := r.importTemplate(st.a, id)
		r.assign(st.b, Value{kind: KindObject, ref: inst, trust: inst.body.trust})
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
		r.put(ns, r.t.names[n.c], v)
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
		out.org = origin(0, r.trail.index(base, i))
	}
	return out
}

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
		r.exec(rec.els, rec.elsLen)
		return
	}
	var state *loopState
	if rec.loopSlot != noSlot {
		state = &loopState{items: items, base: base, depth: depth, node: id, rec: rec, frame: r.frame}
	}
	target := &r.nodes[rec.target]
	for i := range items {
		r.fuel--
		if r.fuel < 0 {
			r.burn(0, id)
		}
		clear(slots)
		if state != nil {
			state.index = i
			r.slots[rec.loopSlot] = Value{kind: KindObject, ref: state}
		}
		if target.op == opTargetSlot {
			dst := &r.slots[target.a]
			*dst = items[i]
			if base != 0 && dst.flags&fromData != 0 && dst.path() == 0 && !r.noSp {
				dst.org = origin(0, r.trail.index(base, i))
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
	kept := make([]Value, 0, min(len(items), 64))
	for i := range items {
		r.burn(1, rec.cond)
		v := r.item(&items[i], base, i)
		r.assign(rec.target, v)
		if r.truth(rec.cond) {
			kept = append(kept, v)
		}
	}
	r.items(len(kept), rec.iter)
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
	case KindNamespace:
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

// --- blocks and other templates

func (r *run) openTemplate(at uint32) {
	r.nested++
	if r.nested > r.limits.Depth {
		r.fail(ErrDepth, at, "templates nest deeper than the limit of "+itoa(r.limits.Depth))
	}
	r.includes++
	if r.includes > r.limits.Includes {
		r.fail(ErrIncludes, at, "more than "+itoa(r.limits.Includes)+" templates are included")
	}
}

func (r *run) closeTemplate() { r.nested-- }

// find returns the first template of the names that exists, or nil.
func (r *run) find(v *Value, at uint32, what string) (t *Template, tried []string) {
	switch v.kind {
	case KindString:
		tried = []string{v.s}
	case KindList:
		for _, item := range v.ref.(*list).items {
			s, ok := item.Str()
			if !ok {
				r.fail(ErrType, at, "cannot "+what+" "+article(item.Kind())+", expected the name of a template")
			}
			tried = append(tried, s)
			if len(tried) > r.limits.Includes {
				r.fail(ErrIncludes, at, "more than "+itoa(r.limits.Includes)+" names to "+what)
			}
		}
	case KindUndefined:
		r.failUndefined(v, at)
	default:
		r.fail(ErrType, at, "cannot "+what+" "+article(v.Kind())+", expected the name of a template")
	}
	for _, name := range tried {
		if t := r.lookupTemplate(name, at); t != nil {
			return t, tried
		}
	}
	return nil, tried
}

// lookupTemplate finds a template that was loaded with the current one, or asks
// the loader. It returns nil if there is none of that name.
func (r *run) lookupTemplate(name string, at uint32) *Template {
	key := reference{name, r.t.src.Name}
	if g := r.t.graph; g != nil {
		if t := g.byRef[key]; t != nil {
			return t
		}
	}
	if t := r.dynamic[key]; t != nil {
		return t
	}
	src, err := r.env.fetch(name, r.t.src.Name)
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	if err != nil {
		panic(r.env.loadError(r.failure(ErrLoad, at, ""), name, r.t.src.Name, err))
	}
	// Sources loaded while rendering cost what they weigh.
	r.burn(len(src.Text)>>4, at)
	if g := r.t.graph; g != nil && g.byName[src.Name] != nil {
		return g.byName[src.Name]
	}
	t := &Template{env: r.env, src: src, graph: r.t.graph}
	if err := t.parse(false); err != nil {
		if e, ok := err.(*Error); ok {
			n := &r.nodes[at]
			line, col := r.t.position(int(n.pos))
			e.Chain = append([]Site{{What: "include", Name: name, Template: r.t.src.Name, Line: line, Column: col}}, r.chain()...)
		}
		panic(err)
	}
	if r.dynamic == nil {
		r.dynamic = make(map[reference]*Template)
	}
	r.dynamic[key] = t
	return t
}

func (r *run) failMissing(v *Value, tried []string, at uint32) {
	if v.kind == KindList {
		if len(tried) == 0 {
			r.fail(ErrNotFound, at, "no name of a template given")
		}
		r.fail(ErrNotFound, at, "none of the templates "+quoteAll(tried)+" exists")
	}
	panic(r.env.loadError(r.failure(ErrNotFound, at, ""), tried[0], r.t.src.Name, ErrNotFound))
}

func (r *run) include(id uint32, st *node) {
	v := r.eval(st.a)
	t, tried := r.find(&v, st.a, "include")
	if t == nil {
		if st.flag == 0 {
			r.failMissing(&v, tried, st.a)
		}
		return
	}
	r.openTemplate(id)
	r.template(t, visit{what: "include", name: t.src.Name, at: id, outer: r.frame, scope: int32(st.b)})
	r.closeTemplate()
}

// importTemplate runs a template for its names. It sees the variables of the
// rendering, not those of the template that imports it.
func (r *run) importTemplate(expr, id uint32) *instance {
	v := r.eval(expr)
	t, tried := r.find(&v, expr, "import")
	if t == nil {
		r.failMissing(&v, tried, expr)
	}
	r.openTemplate(id)
	m := r.beginCapture()
	inst := r.template(t, visit{what: "import", name: t.src.Name, at: id})
	inst.body = r.endCapture(m, id)
	r.closeTemplate()
	if !t.macros { // its memory is about to be used again
		inst.slots, inst.roots = slices.Clone(inst.slots), nil
	}
	return inst
}

func (r *run) importNames(id uint32, st *node) {
	inst := r.importTemplate(st.a, id)
	pairs := r.t.kids[st.b : st.b+st.c]
	for i := 0; i < len(pairs); i += 2 {
		name := r.t.names[pairs[i]]
		v := inst.export(name)
		if v.kind == kindUnset {
			e := r.failure(ErrUndefined, id, "template '"+inst.t.src.Name+"' does not define '"+name+"'")
			e.Nearest = nearest(name, inst.exports())
			panic(e)
		}
		r.assign(pairs[i+1], v)
	}
}

// export returns what a template bound at its top level to a name.
func (inst *instance) export(name string) Value {
	for _, d := range inst.t.scopes[0].decls {
		if inst.t.names[d.name] == name && int(d.slot) < len(inst.slots) {
			return inst.slots[d.slot]
		}
	}
	return Value{}
}

func (inst *instance) exports() []string {
	var names []string
	for _, d := range inst.t.scopes[0].decls {
		if int(d.slot) < len(inst.slots) && inst.slots[d.slot].kind != kindUnset {
			names = append(names, inst.t.names[d.name])
		}
	}
	return names
}

func (r *run) extends(id uint32, st *node) {
	f := r.frame
	if f.inst.parent != nil {
		r.fail(ErrBlock, id, "a template can extend only one other")
	}
	v := r.eval(st.a)
	t, tried := r.find(&v, st.a, "extend")
	if t == nil {
		r.failMissing(&v, tried, st.a)
	}
	f.inst.parent, f.inst.extendsAt = t, id
	// The rest of the template runs for its names only.
	f.inst.dropFrom = r.beginCapture()
}

// block prints the most derived definition of a block, unless the template
// extends another, which then has the say where the block stands.
func (r *run) block(id uint32, st *node) {
	f := r.frame
	if f.inst.parent != nil && f.fn.kind == opNone {
		return
	}
	r.runBlock(f.inst.blocks[r.t.names[st.b]], 0, id, int32(st.c))
}

func (r *run) runBlock(c *blockChain, level int, id uint32, scope int32) {
	d := c.defs[level]
	fn := &d.inst.t.fns[d.fn]
	if fn.required {
		r.fail(ErrBlock, id, "required block '"+c.name+"' is not filled in")
	}
	r.descend(id)
	f := &frame{
		t: d.inst.t, fn: fn, fnIndex: int32(d.fn), inst: d.inst, outer: r.frame, outerScope: scope,
		caller: r.frame, callNode: id, callerStmt: r.stmt, what: "block", name: c.name, block: c, level: level,
	}
	r.enter(f)
	r.exec(fn.body, fn.bodyLen)
	r.leave(f)
	r.depth--
}

// descend counts a call; every recursion of a template goes through it.
func (r *run) descend(at uint32) {
	r.depth++
	if r.depth > r.limits.Nesting {
		r.fail(ErrNesting, at, "calls nest deeper than the limit of "+itoa(r.limits.Nesting))
	}
	r.burn(4, at)
}
