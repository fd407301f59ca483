// Package ignore holds files against the rules of .gitignore: [Parse] reads one
// such file on top of those above it, and [Rules.Ignored] asks all of them about
// one entry of a folder. It reads no files. Whoever walks a tree asks about each
// folder before looking into it, since what lies in an ignored one is ignored too,
// whatever rules it has itself.
//
// The last pattern that matches decides, a file nearer to the entry before one
// further up. What git says about globs is what doublestar matches, but for braces,
// which git takes as they are; the rest of the format is here. A test asks git.
//
// Patterns and names are a stranger's, so that both are bounded, see [Effort].
package ignore

import (
	"path"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// Rules are the patterns of one .gitignore, and of those above it. Nil has none.
type Rules struct {
	dir   string // of the file, in the tree; "." for the root
	above *Rules
	rules []rule // in the order of the file
}

type rule struct {
	pattern string // for doublestar
	// exact: the pattern has no special characters.
	exact bool
	// prefix and suffix are what every match begins and ends with, so that most
	// names are refused without a look at the pattern.
	prefix, suffix string
	negated        bool
	folders        bool // folders alone
	anchored       bool // matched against the path, not the name
}

// maxPatterns bounds the patterns of one file, maxPattern the length of one.
// More of them, and longer ones, are written by nobody, and cost time for every
// file of a project.
const (
	maxPatterns = 2000
	maxPattern  = 256
)

// Parse reads the .gitignore of a folder, "." for the root of the tree; above are
// the rules of the folder that it lies in. At most 2,000 patterns are read, and
// none that is longer than 256 bytes.
func Parse(dir, text string, above *Rules) *Rules {
	g := &Rules{dir: dir, above: above}
	for line := range strings.SplitSeq(text, "\n") {
		if len(g.rules) == maxPatterns {
			break
		}
		if r, ok := parseRule(line); ok {
			g.rules = append(g.rules, r)
		}
	}
	if len(g.rules) == 0 {
		return above
	}
	return g
}

func parseRule(line string) (rule, bool) {
	var r rule
	line = trimBlanks(strings.TrimSuffix(line, "\r"))
	if line == "" || line[0] == '#' || len(line) > maxPattern {
		return r, false
	}
	if line[0] == '!' {
		r.negated, line = true, line[1:]
	}
	if strings.HasSuffix(line, "/") {
		r.folders, line = true, line[:len(line)-1]
	}
	if strings.Contains(line, "/") {
		r.anchored = true
		line = strings.TrimPrefix(line, "/")
	}
	if line == "" {
		return r, false
	}
	if strings.Contains(line, "[:") {
		line = posixClasses.Replace(line)
	}
	line = inDoublestar(line)
	if strings.HasSuffix(line, "/**") {
		line += "/*" // what lies below, and not the folder itself
	}
	if !doublestar.ValidatePattern(line) {
		return r, false // git matches nothing with it either
	}
	r.pattern = line
	special := strings.IndexAny(line, `*?[\{}`)
	if r.exact = special < 0; !r.exact {
		r.prefix = line[:special]
		r.suffix = line[strings.LastIndexAny(line, `*?[]\{}`)+1:]
		if strings.Contains(line, "**") {
			// "a/**/b" matches "a/b", and what stands around the stars may share
			// a slash.
			r.prefix, r.suffix = strings.TrimSuffix(r.prefix, "/"), strings.TrimPrefix(r.suffix, "/")
		}
	}
	return r, true
}

// posixClasses are the named classes of characters, which doublestar doesn't
// know, as ranges. Like git's they are of ASCII alone.
var posixClasses = strings.NewReplacer(
	"[:alnum:]", "0-9A-Za-z", "[:alpha:]", "A-Za-z", "[:digit:]", "0-9", "[:lower:]", "a-z", "[:upper:]", "A-Z",
	"[:xdigit:]", "0-9A-Fa-f", "[:blank:]", " \t", "[:space:]", " \t\n\v\f\r",
)

// inDoublestar writes a pattern of git so that doublestar means the same: braces
// stand for themselves, and so does a bracket that closes a class of nothing.
func inDoublestar(s string) string {
	if !strings.ContainsAny(s, "{}[") && !strings.Contains(s, "***") {
		return s
	}
	var b strings.Builder
	class := false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\' && i+1 < len(s):
			b.WriteString(s[i : i+2])
			i++
		case c == '{' || c == '}':
			b.WriteString(`\` + string(c))
		case c == '[' && !class:
			class = true
			b.WriteByte(c)
			if i+1 < len(s) && (s[i+1] == '!' || s[i+1] == '^') {
				i++
				b.WriteByte(s[i])
				b.WriteByte('/') // which no class of git's matches
			}
			if i+1 < len(s) && s[i+1] == ']' {
				i++
				b.WriteString(`\]`)
			}
		case c == '*' && !class && i > 1 && s[i-1] == '*' && s[i-2] == '*':
			// More than two stars are two.
		case c == ']' && class:
			class = false
			b.WriteByte(c)
		case c == '[' && class:
			b.WriteString(`\[`)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// trimBlanks takes blanks off the end that no backslash protects.
func trimBlanks(s string) string {
	for strings.HasSuffix(s, " ") {
		before := strings.TrimSuffix(s, " ")
		slashes := len(before) - len(strings.TrimRight(before, `\`))
		if slashes%2 == 1 {
			return s
		}
		s = before
	}
	return s
}

// Effort is how much matching is left to a walk: each of many files could be held
// against each of many patterns. It is counted, not timed, so that the result is
// the same everywhere. Below 0, answers mean nothing, and the walk has to end.
type Effort struct{ Left int }

// MaxEffort is what one walk may take: about a quarter of a second.
const MaxEffort = 150_000_000

// Ignored reports whether an entry of a folder that isn't ignored itself is. The
// folder is named from the root of the tree, "." for itself.
func (g *Rules) Ignored(dir, name string, folder bool, e *Effort) bool {
	for ; g != nil; g = g.above {
		rel := ""
		for i := len(g.rules) - 1; i >= 0; i-- {
			r := &g.rules[i]
			if r.folders && !folder {
				continue
			}
			subject := name
			if r.anchored {
				if rel == "" {
					rel = below(g.dir, dir, name)
				}
				subject = rel
			}
			if r.match(subject, e) {
				return !r.negated
			}
		}
	}
	return false
}

func (r *rule) match(subject string, e *Effort) bool {
	e.Left -= 8
	if r.exact {
		return subject == r.pattern
	}
	if !strings.HasPrefix(subject, r.prefix) || !strings.HasSuffix(subject, r.suffix) {
		return false
	}
	if e.Left < 0 {
		return false
	}
	e.Left -= len(r.pattern) * len(subject)
	return doublestar.MatchUnvalidated(r.pattern, subject)
}

// below is the path of an entry from a folder above it.
func below(top, dir, name string) string {
	full := path.Join(dir, name)
	if top == "." {
		return full
	}
	return strings.TrimPrefix(full, top+"/")
}
