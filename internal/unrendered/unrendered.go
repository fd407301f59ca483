// Package unrendered finds in a literal text what only a prompt file renders.
// Whoever writes it there most likely means a template. It parses and renders none, so
// that what it finds is a reason for a hint and never for an error.
package unrendered

import (
	"regexp"
	"strings"
	"sync"
)

// pattern is an expression that begins with a name that prompt files know, or a
// tag. One behind `$` is of another language, and one behind a backtick is
// quoted; other braces are ordinary.
var pattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("(?:^|[^$`{])(" +
		`\{\{[-+]?\s*(?:agent|caps?|cwd|date|datetime|model|time|tools?|vars)\b[^{}\n]*\}\}` + "|" +
		`\{%[-+]?\s*(?:if|elif|else|endif|for|endfor|set|endset|include|import|from|extends|block|endblock|macro|endmacro|raw|endraw)\b[^{}\n]*%\}` + ")")
})

// Find gives the place of the first.
func Find(text string) (start, end int, ok bool) {
	if !strings.Contains(text, "{{") && !strings.Contains(text, "{%") {
		return 0, 0, false
	}
	m := pattern().FindStringSubmatchIndex(text)
	if m == nil {
		return 0, 0, false
	}
	return m[2], m[3], true
}
