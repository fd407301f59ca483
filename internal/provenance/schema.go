package provenance

import (
	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/strict"
	"github.com/cento-dev/cento/internal/tree"
)

// schemas find where the texts of tools' schemas stand: an input has the place of each
// definition alone, so the file is read again. A text that isn't found there word for word
// has no place of its own.
type schemas struct {
	trees confined
	// files are the maps of files by where they stand; none of one that can't be read.
	files map[string]map[cento.Position]*strict.Node
}

func (p Texts) schemas() *schemas {
	return &schemas{confined{project: p.project, open: map[string]*tree.Tree{}}, map[string]map[cento.Position]*strict.Node{}}
}

func (s *schemas) close() { s.trees.close() }

// spans are where a word of the schema of a tool is from, tiling it; nil where that isn't
// known.
// The word is in the further member of the definition that is named, else in the schema.
func (s *schemas) spans(t *cento.Tool, member string, w word) []cento.Span {
	n := s.definition(t.Origin)
	switch {
	case n == nil || t.Native != nil:
	case member == "":
		n = schemaOf(n)
	default:
		n = memberIn(n, member)
	}
	steps := stepsOf(w.pointer)
	for i, step := range steps {
		if n == nil {
			return nil
		}
		if w.name && i == len(steps)-1 {
			n, _ = n.Member(step)
		} else if below := n.Below([]string{step}); below != n {
			n = below
		} else {
			n = nil
		}
	}
	if n == nil {
		return nil
	}
	if text, ok := n.Text(); !ok || text != w.text {
		return nil
	}
	of := cento.Tool{Name: t.Name, Description: w.text, DescriptionRuns: n.Runs(t.Trust), Trust: t.Trust, Origin: n.Position()}
	return of.AppendDescriptionSpans(nil)
}

// nameAt is where a byte of the name of a tool stands, or where its definition does.
func (s *schemas) nameAt(t *cento.Tool, offset int) cento.Position {
	if n := s.nameIn(t); n != nil {
		return n.Located(t.Trust).Locate(offset)
	}
	return t.Origin
}

// nameIn is the name in the definition of a tool as its file has it; nil where it isn't
// known, or has another one, such as that of a server's tool behind a prefix.
func (s *schemas) nameIn(t *cento.Tool) *strict.Node {
	n := s.definition(t.Origin)
	if n == nil {
		return nil
	}
	_, name := n.Member("name")
	if _, inner := n.Member("function"); name == nil && inner != nil {
		_, name = inner.Member("name")
	}
	if name == nil {
		return nil
	}
	if text, _ := name.Text(); text != t.Name {
		return nil
	}
	return name
}

// definition is the map that stands at a place; nil where none does.
func (s *schemas) definition(at cento.Position) *strict.Node {
	maps, known := s.files[at.File]
	if !known && s.trees.project.Root.Dir != "" {
		maps = map[cento.Position]*strict.Node{}
		if root := s.read(at.File); root != nil {
			for n := range root.All() {
				if n.Kind() == strict.Map {
					maps[n.Position()] = n
				}
			}
		}
		s.files[at.File] = maps
	}
	return maps[at]
}

// read is what a file says; nil where it can't be read.
func (s *schemas) read(name string) *strict.Node {
	f, err := s.trees.read(name)
	if err != nil {
		return nil
	}
	n, err := strict.Read(name, []byte(f.Text), s.trees.project.Input.Limits.Or(cento.DefaultLimits()))
	if err != nil {
		return nil
	}
	return n
}

// memberIn is a further member of a definition of any dialect; nil for none.
func memberIn(definition *strict.Node, name string) *strict.Node {
	_, value := definition.Member(name)
	if _, inner := definition.Member("function"); value == nil && inner != nil {
		_, value = inner.Member(name)
	}
	return value
}

// schemaOf is the schema of the arguments in a definition of any dialect; nil for none.
func schemaOf(definition *strict.Node) *strict.Node {
	for _, name := range []string{"parameters", "input_schema", "inputSchema"} {
		if _, schema := definition.Member(name); schema != nil {
			return schema
		}
	}
	if _, inner := definition.Member("function"); inner != nil {
		_, schema := inner.Member("parameters")
		return schema
	}
	return nil
}
