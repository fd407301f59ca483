package pack

import (
	"maps"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
)

// The parts of the primary block are worded when a prompt is made and not when
// its input is collected: their wording may read the active set, and a what-if
// changes that. So the input carries what was worded anew, as it is written, and
// the engine renders it as it renders prompt files.

// rendered are the keys of those parts. Each is the template
// [cento.CatalogTemplate] with the key behind it.
var rendered = []Key{MCPAdvisory, SkillCatalog, ProgressTool, LoopContract, ToolContract}

// AddTo puts into an input's files what its parts need that have the wording of
// the catalog.
func (c *Catalog) AddTo(files *cento.Files) {
	files.Wording = maps.Clone(c.raw)
	for _, set := range c.included {
		set.addTo(files)
	}
}

// addTo adds the texts of a set, but those that are part of the program.
func (s *fileSet) addTo(files *cento.Files) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for ref, p := range s.files {
		if ref.Prefix() == Builtin {
			continue
		}
		if files.Sources == nil {
			files.Sources = map[string]string{}
		}
		files.Sources[ref.Path()] = p.src.Text
	}
}

// AddTo puts the file and all that it includes into an input's files.
func (f *File) AddTo(files *cento.Files) { f.set.addTo(files) }

// catalogOf is the catalog of an input that was collected before.
func catalogOf(files cento.Files, l *Loader) (*Catalog, error) {
	var overrides []*Wording
	for _, key := range slices.Sorted(maps.Keys(files.Wording)) {
		t := files.Wording[key]
		overrides = append(overrides, &Wording{
			trust: t.Trust, texts: []worded{{key: key, at: t.Origin, text: t.Body, runs: t.Runs}},
		})
	}
	c, _, err := NewCatalog(l, overrides...)
	return c, err
}

// part is the text of a part of the primary block for an active set.
func (e *Engine) part(f *cento.Fragment, v Variables) (cento.Text, error) {
	c := e.catalog.With(v)
	switch key := Key(strings.TrimPrefix(f.Template, cento.CatalogTemplate)); key {
	case MCPAdvisory:
		return c.MCPAdvisory()
	case SkillCatalog:
		return c.SkillCatalog(e.skills)
	case ProgressTool:
		return c.ProgressTool(e.progress)
	case LoopContract:
		return c.LoopContract()
	case ToolContract:
		on := sorted(v.Tools)
		active := make([]cento.Tool, 0, len(e.tools))
		for _, t := range e.tools {
			if _, found := slices.BinarySearch(on, t.Name); found {
				active = append(active, t)
			}
		}
		return c.ToolContract(active)
	}
	return cento.Text{}, &cento.SourceError{
		Code: NotFound, Position: f.Origin, Message: "no text of the catalog is worded as " + quote(f.Template),
	}
}
