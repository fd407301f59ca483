package workspace

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/nearest"
)

// ruleConditions are the keys of front matter by which clients say for which files a rule
// holds: each client reads one of them.
var ruleConditions = []string{"paths", "path", "globs", "glob", "applyTo", "alwaysApply", "files", "filePatterns", "fileMatchPattern", "inclusion", "include", "matcher"}

var frontKey = compiled(`(?m)^([A-Za-z][A-Za-z_-]*)[ \t]*:`)

// noteRuleKeys notes a key by which a rule states a condition that the client doesn't read.
// Other keys, such as a description, change nothing.
func (l *loader) noteRuleKeys(p *part, name, text string) {
	m := frontMatter().FindStringSubmatchIndex(text)
	if m == nil {
		return
	}
	read := []string{"paths"}
	if l.convention.applyTo {
		read = []string{"applyTo", "paths"}
		if path.Base(path.Dir(name)) == "rules" {
			read = []string{"paths", "applyTo"}
		}
	}
	head := text[m[2]:m[3]]
	var unread []int // the first
	for _, k := range frontKey().FindAllStringSubmatchIndex(head, -1) {
		key := head[k[2]:k[3]]
		if slices.Contains(read, key) {
			return
		}
		if key == "alwaysApply" && strings.HasPrefix(strings.TrimSpace(head[k[1]:]), "true") {
			continue // as it is
		}
		if _, near := nearest.Name(key, read); unread == nil && (near || slices.Contains(ruleConditions, key)) {
			unread = k
		}
	}
	if k := unread; k != nil {
		at := cento.Position{File: p.file.Path, Line: 1, Column: 1}.After(text[:m[2]+k[2]])
		p.noteAt(InstructionsKey, fmt.Sprintf("the rules of %q don't read the key `%s`, so they load this rule for all files: write `%s`", l.convention.id(), head[k[2]:k[3]], read[0]), at)
	}
}

// noteDeadPatterns notes a rule that is never read, since no path matches its patterns.
func (p *part) noteDeadPatterns(text string, patterns, written []string) {
	if slices.ContainsFunc(patterns, canMatch) {
		return
	}
	at := cento.Position{File: p.file.Path, Line: 1, Column: 1}
	m := frontMatter().FindStringSubmatchIndex(text)
	for _, k := range frontKey().FindAllStringSubmatchIndex(text[m[2]:m[3]], -1) {
		if text[m[2]+k[2]:m[2]+k[3]] == "paths" {
			at = at.After(text[:m[2]+k[2]])
			break
		}
	}
	message := "this rule is never read: no path matches " + quotedList(written)
	if rest, ok := strings.CutPrefix(written[0], "./"); ok && len(written) == 1 && canMatch(rest) {
		message += fmt.Sprintf("; write %q", rest)
	}
	p.noteAt(InstructionsPattern, message, at)
}

// canMatch reports whether a path may match a pattern of a .gitignore: one that begins with
// ./ or ../ matches none, nor does one with a bracket that isn't closed, and one with ! takes
// paths out.
func canMatch(pattern string) bool {
	for _, none := range []string{"./", "../", "!"} {
		if strings.HasPrefix(pattern, none) {
			return false
		}
	}
	for i := 0; i < len(pattern); i++ {
		switch pattern[i] {
		case '\\':
			i++
		case '[':
			if !strings.Contains(pattern[i:], "]") {
				return false
			}
		}
	}
	return true
}
