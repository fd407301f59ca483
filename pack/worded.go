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
var rendered = []Key{mcpAdvisoryKey, skillCatalogKey, progressToolKey, loopContractKey, toolContractKey, environmentKey}

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
		if s.loader.ofProgram(ref) {
			continue
		}
		if trust, own := s.loader.own[ref.Prefix()]; own {
			if files.Prefixes == nil {
				files.Prefixes = map[string]cento.Trust{}
			}
			files.Prefixes[string(ref.Prefix())] = trust
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

// Described is how many skills an input lists with a description.
func (e *Engine) Described() int {
	n := 0
	for i := range e.input.Files.Skills {
		if e.input.Files.Skills[i].Description.Body != "" {
			n++
		}
	}
	return n
}

// ListSkills is Expand for the list of skills, of which the first n that have a
// description keep it.
func (e *Engine) ListSkills(f *cento.Fragment, a cento.Active, n int) (cento.Text, error) {
	if e.catalog == nil || f.Template != cento.CatalogTemplate+string(skillCatalogKey) {
		return e.Expand(f, a)
	}
	skills := slices.Clone(e.input.Files.Skills)
	for i := range skills {
		if skills[i].Description.Body == "" {
			continue
		}
		if n--; n < 0 {
			skills[i].Description = cento.Text{}
		}
	}
	return e.catalog.With(e.variables(a)).skillCatalog(skills)
}

// part is the text of a part of the primary block for an active set.
func (e *Engine) part(f *cento.Fragment, v Variables) (cento.Text, error) {
	c := e.catalog.With(v)
	switch key := Key(strings.TrimPrefix(f.Template, cento.CatalogTemplate)); key {
	case mcpAdvisoryKey:
		return c.mcpAdvisory()
	case environmentKey:
		return c.environment()
	case skillCatalogKey:
		return c.skillCatalog(e.input.Files.Skills)
	case progressToolKey:
		return c.progressTool(cento.Text{Body: e.input.Primary.ProgressToolName, Trust: cento.TrustWorkspace})
	case loopContractKey:
		return c.loopContract()
	case toolContractKey:
		on := sorted(v.Tools)
		active := make([]cento.Tool, 0, len(e.input.Tools))
		for _, t := range e.input.Tools {
			if _, found := slices.BinarySearch(on, t.Name); found {
				active = append(active, t)
			}
		}
		return c.toolContract(active)
	}
	return cento.Text{}, &cento.SourceError{
		Code: NotFound, Position: f.Origin, Message: "no text of the catalog is worded as " + quote(f.Template),
	}
}
