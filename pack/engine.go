package pack

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/jinja"
)

// Engine decides conditions and renders prompt files for the fragments of one
// input. It implements [cento.Engine], is immutable and safe for concurrent
// use; the active set is its only argument, so one engine serves all what-ifs of
// an input.
type Engine struct {
	*Conditions
	files map[Ref]*File
	// named finds the file of a fragment's template as it is written there.
	named map[string]*File
	// vars is what doesn't depend on the active set.
	vars Variables
	// catalog words the parts of the primary block; nil when there are none.
	catalog  *Catalog
	tools    []cento.Tool
	skills   []cento.ListedSkill
	progress cento.Text
}

// NewEngine returns the engine of an input. Files that were opened already are
// handed over; all others that the input's fragments name are read from its
// sources, and from what is built in.
//
// Errors: those of [RootsOf] and [Loader.Open], and what is wrong with the
// variables.
func NewEngine(in cento.Input, opened ...*File) (*Engine, error) {
	e := &Engine{files: make(map[Ref]*File, len(opened)), named: map[string]*File{}}
	for _, f := range opened {
		e.files[f.ref] = f
	}
	if err := e.open(in); err != nil {
		return nil, err
	}
	e.vars = Variables{Now: in.Files.Now, Cwd: in.Files.Cwd, AgentName: in.Files.AgentName}
	declared, err := variables(in.Files.Vars, cento.TrustWorkspace)
	if err != nil {
		return nil, err
	}
	given, err := variables(in.Files.Given, cento.TrustHost)
	if err != nil {
		return nil, err
	}
	var all jinja.MapBuilder
	for key, value := range declared.Entries() {
		all.Set(key.String(), value)
	}
	for key, value := range given.Entries() {
		all.Set(key.String(), value)
	}
	e.vars.Vars = all.Map()
	e.Conditions = NewConditions(ConditionVars{Declared: declared, Given: given})
	return e, nil
}

// variables makes a map of a JSON object; an empty one of none.
func variables(object json.RawMessage, trust cento.Trust) (jinja.Value, error) {
	if len(object) == 0 {
		var none jinja.MapBuilder
		return none.Map(), nil
	}
	v, err := jinja.FromJSON(object, label(trust))
	if err != nil {
		return v, fmt.Errorf("reading variables: %w", err)
	}
	return v, nil
}

// open reads the files that weren't handed over.
func (e *Engine) open(in cento.Input) error {
	fragments, _, err := cento.Compose(in)
	if err != nil {
		return err
	}
	var loader *Loader
	load := func() error {
		if loader != nil {
			return nil
		}
		roots, err := RootsOf(in.Files.Sources)
		if err == nil {
			loader = NewLoader(roots, in.Limits)
		}
		return err
	}
	for i := range fragments {
		f := &fragments[i]
		if f.Template == "" || f.Excluded != nil && f.Excluded.Code != cento.CodeOverridden {
			continue // what a layer took out is never rendered, and its file need not be there
		}
		if strings.HasPrefix(f.Template, cento.CatalogTemplate) {
			if e.catalog != nil {
				continue
			}
			if err := load(); err != nil {
				return err
			}
			if e.catalog, err = catalogOf(in.Files, loader); err != nil {
				return err
			}
			e.tools, e.skills = in.Tools, in.Files.Skills
			e.progress = cento.Text{Body: in.Primary.ProgressToolName, Trust: cento.TrustWorkspace}
			continue
		}
		ref, err := ParseRef(f.Template, Ref{}, f.Origin)
		if err != nil {
			return err
		}
		if file := e.files[ref]; file != nil {
			e.named[f.Template] = file
			continue
		}
		if err := load(); err != nil {
			return err
		}
		file, err := loader.Open(ref, f.Origin)
		if err != nil {
			return err
		}
		e.files[ref], e.named[f.Template] = file, file
	}
	return nil
}

// Expand renders the prompt file that a fragment names, or words a part of the
// primary block. Its errors are those of
// [File.Render], and [NotFound] for a fragment of another input.
func (e *Engine) Expand(f *cento.Fragment, a cento.Active) (cento.Text, error) {
	if e.catalog != nil && strings.HasPrefix(f.Template, cento.CatalogTemplate) {
		return e.part(f, e.variables(a))
	}
	file := e.named[f.Template]
	if file == nil {
		return cento.Text{}, &cento.SourceError{
			Code: NotFound, Position: f.Origin,
			Message: "prompt file not found: " + quote(f.Template), Hint: "the engine was made for another input",
		}
	}
	return e.Render(file, a)
}

// Render is Expand for a file that no fragment needs to name.
func (e *Engine) Render(file *File, a cento.Active) (cento.Text, error) {
	return file.Render(e.variables(a))
}

// variables are those of an active set.
func (e *Engine) variables(a cento.Active) Variables {
	v := e.vars
	v.Tools, v.Caps, v.Model = a.Tools, a.Caps, Model{Name: a.Model}
	return v
}

var _ cento.Engine = (*Engine)(nil)
