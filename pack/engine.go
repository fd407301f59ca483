package pack

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/jinja"
	"github.com/cento-dev/cento/token"
	"github.com/cento-dev/cento/wire"
)

// Engine decides conditions and renders prompt files for the fragments of one
// input. It implements [cento.Engine] and [cento.Keyed], is immutable and safe for
// concurrent use; the active set is its only argument, so one engine serves all
// what-ifs of an input. For an input in which something else is changed there is
// [Engine.For].
type Engine struct {
	*conditions
	kept  *Kept // nil: nothing is kept
	files map[Ref]*File
	// named finds the file of a fragment's template as it is written there.
	named map[string]*File
	own   []Prefix // of the host
	// model is what is known of the model of the name.
	model     *cento.Model
	modelName string
	// vars is what doesn't depend on the active set.
	vars Variables
	last atomic.Pointer[Variables] // with the active set that was asked for last
	// catalog words the parts of the primary block; nil when there are none.
	catalog *Catalog
	// input is what the engine was made of; its fragments aren't looked at again.
	input cento.Input
	// values are the variables as they are written, for keys.
	values func() (map[string]string, error)
	// planned is the input compiled: see [Engine.Assemble].
	planned func() (*planned, error)
	asked   atomic.Bool // it pays to compile it
}

// Reduce makes the prompt of an input, with the prompt files and the wording that
// it brings along. It reads nothing but its argument. The errors are those of
// [NewEngine] and [cento.ReduceWith].
func Reduce(in cento.Input) (*cento.Prompt, error) {
	e, err := NewEngine(in)
	if err != nil {
		return nil, err
	}
	return cento.ReduceWith(in, e)
}

// Reduce makes the prompt of the engine's input, or of a copy of it in which
// something is changed: it is [Reduce], and compiles nothing again that is the same.
func (e *Engine) Reduce(in cento.Input) (*cento.Prompt, error) {
	e, err := e.For(in)
	if err != nil {
		return nil, err
	}
	return cento.ReduceWith(in, e)
}

// NewEngine returns the engine of an input. Files that were opened already are
// handed over, and must be those that the input has the sources of; all others that
// the input's fragments name are read from its sources, and from what is built in.
//
// Errors: those of [RootsOf] and [Loader.Open], and what is wrong with the
// variables.
func NewEngine(in cento.Input, opened ...*File) (*Engine, error) {
	return (*Kept)(nil).NewEngine(in, opened...)
}

// NewEngine is [NewEngine] for an engine that keeps what it reads, as those do that
// [Engine.For] and [Engine.With] make of it.
func (k *Kept) NewEngine(in cento.Input, opened ...*File) (*Engine, error) {
	e := &Engine{kept: k, files: make(map[Ref]*File, len(opened))}
	for _, f := range opened {
		e.files[f.ref] = f
	}
	return e, e.setUp(in)
}

// For returns the engine of another input. The prompt files and the wording that both
// have in the same words are compiled already. The errors are those of [NewEngine].
func (e *Engine) For(in cento.Input) (*Engine, error) {
	next := &Engine{kept: e.kept, files: map[Ref]*File{}}
	was, is := &e.input.Files, &in.Files
	if e.input.Limits == in.Limits && maps.Equal(was.Sources, is.Sources) && maps.Equal(was.Prefixes, is.Prefixes) {
		maps.Copy(next.files, e.files)
		if reflect.DeepEqual(was.Wording, is.Wording) {
			next.catalog = e.catalog
		}
	}
	if err := next.setUp(in); err != nil {
		return nil, err
	}
	return next, nil
}

// With is For with files that were opened since: they are among those that the input
// has the sources of. Every file of the engine has to be among these too.
func (e *Engine) With(in cento.Input, opened ...*File) (*Engine, error) {
	next := &Engine{kept: e.kept, files: maps.Clone(e.files), catalog: e.catalog}
	for _, f := range opened {
		next.files[f.ref] = f
	}
	return next, next.setUp(in)
}

// setUp does what an engine does for its input but once.
func (e *Engine) setUp(in cento.Input) error {
	// Who changes a copy of the input may do so in the maps that both have.
	in.Files.Sources, in.Files.Wording = maps.Clone(in.Files.Sources), maps.Clone(in.Files.Wording)
	in.Files.Prefixes = maps.Clone(in.Files.Prefixes)
	in.Files.Vars, in.Files.Given = bytes.Clone(in.Files.Vars), bytes.Clone(in.Files.Given)
	e.input, e.named, e.own = in, map[string]*File{}, ownOf(in.Files)
	if err := e.open(in); err != nil {
		return err
	}
	e.vars = Variables{Now: in.Files.Now, Cwd: in.Files.Cwd, AgentName: in.Files.AgentName}
	declared, err := variables(in.Files.Vars, cento.TrustWorkspace)
	if err != nil {
		return err
	}
	given, err := variables(in.Files.Given, cento.TrustHost)
	if err != nil {
		return err
	}
	var all jinja.MapBuilder
	for key, value := range declared.Entries() {
		all.Set(key.String(), value)
	}
	for key, value := range given.Entries() {
		all.Set(key.String(), value)
	}
	e.vars.Vars = all.Map()
	e.conditions = newConditions(conditionVars{Kept: e.kept, Declared: declared, Given: given, Model: in.Model, ModelName: in.Active.Model, Known: sync.OnceValues(func() (tools, caps []string) {
		return namesAround(&in)
	})})
	e.model, e.modelName = in.Model, in.Active.Model
	e.values = sync.OnceValues(func() (map[string]string, error) { return valuesOf(&in.Files) })
	e.planned = e.plan()
	return nil
}

// Texts are what the engine keeps of texts; see [Kept].
func (e *Engine) Texts() *cento.Texts {
	if e.kept == nil {
		return nil
	}
	return &e.kept.texts
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
		roots, err := RootsOf(in.Files.Sources, in.Files.Prefixes)
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
			continue
		}
		at := cmp.Or(f.TemplateOrigin, f.Origin)
		ref, err := ParseRef(f.Template, Ref{}, at, e.own...)
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
		file, err := loader.Open(ref, at)
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

// RenderGiven is Render for who gives all that a file may read: without a model,
// reading one is an error, and not an empty text.
func (e *Engine) RenderGiven(file *File, a cento.Active) (cento.Text, error) {
	v := e.variables(a)
	v.ModelRequired, v.shared = true, nil
	return file.Render(v)
}

// variables are those of an active set. Files are mostly rendered for one after the
// other, so the last ones are kept.
func (e *Engine) variables(a cento.Active) Variables {
	if last := e.last.Load(); last != nil && last.of(a) {
		return *last
	}
	v := e.vars
	v.Tools, v.Caps, v.Model = slices.Clone(a.Tools), slices.Clone(a.Caps), Model{Name: a.Model}
	if a.Model == e.modelName {
		v.Model = modelOf(a.Model, e.model)
	}
	v = v.once()
	e.last.Store(&v)
	return v
}

// of reports whether they are those of an active set.
func (v *Variables) of(a cento.Active) bool {
	return v.Model.Name == a.Model && slices.Equal(v.Tools, a.Tools) && slices.Equal(v.Caps, a.Caps)
}

// Counter counts tokens as a model does: by what is known of it, else by its name, see
// [token.CounterFor]. That counts are exact is believed of what an entry of the catalog
// declares, and of what is known of the name: a record may say it that was made when
// less was known.
func (e *Engine) Counter(name string, m *cento.Model) cento.Counter {
	counter := token.CounterFor(name)
	if m != nil && m.Counting.Counter != "" && m.Counting.Counter != counter.Name() {
		named, err := token.LookupCounter(m.Counting.Counter)
		switch {
		case err != nil:
		case m.Counting.Declared:
			return named
		default:
			return token.Estimated(named, fmt.Sprintf("counted by %s as it was recorded; no published table says that %s counts so", named.Name(), name))
		}
	}
	return counter
}

// RequestForm is a form of package wire; nil for a name that isn't one.
func (e *Engine) RequestForm(name, sections string) cento.RequestForm {
	return wire.RequestForm(name, sections)
}

var (
	_ cento.Engine          = (*Engine)(nil)
	_ cento.FormSource      = (*Engine)(nil)
	_ cento.CounterSource   = (*Engine)(nil)
	_ cento.StabilityReader = (*Engine)(nil)
	_ cento.TextKeeper      = (*Engine)(nil)
	_ cento.SkillLister     = (*Engine)(nil)
)
