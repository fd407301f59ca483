package jinja

import (
	"slices"
	"strings"
)

// Literal is a constant text of a template.
type Literal struct {
	Text string
	// Start and End are its bytes in the file, without quotes. Where the text isn't
	// Written, they are those of the expression that gives it.
	Start, End int
	// Written says that these bytes are the text: no escape and no operator made it.
	Written bool
}

// Ask is a place of a template that asks a function or a list for a name.
type Ask struct {
	// Literal has the name for AskConstant. For the others it has the place alone.
	Literal
	How AskKind
}

// AskKind is how a template asks for a name.
type AskKind uint8

// The kinds of asks.
const (
	AskConstant AskKind = iota // for a constant text
	AskValue                   // for what a variable holds
	AskMade                    // for what is put together while rendering
	AskAll                     // for no single name: all names are read
)

// Asks returns the names that the template asks a function for, or looks for in a list,
// by place: tool('x'), 'x' in tools, tools == ['x']. An empty function is none. Each constant has its own place,
// those of a condition and of a list too. What the template binds itself isn't asked.
func (t *Template) Asks(function, list string) []Ask {
	a := asker{t: t, function: function, list: list, known: map[uint32]bool{}}
	t.walkAll(a.visit)
	slices.SortStableFunc(a.asks, func(x, y Ask) int { return x.Start - y.Start })
	return slices.Compact(a.asks)
}

// NameSite is a constant name and where it stands; see [CallSite] for its place.
type NameSite struct {
	Name                string
	Line, Column, Start int
}

// Listed returns the constant names that the template looks for in a list, by place: 'x' in
// tools, tools == ['x'].
func (t *Template) Listed(list string) []NameSite {
	var out []NameSite
	for _, ask := range t.Asks("", list) {
		if ask.How == AskConstant {
			line, column := t.position(ask.Start - t.src.Offset)
			out = append(out, NameSite{ask.Text, line, column, ask.Start})
		}
	}
	return out
}

// Listed returns the names that the expression looks for; see [Template.Listed].
func (x *Expr) Listed(list string) []NameSite { return x.t.Listed(list) }

// Asks returns the names that the expression asks for; see [Template.Asks].
func (x *Expr) Asks(function, list string) []Ask { return x.t.Asks(function, list) }

// asker gathers asks.
type asker struct {
	t              *Template
	function, list string
	known          map[uint32]bool // names of the function or list that were judged
	asks           []Ask
	folder         folder
}

func (a *asker) visit(id uint32, n *node) bool {
	t := a.t
	switch n.op {
	case opCall:
		if name, sure := t.outside(n.a); sure && name != "" && name == a.function {
			a.known[n.a] = true
			t.walkArgs(n.b, n.c, a.given)
		}
	case opCompare:
		k := t.kids[n.a : n.a+n.b]
		operands := []uint32{k[0]}
		for i := 2; i < len(k); i += 2 {
			operands = append(operands, k[i])
		}
		a.compared(operands)
	case opTest:
		operands := []uint32{n.a}
		t.walkArgs(n.b+1, n.c, func(arg uint32) { operands = append(operands, arg) })
		a.compared(operands)
	case opRoot, opLocal, opCaptured:
		if name, _ := t.outside(id); name != "" && (name == a.function || name == a.list) && !a.known[id] {
			a.add(id, AskAll)
		}
	}
	return true
}

// compared takes the operands of a comparison: each stands beside its neighbours.
func (a *asker) compared(operands []uint32) {
	for i, id := range operands {
		if name, sure := a.t.outside(id); name != a.list || !sure || len(operands) < 2 {
			continue
		}
		a.known[id] = true
		if i > 0 {
			a.given(operands[i-1])
		}
		if i+1 < len(operands) {
			a.given(operands[i+1])
		}
	}
}

// given takes an expression that gives the name, or a list of names.
func (a *asker) given(id uint32) {
	t := a.t
	switch n := &t.nodes[id]; n.op {
	case opConst:
		switch v := &t.consts[n.a]; {
		case v.kind == KindString:
			a.asks = append(a.asks, Ask{Literal: t.literal(id, v.s)})
		case n.b != 0:
			a.given(n.b)
		}
	case opCond:
		a.given(n.a)
		if n.c != 0 {
			a.given(n.c)
		}
	case opAnd, opOr, opList, opTuple:
		for _, k := range t.kids[n.a : n.a+n.b] {
			a.given(k)
		}
	default:
		texts, ok := a.folder.texts(t, id)
		switch name, _ := t.outside(id); {
		case ok, name != "" && name == a.list: // a list compared with itself asks for nothing
		case t.held(id):
			a.add(id, AskValue)
		default:
			a.add(id, AskMade)
		}
		for _, s := range texts {
			l := t.place(id)
			l.Text = s
			a.asks = append(a.asks, Ask{Literal: l})
		}
	}
}

// held reports whether an expression only reads what a variable holds.
func (t *Template) held(id uint32) bool {
	switch n := &t.nodes[id]; n.op {
	case opRoot, opLocal, opCaptured:
		return true
	case opGetAttr, opGetItem:
		return t.held(n.a)
	}
	return false
}

func (a *asker) add(id uint32, how AskKind) {
	a.asks = append(a.asks, Ask{Literal: a.t.place(id), How: how})
}

// place is where a node stands.
func (t *Template) place(id uint32) Literal {
	n := &t.nodes[id]
	return Literal{Start: t.src.Offset + int(n.pos), End: t.src.Offset + int(n.end)}
}

// literal is the place of a constant text.
func (t *Template) literal(id uint32, text string) Literal {
	l := t.place(id)
	l.Text = text
	n := &t.nodes[id]
	if n.end-n.pos >= 2 && t.src.Text[n.pos+1:n.end-1] == text {
		l.Start, l.End, l.Written = l.Start+1, l.End-1, true
	}
	return l
}

// outside is the name that a node may read from outside of the template; empty for none.
// It is sure where the template doesn't bind the name anywhere around.
func (t *Template) outside(id uint32) (name string, sure bool) {
	for sure = true; id != 0; sure = false {
		n := &t.nodes[id]
		switch n.op {
		case opRoot:
			return t.names[n.c], sure && t.isGlobalName(id)
		case opLocal, opCaptured:
			id = n.b
		default:
			return "", false
		}
	}
	return "", false
}

// Members returns the attributes that the template reads of a variable from outside, by
// place: mode of vars.mode.x and of vars['mode'].
func (t *Template) Members(variable string) []Literal {
	var out []Literal
	t.walkAll(func(id uint32, n *node) bool {
		switch n.op {
		case opGetAttr:
			if name, sure := t.outside(n.a); name != variable || !sure {
				break
			}
			l := t.place(id)
			l.Text = t.names[n.c]
			if strings.HasSuffix(t.src.Text[n.pos:n.end], l.Text) {
				l.Start, l.Written = l.End-len(l.Text), true
			}
			out = append(out, l)
		case opGetItem:
			name, sure := t.outside(n.a)
			if key := &t.nodes[n.b]; name == variable && sure && key.op == opConst {
				if v := &t.consts[key.a]; v.kind == KindString {
					out = append(out, t.literal(n.b, v.s))
				}
			}
		}
		return true
	})
	slices.SortStableFunc(out, func(a, b Literal) int { return a.Start - b.Start })
	return out
}

// Members returns the attributes of a variable; see [Template.Members].
func (x *Expr) Members(variable string) []Literal { return x.t.Members(variable) }

// Links returns the constant names by which the template includes, imports and extends
// others, by place.
func (t *Template) Links() []Literal {
	var out []Literal
	t.walkAll(func(_ uint32, n *node) bool {
		switch n.op {
		case opInclude, opImport, opFrom, opExtends:
			a := asker{t: t}
			a.given(n.a)
			for _, ask := range a.asks {
				if ask.How == AskConstant {
					out = append(out, ask.Literal)
				}
			}
		}
		return true
	})
	return out
}

// Texts returns the constant texts in the tags of the template, but for names of other
// templates, by place. An expression that reads nothing counts with what it gives.
func (t *Template) Texts() []Literal {
	var out []Literal
	var fold folder
	var visit func(uint32, *node) bool
	visit = func(id uint32, n *node) bool {
		switch n.op {
		case opInclude, opImport, opFrom, opExtends:
			return t.nodes[n.a].op != opConst
		case opSetBlock:
			rec := t.kids[n.b : n.b+3]
			for _, k := range t.kids[rec[0] : rec[0]+rec[1]] {
				if b := &t.nodes[k]; b.op == opText {
					l := t.place(k)
					l.Text, l.Written = t.src.Text[b.a:b.b], true
					out = append(out, l)
				}
			}
		case opConst:
			if v := &t.consts[n.a]; v.kind == KindString {
				out = append(out, t.literal(id, v.s))
			}
			t.walk(n.b, true, visit)
			return false
		case opGetItem, opSlice, opBinary, opConcat, opFilter, opMethod:
			if texts, ok := fold.texts(t, id); ok {
				for _, s := range texts {
					l := t.place(id)
					l.Text = s
					out = append(out, l)
				}
				return false
			}
		}
		return true
	}
	t.walkAll(visit)
	slices.SortStableFunc(out, func(a, b Literal) int { return a.Start - b.Start })
	return out
}

// Texts returns the constant texts of the expression; see [Template.Texts].
func (x *Expr) Texts() []Literal { return x.t.Texts() }

// folder evaluates expressions that read nothing. All of them share the fuel of one
// rendering.
type folder struct {
	burnt int
}

// texts are those that an expression gives: a text, or those in a list or map. It is false
// for one that reads something, and where the fuel doesn't last. One that fails has none.
func (f *folder) texts(t *Template, id uint32) ([]string, bool) {
	closed := true
	t.walk(id, true, func(_ uint32, n *node) bool {
		switch n.op {
		case opRoot, opLocal, opCaptured, opSelf, opSuper, opSubject:
			closed = false
		case opFilter, opTest:
			c := t.filters[t.kids[n.b]]
			closed = closed && c.host == nil
		}
		return closed
	})
	if !closed {
		return nil, false
	}
	r := t.env.start(Value{})
	defer r.release()
	r.fuel -= f.burnt
	var out []string
	err := r.protect(func() {
		inst := &instance{t: t, roots: make([]Value, len(t.names))}
		frame := &frame{t: t, fn: &t.fns[0], inst: inst}
		r.enter(frame)
		inst.slots = frame.slots
		v := r.detach(r.eval(id))
		gatherTexts(&v, &out)
	})
	f.burnt += t.env.limits.Fuel - f.burnt - r.fuel
	if e, _ := err.(*Error); e != nil && (e.Kind == ErrFuel || e.Kind == ErrValueSize || e.Kind == ErrDepth) {
		return nil, false
	}
	return out, true
}

func gatherTexts(v *Value, out *[]string) {
	switch v.kind {
	case KindString:
		*out = append(*out, v.s)
	case KindList:
		for i := range v.ref.(*list).items {
			gatherTexts(&v.ref.(*list).items[i], out)
		}
	case KindMap:
		for key, value := range v.Entries() {
			gatherTexts(&key, out)
			gatherTexts(&value, out)
		}
	}
}
