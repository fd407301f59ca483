package jinja

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// fastFilter marks filters that evaluation knows short ways for.
type fastFilter uint8

const (
	fastNone fastFilter = iota
	fastJoin
)

// perPart applies a change of text to each part of a string by itself, where the
// result does not depend on how it was cut: each part keeps its own label.
func (c *Call) perPart(f func(string) string) Value {
	v := &c.args[0]
	p := (*parts)(nil)
	if v.kind == KindString {
		p = v.manyParts()
	}
	if p == nil {
		s := c.subject()
		c.r.bytes(len(s), c.at)
		if len(s) <= chunk {
			return c.text(f(s))
		}
		m := c.r.beginCapture()
		c.writeChanged(s, f)
		w := c.computed(Value{kind: KindString})
		c.r.mark(spanComputed, c.at, w.path(), c.r.t, w.trust)
		return c.r.endCapture(m, c.at)
	}
	c.r.bytes(len(v.s), c.at)
	m := c.r.beginCapture()
	start := 0
	for _, s := range p.spans {
		c.writeChanged(v.s[start:s.end], f)
		c.r.mark(spanComputed, c.at, c.r.spanPath(&s), c.r.t, max(s.trust, c.r.t.src.Trust))
		start = int(s.end)
	}
	return c.r.endCapture(m, c.at)
}

// chunk is how much of a text is changed at a time, so that a change which makes it
// longer is stopped at the limit and not behind it.
const chunk = 1 << 16

func (c *Call) writeChanged(s string, f func(string) string) {
	for s != "" {
		n := min(chunk, len(s))
		for n < len(s) && !utf8.RuneStart(s[n]) {
			n++
		}
		text := f(s[:n])
		c.r.room(len(text), c.at)
		c.r.out = append(c.r.out, text...)
		s = s[n:]
	}
}

// rewrite builds a string out of slices of the subject, which keep their
// origins, and of other text. The function is given a way to write each.
func (c *Call) rewrite(subject *Value, f func(keep func(lo, hi int), add func(*Value))) Value {
	m := c.r.beginCapture()
	f(func(lo, hi int) {
		if lo < hi {
			s := c.r.slice(subject, lo, hi, c.at)
			c.write(&s)
		}
	}, c.write)
	return c.r.endCapture(m, c.at)
}

// write prints an argument or a part of one at the place of the call.
func (c *Call) write(v *Value) {
	outer := c.r.escape
	c.r.escape = false
	c.r.write(v, c.at)
	c.r.escape = outer
}

// textValue returns the subject as a string value; what is not a string is printed.
func (c *Call) textValue(v *Value) Value {
	if v.kind == KindString {
		return *v
	}
	return c.r.computed(c.at, Value{kind: KindString, s: c.str(v)}, v)
}

func filterUpper(c *Call) Value { c.most(0); return c.perPart(strings.ToUpper) }

func filterLower(c *Call) Value { c.most(0); return c.perPart(strings.ToLower) }

// titleCase capitalises the first letter behind white space or ASCII punctuation,
// but not behind an apostrophe: "It's".
func titleCase(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	begin := true
	for _, r := range s {
		switch {
		case r == '\'':
			b.WriteRune(r)
		case r < utf8.RuneSelf && unicode.In(r, unicode.P, unicode.S) || unicode.IsSpace(r):
			b.WriteRune(r)
			begin = true
		case begin:
			b.WriteRune(unicode.ToUpper(r))
			begin = false
		default:
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return b.String()
}

func filterTitle(c *Call) Value {
	c.most(0)
	s := c.subject()
	c.r.bytes(len(s), c.at)
	return c.text(titleCase(s))
}

func filterCapitalize(c *Call) Value {
	c.most(0)
	s := c.subject()
	c.r.bytes(len(s), c.at)
	r, n := utf8.DecodeRuneInString(s)
	if n == 0 {
		return c.text("")
	}
	return c.text(string(unicode.ToUpper(r)) + strings.ToLower(s[n:]))
}

func filterTrim(c *Call) Value {
	c.most(1)
	return c.trim(true, true)
}

// trim cuts white space, or the characters of the argument, off the ends.
func (c *Call) trim(left, right bool) Value {
	v := c.textValue(&c.args[0])
	c.r.bytes(len(v.s), c.at)
	cut := unicode.IsSpace
	if chars := c.arg(1, "chars"); chars != nil && chars.kind != KindNone {
		set := c.needStr(1, "chars")
		c.r.bytes(len(set)*16, c.at)
		if len(set) > 1000 {
			c.fail(ErrValueSize, "more than 1000 characters to cut off")
		}
		chars := make(map[rune]bool)
		for _, r := range set {
			chars[r] = true
		}
		cut = func(r rune) bool { return chars[r] }
	}
	lo, hi := 0, len(v.s)
	if left {
		lo = hi - len(strings.TrimLeftFunc(v.s, cut))
	}
	if right {
		hi = lo + len(strings.TrimRightFunc(v.s[lo:], cut))
	}
	return c.r.slice(&v, lo, hi, c.at)
}

func filterReplace(c *Call) Value {
	c.most(3)
	return c.replace(c.intArg(3, "count", -1))
}

func (c *Call) replace(count int) Value {
	v := c.textValue(&c.args[0])
	old, with := c.textValue(c.need(1, "old")), c.textValue(c.need(2, "new"))
	s := v.s
	c.r.bytes(len(s), c.at)
	if old.s == "" {
		n := utf8.RuneCountInString(s) + 1
		c.r.burn(n, c.at)
	}
	return c.rewrite(&v, func(keep func(lo, hi int), add func(*Value)) {
		from := 0
		for ; count != 0; count-- {
			i := strings.Index(s[from:], old.s)
			if i < 0 {
				break
			}
			if old.s == "" { // before each character, and at the end
				add(&with)
				if from == len(s) {
					return
				}
				n := runeLenAt(s, from)
				keep(from, from+n)
				from += n
				continue
			}
			c.r.burn(1, c.at)
			keep(from, from+i)
			add(&with)
			from += i + len(old.s)
		}
		keep(from, len(s))
	})
}

func filterIndent(c *Call) Value {
	c.most(3)
	v := c.textValue(&c.args[0])
	width := Value{}
	if w := c.arg(1, "width"); w != nil && w.kind == KindString {
		width = *w
	} else {
		n := 4
		if w != nil {
			n = c.int(w, "width")
		}
		if n < 0 || n > c.r.limits.Value {
			c.failf(ErrValueSize, "cannot indent by %d", n)
		}
		c.r.alloc(n, c.at)
		width = c.r.computed(c.at, Value{kind: KindString, s: strings.Repeat(" ", n)})
	}
	first, blank := c.boolArg(2, "first", false), c.boolArg(3, "blank", false)
	s := strings.TrimSuffix(v.s, "\n")
	if s != v.s {
		s = strings.TrimSuffix(s, "\r")
	}
	c.r.bytes(len(s), c.at)
	return c.rewrite(&v, func(keep func(lo, hi int), add func(*Value)) {
		from := 0 // what stands from here on is not written yet
		for lo := 0; lo <= len(s); {
			hi := len(s)
			if i := strings.IndexByte(s[lo:], '\n'); i >= 0 {
				hi = lo + i + 1
			}
			empty := strings.Trim(s[lo:hi], "\r\n") == ""
			if (lo > 0 || first) && (blank || !empty) {
				c.r.burn(1, c.at)
				keep(from, lo)
				add(&width)
				from = lo
			}
			if hi == len(s) && (hi == lo || s[hi-1] != '\n') {
				break
			}
			lo = hi
		}
		keep(from, len(s))
	})
}

// splitText cuts a string at separators, or at runs of white space without one.
// The pieces keep their origins.
func (c *Call) splitText(sep *Value, limit int) Value {
	v := c.textValue(&c.args[0])
	s := v.s
	c.r.bytes(len(s), c.at)
	var out []Value
	// pieces pays for a list of at most n pieces before it is made.
	pieces := func(n int) {
		if limit >= 0 {
			n = min(n, limit+1)
		}
		c.r.items(n, c.at)
		out = make([]Value, 0, n)
	}
	piece := func(lo, hi int) { out = append(out, c.r.slice(&v, lo, hi, c.at)) }
	if sep == nil || sep.kind == KindNone {
		n := 0
		for range strings.FieldsSeq(s) {
			n++
		}
		pieces(n)
		i := 0
		for {
			i = len(s) - len(strings.TrimLeftFunc(s[i:], unicode.IsSpace))
			if i == len(s) {
				break
			}
			if limit >= 0 && len(out) == limit {
				piece(i, len(s))
				break
			}
			j := strings.IndexFunc(s[i:], unicode.IsSpace)
			if j < 0 {
				piece(i, len(s))
				break
			}
			piece(i, i+j)
			i += j
		}
		return c.list(out)
	}
	if sep.kind != KindString {
		c.mismatch(sep, "sep", "a string")
	}
	if sep.s == "" {
		c.fail(ErrArguments, c.name+" needs a separator that is not empty")
	}
	pieces(1 + strings.Count(s, sep.s))
	from := 0
	for limit < 0 || len(out) < limit {
		i := strings.Index(s[from:], sep.s)
		if i < 0 {
			break
		}
		piece(from, from+i)
		from += i + len(sep.s)
	}
	piece(from, len(s))
	return c.list(out)
}

func filterSplit(c *Call) Value {
	c.most(2)
	return c.splitText(c.arg(1, "sep"), c.intArg(2, "maxsplit", -1))
}

func (c *Call) splitLines(keepEnds bool) Value {
	v := c.textValue(&c.args[0])
	s := v.s
	c.r.bytes(len(s), c.at)
	n := 1 + strings.Count(s, "\n")
	c.r.items(n, c.at)
	out := make([]Value, 0, n)
	for lo := 0; lo < len(s); {
		hi := len(s)
		if i := strings.IndexByte(s[lo:], '\n'); i >= 0 {
			hi = lo + i + 1
		}
		end := hi
		if !keepEnds {
			end = lo + len(strings.TrimSuffix(strings.TrimSuffix(s[lo:hi], "\n"), "\r"))
		}
		out = append(out, c.r.slice(&v, lo, end, c.at))
		lo = hi
	}
	return c.list(out)
}

func filterLines(c *Call) Value { c.most(0); return c.splitLines(false) }

func filterJoin(c *Call) Value {
	m := c.r.beginCapture()
	writeJoin(c)
	return c.r.endCapture(m, c.at)
}

// writeJoin prints the items of the subject with a separator between them.
func writeJoin(c *Call) {
	c.most(2)
	sep := c.arg(1, "d")
	attribute := c.arg(2, "attribute")
	v := &c.args[0]
	if v.kind == KindNone || v.kind <= KindUndefined && v.flags&silent != 0 {
		return
	}
	if v.isNumber() || v.kind == KindFunction {
		c.fail(ErrType, "cannot join "+article(v.kind))
	}
	if sep != nil && sep.kind != KindString && sep.kind != KindNone {
		c.mismatch(sep, "d", "a string")
	}
	c.joinItems(v, sep, attribute)
}

func (c *Call) joinItems(v, sep, attribute *Value) {
	r := c.r
	items := r.iterate(v, c.at)
	base := v.path()
	r.burn(len(items), c.at)
	for i := range items {
		if i > 0 && sep != nil && sep.kind == KindString && sep.s != "" {
			c.write(sep)
		}
		item := &items[i]
		if base != 0 && v.kind == KindList && item.flags&fromData != 0 && item.org == 0 {
			kept := r.item(item, base, i)
			item = &kept
		}
		if attribute != nil {
			kept := c.attribute(item, attribute)
			item = &kept
		}
		c.write(item)
	}
}
