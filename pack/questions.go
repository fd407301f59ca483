package pack

import (
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
func (f *File) Reads() []Use {
	var out []Use
	f.each(func(ref Ref, t *jinja.Template) {
		for _, r := range t.Refs() {
			if r.Path == "tool" || r.Path == "cap" {
				continue // functions, see Asks
			}
			out = append(out, Use{r.Path, cento.Position{File: ref.Path(), Line: r.Line, Column: r.Column}})
		}
	})
	return out
}

// Asks returns the constant names that the files ask a function for, `tool` or
// `cap`, by file and place.
func (f *File) Asks(function string) []Use {
	var out []Use
	f.each(func(ref Ref, t *jinja.Template) {
		for _, call := range t.Calls(function) {
			for _, arg := range call.Args {
				if name, ok := arg.Str(); ok {
					out = append(out, Use{name, cento.Position{File: ref.Path(), Line: call.Line, Column: call.Column}})
				}
			}
		}
	})
	return out
}

// Links returns what the files include, import and extend, by file and place.
func (f *File) Links() []Link {
	var out []Link
	f.each(func(ref Ref, t *jinja.Template) {
		for _, inc := range t.Includes() {
			l := Link{
				Kind: inc.Kind, From: ref, Dynamic: len(inc.Names) == 0,
				Position: cento.Position{File: ref.Path(), Line: inc.Line, Column: inc.Column},
			}
			for _, name := range inc.Names {
				to, err := ParseRef(name, ref, l.Position)
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

func (f *File) has(ref Ref) bool {
	f.set.mu.Lock()
	defer f.set.mu.Unlock()
	return f.set.files[ref] != nil
}

// each visits the files of the graph by name. All of them were parsed when the
// graph was loaded, but for those that a rendering found.
func (f *File) each(visit func(Ref, *jinja.Template)) {
	f.set.mu.Lock()
	files := make([]*parsed, 0, len(f.set.files))
	for _, p := range f.set.files {
		files = append(files, p)
	}
	f.set.mu.Unlock()
	slices.SortFunc(files, func(a, b *parsed) int { return a.src.Ref.Compare(b.src.Ref) })
	for _, p := range files {
		t, err := f.set.env.Parse(p.source())
		if err != nil {
			continue // a file of a dynamic name; rendering it says what is wrong
		}
		visit(p.src.Ref, t)
	}
}

// Reads returns the names that the condition reads below a root, such
// as the variables of vars.
func (c *Condition) Reads(root string) []string {
	var out []string
	for _, ref := range c.expr.Refs() {
		if rest, ok := strings.CutPrefix(ref.Path, root+"."); ok {
			out = append(out, member(rest))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Member is the first attribute of a use of a root, such as mode of
// vars.mode.x; empty when it isn't one.
func (u Use) Member(root string) string {
	rest, ok := strings.CutPrefix(u.Name, root+".")
	if !ok {
		return ""
	}
	return member(rest)
}

func member(path string) string {
	if i := strings.IndexAny(path, ".["); i >= 0 {
		return path[:i]
	}
	return path
}
