package jinja

// postfix reads attributes, subscripts and calls behind an expression.
func (p *parser) postfix(e uint32) uint32 {
	for {
		switch p.tok.kind {
		case tokDot:
			p.advance()
			t := p.tok
			switch t.kind {
			case tokName:
				p.advance()
				name := p.intern(p.text(t))
				if p.tok.kind == tokLParen {
					mark := p.mark()
					p.tmp = append(p.tmp, name)
					h, end := p.args(p.nodes[e].height)
					off, n := p.take(mark)
					e = p.lift(p.add(opMethod, p.nodes[e].pos, end, e, off, n-1), h)
					continue
				}
				e = p.over(p.add(opGetAttr, p.nodes[e].pos, t.end, e, 0, name), e)
			case tokInt:
				p.advance()
				i := p.constant(t.pos, t.end, p.numberValue(t))
				e = p.over(p.add(opGetItem, p.nodes[e].pos, t.end, e, i, 0), e)
			default:
				p.unexpected("a name")
			}
		case tokLBracket:
			e = p.subscript(e)
		case tokLParen:
			mark := p.mark()
			h, end := p.args(p.nodes[e].height)
			off, n := p.take(mark)
			e = p.lift(p.add(opCall, p.nodes[e].pos, end, e, off, n), h)
		default:
			return e
		}
	}
}

func (p *parser) subscript(e uint32) uint32 {
	p.enterNesting()
	p.advance()
	var bounds [3]uint32
	n := 0
	for {
		if p.tok.kind != tokColon && p.tok.kind != tokRBracket {
			bounds[n] = p.expr()
		}
		if p.tok.kind != tokColon || n == 2 {
			break
		}
		p.advance()
		n++
	}
	end := p.tok.end
	if n == 0 && bounds[0] == 0 {
		p.unexpected("an expression")
	}
	p.expect(tokRBracket)
	p.depth--
	if n == 0 {
		return p.over(p.add(opGetItem, p.nodes[e].pos, end, e, bounds[0], 0), e, bounds[0])
	}
	rec := p.record(bounds[:]...)
	return p.over(p.add(opSlice, p.nodes[e].pos, end, e, rec, 0), e, bounds[0], bounds[1], bounds[2])
}

// args reads the arguments of a call from its bracket on. It pushes pairs of a
// kind and a node, and returns the greatest height and the end of the bracket.
func (p *parser) args(h uint8) (height uint8, end uint32) {
	p.enterNesting()
	p.expect(tokLParen)
	named := false
	for p.tok.kind != tokRParen {
		kind := uint32(argPlain)
		at := p.tok
		switch {
		case p.accept(tokMul):
			kind = argSplat
		case p.accept(tokPow):
			kind, named = argSplatMap, true
		}
		e := p.expr()
		if n := &p.nodes[e]; kind == argPlain && p.tok.kind == tokAssign {
			if n.op != opLocal && n.op != opRoot && n.op != opCaptured && n.op != opSelf || n.pos != at.pos {
				p.unexpected("',' or ')'")
			}
			p.advance()
			kind, named = argNamed+n.c, true
			e = p.expr()
		} else if kind == argPlain && named {
			p.failAt(at, ErrSyntax, "positional argument follows a named one")
		}
		p.tmp = append(p.tmp, kind, e)
		h = max(h, p.nodes[e].height)
		if p.tok.kind != tokRParen && !p.accept(tokComma) {
			p.unexpected("',' or ')'")
		}
	}
	end = p.tok.end
	p.advance()
	p.depth--
	return h, end
}

// filters reads filters and tests behind an expression.
func (p *parser) filters(e uint32) uint32 {
	for {
		switch {
		case p.tok.kind == tokPipe:
			p.advance()
			e = p.filter(e)
		case p.word("is"):
			p.advance()
			e = p.test(e)
		default:
			return e
		}
	}
}

// dotted reads a filter or test name, which may have dots in it.
func (p *parser) dotted() (token, string) {
	t := p.expect(tokName)
	name := p.text(t)
	for p.accept(tokDot) {
		next := p.expect(tokName)
		name += "." + p.text(next)
		t.end = next.end
	}
	return t, name
}

// filter reads the name and arguments of a filter over the subject e, and any
// calls and attributes behind it.
func (p *parser) filter(e uint32) uint32 {
	t, name := p.dotted()
	mark := p.mark()
	if f := p.env.filters[name]; f != nil {
		p.tmp = append(p.tmp, p.use(f))
	} else {
		p.tmp = append(p.tmp, p.unknown(ErrUnknownFilter, name, t))
	}
	h, end := p.nodes[e].height, t.end
	if p.tok.kind == tokLParen {
		h, end = p.args(h)
	}
	off, n := p.take(mark)
	pos := p.nodes[e].pos
	if p.nodes[e].op == opSubject {
		pos = t.pos
	}
	return p.lift(p.add(opFilter, pos, end, e, off, n-1), h)
}

// stranger is the use of a filter or test that doesn't exist: an error of parsing where it
// is certain to run, and else one of the rendering that comes to it.
type stranger struct {
	kind     ErrorKind
	name     string
	pos, end uint32
}

func (t *Template) strange(s stranger) *Error {
	what, meant := "filter", t.env.meantFilter
	if s.kind == ErrUnknownTest {
		what, meant = "test", t.env.meantTest
	}
	err := t.failure(s.kind, s.pos, s.end, "unknown "+what+" '"+s.name+"'")
	meant(err, s.name)
	return err
}

// unknown gives the index of what stands for a filter or test that doesn't exist.
func (p *parser) unknown(kind ErrorKind, name string, t token) uint32 {
	s := stranger{kind, name, t.pos, t.end}
	if p.branches == 0 {
		p.certain = append(p.certain, s)
	}
	key := [2]string{string(kind), name}
	if i, ok := p.known[key]; ok {
		return i
	}
	if p.known == nil {
		p.known = map[[2]string]uint32{}
	}
	at := p.t
	p.known[key] = uint32(len(p.program.filters))
	p.program.strangers = append(p.program.strangers, s)
	p.program.filters = append(p.program.filters, &callable{name: name, builtin: func(c *Call) Value {
		e := c.failure(kind, "")
		told := at.strange(s)
		e.Message, e.Nearest, e.Hint = told.Message, told.Nearest, told.Hint
		panic(e)
	}})
	return p.known[key]
}

// Unknown returns an error for each filter and test that doesn't exist and is used where a
// condition decides whether it runs, at the first such place of each name. What is certain to run is
// an error of parsing.
func (t *Template) Unknown() []*Error {
	out := make([]*Error, len(t.strangers))
	for i, s := range t.strangers {
		out[i] = t.strange(s)
	}
	return out
}

func (p *parser) use(f *callable) uint32 {
	for i, g := range p.program.filters {
		if g == f {
			return uint32(i)
		}
	}
	p.program.filters = append(p.program.filters, f)
	return uint32(len(p.program.filters) - 1)
}

func (p *parser) test(e uint32) uint32 {
	var flag uint8
	if p.acceptWord("not") {
		flag = 1
	}
	t, name := p.dotted()
	mark := p.mark()
	if f := p.env.tests[name]; f != nil {
		p.tmp = append(p.tmp, p.use(f))
	} else {
		p.tmp = append(p.tmp, p.unknown(ErrUnknownTest, name, t))
	}
	h, end := p.nodes[e].height, t.end
	switch p.tok.kind {
	case tokLParen:
		h, end = p.args(h)
	case tokName:
		if wordIn(p.text(p.tok), "and or not in is if else recursive ignore with without import as") {
			break
		}
		fallthrough
	case tokInt, tokFloat, tokString, tokLBracket, tokLBrace, tokSub:
		// One argument may stand without brackets: x is divisibleby 3. A minus begins
		// one only where the test needs it; it is arithmetic in x is even - 1.
		if p.tok.kind == tokSub && !wordIn(name, "sameas divisibleby eq equalto ne lt lessthan le gt greaterthan ge in") {
			break
		}
		arg := p.signed()
		p.tmp = append(p.tmp, argPlain, arg)
		h, end = max(h, p.nodes[arg].height), p.nodes[arg].end
	}
	off, n := p.take(mark)
	id := p.lift(p.add(opTest, p.nodes[e].pos, end, e, off, n-1), h)
	p.nodes[id].flag = flag
	return id
}
