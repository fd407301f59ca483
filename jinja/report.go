package jinja

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/cento-dev/cento/internal/quote"
)

func (r *run) fail(kind ErrorKind, at uint32, message string) {
	panic(r.failure(kind, at, message))
}

func (r *run) failf(kind ErrorKind, at uint32, format string, args ...any) {
	panic(r.failure(kind, at, fmt.Sprintf(format, args...)))
}

// failure makes an error at a node of the current template, with the values of
// the names in the statement and the calls that led to it.
func (r *run) failure(kind ErrorKind, at uint32, message string) *Error {
	n := &r.nodes[at]
	e := r.t.failure(kind, n.pos, n.end, message)
	e.Hint = boundHints[kind]
	root := r.stmt
	if root == 0 {
		root = at
	}
	e.Names = r.namesIn(root)
	e.Chain = r.chain()
	return e
}

// boundHints say what to do where a bound is passed.
var boundHints = map[ErrorKind]string{
	ErrFuel:       "go over fewer items; a loop in a loop takes the product of both",
	ErrOutputSize: "print less: fewer items, or a part of the text",
	ErrValueSize:  "make it smaller: fewer items, a shorter text or a smaller number",
	ErrDepth:      "include over fewer levels",
	ErrIncludes:   "include less often, or go over fewer items",
	ErrNesting:    "let it call itself less often, or nest values less",
}

const (
	maxNames      = 8
	maxShownValue = 60
	maxChain      = 20
)

// namesIn returns the values of the names used in a statement or expression.
func (r *run) namesIn(root uint32) []NamedValue {
	var names []NamedValue
	r.t.walk(root, false, func(id uint32, n *node) bool {
		if len(names) >= maxNames {
			return false
		}
		var v Value
		switch n.op {
		case opLocal, opCaptured, opRoot:
			v = r.peek(id)
		default:
			return true
		}
		name := r.t.names[n.c]
		for _, k := range names {
			if k.Name == name {
				return false
			}
		}
		if v.kind == KindFunction && r.env.globals[name].kind == KindFunction {
			return false
		}
		names = append(names, NamedValue{shown(name), show(v)})
		return false
	})
	return names
}

// show prints a value for an error message.
func show(v Value) string {
	p := printer{limit: maxShownValue}
	if v.IsUndefined() {
		return "undefined"
	}
	p.quoted = true
	p.value(&v, 0)
	return quote.Clip(string(p.out), maxShownValue)
}

func (r *run) chain() []Site {
	var sites []Site
	for f := r.frame; f != nil && f.caller != nil && len(sites) < maxChain; f = f.caller {
		n := &f.caller.t.nodes[f.callNode]
		line, col := f.caller.t.position(int(n.pos))
		sites = append(sites, Site{What: f.what, Name: f.name, Template: f.caller.t.src.Name, Line: line, Column: col})
	}
	return sites
}

// undefined makes the result of a look-up that found nothing.
func (r *run) undefined(name string, parent *dict, at uint32) Value {
	v := Value{kind: KindUndefined, s: name, org: origin(at, 0), num: uint64(r.indexOf(r.t)) << 8}
	if parent != nil {
		v.ref = parent
		v.num |= 1
	}
	return v
}

func (r *run) indexOf(t *Template) uint16 {
	if t == r.lastFile {
		return r.lastAt
	}
	return r.fileIndex(t)
}

// failUndefined reports the use of an undefined value, at the place that read it.
func (r *run) failUndefined(v *Value, at uint32) {
	if v.s == "" {
		r.fail(ErrUndefined, at, "value is undefined")
	}
	where := at
	if t := r.files[v.num>>8]; t == r.t && v.node() != 0 {
		where = v.node()
	}
	if v.num&1 == 0 {
		e := r.failure(ErrUndefined, where, "undefined variable '"+shown(v.s)+"'")
		e.Nearest = nearest(v.s, r.visibleNames())
		panic(e)
	}
	e := r.failure(ErrUndefined, where, "undefined attribute '"+shown(v.s)+"'")
	r.t.narrow(e, where)
	if v.ref == any(noKeys) && (v.s == "previtem" || v.s == "nextitem") {
		e.Hint = "the first item has none before it, the last none behind; default('') prints nothing there"
	}
	if m, ok := v.ref.(*dict); ok && m != nil {
		var keys []string
		for i := range m.keys {
			if m.keys[i].kind == KindString && len(keys) < 1000 {
				keys = append(keys, m.keys[i].s)
			}
		}
		e.Nearest = nearest(v.s, keys)
	}
	panic(e)
}

// visibleNames lists what a name could have meant here.
func (r *run) visibleNames() []string {
	var names []string
	for f := r.frame; f != nil; f = f.outer {
		for _, s := range f.t.scopes {
			for _, d := range s.decls {
				if s.fn == f.fnIndex && int(d.slot) < len(f.slots) && f.slots[d.slot].kind != kindUnset {
					names = append(names, f.t.names[d.name])
				}
			}
		}
	}
	if r.ctx != nil {
		for i := range r.ctx.keys {
			if r.ctx.keys[i].kind == KindString && i < 1000 {
				names = append(names, r.ctx.keys[i].s)
			}
		}
	}
	return append(names, r.env.globalNames()...)
}

// functionNames lists the functions that every template of the rendering can call, in
// order.
func (r *run) functionNames() []string {
	var names []string
	for _, name := range r.env.globalNames() {
		if r.env.globals[name].kind == KindFunction {
			names = append(names, name)
		}
	}
	if r.ctx != nil {
		for i := range r.ctx.keys {
			if r.ctx.vals[i].kind == KindFunction && r.ctx.keys[i].kind == KindString {
				names = append(names, r.ctx.keys[i].s)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// narrow moves the place of an error from an attribute, a filter or a method with all that
// stands before it to its name.
func (t *Template) narrow(e *Error, id uint32) {
	n := &t.nodes[id]
	start, end := n.pos, n.end
	switch n.op {
	case opGetAttr:
		start = n.end - uint32(len(t.names[n.c]))
	case opGetItem:
		start, end = t.nodes[n.b].pos, t.nodes[n.b].end
	case opFilter, opMethod:
		start, end = t.calleeAt(n)
	}
	if start <= n.pos || end > n.end || end <= start {
		return
	}
	at := t.failure(e.Kind, start, end, e.Message)
	e.Line, e.Column, e.Start, e.End, e.SourceLine = at.Line, at.Column, at.Start, at.End, at.SourceLine
}

// calleeAt is where the name of a filter or a method stands. Between the value that it is of
// and the name are brackets around that value, a sign and white space.
func (t *Template) calleeAt(n *node) (start, end uint32) {
	start = t.nodes[n.a].end
	text := t.src.Text[start:n.end]
	name := strings.TrimLeft(text, " \t\r\n)|.")
	start += uint32(len(text) - len(name))
	size := strings.IndexFunc(name, func(c rune) bool { return c != '_' && c != '.' && !unicode.IsLetter(c) && !unicode.IsDigit(c) })
	if size < 0 {
		size = len(name)
	}
	return start, start + uint32(size)
}
