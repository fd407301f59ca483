package jinja

import (
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The methods of Python that published templates use. The object is the first
// argument.
var stringMethods, listMethods, mapMethods map[string]func(*Call) Value

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

func init() {
	stringMethods = map[string]func(*Call) Value{
		"upper":        filterUpper,
		"lower":        filterLower,
		"title":        methodTitle,
		"capitalize":   filterCapitalize,
		"format":       methodFormat,
		"strip":        func(c *Call) Value { c.most(1); return c.trim(true, true) },
		"lstrip":       func(c *Call) Value { c.most(1); return c.trim(true, false) },
		"rstrip":       func(c *Call) Value { c.most(1); return c.trim(false, true) },
		"split":        func(c *Call) Value { c.most(2); return c.splitText(c.arg(1, "sep"), c.intArg(2, "maxsplit", -1)) },
		"rsplit":       methodRsplit,
		"partition":    methodPartition,
		"splitlines":   func(c *Call) Value { c.most(1); return c.splitLines(c.boolArg(1, "keepends", false)) },
		"replace":      func(c *Call) Value { c.most(3); return c.replace(c.intArg(3, "count", -1)) },
		"join":         methodJoin,
		"count":        methodStringCount,
		"find":         func(c *Call) Value { return c.indexText(strings.Index) },
		"rfind":        func(c *Call) Value { return c.indexText(strings.LastIndex) },
		"startswith":   func(c *Call) Value { return c.affix(strings.HasPrefix) },
		"endswith":     func(c *Call) Value { return c.affix(strings.HasSuffix) },
		"removeprefix": func(c *Call) Value { return c.removeAffix(true) },
		"removesuffix": func(c *Call) Value { return c.removeAffix(false) },
		"zfill":        methodZfill,
		"ljust":        func(c *Call) Value { return c.justify('<') },
		"rjust":        func(c *Call) Value { return c.justify('>') },
		"center":       func(c *Call) Value { return c.justify('^') },
		"islower":      caseTest(unicode.IsLower, unicode.IsUpper),
		"isupper":      caseTest(unicode.IsUpper, unicode.IsLower),
		"isspace":      runes(unicode.IsSpace),
		"isdigit":      runes(unicode.IsNumber),
		"isnumeric":    runes(unicode.IsNumber),
		"isdecimal":    runes(unicode.IsDigit),
		"isalpha":      runes(unicode.IsLetter),
		"isalnum":      runes(func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }),
		"isascii":      func(c *Call) Value { c.most(0); return c.bool(c.ascii()) },
	}
	listMethods = map[string]func(*Call) Value{
		"count": methodListCount,
		"index": methodListIndex,
	}
	mapMethods = map[string]func(*Call) Value{
		"get":    methodGet,
		"items":  filterItems,
		"keys":   func(c *Call) Value { c.most(0); return c.list(c.items(&c.args[0])) },
		"values": methodValues,
	}
}

// runes is a method that asks whether there are characters and all are of a kind,
// as in Python.
func runes(is func(rune) bool) func(*Call) Value {
	return func(c *Call) Value {
		c.most(0)
		c.r.bytes(len(c.args[0].s), c.at)
		for _, r := range c.args[0].s {
			if !is(r) {
				return c.bool(false)
			}
		}
		return c.bool(c.args[0].s != "")
	}
}

func (c *Call) ascii() bool {
	c.r.bytes(len(c.args[0].s), c.at)
	return strings.IndexFunc(c.args[0].s, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
}

func methodRsplit(c *Call) Value {
	c.most(2)
	limit := c.intArg(2, "maxsplit", -1)
	all := c.splitText(c.arg(1, "sep"), -1)
	pieces := all.ref.(*list).items
	if limit < 0 || len(pieces) <= limit+1 {
		return all
	}
	// The first piece is what is left when limit pieces are cut off the end.
	tail := pieces[len(pieces)-limit:]
	v := &c.args[0]
	end := len(v.s)
	if limit > 0 {
		size := 0
		for i := range tail {
			size += len(tail[i].s)
		}
		sep := c.arg(1, "sep")
		if sep == nil || sep.kind != KindString {
			end = lastFields(v.s, limit)
		} else {
			end = len(v.s) - size - limit*len(sep.s)
		}
	}
	c.r.items(limit+1, c.at)
	return c.list(append([]Value{c.r.slice(v, 0, end, c.at)}, tail...))
}

// lastFields returns where the text before the last n words ends.
func lastFields(s string, n int) int {
	end := len(s)
	for range n {
		end = len(strings.TrimRightFunc(s[:end], unicode.IsSpace))
		end = strings.LastIndexFunc(s[:end], unicode.IsSpace) + 1
	}
	return len(strings.TrimRightFunc(s[:end], unicode.IsSpace))
}

// methodTitle is Python's: a word is what consists of letters.
func methodTitle(c *Call) Value {
	c.most(0)
	s := c.args[0].s
	c.r.bytes(len(s), c.at)
	begin := true
	return c.text(strings.Map(func(r rune) rune {
		first := begin
		if begin = !unicode.IsLetter(r); begin {
			return r
		}
		if first {
			return unicode.ToUpper(r)
		}
		return unicode.ToLower(r)
	}, s))
}

func methodPartition(c *Call) Value {
	c.most(1)
	v := &c.args[0]
	sep := c.needStr(1, "sep")
	c.r.items(3, c.at)
	c.r.bytes(len(v.s), c.at)
	i := strings.Index(v.s, sep)
	j := i + len(sep)
	if i < 0 {
		i, j = len(v.s), len(v.s)
	}
	return c.r.list([]Value{c.r.slice(v, 0, i, c.at), c.r.slice(v, i, j, c.at), c.r.slice(v, j, len(v.s), c.at)}, true, c.at)
}

func methodJoin(c *Call) Value {
	c.most(1)
	items := c.need(1, "iterable")
	m := c.r.beginCapture()
	c.joinItems(items, &c.args[0], nil)
	return c.r.endCapture(m, c.at)
}

func methodStringCount(c *Call) Value {
	c.most(1)
	c.r.bytes(len(c.args[0].s), c.at)
	return c.int64(int64(strings.Count(c.args[0].s, c.needStr(1, "sub"))))
}

// indexText counts in code points, as Python does.
func (c *Call) indexText(index func(s, sub string) int) Value {
	c.most(1)
	s := c.args[0].s
	c.r.bytes(len(s), c.at)
	i := index(s, c.needStr(1, "sub"))
	if i > 0 {
		i = utf8.RuneCountInString(s[:i])
	}
	return c.int64(int64(i))
}

// affix takes a string or a tuple of strings.
func (c *Call) affix(has func(s, part string) bool) Value {
	c.most(1)
	s, part := c.args[0].s, c.need(1, "prefix")
	c.r.bytes(min(len(s), len(part.s)), c.at)
	if part.kind != KindList {
		return c.bool(has(s, c.needStr(1, "prefix")))
	}
	for _, p := range part.ref.(*list).items {
		c.r.burn(1+len(p.s)>>6, c.at)
		if p.kind != KindString {
			c.mismatch(&p, "prefix", "a string")
		}
		if has(s, p.s) {
			return c.bool(true)
		}
	}
	return c.bool(false)
}

func (c *Call) removeAffix(front bool) Value {
	c.most(1)
	v := &c.args[0]
	lo, hi := 0, len(v.s)
	c.r.bytes(len(v.s), c.at)
	if part := c.needStr(1, "affix"); front {
		lo = hi - len(strings.TrimPrefix(v.s, part))
	} else {
		hi = len(strings.TrimSuffix(v.s, part))
	}
	return c.r.slice(v, lo, hi, c.at)
}

func methodZfill(c *Call) Value {
	c.most(1)
	v := &c.args[0]
	out := *v
	c.writeConverted(v, formatSpec{fill: '0', align: '=', verb: 's', precision: -1, width: max(1, c.int(c.need(1, "width"), "width"))}, func(w *Value) { out = *w })
	return out
}

func (c *Call) justify(align byte) Value {
	c.most(2)
	v := &c.args[0]
	fill, n := utf8.DecodeRuneInString(c.strArg(2, "fillchar", " "))
	if n != len(c.strArg(2, "fillchar", " ")) {
		c.fail(ErrArguments, c.name+" needs one character to fill with")
	}
	out := *v
	c.writeConverted(v, formatSpec{fill: fill, align: align, verb: 's', precision: -1, width: max(1, c.int(c.need(1, "width"), "width"))}, func(w *Value) { out = *w })
	return out
}

func methodListCount(c *Call) Value {
	c.most(1)
	what := c.need(1, "value")
	n := int64(0)
	cmp := comparer{c.r, c.at}
	items := c.args[0].ref.(*list).items
	for i := range items {
		if cmp.equal(&items[i], what) {
			n++
		}
	}
	return c.int64(n)
}

func methodListIndex(c *Call) Value {
	c.most(1)
	what := c.need(1, "value")
	cmp := comparer{c.r, c.at}
	items := c.args[0].ref.(*list).items
	for i := range items {
		if cmp.equal(&items[i], what) {
			return c.int64(int64(i))
		}
	}
	c.fail(ErrType, show(*what)+" is not in the list")
	return Value{}
}

func methodGet(c *Call) Value {
	c.most(2)
	key, def := c.need(1, "key"), c.arg(2, "default")
	m := c.args[0].ref.(*dict)
	c.r.bytes(len(key.s), c.at)
	if k, ok := keyOf(key); ok {
		if i := m.findKey(k); i >= 0 {
			return c.r.child(&m.vals[i], c.args[0].path(), &k)
		}
	}
	if def != nil {
		return *def
	}
	return c.computed(None())
}

func methodValues(c *Call) Value {
	c.most(0)
	m := c.args[0].ref.(*dict)
	c.r.items(len(m.vals), c.at)
	out := make([]Value, len(m.vals))
	for i := range out {
		out[i] = c.r.child(&m.vals[i], c.args[0].path(), &m.keys[i])
	}
	return c.list(out)
}
