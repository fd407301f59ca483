package pack

import (
	"fmt"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/jinja"
)

// Unreached is literal text of a prompt file that its rendering did not come to.
type Unreached struct {
	// Text begins at Position; its lines are those of the file.
	Text     string
	Position cento.Position
	Trust    cento.Trust // of the file
	// Reason names the statement that decided so, and where it stands.
	Reason string
	// Instead is where a block stands that overrides the one of the text; zero for none.
	Instead cento.Position
}

// Unreached tells which literal texts of the prompt file of a fragment, and of
// those that it names by a constant, its rendering for an active set doesn't come
// to. A fragment without a prompt file has none. Its errors are those of
// [Engine.Expand].
func (e *Engine) Unreached(f *cento.Fragment, a cento.Active) ([]Unreached, error) {
	file, found, err := asked(e, f, a, (*jinja.Template).Unreached)
	if file == nil || err != nil {
		return nil, err
	}
	out := make([]Unreached, 0, len(found))
	for _, x := range found {
		out = append(out, file.unreached(x))
	}
	return out, nil
}

// asked puts a question to the template of a fragment's prompt file that a rendering
// for an active set answers. The file is nil where the fragment has none.
func asked[T any](e *Engine, f *cento.Fragment, a cento.Active, question func(*jinja.Template, jinja.Value) ([]T, error)) (*File, []T, error) {
	file := e.named[f.Template]
	if file == nil {
		return nil, nil, nil
	}
	v := e.variables(a)
	vars, same, err := file.checkVars(v.Vars)
	if err != nil {
		return file, nil, atStage(RenderFailed, err)
	}
	answers, err := question(file.template, v.with(vars, same))
	if err != nil {
		return file, nil, engineError(RenderFailed, err, plainPlace)
	}
	return file, answers, nil
}

// Sources are the prompt file of a fragment and those that were read for it, by
// name; none for a fragment without one.
func (e *Engine) Sources(f *cento.Fragment) []*Source {
	file := e.named[f.Template]
	if file == nil { // of a fragment that is out, it may have been handed over all the same
		if ref, err := ParseRef(f.Template, Ref{}, f.Origin, e.own...); err == nil {
			file = e.files[ref]
		}
	}
	if file == nil {
		return nil
	}
	return file.Sources()
}

func (f *File) unreached(x jinja.Unreached) Unreached {
	u := Unreached{
		Text: x.Text, Position: cento.Position{File: x.File, Line: x.Line, Column: x.Column}, Trust: f.Trust(),
		Reason: fmt.Sprintf("not rendered: `%s` at %s:%d %s", x.Tag, x.TagFile, x.TagLine, x.Outcome),
	}
	if x.Outcome == jinja.StandsInstead {
		u.Instead = cento.Position{File: x.TagFile, Line: x.TagLine, Column: x.TagColumn}
	}
	for _, src := range f.Sources() {
		if src.Ref.Path() == x.File {
			u.Trust = src.Trust
		}
	}
	return u
}
