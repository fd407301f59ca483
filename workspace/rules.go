package workspace

import (
	"fmt"
	"io/fs"
	"path"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/ignore"
	"github.com/cento-dev/cento/internal/strict"
	"github.com/cento-dev/cento/internal/tree"
)

const (
	// maxRules bounds how many files of one folder of rules are considered,
	// maxRuleDepth how deep it is searched, and maxRuleEntries what one of its
	// folders may hold.
	maxRules       = 256
	maxRuleDepth   = 32
	maxRuleEntries = 1000
	// maxGlob is the longest pattern with braces, maxPatterns how many a rule has.
	maxGlob     = 256
	maxPatterns = 256
)

// rules lists the files of a folder of rules: all that end in .md, at any
// depth, in the order of their paths. Their patterns start from the folder base.
func (l *loader) rules(folder candidate, base string) []candidate {
	var out []candidate
	full := false
	visited := map[string]bool{} // folders, by their real names
	ending := ".md"
	if l.convention.applyTo && path.Base(folder.name) == "instructions" {
		ending = ".instructions.md"
	}
	var list func(dir string, depth int)
	list = func(dir string, depth int) {
		real, err := folder.real(dir)
		if visited[real] && err == nil {
			return // a link leads round
		}
		visited[real] = true
		entries, err := folder.tree.ReadDir(dir, maxRuleEntries)
		if err != nil {
			if there(folder.tree, dir) {
				out = append(out, candidate{ground: folder.ground, name: dir, rule: true, base: base, checkout: folder.checkout, problem: err})
			}
			return
		}
		for _, e := range entries {
			name := path.Join(dir, e.Name)
			if e.Mode&fs.ModeSymlink != 0 {
				if info, err := folder.tree.Stat(name); err == nil && info.IsDir() {
					e.Mode = info.Mode()
				}
			}
			switch {
			case full:
				return
			case e.Mode.IsDir() && depth < maxRuleDepth:
				list(name, depth+1)
			case e.Mode.IsDir() || !strings.HasSuffix(e.Name, ending):
			case len(out) == maxRules:
				full = true
				out = append(out, candidate{ground: folder.ground, name: dir, rule: true, base: base, checkout: folder.checkout, problem: &cento.SourceError{
					Code: tree.TooMany, Message: fmt.Sprintf("more than %d rules: the others are not read", maxRules),
					Position: cento.Position{File: folder.tree.Show(dir)},
				}})
			case e.Mode&fs.ModeType == 0 || e.Mode&fs.ModeSymlink != 0:
				out = append(out, candidate{ground: folder.ground, name: name, rule: true, base: base, checkout: folder.checkout})
			}
		}
	}
	if !folder.absent() {
		list(folder.name, 1)
	}
	first := map[string]string{}
	for i := range out {
		key := norm.NFC.String(out[i].name)
		if other, ok := first[key]; !ok {
			first[key] = out[i].name
		} else if out[i].problem == nil && other != out[i].name {
			out[i].twin = folder.tree.Show(other)
		}
	}
	return out
}

// frontKeys reads front matter as a map; false where it isn't one. YAML that is broken is
// read once more with its plain values between quotes, as Claude Code does it.
func frontKeys(head string) (*strict.Node, bool) {
	if found := pathsKey().FindAllStringIndex(head, -1); len(found) > 1 { // the last one counts
		head = head[:found[0][0]] + head[found[len(found)-1][0]:]
	}
	for _, text := range []string{head, quoteValues(head)} {
		node, err := strict.YAML("", []byte(text), cento.DefaultLimits())
		if err == nil {
			return node, node.Kind() == strict.Map
		}
	}
	return nil, false
}

var pathsKey = compiled(`(?m)^paths:`)

var plainValue = compiled(`(?m)^([a-zA-Z_-]+):[ \t]+([^\n]*[{}\[\]*&#!|>%@` + "`" + `][^\n]*|[^\n]*: [^\n]*)$`)

// quoteValues puts values with characters that mean something in YAML between quotes.
func quoteValues(head string) string {
	return plainValue().ReplaceAllStringFunc(head, func(line string) string {
		key, value, _ := strings.Cut(line, ":")
		value = strings.TrimSpace(value)
		if len(value) > 1 && value[0] == value[len(value)-1] && (value[0] == '"' || value[0] == '\'') {
			return line
		}
		return key + `: "` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(value) + `"`
	})
}

// condition gives the patterns of the files that a rule is about, as in .gitignore and as
// they are written; none for a rule that always holds.
func condition(text string) (patterns, written []string) {
	read := frontMatter().FindStringSubmatch(text)
	if read == nil {
		return nil, nil
	}
	keys, ok := frontKeys(read[1])
	if !ok {
		return nil, nil
	}
	always := true
	var add func(*strict.Node)
	add = func(n *strict.Node) {
		if items := n.Items(); items != nil {
			for i := range items {
				add(&items[i])
			}
			return
		}
		if n.Kind() != strict.Text {
			return
		}
		text, _ := n.Text()
		written = append(written, text)
		for _, p := range splitPatterns(text) {
			if p = strings.TrimSuffix(p, "/**"); p != "" && len(patterns) < maxPatterns {
				patterns, always = append(patterns, p), always && p == "**"
			}
		}
	}
	if _, paths := keys.Member("paths"); paths != nil {
		add(paths)
	}
	if always {
		return nil, nil
	}
	return patterns, written
}

// splitPatterns parts a list in one text at its commas, those between braces aside, and
// gives a pattern for each of the alternatives between braces.
func splitPatterns(text string) []string {
	var out []string
	depth, start := 0, 0
	for i := range len(text) + 1 {
		switch {
		case i == len(text) || text[i] == ',' && depth == 0:
			if p := strings.TrimSpace(text[start:i]); p != "" {
				out = alternatives(out, p)
			}
			start = i + 1
		case text[i] == '{':
			depth++
		case text[i] == '}':
			depth--
		}
	}
	return out
}

// alternatives adds the patterns that one with braces stands for.
func alternatives(out []string, p string) []string {
	from := strings.IndexByte(p, '{')
	to := strings.IndexByte(p, '}')
	if from < 0 || to < from+2 || len(p) > maxGlob {
		return append(out, p)
	}
	for one := range strings.SplitSeq(p[from+1:to], ",") {
		if len(out) >= maxPatterns {
			break
		}
		out = alternatives(out, p[:from]+strings.TrimSpace(one)+p[to+1:])
	}
	return out
}

// matches reports whether a rule is about a file: its patterns are those of a .gitignore
// in the folder that they start from, and letter case doesn't count.
func (c *conditional) matches(file string) bool {
	if c.from != "" {
		name, ok := below(c.from, file)
		return ok && appliesMatch(c.patterns, name)
	}
	name, ok := below(c.file.base, file)
	if !ok || name == "." {
		return false
	}
	rules := ignore.Parse(".", strings.ToLower(strings.Join(c.patterns, "\n")), nil)
	parts := strings.Split(strings.ToLower(name), "/")
	effort := ignore.Effort{Left: ignore.MaxEffort / maxRules}
	for i, part := range parts {
		if rules.Ignored(path.Join(append([]string{"."}, parts[:i]...)...), part, i < len(parts)-1, &effort) {
			return effort.Left >= 0
		}
	}
	return false
}
