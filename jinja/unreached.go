package jinja

import (
	"slices"
	"strings"
)

// Unreached is literal text that a rendering did not come to, and the statement
// that decided so: of several around the text the outermost.
type Unreached struct {
	// Text is the literal text, at Offset of the source of a template.
	Text         string
	File         string
	Offset       int
	Line, Column int
	// Tag is the statement as it is written, with white space folded, such as
	// {% if tool('bash') %}, or of an inline if the condition, and Outcome what became of it: "is false", "is true",
	// "has no items", "has items", "is not called", "is not rendered". A block that another
	// template overrides has the tag of the block that does, which "stands instead of it".
	Tag                string
	TagFile            string
	TagLine, TagColumn int
	Outcome            string
}

// Unreached renders the template with the entries of the map ctx as its variables
// and returns the literal texts that it did not come to, by file and place: those
// of branches not taken (texts between quotes in the values of an inline if too), of
// loops without items, of macros not called and blocks
// not rendered, and of templates that are named there by a constant. White space
// alone is left out, and so is a text for which no statement can be named. The
// error is that of the rendering.
func (t *Template) Unreached(ctx Value) ([]Unreached, error) {
	was, instead, err := t.reach(ctx)
	if err != nil {
		return nil, err
	}
	u := &unreached{was: was, instead: instead, decided: map[*Template]*decision{}}
	u.template(t, nil)
	for len(u.queue) > 0 {
		next := u.queue[0]
		u.queue = u.queue[1:]
		u.template(next, u.decided[next])
	}
	slices.SortFunc(u.out, func(a, b Unreached) int {
		if c := strings.Compare(a.File, b.File); c != 0 {
			return c
		}
		return a.Offset - b.Offset
	})
	return u.out, nil
}

// reached are the parts that a rendering came to; nil when nobody asks.
type reached map[part]bool

// part is a part of a statement: of an if the branch of a number, of a for its
// body (0) or else (1), of any that holds a function its body. Statement 0 is the
// template itself.
type part struct {
	t    *Template
	node uint32
	n    int
}

// reach renders the template and gives the parts that it came to, and of the blocks that
// others override those that were rendered instead.
func (t *Template) reach(ctx Value) (was reached, instead map[part]part, err error) {
	r := t.env.start(ctx)
	r.reached, r.instead = reached{}, map[part]part{}
	err = r.protect(func() { r.template(t, visit{}) })
	was, instead = r.reached, r.instead
	r.reached, r.instead = nil, nil
	r.release()
	return was, instead, err
}

func (m reached) add(t *Template, node uint32, n int) {
	if m != nil {
		m[part{t, node, n}] = true
	}
}

// unreached looks for the texts that were not come to.
type unreached struct {
	was     reached
	instead map[part]part
	out     []Unreached
	// decided are the templates that were met, each with why it wasn't rendered;
	// nil for one that was.
	decided map[*Template]*decision
	queue   []*Template
}

// decision is a statement that kept a text out.
type decision struct {
	t       *Template
	from    uint32 // where its tag stands, or what is in it
	outcome string
	to      uint32 // of an inline if: where its condition ends, which begins at from
}

// template goes through one template, which a decision outside of it may have
// kept out as a whole.
func (u *unreached) template(t *Template, out *decision) {
	u.decided[t] = out
	root := &t.fns[0]
	u.body(t, root.body, root.bodyLen, out)
}

// body goes through the statements of a body that was kept out by a decision, or
// by none.
func (u *unreached) body(t *Template, off, n uint32, out *decision) {
	for _, id := range t.kids[off : off+n] {
		u.statement(t, id, out)
	}
}

func (u *unreached) statement(t *Template, id uint32, out *decision) {
	n := &t.nodes[id]
	switch n.op {
	case opText:
		u.text(t, n, out)
	case opIf:
		u.branches(t, id, n, out)
	case opFor:
		rec := t.loop(n)
		body, els := out, out
		switch was := u.was; {
		case out != nil:
		case was[part{t, id, 0}]:
			els = &decision{t, n.pos, "has items", 0}
		case was[part{t, id, 1}]:
			body = &decision{t, n.pos, "has no items", 0}
		}
		u.body(t, rec.body, rec.bodyLen, body)
		u.body(t, rec.els, rec.elsLen, els)
	case opMacro:
		u.function(t, n, n.a, out, "is not called")
	case opBlock:
		u.function(t, n, n.a, out, "is not rendered")
	case opCallBody:
		u.function(t, n, n.b, out, "is not called")
	case opWith:
		rec := t.kids[n.c : n.c+2]
		u.body(t, rec[0], rec[1], out)
	case opSetBlock:
		rec := t.kids[n.b : n.b+2]
		u.body(t, rec[0], rec[1], out)
	case opFilterBody:
		u.body(t, n.a, n.b, out)
	case opAutoescape:
		u.body(t, n.b, n.c, out)
	case opInclude, opExtends, opImport, opFrom:
		u.names(t, n.a, out)
	case opEmit:
		u.expression(t, n.a, out)
	case opSet:
		u.expression(t, n.b, out)
	}
}

// expression goes through the constant texts that an expression can give: those of
// the values of inline ifs, of sums and of what a filter changes.
func (u *unreached) expression(t *Template, id uint32, out *decision) {
	n := &t.nodes[id]
	switch n.op {
	case opConst:
		if _, ok := t.consts[n.a].Str(); ok {
			u.constant(t, n, out)
		}
	case opCond:
		value, other := out, out
		switch first, second := u.was[part{t, id, 0}], u.was[part{t, id, 1}]; {
		case out != nil || first == second: // both by turns of a loop, or it wasn't come to
		case first:
			other = &decision{t, t.nodes[n.b].pos, "is true", t.nodes[n.b].end}
		default:
			value = &decision{t, t.nodes[n.b].pos, "is false", t.nodes[n.b].end}
		}
		u.expression(t, n.a, value)
		if n.c != 0 {
			u.expression(t, n.c, other)
		}
	case opConcat:
		for _, k := range t.kids[n.a : n.a+n.b] {
			u.expression(t, k, out)
		}
	case opBinary:
		u.expression(t, n.a, out)
		u.expression(t, n.b, out)
	case opFilter, opMethod:
		u.expression(t, n.a, out)
	}
}

// branches goes through those of an if. The ones behind the one that was taken
// are out because of it, those before it because of themselves.
func (u *unreached) branches(t *Template, id uint32, n *node, out *decision) {
	triples := t.kids[n.a : n.a+n.b]
	at := func(i int) uint32 {
		if i == 0 {
			return n.pos
		}
		return t.nodes[triples[i]].pos
	}
	first, last := -1, -1 // that were taken, by any turn of a loop around it
	for i := 0; i < len(triples); i += 3 {
		if u.was[part{t, id, i / 3}] {
			if last = i; first < 0 {
				first = i
			}
		}
	}
	if u.was[part{t, id, noBranch}] {
		last = len(triples)
	}
	for i := 0; i < len(triples); i += 3 {
		why := out
		switch {
		case out != nil || u.was[part{t, id, i / 3}]:
		case i < last: // its condition was looked at
			why = &decision{t, at(i), "is false", 0}
		case first >= 0:
			why = &decision{t, at(first), "is true", 0}
		}
		u.body(t, triples[i+1], triples[i+2], why)
	}
}

// noBranch is the part of an if of which no branch was taken.
const noBranch = -1

func (u *unreached) function(t *Template, n *node, fn uint32, out *decision, outcome string) {
	f := &t.fns[fn]
	if out == nil && u.was[part{t, 0, 0}] && !u.was[part{t, 0, int(fn) + 1}] {
		out = &decision{t, n.pos, outcome, 0}
		if by, ok := u.instead[part{t, 0, int(fn) + 1}]; ok {
			out = &decision{by.t, by.t.blockAt(by.n - 1), StandsInstead, 0}
		}
	}
	u.body(t, f.body, f.bodyLen, out)
}

// StandsInstead is the outcome of a block that overrides another.
const StandsInstead = "stands instead of it"

// blockAt is where the tag of a block stands, by the number of its function.
func (t *Template) blockAt(fn int) uint32 {
	for i := range t.nodes {
		if n := &t.nodes[i]; n.op == opBlock && int(n.a) == fn {
			return n.pos
		}
	}
	return 0
}

// names puts the templates in line that an expression names by constants. One
// that was rendered anywhere is not out; one that is not for a reason that isn't
// known, as the second of a list, is passed over.
func (u *unreached) names(t *Template, expr uint32, out *decision) {
	names, _ := t.constantNames(expr)
	for _, name := range names {
		if t.graph == nil {
			return
		}
		other := t.graph.byRef[reference{name, t.src.Name}]
		if other == nil {
			continue
		}
		if _, met := u.decided[other]; met {
			continue
		}
		switch rendered := u.was[part{other, 0, 0}]; {
		case rendered:
			u.decided[other] = nil
		case out != nil:
			u.decided[other] = out
		default:
			continue
		}
		u.queue = append(u.queue, other)
	}
}

func (u *unreached) text(t *Template, n *node, out *decision) { u.add(t, n.a, n.b, out) }

// constant is a text between quotes, as it is written there.
func (u *unreached) constant(t *Template, n *node, out *decision) {
	if n.end > n.pos+2 && strings.IndexByte(`'"`, t.src.Text[n.pos]) >= 0 {
		u.add(t, n.pos+1, n.end-1, out)
	}
}

// add notes the literal text from one byte of a template up to another.
func (u *unreached) add(t *Template, from, to uint32, out *decision) {
	text := t.src.Text[from:to]
	if out == nil || strings.TrimSpace(text) == "" {
		return
	}
	x := Unreached{Text: text, File: t.src.Name, Offset: int(from), TagFile: out.t.src.Name, Outcome: out.outcome}
	x.Line, x.Column = t.position(int(from))
	tag, at := out.written()
	x.Tag = tag
	x.TagLine, x.TagColumn = out.t.position(at)
	u.out = append(u.out, x)
}

// written is the tag or condition that decided, with white space folded, and where
// it begins.
func (d *decision) written() (string, int) {
	if d.to == 0 {
		return d.t.tag(int(d.from))
	}
	return strings.Join(strings.Fields(d.t.src.Text[d.from:d.to]), " "), int(d.from)
}

// tag is the tag that a byte of a template stands in, and where it begins.
func (t *Template) tag(at int) (string, int) {
	src := t.src.Text
	begin := at
	if !strings.HasPrefix(src[at:], "{%") {
		begin = max(strings.LastIndex(src[:at], "{%"), 0)
	}
	end := len(src)
	if k := strings.Index(src[at:], "%}"); k >= 0 {
		end = at + k + len("%}")
	}
	return strings.Join(strings.Fields(src[begin:end]), " "), begin
}
