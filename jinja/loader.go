package jinja

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Loader finds templates by name. What a name means, and how it relates to the
// template that uses it, is the loader's to say: it may refuse names, resolve
// them relative to from, or look in several places.
//
// The Name of the Source it returns is the template's identity. If there is no
// such template the error must be one for which errors.Is(err, ErrNotFound)
// holds; then "ignore missing" and lists of names go on. Any other error stops.
type Loader interface {
	Load(name, from string) (Source, error)
}

// MapLoader is a Loader of templates in memory, by their names.
type MapLoader map[string]string

// Load returns the template of that name; from plays no part.
func (m MapLoader) Load(name, from string) (Source, error) {
	text, ok := m[name]
	if !ok {
		return Source{}, ErrNotFound
	}
	return Source{Name: name, Text: text}, nil
}

// nearest returns the name in the map that is closest to one that isn't there.
func (m MapLoader) nearest(name string) string {
	names := make([]string, 0, len(m))
	for n := range m {
		names = append(names, n)
	}
	slices.Sort(names)
	return nearest(name, names)
}

// graph is the set of templates that were loaded together.
type graph struct {
	byName map[string]*Template // by identity
	// byRef finds the template that a name meant in a template.
	byRef map[reference]*Template
}

type reference struct{ name, from string }

func newGraph() *graph {
	return &graph{byName: make(map[string]*Template), byRef: make(map[reference]*Template)}
}

// Load reads a template by name, and at once every template that it and they
// name by a constant in include, import, from and extends, so that what is
// missing, broken or circular is found before anything renders. A chain of
// templates that name each other in a circle is an error even if a condition
// would stop it.
func (e *Env) Load(name string) (*Template, error) {
	src, err := e.fetch(name, "")
	if err != nil {
		var located *Error
		if errors.As(err, &located) && located.Line > 0 {
			return nil, err
		}
		return nil, e.loadError(&Error{}, name, "", err)
	}
	return e.LoadSource(src)
}

// LoadSource parses src and loads what it names, as [Env.Load] does.
func (e *Env) LoadSource(src Source) (*Template, error) {
	l := linker{env: e, graph: newGraph()}
	return l.add(src)
}

// linker loads a graph of templates depth first.
type linker struct {
	env   *Env
	graph *graph
	path  []*Template // from the root to the template being linked
	sites []Site      // how each of them was reached, but the root
}

func (l *linker) add(src Source) (*Template, error) {
	t := &Template{env: l.env, src: src, graph: l.graph}
	if err := t.parse(false); err != nil {
		var located *Error
		if errors.As(err, &located) {
			located.Chain = l.chain()
		}
		return nil, err
	}
	l.graph.byName[src.Name] = t
	l.path = append(l.path, t)
	for _, ref := range t.Includes() {
		if err := l.follow(t, ref); err != nil {
			return nil, err
		}
	}
	l.path = l.path[:len(l.path)-1]
	return t, nil
}

// chain returns the sites from the innermost outwards.
func (l *linker) chain() []Site {
	sites := slices.Clone(l.sites)
	slices.Reverse(sites)
	return sites
}

// follow loads what one reference names: the first of its names that exists.
func (l *linker) follow(t *Template, ref Include) error {
	if ref.Names == nil {
		return nil // known only when rendering
	}
	for _, name := range ref.Names {
		found, err := l.load(t, ref, name)
		if err != nil {
			return err
		}
		if found && !ref.All {
			return nil
		}
		if !found && ref.All && !ref.IgnoreMissing {
			return l.missing(t, ref, name)
		}
	}
	if ref.All || ref.IgnoreMissing {
		return nil
	}
	return l.missing(t, ref, ref.Names[0])
}

func (l *linker) missing(t *Template, ref Include, name string) error {
	at := t.failure(ErrNotFound, ref.pos, ref.end, "")
	at.Chain = l.chain()
	if len(ref.Names) > 1 && !ref.All {
		at.Message = "none of the templates " + quoteAll(ref.Names) + " exists"
		return at
	}
	return l.env.loadError(at, name, t.src.Name, ErrNotFound)
}

func (l *linker) load(t *Template, ref Include, name string) (found bool, err error) {
	key := reference{name, t.src.Name}
	if l.graph.byRef[key] != nil {
		return true, nil
	}
	src, err := l.env.fetch(name, t.src.Name)
	if errors.Is(err, ErrNotFound) {
		return false, nil
	}
	at := t.failure(ErrLoad, ref.pos, ref.end, "")
	at.Chain = l.chain()
	if err != nil {
		return false, l.env.loadError(at, name, t.src.Name, err)
	}
	if i := slices.IndexFunc(l.path, func(p *Template) bool { return p.src.Name == src.Name }); i >= 0 {
		names := make([]string, 0, len(l.path)-i+1)
		for _, p := range l.path[i:] {
			names = append(names, p.src.Name)
		}
		at.Kind = ErrCycle
		at.Message = "templates form a cycle: " + strings.Join(append(names, src.Name), " → ")
		return false, at
	}
	if known := l.graph.byName[src.Name]; known != nil {
		l.graph.byRef[key] = known
		return true, nil
	}
	if limit := l.env.limits.Depth; len(l.path) > limit {
		at.Kind = ErrDepth
		at.Message = "templates include each other deeper than the limit of " + itoa(limit)
		return false, at
	}
	if limit := l.env.limits.Includes; len(l.graph.byName) > limit {
		at.Kind = ErrIncludes
		at.Message = "more than " + itoa(limit) + " templates are included"
		return false, at
	}
	l.sites = append(l.sites, Site{What: ref.Kind, Name: name, Template: t.src.Name, Line: at.Line, Column: at.Column})
	child, err := l.add(src)
	l.sites = l.sites[:len(l.sites)-1]
	if err != nil {
		return false, err
	}
	l.graph.byRef[key] = child
	return true, nil
}

// fetch asks the loader.
func (e *Env) fetch(name, from string) (Source, error) {
	if e.opts.Loader == nil {
		return Source{}, ErrNotFound
	}
	src, err := e.opts.Loader.Load(name, from)
	if err == nil && src.Name == "" {
		src.Name = name
	}
	return src, err
}

// loadError completes an error at the place that asked for a template.
func (e *Env) loadError(at *Error, name, from string, cause error) *Error {
	at.Cause = cause
	if errors.Is(cause, ErrNotFound) {
		at.Kind = ErrNotFound
		at.Message = fmt.Sprintf("template %q not found", shown(name))
		if m, ok := e.opts.Loader.(MapLoader); ok {
			at.Nearest = m.nearest(name)
		}
		if cause == error(ErrNotFound) {
			at.Cause = nil
		} else {
			at.Message = cause.Error()
		}
		if e.opts.Loader == nil {
			at.Hint = "the environment has no loader"
		}
		return at
	}
	at.Kind = ErrLoad
	at.Message = fmt.Sprintf("cannot load template %q: %v", shown(name), cause)
	return at
}

func quoteAll(names []string) string {
	var b strings.Builder
	for i, n := range names {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%q", shown(n))
	}
	return b.String()
}
