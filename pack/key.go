package pack

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/jinja"
)

// A key says what the text of a template is made of without rendering it: its
// sources, and the value of everything that they read. Two renderings of one key
// are the same text, so whoever has one of them needn't make the other.

// reading is what a text reads when it is rendered, in whatever branch.
type reading struct {
	// unknown: it can't be told before rendering.
	unknown bool
	roots   map[string]bool // variables that are read, and functions that are asked
	vars    []string        // below vars, sorted; nil and the root vars set: all
	tools   []string        // constant names that tool() is asked for, sorted
	caps    []string
	sources string // digest of the texts
}

// readingOf looks at the templates of a file or a wording, with all that they
// include.
func readingOf(each func(func(Ref, *jinja.Template)), sources []*Source) *reading {
	r := &reading{roots: map[string]bool{}}
	whole := false // vars are read all together
	each(func(_ Ref, t *jinja.Template) {
		for _, use := range t.Refs() {
			r.roots[use.Root] = true
			switch name := (Use{Name: use.Path}).Variable(); {
			case use.Root == "debug":
				r.unknown = true
			case use.Root == "vars" && name == "":
				whole = true
			case use.Root == "vars":
				r.vars = append(r.vars, name)
			}
		}
		for _, inc := range t.Includes() {
			r.unknown = r.unknown || len(inc.Names) == 0
		}
		r.unknown = r.unknown || len(t.Calls("debug")) > 0
	})
	if whole {
		r.vars = nil
	} else {
		slices.Sort(r.vars)
		r.vars = slices.Compact(r.vars)
	}
	sum := sha256.New()
	for _, src := range sources {
		fmt.Fprintf(sum, "%q %q\n", src.Ref.Path(), src.Text)
	}
	r.sources = hex.EncodeToString(sum.Sum(nil))
	return r
}

// reading is what the file reads. The variables that it declares are among it: what
// is given for them is checked, read or not.
func (f *File) reading() *reading {
	f.readOnce.Do(func() {
		r := readingOf(f.set.each, f.Sources())
		if r.roots["vars"] && r.vars == nil {
			f.read = r
			return
		}
		for _, v := range f.vars {
			r.vars, r.roots["vars"] = append(r.vars, v.Name), true
		}
		slices.Sort(r.vars)
		r.vars = slices.Compact(r.vars)
		if !f.AsksAny("tool") {
			r.tools = namesOf(f.Asks("tool"))
		}
		if !f.AsksAny("cap") {
			r.caps = namesOf(f.Asks("cap"))
		}
		f.read = r
	})
	return f.read
}

func namesOf(uses []Use) []string {
	out := make([]string, len(uses))
	for i, u := range uses {
		out[i] = u.Name
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Key tells what the text of a fragment is made of, as [cento.Keyed] wants it: equal
// keys of two engines, or for two active sets, mean equal texts. It is empty for a
// prompt file that includes what is known only when rendering.
func (e *Engine) Key(f *cento.Fragment, a cento.Active) string {
	k := keyWriter{e: e, v: e.variables(a)}
	k.add("template", f.Template)
	if e.catalog != nil && strings.HasPrefix(f.Template, cento.CatalogTemplate) {
		k.part(Key(strings.TrimPrefix(f.Template, cento.CatalogTemplate)))
	} else if file := e.named[f.Template]; file != nil {
		k.read(file.reading())
	} else {
		return ""
	}
	if k.unknown {
		return ""
	}
	return k.out.String()
}

type keyWriter struct {
	e       *Engine
	v       Variables
	out     bytes.Buffer
	unknown bool
}

// add writes a name with what it stands for.
func (k *keyWriter) add(name, value string) {
	k.out.WriteString(name)
	k.out.WriteByte('=')
	k.out.WriteString(strconv.Itoa(len(value)))
	k.out.WriteByte(':')
	k.out.WriteString(value)
	k.out.WriteByte('\n')
}

func (k *keyWriter) list(name string, values []string) {
	for _, v := range sorted(values) {
		k.add(name, v)
	}
}

// digest writes data by its digest.
func (k *keyWriter) digest(name string, data any) {
	text, err := json.Marshal(data)
	if err != nil { // names of variables that nobody can read
		k.unknown = true
		return
	}
	sum := sha256.Sum256(text)
	k.add(name, string(sum[:]))
}

// read writes what a text reads.
func (k *keyWriter) read(r *reading) {
	if r.unknown {
		k.unknown = true
		return
	}
	k.add("sources", r.sources)
	if r.roots["date"] || r.roots["time"] || r.roots["datetime"] {
		now := k.v.Now.Format(time.RFC3339Nano)
		if !r.roots["time"] && !r.roots["datetime"] && !k.v.Now.IsZero() {
			now = k.v.Now.Format(time.DateOnly)
		}
		k.add("now", now)
	}
	if r.roots["cwd"] {
		k.add("cwd", k.v.Cwd)
	}
	if r.roots["agent"] {
		k.digest("agent", k.v.AgentName)
	}
	if r.roots["model"] {
		k.digest("model", k.v.Model)
	}
	k.members("tool", r.roots, r.tools, k.v.Tools)
	k.members("cap", r.roots, r.caps, k.v.Caps)
	switch {
	case !r.roots["vars"]:
	case r.vars == nil:
		k.add("declared", string(k.e.input.Files.Vars))
		k.add("given", string(k.e.input.Files.Given))
	default:
		values, err := k.e.values()
		k.unknown = k.unknown || err != nil
		for _, name := range r.vars {
			k.add("var", name)
			k.add("is", values[name])
		}
	}
}

// members writes which of the active names a text can tell apart: those that it
// asks for, or all.
func (k *keyWriter) members(function string, roots map[string]bool, asked, active []string) {
	switch {
	case roots[function+"s"] || roots[function] && asked == nil:
		k.list(function, active)
	case roots[function]:
		for _, name := range asked {
			if slices.Contains(active, name) {
				k.add(function, name)
			}
		}
	}
}

// part writes what a part of the primary block is made of.
func (k *keyWriter) part(key Key) {
	s := k.e.catalog.snippets[key]
	if s == nil {
		k.unknown = true
		return
	}
	r, err := s.reading()
	if err != nil {
		k.unknown = true
		return
	}
	k.read(r)
	k.digest("wording", k.e.catalog.raw[string(key)])
	switch key {
	case skillCatalogKey:
		k.digest("skills", k.e.input.Files.Skills)
	case toolContractKey:
		k.digest("tools", k.e.input.Tools)
		k.list("active", k.v.Tools)
	case progressToolKey:
		k.digest("progress", k.e.input.Primary.ProgressToolName)
	}
}

// reading is what a wording reads.
func (s *snippet) reading() (*reading, error) {
	t, err := s.template()
	if err != nil {
		return nil, err
	}
	each, sources := func(visit func(Ref, *jinja.Template)) { visit(Ref{}, t) }, []*Source(nil)
	if s.set != nil {
		f := File{set: s.set}
		sources = f.Sources()
		each = func(visit func(Ref, *jinja.Template)) { visit(Ref{}, t); f.set.each(visit) }
	}
	return readingOf(each, sources), nil
}

// valuesOf are the variables of an input as they are written, each with who gave it.
func valuesOf(files *cento.Files) (map[string]string, error) {
	values := map[string]string{}
	for _, x := range []struct {
		who  string
		from json.RawMessage
	}{{"manifest", files.Vars}, {"caller", files.Given}} {
		if len(x.from) == 0 {
			continue
		}
		var all map[string]json.RawMessage
		if err := json.Unmarshal(x.from, &all); err != nil {
			return nil, fmt.Errorf("reading variables: %w", err)
		}
		for name, value := range all {
			values[name] = x.who + " " + string(value)
		}
	}
	return values, nil
}

var _ cento.Keyed = (*Engine)(nil)
