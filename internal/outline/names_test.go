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
tool web somewhere
capability x somewhere
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
	for text, want := range map[string]string{"a {{ vars.| }}": "{{ vars.", "a {% if x %}|": "", "{{ x }} |": "", "---\na: {{|\n---\n": ""} {
		before, behind, _ := strings.Cut(text, "|")
		if got, in := InTag(before+behind, len(before)); got != want || in != (want != "") {
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
		InTag(text, off)
	})
}
