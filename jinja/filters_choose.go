package jinja

import "slices"

// choose is select, reject, selectattr and rejectattr.
func choose(keep, byAttr bool) func(*Call) Value {
	return func(c *Call) Value {
		next := 1
		var attribute *Value
		if byAttr {
			attribute = c.need(1, "")
			next = 2
		}
		holds := c.predicate(next)
		var out []Value
		for _, item := range c.items(&c.args[0]) {
			v := item
			if attribute != nil {
				v = c.attribute(&item, attribute)
			}
			if holds(v) == keep {
				out = c.r.add(out, item, c.at)
			}
		}
		return c.list(out)
	}
}

// predicate returns the test that the arguments from i on name, or truth.
func (c *Call) predicate(i int) func(Value) bool {
	if i >= len(c.args) {
		return func(v Value) bool {
			if v.kind <= KindUndefined {
				return false
			}
			return v.truth()
		}
	}
	name := c.needStr(i, "test")
	f := c.r.env.tests[name]
	if f == nil {
		e := c.failure(ErrUnknownTest, "unknown test '"+shown(name)+"'")
		c.r.env.meantTest(e, name)
		panic(e)
	}
	rest := c.args[i+1:]
	return func(v Value) bool {
		out := c.sub(f, v, rest, nil)
		return out.truth()
	}
}

// sub calls a filter or test over an item, with arguments taken from this call.
func (c *Call) sub(f *callable, v Value, rest []Value, kw []keyword) Value {
	r := c.r
	base := len(r.argv)
	r.argv = append(append(r.argv, v), rest...)
	if r.ncalls == len(r.calls) {
		r.calls = append(r.calls, new(Call))
	}
	d := r.calls[r.ncalls]
	r.ncalls++
	*d = Call{r: r, at: c.at, name: f.name, args: r.argv[base:], kw: kw, asked: len(r.asked)}
	out := r.invoke(f, d)
	r.ncalls--
	r.argv = r.argv[:base]
	return out
}

func filterMap(c *Call) Value {
	items := c.items(&c.args[0])
	c.r.items(len(items), c.at)
	out := make([]Value, len(items))
	if attribute := c.arg(len(c.args), "attribute"); attribute != nil {
		if len(c.args) > 1 {
			c.fail(ErrArguments, "map takes either a filter or an attribute")
		}
		def := c.arg(len(c.args), "default")
		for i := range items {
			out[i] = c.attribute(&items[i], attribute)
			if out[i].IsUndefined() && def != nil {
				out[i] = *def
			}
		}
		return c.list(out)
	}
	name := c.needStr(1, "")
	f := c.r.env.filters[name]
	if f == nil {
		e := c.failure(ErrUnknownFilter, "unknown filter '"+shown(name)+"'")
		c.r.env.meantFilter(e, name)
		panic(e)
	}
	kw := slices.Clone(c.kw)
	rest := slices.Clone(c.args[2:])
	c.kw = nil
	for i := range items {
		out[i] = c.sub(f, items[i], rest, kw)
	}
	return c.list(out)
}

func filterGroupby(c *Call) Value {
	c.most(3)
	attribute, def := c.need(1, "attribute"), c.arg(2, "default")
	caseSensitive := c.boolArg(3, "case_sensitive", false)
	items := c.items(&c.args[0])
	c.r.items(2*len(items), c.at)
	keys := make([]Value, len(items))
	pairs := make([]Value, len(items))
	for i := range items {
		keys[i] = c.attribute(&items[i], attribute)
		if keys[i].IsUndefined() && def != nil {
			keys[i] = *def
		}
		c.r.items(3, c.at)
		pairs[i] = c.r.list([]Value{keys[i], items[i]}, true, c.at)
	}
	zero := Int(0)
	pairs = c.sorted(pairs, &zero, caseSensitive, false)
	var out, group []Value
	var key, folded Value
	flush := func() {
		if len(group) > 0 {
			out = c.r.add(out, c.group(key, c.list(group)), c.at)
		}
		group = nil
	}
	cmp := comparer{c.r, c.at}
	for _, p := range pairs {
		k, item := p.Index(0), p.Index(1)
		f := c.sortKeys([]Value{k}, nil, caseSensitive)[0]
		if len(group) == 0 || !cmp.equal(&f, &folded) {
			flush()
			key, folded = k, f
		}
		group = c.r.add(group, item, c.at)
	}
	flush()
	return c.list(out)
}

// group is a tuple whose items are also found as grouper and list.
func (c *Call) group(key, items Value) Value {
	c.r.items(4, c.at)
	v := c.r.list([]Value{key, items}, true, c.at)
	v.ref.(*list).group = true
	return v
}

// member returns the item of a group that has a name, or nil.
func (l *list) member(name string) *Value {
	switch {
	case l.group && name == "grouper":
		return &l.items[0]
	case l.group && name == "list":
		return &l.items[1]
	}
	return nil
}
