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
