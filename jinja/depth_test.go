package jinja

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// deepest finds how deep something may be, and holds that one more fails as the kind says.
func deepest(t *testing.T, kind ErrorKind, fails func(n int) error) int {
	t.Helper()
	n := 0
	for ; n < 1000; n++ {
		if err := fails(n + 1); err != nil {
			if !errors.Is(err, kind) {
				t.Fatalf("at %d: %v", n+1, err)
			}
			return n
		}
	}
	t.Fatalf("no bound up to %d", n)
	return 0
}

// sameDepth: behind a text of a template, as behind none, n is the deepest.
func sameDepth(t *testing.T, before string, n int, kind ErrorKind, fails func(before string, n int) error) {
	t.Helper()
	if err := fails(before, n); err != nil {
		t.Errorf("behind %.60q, %d deep: %v", before, n, err)
	}
	if err := fails(before, n+1); !errors.Is(err, kind) {
		t.Errorf("behind %.60q, %d deep: %v, want that it is too deep", before, n+1, err)
	}
}

// nestings are the forms that nest in the text of a template, around the dots.
var nestings = []string{
	"{{ (…) }}", "{{ [[…]] }}", "{{ {'a': …} }}", "{{ not … }}", "{{ -… }}", "{{ +… }}", "{{ a[…] }}", "{{ a[1:…] }}", "{{ f(…) }}", "{{ f(x=…) }}", "{{ f(*…) }}", "{{ 1|d(…) }}", "{{ 1 is eq(…) }}",
	"{{ 1 if … }}", "{{ 1 if 2 else … }}", "{{ (1, …) }}", "{{ 2 ** … }}", "{% if … %}{% elif … %}{% else %}{% endif %}", "{% for x in … %}{% endfor %}", "{% for x in (…) if … %}{% else %}{% endfor %}",
	"{% for x, (y, (z, u)) in … recursive %}{% endfor %}", "{% set x = … %}", "{% set x, (y, z) = … %}", "{% set x %}{% endset %}", "{% with x = … %}{% endwith %}", "{% filter d(…) %}{% endfilter %}",
	"{% call f(…) %}{% endcall %}", "{% call(x) f(…) %}{% endcall %}", "{% do f(…) %}", "{% include … ignore missing %}", "{% autoescape … %}{% endautoescape %}", "{% raw %}…{% endraw %}", "{# … #}",
}

// What is closed counts no more: behind however many forms of one kind the text of a
// template may nest as deep as in front of them, and no deeper.
func TestClosedFormsAreNotDeep(t *testing.T) {
	env := New(Options{Limits: Limits{Nesting: 20}})
	parse := func(before string, n int) error {
		_, err := env.Parse(Source{Name: "t", Text: before + "{{ " + strings.Repeat("(", n) + "1" + strings.Repeat(")", n) + " }}"})
		return err
	}
	n := deepest(t, ErrNesting, func(n int) error { return parse("", n) })
	forms := append([]string{"{% macro m(x=…) %}{% endmacro %}", "{% block b %}{% endblock %}"}, nestings...)
	for _, form := range forms {
		var before strings.Builder
		for i := range 50 {
			text := strings.NewReplacer("…", "[1]", " m(", fmt.Sprintf(" m%d(", i), "block b", fmt.Sprint("block b", i)).Replace(form)
			before.WriteString(text)
		}
		sameDepth(t, before.String(), n, ErrNesting, parse)
	}
}

// No form nests deeper than the limit, the same within the same or around another one, in
// an expression and in a statement.
func TestFormsNestToTheLimit(t *testing.T) {
	const limit = 20
	env := New(Options{Limits: Limits{Nesting: limit}})
	for _, form := range nestings {
		if !strings.HasPrefix(form, "{{") {
			continue
		}
		open, end, _ := strings.Cut(strings.TrimSuffix(strings.TrimPrefix(form, "{{ "), " }}"), "…")
		n := deepest(t, ErrNesting, func(n int) error {
			_, err := env.Parse(Source{Name: "t", Text: "{{ " + strings.Repeat(open, n) + "1" + strings.Repeat(end, n) + " }}"})
			return err
		})
		if n < 2 || n > 2*limit {
			t.Errorf("%s nests %d deep, of %d", form, n, limit)
		}
	}
	for open, end := range map[string]string{
		"{% if 1 %}": "{% endif %}", "{% if 1 %}{% else %}": "{% endif %}", "{% for x in 1 %}": "{% endfor %}", "{% for x in 1 %}{% else %}": "{% endfor %}", "{% set x %}": "{% endset %}",
		"{% with %}": "{% endwith %}", "{% filter d %}": "{% endfilter %}", "{% call f() %}": "{% endcall %}", "{% autoescape 1 %}": "{% endautoescape %}",
	} {
		n := deepest(t, ErrNesting, func(n int) error {
			_, err := env.Parse(Source{Name: "t", Text: strings.Repeat(open, n) + strings.Repeat(end, n)})
			return err
		})
		if n < limit/2 || n > limit {
			t.Errorf("%s nests %d deep, of %d", open, n, limit)
		}
	}
}

// What has ended counts no more: behind however many calls, loops, blocks and templates,
// calls go as deep as in front of them, and templates too, and no deeper.
func TestWhatEndedIsNotDeep(t *testing.T) {
	files := MapLoader{
		"empty": "", "base": "{% block b %}base{% endblock %}", "child": "{% extends 'base' %}{% block b %}{{ super() }}{% endblock %}", "grandchild": "{% extends 'child' %}{% block b %}{{ super() }}{{ super() }}{% endblock %}",
		"lib": "{% macro f(x) %}{{ x }}{% endmacro %}", "caller": "{% import 'lib' as l %}{{ l.f(1) }}{% from 'lib' import f %}{{ f(2) }}", "chain": "{% if n %}{% with n = n - 1 %}{% include 'chain' %}{% endwith %}{% endif %}",
	}
	const setUp = "{% import 'lib' as l %}{% macro f(x) %}{{ x }}{% endmacro %}{% macro c() %}{{ caller() }}{% endmacro %}{% block own %}{% endblock %}" +
		"{% macro deep(n) %}{% if n %}{{ deep(n - 1) }}{% endif %}{% endmacro %}"
	env := New(Options{Loader: files, Limits: Limits{Nesting: 12, Depth: 6, Includes: 10_000}})
	render := func(last string) func(before string, n int) error {
		return func(before string, n int) error {
			_, err := mustParse(t, env, setUp+before+last).Render(new(MapBuilder).Set("n", Int(int64(n))).Map())
			return err
		}
	}
	calls, chain := render("{{ deep(n) }}"), render("{% include 'chain' %}")
	most := deepest(t, ErrNesting, func(n int) error { return calls("", n) })
	deep := deepest(t, ErrDepth, func(n int) error { return chain("", n) })
	for _, form := range []string{
		"{{ f(1) }}", "{{ f(f(f(1))) }}", "{% call c() %}x{% endcall %}", "{{ self.own() }}", "{% for x in [[[1]]] recursive %}{% if x is not number %}{{ loop(x) }}{% endif %}{% endfor %}", "{% filter upper %}{{ f(1) }}{% endfilter %}",
		"{% set x %}{{ f(1) }}{% endset %}", "{% include 'empty' %}", "{% include ['none', 'empty'] %}", "{% include 'none' ignore missing %}", "{% include 'child' %}", "{% include 'grandchild' %}", "{% include 'caller' %}",
		"{% import 'lib' as k %}{{ k.f(1) }}", "{% from 'lib' import f as g %}{{ g(1) }}", "{% import 'grandchild' as k %}", "{{ [1, 2]|map('upper')|join }}", "{% for x in range(30) %}{% if x == 3 %}{% continue %}{% elif x == 9 %}{% break %}{% endif %}{{ f(x) }}{% endfor %}",
	} {
		before := "{% for i in range(30) %}" + form + "{% endfor %}"
		sameDepth(t, before, most, ErrNesting, calls)
		sameDepth(t, before, deep, ErrDepth, chain)
	}
}

// A value answers what only values of another kind can be asked: it has no member, no item
// and no length, and is no text, no number and no bool.
func TestValuesOfOtherKinds(t *testing.T) {
	values := []Value{
		{}, {kind: KindUndefined, s: "x"}, None(), Bool(true), Int(7), Float(2.5), String("é", 0), List(Int(1)), new(MapBuilder).Set("a", Int(1)).Map(),
		NewFunction("f", func(*Call) (Value, error) { return None(), nil }), {kind: kindNamespace, ref: new(namespace)}, {kind: kindObject, ref: &cycler{}},
	}
	for _, v := range values {
		kind := v.Kind()
		if got := v.Get("a"); got.IsUndefined() == (kind == KindMap) {
			t.Errorf("a member of %s is %s", kind, got)
		}
		for i, there := range map[int]bool{0: kind == KindList, 1: false, -1: false} {
			if got := v.Index(i); got.IsUndefined() == there {
				t.Errorf("item %d of %s is %s", i, kind, got)
			}
		}
		n := map[Kind]int{KindString: 1, KindList: 1, KindMap: 1, kindNamespace: 0}
		want, sized := n[kind]
		if !sized {
			want = -1
		}
		if v.Len() != want {
			t.Errorf("%s has the length %d, want %d", kind, v.Len(), want)
		}
		if s, ok := v.Str(); ok != (kind == KindString) || !ok && s != "" {
			t.Errorf("the text of %s is %q, %t", kind, s, ok)
		}
		entries := 0
		for range v.Entries() {
			entries++
		}
		if entries != 0 != (kind == KindMap) {
			t.Errorf("%s has %d entries", kind, entries)
		}
		if none := v.Get("b"); !none.IsUndefined() || v.IsUndefined() != (kind == KindUndefined) {
			t.Errorf("of %s: %s", kind, none)
		}
	}
}

// Small maps of JSON that have the same members in the same order keep them once, and only
// these: another order, another number or another name is another list.
func TestMapsOfOneShape(t *testing.T) {
	v, err := FromJSON([]byte(`[{"a": 1, "b": 2}, {"a": 3, "b": 4}, {"b": 5, "a": 6}, {"a": 7}, {"a": 8, "c": 9}, {"a": {"a": 1, "b": 2}, "b": 2}, {"ab": 1}, {}]`), 1)
	if err != nil {
		t.Fatal(err)
	}
	keysOf := func(v Value) []dictKey { return v.ref.(*dict).keys }
	first := keysOf(v.Index(0))
	for i, shared := range []bool{true, true, false, false, false, true, false, false} {
		keys := keysOf(v.Index(i))
		if got := len(keys) > 0 && &keys[0] == &first[0]; got != shared {
			t.Errorf("map %d has the members of the first: %t, want %t", i, got, shared)
		}
	}
	if got := v.Index(5).Get("a").Get("b"); got.String() != "2" {
		t.Errorf("b is %s", got)
	}
	if want := "[{'a': 1, 'b': 2}, {'a': 3, 'b': 4}, {'b': 5, 'a': 6}, {'a': 7}, {'a': 8, 'c': 9}, {'a': {'a': 1, 'b': 2}, 'b': 2}, {'ab': 1}, {}]"; v.String() != want {
		t.Errorf("read as %s", v)
	}
}
