package pack

import (
	"encoding/json"
	"fmt"

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
	for i := range fragments {
		f := &fragments[i]
		if f.Template == "" || f.Excluded != nil && f.Excluded.Code != cento.CodeOverridden {
			continue // what a layer took out is never rendered, and its file need not be there
		}
		ref, err := ParseRef(f.Template, Ref{}, f.Origin)
		if err != nil {
			return err
		}
		if file := e.files[ref]; file != nil {
			e.named[f.Template] = file
			continue
		}
		if loader == nil {
			roots, err := RootsOf(in.Files.Sources)
			if err != nil {
				return err
			}
			loader = NewLoader(roots, in.Limits)
		}
		file, err := loader.Open(ref, f.Origin)
		if err != nil {
			return err
		}
		e.files[ref], e.named[f.Template] = file, file
	}
	return nil
}

// Expand renders the prompt file that a fragment names. Its errors are those of
// [File.Render], and [NotFound] for a fragment of another input.
func (e *Engine) Expand(f *cento.Fragment, a cento.Active) (cento.Text, error) {
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
	v := e.vars
	v.Tools, v.Caps, v.Model = a.Tools, a.Caps, Model{Name: a.Model}
	return file.Render(v)
}

var _ cento.Engine = (*Engine)(nil)
