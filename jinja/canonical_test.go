package jinja

import (
	"strconv"
	"strings"
)

// canonical returns the template as source in one fixed form: every operation in
// brackets, no comments, white-space control spelled out. Parsing it gives the
// same program, whatever the options for white space are.
func (t *Template) canonical() string {
	c := canonical{t: t}
	c.body(t.fns[0].body, t.fns[0].bodyLen)
	s := c.b.String()
	if strings.HasSuffix(s, "\n") && !t.env.opts.KeepTrailingNewline {
		s += "\n"
	}
	return s
}

// canonical returns the expression as source in one fixed form, every operation
// in brackets.
func (x *Expr) canonical() string {
	c := canonical{t: x.t}
	c.expr(x.t.program.root)
	return c.b.String()
}

type canonical struct {
	t *Template
	b strings.Builder
}

func (c *canonical) put(parts ...string) {
	for _, p := range parts {
		c.b.WriteString(p)
	}
}

func (c *canonical) tag(parts ...string) {
	c.put("{%+ ")
	c.put(parts...)
	c.put(" +%}")
}

// open and shut enclose a tag whose inside is written piece by piece.
func (c *canonical) open(word string) { c.put("{%+ ", word, " ") }

func (c *canonical) shut() { c.put(" +%}") }

func (c *canonical) body(off, n uint32) {
	afterText := false
	for _, k := range c.t.kids[off : off+n] {
		st := &c.t.nodes[k]
		if st.op != opText {
			c.statement(st)
			afterText = false
			continue
		}
		text := c.t.src.Text[st.a:st.b]
		// Text behind text was parted by a comment or a raw block, and stays so.
		if afterText || strings.IndexByte(text, '{') >= 0 {
			c.tag("raw")
			c.put(text)
			c.tag("endraw")
		} else {
			c.put(text)
		}
		afterText = true
	}
}

func (c *canonical) statement(st *node) {
	t := c.t
	switch st.op {
	case opEmit:
		c.put("{{+ ")
		c.expr(st.a)
		c.put(" +}}")
	case opIf:
		k := t.kids[st.a : st.a+st.b]
		for i := 0; i < len(k); i += 3 {
			switch {
			case k[i] == 0:
				c.tag("else")
			case i == 0:
				c.open("if")
			default:
				c.open("elif")
			}
			if k[i] != 0 {
				c.expr(k[i])
				c.shut()
			}
			c.body(k[i+1], k[i+2])
		}
		c.tag("endif")
	case opFor:
		rec := t.loop(st)
		c.open("for")
		c.expr(rec.target)
		c.put(" in ")
		c.expr(rec.iter)
		if rec.cond != 0 {
			c.put(" if ")
			c.expr(rec.cond)
		}
		if st.flag != 0 {
			c.put(" recursive")
		}
		c.shut()
		c.body(rec.body, rec.bodyLen)
		if rec.elsLen > 0 {
			c.tag("else")
			c.body(rec.els, rec.elsLen)
		}
		c.tag("endfor")
	case opSet:
		c.open("set")
		c.expr(st.a)
		c.put(" = ")
		c.expr(st.b)
		c.shut()
	case opSetBlock:
		rec := t.kids[st.b : st.b+3]
		c.open("set")
		c.expr(st.a)
		c.filters(rec[2])
		c.shut()
		c.body(rec[0], rec[1])
		c.tag("endset")
	case opWith:
		c.open("with")
		k := t.kids[st.a : st.a+st.b]
		for i := 0; i < len(k); i += 2 {
			if i > 0 {
				c.put(", ")
			}
			c.expr(k[i])
			c.put(" = ")
			c.expr(k[i+1])
		}
		c.shut()
		rec := t.kids[st.c : st.c+2]
		c.body(rec[0], rec[1])
		c.tag("endwith")
	case opAutoescape:
		c.open("autoescape")
		c.expr(st.a)
		c.shut()
		c.body(st.b, st.c)
		c.tag("endautoescape")
	case opBreak:
		c.tag("break")
	case opContinue:
		c.tag("continue")
	default:
		c.definition(st)
	}
}

// definition writes the statements that make something others refer to, or refer
// to other templates.
func (c *canonical) definition(st *node) {
	t := c.t
	switch st.op {
	case opFilterBody:
		c.put("{%+ filter ")
		d := canonical{t: t}
		d.filters(st.c)
		c.put(strings.TrimPrefix(d.b.String(), "|"))
		c.shut()
		c.body(st.a, st.b)
		c.tag("endfilter")
	case opMacro:
		fn := &t.fns[st.a]
		c.put("{%+ macro ", fn.name)
		c.params(fn)
		c.shut()
		c.body(fn.body, fn.bodyLen)
		c.tag("endmacro")
	case opCallBody:
		fn := &t.fns[st.b]
		c.put("{%+ call")
		c.params(fn)
		c.put(" ")
		c.expr(st.a)
		c.shut()
		c.body(fn.body, fn.bodyLen)
		c.tag("endcall")
	case opBlock:
		fn := &t.fns[st.a]
		c.put("{%+ block ", fn.name)
		if fn.required {
			c.put(" required")
		}
		c.shut()
		c.body(fn.body, fn.bodyLen)
		c.tag("endblock")
	case opInclude:
		c.open("include")
		c.expr(st.a)
		if st.flag != 0 {
			c.put(" ignore missing")
		}
		c.shut()
	case opImport:
		c.open("import")
		c.expr(st.a)
		c.put(" as ")
		c.expr(st.b)
		c.shut()
	case opFrom:
		c.open("from")
		c.expr(st.a)
		c.put(" import ")
		k := t.kids[st.b : st.b+st.c]
		for i := 0; i < len(k); i += 2 {
			if i > 0 {
				c.put(", ")
			}
			c.put(t.names[k[i]], " as ")
			c.expr(k[i+1])
		}
		c.shut()
	case opExtends, opDo:
		c.open(map[op]string{opExtends: "extends", opDo: "do"}[st.op])
		c.expr(st.a)
		c.shut()
	}
}

func (c *canonical) params(fn *function) {
	c.put("(")
	for i, p := range fn.params {
		if i > 0 {
			c.put(", ")
		}
		c.put(p.name)
		if p.def != 0 {
			c.put("=")
			c.expr(p.def)
		}
	}
	c.put(")")
}

// filters writes a chain over opSubject.
func (c *canonical) filters(id uint32) {
	if id == 0 || c.t.nodes[id].op == opSubject {
		return
	}
	n := &c.t.nodes[id]
	c.filters(n.a)
	c.suffix(n)
}

// suffix writes the filter or test of a node, without what it applies to.
func (c *canonical) suffix(n *node) {
	if n.op == opFilter {
		c.put("|")
	} else if n.flag != 0 {
		c.put(" is not ")
	} else {
		c.put(" is ")
	}
	c.put(c.t.filters[c.t.kids[n.b]].name)
	if n.c > 0 {
		c.args(n.b+1, n.c)
	}
}

func (c *canonical) args(off, n uint32) {
	k := c.t.kids[off : off+n]
	c.put("(")
	for i := 0; i < len(k); i += 2 {
		if i > 0 {
			c.put(", ")
		}
		switch k[i] {
		case argPlain:
		case argSplat:
			c.put("*")
		case argSplatMap:
			c.put("**")
		default:
			c.put(c.t.names[k[i]-argNamed], "=")
		}
		c.expr(k[i+1])
	}
	c.put(")")
}

func (c *canonical) list(ids []uint32, sep string) {
	for i, k := range ids {
		if i > 0 {
			c.put(sep)
		}
		c.expr(k)
	}
}

// target writes a path of names, which may stand on the left of an assignment.
func (c *canonical) target(id uint32) {
	n := &c.t.nodes[id]
	if n.op == opGetAttr {
		c.target(n.a)
		c.put(".")
	}
	c.put(c.t.names[n.c])
}

// operand writes an expression so that something may stand behind it.
func (c *canonical) operand(id uint32) {
	c.put("(")
	c.expr(id)
	c.put(")")
}

var comparisonWords = [...]string{"==", "!=", "<", "<=", ">", ">=", "in", "not in"}

func (c *canonical) expr(id uint32) {
	t := c.t
	n := &t.nodes[id]
	kids := func() []uint32 { return t.kids[n.a : n.a+n.b] }
	switch n.op {
	case opConst:
		if n.b != 0 { // a constant list is written by its operands
			c.expr(n.b)
			return
		}
		c.constant(&t.consts[n.a])
	case opLocal, opCaptured, opRoot:
		c.put(t.names[n.c])
	case opTargetSlot:
		c.put(t.names[n.c])
	case opTargetAttr:
		c.target(n.a)
		c.put(".", t.names[n.c])
	case opTargetTuple:
		c.put("(")
		c.list(kids(), ", ")
		if n.b == 1 {
			c.put(",")
		}
		c.put(")")
	case opSelf:
		c.put("self")
	case opSuper:
		c.put("super")
	case opGetAttr:
		c.operand(n.a)
		c.put(".", t.names[n.c])
	case opGetItem:
		c.operand(n.a)
		c.put("[")
		c.expr(n.b)
		c.put("]")
	case opSlice:
		c.operand(n.a)
		c.put("[")
		for i, k := range t.kids[n.b : n.b+3] {
			if i > 0 {
				c.put(":")
			}
			if k != 0 {
				c.expr(k)
			}
		}
		c.put("]")
	case opCall:
		if t.nodes[n.a].op == opSuper {
			c.put("super")
		} else {
			c.operand(n.a)
		}
		c.args(n.b, n.c)
	case opMethod:
		c.operand(n.a)
		c.put(".", t.names[t.kids[n.b]])
		c.args(n.b+1, n.c)
	case opFilter, opTest:
		c.operand(n.a)
		c.suffix(n)
	default:
		c.operation(n)
	}
}

// operation writes an expression made of operands.
func (c *canonical) operation(n *node) {
	t := c.t
	kids := func() []uint32 { return t.kids[n.a : n.a+n.b] }
	switch n.op {
	case opNot:
		c.put("not ")
		c.operand(n.a)
	case opNeg:
		c.put("-")
		c.operand(n.a)
	case opPos:
		c.put("+")
		c.operand(n.a)
	case opBinary:
		c.operand(n.a)
		c.put(" ", strings.Trim(tokNames[n.flag], "'"), " ")
		c.operand(n.b)
	case opConcat, opAnd, opOr:
		for i, k := range kids() {
			if i > 0 {
				c.put(map[op]string{opConcat: " ~ ", opAnd: " and ", opOr: " or "}[n.op])
			}
			c.operand(k)
		}
	case opCompare:
		k := kids()
		c.operand(k[0])
		for i := 1; i < len(k); i += 2 {
			c.put(" ", comparisonWords[k[i]], " ")
			c.operand(k[i+1])
		}
	case opCond:
		c.operand(n.a)
		c.put(" if ")
		c.operand(n.b)
		if n.c != 0 {
			c.put(" else ")
			c.operand(n.c)
		}
	case opList:
		c.put("[")
		c.list(kids(), ", ")
		c.put("]")
	case opTuple:
		c.put("(")
		c.list(kids(), ", ")
		if n.b == 1 {
			c.put(",")
		}
		c.put(")")
	case opDict:
		c.put("{")
		for i, k := range kids() {
			switch {
			case i%2 == 1:
				c.put(": ")
			case i > 0:
				c.put(", ")
			}
			c.expr(k)
		}
		c.put("}")
	}
}

func (c *canonical) constant(v *Value) {
	switch v.kind {
	case KindString:
		c.literal(v.s)
	case KindFloat:
		f := v.asFloat()
		s := strconv.FormatFloat(f, 'g', -1, 64)
		if f > 1e308*1.79 { // infinity, which is how an exponent too large reads
			s = "1e999"
		} else if f < -1e308*1.79 {
			s = "-1e999"
		}
		if !strings.ContainsAny(s, ".e") {
			s += ".0"
		}
		c.put(s)
	default:
		c.put(v.String())
	}
}

func (c *canonical) literal(s string) {
	c.put(`"`)
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			c.put(`\`, string(r))
		case r == '\n':
			c.put(`\n`)
		case r < ' ':
			c.put(`\x`, "0123456789abcdef"[r>>4:r>>4+1], "0123456789abcdef"[r&15:r&15+1])
		default:
			c.put(string(r))
		}
	}
	c.put(`"`)
}
