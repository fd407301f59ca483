package jinja

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

func (p *parser) numberValue(t token) Value {
	text := p.text(t)
	if strings.HasSuffix(text, "_") || strings.Contains(text, "__") || t.kind == tokFloat && misplacedUnderscore(text) {
		err := p.t.failure(ErrSyntax, t.pos, t.end, "invalid number '"+text+"'")
		err.Hint = "an underscore stands between two digits"
		panic(err)
	}
	text = strings.ReplaceAll(text, "_", "")
	if t.kind == tokFloat {
		f, err := strconv.ParseFloat(text, 64)
		if err != nil && f == 0 {
			p.failAt(t, ErrSyntax, "invalid number '"+p.text(t)+"'")
		}
		return Float(f)
	}
	digits, base := text, 10
	if len(text) > 1 && text[0] == '0' {
		switch text[1] {
		case 'x', 'X':
			digits, base = text[2:], 16
		case 'o', 'O':
			digits, base = text[2:], 8
		case 'b', 'B':
			digits, base = text[2:], 2
		default:
			if strings.Trim(text, "0") != "" {
				err := p.t.failure(ErrSyntax, t.pos, t.end, "invalid integer '"+p.text(t)+"'")
				err.Hint = "an integer doesn't begin with 0; write 0o for an octal one"
				panic(err)
			}
		}
	}
	n, err := strconv.ParseInt(digits, base, 64)
	if err != nil {
		if e, _ := err.(*strconv.NumError); e != nil && e.Err == strconv.ErrRange {
			p.failAt(t, ErrArithmetic, "integer '"+p.text(t)+"' does not fit into 64 bits")
		}
		p.failAt(t, ErrSyntax, "invalid integer '"+p.text(t)+"'")
	}
	return Int(n)
}

// misplacedUnderscore reports an underscore of a float beside its point or exponent.
func misplacedUnderscore(text string) bool {
	for _, wrong := range []string{"_.", "._", "_e", "_E", "e_", "E_"} {
		if strings.Contains(text, wrong) {
			return true
		}
	}
	return false
}

// stringLiteral reads a string and those that follow it without an operator.
func (p *parser) stringLiteral(t token) uint32 {
	raw := p.src[t.pos+1 : t.end-1]
	if p.tok.kind != tokString && strings.IndexByte(raw, '\\') < 0 {
		v := Value{kind: KindString, s: raw, org: origin(t.pos+1, 0), flags: fromSource}
		return p.constant(t.pos, t.end, v)
	}
	var b strings.Builder
	end := t.end
	p.unescape(&b, t)
	for p.tok.kind == tokString {
		p.unescape(&b, p.tok)
		end = p.tok.end
		p.advance()
	}
	return p.constant(t.pos, end, Value{kind: KindString, s: b.String()})
}

func (p *parser) unescape(b *strings.Builder, t token) {
	s := p.src[t.pos+1 : t.end-1]
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' {
			b.WriteByte(s[i])
			continue
		}
		i++
		at := token{pos: t.pos + uint32(i), end: t.pos + uint32(i) + 2}
		digits := func(n, base int) rune {
			if i+n >= len(s) {
				p.failAt(at, ErrSyntax, "escape in string is cut short")
			}
			v, err := strconv.ParseUint(s[i+1:i+1+n], base, 32)
			if err != nil {
				p.failAt(at, ErrSyntax, "invalid escape in string")
			}
			i += n
			return rune(v)
		}
		switch c := s[i]; c {
		case '\\', '"', '\'', '/':
			b.WriteByte(c)
		case 'n':
			b.WriteByte('\n')
		case 't':
			b.WriteByte('\t')
		case 'r':
			b.WriteByte('\r')
		case 'b':
			b.WriteByte('\b')
		case 'f':
			b.WriteByte('\f')
		case 'a':
			b.WriteByte('\a')
		case 'v':
			b.WriteByte('\v')
		case 'x':
			b.WriteRune(digits(2, 16))
		case 'u':
			r := digits(4, 16)
			if utf16.IsSurrogate(r) && strings.HasPrefix(s[i+1:], `\u`) {
				i += 2
				r = utf16.DecodeRune(r, digits(4, 16))
			}
			if !utf8.ValidRune(r) {
				p.failAt(at, ErrSyntax, "escape in string is not a character")
			}
			b.WriteRune(r)
		case '0', '1', '2', '3', '4', '5', '6', '7':
			n := 1
			for n < 3 && i+n < len(s) && s[i+n] >= '0' && s[i+n] <= '7' {
				n++
			}
			i--
			b.WriteRune(digits(n, 8))
		default: // an unknown escape stands for itself, as in Jinja2
			b.WriteByte('\\')
			b.WriteByte(c)
		}
	}
}

// group reads (x), a tuple (x, y) or ().
func (p *parser) group(open token) uint32 {
	p.enterNesting()
	p.advance()
	mark := p.mark()
	if p.tok.kind != tokRParen {
		e := p.expr()
		if p.accept(tokRParen) {
			p.depth--
			return e
		}
		p.tmp = append(p.tmp, e)
		if p.tok.kind != tokComma {
			p.unexpected("',' or ')'")
		}
		p.advance()
	}
	end := p.items(tokRParen)
	p.depth--
	return p.sequence(opTuple, open.pos, end, mark)
}

// items reads expressions up to the closing bracket and returns its end.
func (p *parser) items(closing tok) (end uint32) {
	for p.tok.kind != closing {
		p.tmp = append(p.tmp, p.expr())
		if p.tok.kind != closing && !p.accept(tokComma) {
			p.unexpected("',' or " + tokNames[closing])
		}
	}
	end = p.tok.end
	p.advance()
	return end
}

// sequence adds a node over the children from mark on; a list of constants is
// a constant itself.
func (p *parser) sequence(op op, pos, end uint32, mark int) uint32 {
	var h uint8
	constant := op == opList || op == opTuple || op == opDict
	for _, k := range p.tmp[mark:] {
		h = max(h, p.nodes[k].height)
		constant = constant && p.nodes[k].op == opConst
	}
	off, n := p.take(mark)
	id := p.lift(p.add(op, pos, end, off, n, 0), h)
	if !constant {
		return id
	}
	vals := make([]Value, 0, n)
	for _, k := range p.kids[off : off+n] {
		vals = append(vals, p.consts[p.nodes[k].a])
	}
	var v Value
	ok := true
	if op == opDict {
		v, ok = pairsDict(vals, p.t.src.Trust)
	} else {
		v, ok = makeList(vals, op == opTuple)
	}
	if !ok {
		return id // an error of evaluation
	}
	c := p.constant(pos, end, v)
	// The operands stay, for whoever asks what the source said.
	p.nodes[c].b = id
	p.nodes[c].height = p.nodes[id].height
	return c
}

// pairsDict makes a map of keys and values in turn; the last of equal keys wins.
func pairsDict(vals []Value, trust Trust) (Value, bool) {
	keys, items := make([]dictKey, 0, len(vals)/2), make([]Value, 0, len(vals)/2)
	var at map[dictKey]int
	if len(vals)/2 > smallDict {
		at = make(map[dictKey]int, len(vals)/2)
	}
	for i := 0; i < len(vals); i += 2 {
		k, ok := keyOf(&vals[i])
		if !ok {
			return Value{}, false
		}
		trust = max(trust, vals[i].trust)
		j := -1
		if at != nil {
			if x, ok := at[k]; ok {
				j = x
			} else {
				at[k] = len(keys)
			}
		} else {
			for x := range keys {
				if keys[x] == k {
					j = x
					break
				}
			}
		}
		if j >= 0 {
			items[j] = vals[i+1]
			continue
		}
		keys, items = append(keys, k), append(items, vals[i+1])
	}
	return makeDict(keys, items, trust)
}

func (p *parser) dict(open token) uint32 {
	p.enterNesting()
	p.advance()
	mark := p.mark()
	for p.tok.kind != tokRBrace {
		p.tmp = append(p.tmp, p.expr())
		p.expect(tokColon)
		p.tmp = append(p.tmp, p.expr())
		if p.tok.kind != tokRBrace && !p.accept(tokComma) {
			p.unexpected("',' or '}'")
		}
	}
	end := p.tok.end
	p.advance()
	p.depth--
	return p.sequence(opDict, open.pos, end, mark)
}
