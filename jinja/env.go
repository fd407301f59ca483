package jinja

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Undefined says what a template may do with a name that does not exist.
type Undefined uint8

const (
	// Strict: only "is defined" and the default filter; all else is an error.
	Strict Undefined = iota
	// SemiStrict: as Strict, but it may be tested and is false.
	SemiStrict
	// Lenient: it prints as nothing, is false and has no items, but has no attributes.
	Lenient
	// Chainable: as Lenient, and its attributes are undefined too.
	Chainable
)

// Func is a function, filter or test of the host. A filter or test finds what it
// is applied to as the first argument. An error it returns stops the rendering
// and becomes the cause of the *Error.
//
// The label of the result is at least the highest label of the arguments, so a
// function can't make its input more trusted.
type Func func(c *Call) (Value, error)

// Options are the properties of an [Env]. The zero Options is usable: strict, no
// loader, the built-in filters, tests and functions.
type Options struct {
	// Loader finds the templates that others include, import or extend.
	Loader Loader
	// Undefined is Strict if not set.
	Undefined Undefined
	// TrimBlocks drops the line end behind a statement or comment.
	TrimBlocks bool
	// LstripBlocks drops the white space between the begin of a line and a
	// statement or comment.
	LstripBlocks bool
	// KeepTrailingNewline keeps the line end at the end of a template, of which
	// one is dropped otherwise.
	KeepTrailingNewline bool
	Limits              Limits
	// Filters, Tests and Functions are added to the built-in ones, and replace
	// those of the same name. The truth of what a test returns is its result.
	Filters, Tests, Functions map[string]Func
	// Globals are values that every template sees, below the context.
	Globals map[string]Value

	// noSpans leaves the origins out, to measure what they cost.
	noSpans bool
}

// Env holds what templates share. It is immutable and safe for concurrent use.
type Env struct {
	opts    Options
	limits  Limits
	filters map[string]*callable
	tests   map[string]*callable
	globals map[string]Value
}

// The names of an environment, sorted: what a mistyped one is compared with.
func (e *Env) globalNames() []string { return slices.Sorted(maps.Keys(e.globals)) }

// meantFilter proposes the filter that was meant by an unknown name, or lists all.
func (e *Env) meantFilter(err *Error, name string) {
	err.meant(name, "filters", slices.Sorted(maps.Keys(e.filters)))
}

// meantTest is meantFilter for tests. Some have signs for names, which only select takes.
func (e *Env) meantTest(err *Error, name string) {
	known := slices.Sorted(maps.Keys(e.tests))
	err.meant(name, "tests", slices.DeleteFunc(known, func(s string) bool { return strings.ContainsAny(s[:1], "<=>!") }))
}

// meant proposes the name that is near to an unknown one. People know filters of other
// engines, which no name is near to, so then all there are is told.
func (e *Error) meant(name, what string, known []string) {
	if e.Nearest = nearest(name, known); e.Nearest == "" {
		e.Hint = "the " + what + " are " + strings.Join(known, ", ")
	}
}

// New returns an environment. It copies the maps of the options.
func New(opts Options) *Env {
	e := &Env{opts: opts, limits: opts.Limits.withDefaults(), globals: make(map[string]Value)}
	e.filters = extend(builtinFilters, opts.Filters)
	e.tests = extend(builtinTests, opts.Tests)
	for name, fn := range builtinFunctions {
		e.globals[name] = Value{kind: KindFunction, ref: &hostFunction{callable: callable{name: name, builtin: fn}}}
	}
	for name, fn := range opts.Functions {
		e.globals[name] = NewFunction(name, fn)
	}
	maps.Copy(e.globals, opts.Globals)
	return e
}

func extend(builtin map[string]*callable, host map[string]Func) map[string]*callable {
	if len(host) == 0 {
		return builtin
	}
	all := maps.Clone(builtin)
	for name, fn := range host {
		all[name] = &callable{name: name, host: fn}
	}
	return all
}

// Template is a parsed template. It is immutable and safe for concurrent use.
type Template struct {
	env *Env
	src Source
	program
	places places
	graph  *graph // nil unless loaded with all that it names
}

// Parse reads a template. It loads nothing: templates that it includes are
// looked for when it renders. See [Env.Load] to have them read at once.
// The error is an *Error of a syntax kind, or a limit.
func (e *Env) Parse(src Source) (*Template, error) {
	t := &Template{env: e, src: src}
	if err := t.parse(false); err != nil {
		return nil, err
	}
	return t, nil
}

// checkSource refuses what could not be shown in an error.
func checkSource(t *Template) error {
	text := t.src.Text
	if limit := t.env.limits.Source; len(text) > limit {
		return &Error{Kind: ErrSourceSize, Template: t.src.Name, Message: "template has " + itoa(len(text)) + " bytes, the limit is " + itoa(limit)}
	}
	if !utf8.ValidString(text) {
		for i, r := range text {
			if r == utf8.RuneError && !strings.HasPrefix(text[i:], "\uFFFD") {
				return t.failure(ErrEncoding, uint32(i), uint32(i+1), "template is not UTF-8")
			}
		}
	}
	if i := strings.IndexByte(text, 0); i >= 0 {
		return t.failure(ErrEncoding, uint32(i), uint32(i+1), "template holds a NUL byte")
	}
	return nil
}

func itoa(n int) string { return strconv.Itoa(n) }
