package profile

import (
	"path"
	"regexp"
	"strings"

	"github.com/cento-dev/cento"
)

const (
	// maxIncluded is how many makefiles are read that others include.
	maxIncluded = 16
	// maxIncludes is how many words behind include are looked at.
	maxIncludes = 64
)

func (b *buildFiles) make() {
	name, _, ok := b.tool(tool{"make", "Make"}, "GNUmakefile", "makefile", "Makefile")
	if !ok {
		return
	}
	m := makeReader{buildFiles: b, rules: []makeRules{{}}, seen: map[string]bool{}}
	m.file(name)
	rules := m.rules[0]
	for _, t := range makeNames {
		for name := range strings.FieldsSeq(t.names) {
			for _, form := range m.stems {
				if at, ok := rules[form.before+name+form.after]; ok {
					m.add(name, at)
				}
			}
		}
	}
	command := func(t string) string { return "make " + t }
	if at, ok := rules["check"]; ok && makeLints().MatchString(m.check.String()) && !makeTests().MatchString(m.check.String()) {
		delete(rules, "check")
		if _, there := rules["lint"]; !there {
			b.script(taskLint, command("check"), at)
		}
	}
	b.named(makeNames, rules, command)
}

// The words that tell what a target named check does, where it isn't the tests as
// GNU's standards have it.
var (
	makeLints = lazily(`(?i)lint|\bvet\b|\bfmt\b|\bformat|\bruff\b|\bclippy\b|staticcheck|shellcheck|cppcheck|flake8|prettier|biome|\btsc\b|mypy|pyright`)
	makeTests = lazily(`(?i)test|\bspecs?\b`)
)

// makeRules are the targets of rules, each with the place of the first.
type makeRules map[string]cento.Position

// stemForm is a rule that makes whatever has a name by another target, as
// `%: common-%` makes lint by common-lint.
type stemForm struct{ before, after string }

// makeReader reads makefiles as far as targets are concerned. Variables aren't
// known, so what stands under a condition is there only if it stands in every
// branch, and what is named by a variable isn't followed.
type makeReader struct {
	*buildFiles
	// rules are those of the file, and on top those of the branches of open
	// conditions.
	rules []makeRules
	open  []makeCondition
	stems []stemForm
	seen  map[string]bool
	asked int             // words behind include
	check strings.Builder // what stands behind check:, and its recipe
}

// makeCondition is an open ifdef or its like.
type makeCondition struct {
	common makeRules // the targets of every branch so far; nil before the first ended
	whole  bool      // a bare else was there
}

var (
	makeOpens    = lazily(`^(?:ifdef|ifndef|ifeq|ifneq)\b`)
	makeIncludes = lazily(`^(?:-|s)?include\s+(.*)`)
	// A value for one target: `test: CGO_ENABLED=1`.
	makeAssigns = lazily(`^\s*(?:(?:export|override|private|unexport|undefine)\s+)*[^\s:#=;]+\s*[:+?!]{0,3}=|^\s*(?:unexport|undefine)\s`)
)

// file reads a makefile of the folder, and those that it includes.
func (m *makeReader) file(name string) {
	if m.seen[name] || len(m.seen) > maxIncluded {
		return
	}
	m.seen[name] = true
	text, ok := m.read(name)
	if !ok {
		return
	}
	opened := len(m.open)
	opens, includes, assigns := makeOpens(), makeIncludes(), makeAssigns()
	at, number := m.at(name), 0
	defining, continued, checking := false, false, false
	for line := range strings.SplitSeq(text, "\n") {
		number++
		line = strings.TrimSuffix(line, "\r")
		part := continued
		continued = strings.HasSuffix(line, `\`)
		word := strings.TrimLeft(line, " \t")
		switch {
		case defining:
			defining = !strings.HasPrefix(word, "endef")
		case part || strings.HasPrefix(line, "\t"):
			if checking {
				m.check.WriteString(line + "\n")
			}
		case strings.HasPrefix(word, "#"), word == "":
		case strings.HasPrefix(word, "define "):
			defining = true
		case opens.MatchString(word):
			m.open = append(m.open, makeCondition{})
			m.rules = append(m.rules, makeRules{})
		case strings.HasPrefix(word, "else"), strings.HasPrefix(word, "endif"):
			if len(m.open) > opened {
				m.branch(word)
			}
		case includes.MatchString(word):
			m.include(includes.FindStringSubmatch(word)[1])
		default:
			at.Line, at.Column = number, 1+len(line)-len(word)
			checking = m.rule(line, at, assigns)
		}
	}
	m.open, m.rules = m.open[:opened], m.rules[:opened+1]
}

// branch ends a branch of a condition, and with endif the condition.
func (m *makeReader) branch(word string) {
	c := &m.open[len(m.open)-1]
	top := len(m.rules) - 1
	if c.common == nil {
		c.common = m.rules[top]
	} else {
		for name := range c.common {
			if _, there := m.rules[top][name]; !there {
				delete(c.common, name)
			}
		}
	}
	m.rules[top] = makeRules{}
	if rest, ok := strings.CutPrefix(word, "else"); ok {
		rest, _, _ = strings.Cut(rest, "#")
		c.whole = c.whole || strings.TrimSpace(rest) == ""
		return
	}
	m.rules = m.rules[:top]
	if c.whole {
		for name, at := range c.common {
			m.add(name, at)
		}
	}
	m.open = m.open[:len(m.open)-1]
}

func (m *makeReader) add(name string, at cento.Position) {
	rules := m.rules[len(m.rules)-1]
	if _, there := rules[name]; !there {
		rules[name] = at
	}
}

// rule takes the targets of a line, if it is one of a rule, and reports whether
// check is among them.
func (m *makeReader) rule(line string, at cento.Position, assigns *regexp.Regexp) (checks bool) {
	end := ruleEnd(line)
	if end < 0 {
		return false
	}
	names, rest := strings.TrimSuffix(line[:end], "&"), strings.TrimLeft(line[end:], ":")
	if assigns.MatchString(rest) {
		return false
	}
	if strings.TrimSpace(names) == "%" {
		prerequisites, _, command := strings.Cut(rest, ";") // without a recipe it would undo a rule
		before, after, ok := strings.Cut(strings.TrimSpace(prerequisites), "%")
		if ok && command && !strings.ContainsAny(before+after, " \t%$") && before+after != "" && len(m.open) == 0 {
			m.stems = append(m.stems, stemForm{before, after})
		}
		return false
	}
	for name := range strings.FieldsSeq(names) {
		if !strings.ContainsAny(name, "$%()") {
			m.add(name, at)
		}
		if name == "check" {
			checks = true
			m.check.WriteString(rest + "\n")
		}
	}
	return checks
}

// ruleEnd is where the colon of a rule stands in a line, -1 for a line that is
// none: an assignment has a sign of equality before any colon, or behind it.
func ruleEnd(line string) int {
	depth := 0
	for i := range len(line) {
		switch c := line[i]; {
		case c == '(' || c == '{':
			depth++
		case c == ')' || c == '}':
			depth = max(0, depth-1)
		case depth > 0:
		case c == '=' || c == '#':
			return -1
		case c == ':':
			if strings.HasPrefix(strings.TrimLeft(line[i:], ":"), "=") {
				return -1
			}
			return i
		}
	}
	return -1
}

// include reads what an include names, as far as it is a file of the project that
// is named without a variable, but for the folder that make runs in.
func (m *makeReader) include(words string) {
	words, _, _ = strings.Cut(words, "#")
	for word := range strings.FieldsSeq(words) {
		if m.asked++; m.asked > maxIncludes {
			return
		}
		for _, here := range []string{"$(CURDIR)/", "${CURDIR}/"} {
			word = strings.TrimPrefix(word, here)
		}
		name := path.Clean(word)
		if strings.ContainsAny(word, "$\\") || path.IsAbs(name) || name == ".." || strings.HasPrefix(name, "../") {
			continue
		}
		if !strings.ContainsAny(name, "*?[") {
			if m.regular(name) {
				m.file(name)
			}
			continue
		}
		dir, form := path.Split(name)
		entries, err := m.tree.ReadDir(path.Join(m.dir, dir), maxFolder)
		if err != nil || strings.ContainsAny(dir, "*?[") {
			continue
		}
		for _, e := range entries {
			if ok, err := path.Match(form, e.Name); ok && err == nil && showable(e.Name) && m.regular(dir+e.Name) {
				m.file(dir + e.Name)
			}
		}
	}
}

// regular reports whether a file is there. One that isn't may be yet to be made.
func (m *makeReader) regular(name string) bool {
	if !showable(name) {
		return false
	}
	info, err := m.tree.Stat(path.Join(m.dir, name))
	return err == nil && info.Mode().IsRegular()
}
