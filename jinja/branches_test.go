package jinja_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cento-dev/cento/jinja"
)

// TestBranches lists the branches of templates, those that a rendering took with a
// star.
func TestBranches(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string // main is rendered
		want  string
	}{
		"none":     {map[string]string{"main": "a {{ yes }} {{ 'b' if yes else 'c' }}"}, ""},
		"if":       {map[string]string{"main": "a{% if no %}b{% endif %}"}, "main:1:2 {% if no %}"},
		"elif":     {map[string]string{"main": "{%- if no -%}a{%- elif  yes  %}b{% else %}c{% endif %}"}, "main:1:1 {%- if no -%}\nmain:1:15 {%- elif yes %} *\nmain:1:33 {% else %}"},
		"else":     {map[string]string{"main": "{% if no %}{% else\n%}{% endif %}"}, "main:1:1 {% if no %}\nmain:1:12 {% else %} *"},
		"for":      {map[string]string{"main": "{% for x in [1, 2] %}{% if x == 1 %}a{% else %}b{% endif %}{% endfor %}"}, "main:1:22 {% if x == 1 %} *\nmain:1:38 {% else %} *"},
		"for else": {map[string]string{"main": "{% for x in [] %}a{% else %}b{% endfor %}{% for x in [1] %}a{% else %}b{% endfor %}"}, "main:1:19 {% else %} *\nmain:1:61 {% else %}"},
		"nested":   {map[string]string{"main": "{% if no %}{% if yes %}b{% endif %}{% endif %}"}, "main:1:1 {% if no %}\nmain:1:12 {% if yes %}"},
		"include":  {map[string]string{"main": "{% if yes %}{% include 'part' %}{% endif %}", "part": "{% if no %}a{% else %}b{% endif %}"}, "main:1:1 {% if yes %} *\npart:1:1 {% if no %}\npart:1:13 {% else %} *"},
		"macro":    {map[string]string{"main": "{% macro m(x) %}{% if x %}a{% endif %}{% endmacro %}{{ m(yes) }}"}, "main:1:17 {% if x %} *"},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, err := jinja.From(map[string]any{"yes": true, "no": false}, 0)
			if err != nil {
				t.Fatal(err)
			}
			env := jinja.New(jinja.Options{Loader: jinja.MapLoader(c.files)})
			main, err := env.Load("main")
			if err != nil {
				t.Fatal(err)
			}
			taken, err := main.Taken(ctx)
			if err != nil {
				t.Fatal(err)
			}
			was := map[jinja.Branch]bool{}
			for _, b := range taken {
				was[b] = true
			}
			var lines []string
			for _, file := range []string{"main", "part"} {
				if _, there := c.files[file]; !there {
					continue
				}
				tmpl, err := env.Load(file)
				if err != nil {
					t.Fatal(err)
				}
				for _, b := range tmpl.Branches() {
					line := fmt.Sprintf("%s:%d:%d %s", b.File, b.Line, b.Column, b.Tag)
					if was[b] {
						line += " *"
					}
					delete(was, b)
					lines = append(lines, line)
				}
			}
			if d := cmp.Diff(c.want, strings.Join(lines, "\n")); d != "" {
				t.Errorf("want, then got:\n%s", d)
			}
			if len(was) > 0 {
				t.Errorf("taken, and of no template: %v", was)
			}
		})
	}
}
