package pack

import (
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/jinja"
)

// Variables are what a prompt file can read. Scope and project instructions
// are not among them: the program places those itself, so that no file can drop
// or fake them.
type Variables struct {
	// Now is read as date, time and datetime, in its own time zone. Where it is
	// zero, reading one of them is an error.
	Now time.Time
	// Cwd is the working folder. Where it is empty, reading it is an error.
	Cwd string
	// Tools and Caps are the active ones, in any order.
	Tools []string
	Caps  []string
	Model Model
	// ModelRequired makes reading the model an error where none is named; else its
	// texts are empty then, its numbers 0, and nothing is true of it.
	ModelRequired bool
	// AgentName is whom the agent is told to be; blank means
	// "an AI coding assistant".
	AgentName cento.Text
	// Vars is a map of what the user set, each value with its trust.
	Vars jinja.Value

	// shared is context of Vars, made once for all files that are rendered with these
	// variables; nil: each makes its own.
	shared func() jinja.Value
}

// once has these variables made for the engine once, for whoever renders many files.
func (v Variables) once() Variables {
	own := v
	v.shared = sync.OnceValue(func() jinja.Value { return own.context(own.Vars) })
	return v
}

// with is the context with other values of vars; same: they are those of Vars.
func (v Variables) with(vars jinja.Value, same bool) jinja.Value {
	switch {
	case v.shared == nil:
		return v.context(vars)
	case same:
		return v.shared()
	}
	var b jinja.MapBuilder
	for key, value := range v.shared().Entries() {
		b.Set(key.String(), value)
	}
	return b.Set("vars", vars).Map()
}

// clockNames are the variables that need a clock.
var clockNames = []string{"date", "time", "datetime"}

// madeBy is who made a span where its trust doesn't say: the day and what is known of the
// model have that of the host, and nobody handed them over. The model's name was.
func madeBy(s jinja.Span) cento.Maker {
	known := strings.HasPrefix(s.Var, "model.") && s.Var != "model.name"
	if trustOf(s.Trust) == cento.TrustHost && (known || slices.Contains(clockNames, s.Var)) {
		return cento.ByProgram
	}
	return 0
}

// context makes the engine's variables. The working folder's name and the
// capabilities can come from the project, so they count as its data.
func (v Variables) context(vars jinja.Value) jinja.Value {
	var b jinja.MapBuilder
	v.base(&b)
	if !v.Now.IsZero() {
		host := label(cento.TrustHost)
		b.Set("date", jinja.String(v.Now.Format(time.DateOnly), host))
		b.Set("time", jinja.String(v.Now.Format(time.TimeOnly), host))
		b.Set("datetime", jinja.String(v.Now.Format(time.RFC3339), host))
	}
	if v.Cwd != "" {
		b.Set("cwd", jinja.String(oneLine(v.Cwd, maxPath), label(cento.TrustWorkspace)))
	}
	b.Set("agent", agentValue(v.AgentName))
	b.Set("vars", vars)
	return b.Map()
}

// base sets what prompt files and conditions share.
func (v Variables) base(b *jinja.MapBuilder) {
	v.active(b)
	if v.Model.Name != "" || !v.ModelRequired {
		b.Set("model", v.Model.value())
	}
}

// active sets what the active set decides.
func (v Variables) active(b *jinja.MapBuilder) {
	tools, caps := sorted(v.Tools), sorted(v.Caps)
	b.Set("tools", texts(tools, label(cento.TrustTool)))
	b.Set("caps", texts(caps, label(cento.TrustWorkspace)))
	b.Set("tool", membership("tool", tools))
	b.Set("cap", membership("cap", caps))
}

func agentValue(name cento.Text) jinja.Value {
	name = named(agentName(name))
	var b jinja.MapBuilder
	return b.Set("name", jinja.String(name.Body, leastTrusted(name))).Map()
}

func sorted(names []string) []string {
	out := slices.Clone(names)
	slices.Sort(out)
	return slices.Compact(out)
}

func texts(list []string, l jinja.Trust) jinja.Value {
	values := make([]jinja.Value, len(list))
	for i, s := range list {
		values[i] = jinja.String(oneLine(s, maxName), l)
	}
	return jinja.List(values...)
}

// membership is the function that tells whether a name is among those given,
// which are sorted.
func membership(function string, names []string) jinja.Value {
	return jinja.NewFunction(function, func(c *jinja.Call) (jinja.Value, error) {
		args := c.Args()
		if len(args) != 1 || len(c.Keywords()) > 0 {
			return jinja.Value{}, wrongCall{function: function}
		}
		name, ok := args[0].Str()
		if !ok {
			return jinja.Value{}, wrongCall{function, args[0].IsUndefined()}
		}
		_, found := slices.BinarySearch(names, name)
		return jinja.Bool(found), nil
	})
}

// wrongCall is the error of a function that was not called with one name.
type wrongCall struct {
	function  string
	undefined bool // what it was called with
}

func (w wrongCall) Error() string {
	why := ""
	if w.undefined {
		why = ": what stands there is undefined, and a name stands between quotes"
	}
	return "takes one name, as in " + w.function + "('x')" + why
}

// is reports whether a value is of the type.
func (t VarType) is(v jinja.Value) bool {
	switch t {
	case StringType:
		return v.Kind() == jinja.KindString
	case IntType:
		return v.Kind() == jinja.KindInt
	case FloatType:
		return v.Kind() == jinja.KindInt || v.Kind() == jinja.KindFloat
	case BoolType:
		return v.Kind() == jinja.KindBool
	case ListType:
		return v.Kind() == jinja.KindList
	case MapType:
		return v.Kind() == jinja.KindMap
	}
	return true
}
