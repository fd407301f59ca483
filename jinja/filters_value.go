package jinja

import (
	"math"
	"strconv"
	"strings"
)

func filterDefault(c *Call) Value {
	c.most(2)
	v := &c.args[0]
	other, falsy := c.arg(1, "default_value"), c.boolArg(2, "boolean", false)
	if v.IsUndefined() || falsy && !v.truth() {
		if other == nil {
			return c.computed(Value{kind: KindString})
		}
		c.r.checkOperand(other, c.at)
		return *other
	}
	return *v
}

func filterString(c *Call) Value {
	c.most(0)
	v := &c.args[0]
	if v.kind == KindString {
		return *v
	}
	return c.computed(Value{kind: KindString, s: c.r.textOf(v, c.at)})
}

func filterBool(c *Call) Value { c.most(0); return c.bool(c.args[0].truth()) }

// readFloat reads decimal text as a number. Longer text than any number needs is
// none: the library copies what it can't read into its error.
func readFloat(s string) (float64, bool) {
	const longest = 400
	s = strings.TrimSpace(s)
	if len(s) > longest || strings.ContainsAny(s, "xXpP_") {
		return 0, false
	}
	f, err := strconv.ParseFloat(s, 64)
	return f, err == nil
}

func filterInt(c *Call) Value {
	c.most(2)
	v, def := &c.args[0], c.arg(1, "default")
	base := c.intArg(2, "base", 10)
	switch v.kind {
	case KindBool, KindInt:
		return c.int64(int64(v.num))
	case KindFloat:
		return c.truncated(v.asFloat())
	case KindNone:
		return c.int64(0)
	case KindString:
		c.r.bytes(len(v.s), c.at)
		s := strings.TrimSpace(v.s)
		if base < 2 || base > 36 {
			c.fail(ErrArguments, "int: base must be from 2 to 36")
		}
		if len(s) <= 80 {
			if n, err := strconv.ParseInt(withoutPrefix(strings.TrimPrefix(s, "+"), base), base, 64); err == nil {
				return c.int64(n)
			}
		}
		if f, ok := readFloat(s); ok && base == 10 {
			return c.truncated(f)
		}
		if def != nil {
			return *def
		}
		c.fail(ErrType, "cannot read "+show(*v)+" as an integer")
	}
	if def != nil {
		return *def
	}
	c.noItems(v)
	return Value{}
}

// withoutPrefix takes off what names a base: 0x, 0o or 0b.
func withoutPrefix(digits string, base int) string {
	letter, known := map[int]string{16: "x", 8: "o", 2: "b"}[base]
	rest, negative := strings.CutPrefix(digits, "-")
	if !known || len(rest) < 3 || rest[0] != '0' || strings.ToLower(rest[1:2]) != letter {
		return digits
	}
	if negative {
		return "-" + rest[2:]
	}
	return rest[2:]
}

func (c *Call) truncated(f float64) Value {
	f = math.Trunc(f)
	if !(f >= -1<<63 && f < 1<<63) {
		c.fail(ErrArithmetic, string(appendFloat(nil, f))+" does not fit into 64 bits")
	}
	return c.int64(int64(f))
}

func filterFloat(c *Call) Value {
	c.most(1)
	v, def := &c.args[0], c.arg(1, "default")
	switch v.kind {
	case KindBool, KindInt, KindFloat:
		return c.computed(Float(v.asFloat()))
	case KindNone:
		return c.computed(Float(0))
	case KindString:
		c.r.bytes(len(v.s), c.at)
		if f, ok := readFloat(v.s); ok {
			return c.computed(Float(f))
		}
		if def == nil {
			c.fail(ErrType, "cannot read "+show(*v)+" as a number")
		}
	}
	if def != nil {
		return *def
	}
	c.noItems(v)
	return Value{}
}

// number returns the subject, which must be one.
func (c *Call) number() *Value {
	v := &c.args[0]
	if !v.isNumber() {
		if v.IsUndefined() {
			c.r.failUndefined(v, c.at)
		}
		c.fail(ErrType, c.name+" needs a number, not "+article(v.Kind()))
	}
	return v
}

func filterAbs(c *Call) Value {
	c.most(0)
	v := c.number()
	if v.kind == KindFloat {
		return c.computed(Float(math.Abs(v.asFloat())))
	}
	n := int64(v.num)
	if n == math.MinInt64 {
		c.fail(ErrArithmetic, "the absolute value of "+v.String()+" does not fit into 64 bits")
	}
	return c.int64(max(n, -n))
}

func filterRound(c *Call) Value {
	c.most(2)
	v := c.number()
	precision := c.intArg(1, "precision", 0)
	method := c.strArg(2, "method", "common")
	if v.kind != KindFloat {
		return c.int64(int64(v.num))
	}
	if precision < -300 || precision > 300 {
		c.failf(ErrArguments, "round: precision %d is not from -300 to 300", precision)
	}
	f := v.asFloat()
	scale := math.Pow(10, float64(precision))
	var x float64
	switch method {
	case "common":
		x = math.Round(f * scale)
	case "ceil":
		x = math.Ceil(f * scale)
	case "floor":
		x = math.Floor(f * scale)
	default:
		c.fail(ErrArguments, "round: method must be \"common\", \"ceil\" or \"floor\", not "+strconv.Quote(shown(method)))
	}
	if math.IsInf(f*scale, 0) {
		return c.computed(Float(f))
	}
	return c.computed(Float(x / scale))
}

func filterFilesizeformat(c *Call) Value {
	c.most(1)
	n := c.number().asFloat()
	base, units := 1000.0, []string{"kB", "MB", "GB", "TB", "PB", "EB", "ZB", "YB"}
	if c.boolArg(1, "binary", false) {
		base, units = 1024, []string{"KiB", "MiB", "GiB", "TiB", "PiB", "EiB", "ZiB", "YiB"}
	}
	switch {
	case n == 1:
		return c.text("1 Byte")
	case math.Abs(n) < base:
		return c.text(strconv.FormatFloat(n, 'f', -1, 64) + " Bytes")
	}
	i := -1
	for math.Abs(n) >= base && i < len(units)-1 {
		n /= base
		i++
	}
	return c.text(strconv.FormatFloat(n, 'f', 1, 64) + " " + units[i])
}

func filterPluralize(c *Call) Value {
	c.most(2)
	singular, pluralForm := c.strArg(1, "singular", ""), c.strArg(2, "plural", "s")
	v := &c.args[0]
	one := false
	c.r.bytes(len(v.s), c.at)
	switch n := v.Len(); {
	case v.isNumber():
		one = v.asFloat() == 1
	case n >= 0 && v.kind != KindString:
		one = n == 1
	default:
		c.noItems(v)
	}
	if one {
		return c.text(singular)
	}
	return c.text(pluralForm)
}

func filterPprint(c *Call) Value {
	c.most(0)
	c.r.checkOperand(&c.args[0], c.at)
	var b []byte
	b = c.pretty(b, &c.args[0], 0)
	return c.text(string(b))
}

// pretty prints a value over several lines.
func (c *Call) pretty(dst []byte, v *Value, depth int) []byte {
	c.r.burn(1+len(v.s)>>6, c.at)
	if len(dst) > c.r.limits.Value || depth > 2*maxDepth {
		c.r.alloc(c.r.limits.Value+1, c.at)
	}
	indent := func(n int) {
		dst = append(dst, '\n')
		for range n {
			dst = append(dst, "    "...)
		}
	}
	switch v.kind {
	case KindList:
		l := v.ref.(*list)
		if len(l.items) > 0 {
			dst = append(dst, '[')
			for i := range l.items {
				indent(depth + 1)
				dst = append(c.pretty(dst, &l.items[i], depth+1), ',')
			}
			indent(depth)
			return append(dst, ']')
		}
	case KindMap:
		m := v.ref.(*dict)
		if len(m.vals) > 0 {
			dst = append(dst, '{')
			for i := range m.vals {
				indent(depth + 1)
				k := m.keys[i].value(0)
				dst = append(c.pretty(dst, &k, depth+1), ": "...)
				dst = append(c.pretty(dst, &m.vals[i], depth+1), ',')
			}
			indent(depth)
			return append(dst, '}')
		}
	}
	p := printer{out: dst, r: c.r, at: c.at, limit: c.r.limits.Value, quoted: true}
	p.value(v, 0)
	return p.out
}

func filterURLEncode(c *Call) Value {
	c.most(0)
	v := &c.args[0]
	if v.kind == KindString || v.isNumber() {
		return c.perPart(func(s string) string { return string(appendURL(nil, s)) })
	}
	var b []byte
	for i, p := range c.pairs(v) {
		k, val := p.Index(0), p.Index(1)
		if val.kind == KindNone || val.IsUndefined() {
			continue
		}
		if i > 0 && len(b) > 0 {
			b = append(b, '&')
		}
		b = append(appendURL(b, c.str(&k)), '=')
		b = appendURL(b, c.str(&val))
		c.r.burn(1+len(val.s)>>4, c.at)
	}
	return c.text(string(b))
}

func appendURL(dst []byte, s string) []byte {
	for i := range len(s) {
		c := s[i]
		if isNameByte(c) || c == '-' || c == '.' || c == '~' || c == '/' {
			dst = append(dst, c)
		} else {
			dst = append(dst, '%', "0123456789ABCDEF"[c>>4], "0123456789ABCDEF"[c&15])
		}
	}
	return dst
}
