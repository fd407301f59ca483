package jinja

import "fmt"

func (c *Call) fail(kind ErrorKind, message string) { panic(c.failure(kind, message)) }

func (c *Call) failf(kind ErrorKind, format string, args ...any) {
	panic(c.failure(kind, fmt.Sprintf(format, args...)))
}

// failure is an error of the call; what is wrong with its arguments is told at the name of
// what is called, behind the value that a filter or a method is of.
func (c *Call) failure(kind ErrorKind, message string) *Error {
	e := c.r.failure(kind, c.at, message)
	if kind == ErrArguments || kind == ErrUnknownFilter || kind == ErrUnknownTest {
		c.r.t.narrow(e, c.at)
	}
	return e
}

// finish complains about named arguments that the callee did not ask for.
func (c *Call) finish() {
	for i := range c.kw {
		if !c.kw[i].used {
			e := c.failure(ErrArguments, c.name+" has no argument '"+shown(c.kw[i].name)+"'")
			e.Nearest = nearest(c.kw[i].name, c.r.asked[c.asked:])
			panic(e)
		}
	}
	c.r.asked = c.r.asked[:c.asked]
}

// most complains about more than n positional arguments, not counting the subject.
func (c *Call) most(n int) {
	if len(c.args)-1 > n && n == 0 {
		c.failf(ErrArguments, "%s takes no arguments, %d given", c.name, len(c.args)-1)
	}
	if len(c.args)-1 > n {
		c.failf(ErrArguments, "%s takes at most %s, %d given", c.name, arguments(n), len(c.args)-1)
	}
}

// arg returns argument i (the subject is 0) or the named one; nil if not given.
func (c *Call) arg(i int, name string) *Value {
	var v *Value
	if i < len(c.args) {
		v = &c.args[i]
	}
	if name != "" && len(c.kw) > 0 {
		c.r.asked = append(c.r.asked, name)
		for k := range c.kw {
			if c.kw[k].name == name {
				if v != nil {
					c.fail(ErrArguments, "argument '"+name+"' is given twice")
				}
				c.kw[k].used = true
				v = &c.kw[k].v
			}
		}
	}
	return v
}

// need returns an argument that must be given.
func (c *Call) need(i int, name string) *Value {
	v := c.arg(i, name)
	if v == nil {
		c.fail(ErrArguments, c.name+" needs the argument '"+name+"'")
	}
	return v
}

// str returns an argument as text: a number prints, a list or map does not.
func (c *Call) str(v *Value) string {
	switch v.kind {
	case KindString:
		return v.s
	case KindBool, KindInt, KindFloat, KindNone, KindUndefined, kindUnset:
		return c.r.textOf(v, c.at)
	}
	e := c.r.failure(ErrType, c.at, c.name+" needs a string, not "+article(v.kind))
	if v.kind == KindList {
		e.Hint = "join the items first, as in | join(', ')"
	}
	panic(e)
}

func (c *Call) strArg(i int, name, def string) string {
	v := c.arg(i, name)
	if v == nil || v.kind == KindNone {
		return def
	}
	if v.kind != KindString {
		c.mismatch(v, name, "a string")
	}
	return v.s
}

func (c *Call) needStr(i int, name string) string {
	v := c.need(i, name)
	if v.kind != KindString {
		c.mismatch(v, name, "a string")
	}
	return v.s
}

func (c *Call) intArg(i int, name string, def int) int {
	v := c.arg(i, name)
	if v == nil || v.kind == KindNone {
		return def
	}
	return c.int(v, name)
}

func (c *Call) int(v *Value, name string) int {
	switch {
	case v.isIntegral():
		return int(int64(v.num))
	case v.kind == KindFloat:
		if f := v.asFloat(); f == float64(int64(f)) {
			return int(f)
		}
	}
	c.mismatch(v, name, "an integer")
	return 0
}

func (c *Call) boolArg(i int, name string, def bool) bool {
	v := c.arg(i, name)
	if v == nil {
		return def
	}
	if v.IsUndefined() {
		c.mismatch(v, name, "a bool")
	}
	return v.truth()
}

func (c *Call) mismatch(v *Value, name, want string) {
	if v.IsUndefined() {
		c.r.checkOperand(v, c.at)
	}
	c.fail(ErrType, "argument '"+name+"' of "+c.name+" must be "+want+", not "+article(v.Kind()))
}

// subject returns what a filter is applied to as text. Undefined is the empty
// text where the mode allows it.
func (c *Call) subject() string { return c.str(&c.args[0]) }

// computed gives a value the place of the call and the label of its arguments.
func (c *Call) computed(v Value) Value {
	r := c.r
	trust, path := r.t.src.Trust, uint32(0)
	for i := range c.args {
		a := &c.args[i]
		label := r.label(a)
		if i == 0 || label > trust || path == 0 && label == trust {
			if p := r.pathOf(a); p != 0 {
				path = p
			}
		}
		trust = max(trust, label)
	}
	for i := range c.kw {
		a := &c.kw[i].v
		label := r.label(a)
		if label > trust && a.path() != 0 {
			path = a.path()
		}
		trust = max(trust, label)
	}
	return r.place(c.at, v, trust, path)
}

// text makes a string of the call and pays for it.
func (c *Call) text(s string) Value {
	c.r.alloc(len(s), c.at)
	return c.computed(Value{kind: KindString, s: s})
}

func (c *Call) int64(n int64) Value { return c.computed(Int(n)) }

func (c *Call) bool(b bool) Value { return c.r.boolean(c.at, b) }

// list makes a list; its items must be paid for.
func (c *Call) list(items []Value) Value { return c.r.list(items, false, c.at) }

// items returns what the subject iterates over, each with its path.
func (c *Call) items(v *Value) []Value {
	items := c.r.iterate(v, c.at)
	base := v.path()
	if v.kind != KindList {
		return items
	}
	c.r.items(len(items), c.at)
	out := make([]Value, len(items))
	for i := range items {
		out[i] = c.r.item(&items[i], base, i)
	}
	return out
}
