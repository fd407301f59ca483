package jinja

import "strings"

// parser reads statements; expression.go has the part for expressions.
type parser struct {
	program
	lexer
	t     *Template
	env   *Env
	tok   token
	depth int
	scope int32
	fn    int32
	tmp   []uint32 // stack of children whose parent is being read
	loops int      // enclosing loops in this function
}

// parse reads a template, or an expression if expression is set.
func (t *Template) parse(expression bool) (err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *Error:
			err = r
		default:
			panic(r)
		}
	}()
	e := t.env
	if err := checkSource(t); err != nil {
		return err
	}
	text := t.src.Text
	if !expression && !e.opts.KeepTrailingNewline {
		if rest, ok := strings.CutSuffix(text, "\n"); ok {
			text = strings.TrimSuffix(rest, "\r")
		}
	}
	p := &parser{t: t, env: e}
	p.lexer = lexer{t: t, src: text, trimBlocks: e.opts.TrimBlocks, lstripBlocks: e.opts.LstripBlocks, expression: expression}
	// Guesses that fit most templates: a node per ten bytes.
	p.nodes = make([]node, 1, 8+len(text)/10)
	p.kids = make([]uint32, 0, 8+len(text)/12)
	p.names = make([]string, 0, 8)
	p.fns = append(make([]function, 0, 1), function{callable: noSlot})
	p.scopes = append(make([]scope, 0, 4), scope{parent: -1})
	if expression {
		p.inTag = tokVar
		p.advance()
		p.root = p.expr()
		if p.tok.kind != tokEOF {
			p.unexpected("end of expression")
		}
	} else {
		p.advance()
		off, n := p.body(0, "")
		p.fns[0].body, p.fns[0].bodyLen = off, n
	}
	p.top = make([]uint32, len(p.names))
	for i := range p.top {
		p.top[i] = noSlot
	}
	for _, d := range p.scopes[0].decls {
		p.top[d.name] = d.slot
	}
	t.program = p.program
	return nil
}

func (p *parser) advance() { p.tok = p.next() }

func (p *parser) text(t token) string { return p.src[t.pos:t.end] }

func (p *parser) failAt(t token, kind ErrorKind, message string) {
	panic(p.t.failure(kind, t.pos, t.end, message))
}

func (p *parser) describe(t token) string {
	switch t.kind {
	case tokName, tokInt, tokFloat:
		return "'" + p.text(t) + "'"
	default:
		return tokNames[t.kind]
	}
}

func (p *parser) unexpected(want string) {
	p.failAt(p.tok, ErrSyntax, "unexpected "+p.describe(p.tok)+", expected "+want)
}

// expect takes a token of the kind, and returns it.
func (p *parser) expect(kind tok) token {
	t := p.tok
	if t.kind != kind {
		p.unexpected(tokNames[kind])
	}
	p.advance()
	return t
}

func (p *parser) accept(kind tok) bool {
	if p.tok.kind == kind {
		p.advance()
		return true
	}
	return false
}

// word reports whether the current token is the given word.
func (p *parser) word(w string) bool { return p.tok.kind == tokName && p.text(p.tok) == w }

func (p *parser) acceptWord(w string) bool {
	if p.word(w) {
		p.advance()
		return true
	}
	return false
}

func (p *parser) enterNesting() {
	p.depth++
	if p.depth > p.env.limits.Nesting {
		p.failAt(p.tok, ErrNesting, "nests deeper than the limit of "+itoa(p.env.limits.Nesting))
	}
}

// add appends a node. Its end is the end of the last token that belongs to it.
func (p *parser) add(op op, pos, end, a, b, c uint32) uint32 {
	p.nodes = append(p.nodes, node{op: op, pos: pos, end: end, a: a, b: b, c: c})
	if len(p.nodes) > maxNodes {
		p.failAt(p.tok, ErrSourceSize, "template has more than "+itoa(maxNodes)+" nodes")
	}
	return uint32(len(p.nodes) - 1)
}

// maxNodes bounds the memory of a parsed template.
const maxNodes = 400_000

// mark and take move children from the stack to the table of kids.
func (p *parser) mark() int { return len(p.tmp) }

func (p *parser) take(mark int) (off, n uint32) {
	off, n = uint32(len(p.kids)), uint32(len(p.tmp)-mark)
	p.kids = append(p.kids, p.tmp[mark:]...)
	p.tmp = p.tmp[:mark]
	return off, n
}

func (p *parser) record(ids ...uint32) uint32 {
	p.kids = append(p.kids, ids...)
	return uint32(len(p.kids) - len(ids))
}

func (p *parser) intern(name string) uint32 {
	if p.nameID == nil {
		for i, n := range p.names {
			if n == name {
				return uint32(i)
			}
		}
		if len(p.names) >= 24 {
			p.nameID = make(map[string]uint32, 2*len(p.names))
			for i, n := range p.names {
				p.nameID[n] = uint32(i)
			}
		}
	} else if id, ok := p.nameID[name]; ok {
		return id
	}
	id := uint32(len(p.names))
	p.names = append(p.names, name)
	if p.nameID != nil {
		p.nameID[name] = id
	}
	return id
}

// openScope begins a scope in the current function.
func (p *parser) openScope() (outer int32) {
	outer = p.scope
	p.scopes = append(p.scopes, scope{parent: outer, fn: p.fn})
	p.scope = int32(len(p.scopes) - 1)
	return outer
}

// declare binds a name in the current scope and returns its slot.
func (p *parser) declare(name uint32, certain bool) uint32 {
	s := &p.scopes[p.scope]
	if d := s.find(name); d != nil {
		d.certain = d.certain || certain
		return d.slot
	}
	slot := uint32(p.fns[p.fn].slots)
	p.fns[p.fn].slots++
	s.decls = append(s.decls, decl{name: name, slot: slot, certain: certain})
	return slot
}

// openFunction begins a function whose names resolve outwards from parent, or
// nowhere if that is -1.
func (p *parser) openFunction(kind op, name string, parent int32) (restore func()) {
	fn, scp, loops := p.fn, p.scope, p.loops
	p.fns = append(p.fns, function{kind: kind, name: name, callable: noSlot})
	p.fn = int32(len(p.fns) - 1)
	p.scopes = append(p.scopes, scope{parent: parent, fn: p.fn})
	p.scope = int32(len(p.scopes) - 1)
	p.fns[p.fn].scope = p.scope
	p.loops = 0
	return func() { p.fn, p.scope, p.loops = fn, scp, loops }
}

// resolve returns a node that reads a name from within scope s of function fn.
func (p *parser) resolve(s, fn int32, name uint32, at token) uint32 {
	var head, tail uint32
	link := func(id uint32) {
		if head == 0 {
			head = id
		} else {
			p.nodes[tail].b = id
		}
		tail = id
	}
	for ; s >= 0; s = p.scopes[s].parent {
		sc := &p.scopes[s]
		if sc.fn != fn {
			// From here on the scopes are those of the enclosing function. The top
			// level of a template is read in place, everything else is captured.
			outer := p.resolve(s, sc.fn, name, at)
			if n := &p.nodes[outer]; n.op == opRoot || n.flag != 0 {
				break
			}
			link(p.add(opCaptured, at.pos, at.end, p.capture(fn, name, outer), 0, name))
			break
		}
		if d := sc.find(name); d != nil {
			d.used = true
			certain, top := d.certain, s == 0
			id := p.add(opLocal, at.pos, at.end, d.slot, 0, name)
			if top {
				p.nodes[id].flag = 1
			}
			link(id)
			if certain {
				return head
			}
		}
	}
	link(p.add(opRoot, at.pos, at.end, name, 0, name))
	return head
}

func (p *parser) capture(fn int32, name, node uint32) uint32 {
	f := &p.fns[fn]
	for i, c := range f.captures {
		if c.name == name {
			return uint32(i)
		}
	}
	f.captures = append(f.captures, capture{name, node})
	return uint32(len(f.captures) - 1)
}

// exposeScope is for what resolves names while rendering: an include or a block
// may read any name that is visible here.
func (p *parser) exposeScope(at token) {
	for s := p.scope; s > 0; s = p.scopes[s].parent {
		for i := range p.scopes[s].decls {
			d := &p.scopes[s].decls[i]
			d.used = true
			if p.scopes[s].fn != p.fn {
				p.resolve(p.scope, p.fn, d.name, at)
			}
		}
	}
}

// body reads statements up to a tag that begins with one of the words in ends,
// separated by spaces, and stops behind that word. Without ends it reads to the
// end of the template. open is the tag that the body belongs to.
func (p *parser) body(open uint32, ends string) (off, n uint32) {
	p.enterNesting()
	defer func() { p.depth-- }()
	mark := p.mark()
	for {
		switch t := p.tok; t.kind {
		case tokText:
			p.tmp = append(p.tmp, p.add(opText, t.pos, t.end, t.pos, t.end, 0))
			p.advance()
		case tokVar:
			p.advance()
			e := p.expr()
			end := p.tok.end
			p.expect(tokEndVar)
			p.tmp = append(p.tmp, p.add(opEmit, t.pos, end, e, 0, 0))
		case tokBlock:
			p.advance()
			if p.tok.kind != tokName {
				p.unexpected("a statement")
			}
			if ends != "" && wordIn(p.text(p.tok), ends) {
				return p.take(mark)
			}
			if id := p.statement(t); id != 0 {
				p.tmp = append(p.tmp, id)
			}
		case tokEOF:
			if ends != "" {
				panic(p.t.failure(ErrSyntax, open, open+2, "block is not closed, expected "+orList(ends)))
			}
			return p.take(mark)
		default:
			p.unexpected("text or a tag")
		}
	}
}

// captured reads a body whose output becomes a value. A loop around it can't be
// left from inside.
func (p *parser) captured(open uint32, end string) (off, n uint32) {
	outer, loops := p.openScope(), p.loops
	p.loops = 0
	off, n = p.body(open, end)
	p.scope, p.loops = outer, loops
	return off, n
}

func wordIn(word, list string) bool {
	for list != "" {
		var w string
		w, list, _ = strings.Cut(list, " ")
		if w == word {
			return true
		}
	}
	return false
}

func orList(words string) string {
	w := strings.Fields(words)
	for i := range w {
		w[i] = "'" + w[i] + "'"
	}
	if n := len(w); n > 1 {
		return strings.Join(w[:n-1], ", ") + " or " + w[n-1]
	}
	return w[0]
}

// endTag takes the word that ends a body and the end of its tag.
func (p *parser) endTag() (end uint32) {
	p.advance()
	return p.expect(tokEndBlock).end
}

const statementWords = "for if set with filter macro call block include import from extends do break continue autoescape raw"

// statement reads the statement whose tag began at open; the current token is
// its first word. It returns 0 for a statement that does nothing.
func (p *parser) statement(open token) uint32 {
	word := p.tok
	p.advance()
	switch w := p.text(word); w {
	case "if":
		return p.ifStatement(open)
	case "for":
		return p.forStatement(open)
	case "set":
		return p.setStatement(open)
	case "with":
		return p.withStatement(open)
	case "filter":
		return p.filterStatement(open)
	case "macro":
		return p.macroStatement(open)
	case "call":
		return p.callStatement(open)
	case "block":
		return p.blockStatement(open)
	case "include":
		return p.includeStatement(open)
	case "import":
		return p.importStatement(open)
	case "from":
		return p.fromStatement(open)
	case "extends":
		if p.scope != 0 {
			p.failAt(word, ErrSyntax, "extends must stand at the top level of the template")
		}
		e := p.expr()
		return p.finish(opExtends, open, e, 0, 0)
	case "do":
		e := p.expr()
		return p.finish(opDo, open, e, 0, 0)
	case "break", "continue":
		if p.loops == 0 {
			p.failAt(word, ErrSyntax, "'"+w+"' is not in a loop")
		}
		if w == "break" {
			return p.finish(opBreak, open, 0, 0, 0)
		}
		return p.finish(opContinue, open, 0, 0, 0)
	case "autoescape":
		e := p.expr()
		p.expect(tokEndBlock)
		off, n := p.body(open.pos, "endautoescape")
		end := p.endTag()
		return p.add(opAutoescape, open.pos, end, e, off, n)
	default:
		err := p.t.failure(ErrSyntax, word.pos, word.end, "unknown statement '"+w+"'")
		if strings.HasPrefix(w, "end") || w == "else" || w == "elif" {
			err.Message = "'" + w + "' closes nothing that is open"
		} else {
			err.Nearest = nearest(w, strings.Fields(statementWords))
		}
		panic(err)
	}
}

// finish ends a tag and adds its node.
func (p *parser) finish(op op, open token, a, b, c uint32) uint32 {
	end := p.expect(tokEndBlock).end
	return p.add(op, open.pos, end, a, b, c)
}

func (p *parser) ifStatement(open token) uint32 {
	mark := p.mark()
	cond := p.expr()
	p.expect(tokEndBlock)
	for {
		off, n := p.body(open.pos, "elif else endif")
		p.tmp = append(p.tmp, cond, off, n)
		if p.acceptWord("elif") {
			cond = p.expr()
			p.expect(tokEndBlock)
			continue
		}
		if p.acceptWord("else") {
			p.expect(tokEndBlock)
			off, n := p.body(open.pos, "endif")
			p.tmp = append(p.tmp, 0, off, n)
		}
		end := p.endTag()
		off, n = p.take(mark)
		return p.add(opIf, open.pos, end, off, n, 0)
	}
}

func (p *parser) forStatement(open token) uint32 {
	names := p.targetNames()
	if !p.acceptWord("in") {
		p.unexpected("'in'")
	}
	iter := p.exprNoIf()
	outer := p.openScope()
	r := loopRecord{iter: iter, loopSlot: noSlot, slotLo: uint32(p.fns[p.fn].slots)}
	r.target = p.bindTargets(names, true)
	loopName := p.intern("loop")
	loopSlot := p.declare(loopName, true)
	if p.acceptWord("if") {
		r.cond = p.expr()
	}
	var flag uint8
	if p.acceptWord("recursive") {
		flag = 1
	}
	p.expect(tokEndBlock)
	p.loops++
	r.body, r.bodyLen = p.body(open.pos, "else endfor")
	p.loops--
	if flag != 0 || p.scopes[p.scope].find(loopName).used {
		r.loopSlot = loopSlot
	}
	r.slotHi = uint32(p.fns[p.fn].slots)
	p.scope = outer
	if p.acceptWord("else") {
		p.expect(tokEndBlock)
		r.els, r.elsLen = p.body(open.pos, "endfor")
	}
	end := p.endTag()
	off := p.record(r.iter, r.target, r.cond, r.body, r.bodyLen, r.els, r.elsLen, r.loopSlot, r.slotLo, r.slotHi)
	id := p.add(opFor, open.pos, end, off, 0, 0)
	p.nodes[id].flag = flag
	return id
}

func (p *program) loop(n *node) loopRecord {
	k := p.kids[n.a : n.a+loopRecordLen]
	return loopRecord{k[0], k[1], k[2], k[3], k[4], k[5], k[6], k[7], k[8], k[9]}
}

// targetName is a name to assign to, or a tuple of such.
type targetName struct {
	name  token
	attr  token // the attribute, for ns.attr
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
	if p.accept(tokDot) {
		t.attr = p.expect(tokName)
	}
	return t
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
	if t.attr.end != 0 {
		ns := p.resolve(p.scope, p.fn, p.intern(name), t.name)
		return p.add(opTargetAttr, t.name.pos, t.attr.end, ns, 0, p.intern(p.text(t.attr)))
	}
	if reserved(name) {
		p.failAt(t.name, ErrSyntax, "cannot assign to '"+name+"'")
	}
	id := p.intern(name)
	return p.add(opTargetSlot, t.name.pos, t.name.end, p.declare(id, certain), 0, id)
}

func (p *parser) setStatement(open token) uint32 {
	names := p.targetNames()
	if p.accept(tokAssign) {
		e := p.exprTuple()
		return p.finish(opSet, open, p.bindTargets(names, false), e, 0)
	}
	if names.tuple != nil {
		p.unexpected("'='")
	}
	var filter uint32
	if p.tok.kind == tokPipe {
		filter = p.filters(p.add(opSubject, p.tok.pos, p.tok.end, 0, 0, 0))
	}
	if p.tok.kind != tokEndBlock {
		p.unexpected("'=' or '%}'")
	}
	p.advance()
	off, n := p.captured(open.pos, "endset")
	end := p.endTag()
	rec := p.record(off, n, filter)
	return p.add(opSetBlock, open.pos, end, p.bindTargets(names, false), rec, 0)
}

func (p *parser) withStatement(open token) uint32 {
	mark := p.mark()
	outer := p.openScope()
	lo := uint32(p.fns[p.fn].slots)
	for p.tok.kind != tokEndBlock {
		names := p.targetNameOrGroup()
		p.expect(tokAssign)
		// A value sees the names before it, as in with a=1, b=a.
		e := p.expr()
		target := p.bindTargets(names, true)
		p.tmp = append(p.tmp, target, e)
		if !p.accept(tokComma) {
			break
		}
	}
	p.expect(tokEndBlock)
	off, n := p.take(mark)
	body, bodyLen := p.body(open.pos, "endwith")
	p.scope = outer
	end := p.endTag()
	rec := p.record(body, bodyLen, lo, uint32(p.fns[p.fn].slots))
	return p.add(opWith, open.pos, end, off, n, rec)
}

func (p *parser) filterStatement(open token) uint32 {
	subject := p.add(opSubject, p.tok.pos, p.tok.end, 0, 0, 0)
	e := p.filters(p.filter(subject))
	p.expect(tokEndBlock)
	off, n := p.captured(open.pos, "endfilter")
	end := p.endTag()
	return p.add(opFilterBody, open.pos, end, off, n, e)
}

// params reads the parameters of a macro or a call body from behind the bracket.
func (p *parser) params() {
	for p.tok.kind != tokRParen {
		t := p.expect(tokName)
		name := p.text(t)
		if reserved(name) {
			p.failAt(t, ErrSyntax, "cannot use '"+name+"' as a parameter")
		}
		for _, q := range p.fns[p.fn].params {
			if q.name == name {
				p.failAt(t, ErrSyntax, "parameter '"+name+"' is given twice")
			}
		}
		id := p.intern(name)
		q := param{name: name, target: p.add(opTargetSlot, t.pos, t.end, p.declare(id, true), 0, id)}
		if p.accept(tokAssign) {
			q.def = p.expr()
		} else if n := len(p.fns[p.fn].params); n > 0 && p.fns[p.fn].params[n-1].def != 0 {
			p.failAt(t, ErrSyntax, "parameter '"+name+"' without a default follows one with a default")
		}
		p.fns[p.fn].params = append(p.fns[p.fn].params, q)
		if !p.accept(tokComma) {
			break
		}
	}
	p.expect(tokRParen)
}

func (p *parser) macroStatement(open token) uint32 {
	t := p.expect(tokName)
	name := p.text(t)
	if reserved(name) {
		p.failAt(t, ErrSyntax, "cannot assign to '"+name+"'")
	}
	id := p.intern(name)
	target := p.add(opTargetSlot, t.pos, t.end, p.declare(id, false), 0, id)
	p.macros = true
	restore := p.openFunction(opMacro, name, p.scope)
	fn := p.fn
	caller := p.declare(p.intern("caller"), true)
	p.expect(tokLParen)
	p.params()
	p.expect(tokEndBlock)
	off, n := p.body(open.pos, "endmacro")
	p.fns[fn].body, p.fns[fn].bodyLen = off, n
	if p.scopes[p.fns[fn].scope].find(p.intern("caller")).used {
		p.fns[fn].callable = caller
	}
	restore()
	p.advance()
	p.endName(name, "macro")
	end := p.expect(tokEndBlock).end
	node := p.add(opMacro, open.pos, end, uint32(fn), target, 0)
	p.fns[fn].node = node
	return node
}

// endName takes the optional name behind endblock or endmacro.
func (p *parser) endName(name, what string) {
	if p.tok.kind != tokName {
		return
	}
	if got := p.text(p.tok); got != name {
		p.failAt(p.tok, ErrSyntax, what+" '"+name+"' is closed as '"+got+"'")
	}
	p.advance()
}

func (p *parser) callStatement(open token) uint32 {
	// The parameters come before the call in the source, but belong to the body.
	restore := p.openFunction(opCallBody, "caller", p.scope)
	fn := p.fn
	if p.accept(tokLParen) {
		p.params()
	}
	inner := p.scope
	restore()
	p.macros = true
	at := p.tok
	call := p.expr()
	if o := p.nodes[call].op; o != opCall && o != opMethod {
		p.failAt(at, ErrSyntax, "expected a call")
	}
	p.expect(tokEndBlock)
	outerFn, outerScope, loops := p.fn, p.scope, p.loops
	p.fn, p.scope, p.loops = fn, inner, 0
	off, n := p.body(open.pos, "endcall")
	p.fn, p.scope, p.loops = outerFn, outerScope, loops
	p.fns[fn].body, p.fns[fn].bodyLen = off, n
	end := p.endTag()
	node := p.add(opCallBody, open.pos, end, call, uint32(fn), 0)
	p.fns[fn].node = node
	return node
}

func (p *parser) blockStatement(open token) uint32 {
	t := p.expect(tokName)
	name := p.text(t)
	for _, b := range p.blocks {
		if p.fns[b].name == name {
			p.failAt(t, ErrSyntax, "block '"+name+"' is defined twice")
		}
	}
	required := false
	for p.tok.kind == tokName {
		switch p.text(p.tok) {
		case "scoped": // every block sees the names around it
		case "required":
			required = true
		default:
			p.unexpected("'scoped', 'required' or '%}'")
		}
		p.advance()
	}
	p.expect(tokEndBlock)
	p.exposeScope(t)
	around := p.scope
	restore := p.openFunction(opBlock, name, -1)
	fn := p.fn
	p.fns[fn].required = required
	p.blocks = append(p.blocks, uint32(fn))
	off, n := p.body(open.pos, "endblock")
	p.fns[fn].body, p.fns[fn].bodyLen = off, n
	restore()
	if required {
		for _, k := range p.kids[off : off+n] {
			if b := &p.nodes[k]; b.op != opText || strings.TrimSpace(p.src[b.a:b.b]) != "" {
				p.failAt(token{pos: b.pos, end: b.end}, ErrSyntax, "required block '"+name+"' may hold only white space and comments")
			}
		}
	}
	p.advance()
	p.endName(name, "block")
	end := p.expect(tokEndBlock).end
	node := p.add(opBlock, open.pos, end, uint32(fn), p.intern(name), uint32(around))
	p.fns[fn].node = node
	return node
}

// skipContext takes "with context" and "without context", which change nothing:
// an included template always sees the variables around it, an imported one only
// those of the rendering.
func (p *parser) skipContext() {
	if p.word("with") || p.word("without") {
		p.advance()
		if !p.acceptWord("context") {
			p.unexpected("'context'")
		}
	}
}

func (p *parser) includeStatement(open token) uint32 {
	e := p.expr()
	var flag uint8
	if p.acceptWord("ignore") {
		if !p.acceptWord("missing") {
			p.unexpected("'missing'")
		}
		flag = 1
	}
	p.skipContext()
	p.exposeScope(open)
	id := p.finish(opInclude, open, e, uint32(p.scope), 0)
	p.nodes[id].flag = flag
	return id
}

func (p *parser) importStatement(open token) uint32 {
	e := p.expr()
	if !p.acceptWord("as") {
		p.unexpected("'as'")
	}
	t := targetName{name: p.expect(tokName)}
	p.skipContext()
	return p.finish(opImport, open, e, p.bindTargets(t, false), 0)
}

func (p *parser) fromStatement(open token) uint32 {
	e := p.expr()
	if !p.acceptWord("import") {
		p.unexpected("'import'")
	}
	mark := p.mark()
	for p.tok.kind == tokName && !(len(p.tmp) > mark && (p.word("with") || p.word("without"))) {
		t := p.expect(tokName)
		as := t
		if p.acceptWord("as") {
			as = p.expect(tokName)
		}
		target := p.bindTargets(targetName{name: as}, false)
		p.tmp = append(p.tmp, p.intern(p.text(t)), target)
		if !p.accept(tokComma) {
			break
		}
	}
	if len(p.tmp) == mark {
		p.unexpected("a name")
	}
	p.skipContext()
	off, n := p.take(mark)
	return p.finish(opFrom, open, e, off, n)
}
