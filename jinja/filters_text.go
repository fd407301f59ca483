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
		return c.text(f(s))
	}
	c.r.bytes(len(v.s), c.at)
	m := c.r.beginCapture()
	start := 0
	for _, s := range p.spans {
		c.writePart(&s, f(v.s[start:s.end]))
		start = int(s.end)
	}
	return c.r.endCapture(m, c.at)
}

// writePart writes what became of a part of a string.
func (c *Call) writePart(s *span, text string) {
	c.r.room(len(text), c.at)
	c.r.out = append(c.r.out, text...)
	c.r.mark(spanComputed, c.at, c.r.spanPath(s), c.r.t, max(s.trust, c.r.t.src.Trust))
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

// titleCase capitalises the first letter behind white space or ASCII punctuation.
func titleCase(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	begin := true
	for _, r := range s {
		switch {
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
	return c.trim(1, true, true)
}

// trim cuts white space, or the characters of the argument, off the ends.
func (c *Call) trim(arg int, left, right bool) Value {
	v := c.textValue(&c.args[0])
	c.r.bytes(len(v.s), c.at)
	cut := unicode.IsSpace
	if chars := c.arg(arg, "chars"); chars != nil && chars.kind != KindNone {
		set := c.needStr(arg, "chars")
		c.r.bytes(len(set)*16, c.at)
		if len(set) > 1000 {
			c.fail(ErrValueSize, "more than 1000 characters to cut off")
		}
		cut = func(r rune) bool { return strings.ContainsRune(set, r) }
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
	c.most(2)
	return c.replace(-1)
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
		for lo := 0; lo <= len(s); {
			hi := len(s)
			if i := strings.IndexByte(s[lo:], '\n'); i >= 0 {
				hi = lo + i + 1
			}
			empty := strings.Trim(s[lo:hi], "\r\n") == ""
			if (lo > 0 || first) && (blank || !empty) {
				c.r.burn(1, c.at)
				add(&width)
			}
			keep(lo, hi)
			if hi == len(s) && (hi == lo || s[hi-1] != '\n') {
				break
			}
			lo = hi
		}
	})
}

// splitText cuts a string at separators, or at runs of white space without one.
// The pieces keep their origins.
func (c *Call) splitText(sep *Value, limit int) Value {
	v := c.textValue(&c.args[0])
	s := v.s
	c.r.bytes(len(s), c.at)
	var out []Value
	piece := func(lo, hi int) {
		c.r.items(1, c.at)
		out = append(out, c.r.slice(&v, lo, hi, c.at))
	}
	if sep == nil || sep.kind == KindNone {
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
	var out []Value
	for lo := 0; lo < len(s); {
		hi := len(s)
		if i := strings.IndexByte(s[lo:], '\n'); i >= 0 {
			hi = lo + i + 1
		}
		end := hi
		if !keepEnds {
			end = lo + len(strings.TrimSuffix(strings.TrimSuffix(s[lo:hi], "\n"), "\r"))
		}
		c.r.items(1, c.at)
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

func filterEscape(c *Call) Value {
	c.most(0)
	v := c.textValue(&c.args[0])
	if v.flags&safe != 0 {
		return v
	}
	c.args[0] = v
	out := c.perPart(escapeHTML)
	out.flags |= safe
	return out
}

func filterSafe(c *Call) Value {
	c.most(0)
	v := c.textValue(&c.args[0])
	v.flags |= safe
	return v
}

var htmlEscapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&#x27;", "/", "&#x2f;")

func escapeHTML(s string) string { return htmlEscapes.Replace(s) }

// escaped is v as an autoescape block prints it.
func (r *run) escaped(v *Value, at uint32) Value {
	if !strings.ContainsAny(v.s, `&<>"'/`) {
		return *v
	}
	c := Call{r: r, at: at, name: "escape", args: []Value{*v}}
	r.escape = false
	out := c.perPart(escapeHTML)
	r.escape = true
	out.flags |= safe
	return out
}

// escapeTail is for values that print without being strings: what was written
// from start on is escaped in place.
func (r *run) escapeTail(v *Value, start int, at uint32) {
	text := escapeHTML(string(r.out[start:]))
	r.out = r.out[:start]
	r.room(len(text), at)
	r.out = append(r.out, text...)
	r.mark(spanComputed, at, r.pathOf(v), r.t, max(r.label(v), r.t.src.Trust))
}

// --- filters of minijinja-contrib

func filterTruncate(c *Call) Value {
	c.most(4)
	v := c.textValue(&c.args[0])
	length, killWords := c.intArg(1, "length", 255), c.boolArg(2, "killwords", false)
	end, leeway := c.strArg(3, "end", "..."), c.intArg(4, "leeway", 5)
	n := utf8.RuneCountInString(v.s)
	c.r.bytes(len(v.s), c.at)
	endLen := utf8.RuneCountInString(end)
	if length < endLen {
		c.failf(ErrArguments, "truncate: length %d is less than that of the end, %d", length, endLen)
	}
	if leeway < 0 || n-length <= leeway {
		return c.r.slice(&v, 0, len(v.s), c.at)
	}
	cut := runeOffset(v.s, length-endLen)
	if !killWords {
		if i := strings.LastIndexByte(v.s[:cut], ' '); i >= 0 {
			cut = i
		}
	}
	tail := c.arg(3, "end")
	return c.rewrite(&v, func(keep func(lo, hi int), add func(*Value)) {
		keep(0, cut)
		if tail == nil {
			w := c.r.computed(c.at, Value{kind: KindString, s: end})
			tail = &w
		}
		add(tail)
	})
}

func filterWordcount(c *Call) Value {
	c.most(0)
	s := c.subject()
	c.r.bytes(len(s), c.at)
	n := 0
	for range strings.FieldsSeq(s) {
		n++
	}
	return c.int64(int64(n))
}

func filterCenter(c *Call) Value {
	c.most(1)
	v := c.textValue(&c.args[0])
	width := c.intArg(1, "width", 80)
	c.r.bytes(len(v.s), c.at)
	n := utf8.RuneCountInString(v.s)
	if width > c.r.limits.Value {
		c.failf(ErrValueSize, "cannot center in %d, the limit is %d", width, c.r.limits.Value)
	}
	if width <= n {
		return v
	}
	c.r.alloc(width, c.at)
	left := (width-n)/2 + (width-n)&width&1 // Python puts the odd one left of what is odd
	pad := c.r.computed(c.at, Value{kind: KindString, s: strings.Repeat(" ", width-n)})
	return c.rewrite(&v, func(keep func(lo, hi int), add func(*Value)) {
		l, r := pad, pad
		l.s, r.s = pad.s[:left], pad.s[left:]
		add(&l)
		keep(0, len(v.s))
		add(&r)
	})
}

func filterWordwrap(c *Call) Value {
	c.most(4)
	s := c.subject()
	width, breakLong := c.intArg(1, "width", 79), c.boolArg(2, "break_long_words", true)
	newline, atHyphens := c.strArg(3, "wrapstring", "\n"), c.boolArg(4, "break_on_hyphens", true)
	if width < 1 {
		c.fail(ErrArguments, "wordwrap: width must be at least 1")
	}
	c.r.burn(len(s)/8, c.at)
	var b strings.Builder
	for i, line := range strings.Split(s, "\n") {
		if i > 0 {
			b.WriteString(newline)
		}
		col := 0
		for word := range strings.FieldsSeq(line) {
			for gap := 1; word != ""; gap = 0 {
				part := word
				if atHyphens {
					part = word[:hyphenEnd(word)]
				}
				word = word[len(part):]
				n := utf8.RuneCountInString(part)
				if col > 0 && col+gap+n > width {
					b.WriteString(newline)
					col = 0
				}
				if col > 0 && gap > 0 {
					b.WriteByte(' ')
					col++
				}
				for breakLong && n > width {
					cut := runeOffset(part, width)
					b.WriteString(part[:cut])
					b.WriteString(newline)
					part = part[cut:]
					n -= width
				}
				b.WriteString(part)
				col += n
				if b.Len() > c.r.limits.Value {
					c.r.alloc(b.Len(), c.at)
				}
			}
		}
	}
	return c.text(b.String())
}

// hyphenEnd is the end of the part of a word up to and with its first hyphen
// between letters or digits, where a line may break.
func hyphenEnd(word string) int {
	for i := 1; i < len(word)-1; i++ {
		if word[i] != '-' {
			continue
		}
		before, _ := utf8.DecodeLastRuneInString(word[:i])
		after, _ := utf8.DecodeRuneInString(word[i+1:])
		if (unicode.IsLetter(before) || unicode.IsNumber(before)) && (unicode.IsLetter(after) || unicode.IsNumber(after)) {
			return i + 1
		}
	}
	return len(word)
}

func filterStriptags(c *Call) Value {
	c.most(0)
	s := c.subject()
	c.r.bytes(len(s), c.at)
	var b strings.Builder
	for {
		i := strings.IndexByte(s, '<')
		if i < 0 {
			break
		}
		end := strings.IndexByte(s[i:], '>')
		if strings.HasPrefix(s[i:], "<!--") {
			if end = strings.Index(s[i:], "-->"); end >= 0 {
				end += 2
			}
		}
		if end < 0 {
			break
		}
		b.WriteString(s[:i])
		s = s[i+end+1:]
	}
	b.WriteString(s)
	text := strings.NewReplacer("&lt;", "<", "&gt;", ">", "&quot;", `"`, "&#x27;", "'", "&#39;", "'", "&#x2f;", "/", "&amp;", "&").Replace(b.String())
	return c.text(strings.Join(strings.Fields(text), " "))
}
