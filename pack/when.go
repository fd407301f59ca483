package pack

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/nearest"
	"github.com/cento-dev/cento/internal/strict"
	"github.com/cento-dev/cento/jinja"
)

// The codes of conditions.
const (
	// InvalidCondition: a condition isn't an expression, or reads a name that it
	// can't.
	InvalidCondition cento.ErrorCode = "when.invalid"
	// FailedCondition: a condition has no value for this active set.
	FailedCondition cento.ErrorCode = "when.failed"
)

// conditionRoots are the names that a condition can read.
var conditionRoots = []string{"cap", "caps", "model", "tool", "tools", "vars"}

// conditionVars is what conditions can read beside the active set.
type conditionVars struct {
	Kept *Kept
	// Declared is a map of the variables that the manifest declares, with their
	// values there; none where it gives none. Others can't be read.
	Declared jinja.Value
	// Given is a map of the values that were set for this assembly.
	Given jinja.Value
	// Model is what is known of the model of the input; nil for nothing. Of another
	// model the name alone is known.
	Model     *cento.Model
	ModelName string
	// Known are the names of tools and capabilities that a condition may have meant.
	Known func() (tools, caps []string)
}

// conditions reads the conditions of fragments: expressions of the template
// language over tools, caps, model, vars, tool() and cap(). It implements
// [cento.Conditions] and is safe for concurrent use.
type conditions struct {
	kept     *Kept
	vars     jinja.Value
	declared []string
	model    *cento.Model
	name     string // of the model that it is about
	modelVal func() jinja.Value
	known    func() (tools, caps []string)
	compared atomic.Int64 // names, for proposals
	// last is the active set asked about last: all conditions of an assembly are
	// asked about one.
	last atomic.Pointer[activeContext]
}

type activeContext struct {
	active cento.Active
	value  jinja.Value
}

// newConditions returns an engine for conditions over these variables.
func newConditions(v conditionVars) *conditions {
	c := &conditions{kept: v.Kept, model: v.Model, name: v.ModelName, known: v.Known}
	c.modelVal = sync.OnceValue(modelOf(v.ModelName, v.Model).value)
	var b jinja.MapBuilder
	for key, value := range v.Declared.Entries() {
		name := key.String()
		c.declared = append(c.declared, name)
		if given := v.Given.Get(name); !given.IsUndefined() {
			value = given
		}
		b.Set(name, value)
	}
	slices.Sort(c.declared)
	c.vars = b.Map()
	return c
}

// Condition is a compiled condition.
type Condition struct {
	expr   *expression
	text   cento.Text
	engine *conditions
}

// Compile reads a condition. Its errors are of the code [InvalidCondition], each at
// the place of the word that it is about.
func (c *conditions) Compile(expr cento.Text) (cento.Condition, error) {
	x := c.kept.parse(expr.Body)
	if x.err != nil {
		e := conditionError(InvalidCondition, "the condition is not an expression", expr, x.err)
		if inner, ok := strict.InBraces(expr.Body); ok {
			if c.kept.parse(inner).err != nil {
				inner = strict.AnyCondition
			}
			e.Hint, e.Related = strict.WithoutBraces+inner, nil
		}
		return nil, e
	}
	if err := c.checkNames(x, expr); err != nil {
		return nil, err
	}
	return &Condition{expr: x, text: expr, engine: c}, nil
}

// places is before the first byte of a condition. One without runs is known by its
// origin alone.
func places(expr cento.Text) cento.Cursor {
	runs := expr.Runs
	if len(runs) == 0 {
		runs = []cento.Run{{End: len(expr.Body), Position: expr.Origin, Fixed: true}}
	}
	return cento.NewCursor(expr.Body, runs)
}

// checkNames refuses names that can't be read, since they would be wrong for
// every active set.
func (c *conditions) checkNames(x *expression, expr cento.Text) error {
	var errs []*cento.SourceError
	text, places := expr.Body, places(expr)
	unknown := func(offset int, what, name string, known []string) {
		general := "a condition reads " + nearest.List(known)
		if len(known) == 0 {
			general = "the manifest declares no vars"
		}
		errs = append(errs, &cento.SourceError{
			Code: InvalidCondition, Position: places.At(offset),
			Message: "the condition reads an unknown " + what + ", " + quote(name),
			Hint:    didYouMean(name, known, general),
		})
	}
	told := 0 // how far the text's names were told
	calls := x.calls()
	for _, call := range calls {
		if call.Name != "tool" && call.Name != "cap" {
			unknown(call.Start, "function", call.Name, []string{"tool", "cap"})
		}
	}
	for _, ref := range x.Refs() {
		if slices.ContainsFunc(calls, func(c jinja.CallSite) bool { return c.Name == ref.Path && c.Start == ref.Start }) {
			continue // said already, or tool and cap
		}
		member := strings.TrimPrefix(strings.TrimPrefix(ref.Path, ref.Root), ".")
		if i := strings.IndexAny(member, ".["); i >= 0 {
			member = member[:i]
		}
		switch {
		case ref.Start < told:
			// a part of a name that was told as a whole, such as file in read-file
		case ref.Root == "tool" || ref.Root == "cap":
			errs = append(errs, notCalled(ref, text, places.At(ref.Start)))
		case !slices.Contains(conditionRoots, ref.Root):
			unknown(ref.Start, "name", ref.Root, conditionRoots)
			var name string
			if name, errs[len(errs)-1].Hint = c.meant(bareName(text, ref), ref.Root, text); name != "" {
				told = ref.Start + len(name)
			}
		case ref.Root == "vars" && member != "" && !slices.Contains(c.declared, member):
			unknown(memberStart(ref, text), "variable", "vars."+member, prefixed("vars.", c.declared))
		case ref.Root == "model" && member != "" && !slices.Contains(modelFields, member):
			unknown(memberStart(ref, text), "property", "model."+member, prefixed("model.", modelFields))
		}
	}
	uses := slices.DeleteFunc(slices.Clone(x.uses()), func(u jinja.TextUse) bool {
		return u.Root == "tool" || u.Root == "cap" || !slices.Contains(conditionRoots, u.Root) // told above
	})
	for _, e := range textUses(uses, func(string) bool { return false }, func(u jinja.TextUse) cento.Position { return places.At(u.Start) }) {
		e.Code = InvalidCondition
		errs = append(errs, e)
	}
	return cento.Join(errs)
}

// notCalled refuses a function that is read and not called: it is true whatever is
// active, so whoever asks by it would never learn the answer.
func notCalled(ref jinja.Ref, text string, at cento.Position) *cento.SourceError {
	e := &cento.SourceError{
		Code: InvalidCondition, Position: at,
		Message: "the condition reads the function " + quote(ref.Root) + " without calling it",
		Hint:    "write " + ref.Root + "('x') for the one named x, " + ref.Root + "s for whether there is any",
	}
	call := askedFor(ref.Path)
	if rest, ok := strings.CutPrefix(text[ref.Start:], ref.Root+"["); ok && call == "" {
		inner, _, _ := strings.Cut(rest, "]")
		call = askedFor(ref.Root + "[" + inner + "]")
	}
	if call != "" {
		e.Hint = "write " + call
	}
	return e
}

func prefixed(prefix string, names []string) []string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = prefix + n
	}
	return out
}

// Eval tells whether the condition holds for an active set, by the language's
// rules of truth. Its errors are of the code [FailedCondition].
func (c *Condition) Eval(a cento.Active) (bool, error) {
	ok, err := c.expr.Test(c.engine.context(a))
	if err != nil {
		return false, c.explainModel(a, conditionError(FailedCondition, "the condition cannot be decided", c.text, err))
	}
	return ok, nil
}

// explainModel words the error of a property that isn't known of the model.
func (c *Condition) explainModel(a cento.Active, e *cento.SourceError) *cento.SourceError {
	m := Model{Name: a.Model}
	if a.Model == c.engine.name {
		m = modelOf(a.Model, c.engine.model)
	}
	x, ok := errors.AsType[*jinja.Error](e.Err)
	if !ok || x.Kind != jinja.ErrUndefined {
		return e
	}
	if x.Whole <= x.End && x.End <= len(c.text.Body) {
		if call := askedFor(c.text.Body[x.Whole:x.End]); call != "" {
			e.Hint = "write " + call
			return e
		}
	}
	for _, ref := range c.expr.Refs() {
		if name, ok := strings.CutPrefix(ref.Path, "model."); ok && !m.knows(name) && ref.Line == x.Line {
			e.Message, e.Err = ref.Path+" is not known of "+quote(a.Model), nil
			e.Hint = unknownFactHint(ref.Path)
			break
		}
	}
	return e
}

// askedFor is the question that an attribute of the tools or capabilities was meant
// as: tool('bash') for tools.bash and tools['bash']; empty for anything else.
func askedFor(expr string) string {
	for _, root := range [...][2]string{{"tools", "tool"}, {"caps", "cap"}, {"tool", "tool"}, {"cap", "cap"}} {
		rest, ok := strings.CutPrefix(expr, root[0])
		if !ok {
			continue
		}
		name, dotted := strings.CutPrefix(rest, ".")
		if !dotted {
			inner, open := strings.CutPrefix(rest, "[")
			inner, closed := strings.CutSuffix(inner, "]")
			if !open || !closed || len(inner) < 2 || inner[0] != inner[len(inner)-1] || inner[0] != '\'' && inner[0] != '"' {
				continue
			}
			name = inner[1 : len(inner)-1]
		}
		if name = strings.TrimSpace(name); name != "" && !strings.ContainsAny(name, "'\"\\()[] ") {
			return root[1] + "('" + name + "')"
		}
	}
	return ""
}

// unknownFactHint says what to do about a property of a model that isn't known.
func unknownFactHint(path string) string {
	return "say it under models: in the manifest, or ask `" + path + " is defined` first"
}

// Names returns the constant names that the condition asks tool() or cap() for,
// sorted.
func (c *Condition) Names(function string) []string {
	var out []string
	for _, use := range c.Asks(function) {
		out = append(out, use.Name)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Asks lists the places that ask tool() or cap() for a constant name, or look for one in
// tools or caps.
func (c *Condition) Asks(function string) []Use {
	var out []Use
	places := places(c.text)
	for _, call := range c.expr.callsOf(function) {
		for _, arg := range call.Args {
			if name, ok := arg.Str(); ok {
				out = append(out, Use{name, places.At(call.Start)})
			}
		}
	}
	for _, site := range c.expr.listed[function]() {
		out = append(out, Use{site.Name, places.At(site.Start)})
	}
	return out
}

// context makes the engine's variables of an active set, once for all
// conditions that are asked about it.
func (c *conditions) context(a cento.Active) jinja.Value {
	if last := c.last.Load(); last != nil && last.active.Model == a.Model &&
		slices.Equal(last.active.Tools, a.Tools) && slices.Equal(last.active.Caps, a.Caps) {
		return last.value
	}
	v := Variables{Tools: a.Tools, Caps: a.Caps, Model: Model{Name: a.Model}}
	var b jinja.MapBuilder
	if a.Model == c.name {
		v.active(&b)
		b.Set("model", c.modelVal())
	} else {
		v.base(&b)
	}
	b.Set("vars", c.vars)
	value := b.Map()
	a.Tools, a.Caps = slices.Clone(a.Tools), slices.Clone(a.Caps)
	c.last.Store(&activeContext{a, value})
	return value
}

func conditionError(code cento.ErrorCode, message string, expr cento.Text, err error) *cento.SourceError {
	places := places(expr)
	out := &cento.SourceError{Code: code, Message: message, Position: places.At(0), Err: err}
	if e, ok := errors.AsType[*jinja.Error](err); ok {
		out.Err, out.Hint = &said{e}, engineHint(e)
		if e.Line > 0 {
			out.Position = places.At(e.Start)
		}
		if b := e.Opened; b != nil {
			out.Related = append(out.Related, cento.Related{Position: places.At(b.Start), Message: openBracket})
		}
	}
	return out
}
