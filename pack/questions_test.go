package pack

import (
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
	})
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
		if m := u.Member("vars"); m != "" {
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

func names(list []Use) []string {
	var out []string
	for _, u := range list {
		out = append(out, u.Name)
	}
	return out
}
