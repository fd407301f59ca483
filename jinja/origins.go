package jinja

import "slices"

// computed gives a new value the place of the expression at, and the label and
// path of the least trusted of what it was computed from.
func (r *run) computed(at uint32, v Value, from ...*Value) Value {
	trust, path := r.t.src.Trust, uint32(0)
	for i, f := range from {
		label := r.label(f)
		if i == 0 || label > trust || path == 0 && label == trust {
			if p := r.pathOf(f); p != 0 {
				path = p
			}
		}
		trust = max(trust, label)
	}
	return r.place(at, v, trust, path)
}

func (r *run) place(at uint32, v Value, trust Trust, path uint32) Value {
	v.trust, v.org = trust, origin(at, path)
	v.flags &= safe | silent
	v.ref = r.t
	return v
}

func (r *run) boolean(at uint32, b bool) Value {
	v := Value{kind: KindBool, ref: r.t, org: origin(at, 0), trust: r.t.src.Trust}
	if b {
		v.num = 1
	}
	return v
}

// slice returns the bytes from lo to hi of a string; each keeps its origin.
func (r *run) slice(v *Value, lo, hi int, at uint32) Value {
	s := v.s[lo:hi]
	if p := v.manyParts(); p != nil {
		return r.slicePart(v, p, lo, hi, at)
	}
	out := *v
	out.s = s
	switch {
	case len(s) == len(v.s):
		return r.keep(out)
	case v.flags&fromSource != 0:
		out.org = origin(v.node()+uint32(lo), 0)
		return out
	}
	return r.computed(at, Value{kind: KindString, s: s, flags: v.flags & safe}, v)
}

func (r *run) slicePart(v *Value, p *parts, lo, hi int, at uint32) Value {
	out := Value{kind: KindString, s: v.s[lo:hi], flags: v.flags & safe, org: origin(at, 0), ref: r.t, trust: r.t.src.Trust}
	first, _ := slices.BinarySearchFunc(p.spans, lo, func(s span, off int) int {
		if int(s.end) <= off {
			return -1
		}
		return 1
	})
	q := &parts{}
	start := 0
	if first > 0 {
		start = int(p.spans[first-1].end)
	}
	var path uint32
	for _, s := range p.spans[first:] {
		if start >= hi {
			break
		}
		cut := start < lo || int(s.end) > hi
		begin, from, to := start, max(start, lo), min(int(s.end), hi)
		start = int(s.end)
		if cut {
			switch s.kind {
			case spanText:
				s.at += uint32(from - begin)
			case spanChain, spanData:
				s = span{at: at, path: r.spanPath(&s), file: r.indexOf(r.t), trust: max(s.trust, r.t.src.Trust), kind: spanComputed}
			}
		}
		s.end = uint32(to - lo)
		q.spans = append(q.spans, s)
		if len(q.spans) == 1 || s.trust > out.trust {
			out.trust, path = s.trust, r.spanPath(&s)
		}
	}
	r.burn(len(q.spans), at)
	r.memoryFor(len(q.spans)*spanSize, at)
	switch len(q.spans) {
	case 0:
		return out
	case 1:
		r.single(&out, q.spans[0])
		return out
	}
	out.ref, out.org = q, origin(at, path)
	return out
}
