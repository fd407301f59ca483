package jinja

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

func filterLength(c *Call) Value {
	c.most(0)
	v := &c.args[0]
	if v.kind == KindString {
		c.r.bytes(len(v.s), c.at)
	}
	n := v.Len()
	if n < 0 {
		if v.IsUndefined() {
			c.r.checkOperand(v, c.at)
			return c.int64(0)
		}
		c.fail(ErrType, article(v.Kind())+" has no length")
	}
	return c.int64(int64(n))
}

func filterFirst(c *Call) Value { c.most(0); return c.end(0) }

func filterLast(c *Call) Value { c.most(0); return c.end(-1) }

// end returns the first (at 0) or last item (at -1).
func (c *Call) end(at int) Value {
	v := &c.args[0]
	switch v.kind {
	case KindString:
		if v.s == "" {
			return c.r.undefinedAttr("first", c.at)
		}
		if at == 0 {
			return c.r.slice(v, 0, runeLenAt(v.s, 0), c.at)
		}
		_, n := utf8.DecodeLastRuneInString(v.s)
		return c.r.slice(v, len(v.s)-n, len(v.s), c.at)
	case KindList:
		items := v.ref.(*list).items
		if len(items) == 0 {
			return c.r.undefinedAttr(c.name, c.at)
		}
		i := 0
		if at < 0 {
			i = len(items) - 1
		}
		return c.r.item(&items[i], v.path(), i)
	case KindMap:
		keys := c.items(v)
		if len(keys) == 0 {
			return c.r.undefinedAttr(c.name, c.at)
		}
		if at < 0 {
			return keys[len(keys)-1]
		}
		return keys[0]
	}
	c.noItems(v)
	return Value{}
}

// noItems reports that v is not what a filter of lists can work on.
func (c *Call) noItems(v *Value) {
	if v.IsUndefined() {
		c.r.failUndefined(v, c.at)
	}
	c.fail(ErrType, c.name+" does not work on "+article(v.Kind()))
}

func filterList(c *Call) Value { c.most(0); return c.list(c.items(&c.args[0])) }

func filterReverse(c *Call) Value {
	c.most(0)
	v := &c.args[0]
	if v.kind == KindString {
		c.r.alloc(len(v.s), c.at)
		return c.computed(Value{kind: KindString, s: everyRune(v.s, utf8.RuneCountInString(v.s)-1, -1, -1)})
	}
	if v.kind != KindList && v.kind != KindMap {
		c.noItems(v)
	}
	items := c.items(v)
	slices.Reverse(items)
	return c.list(items)
}

// extreme returns the smallest or largest item.
func extreme(sign int) func(*Call) Value {
	return func(c *Call) Value {
		c.most(2)
		caseSensitive, attribute := c.boolArg(1, "case_sensitive", false), c.arg(2, "attribute")
		items := c.items(&c.args[0])
		if len(items) == 0 {
			return c.r.undefinedAttr(c.name, c.at)
		}
		keys := c.sortKeys(items, attribute, caseSensitive)
		best := 0
		cmp := comparer{c.r, c.at}
		for i := range keys {
			if sign*cmp.order(&keys[i], &keys[best]) > 0 {
				best = i
			}
		}
		return items[best]
	}
}

// sortKeys returns what items are ordered by.
func (c *Call) sortKeys(items []Value, attribute *Value, caseSensitive bool) []Value {
	c.r.items(len(items), c.at)
	keys := make([]Value, len(items))
	for i := range items {
		keys[i] = items[i]
		if attribute != nil {
			keys[i] = c.attribute(&items[i], attribute)
		}
		if !caseSensitive && keys[i].kind == KindString {
			c.r.bytes(len(keys[i].s), c.at)
			keys[i].s = strings.ToLower(keys[i].s)
		}
	}
	return keys
}

func filterSort(c *Call) Value {
	c.most(3)
	reverse, caseSensitive := c.boolArg(1, "reverse", false), c.boolArg(2, "case_sensitive", false)
	attribute := c.arg(3, "attribute")
	items := c.items(&c.args[0])
	return c.list(c.sorted(items, attribute, caseSensitive, reverse))
}

// sorted orders items by an attribute, or by several separated by commas. It is
// stable, also in reverse.
func (c *Call) sorted(items []Value, attribute *Value, caseSensitive, reverse bool) []Value {
	var columns [][]Value
	if attribute != nil && attribute.kind == KindString && strings.Contains(attribute.s, ",") {
		for _, a := range strings.Split(attribute.s, ",") {
			name := Value{kind: KindString, s: strings.TrimSpace(a)}
			columns = append(columns, c.sortKeys(items, &name, caseSensitive))
		}
	} else {
		columns = append(columns, c.sortKeys(items, attribute, caseSensitive))
	}
	c.r.items(len(items), c.at)
	order := make([]int32, len(items))
	for i := range order {
		order[i] = int32(i)
	}
	cmp := comparer{c.r, c.at}
	slices.SortStableFunc(order, func(a, b int32) int {
		for _, keys := range columns {
			if d := cmp.order(&keys[a], &keys[b]); d != 0 {
				if reverse {
					return -d
				}
				return d
			}
		}
		return 0
	})
	out := make([]Value, len(items))
	for i, j := range order {
		out[i] = items[j]
	}
	return out
}

// attribute follows a path such as a.b.0 from a value.
func (c *Call) attribute(v, attribute *Value) Value {
	if attribute.kind == KindInt {
		return c.r.index(v, attribute, c.at)
	}
	if attribute.kind != KindString {
		c.mismatch(attribute, "attribute", "a string")
	}
	out := *v
	for name := range strings.SplitSeq(attribute.s, ".") {
		key := Value{kind: KindString, s: name}
		if n, err := strconv.Atoi(name); err == nil && out.kind == KindList {
			key = Int(int64(n))
		}
		if out.IsUndefined() {
			return out
		}
		out = c.r.index(&out, &key, c.at)
	}
	return out
}

func filterAttr(c *Call) Value {
	c.most(1)
	return c.r.index(&c.args[0], c.need(1, "name"), c.at)
}

func filterUnique(c *Call) Value {
	c.most(2)
	caseSensitive, attribute := c.boolArg(1, "case_sensitive", false), c.arg(2, "attribute")
	items := c.items(&c.args[0])
	keys := c.sortKeys(items, attribute, caseSensitive)
	seen := make(map[dictKey]bool)
	var compound []Value
	cmp := comparer{c.r, c.at}
	var out []Value
next:
	for i := range items {
		c.r.bytes(len(keys[i].s), c.at)
		if k, ok := keyOf(&keys[i]); ok {
			if seen[k] {
				continue
			}
			c.r.items(2, c.at) // what the map takes
			seen[k] = true
		} else {
			for j := range compound {
				if cmp.equal(&compound[j], &keys[i]) {
					continue next
				}
			}
			compound = c.r.add(compound, keys[i], c.at)
		}
		out = c.r.add(out, items[i], c.at)
	}
	return c.list(out)
}

func filterSum(c *Call) Value {
	c.most(2)
	attribute, start := c.arg(1, "attribute"), c.arg(2, "start")
	items := c.items(&c.args[0])
	sum := c.computed(Int(0))
	if start != nil {
		sum = *start
	}
	for i := range items {
		v := items[i]
		if attribute != nil {
			v = c.attribute(&v, attribute)
		}
		if !v.isNumber() && start == nil {
			if v.IsUndefined() {
				c.r.failUndefined(&v, c.at)
			}
			c.fail(ErrType, "cannot add up "+article(v.kind))
		}
		sum = c.r.binary(tokAdd, &sum, &v, c.at)
	}
	return sum
}

func filterBatch(c *Call) Value {
	c.most(2)
	n := c.int(c.need(1, "linecount"), "linecount")
	fill := c.arg(2, "fill_with")
	if n < 1 {
		c.fail(ErrArguments, "batch needs a count of at least 1")
	}
	items := c.items(&c.args[0])
	var out []Value
	for chunk := range slices.Chunk(items, n) {
		row := slices.Clone(chunk)
		if fill != nil && len(row) < n {
			c.r.items(n-len(row), c.at)
			for len(row) < n {
				row = append(row, *fill)
			}
		}
		c.r.items(len(chunk)+1, c.at)
		out = c.r.add(out, c.list(row), c.at)
	}
	return c.list(out)
}

func filterSlice(c *Call) Value {
	c.most(2)
	n := c.int(c.need(1, "slices"), "slices")
	fill := c.arg(2, "fill_with")
	if n < 1 {
		c.fail(ErrArguments, "slice needs a count of at least 1")
	}
	items := c.items(&c.args[0])
	c.r.items(n, c.at)
	size, extra := len(items)/n, len(items)%n
	out := make([]Value, 0, n)
	at := 0
	for i := range n {
		k := size
		if i < extra {
			k++
		}
		c.r.items(k+1, c.at)
		row := slices.Clone(items[at : at+k])
		at += k
		if fill != nil && i >= extra { // also where nothing is left over, as in MiniJinja and Jinja2
			row = append(row, *fill)
		}
		out = append(out, c.list(row))
	}
	return c.list(out)
}

func filterChain(c *Call) Value {
	if c.args[0].kind == KindMap {
		var pairs []Value
		for i := range c.args {
			m, ok := c.args[i].ref.(*dict)
			if !ok {
				c.fail(ErrType, "cannot chain a map and "+article(c.args[i].Kind()))
			}
			c.r.items(2*len(m.keys), c.at)
			for j := range m.keys {
				k := m.keys[j].value(c.args[i].trust)
				pairs = append(pairs, k, c.r.child(&m.vals[j], c.args[i].path(), &m.keys[j]))
			}
		}
		v, ok := pairsDict(pairs, 0)
		if !ok {
			c.r.failDeep(c.at)
		}
		return v
	}
	var out []Value
	for i := range c.args {
		items := c.items(&c.args[i])
		c.r.items(len(items), c.at)
		out = append(out, items...)
	}
	return c.list(out)
}

func filterZip(c *Call) Value {
	var columns [][]Value
	shortest := -1
	for i := range c.args {
		col := c.items(&c.args[i])
		columns = append(columns, col)
		if shortest < 0 || len(col) < shortest {
			shortest = len(col)
		}
	}
	out := make([]Value, shortest)
	for i := range out {
		c.r.items(len(columns)+1, c.at)
		row := make([]Value, len(columns))
		for j := range columns {
			row[j] = columns[j][i]
		}
		out[i] = c.r.list(row, true, c.at)
	}
	return c.list(out)
}

// pairs returns the entries of a map as tuples of key and value.
func (c *Call) pairs(v *Value) []Value {
	switch v.kind {
	case KindMap:
	case kindNamespace:
		ns := v.ref.(*namespace)
		out := make([]Value, len(ns.names))
		c.r.items(3*len(out), c.at)
		for i, n := range ns.names {
			key := c.computed(Value{kind: KindString, s: n})
			out[i] = c.r.list([]Value{key, ns.vals[i]}, true, c.at)
		}
		return out
	default:
		if v.IsUndefined() {
			c.r.checkOperand(v, c.at)
			return nil
		}
		c.fail(ErrType, c.name+" needs a map, not "+article(v.Kind()))
	}
	m := v.ref.(*dict)
	c.r.items(4*len(m.keys), c.at)
	out := make([]Value, len(m.keys))
	flat := make([]Value, 2*len(m.keys))
	path := v.path()
	for i := range m.keys {
		pair := flat[2*i : 2*i+2 : 2*i+2]
		pair[0] = m.keys[i].value(v.trust)
		pair[0].org = origin(0, path)
		pair[1] = c.r.child(&m.vals[i], path, &m.keys[i])
		out[i] = c.r.list(pair, true, c.at)
	}
	return out
}

func filterItems(c *Call) Value { c.most(0); return c.list(c.pairs(&c.args[0])) }

func filterDictsort(c *Call) Value {
	c.most(3)
	caseSensitive, reverse := c.boolArg(1, "case_sensitive", false), c.boolArg(3, "reverse", false)
	by := Int(0)
	switch s := c.strArg(2, "by", "key"); s {
	case "key":
	case "value":
		by = Int(1)
	default:
		c.fail(ErrArguments, "dictsort sorts by \"key\" or \"value\", not by "+strconv.Quote(shown(s)))
	}
	pairs := c.pairs(&c.args[0])
	c.r.items(len(pairs), c.at)
	return c.list(c.sorted(pairs, &by, caseSensitive, reverse))
}
