package jinja

import (
	"fmt"
	"strconv"
	"sync"
	"unicode/utf8"
)

// run is the state of one rendering. Inside of it an error is a panic with an
// *Error, caught where the rendering began: evaluation stays free of checks, and
// nothing of a template can catch it on the way.
type run struct {
	env    *Env
	limits Limits

	out   []byte
	spans []span
	trail trail
	// floor is the number of spans that may not be extended: they belong to text
	// outside of the capture under way.
	floor int

	fuel     int
	memory   int
	depth    int // calls of macros, blocks and loops under way
	nested   int // templates under way
	includes int

	files    []*Template
	lastFile *Template
	lastAt   uint16

	ctx   *dict
	noSp  bool
	frame *frame
	// What the frame's template and slots are, at hand.
	t     *Template
	nodes []node
	slots []Value

	stmt    uint32 // the statement under way
	subject Value  // what a filter block filters
	// stored is the highest label of anything that a namespace was given.
	stored Trust
	escape bool

	stack   []Value // memory for slots of frames
	argv    []Value // arguments being evaluated
	kwargs  []keyword
	calls   []*Call
	ncalls  int
	dynamic map[reference]*Template
}

// frame is a function under way.
type frame struct {
	t        *Template
	fn       *function
	fnIndex  int32
	inst     *instance
	slots    []Value
	captured []Value
	// outer is where names that the function does not bind are looked for: the
	// frame that includes a template or holds a block, from scope outerScope on.
	outer      *frame
	outerScope int32
	// The call, for errors.
	caller     *frame
	base       int // of the slots in the stack
	callNode   uint32
	callerStmt uint32
	what, name string
	// The block under way, for super().
	block *blockChain
	level int
}

// instance is a template under way, or one that was imported.
type instance struct {
	t      *Template
	slots  []Value
	roots  []Value // names found outside of the template, by name
	blocks map[string]*blockChain
	body   Value // the text of an imported template
	// What extends names, where it stands and where the output stood.
	parent    *Template
	extendsAt uint32
	dropFrom  captureMark
}

// blockChain lists the definitions of one block, the most derived first.
type blockChain struct {
	name string
	defs []blockDef
}

type blockDef struct {
	inst *instance
	fn   uint32
}

var runs = sync.Pool{New: func() any { return new(run) }}

// start readies a run. Its memory is reused from one rendering to the next.
func (e *Env) start(ctx Value) *run {
	r := runs.Get().(*run)
	r.env, r.limits, r.noSp = e, e.limits, e.opts.NoSpans
	r.out, r.spans, r.floor = r.out[:0], r.spans[:0], 0
	r.trail.reset()
	r.fuel, r.memory = e.limits.Fuel, e.limits.Memory
	r.depth, r.nested, r.includes, r.ncalls = 0, 0, 0, 0
	r.files, r.lastFile, r.frame, r.stmt = r.files[:0], nil, nil, 0
	r.escape, r.subject, r.dynamic = false, Value{}, nil
	r.argv, r.kwargs = r.argv[:0], r.kwargs[:0]
	r.ctx, r.stored = nil, 0
	if ctx.kind == KindMap {
		r.ctx = ctx.ref.(*dict)
	}
	return r
}

// maxKept bounds the memory that a finished run keeps for the next one.
const maxKept = 8 << 20

func (r *run) release() {
	clear(r.stack[:cap(r.stack)])
	r.stack = r.stack[:0]
	clear(r.argv[:cap(r.argv)])
	clear(r.kwargs[:cap(r.kwargs)])
	clear(r.files[:cap(r.files)])
	r.slots, r.frame, r.t, r.nodes, r.ctx, r.lastFile, r.dynamic = nil, nil, nil, nil, nil, nil, nil
	for _, c := range r.calls {
		*c = Call{}
	}
	r.subject = Value{}
	if cap(r.out)+16*cap(r.spans)+24*cap(r.trail.steps)+56*cap(r.stack)+56*cap(r.argv) > maxKept {
		return
	}
	runs.Put(r)
}

// Render renders the template with the entries of the map ctx as its variables;
// any other kind of value means no variables. The error is an *Error.
func (t *Template) Render(ctx Value) (*Output, error) {
	o := new(Output)
	if err := t.RenderInto(o, ctx); err != nil {
		return nil, err
	}
	return o, nil
}

// RenderInto is Render into an Output whose memory is used again. After an error
// o is empty.
func (t *Template) RenderInto(o *Output, ctx Value) error {
	r := t.env.start(ctx)
	err := r.protect(func() { r.template(t, visit{}) })
	o.reset()
	if err == nil {
		o.take(r)
	}
	r.release()
	return err
}

func (o *Output) reset() {
	clear(o.files)
	clear(o.trail.keys)
	o.text, o.spans, o.files = o.text[:0], o.spans[:0], o.files[:0]
	o.trail.steps, o.trail.keys, o.fuel = o.trail.steps[:0], o.trail.keys[:0], 0
}

func (o *Output) take(r *run) {
	o.text = append(o.text, r.out...)
	o.fuel = r.limits.Fuel - r.fuel
	if r.noSp {
		return
	}
	o.spans = append(o.spans, r.spans...)
	o.files = append(o.files, r.files...)
	o.trail.steps = append(o.trail.steps, r.trail.steps...)
	o.trail.keys = append(o.trail.keys, r.trail.keys...)
}

// protect runs f and returns the *Error that it panicked with.
func (r *run) protect(f func()) (err error) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case *Error:
			err = p
		default:
			panic(p)
		}
	}()
	f()
	return nil
}

// --- bounds

// burn takes n steps of fuel.
func (r *run) burn(n int, at uint32) {
	r.fuel -= n
	if r.fuel < 0 {
		r.fail(ErrFuel, at, "rendering takes more than the limit of "+itoa(r.limits.Fuel)+" steps")
	}
}

// bytes pays for n bytes that are made or read.
func (r *run) bytes(n int, at uint32) { r.burn(n>>6, at) }

// alloc pays for n bytes of a new value before they are made.
func (r *run) alloc(n int, at uint32) {
	if n > r.limits.Value {
		r.fail(ErrValueSize, at, "value of "+itoa(n)+" bytes is larger than the limit of "+itoa(r.limits.Value))
	}
	r.memory -= n
	if r.memory < 0 {
		r.fail(ErrValueSize, at, "values take more than the limit of "+itoa(r.limits.Memory)+" bytes")
	}
	r.bytes(n, at)
}

const valueSize = 56

// items pays for a new list of n items.
func (r *run) items(n int, at uint32) {
	r.burn(n, at)
	r.memory -= n * valueSize
	if n > r.limits.Memory/valueSize || r.memory < 0 {
		r.fail(ErrValueSize, at, "values take more than the limit of "+itoa(r.limits.Memory)+" bytes")
	}
}

// --- output

// push notes the origin of what was written since the last span, which must be
// at least a byte, of the current template, and never part of a larger span.
func (r *run) push(kind spanKind, at, path uint32, trust Trust) {
	if r.noSp {
		return
	}
	if r.t != r.lastFile {
		r.fileIndex(r.t)
	}
	r.spans = append(r.spans, span{uint32(len(r.out)), at, path, r.lastAt, trust, kind})
}

// mark notes the origin of what was written since the last span.
func (r *run) mark(kind spanKind, at, path uint32, file *Template, trust Trust) {
	if r.noSp {
		return
	}
	end := uint32(len(r.out))
	n := len(r.spans)
	f := r.lastAt
	if file != r.lastFile {
		f = r.fileIndex(file)
	}
	if n > r.floor {
		last := &r.spans[n-1]
		if last.end == end {
			return
		}
		if kind == spanComputed && last.kind == kind && last.at == at && last.path == path && last.file == f && last.trust == trust {
			last.end = end
			return
		}
	} else if end == r.start(n) {
		return
	}
	r.spans = append(r.spans, span{end, at, path, f, trust, kind})
}

// start returns where span n begins.
func (r *run) start(n int) uint32 {
	if n == 0 {
		return 0
	}
	return r.spans[n-1].end
}

func (r *run) fileIndex(t *Template) uint16 {
	for i, f := range r.files {
		if f == t {
			r.lastFile, r.lastAt = t, uint16(i)
			return r.lastAt
		}
	}
	r.files = append(r.files, t)
	r.lastFile, r.lastAt = t, uint16(len(r.files)-1)
	return r.lastAt
}

// room checks that n more bytes fit into the output, and pays for them.
func (r *run) room(n int, at uint32) {
	if len(r.out)+n > r.limits.Output {
		r.fail(ErrOutputSize, at, "output is larger than the limit of "+itoa(r.limits.Output)+" bytes")
	}
	r.fuel -= n >> 6
}

// write prints a value that the expression at evaluated to.
func (r *run) write(v *Value, at uint32) {
	switch v.kind {
	case KindString:
		if r.escape && v.flags&safe == 0 {
			e := r.escaped(v, at)
			v = &e
		}
		r.room(len(v.s), at)
		if p := v.manyParts(); p != nil {
			r.burn(len(p.spans), at)
			r.writeParts(v.s, p.spans)
			return
		}
		r.out = append(r.out, v.s...)
	case KindInt:
		r.room(20, at)
		r.out = strconv.AppendInt(r.out, int64(v.num), 10)
	case KindUndefined, kindUnset:
		if v.flags&silent == 0 && r.env.opts.Undefined <= SemiStrict {
			r.failUndefined(v, at)
		}
		return
	default:
		if inst, ok := v.ref.(*instance); ok {
			r.write(&inst.body, at)
			return
		}
		start := len(r.out)
		r.print(v, at)
		if r.escape {
			r.escapeTail(v, start, at)
			return
		}
	}
	r.origin(v, at)
}

// origin marks what was written as coming from v, printed by the expression at.
func (r *run) origin(v *Value, at uint32) {
	if r.noSp {
		return
	}
	switch {
	case v.kind >= KindList: // how a container prints is the engine's doing
		r.mark(spanComputed, at, r.pathOf(v), r.t, max(r.label(v), r.t.src.Trust))
	case v.kind == KindString && v.s == "":
	case v.flags&chained != 0:
		r.push(spanChain, v.node(), v.path(), v.trust)
	case v.flags&fromData != 0:
		r.push(spanData, at, v.path(), v.trust)
	case v.flags&fromSource != 0:
		r.mark(spanText, v.node(), 0, v.ref.(*Template), v.trust)
	default:
		if t, ok := v.ref.(*Template); ok {
			r.mark(spanComputed, v.node(), v.path(), t, v.trust)
		} else {
			r.mark(spanComputed, at, r.pathOf(v), r.t, max(v.trust, r.t.src.Trust))
		}
	}
}

// label is the trust of a value. That of a namespace is the highest label of
// anything that was ever stored in one, as namespaces can hold each other.
func (r *run) label(v *Value) Trust {
	if v.kind == KindNamespace || v.flags&mutable != 0 {
		return max(v.trust, r.stored)
	}
	return v.trust
}

// put stores a value in a namespace.
func (r *run) put(ns *namespace, name string, v Value) {
	r.stored = max(r.stored, v.trust)
	ns.set(name, v)
}

// writeParts writes text that knows its origins already.
func (r *run) writeParts(s string, spans []span) {
	base := uint32(len(r.out))
	r.out = append(r.out, s...)
	if r.noSp {
		return
	}
	for _, s := range spans {
		s.end += base
		r.spans = append(r.spans, s)
	}
}

// print writes a value that is not a string as a template shows it.
func (r *run) print(v *Value, at uint32) {
	p := printer{out: r.out, r: r, at: at, limit: r.limits.Output}
	p.value(v, 0)
	r.out = p.out
}

// captureMark is where a capture began.
type captureMark struct{ out, spans, floor int }

func (r *run) beginCapture() captureMark {
	m := captureMark{len(r.out), len(r.spans), r.floor}
	r.floor = len(r.spans)
	return m
}

// endCapture takes what was written since m off the output, as a string whose
// bytes keep their origins.
func (r *run) endCapture(m captureMark, at uint32) Value {
	text := r.out[m.out:]
	r.alloc(len(text), at)
	v := Value{kind: KindString, s: string(text), ref: r.t, org: origin(at, 0), trust: r.t.src.Trust}
	if r.escape {
		v.flags |= safe
	}
	spans := r.spans[m.spans:]
	switch {
	case len(spans) == 1:
		r.single(&v, spans[0])
	case len(spans) > 1:
		r.alloc(16*len(spans), at)
		p := &parts{spans: make([]span, len(spans))}
		var path uint32
		v.trust = 0
		for i, s := range spans {
			s.end -= uint32(m.out)
			p.spans[i] = s
			if i == 0 || s.trust > v.trust || path == 0 && s.trust == v.trust {
				v.trust, path = s.trust, r.spanPath(&s)
			}
		}
		v.ref = p
		v.org = origin(at, path)
	}
	r.dropCapture(m)
	return v
}

// dropCapture throws away what was written since m.
func (r *run) dropCapture(m captureMark) {
	r.out, r.spans, r.floor = r.out[:m.out], r.spans[:m.spans], m.floor
}

// single gives v the one origin that all of its bytes have.
func (r *run) single(v *Value, s span) {
	v.trust = s.trust
	switch s.kind {
	case spanText:
		v.flags |= fromSource
		v.ref, v.org = r.files[s.file], origin(s.at, 0)
	case spanComputed:
		v.ref, v.org = r.files[s.file], origin(s.at, s.path)
	default:
		v.flags |= fromData
		v.ref, v.org = nil, origin(0, r.spanPath(&s))
	}
}

// spanPath is the whole path of a span.
func (r *run) spanPath(s *span) uint32 {
	if s.kind == spanChain {
		return r.follow(r.files[s.file], s.at, s.path)
	}
	return s.path
}

// pathOf is the whole path of a value.
func (r *run) pathOf(v *Value) uint32 {
	if v.flags&chained != 0 && !r.noSp {
		return r.follow(r.t, v.node(), v.path())
	}
	return v.path()
}

// follow adds the names of an attribute chain to the path of its root.
func (r *run) follow(t *Template, id, path uint32) uint32 {
	n := &t.nodes[id]
	if n.op != opGetAttr {
		return path
	}
	return r.trail.name(r.follow(t, n.a, path), t.names[n.c])
}

// keep readies a value for being stored: its path no longer hangs on a node.
func (r *run) keep(v Value) Value {
	if v.flags&chained != 0 {
		v.org = origin(0, r.pathOf(&v))
		v.flags &^= chained
	}
	return v
}

// --- errors

func (r *run) fail(kind ErrorKind, at uint32, message string) {
	panic(r.failure(kind, at, message))
}

func (r *run) failf(kind ErrorKind, at uint32, format string, args ...any) {
	panic(r.failure(kind, at, fmt.Sprintf(format, args...)))
}

// failure makes an error at a node of the current template, with the values of
// the names in the statement and the calls that led to it.
func (r *run) failure(kind ErrorKind, at uint32, message string) *Error {
	n := &r.nodes[at]
	e := r.t.failure(kind, n.pos, n.end, message)
	root := r.stmt
	if root == 0 {
		root = at
	}
	e.Names = r.namesIn(root)
	e.Chain = r.chain()
	return e
}

const (
	maxNames      = 8
	maxShownValue = 60
	maxChain      = 20
)

// namesIn returns the values of the names used in a statement or expression.
func (r *run) namesIn(root uint32) []NamedValue {
	var names []NamedValue
	r.t.walk(root, false, func(id uint32, n *node) bool {
		if len(names) >= maxNames {
			return false
		}
		var v Value
		switch n.op {
		case opLocal, opCaptured, opRoot:
			v = r.peek(id)
		default:
			return true
		}
		name := r.t.names[n.c]
		for _, k := range names {
			if k.Name == name {
				return false
			}
		}
		if v.kind == KindFunction && r.env.globals[name].kind == KindFunction {
			return false
		}
		names = append(names, NamedValue{name, show(v)})
		return false
	})
	return names
}

// show prints a value for an error message.
func show(v Value) string {
	p := printer{limit: maxShownValue}
	if v.IsUndefined() {
		return "undefined"
	}
	p.quoted = true
	p.value(&v, 0)
	s := string(p.out)
	if len(s) > maxShownValue {
		cut := maxShownValue
		for cut > 0 && !utf8.RuneStart(s[cut]) {
			cut--
		}
		s = s[:cut] + "…"
	}
	return s
}

func (r *run) chain() []Site {
	var sites []Site
	for f := r.frame; f != nil && f.caller != nil && len(sites) < maxChain; f = f.caller {
		n := &f.caller.t.nodes[f.callNode]
		line, col := f.caller.t.position(int(n.pos))
		sites = append(sites, Site{What: f.what, Name: f.name, Template: f.caller.t.src.Name, Line: line, Column: col})
	}
	return sites
}

// undefined makes the result of a look-up that found nothing.
func (r *run) undefined(name string, parent *dict, at uint32) Value {
	v := Value{kind: KindUndefined, s: name, org: origin(at, 0), num: uint64(r.indexOf(r.t)) << 8}
	if parent != nil {
		v.ref = parent
		v.num |= 1
	}
	return v
}

func (r *run) indexOf(t *Template) uint16 {
	if t == r.lastFile {
		return r.lastAt
	}
	return r.fileIndex(t)
}

// failUndefined reports the use of an undefined value, at the place that read it.
func (r *run) failUndefined(v *Value, at uint32) {
	if v.s == "" {
		r.fail(ErrUndefined, at, "value is undefined")
	}
	where := at
	if t := r.files[v.num>>8]; t == r.t && v.node() != 0 {
		where = v.node()
	}
	if v.num&1 == 0 {
		e := r.failure(ErrUndefined, where, "undefined variable '"+v.s+"'")
		e.Nearest = nearest(v.s, r.visibleNames())
		panic(e)
	}
	e := r.failure(ErrUndefined, where, "undefined attribute '"+v.s+"'")
	if m, ok := v.ref.(*dict); ok && m != nil {
		var keys []string
		for i := range m.keys {
			if m.keys[i].kind == KindString && len(keys) < 1000 {
				keys = append(keys, m.keys[i].s)
			}
		}
		e.Nearest = nearest(v.s, keys)
	}
	panic(e)
}

// visibleNames lists what a name could have meant here.
func (r *run) visibleNames() []string {
	var names []string
	for f := r.frame; f != nil; f = f.outer {
		for _, s := range f.t.scopes {
			for _, d := range s.decls {
				if s.fn == f.fnIndex && int(d.slot) < len(f.slots) && f.slots[d.slot].kind != kindUnset {
					names = append(names, f.t.names[d.name])
				}
			}
		}
	}
	if r.ctx != nil {
		for i := range r.ctx.keys {
			if r.ctx.keys[i].kind == KindString && i < 1000 {
				names = append(names, r.ctx.keys[i].s)
			}
		}
	}
	return append(names, r.env.globalNames...)
}
