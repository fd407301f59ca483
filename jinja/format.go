package jinja

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// filterFormat is printf: "%s has %d"|format(a, b), or "%(name)s"|format(name=x).
func filterFormat(c *Call) Value {
	pattern := c.textValue(&c.args[0])
	args := c.args[1:]
	next := 0
	return c.rewrite(&pattern, func(keep func(lo, hi int), add func(*Value)) {
		s := pattern.s
		c.r.bytes(len(s), c.at)
		from := 0
		for {
			i := strings.IndexByte(s[from:], '%')
			if i < 0 {
				break
			}
			i += from
			keep(from, i)
			j := i + 1
			if j < len(s) && s[j] == '%' {
				keep(j, j+1)
				from = j + 1
				continue
			}
			var v *Value
			if j < len(s) && s[j] == '(' {
				end := strings.IndexByte(s[j:], ')')
				if end < 0 {
					c.fail(ErrArguments, "format: name in the pattern is not closed")
				}
				v = c.named(s[j+1 : j+end])
				j += end + 1
			}
			var spec formatSpec
			spec.fill, spec.align = ' ', '>'
			for ; j < len(s) && strings.IndexByte("-+ 0#", s[j]) >= 0; j++ {
				switch s[j] {
				case '-':
					spec.align = '<'
				case '0':
					if spec.align != '<' {
						spec.fill, spec.align = '0', '='
					}
				case '#':
					spec.alt = true
				default:
					spec.sign = s[j]
				}
			}
			spec.width, j = c.digits(s, j)
			spec.precision = -1
			if j < len(s) && s[j] == '.' {
				spec.precision, j = c.digits(s, j+1)
			}
			if j == len(s) {
				c.fail(ErrArguments, "format: pattern ends within a conversion")
			}
			spec.verb = s[j]
			if v == nil {
				if next >= len(args) {
					c.failf(ErrArguments, "format needs more than %s", arguments(len(args)))
				}
				v = &args[next]
				next++
			}
			c.writeConverted(v, spec, add)
			from = j + 1
		}
		keep(from, len(s))
		if next < len(args) && next > 0 || next == 0 && len(args) > 0 && len(c.kw) == 0 && !(len(args) == 1 && args[0].kind == KindMap) {
			c.failf(ErrArguments, "format uses %s, %d given", arguments(next), len(args))
		}
	})
}

func (c *Call) named(name string) *Value {
	if v := c.find(name); v != nil {
		for i := range c.kw {
			c.kw[i].used = c.kw[i].used || c.kw[i].name == name
		}
		return v
	}
	if len(c.args) == 2 && c.args[1].kind == KindMap {
		if v := c.args[1].Get(name); !v.IsUndefined() {
			return &v
		}
	}
	c.fail(ErrArguments, c.name+" has no argument '"+name+"' that the pattern names")
	return nil
}

// digits reads a number of a pattern.
func (c *Call) digits(s string, i int) (n, end int) {
	for ; i < len(s) && s[i] >= '0' && s[i] <= '9'; i++ {
		n = n*10 + int(s[i]-'0')
		if n > c.r.limits.Value {
			c.failf(ErrValueSize, "%s: width is larger than the limit of %d", c.name, c.r.limits.Value)
		}
	}
	return n, i
}

type formatSpec struct {
	fill      rune
	align     byte // < > ^ or = for zeros behind the sign
	sign      byte
	alt       bool
	comma     bool
	width     int
	precision int
	verb      byte
}

// writeConverted writes a value by a conversion. A plain %s keeps the origins of its value.
func (c *Call) writeConverted(v *Value, spec formatSpec, add func(*Value)) {
	if (spec.verb == 's' || spec.verb == 0 && v.kind == KindString) && spec.width == 0 && spec.precision < 0 {
		add(v)
		return
	}
	text := c.converted(v, spec)
	c.r.bytes(len(text), c.at)
	n := utf8.RuneCountInString(text)
	if spec.width > n {
		if spec.width > c.r.limits.Value {
			c.failf(ErrValueSize, "%s: width %d is larger than the limit of %d", c.name, spec.width, c.r.limits.Value)
		}
		c.r.alloc(spec.width, c.at)
		pad := strings.Repeat(string(spec.fill), spec.width-n)
		switch spec.align {
		case '<':
			text += pad
		case '^':
			half := (spec.width - n) / 2 * len(string(spec.fill))
			text = pad[:half] + text + pad[half:]
		case '=':
			sign := 0
			// A space is a sign only where the format asks for one: zfill of " a" is "0 a".
			if text != "" && (text[0] == '+' || text[0] == '-' || text[0] == ' ' && spec.sign == ' ') {
				sign = 1
			}
			text = text[:sign] + pad + text[sign:]
		default:
			text = pad + text
		}
	}
	out := c.r.computed(c.at, Value{kind: KindString, s: text}, v, &c.args[0])
	add(&out)
}

func (c *Call) converted(v *Value, spec formatSpec) string {
	signed := func(s string) string {
		if spec.sign != 0 && spec.sign != '-' && !strings.HasPrefix(s, "-") {
			return string(spec.sign) + s
		}
		return s
	}
	precision := spec.precision
	verb := spec.verb
	if verb == 0 || verb == 'n' {
		switch {
		case v.kind == KindFloat && precision >= 0:
			verb = 'g'
		case v.isIntegral() && v.kind != KindBool:
			verb = 'd'
		default:
			verb = 's'
		}
	}
	if precision > 1000 {
		c.failf(ErrValueSize, "%s: precision %d is larger than 1000", c.name, precision)
	}
	switch verb {
	case 's':
		s := c.r.textOf(v, c.at)
		if precision >= 0 && precision < utf8.RuneCountInString(s) {
			s = s[:runeOffset(s, precision)]
		}
		return s
	case 'r', 'a':
		p := printer{r: c.r, at: c.at, limit: c.r.limits.Value, quoted: true}
		p.value(v, 0)
		return string(p.out)
	case 'c':
		if v.kind == KindString {
			return v.s
		}
		n := c.int(v, "%c")
		if n < 0 || n > utf8.MaxRune || !utf8.ValidRune(rune(n)) {
			c.fail(ErrArguments, c.name+": "+itoa(n)+" is not a character")
		}
		return string(rune(n))
	}
	if !v.isNumber() {
		c.mismatch(v, "%"+string(verb), "a number")
	}
	switch verb {
	case 'd', 'i', 'u', 'x', 'X', 'o', 'b':
		n := int64(v.num)
		if v.kind == KindFloat {
			t := c.truncated(v.asFloat())
			n = int64(t.num)
		}
		base, prefix := 10, ""
		switch verb {
		case 'x', 'X':
			base, prefix = 16, "0x"
		case 'o':
			base, prefix = 8, "0o"
		case 'b':
			base, prefix = 2, "0b"
		}
		s := strconv.FormatInt(n, base)
		if spec.alt && prefix != "" {
			if strings.HasPrefix(s, "-") {
				s = "-" + prefix + s[1:]
			} else {
				s = prefix + s
			}
		}
		if spec.comma {
			s = grouped(s)
		}
		if verb == 'X' {
			s = strings.ToUpper(s)
		}
		return signed(s)
	case 'f', 'F', 'e', 'E', 'g', 'G', '%':
		f := v.asFloat()
		suffix := ""
		if verb == '%' {
			f, verb, suffix = f*100, 'f', "%"
		}
		if precision < 0 {
			precision = 6
		}
		if verb == 'F' {
			verb = 'f'
		}
		s := strconv.FormatFloat(f, verb, precision, 64) + suffix
		if spec.comma {
			s = grouped(s)
		}
		return signed(s)
	}
	c.fail(ErrArguments, c.name+": unknown conversion "+quoteRune(rune(verb)))
	return ""
}

// grouped puts a comma between thousands.
func grouped(s string) string {
	sign := ""
	if strings.HasPrefix(s, "-") {
		sign, s = "-", s[1:]
	}
	whole, rest := s, ""
	if i := strings.IndexAny(s, ".e%"); i >= 0 {
		whole, rest = s[:i], s[i:]
	}
	var b strings.Builder
	for i := range len(whole) {
		if i > 0 && (len(whole)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteByte(whole[i])
	}
	return sign + b.String() + rest
}

// methodFormat is Python's str.format: "{} has {0[1].x:>4}".format(a, b).
func methodFormat(c *Call) Value {
	pattern := c.args[0]
	args := c.args[1:]
	next := 0
	return c.rewrite(&pattern, func(keep func(lo, hi int), add func(*Value)) {
		s := pattern.s
		c.r.bytes(len(s), c.at)
		from := 0
		for {
			i := strings.IndexAny(s[from:], "{}")
			if i < 0 {
				break
			}
			i += from
			if i+1 < len(s) && s[i+1] == s[i] {
				keep(from, i+1)
				from = i + 2
				continue
			}
			if s[i] == '}' {
				c.fail(ErrArguments, "format: '}' in the pattern has no '{'")
			}
			keep(from, i)
			end := strings.IndexByte(s[i:], '}')
			if end < 0 {
				c.fail(ErrArguments, "format: '{' in the pattern is not closed")
			}
			field, spec, _ := strings.Cut(s[i+1:i+end], ":")
			field, conversion, _ := strings.Cut(field, "!")
			name, path := field, ""
			if j := strings.IndexAny(field, ".["); j >= 0 {
				name, path = field[:j], field[j:]
			}
			var v *Value
			if name == "" || isDigits(name) {
				n := next
				if name != "" {
					n, _ = c.digits(name, 0)
				} else {
					next++
				}
				if n >= len(args) {
					c.failf(ErrArguments, "format needs more than %s", arguments(len(args)))
				}
				v = &args[n]
			} else {
				v = c.named(name)
			}
			if path != "" {
				got := c.fieldPath(v, path)
				v = &got
			}
			f := c.parseSpec(spec)
			if conversion == "r" || conversion == "s" {
				f.verb = conversion[0]
			}
			c.writeConverted(v, f, add)
			from = i + end + 1
		}
		keep(from, len(s))
	})
}

func isDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

// fieldPath follows .name and [key] of a format field.
func (c *Call) fieldPath(v *Value, path string) Value {
	out := *v
	for path != "" {
		var key string
		if path[0] == '.' {
			path = path[1:]
			n := strings.IndexAny(path, ".[")
			if n < 0 {
				n = len(path)
			}
			key, path = path[:n], path[n:]
		} else {
			n := strings.IndexByte(path, ']')
			if n < 0 {
				c.fail(ErrArguments, "format: '[' in the pattern is not closed")
			}
			key, path = path[1:n], path[n+1:]
		}
		k := Value{kind: KindString, s: key}
		if isDigits(key) && out.kind == KindList {
			n, _ := c.digits(key, 0)
			k = Int(int64(n))
		}
		out = c.r.index(&out, &k, c.at)
	}
	return out
}

// parseSpec reads [[fill]align][sign][#][0][width][,][.precision][verb].
func (c *Call) parseSpec(s string) formatSpec {
	spec := formatSpec{fill: ' ', precision: -1}
	if r, n := utf8.DecodeRuneInString(s); n > 0 && len(s) > n && strings.IndexByte("<>^=", s[n]) >= 0 {
		spec.fill, spec.align = r, s[n]
		s = s[n+1:]
	} else if s != "" && strings.IndexByte("<>^=", s[0]) >= 0 {
		spec.align = s[0]
		s = s[1:]
	}
	i := 0
	if i < len(s) && strings.IndexByte("+- ", s[i]) >= 0 {
		spec.sign = s[i]
		i++
	}
	if i < len(s) && s[i] == '#' {
		spec.alt = true
		i++
	}
	if i < len(s) && s[i] == '0' && spec.align == 0 {
		spec.fill, spec.align = '0', '='
		i++
	}
	spec.width, i = c.digits(s, i)
	if i < len(s) && s[i] == ',' {
		spec.comma = true
		i++
	}
	if i < len(s) && s[i] == '.' {
		spec.precision, i = c.digits(s, i+1)
	}
	if i < len(s) {
		spec.verb = s[i]
		i++
	}
	if i < len(s) {
		c.fail(ErrArguments, "format: cannot read "+strconv.Quote(shown(s))+" in the pattern")
	}
	if spec.align == 0 {
		spec.align = '<'
		switch spec.verb {
		case 0, 's':
		default:
			spec.align = '>'
		}
	}
	return spec
}
