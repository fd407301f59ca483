package lint

import (
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/pack"
)

// tried bounds how many bytes of texts and prompt files are worked through anew in one
// prompt to see what tools take along, and alwaysTried is how many tools are looked at
// whatever they cost.
const (
	tried       = 2 << 20
	alwaysTried = 16
)

// without tells which words about a tool stay when it is gone, by making the fragments
// anew that hold them. Whether a fragment is there depends on the active set and on what
// it needs alone, and what it says on nothing else, so that the rest of the prompt needn't
// be made. A budget isn't asked: what it drops isn't gated.
type without struct {
	*target
	tools   []string        // as they are first told of
	told    map[string][]of // words about each
	engine  *pack.Engine    // nil before the first
	count   int             // tools that were looked at
	left    int             // bytes that may be worked through
	untried int             // tools that weren't looked at
}

// of is a mention and its fragment.
type of struct {
	mention
	fragment int
}

func (w *without) add(fragment int, m mention) {
	if w.told == nil {
		w.told = map[string][]of{}
	}
	if w.told[m.tool] == nil {
		w.tools = append(w.tools, m.tool)
	}
	w.told[m.tool] = append(w.told[m.tool], of{m, fragment})
}

// stay are the words about a tool that are still there without it.
func (w *without) stay(tool string) ([]mention, error) {
	list := w.with(w.told[tool])
	size := 0
	for i := range list {
		size += len(list[i].Body)
		for _, source := range w.project.Sources(&list[i]) {
			size += len(source.Text)
		}
	}
	if w.left -= size; w.left < 0 && w.count >= alwaysTried {
		w.untried++
		return nil, nil
	}
	w.count++
	p, err := w.reduce(list, tool)
	if err != nil {
		// The whole way tells where a limit is set.
		if _, whole := w.project.Reduce(w.project.Input.WithoutTool(tool)); whole != nil {
			err = whole
		}
		return nil, err
	}
	var out []mention
	still := map[mention]bool{}
	looked := map[string]bool{}
	known := newNames([]string{tool})
	for _, m := range w.told[tool] {
		i, _ := p.Index(m.id)
		switch {
		case !p.In(i):
			continue
		case !looked[m.id]:
			looked[m.id] = true
			text := p.Text(i)
			for _, span := range p.TextSpans(i) {
				for _, found := range mentionsIn(nil, span, text, known) {
					still[found] = true
				}
			}
		}
		if still[m.mention] || w.isLiteral(m.fragment) {
			out = append(out, m.mention)
		}
	}
	return out, nil
}

// isLiteral reports whether the text of a fragment that the prompt has isn't rendered: a
// budget may have put a shorter one there.
func (w *without) isLiteral(i int) bool {
	f, text := w.prompt.Fragment(i), w.prompt.Text(i)
	return f.Template == "" || slices.ContainsFunc(f.Variants, func(v cento.Text) bool { return strings.TrimSpace(v.Body) == text })
}

// with are the fragments of mentions, and what these need, in their order.
func (w *without) with(list []of) []cento.Fragment {
	wanted := map[int]bool{}
	var want func(i int)
	want = func(i int) {
		if wanted[i] {
			return
		}
		wanted[i] = true
		for _, id := range w.prompt.Fragment(i).Needs {
			if j, ok := w.prompt.Index(id); ok {
				want(j)
			}
		}
	}
	for _, m := range list {
		want(m.fragment)
	}
	var out []cento.Fragment
	for i := range w.prompt.Len() {
		if wanted[i] {
			out = append(out, w.prompt.Fragment(i))
		}
	}
	return out
}

// reduce makes fragments without a tool.
func (w *without) reduce(list []cento.Fragment, tool string) (*cento.Prompt, error) {
	in := w.project.Input
	if w.engine == nil {
		var err error
		if w.engine, err = pack.NewEngine(in, w.project.Files()...); err != nil {
			return nil, err
		}
	}
	a := in.Active
	a.Tools = slices.DeleteFunc(slices.Clone(in.ActiveTools()), func(name string) bool { return name == tool })
	return cento.ReduceFragments(list, a, cento.Options{Limits: in.Limits, Policy: in.Policy, Conditions: w.engine, Expander: w.engine})
}
