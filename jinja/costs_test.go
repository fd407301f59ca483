package jinja

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Every rendering takes the fuel and the memory that testdata/costs.txt says: a
// payment that was forgotten, or a step that became dearer, is seen there.
func TestCosts(t *testing.T) {
	var b strings.Builder
	b.WriteString("# case, steps of fuel, bytes of memory for values, spans\n")
	pay := func(name string, env *Env, ctx Value, f func(r *run)) {
		r := env.start(ctx)
		if err := r.protect(func() { f(r) }); err == nil {
			fmt.Fprintf(&b, "%s %d %d %d\n", name, env.limits.Fuel-r.fuel, env.limits.Memory-r.memory, len(r.spans))
		}
		r.release()
	}
	for _, a := range readArchives(t) {
		for _, c := range a.cases {
			if _, ok := c.want["want"]; !ok {
				continue
			}
			env := c.env(t)
			ctx, err := FromJSON([]byte(c.context), 4)
			if err != nil {
				t.Fatal(err)
			}
			tmpl, err := env.LoadSource(Source{Name: "main.md", Text: c.template, Trust: 1})
			if err != nil {
				t.Fatal(err)
			}
			pay(a.name()+"/"+c.name, env, ctx, func(r *run) { r.template(tmpl, visit{}) })
		}
	}
	env := New(Options{Functions: map[string]Func{
		"made": func(*Call) (Value, error) { return From(map[string]any{"l": []any{1, "a", []any{2}}}, 0) },
	}})
	for _, text := range []string{"made(s)", "made()", "[s, [s]]", "{'k': {'l': s}}", "s[::2]", "l[::-1]", "'%s' % s", "l|sort|unique|list", "m.items()", "s|wordwrap(2)", "s|striptags", "s|list|join"} {
		x, err := env.ParseExpr(Source{Name: "x", Text: text})
		if err != nil {
			t.Fatal(err)
		}
		pay("expression/"+text, env, taintContext(), func(r *run) {
			inst := &instance{t: x.t, roots: make([]Value, len(x.t.names))}
			r.enter(&frame{t: x.t, fn: &x.t.fns[0], inst: inst})
			r.detach(r.eval(x.t.program.root))
		})
	}
	const path = "testdata/costs.txt"
	if *update {
		if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		t.Errorf("want -, got +\n%s", diff)
	}
}

// What a host sets beyond the largest value counts as that; what it leaves out, and
// what is below zero, as the default.
func TestLimitsAreBounded(t *testing.T) {
	l := Limits{Nesting: 1000, Output: 1 << 40, Source: 1 << 40, Fuel: -1, Depth: 7}.withDefaults()
	if l.Nesting != 200 || l.Output != 1<<30 || l.Source != 1<<30 || l.Fuel != 1_000_000 || l.Depth != 7 {
		t.Errorf("got %+v", l)
	}
	if d := (Limits{}).withDefaults(); d != (Limits{Fuel: 1_000_000, Depth: 32, Includes: 256, Nesting: 100, Output: 4 << 20, Value: 4 << 20, Memory: 24 << 20, Source: 1 << 20}) {
		t.Errorf("the defaults are %+v", d)
	}
}
