package jinja

import (
	"cmp"
	"fmt"
	"strings"
)

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
		p.failStatement(word)
		return 0
	}
}

// foreignWords are statements of other languages, with what is written here.
var foreignWords = map[string]string{
	"fi": "endif", "unless": "if not", "switch": "if and elif", "case": "elif", "default": "else",
	"foreach": "for", "each": "for", "while": "for, over a list", "done": "endfor", "next": "endfor",
	"let": "set", "var": "set", "assign": "set", "verbatim": "raw", "endverbatim": "endraw",
	"comment": "{# and #} around a comment", "print": "{{ and }} around what is to be printed",
	"template": "include", "partial": "include",
}

// failStatement reports a word that begins no statement, and closes none here.
func (p *parser) failStatement(word token) {
	w := p.text(word)
	err := p.t.failure(ErrSyntax, word.pos, word.end, "unknown statement '"+w+"'")
	open := p.open[len(p.open)-1]
	switch {
	case w == "end" && open.ends != "":
		ends := strings.Fields(open.ends)
		err.Hint = "write " + ends[len(ends)-1]
	case foreignWords[w] != "":
		err.Hint = "write " + foreignWords[w]
	case !closesStatement(w) && w != "end":
		known := strings.Fields(open.ends + " " + statementWords)
		if err.Nearest = cmp.Or(nearest(w, known), nearestOfTwo(w, known)); err.Nearest == "" {
			err.Hint = "the statements are " + strings.Join(strings.Fields(statementWords), ", ")
		}
	case open.ends == "":
		err.Message = "'" + w + "' closes nothing that is open"
		if w != "end" {
			err.Hint = "write {% " + opens(w) + " %} before what belongs to it, or take this one out"
		}
	default:
		line, column := p.t.position(int(open.pos))
		err.Message = "'" + w + "' does not close '" + p.firstWord(open.pos) + "', which is open since " + itoa(line) + ":" + itoa(column) + "; expected " + orList(open.ends)
	}
	panic(err)
}

// nearestOfTwo is the one statement that a word of two letters is one slip away from;
// empty where there are several. Among so few words that is no guess.
func nearestOfTwo(w string, known []string) string {
	if len(w) != 2 {
		return ""
	}
	near := ""
	for _, c := range known {
		if editDistance(w, c, 2) < 2 {
			if near != "" {
				return ""
			}
			near = c
		}
	}
	return near
}

// closesStatement reports a word that ends a statement, or a part of one.
func closesStatement(w string) bool {
	if w == "else" || w == "elif" {
		return true
	}
	word, ok := strings.CutPrefix(w, "end")
	return ok && wordIn(word, "if for set with filter macro call block autoescape raw")
}

// opens is how the tag begins that a closing one belongs to.
func opens(w string) string {
	switch word := strings.TrimPrefix(w, "end"); word {
	case "else", "elif":
		return "if …"
	case "raw":
		return word
	default:
		return word + " …"
	}
}

// firstWord is the word that the tag at an offset begins with.
func (p *parser) firstWord(at uint32) string {
	tag := strings.TrimLeft(p.src[at+2:], "+- \t\r\n\f\v")
	end := 0
	for end < len(tag) && isNameByte(tag[end]) {
		end++
	}
	return tag[:end]
}

// finish ends a tag and adds its node.
func (p *parser) finish(op op, open token, a, b, c uint32) uint32 {
	end := p.expect(tokEndBlock).end
	return p.add(op, open.pos, end, a, b, c)
}

func (p *parser) ifStatement(open token) uint32 {
	mark := p.mark()
	p.branches++
	defer func() { p.branches-- }()
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
		otherwise := uint32(0)
		if at := p.tok.pos; p.acceptWord("else") {
			otherwise = at
			p.expect(tokEndBlock)
			off, n := p.body(open.pos, "endif")
			p.tmp = append(p.tmp, 0, off, n)
		}
		end := p.endTag()
		off, n = p.take(mark)
		return p.add(opIf, open.pos, end, off, n, otherwise)
	}
}

func (p *parser) forStatement(open token) uint32 {
	names := p.targetNames()
	p.onlyNames(names)
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
	otherwise := uint32(0)
	if at := p.tok.pos; p.acceptWord("else") {
		otherwise = at
		p.expect(tokEndBlock)
		r.els, r.elsLen = p.body(open.pos, "endfor")
	}
	end := p.endTag()
	off := p.record(r.iter, r.target, r.cond, r.body, r.bodyLen, r.els, r.elsLen, r.loopSlot, r.slotLo, r.slotHi)
	id := p.add(opFor, open.pos, end, off, otherwise, 0)
	p.nodes[id].flag = flag
	return id
}

func (p *program) loop(n *node) loopRecord {
	k := p.kids[n.a : n.a+loopRecordLen]
	return loopRecord{k[0], k[1], k[2], k[3], k[4], k[5], k[6], k[7], k[8], k[9]}
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
		p.onlyNames(names)
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
		p.compareNames(len(p.fns[p.fn].params))
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
	p.macro++
	off, n := p.body(open.pos, "endmacro")
	p.macro--
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
	if p.macro > 0 {
		p.failAt(t, ErrSyntax, "a block can't stand in a macro")
	}
	p.compareNames(len(p.blocks))
	for _, b := range p.blocks {
		if p.fns[b].name == name {
			where := "around this one, too"
			if n := p.fns[b].node; n != 0 {
				line, column := p.t.position(int(p.nodes[n].pos))
				where = fmt.Sprintf("first at %d:%d", line, column)
			}
			p.failAt(t, ErrSyntax, "block '"+name+"' is defined twice, "+where)
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
