package jinja

import (
	"errors"
	"slices"
)

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
		r.items(len(inst.slots), id)
		inst.slots, inst.roots = slices.Clone(inst.slots), nil
	}
	return inst
}

// module is an imported template as a value: no more trusted than its text and than
// what its names stand for.
func (r *run) module(inst *instance) Value {
	v := Value{kind: kindObject, ref: inst, trust: inst.body.trust}
	for _, name := range inst.exports() {
		v.holds([]Value{inst.export(name)})
	}
	return v
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
	if fn.required && len(c.defs) == 1 {
		r.fail(ErrBlock, id, "required block '"+c.name+"' is not filled in")
	}
	r.descend(id)
	f := &frame{
		t: d.inst.t, fn: fn, fnIndex: int32(d.fn), inst: d.inst, outer: r.frame, outerScope: scope,
		caller: r.frame, callNode: id, callerStmt: r.stmt, what: "block", name: c.name, block: c, level: level,
	}
	r.enter(f)
	r.reached.add(f.t, 0, int(f.fnIndex)+1)
	if r.instead != nil {
		for _, under := range c.defs[level+1:] {
			r.instead[part{under.inst.t, 0, int(under.fn) + 1}] = part{f.t, 0, int(f.fnIndex) + 1}
		}
	}
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
