package jinja

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

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
	first := true
	for line := range strings.SplitSeq(s, "\n") {
		if !first {
			b.WriteString(newline)
			c.within(b.Len())
		}
		first = false
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
					c.within(b.Len())
				}
				b.WriteString(part)
				col += n
				c.within(b.Len())
			}
		}
	}
	return c.text(b.String())
}

// within fails when a text that is being made is larger than a value may be.
func (c *Call) within(size int) {
	if limit := c.r.limits.Value; size > limit {
		c.failf(ErrValueSize, "value of more than %d bytes is larger than the limit", limit)
	}
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
