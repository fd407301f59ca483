package pack

import (
	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/jinja"
)

// Branch is a part of a prompt file that a rendering takes or doesn't: that of an
// if, an elif or an else, and the else of a loop.
type Branch struct {
	// Tag is the tag that opens it, such as `{% elif tool('bash') %}`.
	Tag      string
	Position cento.Position
}

// Branches lists those of the file and of all that it includes by a constant name,
// by file and place.
func (f *File) Branches() []Branch {
	var out []Branch
	f.set.each(func(_ Ref, t *jinja.Template) { out = append(out, branches(t.Branches())...) })
	return out
}

// Taken lists the branches that rendering the prompt file of a fragment for an
// active set takes, in that file and those that it includes; none for a fragment
// without one. Its errors are those of [Engine.Expand].
func (e *Engine) Taken(f *cento.Fragment, a cento.Active) ([]Branch, error) {
	_, taken, err := asked(e, f, a, (*jinja.Template).Taken)
	return branches(taken), err
}

func branches(list []jinja.Branch) []Branch {
	out := make([]Branch, len(list))
	for i, b := range list {
		out[i] = Branch{b.Tag, cento.Position{File: b.File, Line: b.Line, Column: b.Column}}
	}
	return out
}
