package jinja

import "strconv"

// push notes the origin of what was written since the last span, which must be
// at least a byte, of the current template, and never part of a larger span.
func (r *run) push(kind spanKind, at, path uint32, trust Trust) {
	if r.noSp {
		return
	}
	if r.t != r.lastFile {
		r.fileIndex(r.t)
	}
	if len(r.spans) == cap(r.spans) {
		r.growSpans()
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
	if len(r.spans) == cap(r.spans) {
		r.growSpans()
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

// room checks that n more bytes fit into the output, and pays for them. The
// capacity of the output never exceeds its limit.
func (r *run) room(n int, at uint32) {
	if len(r.out)+n > cap(r.out) {
		r.growOut(n, at)
	}
	r.fuel -= n >> 6
}

func (r *run) growOut(n int, at uint32) {
	if len(r.out)+n > r.limits.Output {
		r.fail(ErrOutputSize, at, "output is larger than the limit of "+itoa(r.limits.Output)+" bytes")
	}
	out := make([]byte, len(r.out), min(r.limits.Output, max(1024, 2*cap(r.out), len(r.out)+n)))
	copy(out, r.out)
	r.out = out
}

// growSpans doubles the memory for spans, up to the share of the limit that is theirs.
func (r *run) growSpans() {
	limit := r.limits.spans()
	if len(r.spans) >= limit {
		r.fail(ErrValueSize, r.stmt, "output consists of more than "+itoa(limit)+" parts")
	}
	spans := make([]span, len(r.spans), min(limit, max(64, 2*cap(r.spans))))
	copy(spans, r.spans)
	r.spans = spans
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
	if v.kind == kindNamespace || v.flags&mutable != 0 {
		return max(v.trust, r.stored)
	}
	return v.trust
}

// setAttribute stores a value in a namespace.
func (r *run) setAttribute(ns *namespace, name string, v Value) {
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
		if len(r.spans) == cap(r.spans) {
			r.growSpans()
		}
		r.spans = append(r.spans, s)
	}
}

// print writes a value that is not a string as a template shows it.
func (r *run) print(v *Value, at uint32) {
	p := printer{out: r.out, r: r, at: at, limit: r.limits.Output}
	p.value(v, 0)
	p.within(0)
	r.out = p.out[:len(p.out):min(cap(p.out), r.limits.Output)]
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
		r.memoryFor(len(spans)*spanSize, at)
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
	return r.pathName(r.follow(t, n.a, path), t.names[n.c])
}

// keep readies a value for being stored: its path no longer hangs on a node.
func (r *run) keep(v Value) Value {
	if v.flags&chained != 0 {
		v.org = origin(0, r.pathOf(&v))
		v.flags &^= chained
	}
	return v
}
