package jinja

import (
	"math"
	"math/bits"
	"strings"
	"unicode/utf8"
)

func (r *run) sign(id uint32, n *node) Value {
	v := r.eval(n.a)
	switch {
	case v.kind == KindUndefined:
		r.failUndefined(&v, n.a)
	case v.kind == KindFloat:
		f := v.asFloat()
		if n.op == opNeg {
			f = -f
		}
		return r.computed(id, Float(f), &v)
	case v.isIntegral():
		if n.op == opPos {
			return r.computed(id, Int(int64(v.num)), &v)
		}
		if int64(v.num) == math.MinInt64 {
			r.fail(ErrArithmetic, id, "-"+v.String()+" does not fit into 64 bits")
		}
		return r.computed(id, Int(-int64(v.num)), &v)
	}
	r.fail(ErrType, id, "cannot negate "+article(v.kind))
	return Value{}
}

func (r *run) binary(op tok, a, b *Value, id uint32) Value {
	if a.kind == KindInt && b.kind == KindInt || a.isIntegral() && b.isIntegral() {
		return r.computed(id, r.intOp(op, int64(a.num), int64(b.num), id), a, b)
	}
	if a.isNumber() && b.isNumber() {
		return r.computed(id, Float(r.floatOp(op, a.asFloat(), b.asFloat(), id)), a, b)
	}
	switch {
	case op == tokAdd && a.kind == KindString && b.kind == KindString:
		m := r.beginCapture()
		r.write(a, id)
		r.write(b, id)
		return r.endCapture(m, id)
	case op == tokAdd && a.kind == KindList && b.kind == KindList:
		return r.joined(a, b, id)
	case op == tokMod && a.kind == KindString:
		return r.percentFormat(a, b, id)
	case op == tokMul && a.isIntegral():
		return r.repeat(b, a, id)
	case op == tokMul && b.isIntegral():
		return r.repeat(a, b, id)
	}
	for _, v := range []*Value{a, b} {
		if v.IsUndefined() {
			r.failUndefined(v, id)
		}
	}
	r.failf(ErrType, id, "cannot use %s on %s and %s", tokNames[op], article(a.kind), article(b.kind))
	return Value{}
}

func (r *run) intOp(op tok, a, b int64, id uint32) Value {
	overflow := func() {
		r.failf(ErrArithmetic, id, "%d %s %d does not fit into 64 bits", a, strings.Trim(tokNames[op], "'"), b)
	}
	switch op {
	case tokAdd:
		c := a + b
		if (c > a) != (b > 0) {
			overflow()
		}
		return Int(c)
	case tokSub:
		c := a - b
		if (c < a) != (b > 0) {
			overflow()
		}
		return Int(c)
	case tokMul:
		c, ok := multiply(a, b)
		if !ok {
			overflow()
		}
		return Int(c)
	case tokDiv:
		if b == 0 {
			r.failf(ErrArithmetic, id, "%d / 0 divides by zero", a)
		}
		return Float(float64(a) / float64(b))
	case tokFloorDiv, tokMod:
		if b == 0 {
			r.failf(ErrArithmetic, id, "%d %s 0 divides by zero", a, strings.Trim(tokNames[op], "'"))
		}
		if a == math.MinInt64 && b == -1 {
			if op == tokMod {
				return Int(0)
			}
			overflow()
		}
		// Euclidean: the remainder is never negative.
		q, m := a/b, a%b
		if m < 0 {
			if b > 0 {
				q, m = q-1, m+b
			} else {
				q, m = q+1, m-b
			}
		}
		if op == tokMod {
			return Int(m)
		}
		return Int(q)
	default: // tokPow
		if b < 0 {
			r.failf(ErrArithmetic, id, "%d ** %d has a negative exponent; write one of them as a float", a, b)
		}
		c := int64(1)
		ok := true
		for base, n := a, b; n > 0; n >>= 1 {
			if n&1 != 0 {
				if c, ok = multiply(c, base); !ok {
					overflow()
				}
			}
			if n > 1 {
				if base, ok = multiply(base, base); !ok {
					overflow()
				}
			}
		}
		return Int(c)
	}
}

func multiply(a, b int64) (int64, bool) {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	if a < 0 {
		hi -= uint64(b)
	}
	if b < 0 {
		hi -= uint64(a)
	}
	c := int64(lo)
	return c, int64(hi) == c>>63
}

func (r *run) floatOp(op tok, a, b float64, id uint32) float64 {
	switch op {
	case tokAdd:
		return a + b
	case tokSub:
		return a - b
	case tokMul:
		return a * b
	case tokPow:
		return math.Pow(a, b)
	}
	if b == 0 {
		r.failf(ErrArithmetic, id, "%s %s 0 divides by zero", string(appendFloat(nil, a)), strings.Trim(tokNames[op], "'"))
	}
	if op == tokDiv {
		return a / b
	}
	m := math.Mod(a, b)
	if m < 0 {
		m += math.Abs(b)
	}
	if op == tokMod {
		return m
	}
	return (a - m) / b
}

// percentFormat is Python's "%s of %d" % (a, b): the format filter by an operator.
func (r *run) percentFormat(pattern, v *Value, id uint32) Value {
	args := []Value{*pattern, *v}
	if l, ok := v.ref.(*list); ok && l.tuple {
		r.items(len(l.items), id)
		args = args[:1]
		for i := range l.items {
			args = append(args, r.item(&l.items[i], v.path(), i))
		}
	}
	return filterFormat(&Call{r: r, at: id, name: "format", args: args})
}

func (r *run) joined(a, b *Value, id uint32) Value {
	la, lb := a.ref.(*list), b.ref.(*list)
	r.items(len(la.items)+len(lb.items), id)
	items := make([]Value, 0, len(la.items)+len(lb.items))
	for i := range la.items {
		items = append(items, r.item(&la.items[i], a.path(), i))
	}
	for i := range lb.items {
		items = append(items, r.item(&lb.items[i], r.pathOf(b), i))
	}
	return r.list(items, la.tuple && lb.tuple, id)
}

// repeat is v * count, for a string or list; a count below 0 counts as 0.
func (r *run) repeat(v, count *Value, id uint32) Value {
	n := int(max(0, int64(count.num)))
	switch v.kind {
	case KindString:
		if len(v.s) > 0 && n > r.limits.Value/len(v.s) {
			r.failf(ErrValueSize, id, "%d × %d bytes is larger than the limit of %d", n, len(v.s), r.limits.Value)
		}
		r.alloc(n*len(v.s), id)
		return r.computed(id, Value{kind: KindString, s: strings.Repeat(v.s, n)}, v, count)
	case KindList:
		l := v.ref.(*list)
		if len(l.items) > 0 && n > r.limits.Memory/valueSize/len(l.items) {
			r.failf(ErrValueSize, id, "%d × %d items take more than the limit of %d bytes", n, len(l.items), r.limits.Memory)
		}
		if len(l.items) == 0 {
			n = 0
		}
		r.items(n*len(l.items), id)
		items := make([]Value, 0, n*len(l.items))
		base := r.pathOf(v)
		for range n {
			for i := range l.items {
				items = append(items, r.item(&l.items[i], base, i))
			}
		}
		return r.list(items, l.tuple, id)
	}
	if v.IsUndefined() {
		r.failUndefined(v, id)
	}
	r.failf(ErrType, id, "cannot use '*' on %s and %s", article(v.kind), article(count.kind))
	return Value{}
}

func (r *run) sliced(id uint32, n *node) Value {
	obj := r.keep(r.eval(n.a))
	var bound [3]*int64
	var args [3]Value
	for i, k := range r.t.kids[n.b : n.b+3] {
		if k == 0 {
			continue
		}
		args[i] = r.eval(k)
		switch v := &args[i]; {
		case v.kind == KindNone:
		case v.isIntegral():
			x := int64(v.num)
			bound[i] = &x
		case v.IsUndefined():
			r.failUndefined(v, k)
		default:
			r.fail(ErrType, k, "cannot slice by "+article(v.kind))
		}
	}
	step := int64(1)
	if bound[2] != nil {
		step = *bound[2]
	}
	if step == 0 {
		r.fail(ErrArithmetic, id, "cannot slice by steps of 0")
	}
	switch obj.kind {
	case KindString:
		size := utf8.RuneCountInString(obj.s)
		r.bytes(len(obj.s), id)
		lo, hi := sliceBounds(bound[0], bound[1], step, size)
		if step == 1 {
			if lo >= hi {
				return r.slice(&obj, 0, 0, id)
			}
			from := runeOffset(obj.s, lo)
			return r.slice(&obj, from, from+runeOffset(obj.s[from:], hi-lo), id)
		}
		r.alloc(len(obj.s), id)
		return r.computed(id, Value{kind: KindString, s: everyRune(obj.s, lo, hi, step)}, &obj)
	case KindList:
		l := obj.ref.(*list)
		lo, hi := sliceBounds(bound[0], bound[1], step, len(l.items))
		var items []Value
		base := obj.path()
		for i := lo; step > 0 && i < hi || step < 0 && i > hi; i = clampAdd(i, step) {
			items = r.add(items, r.item(&l.items[i], base, i), id)
		}
		return r.list(items, l.tuple, id)
	case KindUndefined, kindUnset:
		if r.env.opts.Undefined <= SemiStrict && obj.flags&silent == 0 {
			r.failUndefined(&obj, n.a)
		}
		return r.list(nil, false, id)
	case KindNone:
		return r.list(nil, false, id)
	}
	r.fail(ErrType, id, "cannot slice "+article(obj.kind))
	return Value{}
}

// everyRune returns the code points of s from number lo on by steps, up to hi.
func everyRune(s string, lo, hi int, step int64) string {
	var b strings.Builder
	off := runeOffset(s, max(0, lo))
	for i := lo; step > 0 && i < hi || step < 0 && i > hi; i = clampAdd(i, step) {
		if b.Len() == 0 {
			b.Grow(len(s))
		}
		b.WriteString(s[off : off+runeLenAt(s, off)])
		for n := step; n > 0 && off < len(s); n-- {
			off += runeLenAt(s, off)
		}
		for n := step; n < 0 && off > 0; n++ {
			_, size := utf8.DecodeLastRuneInString(s[:off])
			off -= size
		}
	}
	return b.String()
}

func clampAdd(i int, step int64) int {
	if step > math.MaxInt32 || step < -math.MaxInt32 {
		if step > 0 {
			return math.MaxInt
		}
		return math.MinInt
	}
	return i + int(step)
}

// sliceBounds resolves the bounds of a slice as Python does.
func sliceBounds(start, stop *int64, step int64, size int) (lo, hi int) {
	clamp := func(p *int64, def, low, high int64) int64 {
		if p == nil {
			return def
		}
		x := *p
		if x < 0 {
			x += int64(size)
		}
		return min(max(x, low), high)
	}
	n := int64(size)
	if step > 0 {
		return int(clamp(start, 0, 0, n)), int(clamp(stop, n, 0, n))
	}
	return int(clamp(start, n-1, -1, n-1)), int(clamp(stop, -1, -1, n-1))
}
