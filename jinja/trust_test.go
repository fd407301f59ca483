package jinja

import "testing"

// What a function of the host returns is no more trusted than what it was given,
// in whatever container it comes back and by whatever way it went in.
func TestHostResultKeepsTheLabel(t *testing.T) {
	text := func(c *Call) string {
		for _, name := range c.Keywords() {
			v, _ := c.Keyword(name)
			return v.String()
		}
		return c.Args()[0].String()
	}
	untrusted := func(make func(s Value) Value) Func {
		return func(c *Call) (Value, error) { return make(String(text(c), 0)), nil }
	}
	inMap := func(s Value) Value { return new(MapBuilder).Set("k", s).Map() }
	env := New(Options{Functions: map[string]Func{
		"text":   untrusted(func(s Value) Value { return s }),
		"list":   untrusted(func(s Value) Value { return List(s) }),
		"map":    untrusted(inMap),
		"nested": untrusted(func(s Value) Value { return inMap(List(inMap(s))) }),
		"keyed":  untrusted(func(s Value) Value { return new(MapBuilder).Set(s.String(), Int(1)).Map() }),
	}, Filters: map[string]Func{"filtered": untrusted(inMap)}})
	ctx := taintContext()
	for _, text := range []string{
		"{{ text(s) }}", "{{ text(x=s) }}", "{{ text('a' ~ s) }}", "{{ text(l) }}", "{{ text(m) }}", "{{ text(namespace(a=s)) }}", "{{ text([namespace(a=s)]) }}",
		"{{ list(s) }}", "{{ list(s)[0] }}", "{{ list(x=s)|first }}", "{{ list(s)|join }}", "{% for x in list(s) %}{{ x }}{% endfor %}",
		"{{ map(s) }}", "{{ map(s).k }}", "{{ map(s)['k'] }}", "{{ map(x=s).k }}", "{{ map(s).values()|first }}", "{{ map(s)|items|first|last }}", "{% for k, v in map(s)|items %}{{ v }}{% endfor %}",
		"{{ nested(s).k[0].k }}", "{{ nested(x=s).k|map(attribute='k')|join }}", "{{ nested(s) }}",
		"{% for k in keyed(s) %}{{ k }}{% endfor %}", "{{ keyed(s)|items|first|first }}", "{{ keyed(s)|first }}",
		"{{ (s|filtered).k }}", "{{ ('a'|filtered(x=s)).k }}", "{% set v = map(s).k %}{{ v }}{{ v|upper }}",
	} {
		o, err := mustParse(t, env, text).Render(ctx)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		checkTiling(t, o)
		least := Trust(255)
		for s := range o.All() {
			least = min(least, s.Trust)
		}
		if least < 5 || len(o.Bytes()) == 0 {
			t.Errorf("%s: %q has a span of trust %d, the value has 5", text, o.Text(), least)
		}
	}
}

// Of several values that something was computed from, the span names the least
// trusted, the first of equals, and has its label; so do parts that are kept apart.
func TestLeastTrustedIsNamed(t *testing.T) {
	env := New(Options{Functions: map[string]Func{"first": func(c *Call) (Value, error) { return String(c.Args()[0].String(), 0), nil }}})
	ctx := new(MapBuilder).Set("low", Int(2).WithTrust(2)).Set("high", Int(3).WithTrust(5)).Set("also", Int(4).WithTrust(5)).
		Set("s", String("ab", 5)).Set("lows", String("cd", 2)).Map()
	for _, c := range []struct {
		text, name string
		trust      Trust
	}{
		{"{{ low + high }}", "high", 5}, {"{{ high + low }}", "high", 5}, {"{{ also + high }}", "also", 5}, {"{{ high + also }}", "high", 5}, {"{{ low + 1 }}", "low", 2}, {"{{ 1 + low }}", "low", 2},
		{"{{ 2.345|round(low) }}", "low", 2}, {"{{ 2.345|round(precision=high) }}", "high", 5}, {"{{ low|float|round(precision=high) }}", "high", 5}, {"{{ high|float|round(precision=low) }}", "high", 5},
		{"{{ first(low, high) }}", "high", 5}, {"{{ first(high, low) }}", "high", 5}, {"{{ [low, high]|sum }}", "high", 5}, {"{{ [high, low]|sum }}", "high", 5},
		{"{{ (lows ~ s)|length }}", "s", 5}, {"{{ (s ~ lows)|length }}", "s", 5}, {"{{ (lows ~ s)[1:3]|length }}", "s", 5}, {"{{ (s ~ lows)[1:3]|length }}", "s", 5}, {"{{ (lows ~ 'x' ~ s)[0:2]|length }}", "lows", 2},
		{"{% set x %}{{ lows }}{{ s }}{% endset %}{{ x|length }}", "s", 5}, {"{% set x %}{{ s }}{{ lows }}{% endset %}{{ x|length }}", "s", 5},
		{"{% set ns = namespace(a=1) %}{% set l = [[ns]] %}{% set ns.a = s %}{{ l|tojson }}", "", 5},
		{"{% set ns = namespace(a=1) %}{% set l = {'k': (ns,)} %}{% set ns.a = s %}{{ l }}", "", 5},
		{"{% set ns = namespace(a=1) %}{% set l = [ns] %}{% set ns.a = s %}{% set ns.b = 'x' %}{{ l|tojson }}", "", 5},
	} {
		o, err := mustParse(t, env, c.text).Render(ctx)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		n := 0
		for s := range o.All() {
			n++
			if s.Var != c.name || s.Trust != c.trust {
				t.Errorf("%s: %q names %q with trust %d, want %q with %d", c.text, o.Text(), s.Var, s.Trust, c.name, c.trust)
			}
		}
		if n != 1 {
			t.Errorf("%s: %d spans", c.text, n)
		}
	}
}

// What comes out of an imported template is as trusted as what it holds.
func TestModulesKeepTheLabel(t *testing.T) {
	lib := "{% set v = s %}{% set ns = namespace(a=1) %}text"
	env := New(Options{Loader: MapLoader{"lib": lib}})
	for _, text := range []string{
		"{% import 'lib' as m %}{{ m|tojson }}", "{% import 'lib' as m %}{{ [m]|tojson }}", "{% import 'lib' as m %}{{ dict(m) }}", "{% import 'lib' as m %}{{ dict(m).v }}",
		"{% import 'lib' as m %}{{ m.v }}", "{% for x in [s] %}{{ dict(loop, e=x).e }}{{ {'l': dict(loop, e=x)} }}{% endfor %}",
		"{% set ns = namespace(a=1) %}{% set ns.b %}{{ s }}{% endset %}{{ ns }}",
	} {
		tmpl, err := env.LoadSource(Source{Name: "t", Text: text})
		if err != nil {
			t.Fatal(err)
		}
		o, err := tmpl.Render(taintContext())
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		checkTiling(t, o)
		checkTaint(t, o, 5)
	}
}

// What one rendering stored in a namespace says nothing about the next one, whose
// memory may be the same.
func TestStoredLabelsEndWithTheRendering(t *testing.T) {
	env := New(Options{})
	hostile := mustParse(t, env, "{% set ns = namespace(a=1) %}{% set ns.a = s %}{{ ns }}")
	own := mustParse(t, env, "{% set ns = namespace(a='mine') %}{{ ns }}")
	for range 20 {
		if _, err := hostile.Render(taintContext()); err != nil {
			t.Fatal(err)
		}
		o, err := own.Render(taintContext())
		if err != nil {
			t.Fatal(err)
		}
		for s := range o.All() {
			if s.Trust != 0 {
				t.Fatalf("%q has trust %d", o.Text(), s.Trust)
			}
		}
	}
}

// A capture that begins with what the text before it ended with has origins of its own:
// the macro that calls itself writes both by one expression.
func TestCapturesKeepOriginsApart(t *testing.T) {
	env := New(Options{})
	for text, want := range map[string]string{
		"{% macro m(n) %}{{ n + 0 }}{% if n %}{% set x = m(n - 1) %}<{{ x }}>{% endif %}{% endmacro %}{{ m(2) }}": "2<1<0>>",
		"{% macro m(n) %}{{ n + 0 }}{% if n %}{% set x = m(n - 1) %}{% endif %}{% endmacro %}{{ m(2) }}.":         "2.",
	} {
		o, err := mustParse(t, env, text).Render(Value{})
		if err != nil {
			t.Fatal(err)
		}
		checkTiling(t, o)
		if o.Text() != want {
			t.Errorf("%q, want %q", o.Text(), want)
		}
	}
}
