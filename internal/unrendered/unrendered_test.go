package unrendered

import "testing"

func TestFind(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "Be brief.": "", "{ {date} }": "", "{{}} {{ }} {{1}}": "",
		"Today is {{ date }}.": "{{ date }}", "{{vars.x}}": "{{vars.x}}", "{% if tool('x') %}a{% endif %}": "{% if tool('x') %}", "{%- for t in tools %}": "{%- for t in tools %}",
		"{{ x }} {{ cwd }}": "{{ x }}",
		// Other programs, each in its own spelling.
		"Hello {{ name }}":          "{{ name }}",
		"Hello {{name}}":            "{{name}}",
		"{{{ body }}}":              "{{{ body }}}",
		"{{ .Values.image }}":       "{{ .Values.image }}",
		"{{ $x }}":                  "{{ $x }}",
		"{{#if admin}}a{{/if}}":     "{{#if admin}}",
		"a{{/each}}":                "{{/each}}",
		"{{> footer}}":              "{{> footer}}",
		"Hi ${{ env.USER }}":        "${{ env.USER }}",
		"{% assign x = 1 %}":        "{% assign x = 1 %}",
		"Dear <%= name %>":          "<%= name %>",
		"<% if x %>":                "<% if x %>",
		"{{ user | default('x') }}": "{{ user | default('x') }}",
		"{{ größe }}":               "{{ größe }}",
		// Ordinary in prose, in shell commands and in code.
		"Set ${HOME} and $ARGUMENTS": "", "{name}": "", "#{name}": "", "a <% b": "", "5 <% 6 %>": "",
		"`{{ date }}`": "", "Write `a {{ x }} b` so.": "", "```\n{{ x }}\n```\n": "", "~~~ yaml\n{{ x }}\n~~~\nb {{ y }}": "{{ y }}",
		"```\n{{ x }}": "", "`a` {{ x }}": "{{ x }}", "a\n  ````\n```\n{{ x }}\n````\n{{ y }}": "{{ y }}", "``` x ``` {{ z }}": "{{ z }}",
	} {
		start, end, ok := Find(text)
		if got := text[start:end]; got != want || ok != (want != "") {
			t.Errorf("%q: found %q, want %q", text, got, want)
		}
	}
}

func TestOfPromptFiles(t *testing.T) {
	for part, want := range map[string]bool{"{{ x }}": true, "{{x}}": true, "{% if %}": true, "${{ x }}": false, "{{{ x }}}": false, "{{#if x}}": false, "{{> x}}": false, "{{ .x }}": false, "{{- x }}": true, "<%= x %>": false} {
		if got := OfPromptFiles(part); got != want {
			t.Errorf("%q: %t", part, got)
		}
	}
}
