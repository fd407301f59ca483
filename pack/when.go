package pack

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/cento-dev/cento"
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

// ConditionVars is what conditions can read beside the active set.
type ConditionVars struct {
	// Declared is a map of the variables that the manifest declares, with their
	// values there; none where it gives none. Others can't be read.
	Declared jinja.Value
	// Given is a map of the values that were set for this assembly.
	Given jinja.Value
	// Model describes the model of that name; it isn't asked when there is none.
	// It must depend on the name alone. nil knows nothing but names.
	Model func(name string) Model
}

// Conditions reads the conditions of fragments: expressions of the template
// language over tools, caps, model, vars, tool() and cap(). It implements
// [cento.Conditions] and is safe for concurrent use.
type Conditions struct {
	env      func() *jinja.Env // made when there is a condition
	vars     jinja.Value
	declared []string
	model    func(string) Model
	// last is the active set asked about last: all conditions of an assembly are
	// asked about one.
	last atomic.Pointer[activeContext]
}

type activeContext struct {
	active cento.Active
	value  jinja.Value
}

// NewConditions returns an engine for conditions over these variables.
func NewConditions(v ConditionVars) *Conditions {
	c := &Conditions{model: v.Model}
	c.env = sync.OnceValue(func() *jinja.Env { return jinja.New(jinja.Options{}) })
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
	expr   *jinja.Expr
	engine *Conditions
	at     cento.Position
}

// Compile reads a condition that begins at the given place. Its errors are of
// the code [InvalidCondition].
func (c *Conditions) Compile(expr string, at cento.Position) (cento.Condition, error) {
	x, err := c.env().ParseExpr(jinja.Source{Name: at.File, Text: expr, Line: at.Line, Column: at.Column})
	if err != nil {
		return nil, conditionError(InvalidCondition, "the condition is not an expression", at, err)
	}
	if err := c.checkNames(x, at); err != nil {
		return nil, err
	}
	return &Condition{expr: x, engine: c, at: at}, nil
}

// checkNames refuses names that can't be read, since they would be wrong for
// every active set.
func (c *Conditions) checkNames(x *jinja.Expr, at cento.Position) error {
	var errs []*cento.SourceError
	unknown := func(line, column int, what, name string, known []string) {
		general := "a condition reads " + strings.Join(known, ", ")
		if len(known) == 0 {
			general = "the manifest declares no vars"
		}
		errs = append(errs, &cento.SourceError{
			Code: InvalidCondition, Position: cento.Position{File: at.File, Line: line, Column: column},
			Message: "the condition reads an unknown " + what + ", " + quote(name),
			Hint:    didYouMean(name, known, general),
		})
	}
	calls := x.Calls()
	for _, call := range calls {
		if call.Name != "tool" && call.Name != "cap" {
			unknown(call.Line, call.Column, "function", call.Name, []string{"tool", "cap"})
		}
	}
	for _, ref := range x.Refs() {
		if slices.ContainsFunc(calls, func(c jinja.CallSite) bool { return c.Name == ref.Path && c.Line == ref.Line && c.Column == ref.Column }) {
			continue // said already, or tool and cap
		}
		member := strings.TrimPrefix(strings.TrimPrefix(ref.Path, ref.Root), ".")
		if i := strings.IndexAny(member, ".["); i >= 0 {
			member = member[:i]
		}
		switch {
		case !slices.Contains(conditionRoots, ref.Root):
			unknown(ref.Line, ref.Column, "name", ref.Root, conditionRoots)
			if slices.Contains(c.declared, ref.Root) {
				errs[len(errs)-1].Hint = "the variables of a project stand below vars: write vars." + ref.Root
			}
		case ref.Root == "vars" && member != "" && !slices.Contains(c.declared, member):
			unknown(ref.Line, ref.Column, "variable", "vars."+member, prefixed("vars.", c.declared))
		case ref.Root == "model" && member != "" && !slices.Contains(modelFields, member):
			unknown(ref.Line, ref.Column, "property", "model."+member, prefixed("model.", modelFields))
		}
	}
	return cento.Join(errs)
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
		return false, conditionError(FailedCondition, "the condition cannot be decided", c.at, err)
	}
	return ok, nil
}

// Names returns the constant names that the condition asks tool() or cap() for,
// sorted.
func (c *Condition) Names(function string) []string {
	var out []string
	for _, call := range c.expr.Calls(function) {
		for _, arg := range call.Args {
			if name, ok := arg.Str(); ok {
				out = append(out, name)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// context makes the engine's variables of an active set, once for all
// conditions that are asked about it.
func (c *Conditions) context(a cento.Active) jinja.Value {
	if last := c.last.Load(); last != nil && last.active.Model == a.Model &&
		slices.Equal(last.active.Tools, a.Tools) && slices.Equal(last.active.Caps, a.Caps) {
		return last.value
	}
	v := Variables{Tools: a.Tools, Caps: a.Caps, Model: Model{Name: a.Model}}
	if c.model != nil && a.Model != "" {
		v.Model = c.model(a.Model)
	}
	var b jinja.MapBuilder
	v.base(&b)
	b.Set("vars", c.vars)
	value := b.Map()
	a.Tools, a.Caps = slices.Clone(a.Tools), slices.Clone(a.Caps)
	c.last.Store(&activeContext{a, value})
	return value
}

func conditionError(code cento.ErrorCode, message string, at cento.Position, err error) *cento.SourceError {
	out := &cento.SourceError{Code: code, Message: message, Position: at, Err: err}
	if e, ok := errors.AsType[*jinja.Error](err); ok {
		out.Err, out.Hint = &said{e}, e.Hint
		if e.Line > 0 {
			out.Position = cento.Position{File: at.File, Line: e.Line, Column: e.Column}
		}
		if e.Nearest != "" {
			out.Hint = "did you mean " + quote(e.Nearest) + "?"
		}
	}
	return out
}
