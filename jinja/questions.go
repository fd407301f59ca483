package jinja

import (
	"cmp"
	"slices"
)

// Include is a place where a template names others.
type Include struct {
	Kind string // "include", "import" or "extends"
	// Names are the constant names: the alternatives of a list, of which the first
	// that exists is meant, or those of a condition, which are All meant. It is nil
	// if the name is known only when rendering.
	Names         []string
	All           bool
	IgnoreMissing bool
	Line, Column  int

	pos, end uint32
}

// Ref is a use of a variable: its name and the constant attributes behind it,
// such as vars.mode or items[0].title.
type Ref struct {
	Path         string
	Root         string // the variable
	Line, Column int
	Start        int // its first byte in the file
}

// CallSite is a call of a function by its name.
type CallSite struct {
	Name         string
	Args         []Value // the constant arguments; undefined where one is not
	Line, Column int
	Start        int // its first byte in the file
}

// Includes returns the templates that the source names, in source order.
func (t *Template) Includes() []Include {
	var all []Include
	t.walkAll(func(id uint32, n *node) bool {
		inc := Include{pos: n.pos, end: n.end}
		switch n.op {
		case opInclude:
			inc.Kind, inc.IgnoreMissing = "include", n.flag != 0
		case opImport, opFrom:
			inc.Kind = "import"
		case opExtends:
			inc.Kind = "extends"
		default:
			return true
		}
		inc.Line, inc.Column = t.position(int(n.pos))
		inc.pos, inc.end = t.nodes[n.a].pos, t.nodes[n.a].end
		inc.Names, inc.All = t.constantNames(n.a)
		all = append(all, inc)
		return true
	})
	return all
}

// constantNames returns the template names that an expression can give, as far
// as they are constant.
func (t *Template) constantNames(id uint32) (names []string, all bool) {
	switch n := &t.nodes[id]; n.op {
	case opConst:
		v := &t.consts[n.a]
		if s, ok := v.Str(); ok {
			return []string{s}, false
		}
		if v.kind != KindList {
			return nil, false
		}
		for _, item := range v.ref.(*list).items {
			s, ok := item.Str()
			if !ok {
				return nil, false
			}
			names = append(names, s)
		}
		return names, false
	case opCond:
		names, _ = t.constantNames(n.a)
		if n.c != 0 {
			more, _ := t.constantNames(n.c)
			names = append(names, more...)
		}
		return names, true
	}
	return nil, false
}

// Undeclared returns the names that the template uses without binding them, and
// that are no built-in or host function or global: what its context should hold.
// They are sorted. A name that is bound only on some way counts as undeclared.
func (t *Template) Undeclared() []string {
	names := make(map[string]bool)
	for _, ref := range t.Refs() {
		if _, ok := t.env.globals[ref.Root]; !ok {
			names[ref.Root] = true
		}
	}
	return sortedKeys(names)
}

// Refs returns the uses of variables that the template does not bind, in source
// order, functions that are only called left out.
func (t *Template) Refs() []Ref {
	var refs []Ref
	t.walkAll(func(id uint32, n *node) bool {
		if n.op == opCall && t.isGlobalName(n.a) {
			if _, ok := t.env.globals[t.names[t.nodes[n.a].c]]; ok {
				t.walkArgs(n.b, n.c, func(a uint32) { t.walk(a, true, t.refVisitor(&refs)) })
				return false
			}
		}
		return t.refVisitor(&refs)(id, n)
	})
	slices.SortStableFunc(refs, inSourceOrder)
	return refs
}

// Tested returns the uses of variables whose truth decides something, in source
// order: as conditions of if, elif, loops and `x if y`, and as operands of not, and
// and or. What a test asks about, as in `x is defined`, is none.
func (t *Template) Tested() []Ref {
	var refs []Ref
	test := func(id uint32) {
		if id == 0 {
			return
		}
		if root, path, ok := t.path(id); ok {
			line, column := t.position(int(t.nodes[id].pos))
			refs = append(refs, Ref{Path: string(path), Root: root, Line: line, Column: column, Start: t.src.Offset + int(t.nodes[id].pos)})
		}
	}
	t.walkAll(func(_ uint32, n *node) bool {
		switch n.op {
		case opIf:
			k := t.kids[n.a : n.a+n.b]
			for i := 0; i < len(k); i += 3 {
				test(k[i])
			}
		case opFor:
			test(t.loop(n).cond)
		case opNot:
			test(n.a)
		case opAnd, opOr:
			for _, id := range t.kids[n.a : n.a+n.b] {
				test(id)
			}
		case opCond:
			test(n.b)
		}
		return true
	})
	slices.SortStableFunc(refs, inSourceOrder)
	return refs
}

// TextUse is a use of a variable as a text: printed, or compared with a constant text.
type TextUse struct {
	Ref
	Compared bool
	Text     string // what it is compared with; the first one of a list
}

// TextUses returns the uses of variables as texts, in source order: what is printed or joined
// by ~ as it is, and what is compared by ==, != and in with a constant text, or a list of such.
func (t *Template) TextUses() []TextUse {
	var uses []TextUse
	use := func(id uint32, compared bool, text string) {
		if root, path, ok := t.path(id); ok {
			line, column := t.position(int(t.nodes[id].pos))
			ref := Ref{Path: string(path), Root: root, Line: line, Column: column, Start: t.src.Offset + int(t.nodes[id].pos)}
			uses = append(uses, TextUse{ref, compared, text})
		}
	}
	var printed func(id uint32)
	printed = func(id uint32) {
		if n := &t.nodes[id]; id != 0 && n.op == opCond {
			printed(n.a)
			printed(n.c)
		} else if id != 0 {
			use(id, false, "")
		}
	}
	t.walkAll(func(_ uint32, n *node) bool {
		switch n.op {
		case opEmit:
			printed(n.a)
		case opConcat:
			for _, id := range t.kids[n.a : n.a+n.b] {
				printed(id)
			}
		case opCompare:
			k := t.kids[n.a : n.a+n.b]
			for i := 1; i+1 < len(k); i += 2 {
				left, op, right := k[i-1], k[i], k[i+1]
				if text, list, ok := t.constantText(right); ok && list == (op == cmpIn || op == cmpNotIn) && (list || op == cmpEq || op == cmpNe) {
					use(left, true, text)
				}
				if text, list, ok := t.constantText(left); ok && !list && (op == cmpEq || op == cmpNe) {
					use(right, true, text)
				}
			}
		}
		return true
	})
	slices.SortStableFunc(uses, func(a, b TextUse) int { return inSourceOrder(a.Ref, b.Ref) })
	return uses
}

// constantText is the constant text that a node is, or the first one of a list of such.
func (t *Template) constantText(id uint32) (text string, list, ok bool) {
	if t.nodes[id].op != opConst {
		return "", false, false
	}
	v := t.consts[t.nodes[id].a]
	if v.Kind() != KindList {
		text, ok = v.Str()
		return text, false, ok
	}
	for i := v.Len() - 1; i >= 0; i-- {
		if text, ok = v.Index(i).Str(); !ok {
			break
		}
	}
	return text, true, ok
}

// Binds reports whether the template gives a value to a name anywhere. A file that it includes
// may read that.
func (t *Template) Binds(name string) bool {
	return slices.ContainsFunc(t.scopes, func(s scope) bool {
		return slices.ContainsFunc(s.decls, func(d decl) bool { return t.names[d.name] == name })
	})
}

func inSourceOrder(a, b Ref) int {
	return cmp.Or(a.Line-b.Line, a.Column-b.Column)
}

// refVisitor collects the longest constant paths.
func (t *Template) refVisitor(refs *[]Ref) func(uint32, *node) bool {
	return func(id uint32, n *node) bool {
		switch n.op {
		case opRoot, opLocal, opCaptured, opGetAttr, opGetItem:
			root, path, ok := t.path(id)
			if !ok {
				return true
			}
			line, column := t.position(int(n.pos))
			*refs = append(*refs, Ref{Path: string(path), Root: root, Line: line, Column: column, Start: t.src.Offset + int(n.pos)})
			return false
		}
		return true
	}
}

// isGlobalName reports whether a node reads a name from outside the template.
func (t *Template) isGlobalName(id uint32) bool {
	// A macro may be called before it is defined.
	n := &t.nodes[id]
	return n.op == opRoot && t.top[n.c] == noSlot
}

// path spells the constant path of a node whose root the template does not bind.
func (t *Template) path(id uint32) (root string, path []byte, ok bool) {
	n := &t.nodes[id]
	switch n.op {
	case opRoot:
		if !t.isGlobalName(id) {
			return "", nil, false
		}
		return t.names[n.c], []byte(t.names[n.c]), true
	case opGetAttr:
		root, path, ok = t.path(n.a)
		if ok {
			path = appendKey(path, t.names[n.c])
		}
		return root, path, ok
	case opGetItem:
		if t.nodes[n.b].op != opConst {
			return "", nil, false
		}
		key := &t.consts[t.nodes[n.b].a]
		root, path, ok = t.path(n.a)
		if !ok {
			return "", nil, false
		}
		switch key.kind {
		case KindString:
			return root, appendKey(path, key.s), true
		case KindInt:
			return root, append(append(append(path, '['), itoa(int(int64(key.num)))...), ']'), true
		}
	}
	return "", nil, false
}

// Calls returns the calls of the named functions, in source order; of all
// functions that the template does not define if no name is given.
func (t *Template) Calls(names ...string) []CallSite {
	var calls []CallSite
	t.walkAll(func(id uint32, n *node) bool {
		if n.op != opCall || !t.isGlobalName(n.a) {
			return true
		}
		name := t.names[t.nodes[n.a].c]
		if len(names) > 0 && !slices.Contains(names, name) {
			return true
		}
		line, column := t.position(int(n.pos))
		site := CallSite{Name: name, Line: line, Column: column, Start: t.src.Offset + int(n.pos)}
		t.walkArgs(n.b, n.c, func(a uint32) {
			var v Value
			if t.nodes[a].op == opConst {
				v = t.consts[t.nodes[a].a]
			}
			site.Args = append(site.Args, v)
		})
		calls = append(calls, site)
		return true
	})
	return calls
}

func (t *Template) walkArgs(off, n uint32, visit func(uint32)) {
	args := t.kids[off : off+n]
	for i := 0; i < len(args); i += 2 {
		visit(args[i+1])
	}
}

// walkAll visits every node of the template in source order.
func (t *Template) walkAll(visit func(uint32, *node) bool) {
	if t.program.root != 0 {
		t.walk(t.program.root, true, visit)
		return
	}
	t.walkBody(t.fns[0].body, t.fns[0].bodyLen, visit)
}

func (t *Template) walkBody(off, n uint32, visit func(uint32, *node) bool) {
	for _, k := range t.kids[off : off+n] {
		t.walk(k, true, visit)
	}
}

// walk visits a node and, while visit returns true, what is below it; the bodies
// of statements only if asked to.
func (t *Template) walk(id uint32, bodies bool, visit func(uint32, *node) bool) {
	if id == 0 {
		return
	}
	n := &t.nodes[id]
	if !visit(id, n) {
		return
	}
	body := func(off, n uint32) {
		if bodies {
			t.walkBody(off, n, visit)
		}
	}
	each := func(off, n uint32) {
		for _, k := range t.kids[off : off+n] {
			t.walk(k, bodies, visit)
		}
	}
	switch n.op {
	case opEmit, opExtends, opDo, opImport, opInclude, opFrom, opNot, opNeg, opPos, opGetAttr, opTargetAttr:
		t.walk(n.a, bodies, visit)
	case opIf:
		k := t.kids[n.a : n.a+n.b]
		for i := 0; i < len(k); i += 3 {
			t.walk(k[i], bodies, visit)
			body(k[i+1], k[i+2])
		}
	case opFor:
		rec := t.loop(n)
		t.walk(rec.iter, bodies, visit)
		t.walk(rec.cond, bodies, visit)
		body(rec.body, rec.bodyLen)
		body(rec.els, rec.elsLen)
	case opSet:
		t.walk(n.b, bodies, visit)
		t.walk(n.a, bodies, visit)
	case opSetBlock:
		rec := t.kids[n.b : n.b+3]
		t.walk(rec[2], bodies, visit)
		body(rec[0], rec[1])
	case opWith:
		k := t.kids[n.a : n.a+n.b]
		for i := 0; i < len(k); i += 2 {
			t.walk(k[i+1], bodies, visit)
		}
		rec := t.kids[n.c : n.c+2]
		body(rec[0], rec[1])
	case opFilterBody:
		t.walk(n.c, bodies, visit)
		body(n.a, n.b)
	case opMacro, opBlock, opCallBody:
		fn := n.a
		if n.op == opCallBody {
			t.walk(n.a, bodies, visit)
			fn = n.b
		}
		f := &t.fns[fn]
		if bodies {
			for i := range f.params {
				t.walk(f.params[i].def, bodies, visit)
			}
		}
		body(f.body, f.bodyLen)
	case opAutoescape:
		t.walk(n.a, bodies, visit)
		body(n.b, n.c)
	case opGetItem, opBinary:
		t.walk(n.a, bodies, visit)
		t.walk(n.b, bodies, visit)
	case opSlice:
		t.walk(n.a, bodies, visit)
		each(n.b, 3)
	case opCall:
		t.walk(n.a, bodies, visit)
		t.walkArgs(n.b, n.c, func(a uint32) { t.walk(a, bodies, visit) })
	case opMethod, opFilter, opTest:
		t.walk(n.a, bodies, visit)
		t.walkArgs(n.b+1, n.c, func(a uint32) { t.walk(a, bodies, visit) })
	case opConcat, opAnd, opOr, opList, opTuple, opDict, opTargetTuple:
		each(n.a, n.b)
	case opCompare:
		k := t.kids[n.a : n.a+n.b]
		t.walk(k[0], bodies, visit)
		for i := 2; i < len(k); i += 2 {
			t.walk(k[i], bodies, visit)
		}
	case opCond:
		t.walk(n.a, bodies, visit)
		t.walk(n.b, bodies, visit)
		t.walk(n.c, bodies, visit)
	}
}
