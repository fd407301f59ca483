package jinja_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cento-dev/cento/jinja"
)

// TestUnreached names the statement for each text that a rendering left out.
func TestUnreached(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string // main is rendered
		want  string
	}{
		"if":                     {map[string]string{"main": "a{% if no %}B{% endif %}"}, "main:1:13 B: {% if no %} main:1:2 is false"},
		"else":                   {map[string]string{"main": "{% if yes %}a{% else %}B{% endif %}"}, "main:1:24 B: {% if yes %} main:1:1 is true"},
		"elif":                   {map[string]string{"main": "{%- if no -%}A{%- elif  no  == 1 %}B{% elif yes %}c{% else %}D{% endif %}"}, "main:1:14 A: {%- if no -%} main:1:1 is false\nmain:1:36 B: {%- elif no == 1 %} main:1:15 is false\nmain:1:62 D: {% elif yes %} main:1:37 is true"},
		"behind":                 {map[string]string{"main": "{% if yes %}a{% elif no %}B{% endif %}"}, "main:1:27 B: {% if yes %} main:1:1 is true"},
		"outermost":              {map[string]string{"main": "{% if no %}\n{% if yes %}B{% endif %}\n{% endif %}"}, "main:2:13 B: {% if no %} main:1:1 is false"},
		"innermost":              {map[string]string{"main": "{% if yes %}\n{% if no %}B{% endif %}\n{% endif %}"}, "main:2:12 B: {% if no %} main:2:1 is false"},
		"for":                    {map[string]string{"main": "{% for x in none %}B{% else %}c{% endfor %}"}, "main:1:20 B: {% for x in none %} main:1:1 has no items"},
		"for else":               {map[string]string{"main": "{% for x in [1] %}b{% else %}C{% endfor %}"}, "main:1:30 C: {% for x in [1] %} main:1:1 has items"},
		"for if":                 {map[string]string{"main": "{% for x in [1, 2] if x > 2 %}B{% endfor %}"}, "main:1:31 B: {% for x in [1, 2] if x > 2 %} main:1:1 has no items"},
		"turns":                  {map[string]string{"main": "{% for x in [1, 2] %}{% if x == 1 %}a{% elif x == 3 %}B{% else %}c{% endif %}{% endfor %}"}, "main:1:55 B: {% elif x == 3 %} main:1:38 is false"},
		"macro":                  {map[string]string{"main": "{% macro m(x) %}B{% endmacro %}"}, "main:1:17 B: {% macro m(x) %} main:1:1 is not called"},
		"called":                 {map[string]string{"main": "{% macro m(x) %}b{% if x %}C{% endif %}{% endmacro %}{{ m(no) }}"}, "main:1:28 C: {% if x %} main:1:18 is false"},
		"set":                    {map[string]string{"main": "{% set x %}a{% if no %}B{% endif %}{% endset %}"}, "main:1:24 B: {% if no %} main:1:13 is false"},
		"white":                  {map[string]string{"main": "{% if no %} \n {% endif %}"}, ""},
		"include":                {map[string]string{"main": "{% if no %}{% include 'part' %}{% endif %}", "part": "\nB"}, "part:1:1 \nB: {% if no %} main:1:1 is false"},
		"included":               {map[string]string{"main": "{% include 'part' %}", "part": "a{% if no %}B{% endif %}"}, "part:1:13 B: {% if no %} part:1:2 is false"},
		"twice":                  {map[string]string{"main": "{% if no %}{% include 'part' %}{% endif %}{% include 'part' %}", "part": "b"}, ""},
		"list":                   {map[string]string{"main": "{% include ['part', 'other'] %}", "part": "a", "other": "B"}, ""},
		"below":                  {map[string]string{"main": "{% if no %}{% include 'part' %}{% endif %}", "part": "{% include 'leaf' %}", "leaf": "B"}, "leaf:1:1 B: {% if no %} main:1:1 is false"},
		"inline":                 {map[string]string{"main": "{{ 'B' if no else 'a' }}"}, "main:1:5 B: no main:1:11 is false"},
		"other":                  {map[string]string{"main": "{{ 'a' if  yes else \"B\" }}"}, "main:1:22 B: yes main:1:12 is true"},
		"no other":               {map[string]string{"main": "x{{ 'B' if no\n or no }}"}, "main:1:6 B: no or no main:1:12 is false"},
		"nested":                 {map[string]string{"main": "{{ ('B' if yes else 'C') if no else 'd' if yes else 'A' }}"}, "main:1:6 B: no main:1:29 is false\nmain:1:22 C: no main:1:29 is false\nmain:1:54 A: yes main:1:44 is true"},
		"joined":                 {map[string]string{"main": "{{ 'x ' ~ ('B' if no else 'a')|upper|lower + ('C'|trim if no else '') }}"}, "main:1:13 B: no main:1:19 is false\nmain:1:48 C: no main:1:59 is false"},
		"assigned":               {map[string]string{"main": "{% set x = 'B' if no else 'a' %}{{ x }}"}, "main:1:13 B: no main:1:19 is false"},
		"both":                   {map[string]string{"main": "{% for x in [1, 2] %}{{ 'a' if x == 1 else 'b' }}{% endfor %}"}, ""},
		"within":                 {map[string]string{"main": "{% if no %}{{ 'B' if yes else 'C' }}{{ 'D' }}{% endif %}"}, "main:1:16 B: {% if no %} main:1:1 is false\nmain:1:32 C: {% if no %} main:1:1 is false\nmain:1:41 D: {% if no %} main:1:1 is false"},
		"no text":                {map[string]string{"main": "{{ 1 if no else 2 }}{{ ' ' if no else '' }}{{ ['B'][0] if no else 'a' }}"}, ""},
		"overridden":             {map[string]string{"main": "{% extends 'base' %}{% block b %}a{% endblock %}", "base": "x{% block b %}B{% endblock %}"}, "base:1:15 B: {% block b %} main:1:21 stands instead of it"},
		"overridden twice":       {map[string]string{"main": "{% extends 'mid' %}{% block b %}a{% endblock %}", "mid": "{% extends 'base' %}{% block b %}M{% endblock %}", "base": "x{% block b %}B{% endblock %}"}, "base:1:15 B: {% block b %} main:1:20 stands instead of it\nmid:1:34 M: {% block b %} main:1:20 stands instead of it"},
		"overridden under super": {map[string]string{"main": "{% extends 'mid' %}{% block b %}a{{ super() }}{% endblock %}", "mid": "{% extends 'base' %}{% block b %}M{% endblock %}", "base": "x{% block b %}B{% endblock %}"}, "base:1:15 B: {% block b %} mid:1:21 stands instead of it"},
		"a block in a block":     {map[string]string{"main": "{% extends 'base' %}{% block b %}a{% endblock %}", "base": "x{% block b %}B{% block c %}C{% endblock %}{% endblock %}"}, "base:1:15 B: {% block b %} main:1:21 stands instead of it\nbase:1:29 C: {% block b %} main:1:21 stands instead of it"},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, err := jinja.From(map[string]any{"yes": true, "no": false, "none": []any{}}, 0)
			if err != nil {
				t.Fatal(err)
			}
			tmpl, err := jinja.New(jinja.Options{Loader: jinja.MapLoader(c.files)}).Load("main")
			if err != nil {
				t.Fatal(err)
			}
			got, err := tmpl.Unreached(ctx)
			if err != nil {
				t.Fatal(err)
			}
			var lines []string
			for _, x := range got {
				lines = append(lines, fmt.Sprintf("%s:%d:%d %s: %s %s:%d:%d %s", x.File, x.Line, x.Column, x.Text, x.Tag, x.TagFile, x.TagLine, x.TagColumn, x.Outcome))
				if x.Text != c.files[x.File][x.Offset:x.Offset+len(x.Text)] {
					t.Errorf("%q isn't at %d of %s", x.Text, x.Offset, x.File)
				}
			}
			if d := cmp.Diff(c.want, strings.Join(lines, "\n")); d != "" {
				t.Errorf("want, then got:\n%s", d)
			}
			out, err := tmpl.Render(ctx)
			if err != nil || strings.ContainsAny(out.Text(), "ABCD") {
				t.Errorf("the rendering is %q: %v", out.Text(), err)
			}
		})
	}
}
