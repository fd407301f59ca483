// Package unrendered finds template syntax in a literal text, which nothing renders.
// Whoever writes it there most likely means a template. It parses and renders none, so
// that what it finds is a reason for a hint and never for an error.
package unrendered

import (
	"regexp"
	"strings"
	"sync"
)

// pattern is template syntax as people write it for prompt files and for other programs:
//
//   - {{ name }}, {{ vars.x | upper }}: prompt files, Jinja, Liquid, Handlebars, Langfuse
//   - {{ .Name }}, {{ $x }}, {{#if x}}, {{/if}}, {{> part}}, {{{ name }}}: Go, Handlebars, Mustache
//   - ${{ env.NAME }}: GitHub Actions
//   - {% if x %}, {%- endfor %}: prompt files, Jinja, Liquid
//   - <% code %>, <%= name %>: ERB, EJS
//
// Single braces as in {name} or ${NAME} aren't among it: prose and shell commands have them.
var pattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\$?\{\{\{?[-+~]?\s*(?:[#/^>&]\s*)?[.$@]?[\pL_][^{}\n]*\}\}\}?` +
		`|\{%[-+]?\s*[a-z]\w*\b[^{}\n]*%\}` +
		`|<%[-=#]?[^<>%\n]*[\pL_][^<>%\n]*%>`)
})

// Find gives the place of the first that isn't in a code span or a fenced block.
func Find(text string) (start, end int, ok bool) {
	if !strings.Contains(text, "{{") && !strings.Contains(text, "{%") && !strings.Contains(text, "<%") {
		return 0, 0, false
	}
	at, fence := 0, ""
	for line := range strings.Lines(text) {
		mark := fenceOf(line)
		switch {
		case fence != "":
			if strings.HasPrefix(mark, fence) {
				fence = ""
			}
		case mark != "":
			fence = mark
		default:
			for _, m := range pattern().FindAllStringIndex(line, -1) {
				if strings.Count(line[:m[0]], "`")%2 == 0 {
					return at + m[0], at + m[1], true
				}
			}
		}
		at += len(line)
	}
	return 0, 0, false
}

// fenceOf is the mark that opens or closes a fenced block in a line; empty for none.
func fenceOf(line string) string {
	line = strings.TrimLeft(line, " ")
	for _, c := range []string{"`", "~"} {
		rest := strings.TrimLeft(line, c)
		if n := len(line) - len(rest); n >= 3 && (c == "~" || !strings.Contains(rest, "`")) {
			return line[:n]
		}
	}
	return ""
}

// OfPromptFiles reports whether what was found is syntax that prompt files have.
func OfPromptFiles(part string) bool {
	inside, ok := strings.CutPrefix(part, "{{")
	inside = strings.TrimLeft(inside, "-+~ \t")
	return strings.HasPrefix(part, "{%") || ok && inside != "" && !strings.ContainsAny(inside[:1], "{#/^>&.$@")
}
