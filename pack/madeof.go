package pack

import (
	"slices"
	"strings"

	"github.com/cento-dev/cento"
)

// MadeOf names what the text of a fragment of an input is rendered of: the prompt files,
// by their names among the sources of the input, and what these read in whatever branch:
// variables of the manifest and of callers as `vars.name`, `vars` for all of them, and what
// else has a value, such as `cwd`. Both are sorted; there are none for a fragment without
// a prompt file. What an include names only when it is rendered is named as it is rendered
// for the active set of the input, and all variables with it. It is what
// store.RedactOptions asks for. The errors are those of [NewEngine] and [Engine.Expand].
func MadeOf(in cento.Input, f *cento.Fragment) (files, variables []string, err error) {
	if f.Template == "" {
		return nil, nil, nil
	}
	e, err := NewEngine(in)
	if err != nil {
		return nil, nil, err
	}
	r := e.reading(f)
	if r == nil || r.unknown {
		a := in.Active
		a.Tools = in.ActiveTools()
		if _, err := e.Expand(f, a); err != nil {
			return nil, nil, err
		}
	}
	sources := e.Sources(f)
	if key, ok := strings.CutPrefix(f.Template, cento.CatalogTemplate); ok && e.catalog != nil {
		if s := e.catalog.snippets[Key(key)]; s != nil && s.set != nil {
			sources = (&File{set: s.set}).Sources()
		}
	}
	for _, src := range sources {
		files = append(files, src.Ref.Path())
	}
	all := r == nil || r.unknown
	if r == nil {
		r = &reading{}
	}
	for name := range r.roots {
		switch name {
		case "agent", "caps", "cwd", "date", "datetime", "model", "time", "tools":
			variables = append(variables, name)
		case "vars":
			all = all || r.vars == nil
			for _, v := range r.vars {
				variables = append(variables, "vars."+v)
			}
		}
	}
	if all {
		variables = append(variables, "vars")
	}
	slices.Sort(variables)
	return files, variables, nil
}
