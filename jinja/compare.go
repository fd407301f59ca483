package jinja

import (
	"cmp"
	"math"
	"strings"
)

// comparer compares values and pays for what it visits. Without a run it is free
// of charge and of errors.
type comparer struct {
	r  *run
	at uint32
}

func (c comparer) pay(n int) {
	if c.r != nil {
		c.r.burn(n, c.at)
	}
}

// equal reports whether two values are the same. Numbers compare by value, a
// bool as 0 or 1; a list equals a tuple of equal items.
func (c comparer) equal(a, b *Value) bool {
	c.pay(1)
	switch {
	case a.isNumber() && b.isNumber():
		if a.kind != KindFloat && b.kind != KindFloat {
			return a.num == b.num
		}
		return compareNumbers(a, b) == 0
	case a.Kind() != b.Kind():
		return false
	}
	switch a.kind {
	case KindString:
		c.pay(min(len(a.s), len(b.s)) >> 6)
		return a.s == b.s
	case KindList:
		x, y := a.ref.(*list).items, b.ref.(*list).items
		if len(x) != len(y) {
			return false
		}
		for i := range x {
			if !c.equal(&x[i], &y[i]) {
				return false
			}
		}
		return true
	case KindMap:
		x, y := a.ref.(*dict), b.ref.(*dict)
		if len(x.vals) != len(y.vals) {
			return false
		}
		for i := range x.keys {
			j := y.findKey(x.keys[i])
			if j < 0 || !c.equal(&x.vals[i], &y.vals[j]) {
				return false
			}
		}
		return true
	case KindFunction, kindNamespace, kindObject:
		return a.ref == b.ref
	}
	return true
}

// order is a total order over all values: undefined, none, numbers, strings,
// lists, maps, the rest.
func (c comparer) order(a, b *Value) int {
	c.pay(1)
	if a.isNumber() && b.isNumber() {
		return compareNumbers(a, b)
	}
	if d := cmp.Compare(rank(a), rank(b)); d != 0 {
		return d
	}
	switch a.kind {
	case KindString:
		c.pay(min(len(a.s), len(b.s)) >> 6)
		return strings.Compare(a.s, b.s)
	case KindList:
		x, y := a.ref.(*list).items, b.ref.(*list).items
		for i := range min(len(x), len(y)) {
			if d := c.order(&x[i], &y[i]); d != 0 {
				return d
			}
		}
		return cmp.Compare(len(x), len(y))
	case KindMap:
		x, y := a.ref.(*dict), b.ref.(*dict)
		for i := range min(len(x.keys), len(y.keys)) {
			k, l := x.keys[i].value(0), y.keys[i].value(0)
			if d := c.order(&k, &l); d != 0 {
				return d
			}
			if d := c.order(&x.vals[i], &y.vals[i]); d != 0 {
				return d
			}
		}
		return cmp.Compare(len(x.keys), len(y.keys))
	}
	return 0
}

func rank(v *Value) int {
	switch v.kind {
	case kindUnset, KindUndefined:
		return 0
	case KindNone:
		return 1
	case KindBool, KindInt, KindFloat:
		return 2
	default:
		return int(v.kind)
	}
}

// compareNumbers compares exactly, also an int with a float near 2**63. NaN is
// below everything and equal to itself, so that sorting stays well defined.
func compareNumbers(a, b *Value) int {
	if a.kind != KindFloat && b.kind != KindFloat {
		return cmp.Compare(int64(a.num), int64(b.num))
	}
	if a.kind == KindFloat && b.kind == KindFloat {
		return cmp.Compare(a.asFloat(), b.asFloat())
	}
	if a.kind == KindFloat {
		return -compareNumbers(b, a)
	}
	n, f := int64(a.num), b.asFloat()
	switch {
	case math.IsNaN(f):
		return 1
	case f >= 1<<63:
		return -1
	case f < -1<<63:
		return 1
	}
	whole := math.Floor(f)
	if d := cmp.Compare(n, int64(whole)); d != 0 {
		return d
	}
	if f > whole {
		return -1
	}
	return 0
}

// compares evaluates a < b < c: each operand once, stopping at the first
// comparison that does not hold.
func (r *run) compares(id uint32, n *node) bool {
	kids := r.t.kids[n.a : n.a+n.b]
	if len(kids) == 3 && kids[1] <= cmpNe {
		// The common x.kind == "text" takes no copy of a value.
		if a, b := r.operand(kids[0]), r.operand(kids[2]); a != nil && b != nil && a.kind == KindString && b.kind == KindString {
			r.bytes(min(len(a.s), len(b.s)), id)
			return (a.s == b.s) == (kids[1] == cmpEq)
		}
	}
	return r.compareInTurn(id, kids)
}

func (r *run) compareInTurn(id uint32, kids []uint32) bool {
	left := r.keep(r.eval(kids[0]))
	r.checkOperand(&left, kids[0])
	for i := 1; i < len(kids); i += 2 {
		right := r.keep(r.eval(kids[i+1]))
		r.checkOperand(&right, kids[i+1])
		if !r.holds(kids[i], &left, &right, id) {
			return false
		}
		left = right
	}
	return true
}

func (r *run) checkOperand(v *Value, at uint32) {
	if v.kind <= KindUndefined && v.flags&silent == 0 && r.env.opts.Undefined <= SemiStrict {
		r.failUndefined(v, at)
	}
}

func (r *run) holds(op uint32, a, b *Value, id uint32) bool {
	c := comparer{r, id}
	switch op {
	case cmpEq:
		return c.equal(a, b)
	case cmpNe:
		return !c.equal(a, b)
	case cmpLt:
		return c.order(a, b) < 0
	case cmpLe:
		return c.order(a, b) <= 0
	case cmpGt:
		return c.order(a, b) > 0
	case cmpGe:
		return c.order(a, b) >= 0
	case cmpIn:
		return r.contains(b, a, id)
	default:
		return !r.contains(b, a, id)
	}
}

// contains reports whether item is in v: an item of a list, a key of a map, a
// part of a string.
func (r *run) contains(v, item *Value, id uint32) bool {
	switch v.kind {
	case KindString:
		r.bytes(len(v.s), id)
		if item.kind == KindString {
			return strings.Contains(v.s, item.s)
		}
		return strings.Contains(v.s, r.textOf(item, id))
	case KindList:
		c := comparer{r, id}
		items := v.ref.(*list).items
		for i := range items {
			if c.equal(&items[i], item) {
				return true
			}
		}
		return false
	case KindMap:
		r.bytes(len(item.s), id)
		k, ok := keyOf(item)
		return ok && v.ref.(*dict).findKey(k) >= 0
	case kindNamespace:
		return item.kind == KindString && v.ref.(*namespace).get(item.s) != nil
	case KindUndefined, kindUnset:
		r.checkOperand(v, id)
		return false
	}
	r.fail(ErrType, id, "cannot look for something in "+article(v.kind))
	return false
}

// textOf prints a value that is not going to be printed itself.
func (r *run) textOf(v *Value, at uint32) string {
	switch v.kind {
	case KindString:
		return v.s
	case KindUndefined, kindUnset:
		r.checkOperand(v, at)
		return ""
	}
	p := printer{r: r, at: at, limit: r.limits.Value}
	p.value(v, 0)
	r.alloc(len(p.out), at)
	return string(p.out)
}
