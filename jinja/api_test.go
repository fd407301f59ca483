package jinja

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
)

func mustParse(t testing.TB, env *Env, text string) *Template {
	t.Helper()
	tmpl, err := env.Parse(Source{Name: "t.md", Text: text})
	if err != nil {
		t.Fatal(err)
	}
	return tmpl
}

func TestSourceWithinAFile(t *testing.T) {
	env := New(Options{})
	front := "---\ntitle: x\n---\n"
	src := Source{Name: "f.md", Text: "Hi {{ name }}\n{{ nope }}", Line: 4, Offset: len(front)}
	tmpl, err := env.Parse(src)
	if err != nil {
		t.Fatal(err)
	}
	_, err = tmpl.Render(new(MapBuilder).Set("name", String("Ann", 2)).Map())
	var e *Error
	if !errors.As(err, &e) || e.Line != 5 || e.Column != 4 || e.Start != len(front)+17 || e.End != e.Start+4 {
		t.Fatalf("got %+v", err)
	}
	src.Text = "Hi {{ name }}"
	tmpl, _ = env.Parse(src)
	o, err := tmpl.Render(new(MapBuilder).Set("name", String("Ann", 2)).Map())
	if err != nil {
		t.Fatal(err)
	}
	if s, ok := o.SpanAt(4); !ok || s.Line != 4 || s.Column != 7 || s.Offset != len(front)+6 || s.Var != "name" || s.Trust != 2 || s.Kind != Data {
		t.Fatalf("got %+v", s)
	}
	if _, ok := o.SpanAt(6); ok {
		t.Fatal("found a span behind the end")
	}
	inline, err := env.Parse(Source{Name: "m.yaml", Text: "{{ a +", Line: 7, Column: 9, Offset: 100})
	if !errors.As(err, &e) || e.Error() != "m.yaml:7:9: expression is not closed, expected '}}'" || inline != nil || e.Start != 100 {
		t.Fatalf("got %v", err)
	}
	if !strings.Contains(e.Detail(), "\n    |         ^^\n") {
		t.Errorf("caret is off:\n%s", e.Detail())
	}
}

func TestQuestions(t *testing.T) {
	env := New(Options{Functions: map[string]Func{"tool": hostFunctions["tool"]}})
	tmpl := mustParse(t, env, `{% include "a" %}{% include ["b", "c"] ignore missing %}{% include dyn %}{% from "lib" import m %}
{% set local = vars.mode %}{% for t in tools %}{{ t.name }}{{ loop.index }}{{ vars["odd key"].x }}{{ local.y }}{% endfor %}
{% if tool('grep') and not tool(vars.t, 1) %}{{ items[0].title|default(other) }}{% endif %}{% macro f(a) %}{{ a }}{{ free }}{% endmacro %}{{ f(user.name) }}{{ unknown(1) }}`)
	if got, want := tmpl.Undeclared(), []string{"dyn", "free", "items", "other", "tools", "unknown", "user", "vars"}; !slices.Equal(got, want) {
		t.Errorf("undeclared %v, want %v", got, want)
	}
	var paths []string
	for _, r := range tmpl.Refs() {
		paths = append(paths, fmt.Sprintf("%s@%d:%d", r.Path, r.Line, r.Column))
	}
	want := []string{"dyn@1:68", "vars.mode@2:16", "tools@2:40", `vars["odd key"].x@2:79`, "vars.t@3:33", "items[0].title@3:49", "other@3:72", "free@3:118", "user.name@3:144", "unknown@3:160"}
	if !slices.Equal(paths, want) {
		t.Errorf("refs\n%q, want\n%q", paths, want)
	}
	var tested []string
	for _, r := range mustParse(t, env, `{% if tool %}{% elif a.b %}{% endif %}{{ not c or d and e }}{{ f if g }}{% for x in h if x or i %}{{ x if j }}{% endfor %}
{% set k = 1 %}{{ k and l is defined and m("n") and o == p }}{% if q|length %}{% endif %}`).Tested() {
		tested = append(tested, fmt.Sprintf("%s@%d:%d", r.Path, r.Line, r.Column))
	}
	if got, want := tested, []string{"tool@1:7", "a.b@1:22", "c@1:46", "d@1:51", "e@1:57", "g@1:69", "i@1:95", "j@1:107"}; !slices.Equal(got, want) {
		t.Errorf("tested\n%q, want\n%q", got, want)
	}
	var texts []string
	used := mustParse(t, env, `{{ a }}{{ b.c if d else e }}{{ 'x' ~ f ~ 1 }}{{ g|upper }}{{ h() }}{% for x in i %}{{ x }}{% endfor %}{{ j == k }}
{% if l == 'x' != m or n in ['y', 'z'] or o not in ('w',) or p < 'x' or q in 'x' or r == ['x'] or s in ['x', ['x']] or 't' in t or u in [] %}{% endif %}`)
	for _, u := range used.TextUses() {
		texts = append(texts, fmt.Sprintf("%s@%d:%d %v %s", u.Path, u.Line, u.Column, u.Compared, u.Text))
	}
	if got, want := strings.Join(texts, "; "), "a@1:4 false ; b.c@1:11 false ; e@1:25 false ; f@1:38 false ; l@2:7 true x; m@2:19 true x; n@2:24 true y; o@2:43 true w"; got != want {
		t.Errorf("texts\n%s, want\n%s", got, want)
	}
	if !used.Binds("x") || used.Binds("i") {
		t.Error("x is bound, and i isn't")
	}
	var calls []string
	for _, c := range tmpl.Calls("tool") {
		calls = append(calls, fmt.Sprint(c.Line, c.Args, c.Args[0].IsUndefined()))
	}
	if got := strings.Join(calls, "; "); got != "3 [grep] false; 3 [ 1] true" {
		t.Errorf("calls %q", got)
	}
	if n := len(tmpl.Calls()); n != 3 {
		t.Errorf("%d calls", n)
	}
	var includes []string
	for _, i := range tmpl.Includes() {
		includes = append(includes, fmt.Sprint(i.Kind, i.Names, i.IgnoreMissing, i.Line, i.Column))
	}
	if got := strings.Join(includes, "; "); got != "include[a] false 1 1; include[b c] true 1 18; include[] false 1 57; import[lib] false 1 74" {
		t.Errorf("includes %q", got)
	}
}

// TestFromSortsMaps: a map of Go has no order, and what a template goes over has one.
func TestFromSortsMaps(t *testing.T) {
	values := map[string]any{}
	for c := 'a'; c <= 'z'; c++ {
		values[string(c)] = map[string]any{"z" + string(c): 1, "a" + string(c): 2, "m" + string(c): 3}
	}
	ctx, err := From(map[string]any{"h": values}, 0)
	if err != nil {
		t.Fatal(err)
	}
	x, err := New(Options{}).ParseExpr(Source{Name: "x.md", Text: "h|map('upper')|join ~ ' ' ~ h.k|list|join(',')", Line: 1})
	if err != nil {
		t.Fatal(err)
	}
	v, err := x.Eval(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := v.String(), "ABCDEFGHIJKLMNOPQRSTUVWXYZ ak,mk,zk"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestExpr(t *testing.T) {
	env := New(Options{Functions: map[string]Func{"cap": func(c *Call) (Value, error) {
		s, _ := c.Args()[0].Str()
		return Bool(s == "interactive"), nil
	}}})
	ctx, err := From(map[string]any{"vars": map[string]any{"mode": "plan", "n": 2}, "tools": []string{"ask"}}, 3)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"vars.mode in ['plan', 'review']":          "True",
		"not cap('interactive') or 'ask' in tools": "True",
		"vars.n * 21":             "42",
		"vars.mode ~ '!'":         "plan!",
		"tools|map('upper')|list": `['ASK']`,
		"{'a': tools}":            `{'a': ['ask']}`,
		"range":                   "<function range>",
		"none":                    "None",
		"vars.mode if false":      "",
		"1 +":                     "x.md:9:4: unexpected end of expression, expected an expression",
		"vars.mod == 'plan'":      "x.md:9:6: undefined attribute 'mod'; nearest is \"mode\"",
		"a }}":                    "x.md:9:3: unexpected '}', expected end of expression",
		"cap('x') and undefined_name and true == 1": "False",
	} {
		x, err := env.ParseExpr(Source{Name: "x.md", Text: text, Line: 9})
		var v Value
		if err == nil {
			v, err = x.Eval(ctx)
		}
		got := v.String()
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
		if err == nil && !strings.Contains(text, "range") && strings.Contains(text, "vars.mode ~") && v.Trust() != 3 {
			t.Errorf("%s: trust %d", text, v.Trust())
		}
	}
	x, err := env.ParseExpr(Source{Name: "x", Text: "cap('a') and vars.mode == tools[0]"})
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(x.Undeclared(), len(x.Calls("cap")), len(x.Refs()), x.canonical()); got != `[tools vars] 1 2((cap)("a")) and (((vars).mode) == ((tools)[0]))` {
		t.Error(got)
	}
	if ok, err := x.Test(ctx); ok || err != nil {
		t.Error(ok, err)
	}
}

func TestLoad(t *testing.T) {
	cause := errors.New("disk on fire")
	load := loaderFunc(func(name, from string) (Source, error) {
		switch name {
		case "root":
			return Source{Name: "root.md", Text: "{% include 'part' %}{% include 'missing' ignore missing %}{{ x }}", Trust: 2}, nil
		case "part":
			return Source{Name: "dir/part.md", Text: "[{% include 'sibling' %}]"}, nil
		case "sibling":
			if from != "dir/part.md" {
				return Source{}, errors.New("asked from " + from)
			}
			return Source{Name: "dir/sibling.md", Text: "s"}, nil
		case "broken":
			return Source{}, cause
		}
		return Source{}, fmt.Errorf("no %q here: %w", name, ErrNotFound)
	})
	env := New(Options{Loader: load})
	tmpl, err := env.Load("root")
	if err != nil {
		t.Fatal(err)
	}
	o, err := tmpl.Render(new(MapBuilder).Set("x", Int(1)).Map())
	if err != nil || o.Text() != "[s]1" {
		t.Fatalf("%q %v", o.Text(), err)
	}
	if _, err = env.Load("broken"); !errors.Is(err, cause) || !errors.Is(err, ErrLoad) {
		t.Errorf("got %v", err)
	}
	if _, err = env.Load("nope"); !errors.Is(err, ErrNotFound) || err.Error() != `no "nope" here: template not found` {
		t.Errorf("got %v", err)
	}
	if _, err := env.LoadSource(Source{Name: "m", Text: "\n{% include 'broken' ignore missing %}"}); !errors.Is(err, cause) || !strings.HasPrefix(err.Error(), "m:2:12: ") {
		t.Errorf("got %v", err)
	}
	cyclic := MapLoader{"a": "{% include 'b' %}", "b": "{% extends 'c' %}", "c": "{% import 'a' as a %}"}
	if _, err := New(Options{Loader: cyclic}).Load("a"); !errors.Is(err, ErrCycle) || err.Error() != "c:1:11: templates form a cycle: a → b → c → a" {
		t.Errorf("got %v", err)
	}
	deep := MapLoader{}
	for i := range 50 {
		deep[itoa(i)] = "{% include '" + itoa(i+1) + "' %}"
	}
	if _, err := New(Options{Loader: deep}).Load("0"); !errors.Is(err, ErrDepth) {
		t.Errorf("got %v", err)
	}
	recursive := MapLoader{"a": "{% include name %}"}
	tmpl, err = New(Options{Loader: recursive}).Load("a")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tmpl.Render(new(MapBuilder).Set("name", String("a", 0)).Map()); !errors.Is(err, ErrDepth) {
		t.Errorf("got %v", err)
	}
}

type loaderFunc func(name, from string) (Source, error)

func (f loaderFunc) Load(name, from string) (Source, error) { return f(name, from) }

// Each limit holds at its value and fails one beyond.
func TestLimits(t *testing.T) {
	run := func(l Limits, text string) error {
		tmpl, err := New(Options{Limits: l, Loader: MapLoader{"e": ""}}).Parse(Source{Name: "t", Text: text})
		if err == nil {
			_, err = tmpl.Render(None())
		}
		return err
	}
	o, err := mustParse(t, New(Options{}), "{% for i in range(10) %}{{ i }}{% endfor %}").Render(None())
	if err != nil {
		t.Fatal(err)
	}
	fuel := o.FuelUsed()
	for _, c := range []struct {
		kind ErrorKind
		text string
		max  int
		set  func(*Limits, int)
	}{
		{ErrFuel, "{% for i in range(10) %}{{ i }}{% endfor %}", fuel, func(l *Limits, n int) { l.Fuel = n }},
		{ErrOutputSize, "0123456789", 10, func(l *Limits, n int) { l.Output = n }},
		{ErrValueSize, "{{ ('a' * 50)|length }}", 50, func(l *Limits, n int) { l.Value = n }},
		{ErrValueSize, "{{ [1] * 10 == 1 }}", 10 * valueSize, func(l *Limits, n int) { l.Memory = n }},
		{ErrSourceSize, "0123456789", 10, func(l *Limits, n int) { l.Source = n }},
		{ErrIncludes, "{% include 'e' %}{% include 'e' %}", 2, func(l *Limits, n int) { l.Includes = n }},
		{ErrNesting, "{{ ((1)) }}", 6, func(l *Limits, n int) { l.Nesting = n }},
		{ErrDepth, "{% include 'e' %}", 1, func(l *Limits, n int) { l.Depth = n }},
	} {
		var at, above Limits
		c.set(&at, c.max)
		if err := run(at, c.text); err != nil {
			t.Errorf("%s at the limit %d: %v", c.kind, c.max, err)
		}
		if c.max == 1 {
			continue
		}
		c.set(&above, c.max-1)
		if err := run(above, c.text); !errors.Is(err, c.kind) {
			t.Errorf("%s beyond the limit %d: %v", c.kind, c.max-1, err)
		}
	}
}

func TestValues(t *testing.T) {
	v, err := FromJSON([]byte(`{"b": [1, 2.5, null, true, "x"], "a": {"n": 9223372036854775808}}`), 3)
	if err != nil || v.String() != `{'b': [1, 2.5, None, True, 'x'], 'a': {'n': 9.223372036854776e+18}}` || v.Trust() != 3 || v.Get("b").Index(4).Trust() != 3 {
		t.Errorf("%v %v", v, err)
	}
	for _, bad := range []string{``, `{`, `{"a": 1, "a": 2}`, `[1] x`, `nope`, strings.Repeat("[", 200), `1e999`} {
		if _, err := FromJSON([]byte(bad), 0); !errors.Is(err, ErrData) {
			t.Errorf("%.20s: got %v", bad, err)
		}
	}
	if _, err := From(struct{}{}, 0); !errors.Is(err, ErrData) {
		t.Errorf("got %v", err)
	}
	if s, _ := String("a\xffb", 1).Str(); s != "a\uFFFDb" {
		t.Errorf("got %q", s)
	}
	list := List(String("a", 1), String("b", 4))
	if list.Trust() != 4 || list.WithTrust(2).Index(0).Trust() != 2 || list.Len() != 2 || list.Index(9).Kind() != KindUndefined {
		t.Errorf("%+v", list)
	}
	var deep Value = Int(1)
	for range 150 {
		deep = List(deep)
	}
	if deep.depth() > maxDepth {
		t.Error("a list nests too deep")
	}
}

// TestNumbersOfValues: what a value is as a bool, an int or a float is told with whether it is
// one; an int is a float too, and a bool is neither.
func TestNumbersOfValues(t *testing.T) {
	for _, c := range []struct {
		v               Value
		b, isBool       bool
		n               int64
		isInt           bool
		f               float64
		isNumber, unset bool
	}{
		{v: Int(-7), n: -7, isInt: true, f: -7, isNumber: true}, {v: Int(0), isInt: true, isNumber: true}, {v: Float(2.5), f: 2.5, isNumber: true},
		{v: Bool(true), b: true, isBool: true}, {v: Bool(false), isBool: true}, {v: String("7", 0)}, {v: List(Int(7))}, {v: None()}, {v: Value{}, unset: true},
	} {
		if n, ok := c.v.Int(); n != c.n || ok != c.isInt {
			t.Errorf("%v as an int is %d, %t", c.v, n, ok)
		}
		if f, ok := c.v.Float(); f != c.f || ok != c.isNumber {
			t.Errorf("%v as a float is %v, %t", c.v, f, ok)
		}
		if b, ok := c.v.Bool(); ok != c.isBool || ok && b != c.b {
			t.Errorf("%v as a bool is %t, %t", c.v, b, ok)
		}
		if c.v.IsUndefined() != c.unset {
			t.Errorf("%v is undefined: %t", c.v, c.v.IsUndefined())
		}
	}
}

func (v Value) depth() int { return int(depthOf(&v)) }

type hostType struct{ Secret string }

func (hostType) Leak() string { return "leak" }

// Nothing of a Go value is reachable but what the host converted.
func TestNoReflection(t *testing.T) {
	if _, err := From(map[string]any{"h": hostType{"s"}}, 0); !errors.Is(err, ErrData) {
		t.Errorf("got %v", err)
	}
	env := New(Options{Functions: map[string]Func{"f": func(c *Call) (Value, error) { return None(), nil }}})
	for _, text := range []string{"{{ f.host }}", "{{ f.callable }}", "{{ range.builtin }}", "{{ [].items }}", "{{ ''.__class__ }}", "{{ self.inst }}", "{{ f.__globals__ }}"} {
		if _, err := mustParse(t, env, text).Render(None()); !errors.Is(err, ErrUndefined) {
			t.Errorf("%s: got %v", text, err)
		}
	}
}

func TestHostFunctions(t *testing.T) {
	boom := errors.New("boom")
	env := New(Options{
		Filters: map[string]Func{"shout": func(c *Call) (Value, error) {
			s, _ := c.Args()[0].Str()
			mark, _ := c.Keyword("mark")
			return String(s+mark.String(), 0), nil
		}},
		Tests:     map[string]Func{"short": func(c *Call) (Value, error) { return Bool(c.Args()[0].Len() < 3), nil }},
		Functions: map[string]Func{"fail": func(c *Call) (Value, error) { return None(), boom }},
		Globals:   map[string]Value{"product": String("P", 7)},
	})
	o, err := mustParse(t, env, "{{ x|shout(mark='!') }}{{ x is short }}{{ product }}").Render(new(MapBuilder).Set("x", String("ab", 6)).Map())
	if err != nil || o.Text() != "ab!TrueP" {
		t.Fatalf("%v %v", o, err)
	}
	if s, _ := o.SpanAt(2); s.Trust != 6 || s.Kind != Computed {
		t.Errorf("%+v", s)
	}
	if s, _ := o.SpanAt(7); s.Trust != 7 || s.Var != "product" {
		t.Errorf("%+v", s)
	}
	if _, err = mustParse(t, env, "\n{{ fail() }}").Render(None()); !errors.Is(err, boom) || !errors.Is(err, ErrHost) || err.Error() != "t.md:2:4: fail: boom" {
		t.Errorf("got %v", err)
	}
}

func TestConcurrentRendering(t *testing.T) {
	tmpl, ctx := loadWorkload(t, "T2", Options{})
	want, err := tmpl.Render(ctx)
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 5 {
				o, err := tmpl.Render(ctx)
				if err != nil || o.Text() != want.Text() || describeSpans(o) != describeSpans(want) {
					t.Errorf("a concurrent rendering differs: %v", err)
				}
			}
		})
	}
	wg.Wait()
}
