package workspace

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	// maxPattern is the longest pattern in bytes.
	maxPattern = 1024
	// maxMeetings bounds the number of patterns times the number of allow rules,
	// since each pattern is compared with each allowed area.
	maxMeetings = 1 << 14

	wildcards = `*?[`
	folders   = "**" // the name in a pattern that matches any number of folders, or none
)

// target is the target of a rule, parsed.
type target struct {
	folder string   // the path, or the folder before the first wildcard; as written, without escapes
	names  []string // the names below it; nil for a path
	// static and rest are the two parts of a pattern as written.
	static, rest string
}

// parseTarget parses a target. A target with an unescaped `*`, `?` or `[` is a pattern.
func parseTarget(written string) (target, error) {
	if !strings.ContainsAny(written, wildcards) {
		return target{folder: written}, nil
	}
	first := firstWildcard(written)
	if first < 0 {
		return target{folder: unescape(written)}, nil
	}
	t := target{rest: written}
	if slash := strings.LastIndexByte(written[:first], '/'); slash >= 0 {
		t.static, t.rest = written[:slash+1], written[slash+1:]
		t.folder = unescape(t.static)
	}
	if len(written) > maxPattern {
		return t, fmt.Errorf("the pattern is longer than %d bytes", maxPattern)
	}
	if !strings.Contains(written, "/") {
		t.names = append(t.names, folders)
	}
	for name := range strings.SplitSeq(t.rest, "/") {
		switch name {
		case "", ".":
			continue
		case "..":
			return t, errors.New("`..` follows a wildcard")
		}
		names, err := parseName(name)
		if err != nil {
			return t, err
		}
		t.names = append(t.names, names...)
	}
	t.names = slices.CompactFunc(t.names, func(a, b string) bool { return a == folders && b == folders })
	return t, nil
}

// firstWildcard is the offset of the first unescaped wildcard, or -1.
func firstWildcard(s string) int {
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' {
			i++
		} else if strings.IndexByte(wildcards, s[i]) >= 0 {
			return i
		}
	}
	return -1
}

func unescape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			i++
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// EscapeTarget writes a path as the target of a rule. It puts `\` before each wildcard, so
// that the rule is about that path alone.
func EscapeTarget(path string) string {
	path = filepath.ToSlash(path)
	if !strings.ContainsAny(path, wildcards) {
		return path
	}
	return escaper.Replace(path)
}

var escaper = strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`)

// parseName checks one name of a pattern. `**` next to other characters crosses folders as
// well, so `**.pem` becomes `**` and `*.pem`.
func parseName(name string) ([]string, error) {
	for i := 0; i < len(name); {
		if run := len(name[i:]) - len(strings.TrimLeft(name[i:], "*")); run > 1 {
			before, after := name[:i], name[i+run:]
			switch {
			case before == "" && after == "":
				return []string{folders}, nil
			case after == "":
				return []string{before + "*", folders}, nil
			case before != "":
				return nil, fmt.Errorf("`**` is between other characters of the name %q", name)
			}
			rest, err := parseName("*" + after)
			return append([]string{folders}, rest...), err
		}
		n, err := element(name[i:])
		if err != nil {
			return nil, err
		}
		i += n
	}
	return []string{name}, nil
}

// element is the length of the first element of a pattern: a character, an escaped one, a
// wildcard or a class.
func element(p string) (int, error) {
	switch p[0] {
	case '\\':
		if len(p) == 1 {
			return 0, errors.New("`\\` is the last character of a name")
		}
		_, n := utf8.DecodeRuneInString(p[1:])
		return 1 + n, nil
	case '[':
		_, n := inClass(p, 0)
		if n == 0 {
			return 0, errors.New("`[` has no `]` in the same name")
		}
		return n, nil
	}
	_, n := utf8.DecodeRuneInString(p)
	return n, nil
}

// inClass reports whether the class at the start of a pattern has a character, and the
// length of the class: 0 if it isn't closed.
func inClass(p string, r rune) (in bool, n int) {
	i := 1
	not := strings.HasPrefix(p[i:], "!") || strings.HasPrefix(p[i:], "^")
	if not {
		i++
	}
	char := func() (c rune) {
		if i < len(p) && p[i] == '\\' {
			i++
		}
		c, n := utf8.DecodeRuneInString(p[i:])
		i += n
		return c
	}
	for start := i; i < len(p); {
		if p[i] == ']' && i > start {
			return in != not, i + 1
		}
		low := char()
		high := low
		if i+1 < len(p) && p[i] == '-' && p[i+1] != ']' {
			i++
			high = char()
		}
		in = in || low <= r && r <= high
	}
	return false, 0
}

// matchName reports whether a name matches a name of a pattern. A name that is written like
// the pattern matches as well: `[id]` matches `[id]`.
func matchName(pattern, name string) bool { return pattern == name || matchStars(pattern, name) }

// matchStars takes as many steps as the product of the two lengths at most, because only
// the last star is tried again.
func matchStars(pattern, name string) bool {
	p, n := 0, 0
	star, from := -1, 0
	for n < len(name) {
		if p < len(pattern) && pattern[p] == '*' {
			p++
			star, from = p, n
			continue
		}
		if p < len(pattern) {
			if size, ok := matchElement(pattern[p:], name[n:]); ok {
				length, _ := element(pattern[p:])
				p, n = p+length, n+size
				continue
			}
		}
		if star < 0 {
			return false
		}
		_, size := utf8.DecodeRuneInString(name[from:])
		from += size
		p, n = star, from
	}
	return strings.Trim(pattern[p:], "*") == ""
}

// matchElement matches the first element of a pattern with the first character of a name,
// and gives the length of that character.
func matchElement(pattern, name string) (size int, ok bool) {
	r, size := utf8.DecodeRuneInString(name)
	switch pattern[0] {
	case '?':
		return size, true
	case '[':
		in, _ := inClass(pattern, r)
		return size, in
	case '\\':
		pattern = pattern[1:]
	}
	c, _ := utf8.DecodeRuneInString(pattern)
	return size, c == r
}

// states says after which names of a pattern a path can be. The last state is a match.
type states []bool

func (r *Rule) start() states {
	s := make(states, len(r.names)+1)
	s[0] = true
	return s.skip(r.names)
}

// skip adds the states after folders that match nothing.
func (s states) skip(names []string) states {
	for i, name := range names {
		s[i+1] = s[i+1] || s[i] && name == folders
	}
	return s
}

func (s states) matched() bool { return s[len(s)-1] }

// next are the states after one more name of the path, by its [spelling].
func (r *Rule) next(s states, name string) states {
	out := make(states, len(s))
	for i, pattern := range r.names {
		switch {
		case !s[i]:
		case pattern == folders:
			out[i] = true
		case matchName(spelling(pattern, foldDeny), name):
			out[i+1] = true
		}
	}
	return out.skip(r.names)
}

// follow gives the states at the folder of a pattern and at each name of a path below it;
// nil if the path isn't there.
func (r *Rule) follow(path string) []states {
	rel, ok := below(spelling(r.base, foldDeny), spelling(path, foldDeny))
	if !ok {
		return nil
	}
	out := []states{r.start()}
	if rel != "." {
		for name := range strings.SplitSeq(rel, "/") {
			out = append(out, r.next(out[len(out)-1], name))
		}
	}
	return out
}

// matches reports whether a pattern covers a path: the entry that it matches, and what is
// below that entry.
func (r *Rule) matches(path string) bool {
	at := r.follow(path)
	if !r.Recursive && len(at) > 2 {
		at = at[len(at)-2:]
	}
	return slices.ContainsFunc(at, states.matched)
}

// hasAll reports whether a rule covers all of an area.
func (r *Rule) hasAll(a area) bool {
	if !r.Pattern {
		var one areas
		one.add(r.area())
		return one.covers(a)
	}
	parts := r.within(a)
	return len(parts) > 0 && parts[0].target == a.target && parts[0].names == nil && parts[0].reach <= a.reach
}

// within are the parts of an allowed area that a pattern covers.
func (r *Rule) within(a area) []area {
	part := r.area()
	at := r.follow(a.target)
	if at == nil {
		rel, ok := below(spelling(a.target, foldDeny), spelling(r.base, foldDeny))
		switch {
		case !ok || a.reach != all && strings.Contains(rel, "/"):
			return nil
		case a.reach == all:
			return []area{part}
		case !r.start().matched():
			return nil
		}
		part.names, part.reach = nil, itself
		return []area{part}
	}
	part.target, part.trust = a.target, min(a.trust, part.trust)
	add := func(out []area, names []string, reach reach) []area {
		part.names, part.reach = names, max(reach, a.reach)
		return append(out, part)
	}
	last := at[len(at)-1]
	if r.Recursive && slices.ContainsFunc(at, states.matched) {
		return add(nil, nil, all)
	}
	var out []area
	if last.matched() {
		out = add(out, nil, children)
	} else if len(at) > 1 && at[len(at)-2].matched() {
		out = add(out, nil, itself)
	}
	for i, name := range r.names {
		switch {
		case !last[i]:
		case a.reach == all:
			// A state after `**` is one of those that `**` leads to.
			if i == 0 || !last[i-1] || r.names[i-1] != folders {
				out = add(out, r.names[i:], r.area().reach)
			}
		case name != folders && (i+1 == len(r.names) || i+2 == len(r.names) && r.names[i+1] == folders):
			out = add(out, r.names[i:i+1], itself)
		}
	}
	return out
}
