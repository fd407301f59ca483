package jinja

import (
	"strings"
	"unicode"
)

// Block is where a template defines a block.
type Block struct {
	Name         string
	Line, Column int
	// Inner: another block of the template is around it, which prints it.
	Inner bool
}

// Blocks returns the blocks of the template, in source order.
func (t *Template) Blocks() []Block {
	var out []Block
	end := uint32(0) // of the outermost block so far
	t.walkAll(func(_ uint32, n *node) bool {
		if n.op == opBlock {
			b := Block{Name: t.fns[n.a].name, Inner: n.pos < end}
			b.Line, b.Column = t.position(int(n.pos))
			end = max(end, n.end)
			out = append(out, b)
		}
		return true
	})
	return out
}

// UsesSelf reports whether the template may print blocks by name, as in {{ self.title() }}.
func (t *Template) UsesSelf() bool {
	uses := false
	t.walkAll(func(_ uint32, n *node) bool {
		uses = uses || n.op == opSelf
		return true
	})
	return uses
}

// Dropped returns the place of the first text that stands behind extends and in no block, and
// so is never printed.
func (t *Template) Dropped() (line, column int, ok bool) {
	extends := false
	body := &t.fns[0]
	for _, k := range t.kids[body.body : body.body+body.bodyLen] {
		switch n := &t.nodes[k]; n.op {
		case opExtends:
			extends = true
		case opText:
			text := t.src.Text[n.a:n.b]
			if at := strings.IndexFunc(text, func(r rune) bool { return !unicode.IsSpace(r) }); extends && at >= 0 {
				line, column = t.position(int(n.a) + at)
				return line, column, true
			}
		}
	}
	return 0, 0, false
}
