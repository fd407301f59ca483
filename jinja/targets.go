package jinja

// targetName is a name to assign to, or a tuple of such.
type targetName struct {
	name  token
	attrs []token // of a namespace, for ns.attr
	tuple []targetName
}

// targetNames reads a, b or (a, (b, c)). The names are bound later, as what is
// assigned to them is still outside of their scope.
func (p *parser) targetNames() targetName {
	first := p.targetNameOrGroup()
	if p.tok.kind != tokComma {
		return first
	}
	t := targetName{name: first.name, tuple: []targetName{first}}
	for p.accept(tokComma) {
		if p.tok.kind != tokName && p.tok.kind != tokLParen || p.word("in") {
			break
		}
		t.tuple = append(t.tuple, p.targetNameOrGroup())
	}
	return t
}

func (p *parser) targetNameOrGroup() targetName {
	if at := p.tok; p.accept(tokLParen) {
		p.enterNesting()
		t := p.targetNames()
		p.depth--
		p.expect(tokRParen)
		if t.tuple == nil {
			t = targetName{name: at, tuple: []targetName{t}}
		}
		return t
	}
	t := targetName{name: p.expect(tokName)}
	for p.accept(tokDot) {
		t.attrs = append(t.attrs, p.expect(tokName))
	}
	return t
}

// onlyNames refuses attributes in what a loop or a with block binds.
func (p *parser) onlyNames(t targetName) {
	for _, item := range t.tuple {
		p.onlyNames(item)
	}
	if len(t.attrs) > 0 {
		err := p.t.failure(ErrSyntax, t.name.pos, t.attrs[len(t.attrs)-1].end, "expected a name to bind, not an attribute")
		err.Hint = "only {% set %} assigns to an attribute, that of a namespace"
		panic(err)
	}
}

func reserved(name string) bool {
	switch name {
	case "true", "false", "none", "True", "False", "None", "loop", "self", "not", "and", "or", "in", "is", "if", "else":
		return true
	}
	return false
}

// bindTargets declares the names of a target in the current scope.
func (p *parser) bindTargets(t targetName, certain bool) uint32 {
	if t.tuple != nil {
		mark := p.mark()
		for _, item := range t.tuple {
			id := p.bindTargets(item, certain)
			p.tmp = append(p.tmp, id)
		}
		off, n := p.take(mark)
		return p.add(opTargetTuple, t.name.pos, t.name.end, off, n, 0)
	}
	name := p.text(t.name)
	if last := len(t.attrs) - 1; last >= 0 {
		if name == "loop" || name == "self" {
			p.failAt(t.name, ErrSyntax, "cannot assign to an attribute of '"+name+"'")
		}
		ns := p.resolve(p.scope, p.fn, p.intern(name), t.name)
		for _, a := range t.attrs[:last] {
			ns = p.over(p.add(opGetAttr, t.name.pos, a.end, ns, 0, p.intern(p.text(a))), ns)
		}
		return p.add(opTargetAttr, t.name.pos, t.attrs[last].end, ns, 0, p.intern(p.text(t.attrs[last])))
	}
	if reserved(name) {
		p.failAt(t.name, ErrSyntax, "cannot assign to '"+name+"'")
	}
	id := p.intern(name)
	return p.add(opTargetSlot, t.name.pos, t.name.end, p.declare(id, certain), 0, id)
}
