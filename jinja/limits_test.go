package jinja

import (
	"errors"
	"strings"
	"testing"
)

// Each limit lets in what is just as large, and nothing larger.
func TestLimitsToTheByte(t *testing.T) {
	const output = 9 << 20 // more than what a rendering keeps for the next one
	env := New(Options{Limits: Limits{Output: output, Value: 2 * output}})
	for n, want := range map[int]bool{output: true, output + 1: false} {
		o, err := mustParse(t, env, "{{ s }}").Render(new(MapBuilder).Set("s", String(strings.Repeat("x", n), 0)).Map())
		if (err == nil) != want || err == nil && len(o.Bytes()) != n || err != nil && !errors.Is(err, ErrOutputSize) {
			t.Errorf("%d bytes of output, of %d: %v", n, output, err)
		}
	}
	files := MapLoader{"root2": "{% include 'a' %}{% include 'b' %}{% include 'a' %}", "root3": "{% include 'a' %}{% include 'b' %}{% include 'c' %}", "a": "a", "b": "b", "c": "c"}
	env = New(Options{Loader: files, Limits: Limits{Includes: 2}})
	for name, want := range map[string]bool{"root2": true, "root3": false} {
		if _, err := env.Load(name); (err == nil) != want || err != nil && !errors.Is(err, ErrIncludes) {
			t.Errorf("%s, of 2 templates: %v", name, err)
		}
	}
	const paths = 50 // among them none at all, and that of the list
	env = New(Options{Limits: Limits{Memory: 3 * stepSize * paths}})
	for n, want := range map[int]bool{paths - 2: true, paths - 1: false} {
		items := make([]Value, n)
		for i := range items {
			items[i] = String("x", 0)
		}
		_, err := mustParse(t, env, "{% for x in l %}{{ x }}{% endfor %}").Render(new(MapBuilder).Set("l", List(items...)).Map())
		if (err == nil) != want || err != nil && !errors.Is(err, ErrValueSize) {
			t.Errorf("%d values of a list, of %d paths: %v", n, paths, err)
		}
	}
	nested := func(depth int) Value {
		v := List()
		for range depth - 1 {
			v = List(v)
		}
		return v
	}
	if v := nested(100); v.Kind() != KindList {
		t.Errorf("a list that nests 100 deep is %s", v.Kind())
	}
	if v := nested(101); v.Kind() != KindUndefined {
		t.Errorf("a list that nests 101 deep is %s", v.Kind())
	}
}

// TestPartsKeepToTheLimit: an output consists of as many parts as its share of the memory has
// room for and of no more, whether they are written one by one or come with a value that has
// them already.
func TestPartsKeepToTheLimit(t *testing.T) {
	const parts = 90 // more than what there is room for at first
	env := New(Options{Limits: Limits{Memory: 3 * spanSize * parts}})
	for text, each := range map[string]int{
		"{% for i in range(n) %}{{ i }},{% endfor %}": 2,
		"{% set x %}{% for i in range(5) %}{{ i }},{% endfor %}{% endset %}" + "{% for i in range(n) %}{{ x }}{% endfor %}": 10,
	} {
		for n, want := range map[int]bool{parts / each: true, parts/each + 1: false} {
			o, err := mustParse(t, env, text).Render(new(MapBuilder).Set("n", Int(int64(n))).Map())
			if (err == nil) != want || err != nil && !errors.Is(err, ErrValueSize) {
				t.Errorf("%d parts of %d: %v", n*each, parts, err)
			}
			if err == nil && len(o.spans) != parts {
				t.Errorf("%d parts became %d", parts, len(o.spans))
			}
		}
	}
}

// What a loop's body sets is gone with the next item.
func TestLoopsForget(t *testing.T) {
	const text = "{% for i in [1, 2, 3] %}{% if i == 1 %}{% set x = i %}{% endif %}{{ x is defined }} {% endfor %}{{ x is defined }}"
	o, err := mustParse(t, New(Options{}), text).Render(Value{})
	if err != nil || o.Text() != "True False False False" {
		t.Errorf("%v, %v", o, err)
	}
}

// A value names the variable that it came from wherever it is handed to: by a default,
// by the macro of another template, by a filtered loop.
func TestValuesKeepTheirNames(t *testing.T) {
	lib := "{% set other = 1 %}{% macro show(y) %}{{ y }}{% endmacro %}{% macro shown(y=a.b.c) %}{{ y }}{% endmacro %}"
	env := New(Options{Loader: MapLoader{"lib": lib}})
	inner := new(MapBuilder).Set("c", String("text", 3)).Map()
	ctx := new(MapBuilder).Set("a", new(MapBuilder).Set("b", inner).Set("l", List(String("skipped", 3), String("text", 3))).Map()).Map()
	for text, want := range map[string]string{
		"{% import 'lib' as lib %}{% macro m(x=a.b.c) %}{{ lib.show(x) }}{% endmacro %}{{ m() }}": "a.b.c",
		"{% import 'lib' as lib %}{{ lib.show(a.b.c) }}":                                          "a.b.c",
		"{% import 'lib' as lib with context %}{{ lib.shown() }}":                                 "a.b.c",
		"{% macro m(x=a.b.c) %}{% set y = x %}{{ y }}{% endmacro %}{{ m() }}":                     "a.b.c",
		"{% for x in a.l if x != 'skipped' %}{{ x }}{% endfor %}":                                 "a.l[1]",
	} {
		tmpl, err := env.LoadSource(Source{Name: "t", Text: text})
		if err != nil {
			t.Fatal(err)
		}
		o, err := tmpl.Render(ctx)
		if err != nil || o.Text() != "text" {
			t.Errorf("%s: %v, %v", text, o, err)
			continue
		}
		for s := range o.All() {
			if s.Var != want || s.Trust != 3 {
				t.Errorf("%s: names %q with trust %d, want %q", text, s.Var, s.Trust, want)
			}
		}
	}
}

// TestFinishedRunsHoldNothing: what a rendering keeps for the next one holds no value and no
// file of it, and the arguments of a call are gone from the stack when it ends.
func TestFinishedRunsHoldNothing(t *testing.T) {
	r := &run{argv: []Value{String("a", 0), Int(1)}, kwargs: []keyword{{name: "k", v: Int(2)}, {name: "l", v: Int(3)}}, stack: []Value{Int(4)}, ncalls: 1}
	r.endCall(&Call{args: r.argv[1:], kw: r.kwargs[1:]})
	if len(r.argv) != 1 || len(r.kwargs) != 1 || r.ncalls != 0 {
		t.Errorf("after a call there are %d arguments, %d named ones, %d calls", len(r.argv), len(r.kwargs), r.ncalls)
	}
	argv, kwargs, stack := r.argv[:2], r.kwargs[:2], r.stack[:1]
	r.release()
	for _, v := range append(append([]Value{}, argv...), stack...) {
		if !v.IsUndefined() {
			t.Errorf("a finished run holds %v", v)
		}
	}
	for _, k := range kwargs {
		if k.name != "" || !k.v.IsUndefined() {
			t.Errorf("a finished run holds %s=%v", k.name, k.v)
		}
	}
}

// TestNamesOfKinds: errors name each kind of value by a word of its own.
func TestNamesOfKinds(t *testing.T) {
	for kind, want := range map[Kind]string{
		kindUnset: "undefined", KindUndefined: "undefined", KindNone: "none", KindBool: "bool", KindInt: "int", KindFloat: "float", KindString: "string",
		KindList: "list", KindMap: "map", KindFunction: "function", kindNamespace: "namespace", kindObject: "object",
	} {
		if got := kind.String(); got != want {
			t.Errorf("kind %d is %q, want %q", kind, got, want)
		}
	}
}
