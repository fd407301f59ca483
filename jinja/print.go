package jinja

import (
	"strconv"
	"unicode/utf8"
)

// printer writes values as templates show them. It stops at its limit, and with
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
		if len(p.out) > p.limit {
			p.r.out = p.out
			p.r.room(0, p.at)
		}
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
		p.out = append(p.out, "none"...)
	case KindBool:
		p.out = strconv.AppendBool(p.out, v.num != 0)
	case KindInt:
		p.out = strconv.AppendInt(p.out, int64(v.num), 10)
	case KindFloat:
		p.out = appendFloat(p.out, v.asFloat())
	case KindString:
		if p.r != nil {
			p.r.bytes(len(v.s), p.at)
			if len(p.out)+len(v.s) > p.limit {
				p.r.room(len(v.s), p.at)
			}
		}
		s := v.s
		if p.r == nil && len(s) > p.limit+4 {
			s = s[:p.limit+4]
		}
		if depth == 0 && !p.quoted {
			p.out = append(p.out, s...)
		} else {
			p.out = appendQuoted(p.out, s)
		}
	case KindList:
		p.list(v.ref.(*list), depth)
	case KindMap:
		p.dict(v.ref.(*dict), depth)
	case KindNamespace:
		ns := v.ref.(*namespace)
		p.out = append(p.out, '{')
		for i, n := range ns.names {
			if i > 0 {
				p.out = append(p.out, ", "...)
			}
			p.out = append(appendQuoted(p.out, n), ": "...)
			p.value(&ns.vals[i], depth+1)
		}
		p.out = append(p.out, '}')
	case KindFunction, KindObject:
		p.out = append(p.out, describeObject(v.ref)...)
	}
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

// appendQuoted writes a string in double quotes.
func appendQuoted(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for i := 0; i < len(s); {
		c := s[i]
		if c >= utf8.RuneSelf {
			_, n := utf8.DecodeRuneInString(s[i:])
			dst = append(dst, s[i:i+n]...)
			i += n
			continue
		}
		switch {
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case c == '\n':
			dst = append(dst, `\n`...)
		case c == '\r':
			dst = append(dst, `\r`...)
		case c == '\t':
			dst = append(dst, `\t`...)
		case c < ' ' || c == 0x7f:
			dst = append(dst, `\u00`...)
			dst = append(dst, "0123456789abcdef"[c>>4], "0123456789abcdef"[c&15])
		default:
			dst = append(dst, c)
		}
		i++
	}
	return append(dst, '"')
}
