package jinja

import (
	"cmp"
	"slices"
)

// Branch is a part of a template that a rendering takes or doesn't: that of an if,
// an elif or an else, and the else of a loop.
type Branch struct {
	// Tag is the tag that opens it as it is written, with white space folded, such
	// as {% elif tool('bash') %}, at Line and Column of File.
	Tag          string
	File         string
	Line, Column int
}

// Branches lists those of the template in the order of its text, without those of
// templates that it includes.
func (t *Template) Branches() []Branch {
	var out []Branch
	t.eachBranch(func(b Branch, _ part) { out = append(out, b) })
	sortBranches(out)
	return out
}

// Taken renders the template with the entries of the map ctx as its variables and
// lists the branches that were taken, in whichever turn of a loop, here and in the
// templates that were rendered for it. The error is that of the rendering.
func (t *Template) Taken(ctx Value) ([]Branch, error) {
	was, _, err := t.reach(ctx)
	if err != nil {
		return nil, err
	}
	rendered := map[*Template]bool{}
	for p := range was {
		rendered[p.t] = true
	}
	var out []Branch
	for other := range rendered {
		other.eachBranch(func(b Branch, p part) {
			if was[p] {
				out = append(out, b)
			}
		})
	}
	sortBranches(out)
	return slices.Compact(out), nil // one template may be there by two names
}

func sortBranches(list []Branch) {
	slices.SortFunc(list, func(a, b Branch) int {
		return cmp.Or(cmp.Compare(a.File, b.File), a.Line-b.Line, a.Column-b.Column)
	})
}

// eachBranch visits the branches with what a rendering notes when it comes to them.
func (t *Template) eachBranch(visit func(Branch, part)) {
	at := func(pos uint32, p part) {
		b := Branch{File: t.src.Name}
		tag, begin := t.tag(int(pos))
		b.Tag = tag
		b.Line, b.Column = t.position(begin)
		visit(b, p)
	}
	for id := range t.nodes {
		n := &t.nodes[id]
		switch n.op {
		case opIf:
			triples := t.kids[n.a : n.a+n.b]
			for i := 0; i < len(triples); i += 3 {
				pos := n.pos
				switch {
				case triples[i] == 0:
					pos = n.c
				case i > 0:
					pos = t.nodes[triples[i]].pos
				}
				at(pos, part{t, uint32(id), i / 3})
			}
		case opFor:
			if n.b != 0 {
				at(n.b, part{t, uint32(id), 1})
			}
		}
	}
}
