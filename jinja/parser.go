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
	macro int      // enclosing macros
	open  []openTag
	work  int // names compared so far

	branches int                  // enclosing conditions
	certain  []stranger           // those that no condition keeps from running
	known    map[[2]string]uint32 // the index of what stands for each unknown filter and test
}

// openTag is a statement whose end has not been read yet.
type openTag struct {
	pos  uint32
	ends string // the words that may follow, separated by spaces
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
	if len(p.certain) > 0 {
		return t.strange(p.certain[0])
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
	case tokEOF:
		if p.expression {
			return "end of expression"
		}
	}
	return tokNames[t.kind]
}

// joiners are the words that stand between two expressions.
var joiners = []string{"and", "or", "else"}

func (p *parser) unexpected(want string) {
	at := int(p.tok.pos)
	open, left := p.openBracket(at)
	if left = left && p.endsTag(); left && p.src[at-1] == '}' {
		at-- // the second one of }}
	}
	if err := p.unclosed(at); err != nil {
		panic(err)
	}
	err := p.t.failure(ErrSyntax, p.tok.pos, p.tok.end, "unexpected "+p.describe(p.tok)+", expected "+want)
	switch {
	case p.tok.kind == tokAssign && p.inTag == tokVar && !p.expression:
		err.Hint = "write == to compare, and {% set %} to assign"
	case p.tok.kind == tokAssign && !strings.Contains(want, "'='"):
		err.Hint = "write == to compare"
	case want == "'=' or '%}'" || want == "'='":
		err.Hint = "a value stands behind =, as in {% set name = 3 %}"
	case p.word("if") && strings.Contains(want, "%}") && strings.HasSuffix(strings.TrimRight(p.src[:p.tok.pos], " \t\r\n"), "else"):
		err.Hint = "write elif"
	case p.inTag == tokBlock && !p.expression && strings.Contains(p.src[p.tagAt+2:p.tok.pos], "{{"):
		err.Hint = "inside a tag a name stands alone, without {{ and }}"
	case p.tok.kind == tokPipe && strings.HasSuffix(p.src[:p.tok.pos], "|"):
		err.Hint = "write or for one of two conditions"
	case p.tok.kind == tokName && want != "an expression" && !p.word("for"):
		err.Nearest = nearest(p.text(p.tok), joiners)
	case want == "an expression" && (p.tok.kind == tokEOF || p.tok.kind == tokEndBlock || p.tok.kind == tokEndVar):
		if word := p.unfinished(); word != "" {
			if err.Hint = "write what is missing behind " + word; wordIn(word, "and or") {
				err.Hint += ", or take " + word + " out"
			}
		}
	}
	if left && err.Hint == "" && err.Nearest == "" {
		p.leftOpen(err, open)
	}
	panic(err)
}

// endsTag reports whether the token is where its tag or expression ends. Within brackets }}
// is read as two of them.
func (p *parser) endsTag() bool {
	switch p.tok.kind {
	case tokEOF, tokEndBlock, tokEndVar:
		return true
	case tokRBrace:
		return p.inTag == tokVar && !p.expression && (strings.HasPrefix(p.src[p.tok.pos:], "}}") || p.src[p.tok.pos-1] == '}')
	}
	return false
}

// leftOpen says in an error which bracket is open where the tag ends.
func (p *parser) leftOpen(err *Error, open int) {
	b := &Bracket{Mark: p.src[open : open+1], Start: p.t.src.Offset + open}
	b.Line, b.Column = p.t.position(open)
	err.Opened, err.Hint = b, "close the "+b.Mark
	if !p.expression { // whoever has the expression knows where it stands
		err.Hint += " at " + itoa(b.Line) + ":" + itoa(b.Column)
	}
}

// unfinished is the word of logic that the source stops behind; empty for none.
func (p *parser) unfinished() string {
	before := strings.TrimRight(p.src[:p.tok.pos], " \t\r\n")
	start := len(before)
	for start > 0 && isNameByte(before[start-1]) {
		start--
	}
	if word := before[start:]; wordIn(word, "and or not in if else is") {
		return word
	}
	return ""
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
const maxNodes = 100_000

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

// maxWork bounds the comparing of names: a scope is a list, which is the fastest
// for the few names that templates have and would take for ever with many.
const maxWork = 40_000_000

func (p *parser) compareNames(n int) {
	p.work += n
	if p.work > maxWork {
		p.failAt(p.tok, ErrSourceSize, "template binds too many names")
	}
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
	p.compareNames(len(s.decls))
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
		p.compareNames(1 + len(sc.decls))
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
	p.compareNames(len(f.captures))
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
		p.compareNames(1 + len(p.scopes[s].decls))
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
	p.open = append(p.open, openTag{open, ends})
	defer func() { p.depth--; p.open = p.open[:len(p.open)-1] }()
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
				err := p.t.failure(ErrSyntax, open, open+2, "'"+p.firstWord(open)+"' is not closed, expected "+orList(ends))
				all := strings.Fields(ends)
				err.Hint = "write {% " + all[len(all)-1] + " %} behind what belongs to it"
				panic(err)
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
