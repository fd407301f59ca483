package workspace

import (
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"golang.org/x/text/unicode/norm"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/strict"
	"github.com/cento-dev/cento/internal/tree"
)

const (
	// maxRules bounds how many files of one folder of rules are considered,
	// maxRuleDepth how deep it is searched, and maxRuleEntries what one of its
	// folders may hold.
	maxRules       = 256
	maxRuleDepth   = 8
	maxRuleEntries = 1000
	// maxGlob is the longest glob that is tried, maxBraces the most of its braces.
	maxGlob   = 256
	maxBraces = 3
)

// rules lists the files of a folder of rules: all that end in .md, at any
// depth, in the order of their paths. Links to folders are not followed.
func (l *loader) rules(folder candidate) []candidate {
	var out []candidate
	full := false
	var list func(dir string, depth int)
	list = func(dir string, depth int) {
		entries, err := folder.tree.ReadDir(dir, maxRuleEntries)
		if err != nil {
			if there(folder.tree, dir) {
				out = append(out, candidate{ground: folder.ground, name: dir, rule: true, problem: err})
			}
			return
		}
		for _, e := range entries {
			name := path.Join(dir, e.Name)
			switch {
			case full:
				return
			case e.Mode.IsDir() && depth < maxRuleDepth:
				list(name, depth+1)
			case e.Mode.IsDir() || !strings.HasSuffix(e.Name, ".md"):
			case len(out) == maxRules:
				full = true
				out = append(out, candidate{ground: folder.ground, name: dir, rule: true, problem: &cento.SourceError{
					Code: tree.TooMany, Message: fmt.Sprintf("more than %d rules: the others are not read", maxRules),
					Position: cento.Position{File: folder.tree.Show(dir)},
				}})
			case e.Mode&fs.ModeType == 0 || e.Mode&fs.ModeSymlink != 0:
				out = append(out, candidate{ground: folder.ground, name: name, rule: true})
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

// condition gives the globs of the files that a rule is about; none for a rule
// that always holds. Front matter that can't be read is no condition, and an
// error to be told about.
func condition(f *tree.File, shown string) ([]string, error) {
	rest, ok := strings.CutPrefix(f.Text, "---\n")
	if !ok {
		return nil, nil
	}
	end := strings.Index("\n"+rest, "\n---")
	if end < 0 {
		return nil, nil
	}
	limits := cento.DefaultLimits()
	node, err := strict.YAML(shown, []byte("\n"+rest[:max(end-1, 0)]), limits) // a line end for the first `---`
	if err != nil {
		return nil, err
	}
	_, paths := node.Member("paths")
	if paths == nil {
		return nil, nil
	}
	var out []string
	if text, ok := paths.Text(); ok {
		out = append(out, text)
	}
	items := paths.Items()
	for i := range items {
		if text, ok := items[i].Text(); ok {
			out = append(out, text)
		}
	}
	return out, nil
}

// matches reports whether a file, by its path from the root, is one that a
// rule is about.
func matches(globs []string, file string) bool {
	for _, g := range globs {
		// Braces are tried one by one, so that many of them would never end.
		if len(g) > maxGlob || strings.Count(g, "{") > maxBraces {
			continue
		}
		if ok, err := doublestar.Match(strings.TrimPrefix(g, "./"), file); ok && err == nil {
			return true
		}
	}
	return false
}
