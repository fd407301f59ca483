package workspace

import (
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// appliesTo are the patterns of the `applyTo` or `paths` in the front matter of a rule of
// Copilot or Qwen Code, none where they match everything, and whether the rule excludes agents.
// Values are read line by line, as the client does, so that `applyTo: **/*.ts` is a pattern.
func appliesTo(text string) (globs []string, excluded bool) {
	rest, ok := strings.CutPrefix(text, "---\n")
	if !ok {
		return nil, false
	}
	head, _, ok := strings.Cut("\n"+rest, "\n---")
	if !ok {
		return nil, false
	}
	for line := range strings.Lines(head) {
		key, value, ok := strings.Cut(line, ":")
		if !ok {
			continue
		}
		switch strings.TrimSpace(key) {
		case "excludeAgent":
			excluded = true
		case "applyTo", "paths":
			value = strings.Trim(strings.TrimSpace(value), "[]")
			depth, start := 0, 0
			add := func(part string) {
				if part = strings.Trim(strings.TrimSpace(part), `'"`); part != "" && !isNumber(part) {
					globs = append(globs, part)
				}
			}
			value = strings.Trim(value, `'"`)
			for i, c := range value {
				switch {
				case c == '{':
					depth++
				case c == '}':
					depth--
				case c == ',' && depth == 0:
					add(value[start:i])
					start = i + 1
				}
			}
			add(value[start:])
		}
	}
	if len(globs) == 1 && slices.Contains([]string{"**", "*", "**/*"}, globs[0]) {
		globs = nil
	}
	return globs, excluded
}

func isNumber(s string) bool { return strings.Trim(s, "0123456789") == "" }

// appliesMatch reports whether a pattern matches a file, by its path from the root. A pattern
// without a slash matches a name at any depth.
func appliesMatch(globs []string, file string) bool {
	for _, g := range globs {
		if len(g) > maxGlob || strings.Count(g, "{") > maxBraces {
			continue
		}
		g = strings.TrimPrefix(g, "./")
		not := strings.HasPrefix(g, "!")
		g = strings.TrimPrefix(g, "!")
		if !strings.Contains(g, "/") {
			g = "**/" + g
		}
		if ok, err := doublestar.Match(g, file); err == nil && ok != not || not && err == nil {
			return true
		}
	}
	return false
}
