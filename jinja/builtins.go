package jinja

import (
	"math"
	"strings"
	"unicode"
)

var (
	builtinFilters   map[string]*callable
	builtinTests     map[string]*callable
	builtinFunctions map[string]func(*Call) Value
)

func init() {
	builtinFilters = table(map[string]func(*Call) Value{
		"abs": filterAbs, "attr": filterAttr, "batch": filterBatch, "bool": filterBool, "capitalize": filterCapitalize,
		"center": filterCenter, "chain": filterChain, "count": filterLength, "d": filterDefault, "default": filterDefault,
		"dictsort": filterDictsort, "e": filterEscape, "escape": filterEscape, "filesizeformat": filterFilesizeformat,
		"first": filterFirst, "float": filterFloat, "format": filterFormat, "groupby": filterGroupby, "indent": filterIndent,
		"int": filterInt, "items": filterItems, "join": filterJoin, "last": filterLast, "length": filterLength,
		"lines": filterLines, "list": filterList, "lower": filterLower, "map": filterMap, "max": extreme(1), "min": extreme(-1),
		"pluralize": filterPluralize, "pprint": filterPprint, "reject": choose(false, false), "rejectattr": choose(false, true),
		"replace": filterReplace, "reverse": filterReverse, "round": filterRound, "safe": filterSafe, "select": choose(true, false),
		"selectattr": choose(true, true), "slice": filterSlice, "sort": filterSort, "split": filterSplit, "string": filterString,
		"striptags": filterStriptags, "sum": filterSum, "title": filterTitle, "tojson": filterToJSON, "trim": filterTrim,
		"truncate": filterTruncate, "unique": filterUnique, "upper": filterUpper, "urlencode": filterURLEncode,
		"wordcount": filterWordcount, "wordwrap": filterWordwrap, "zip": filterZip,
	})
	builtinFilters["join"].fast = fastJoin
	builtinTests = table(map[string]func(*Call) Value{
		"boolean": kindTest(KindBool), "defined": func(c *Call) Value { c.most(0); return c.bool(!c.args[0].IsUndefined()) },
		"undefined": func(c *Call) Value { c.most(0); return c.bool(c.args[0].IsUndefined()) },
		"none":      kindTest(KindNone), "string": kindTest(KindString), "mapping": kindTest(KindMap), "float": kindTest(KindFloat),
		"integer": kindTest(KindInt), "int": kindTest(KindInt), "sequence": testSequence, "callable": kindTest(KindFunction),
		"number":   func(c *Call) Value { c.most(0); return c.bool(c.args[0].isNumber()) },
		"iterable": testIterable, "odd": parity(1), "even": parity(0), "divisibleby": testDivisibleby,
		"true":         isBool(1),
		"false":        isBool(0),
		"safe":         testSafe,
		"escaped":      testSafe,
		"startingwith": func(c *Call) Value { c.testText(); return c.affix(strings.HasPrefix) },
		"endingwith":   func(c *Call) Value { c.testText(); return c.affix(strings.HasSuffix) },
		"lower":        caseTest(unicode.IsLower, unicode.IsUpper), "upper": caseTest(unicode.IsUpper, unicode.IsLower),
		"sameas": testSameas,
		"eq":     comparison(cmpEq), "equalto": comparison(cmpEq), "ne": comparison(cmpNe),
		"lt": comparison(cmpLt), "lessthan": comparison(cmpLt), "le": comparison(cmpLe),
		"gt": comparison(cmpGt), "greaterthan": comparison(cmpGt), "ge": comparison(cmpGe), "in": comparison(cmpIn),
		"==": comparison(cmpEq), "!=": comparison(cmpNe), "<": comparison(cmpLt), "<=": comparison(cmpLe), ">": comparison(cmpGt), ">=": comparison(cmpGe),
		"filter": func(c *Call) Value { c.most(0); return c.bool(c.r.env.filters[c.args[0].s] != nil) },
		"test":   func(c *Call) Value { c.most(0); return c.bool(c.r.env.tests[c.args[0].s] != nil) },
	})
	builtinFunctions = map[string]func(*Call) Value{
		"range": functionRange, "dict": functionDict, "namespace": functionNamespace, "debug": functionDebug,
		"cycler": functionCycler, "joiner": functionJoiner,
	}
}

func table(fns map[string]func(*Call) Value) map[string]*callable {
	t := make(map[string]*callable, len(fns))
	for name, fn := range fns {
		t[name] = &callable{name: name, builtin: fn}
	}
	return t
}

func kindTest(k Kind) func(*Call) Value {
	return func(c *Call) Value {
		c.most(0)
		return c.bool(c.args[0].kind == k || k == KindMap && c.args[0].kind == kindNamespace)
	}
}

func isBool(b uint64) func(*Call) Value {
	return func(c *Call) Value {
		c.most(0)
		return c.bool(c.args[0].kind == KindBool && c.args[0].num == b)
	}
}

func testSafe(c *Call) Value {
	c.most(0)
	return c.bool(c.args[0].flags&safe != 0)
}

// testSequence holds for what has a length and items, as in Jinja2: also for a
// string and a map.
func testSequence(c *Call) Value {
	c.most(0)
	switch c.args[0].kind {
	case KindString, KindList, KindMap:
		return c.bool(true)
	case KindUndefined:
		return c.bool(c.r.env.opts.Undefined >= Lenient)
	}
	return c.bool(false)
}

// testIterable holds for what a loop takes, but none: published templates ask for
// it before they loop over what Jinja2 can loop over.
func testIterable(c *Call) Value {
	c.most(0)
	switch c.args[0].kind {
	case KindString, KindList, KindMap, kindNamespace:
		return c.bool(true)
	case KindUndefined:
		return c.bool(c.r.env.opts.Undefined >= Lenient)
	}
	return c.bool(false)
}

func parity(want uint64) func(*Call) Value {
	return func(c *Call) Value {
		c.most(0)
		v := &c.args[0]
		c.r.checkOperand(v, c.at)
		if v.kind == KindFloat {
			f := v.asFloat()
			return c.bool(math.Trunc(f) == f && math.Mod(math.Abs(f), 2) == float64(want))
		}
		return c.bool(v.isIntegral() && v.num&1 == want)
	}
}

func testDivisibleby(c *Call) Value {
	c.most(1)
	v, by := &c.args[0], c.need(1, "num")
	c.r.checkOperand(v, c.at)
	if !v.isIntegral() || !by.isIntegral() {
		if !v.isNumber() || !by.isNumber() {
			return c.bool(false)
		}
		return c.bool(by.asFloat() != 0 && c.r.floatOp(tokMod, v.asFloat(), by.asFloat(), c.at) == 0)
	}
	return c.bool(by.num != 0 && (int64(by.num) == -1 || int64(v.num)%int64(by.num) == 0))
}

func (c *Call) testText() {
	if c.args[0].kind != KindString {
		c.mismatch(&c.args[0], "value", "a string")
	}
}

// caseTest holds for a string with a character of one case and none of the other,
// as in Python: characters without a case don't count.
func caseTest(one, other func(rune) bool) func(*Call) Value {
	return func(c *Call) Value {
		c.most(0)
		v := &c.args[0]
		c.r.bytes(len(v.s), c.at)
		return c.bool(v.kind == KindString && strings.IndexFunc(v.s, one) >= 0 && strings.IndexFunc(v.s, other) < 0)
	}
}

// testSameas: equal and of one type; containers must be one and the same.
func testSameas(c *Call) Value {
	c.most(1)
	a, b := &c.args[0], c.need(1, "other")
	if a.kind != b.kind {
		return c.bool(false)
	}
	if a.kind >= KindList {
		return c.bool(a.ref == b.ref)
	}
	return c.bool(comparer{c.r, c.at}.equal(a, b))
}

func comparison(op uint32) func(*Call) Value {
	return func(c *Call) Value {
		c.most(1)
		a, b := &c.args[0], c.need(1, "other")
		c.r.checkOperand(a, c.at)
		c.r.checkOperand(b, c.at)
		return c.bool(c.r.holds(op, a, b, c.at))
	}
}

// maxRange bounds what range makes, as MiniJinja documents.
const maxRange = 100_000

func functionRange(c *Call) Value {
	c.args = c.args[:len(c.args):len(c.args)]
	if len(c.args) > 3 {
		c.failf(ErrArguments, "range takes at most 3 arguments, %d given", len(c.args))
	}
	lo, hi, step := 0, c.int(c.need(0, "stop"), "stop"), 1
	if len(c.args) > 1 {
		lo, hi = hi, c.int(&c.args[1], "upper")
	}
	if len(c.args) > 2 {
		step = c.int(&c.args[2], "step")
	}
	if step == 0 {
		c.fail(ErrArithmetic, "range cannot take steps of 0")
	}
	if step > 1<<40 || step < -1<<40 || lo > 1<<60 || lo < -1<<60 || hi > 1<<60 || hi < -1<<60 {
		c.fail(ErrValueSize, "range is too wide")
	}
	n := 0
	if step > 0 && hi > lo {
		n = (hi - lo + step - 1) / step
	} else if step < 0 && hi < lo {
		n = (lo - hi - step - 1) / -step
	}
	if n > maxRange {
		c.failf(ErrValueSize, "range of %d items is larger than the limit of %d", n, maxRange)
	}
	c.r.items(n, c.at)
	items := make([]Value, n)
	v := c.int64(0)
	for i := range items {
		v.num = uint64(int64(lo + i*step))
		items[i] = v
	}
	return c.list(items)
}

func functionDict(c *Call) Value {
	var pairs []Value
	if len(c.args) > 1 {
		c.failf(ErrArguments, "dict takes at most 1 argument, %d given", len(c.args))
	}
	if len(c.args) == 1 && c.args[0].kind != KindUndefined {
		m := c.r.entriesOf(&c.args[0], c.at)
		if m == nil {
			c.fail(ErrType, "dict needs a map, not "+article(c.args[0].Kind()))
		}
		c.r.items(2*len(m.keys), c.at)
		for i := range m.keys {
			pairs = append(pairs, m.keys[i].value(c.args[0].trust), c.r.child(&m.vals[i], c.args[0].path(), &m.keys[i]))
		}
	}
	c.r.items(2*len(c.kw), c.at)
	for i := range c.kw {
		c.kw[i].used = true
		pairs = append(pairs, Value{kind: KindString, s: c.kw[i].name}, c.kw[i].v)
	}
	v, ok := pairsDict(pairs, c.r.t.src.Trust)
	if !ok {
		c.r.failDeep(c.at)
	}
	return v
}

func functionNamespace(c *Call) Value {
	ns := new(namespace)
	if len(c.args) > 1 {
		c.failf(ErrArguments, "namespace takes at most 1 argument, %d given", len(c.args))
	}
	if len(c.args) == 1 {
		m, ok := c.args[0].ref.(*dict)
		if !ok {
			c.fail(ErrType, "namespace needs a map, not "+article(c.args[0].Kind()))
		}
		for i := range m.keys {
			c.r.items(1, c.at)
			c.r.setAttribute(ns, keyText(&m.keys[i]), c.r.child(&m.vals[i], c.args[0].path(), &m.keys[i]))
		}
	}
	c.r.items(1+len(c.kw), c.at)
	for i := range c.kw {
		c.kw[i].used = true
		c.r.setAttribute(ns, c.kw[i].name, c.kw[i].v)
	}
	return Value{kind: kindNamespace, ref: ns}
}

// functionDebug prints its arguments, or else the context.
func functionDebug(c *Call) Value {
	p := printer{r: c.r, at: c.at, limit: c.r.limits.Value, quoted: true}
	if len(c.args) == 0 && c.r.ctx != nil {
		var trust Trust
		for i := range c.r.ctx.vals {
			trust = max(trust, c.r.label(&c.r.ctx.vals[i]))
		}
		v := Value{kind: KindMap, ref: c.r.ctx, trust: trust}
		p.value(&v, 0)
		c.r.alloc(len(p.out), c.at)
		return c.r.computed(c.at, Value{kind: KindString, s: string(p.out)}, &v)
	}
	for i := range c.args {
		if i > 0 {
			p.out = append(p.out, ' ')
		}
		p.value(&c.args[i], 0)
	}
	return c.text(string(p.out))
}

// cycler goes through its items, one at each call of next.
type cycler struct {
	items []Value
	at    int
}

func functionCycler(c *Call) Value {
	if len(c.args) == 0 {
		c.fail(ErrArguments, "cycler needs at least 1 item")
	}
	c.r.items(len(c.args), c.at)
	return Value{kind: kindObject, ref: &cycler{items: append([]Value(nil), c.args...)}}
}

func (o *cycler) method(name string) func(*Call) Value {
	switch name {
	case "next":
		return func(c *Call) Value {
			c.most(0)
			v := o.items[o.at]
			o.at = (o.at + 1) % len(o.items)
			return v
		}
	case "reset":
		return func(c *Call) Value { c.most(0); o.at = 0; return c.computed(None()) }
	}
	return nil
}

// joiner gives nothing at its first call and its separator afterwards.
type joiner struct {
	sep  Value
	used bool
}

func functionJoiner(c *Call) Value {
	j := &joiner{sep: c.r.computed(c.at, Value{kind: KindString, s: ", "})}
	if len(c.args) > 1 {
		c.failf(ErrArguments, "joiner takes at most 1 argument, %d given", len(c.args))
	}
	if v := c.arg(0, "sep"); v != nil {
		j.sep = *v
	}
	c.r.items(1, c.at)
	return Value{kind: kindObject, ref: j}
}

func (j *joiner) call(c *Call) Value {
	if len(c.args) > 0 {
		c.failf(ErrArguments, "a joiner takes no arguments, %d given", len(c.args))
	}
	if j.used {
		return j.sep
	}
	j.used = true
	return c.r.computed(c.at, Value{kind: KindString})
}
