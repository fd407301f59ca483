package pack

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/jinja"
)

// The questions of this file are answered without rendering: what a prompt file
// and those that it includes by a constant name read and ask for.

// Use is a place in a prompt file that reads a variable, or asks for a tool or
// a capability.
type Use struct {
	// Name is the variable with the attributes behind it, such as vars.mode, or
	// what is asked for.
	Name     string         `json:"name"`
	Position cento.Position `json:"position"`
}

// Link is a place in a prompt file that names another.
type Link struct {
	Kind string `json:"kind"` // include, import or extends
	From Ref    `json:"-"`
	// To are the files that it means, in order; those that can't be had are left
	// out, which only `ignore missing` and lists of names let pass. It is empty
	// where the name is known only when rendering.
	To       []Ref          `json:"-"`
	Dynamic  bool           `json:"dynamic,omitempty"`
	Position cento.Position `json:"position"`
}

// Reads returns the uses of variables, by file and place. Names that a file
// binds itself are none.
func (f *File) Reads() []Use { return slices.Clone(f.reads()) }

// reads is Reads, which nobody may change. It is found again when a rendering came upon
// further files.
func (f *File) reads() []Use {
	n := f.set.len()
	if known := f.uses.Load(); known != nil && known.files == n {
		return known.list
	}
	var out []Use
	f.set.each(func(ref Ref, t *jinja.Template) { out = append(out, reads(t, ref.Path(), plainPlace)...) })
	f.uses.Store(&usesOf{n, out})
	return out
}

// reads are the uses of variables in one template of a name.
func reads(t *jinja.Template, name string, place func(file string, line, column int) cento.Position) (out []Use) {
	for _, r := range t.Refs() {
		if r.Path == "tool" || r.Path == "cap" {
			continue // functions, see Asks
		}
		out = append(out, Use{r.Path, place(name, r.Line, r.Column)})
	}
	return out
}

// stability is that of the wording of a key, with what it includes. What the
// built-in wording reads doesn't change, but for the day, of which
// [cento.Compose] knows.
func (c *Catalog) stability(key Key, variables map[string]cento.Stability) (cento.Stability, Use) {
	s := c.snippets[key]
	if s == nil || s.set == nil {
		return cento.Static, Use{}
	}
	t, err := s.template()
	if err != nil {
		return cento.Static, Use{}
	}
	uses := reads(t, s.origin.File, s.place)
	s.set.each(func(ref Ref, t *jinja.Template) { uses = append(uses, reads(t, ref.Path(), plainPlace)...) })
	return stability(uses, variables)
}

// Stability is how often the text of the file changes by what it and those that
// it includes read, in whatever branch, and the first place that makes it so: the
// clock changes with every turn, the day and variables that say so with every
// session. A file that reads nothing of it is static. What it says of its
// variables itself counts, and what is said of them elsewhere.
func (f *File) Stability(variables map[string]cento.Stability) (cento.Stability, Use) {
	of := map[string]cento.Stability{}
	maps.Copy(of, variables)
	for _, v := range f.vars {
		of[v.Name] = max(of[v.Name], v.Stability)
	}
	return stability(f.reads(), of)
}

// stability is how often the most unsteady of what is read changes, and which
// that is.
func stability(reads []Use, variables map[string]cento.Stability) (cento.Stability, Use) {
	out, by := cento.Static, Use{}
	for _, use := range reads {
		s := cento.Static
		switch root, _, _ := strings.Cut(use.Name, "."); root {
		case "time", "datetime":
			s = cento.PerTurn
		case "date":
			s = cento.PerSession
		case "vars":
			name := use.Variable()
			for of, stability := range variables {
				if name == "" || of == name {
					s = max(s, stability)
				}
			}
		}
		if s > out {
			out, by = s, use
		}
	}
	return out, by
}

// Stability is how often what a fragment reads changes: its prompt file, the
// wording of a part that the program places, and its condition. See
// [cento.StabilityReader].
func (e *Engine) Stability(f *cento.Fragment) (s cento.Stability, reads string, at cento.Position) {
	variables := e.input.Files.VarStability
	var by Use
	switch {
	case e.catalog != nil && strings.HasPrefix(f.Template, cento.CatalogTemplate):
		s, by = e.catalog.stability(Key(strings.TrimPrefix(f.Template, cento.CatalogTemplate)), variables)
	case e.named[f.Template] != nil:
		s, by = e.named[f.Template].Stability(variables)
	}
	if len(variables) > 0 && strings.TrimSpace(f.When) != "" {
		if c, err := e.Compile(f.WhenText()); err == nil {
			for _, name := range c.(*Condition).Variables() {
				if variables[name] > s {
					s, by = variables[name], Use{"vars." + name, cmp.Or(f.WhenOrigin, f.Origin)}
				}
			}
		}
	}
	return s, by.Name, by.Position
}

// Asks returns the constant names that the files ask a function for, `tool` or
// `cap`, or look for in its list, as in `'x' in tools`, by file and place.
func (f *File) Asks(function string) []Use {
	var out []Use
	f.set.each(func(ref Ref, t *jinja.Template) {
		for _, call := range t.Calls(function) {
			for _, arg := range call.Args {
				if name, ok := arg.Str(); ok {
					out = append(out, Use{name, cento.Position{File: ref.Path(), Line: call.Line, Column: call.Column}})
				}
			}
		}
		for _, site := range t.Listed(function + "s") {
			out = append(out, Use{site.Name, cento.Position{File: ref.Path(), Line: site.Line, Column: site.Column}})
		}
	})
	slices.SortStableFunc(out, func(a, b Use) int { return a.Position.Compare(b.Position) })
	return out
}

// Unknown returns the filters and tests that don't exist and that a condition keeps from
// being errors of loading, by file and place. A rendering that comes there fails.
func (f *File) Unknown() (out []*cento.SourceError) {
	f.set.each(func(ref Ref, t *jinja.Template) {
		for _, e := range t.Unknown() {
			out = append(out, &cento.SourceError{
				Code: RenderFailed, Message: e.Message, Hint: engineHint(e), Position: plainPlace(ref.Path(), e.Line, e.Column),
			})
		}
	})
	return out
}

// AsksAny reports whether the files ask the function for a name that isn't
// constant, read all that it can be asked for, or include what is known only when
// rendering: then any name may matter.
func (f *File) AsksAny(function string) bool {
	any := false
	f.set.each(func(_ Ref, t *jinja.Template) {
		calls := t.Calls(function)
		called := make(map[[2]int]bool, len(calls))
		for _, c := range calls {
			called[[2]int{c.Line, c.Column}] = true
		}
		for _, r := range t.Refs() {
			any = any || r.Root == function+"s" || r.Root == function && !called[[2]int{r.Line, r.Column}]
		}
		for _, call := range calls {
			for _, arg := range call.Args {
				if _, ok := arg.Str(); !ok {
					any = true
				}
			}
		}
		for _, inc := range t.Includes() {
			any = any || len(inc.Names) == 0
		}
	})
	return any
}

// Links returns what the files include, import and extend, by file and place.
func (f *File) Links() []Link {
	var out []Link
	f.set.each(func(ref Ref, t *jinja.Template) {
		for _, inc := range t.Includes() {
			l := Link{
				Kind: inc.Kind, From: ref, Dynamic: len(inc.Names) == 0,
				Position: cento.Position{File: ref.Path(), Line: inc.Line, Column: inc.Column},
			}
			for _, name := range inc.Names {
				to, err := f.set.loader.ParseRef(name, ref, l.Position)
				if err != nil || !f.has(to) {
					continue
				}
				l.To = append(l.To, to)
				if !inc.All {
					break // the first that exists is meant
				}
			}
			out = append(out, l)
		}
	})
	return out
}

// dynamic reports whether what is included is known only when rendering, of some file.
func (f *File) dynamic() bool {
	any := false
	f.set.each(func(_ Ref, t *jinja.Template) {
		any = any || slices.ContainsFunc(t.Includes(), func(inc jinja.Include) bool { return len(inc.Names) == 0 })
	})
	return any
}

func (f *File) has(ref Ref) bool {
	f.set.mu.Lock()
	defer f.set.mu.Unlock()
	return f.set.files[ref] != nil
}

// each visits the files of the graph by name. All of them were parsed when the
// graph was loaded, but for those that a rendering found.
func (s *fileSet) each(visit func(Ref, *jinja.Template)) {
	s.mu.Lock()
	files := make([]*parsed, 0, len(s.files))
	for _, p := range s.files {
		if s.parse(p) != nil {
			files = append(files, p)
		}
	}
	s.mu.Unlock()
	slices.SortFunc(files, func(a, b *parsed) int { return a.src.Ref.compare(b.src.Ref) })
	for _, p := range files {
		visit(p.src.Ref, p.template)
	}
}

// parse is the text of a file alone, for questions; nil for one that can't be parsed,
// whose name is dynamic: rendering it says what is wrong. The set is locked.
func (s *fileSet) parse(p *parsed) *jinja.Template {
	if p.template == nil && !p.refused {
		var err error
		p.template, err = s.env.Parse(p.source())
		p.refused = err != nil
	}
	return p.template
}

func (s *fileSet) len() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.files)
}

// Variables returns the names of the variables that the condition reads, sorted, each
// once: mode of vars.mode.x.
func (c *Condition) Variables() []string {
	var out []string
	for _, ref := range c.expr.Refs() {
		if name := (Use{Name: ref.Path}).Variable(); name != "" {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Variable is the name of the variable that is read, such as mode of vars.mode.x;
// empty where none is read, or all are.
func (u Use) Variable() string {
	name, ok := strings.CutPrefix(u.Name, "vars.")
	if !ok {
		return ""
	}
	if i := strings.IndexAny(name, ".["); i >= 0 {
		return name[:i]
	}
	return name
}

// OnlyAsks reports whether the condition depends on nothing but tools and capabilities
// that it asks for by constant names.
func (c *Condition) OnlyAsks() bool {
	for _, ref := range c.expr.Refs() {
		if ref.Path != "tool" && ref.Path != "cap" {
			return false
		}
	}
	return !c.AsksAny("tool") && !c.AsksAny("cap")
}

// AsksAny reports whether the condition asks tool() or cap() for a name that isn't
// constant, or reads all that it can be asked for: then any name may matter.
func (c *Condition) AsksAny(function string) bool {
	for _, ref := range c.expr.Refs() {
		if ref.Root == function+"s" {
			return true
		}
	}
	for _, call := range c.expr.callsOf(function) {
		for _, arg := range call.Args {
			if _, ok := arg.Str(); !ok {
				return true
			}
		}
	}
	return false
}
