package pack

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cento-dev/cento"
)

// A graph is asked, not rendered: its branches that no rendering takes count.
func TestQuestions(t *testing.T) {
	roots, err := RootsOf(map[string]string{
		"$workspace/main": "---\nvars: {mode: {}}\n---\n{% if tool('edit') %}{{ vars.mode | upper }}{% endif %}{% include 'parts/a' %}\n" +
			"{% include ['gone', 'parts/b'] %}{% include ['gone'] ignore missing %}{% include vars.which %}{% set own = 1 %}{{ own }}",
		"$workspace/parts/a": "{{ vars['depth'] }} {{ vars.who.name }} {{ cwd }}{% if cap('net') or tool(vars.x) %}{% import '$user/m' as m %}{% endif %}",
		"$workspace/parts/b": "text",
		"$user/m":            "{% macro f() %}{{ tool('read') }}{% endmacro %}",
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	ref, err := ParseRef("$workspace/main", Ref{}, cento.Position{})
	if err != nil {
		t.Fatal(err)
	}
	f, err := NewLoader(roots, cento.Limits{}).Open(ref, cento.Position{})
	if err != nil {
		t.Fatal(err)
	}
	var links []string
	for _, l := range f.Links() {
		links = append(links, fmt.Sprintf("%s %s %v dynamic=%v", l.Position, l.Kind, l.To, l.Dynamic))
	}
	want := []string{
		"$workspace/main.md:4:56 include [$workspace/parts/a] dynamic=false",
		"$workspace/main.md:5:1 include [$workspace/parts/b] dynamic=false",
		"$workspace/main.md:5:34 include [] dynamic=false",
		"$workspace/main.md:5:71 include [] dynamic=true",
		"$workspace/parts/a.md:1:85 import [$user/m] dynamic=false",
	}
	if diff := cmp.Diff(want, links); diff != "" {
		t.Errorf("links (-want +got)\n%s", diff)
	}
	if got := names(f.Asks("tool")); !slices.Equal(got, []string{"read", "edit"}) {
		t.Errorf("tools asked for: %q", got)
	}
	if got := names(f.Asks("cap")); !slices.Equal(got, []string{"net"}) {
		t.Errorf("capabilities asked for: %q", got)
	}
	var vars []string
	for _, u := range f.Reads() {
		if m := u.Variable(); m != "" {
			vars = append(vars, m)
		}
	}
	slices.Sort(vars)
	if want := []string{"depth", "mode", "which", "who", "x"}; !slices.Equal(vars, want) {
		t.Errorf("variables read: %q, want %q", vars, want)
	}
	if got := names(f.Reads()); slices.Contains(got, "own") || !slices.Contains(got, "cwd") {
		t.Errorf("reads %q", got)
	}
}

// What a file and those that it includes read, in whatever branch, says how often
// its text changes.
func TestStability(t *testing.T) {
	for text, want := range map[string]string{
		"Be brief.": "static",
		"In {{ cwd }}, {{ tools }} {{ model.name }}": "static",
		"On {{ date }}.":                         "session $workspace/main.md:1:7 date",
		"{% if cap('x') %}{{ date }}{% endif %}": "session $workspace/main.md:1:21 date",
		"{{ date }} {{ time }} {{ datetime }}":   "turn $workspace/main.md:1:15 time",
		"{% include 'part' %}":                   "turn $workspace/part.md:1:4 datetime",
		"{% set time = 1 %}{{ time }}":           "static",
		"---\nvars: {a: {stability: session, default: x}, b: {default: x}}\n---\n{{ vars.b }}": "static",
		"---\nvars: {a: {stability: session, default: x}, b: {default: x}}\n---\n{{ vars.a }}": "session $workspace/main.md:4:4 vars.a",
		"---\nvars: {a: {stability: turn, default: x}}\n---\n{{ vars | tojson }}":              "turn $workspace/main.md:4:4 vars",
	} {
		roots, err := RootsOf(map[string]string{"$workspace/main": text, "$workspace/part": "{{ datetime }}"}, nil)
		if err != nil {
			t.Fatal(err)
		}
		f, err := NewLoader(roots, cento.Limits{}).Open(Ref{Workspace, "main.md"}, cento.Position{})
		if err != nil {
			t.Fatal(err)
		}
		s, by := f.Stability(nil)
		got := s.String()
		if s != cento.Static {
			got += fmt.Sprintf(" %s %s", by.Position, by.Name)
		}
		if got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

func names(list []Use) []string {
	var out []string
	for _, u := range list {
		out = append(out, u.Name)
	}
	return out
}

// A call with a constant name asks for that name alone; anything else may ask for
// any.
func TestAsksAny(t *testing.T) {
	for text, want := range map[string]bool{
		"Be brief.": false, "{% if cap('net') %}x{% endif %}": false, "{{ tools | length }}": false,
		"{% if cap(vars.x) %}x{% endif %}": true, "{{ caps | length }}": true, "{% set f = cap %}{{ f('net') }}": true,
		"{% include vars.x %}": true,
	} {
		roots, err := RootsOf(map[string]string{"$workspace/a": text}, nil)
		if err != nil {
			t.Fatal(err)
		}
		ref, err := ParseRef("$workspace/a", Ref{}, cento.Position{})
		if err != nil {
			t.Fatal(err)
		}
		f, err := NewLoader(roots, cento.Limits{}).Open(ref, cento.Position{})
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if got := f.AsksAny("cap"); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

// So does a condition.
func TestConditionAsks(t *testing.T) {
	engine, err := NewEngine(cento.Input{Files: cento.Files{Vars: json.RawMessage(`{"x": "read"}`)}})
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]struct{ any, only bool }{
		"tool('read')":                {false, true},
		"tool('read') and cap('net')": {false, true},
		"tool(vars.x)":                {true, false},
		"tools":                       {true, false},
		"cap(vars.x)":                 {false, false},
		"caps":                        {false, false},
		"vars.x":                      {false, false},
		"tool('read') or vars.x":      {false, false},
	} {
		compiled, err := engine.Compile(cento.Text{Body: text})
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		c := compiled.(*Condition)
		if got := c.AsksAny("tool"); got != want.any {
			t.Errorf("%s asks for any tool: %v", text, got)
		}
		if got := c.OnlyAsks(); got != want.only {
			t.Errorf("%s depends on constant names alone: %v", text, got)
		}
	}
}
