package pack

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/nearest"
	quoted "github.com/cento-dev/cento/internal/quote"
	"github.com/cento-dev/cento/internal/strict"
	"github.com/cento-dev/cento/jinja"
)

// Render gives the file's text for these variables, which is the same whenever
// they are. Every byte of it is in a run: literal text with its place, values
// with the place of the expression, the name of the variable and the trust of
// the data.
//
// Errors carry the code [RenderFailed] and the engine's [jinja.Error], or what
// is wrong with the variables.
func (f *File) Render(v Variables) (cento.Text, error) {
	vars, same, err := f.checkVars(v.Vars)
	if err != nil {
		return cento.Text{}, atStage(RenderFailed, err)
	}
	out, err := f.template.Render(v.with(vars, same))
	if err != nil {
		if e, ok := errors.AsType[*jinja.Error](err); ok {
			if e.Kind == jinja.ErrNotFound {
				f.set.explainMissing(e)
			}
			f.explainUnset(e, v)
			f.explainVar(e, vars)
			explainClock(e)
			f.explainUndeclared(e, vars)
		}
		return cento.Text{}, engineError(RenderFailed, err, plainPlace)
	}
	text := cento.Text{
		Body: out.Text(), Trust: f.Trust(),
		Origin: cento.Position{File: f.ref.Path(), Line: 1, Column: 1},
	}
	for s := range out.All() {
		text.Runs = append(text.Runs, cento.Run{
			Start: s.Start, End: s.End,
			Position: cento.Position{File: s.File, Line: s.Line, Column: s.Column},
			Var:      s.Var, Trust: trustOf(s.Trust), MadeBy: madeBy(s), Fixed: s.Kind != jinja.Text,
		})
	}
	return text, nil
}

// checkVars holds the given values to the declarations and adds the defaults. It tells
// whether they are the given ones as they are.
func (f *File) checkVars(given jinja.Value) (vars jinja.Value, same bool, err error) {
	if len(f.vars) == 0 && given.Kind() == jinja.KindMap {
		return given, true, nil
	}
	var b jinja.MapBuilder
	for key, v := range given.Entries() {
		b.Set(key.String(), v)
	}
	var errs []*cento.SourceError
	for _, decl := range f.vars {
		v := given.Get(decl.Name)
		switch {
		case !v.IsUndefined() && !decl.Type.is(v):
			errs = append(errs, &cento.SourceError{
				Code: strict.WrongType, Position: decl.Position,
				Message: fmt.Sprintf("the variable %q", decl.Name), Err: &VarError{decl, v},
			})
		case v.IsUndefined() && decl.def == nil:
			errs = append(errs, &cento.SourceError{
				Code: strict.MissingKey, Position: decl.Position,
				Message: fmt.Sprintf("the variable %q has no value", decl.Name),
				Hint:    "set it under vars, or declare a default",
			})
		case v.IsUndefined():
			v, err := valueOf(decl.def, label(f.trustAt(decl.Position.File)))
			if err != nil {
				return jinja.Value{}, false, err
			}
			b.Set(decl.Name, v)
		}
	}
	return b.Map(), false, cento.Join(errs)
}

// VarError is the cause of an error at a variable whose value isn't of the type that a
// prompt file declares.
type VarError struct {
	Declared Var
	value    jinja.Value
}

// Error says what was wanted, and what the value is.
func (e *VarError) Error() string {
	return "expected " + e.Declared.Type.article() + ", got " + described(e.value)
}

// described is a value in an error: a short one as it is, else what it is.
func described(v jinja.Value) string {
	const shown = 40
	switch v.Kind() {
	case jinja.KindString:
		return strconv.Quote(quoted.ClipRunes(v.String(), shown))
	case jinja.KindList:
		return ListType.article()
	case jinja.KindMap:
		return MapType.article()
	case jinja.KindNone:
		return strict.Null.String()
	}
	return quoted.ClipRunes(v.String(), shown)
}

// trustAt is that of a file of the set, by its name in positions.
func (f *File) trustAt(path string) cento.Trust {
	ref, err := f.set.loader.ParseRef(path, Ref{}, cento.Position{})
	if err != nil {
		return cento.TrustSession // no file of the set
	}
	return f.set.loader.Trust(ref)
}

// valueOf makes a value of what stands in a file.
func valueOf(n *strict.Node, l jinja.Trust) (jinja.Value, error) {
	raw, err := n.AppendJSON(nil)
	if err != nil {
		return jinja.Value{}, err
	}
	return jinja.FromJSON(raw, l)
}

// explainVar tells who left the prefix of a variable out where it stands.
func (f *File) explainVar(e *jinja.Error, vars jinja.Value) {
	name, ok := strings.CutPrefix(e.Message, "undefined variable '")
	if name = strings.TrimSuffix(name, "'"); !ok || e.Kind != jinja.ErrUndefined || vars.Get(name).IsUndefined() {
		return
	}
	e.Nearest, e.Hint = "", VariableHint(name)
}

// explainClock tells where the time is for whoever asks a function of another engine for it.
func explainClock(e *jinja.Error) {
	name, ok := strings.CutPrefix(e.Message, "unknown function '")
	switch name = strings.TrimSuffix(name, "'"); {
	case !ok || e.Kind != jinja.ErrUnknownFunction:
	case name == "now" || name == "today" || name == "utcnow" || name == "strftime_now":
		e.Nearest, e.Hint = "", "the clock is read as a value: write date, time or datetime"
	}
}

// UndeclaredHint is the advice on a variable that a file reads and nobody declares.
const UndeclaredHint = "declare it under vars in the manifest, or in the front matter of the file"

// explainUndeclared says how there is a variable that nobody declares, where no name is
// near it.
func (f *File) explainUndeclared(e *jinja.Error, vars jinja.Value) {
	if e.Kind != jinja.ErrUndefined || e.Nearest != "" || e.Hint != "" {
		return
	}
	expr, before := f.textAt(e)
	asText := ""
	if strings.HasSuffix(strings.TrimRight(before, " -"), "${{") { // as in workflows, which a text may quote
		asText = "; braces that are text stand between {% raw %} and {% endraw %}"
	}
	name, below := strings.CutPrefix(expr, "vars.")
	switch {
	case !isName(name):
	case !below && NothingHint(name) != "":
		e.Hint = NothingHint(name)
	case namesFile(before):
		e.Hint = "the name of a file stands between quotes: write '" + name + "'"
	case below:
		e.Hint = UndeclaredHint + asText
	case strings.HasPrefix(e.Message, "undefined variable "):
		var known []string
		for key := range vars.Entries() {
			known = append(known, key.String())
		}
		if near, ok := nearest.Name(name, known); ok {
			e.Nearest = "vars." + near
			return
		}
		e.Hint = UndeclaredHint + ", and write vars." + name + asText
	}
}

// namesFile reports whether a tag that begins behind a text names a file there.
func namesFile(before string) bool {
	tag := before[strings.LastIndex(before, "{%")+1:]
	words := strings.Fields(strings.TrimLeft(tag, "%-+"))
	return len(words) == 1 && slices.Contains([]string{"include", "import", "from", "extends"}, words[0])
}

// textAt is what stands at the place of an error, and before it; empty where no file of the
// set is at it.
func (f *File) textAt(e *jinja.Error) (text, before string) {
	for _, src := range f.Sources() {
		if src.Ref.Path() == e.Template && e.Whole <= e.End && e.End <= len(src.Text) {
			return src.Text[e.Whole:e.End], src.Text[:e.Whole]
		}
	}
	return "", ""
}

// explainUnset words the error of a variable that isn't there because nobody
// said what it is: the clock, or the working folder.
func (f *File) explainUnset(e *jinja.Error, v Variables) {
	if e.Kind != jinja.ErrUndefined {
		return
	}
	if name, _ := f.textAt(e); name != "" {
		switch {
		case v.Now.IsZero() && slices.Contains(clockNames, name):
			e.Message, e.Nearest = "now is not set", ""
			e.Hint = "date, time and datetime need a clock: set it with --clock, or now in a request"
		case v.Cwd == "" && name == "cwd":
			e.Message, e.Nearest = "cwd is not set", ""
			e.Hint = "give the working folder as cwd in the request, or let the text ask `cwd is defined`"
		case v.ModelRequired && v.Model.Name == "" && name == "model":
			e.Message, e.Nearest = "model is not set", ""
			e.Hint = "give the name of a model as model in the request, or let the text ask `model is defined`"
		case askedFor(name) != "":
			e.Nearest, e.Hint = "", "write "+askedFor(name)
		case !v.Model.knows(strings.TrimPrefix(name, "model.")) && strings.HasPrefix(name, "model."):
			e.Message, e.Nearest = name+" is not known of "+quote(v.Model.Name), ""
			e.Hint = unknownFactHint(name)
		}
	}
}
