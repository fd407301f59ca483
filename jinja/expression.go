package jinja

// From loose to tight: x if c else y; or; and; not; comparisons and in; + -; ~;
// * / // %; **; unary - and +; then calls, attributes, filters and tests.

func (p *parser) expr() uint32 {
	p.enterNesting()
	certain := len(p.certain)
	e := p.or()
	for p.word("if") {
		p.certain = p.certain[:certain]
		p.branches++
		p.advance()
		cond := p.or()
		var other uint32
		if p.acceptWord("else") {
			other = p.expr()
		}
		p.branches--
		e = p.over(p.add(opCond, p.nodes[e].pos, p.lastEnd(other, cond), e, cond, other), e, cond, other)
	}
	p.depth--
	return e
}

// exprNoIf reads an expression that an "if" ends: that of a for statement.
func (p *parser) exprNoIf() uint32 {
	p.enterNesting()
	e := p.or()
	p.depth--
	return e
}

// exprTuple reads an expression, or several separated by commas as a tuple.
func (p *parser) exprTuple() uint32 {
	first := p.expr()
	if p.tok.kind != tokComma {
		return first
	}
	mark := p.mark()
	p.tmp = append(p.tmp, first)
	for p.accept(tokComma) {
		if p.tok.kind == tokEndBlock {
			break
		}
		p.tmp = append(p.tmp, p.expr())
	}
	return p.sequence(opTuple, p.nodes[first].pos, p.nodes[p.tmp[len(p.tmp)-1]].end, mark)
}

func (p *parser) lastEnd(ids ...uint32) uint32 {
	for _, id := range ids {
		if id != 0 {
			return p.nodes[id].end
		}
	}
	return p.tok.pos
}

// over notes that id stands above its operands. The height of the tree bounds
// the recursion of evaluation, for chains that no bracket opened as well.
func (p *parser) over(id uint32, operands ...uint32) uint32 {
	var h uint8
	for _, o := range operands {
		h = max(h, p.nodes[o].height)
	}
	return p.lift(id, h)
}

func (p *parser) lift(id uint32, below uint8) uint32 {
	if int(below) >= 2*p.env.limits.Nesting || below >= 250 {
		n := &p.nodes[id]
		p.failAt(token{pos: n.pos, end: n.end}, ErrNesting, "expression nests deeper than the limit of "+itoa(p.env.limits.Nesting))
	}
	p.nodes[id].height = below + 1
	return id
}

// nary adds a node over the operands from mark on.
func (p *parser) nary(op op, mark int) uint32 {
	first, last := p.tmp[mark], p.tmp[len(p.tmp)-1]
	return p.sequence(op, p.nodes[first].pos, p.nodes[last].end, mark)
}

func (p *parser) or() uint32 {
	e := p.and()
	if !p.word("or") {
		return e
	}
	mark := p.mark()
	p.tmp = append(p.tmp, e)
	for p.acceptWord("or") {
		p.tmp = append(p.tmp, p.and())
	}
	return p.nary(opOr, mark)
}

func (p *parser) and() uint32 {
	e := p.not()
	if !p.word("and") {
		return e
	}
	mark := p.mark()
	p.tmp = append(p.tmp, e)
	for p.acceptWord("and") {
		p.tmp = append(p.tmp, p.not())
	}
	return p.nary(opAnd, mark)
}

func (p *parser) not() uint32 {
	if !p.word("not") {
		return p.comparison()
	}
	at := p.tok
	p.enterNesting()
	p.advance()
	e := p.not()
	p.depth--
	return p.over(p.add(opNot, at.pos, p.nodes[e].end, e, 0, 0), e)
}

// comparisonOp takes a comparison operator.
func (p *parser) comparisonOp() (uint32, bool) {
	switch p.tok.kind {
	case tokEq, tokNe, tokLt, tokLe, tokGt, tokGe:
		c := uint32(p.tok.kind - tokEq)
		p.advance()
		return c, true
	case tokName:
		if p.acceptWord("in") {
			return cmpIn, true
		}
		if p.word("not") {
			p.advance()
			if !p.acceptWord("in") {
				p.unexpected("'in'")
			}
			return cmpNotIn, true
		}
	}
	return 0, false
}

func (p *parser) comparison() uint32 {
	e := p.sum()
	c, ok := p.comparisonOp()
	if !ok {
		return e
	}
	mark := p.mark()
	p.tmp = append(p.tmp, e)
	h, end := p.nodes[e].height, uint32(0)
	for ; ok; c, ok = p.comparisonOp() {
		right := p.sum()
		p.tmp = append(p.tmp, c, right)
		h, end = max(h, p.nodes[right].height), p.nodes[right].end
	}
	off, n := p.take(mark)
	return p.lift(p.add(opCompare, p.nodes[e].pos, end, off, n, 0), h)
}

func (p *parser) binary(kind tok, left, right uint32) uint32 {
	id := p.add(opBinary, p.nodes[left].pos, p.nodes[right].end, left, right, 0)
	p.nodes[id].flag = uint8(kind)
	return p.over(id, left, right)
}

func (p *parser) sum() uint32 {
	e := p.concat()
	for p.tok.kind == tokAdd || p.tok.kind == tokSub {
		kind := p.tok.kind
		p.advance()
		e = p.binary(kind, e, p.concat())
	}
	return e
}

func (p *parser) concat() uint32 {
	e := p.product()
	if p.tok.kind != tokConcat {
		return e
	}
	mark := p.mark()
	p.tmp = append(p.tmp, e)
	for p.accept(tokConcat) {
		p.tmp = append(p.tmp, p.product())
	}
	return p.nary(opConcat, mark)
}

func (p *parser) product() uint32 {
	e := p.power()
	for p.tok.kind >= tokMul && p.tok.kind <= tokMod {
		kind := p.tok.kind
		p.advance()
		e = p.binary(kind, e, p.power())
	}
	return e
}

func (p *parser) power() uint32 {
	e := p.unary()
	for p.accept(tokPow) {
		e = p.binary(tokPow, e, p.unary())
	}
	return e
}

func (p *parser) unary() uint32 { return p.filters(p.signed()) }

func (p *parser) signed() uint32 {
	at := p.tok
	var o op
	switch at.kind {
	case tokSub:
		o = opNeg
	case tokAdd:
		o = opPos
	default:
		return p.postfix(p.primary())
	}
	p.enterNesting()
	p.advance()
	e := p.signed()
	p.depth--
	// -1 is a constant, so that [-1] is one too.
	if n := &p.nodes[e]; o == opNeg && n.op == opConst {
		c := p.consts[n.a]
		switch {
		case c.kind == KindInt && c.num != 1<<63:
			c.num = -c.num
		case c.kind == KindFloat:
			c.num ^= 1 << 63
		default:
			return p.over(p.add(o, at.pos, n.end, e, 0, 0), e)
		}
		return p.constant(at.pos, n.end, c)
	}
	return p.over(p.add(o, at.pos, p.nodes[e].end, e, 0, 0), e)
}

// constant adds a constant that stands at a place of the template.
func (p *parser) constant(pos, end uint32, v Value) uint32 {
	id := p.add(opConst, pos, end, uint32(len(p.consts)), 0, 0)
	v.trust = p.t.src.Trust
	if v.kind != KindList && v.kind != KindMap {
		v.ref = p.t
	}
	if v.flags&fromSource == 0 {
		v.org = origin(id, 0)
		v.flags = 0
	}
	p.consts = append(p.consts, v)
	return id
}

func (p *parser) primary() uint32 {
	t := p.tok
	switch t.kind {
	case tokName:
		p.advance()
		return p.name(t)
	case tokInt, tokFloat:
		p.advance()
		return p.constant(t.pos, t.end, p.numberValue(t))
	case tokString:
		p.advance()
		return p.stringLiteral(t)
	case tokLParen:
		return p.group(t)
	case tokLBracket:
		p.enterNesting()
		p.advance()
		mark := p.mark()
		end := p.items(tokRBracket)
		p.depth--
		return p.sequence(opList, t.pos, end, mark)
	case tokLBrace:
		return p.dict(t)
	}
	p.unexpected("an expression")
	return 0
}

func (p *parser) name(t token) uint32 {
	name := p.text(t)
	switch name {
	case "true", "True":
		return p.constant(t.pos, t.end, Bool(true))
	case "false", "False":
		return p.constant(t.pos, t.end, Bool(false))
	case "none", "None":
		return p.constant(t.pos, t.end, None())
	case "self":
		return p.add(opSelf, t.pos, t.end, 0, 0, p.intern(name))
	case "super":
		if p.tok.kind == tokLParen {
			return p.add(opSuper, t.pos, t.end, 0, 0, p.intern(name))
		}
	case "not", "and", "or", "in", "is", "if", "else":
		p.failAt(t, ErrSyntax, "unexpected '"+name+"', expected an expression")
	}
	return p.resolve(p.scope, p.fn, p.intern(name), t)
}
