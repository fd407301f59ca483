package jinja

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// printer writes values as Python shows them, which is how Jinja prints. It stops at its limit, and with
// a run it pays for what it visits: a value can be shared many times over, so
// that its text is much larger than its memory.
type printer struct {
	out    []byte
	limit  int
	r      *run
	at     uint32
	quoted bool // strings at the top are quoted too
}

func (p *printer) full() bool { return p.r == nil && len(p.out) > p.limit }

func (p *printer) value(v *Value, depth int) {
	if p.r != nil {
		p.r.burn(1, p.at)
		p.within(0)
	}
	if depth > 2*maxDepth || p.full() {
		p.out = append(p.out, "…"...)
		return
	}
	switch v.kind {
	case kindUnset, KindUndefined:
		if depth > 0 {
			p.out = append(p.out, "undefined"...)
		}
	case KindNone:
		p.out = append(p.out, "None"...)
	case KindBool:
		p.out = appendBool(p.out, v.num != 0)
	case KindInt:
		p.out = strconv.AppendInt(p.out, int64(v.num), 10)
	case KindFloat:
		p.out = appendFloat(p.out, v.asFloat())
	case KindString:
		if p.r != nil {
			p.r.bytes(len(v.s), p.at)
			p.within(len(v.s))
		}
		s := v.s
		if p.r == nil && len(s) > p.limit+4 {
			s = s[:p.limit+4]
		}
		if depth == 0 && !p.quoted {
			p.out = append(p.out, s...)
		} else {
			p.quote(s)
		}
	case KindList:
		p.list(v.ref.(*list), depth)
	case KindMap:
		p.dict(v.ref.(*dict), depth)
	case kindNamespace:
		ns := v.ref.(*namespace)
		p.out = append(p.out, '{')
		for i, n := range ns.names {
			if i > 0 {
				p.out = append(p.out, ", "...)
			}
			p.quote(n)
			p.out = append(p.out, ": "...)
			p.value(&ns.vals[i], depth+1)
		}
		p.out = append(p.out, '}')
	case KindFunction, kindObject:
		p.out = append(p.out, describeObject(v.ref)...)
	}
}

// within fails when n more bytes go beyond the limit.
func (p *printer) within(n int) {
	if len(p.out)+n > p.limit {
		p.r.fail(ErrOutputSize, p.at, "output is larger than the limit of "+itoa(p.limit)+" bytes")
	}
}

// quote writes a string as a literal, a chunk at a time.
func (p *printer) quote(s string) {
	mark := quoteFor(s)
	p.out = append(p.out, mark)
	for s != "" && !p.full() {
		n := min(chunk, len(s))
		for n < len(s) && !utf8.RuneStart(s[n]) {
			n++
		}
		p.out = appendEscaped(p.out, s[:n], mark)
		s = s[n:]
		if p.r != nil {
			p.within(0)
		}
	}
	p.out = append(p.out, mark)
}

func (p *printer) list(l *list, depth int) {
	open, end := byte('['), byte(']')
	if l.tuple {
		open, end = '(', ')'
	}
	p.out = append(p.out, open)
	for i := range l.items {
		if p.full() {
			return
		}
		if i > 0 {
			p.out = append(p.out, ", "...)
		}
		p.value(&l.items[i], depth+1)
	}
	if l.tuple && len(l.items) == 1 {
		p.out = append(p.out, ',')
	}
	p.out = append(p.out, end)
}

func (p *printer) dict(m *dict, depth int) {
	p.out = append(p.out, '{')
	for i := range m.keys {
		if p.full() {
			return
		}
		if i > 0 {
			p.out = append(p.out, ", "...)
		}
		k := m.keys[i].value(0)
		p.value(&k, depth+1)
		p.out = append(p.out, ": "...)
		p.value(&m.vals[i], depth+1)
	}
	p.out = append(p.out, '}')
}

// appendBool writes a bool as Python names it.
func appendBool(dst []byte, b bool) []byte {
	if b {
		return append(dst, "True"...)
	}
	return append(dst, "False"...)
}

// quoteFor is the mark around a string in Python: single, unless the string holds
// one and no double one.
func quoteFor(s string) byte {
	if strings.IndexByte(s, '\'') >= 0 && strings.IndexByte(s, '"') < 0 {
		return '"'
	}
	return '\''
}

// appendEscaped writes a string as it stands between the marks of a literal of
// Python: what doesn't show is an escape.
func appendEscaped(dst []byte, s string, quote byte) []byte {
	const hex = "0123456789abcdef"
	for i := 0; i < len(s); {
		c := s[i]
		if c >= utf8.RuneSelf {
			r, n := utf8.DecodeRuneInString(s[i:])
			i += n
			switch {
			case unicode.IsPrint(r):
				dst = utf8.AppendRune(dst, r)
			case r <= 0xff:
				dst = append(dst, '\\', 'x', hex[r>>4], hex[r&15])
			case r <= 0xffff:
				dst = append(dst, '\\', 'u', hex[r>>12], hex[r>>8&15], hex[r>>4&15], hex[r&15])
			default:
				dst = append(dst, '\\', 'U', '0', '0', hex[r>>20], hex[r>>16&15], hex[r>>12&15], hex[r>>8&15], hex[r>>4&15], hex[r&15])
			}
			continue
		}
		switch {
		case c == quote || c == '\\':
			dst = append(dst, '\\', c)
		case c == '\n':
			dst = append(dst, `\n`...)
		case c == '\r':
			dst = append(dst, `\r`...)
		case c == '\t':
			dst = append(dst, `\t`...)
		case c < ' ' || c == 0x7f:
			dst = append(dst, '\\', 'x', hex[c>>4], hex[c&15])
		default:
			dst = append(dst, c)
		}
		i++
	}
	return dst
}
