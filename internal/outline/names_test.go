package outline

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func told(text string, names []Name) string {
	var out []string
	for _, n := range names {
		s := fmt.Sprintf("%s %s", n.Kind, n.Name)
		if n.Defines {
			s += " defined"
		}
		if !n.Exact {
			s += " somewhere"
		} else if text[n.Start:n.End] != n.Name {
			s += fmt.Sprintf(" WRONG %q", text[n.Start:n.End])
		}
		out = append(out, s)
	}
	return strings.Join(out, "\n")
}

func TestNames(t *testing.T) {
	text := "\ufeff# 日本\ninstruction: $workspace/main\r\n" + `vars: {depth: 1, "w": {default: x, tools: [no]}}
tools: [{name: todo, parameters: {properties: {tools: [nothing]}}}, "r\u0065ad", web]
caps: [fast, -slow]
fragments:
  - {id: a, requires_tools: ['todo'], when: "tool('web') and cap(\"x\")", needs: [b]}
  - id: b
    when: tool('todo') and vars.depth > 1
    template: $builtin/x
targets: {ci: {tools: [todo], model: gpt-5}}
tests:
  - {name: t, target: ci, with: {without_tools: [todo], vars: {depth: 2}}, excluded: {a: x}, included: [b]}
  - {name: u, included: ["tool:todo.guidance", tool:todo], order: ['tool:', "tool:r\u0065ad.guidance"], max_tokens_of: {tool:web.guidance: 9}}
`
	want := `reference $workspace/main
variable depth defined
variable w defined
tool todo defined
tool read somewhere
tool web
capability fast defined
capability slow defined
fragment a defined
tool todo
tool web
capability x
fragment b
fragment b defined
tool todo
variable depth
reference $builtin/x
target ci defined
tool todo
model gpt-5
target ci
tool todo
variable depth
fragment a
fragment b
fragment tool:todo.guidance
tool todo
fragment tool:todo
tool todo
fragment tool:
fragment tool:read.guidance somewhere
tool read somewhere
fragment tool:web.guidance
tool web`
	if got := told(text, Names("cento.yaml", text)); got != want {
		t.Errorf("got\n%s", got)
	}
	// What a target adds to a list reads as an item of it, what it removes as a name.
	text = `targets:
  ci:
    fragments: {add: [{id: c, needs: [a]}], remove: [a, b]}
    tools: {add: [web, {name: x}], remove: [todo]}
    caps: {add: [fast, -slow], remove: [-x, y]}
    skills: {active: {add: [pdf]}}
    vars: {add: [todo], remove: [a]}
  dev: {tools: {tools: {remove: [web]}, mcp: {add: {command: [a]}}}}
`
	want = `target ci defined
fragment c defined
fragment a
fragment a
fragment b
tool web
tool x defined
tool todo
capability fast defined
capability slow defined
capability x
capability y
variable add defined
variable remove defined
target dev defined
tool web`
	if got := told(text, Names("cento.yaml", text)); got != want {
		t.Errorf("got\n%s", got)
	}
	if got := Names("cento.yaml", "tools: ["); got != nil {
		t.Errorf("a text that can't be read has names: %v", got)
	}
}

func TestInPrompt(t *testing.T) {
	text := `---
title: x
requires_tools: [todo]
vars: {depth: {type: int}}
---
Use tool('not') here. {# tool('nor') #}{% raw %}{{ tool('raw') }}{% endraw %}
{% if tool("web") and vars.depth > 1 %}{{ vars.who }}{% elif cap('fast') %}{% endif %}
{%- include "parts/tone" %}
{% if 'grep' in tools or "slow" not in caps or 'x' in vars.list or 'y' in tools_of %}{% endif %}
`
	want := `tool todo
variable depth defined
tool web
variable depth
variable who
capability fast
reference parts/tone
tool grep
capability slow
variable list`
	if got := told(text, InPrompt(text)); got != want {
		t.Errorf("got\n%s", got)
	}
	for text, want := range map[string]string{
		"---\n---\n{{ tool('a') }}":                          "tool a",
		"---\nHello {{ tool('a') }}\n---\n{{ tool('b') }}":   "tool a\ntool b",
		"---\r\n# {{ tool('a') }}\r\n---\r\n{{ tool('b') }}": "tool b",
	} {
		if got := told(text, InPrompt(text)); got != want {
			t.Errorf("%q has %q", text, got)
		}
	}
	for text, want := range map[string]string{"a {{ vars.| }}": "{{ vars.", "a {% if x %}|": "", "{{ x }} |": "", "---\na: {{|\n---\n": ""} {
		before, behind, _ := strings.Cut(text, "|")
		if got, in := inTag(before+behind, len(before)); got != want || in != (want != "") {
			t.Errorf("%q: in %q, %t", text, got, in)
		}
	}
}

// Law: an exact name is what stands there, in any text; and whatever the text, nothing
// panics.
func TestNamesAreThere(t *testing.T) {
	parts := rapid.SampledFrom([]string{
		"tools: [", "todo", "{name: ", "é𝒳", "]", "}", "\n", "\r\n", "  ", "- ", "requires_tools: ", "'", "\"", "\\u0041", "when: tool('x')", "fragments:", "id: ", ": ", ", ",
		"---\n", "{% include 'a' %}", "{{ tool(\"t\") }}", "{% if ", "%}", "{#", "\ufeff", "vars: ", "targets: ",
	})
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(parts, 0, 30).Draw(t, "parts"), "")
		for _, n := range append(Names("x.yaml", text), InPrompt(text)...) {
			if n.Start < 0 || n.End < n.Start || n.End > len(text) || n.Exact && text[n.Start:n.End] != n.Name {
				t.Fatalf("%q has no %+v", text, n)
			}
		}
		off := rapid.IntRange(0, len(text)).Draw(t, "offset")
		if c, ok := At(text, off); ok && (c.Start > off || c.End < off || text[c.Start:off] != c.Typed) {
			t.Fatalf("%q at %d: %+v", text, off, c)
		}
		inTag(text, off)
		for _, prompt := range []bool{true, false} {
			if c, _, ok := AskedAt(text, off, prompt); ok && text[c.Start:off] != c.Typed {
				t.Fatalf("%q at %d: %+v", text, off, c)
			}
		}
		for _, d := range append(Doubts("x.yaml", text), DoubtsInPrompt(text)...) {
			if d.Start < 0 || d.Start > len(text) {
				t.Fatalf("%q has no %+v", text, d)
			}
		}
	})
}

// A name in a condition is at its place, however YAML has the text; in one that can't be
// read there is none.
func TestNamesInConditions(t *testing.T) {
	for when, want := range map[string]string{
		"tool ('a') and (tool)('b')":                         "tool a\ntool b",
		"|\r\n    tool('é') and\r\n      'b' in (tools)\r\n": "tool é\ntool b",
		">-\n    tool('a')\n    and cap(\"b\")\n":            "tool a\ncapability b",
		"'tool(''a'') and vars[''b''] and vars.c.d'":         "tool a\nvariable b\nvariable c",
		`"\u0074ool(\"a\") or tool('b\u0062')"`:              "tool a\ntool bb somewhere",
		"\"tool('a\n  b')\"":                                 "tool a b somewhere",
		"tool('a' ~ 'b') or ['c'] == tools":                  "tool ab somewhere\ntool c",
		"vars.x == 'a' or tool(vars.x)":                      "variable x\nvariable x",
		"tool('a' and":                                       "",
		"''":                                                 "",
	} {
		text := "\ufefffragments:\n- when: " + when
		if got := told(text, Names("cento.yaml", text)); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", when, got, want)
		}
	}
	// Of a prompt file whose tags don't fit, each tag is read alone.
	text := "---\nrequires_tools: [r]\n---\n{% if tool('a') %}{{ tool('b') }}{% elif 'c' in tools %}{% for x in vars.d %}{{ tool( }}{# tool('x') #}{% raw %}{{ tool('x') }}{% endraw %}{% include 'e' %}"
	if got, want := told(text, InPrompt(text)), "tool r\ntool a\ntool b\ntool c\nvariable d\nreference e"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// What may ask for a tool, or name one, without a name at its place.
func TestDoubtful(t *testing.T) {
	conditions := func(list ...string) []Doubt {
		text := "fragments:\n"
		for _, c := range list {
			text += fmt.Sprintf("  - when: %q\n", c)
		}
		return Doubts("cento.yaml", text)
	}
	value := Doubts("cento.yaml", "vars: {x: a}\ntargets: {t: {vars: {y: [b, a b]}}}\n")
	for name, x := range map[string]struct {
		texts [][]Doubt
		tool  string
		want  string // the text; empty for none
	}{
		"a name at its place":           {[][]Doubt{conditions("tool('a') and 'b' in tools", "vars.x == 'a'"), value}, "a", ""},
		"a value that nobody asks for":  {[][]Doubt{value}, "a", ""},
		"a value that is asked for":     {[][]Doubt{conditions("tool(vars.x)"), value}, "a", "a"},
		"a value in a list":             {[][]Doubt{conditions("tool(vars.y[0])"), value}, "b", "b"},
		"a value beside all":            {[][]Doubt{value, conditions("vars.y == tools|list")}, "b", "b"},
		"a value that is another":       {[][]Doubt{conditions("tool(vars.x)"), value}, "c", ""},
		"all in another condition":      {[][]Doubt{conditions("tools|length > 1", "vars.x == 'a'")}, "a", ""},
		"all in the same condition":     {[][]Doubt{conditions("'x,a' == tools|join(',')")}, "a", "x,a"},
		"a part of a longer name":       {[][]Doubt{conditions("tools|first == 'a-b'")}, "a", ""},
		"a broken condition":            {[][]Doubt{conditions("tool('a'")}, "a", "tool('a'"},
		"a broken condition of another": {[][]Doubt{conditions("tool('b'")}, "a", ""},
		"a broken manifest":             {[][]Doubt{Doubts("cento.yaml", "a: [")}, "a", "a: ["},
		"a prompt file":                 {[][]Doubt{DoubtsInPrompt("{% if tool('a') %}a{% endif %}{{ 'a' }}"), value}, "a", ""},
		"a prompt file with a macro":    {[][]Doubt{DoubtsInPrompt("{% macro has(n) %}{{ tool(n) }}{% endmacro %}"), DoubtsInPrompt("{% from 'm' import has %}{{ has('a') }}")}, "a", "a"},
		"front matter":                  {[][]Doubt{DoubtsInPrompt("---\nvars: {x: {default: a}}\n---\n{{ tool(vars.x) }}")}, "a", "a"},
		"a broken prompt file":          {[][]Doubt{DoubtsInPrompt("{% if tool('a') %}")}, "a", "{% if tool('a') %}"},
	} {
		_, d, found := Doubtful(x.tool, x.texts)
		if d.Text != x.want || found != (x.want != "") {
			t.Errorf("%s: %+v, %t", name, d, found)
		}
	}
	if i, d, found := Doubtful("a", [][]Doubt{nil, conditions("true", "tool('x' ~ vars.y)")}); !found || i != 1 || d.How != Made || d.Start != 44 {
		t.Errorf("put together: %d %+v %t", i, d, found)
	}
}
