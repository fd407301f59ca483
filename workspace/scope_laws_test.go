package workspace_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cento-dev/cento/workspace"
)

// drawPath draws paths of a small tree, so that rules often meet.
func drawPath(t *rapid.T, label string) string {
	parts := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c", "ab"}), 0, 4).Draw(t, label)
	return "/nowhere/" + strings.Join(parts, "/")
}

// drawPattern draws targets that often have wildcards, as absolute patterns or below a base.
func drawPattern(t *rapid.T) string {
	names := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "ab", "**", "**", "*", "a*", "*b", "?", "[ab]", "[!a]", `a\*`, "**b", "a**", "[ab]b"}), 1, 4).Draw(t, "names")
	return rapid.SampledFrom([]string{"/nowhere/", "/nowhere/", "/nowhere/a/", "/nowhere/b/a/", "/", "", "./"}).Draw(t, "from") + strings.Join(names, "/")
}

func drawRules(t *rapid.T, label string, least int) []workspace.ScopeRule {
	deny := strings.HasSuffix(label, "deny")
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) workspace.ScopeRule {
		recursive := rapid.Bool().Draw(t, "recursive")
		target := drawPath(t, "target")
		if deny && rapid.Bool().Draw(t, "pattern") {
			target = drawPattern(t)
		}
		return workspace.ScopeRule{
			Target:     target,
			Permission: rapid.SampledFrom([]workspace.Permission{workspace.Read, workspace.Write}).Draw(t, "permission"),
			Recursive:  &recursive,
		}
	}), least, 5).Draw(t, label)
}

// matches is the rule in the simplest words, to compare with.
func matches(r workspace.ScopeRule, path string) bool {
	path = strings.TrimSuffix(path, "/") // "/nowhere/" is the folder itself, not an entry in it
	if target := r.Target; strings.ContainsAny(target, `*?[`) {
		switch {
		case !strings.Contains(target, "/"):
			target = "/nowhere/a/**/" + target
		case !strings.HasPrefix(target, "/"):
			target = "/nowhere/a/" + strings.TrimPrefix(target, "./")
		}
		return readPattern(target, *r.Recursive, false).MatchString(path)
	}
	target := strings.TrimSuffix(r.Target, "/")
	if !strings.HasPrefix(r.Target, "/") {
		target = "/nowhere/a/" + strings.TrimPrefix(target, "./")
	}
	if path == target {
		return true
	}
	if *r.Recursive {
		return strings.HasPrefix(path, target+"/")
	}
	return filepath.ToSlash(filepath.Dir(path)) == target
}

// readPattern is a pattern as people read it: a regular expression for the entries that it
// matches and what is below them, or direct children, or nothing.
func readPattern(pattern string, recursive, alone bool) *regexp.Regexp {
	var b strings.Builder
	b.WriteString(`^`)
	for name := range strings.SplitSeq(strings.Trim(pattern, "/"), "/") {
		if name == "**" {
			b.WriteString(`(/[^/]+)*`)
			continue
		}
		glob := regexp.QuoteMeta(name)
		for _, x := range [][2]string{{`\*\*`, `.*`}, {`\\\*`, "\x00"}, {`\*`, `[^/]*`}, {"\x00", `\*`}, {`\?`, `[^/]`}, {`\[!`, `[^/`}, {`\[`, `[`}, {`\]`, `]`}} {
			glob = strings.ReplaceAll(glob, x[0], x[1])
		}
		b.WriteString(`/(` + glob + `|` + regexp.QuoteMeta(name) + `)`)
	}
	switch {
	case alone:
	case recursive:
		b.WriteString(`(/.*)?`)
	default:
		b.WriteString(`(/[^/]*)?`)
	}
	return regexp.MustCompile(b.String() + `$`)
}

func TestScopeLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cfg := workspace.ScopeConfig{Allow: drawRules(t, "allow", 1), Deny: drawRules(t, "deny", 0)}
		path := drawPath(t, "path")
		ask := func(cfg workspace.ScopeConfig) (workspace.Permission, []workspace.Rule) {
			s, err := workspace.ResolveScope(cfg, "/nowhere/a")
			if err != nil {
				t.Fatal(err)
			}
			return s.Permission(path)
		}
		got, rules := ask(cfg)

		// It is the highest allow, strictly below the lowest deny.
		want := workspace.None
		for _, r := range cfg.Allow {
			if matches(r, path) {
				want = max(want, r.Permission)
			}
		}
		for _, r := range cfg.Deny {
			if matches(r, path) {
				want = min(want, r.Permission-1)
			}
		}
		if got != want {
			t.Fatalf("%s at %s, want %s", got, path, want)
		}
		// The deciding rules alone decide the same.
		only := workspace.ScopeConfig{Allow: []workspace.ScopeRule{flat("/unrelated", workspace.Read)}}
		for _, r := range rules {
			rule := workspace.ScopeRule{Target: r.Target, Permission: r.Permission, Recursive: &r.Recursive}
			if r.Effect == workspace.Allow {
				only.Allow = append(only.Allow, rule)
			} else {
				only.Deny = append(only.Deny, rule)
			}
		}
		if again, _ := ask(only); again != got {
			t.Fatalf("the rules that decide %s give %s", got, again)
		}
		// Order plays no part.
		turned := workspace.ScopeConfig{Allow: slices.Clone(cfg.Allow), Deny: slices.Clone(cfg.Deny)}
		slices.Reverse(turned.Allow)
		slices.Reverse(turned.Deny)
		if other, _ := ask(turned); other != got {
			t.Fatalf("in another order it is %s, not %s", other, got)
		}
		// A further allow rule never takes away, a further deny rule never gives.
		more := cfg
		more.Allow = append(slices.Clone(cfg.Allow), drawRules(t, "more allow", 1)...)
		if p, _ := ask(more); p < got {
			t.Fatalf("allowing more gives %s, not %s", p, got)
		}
		less := cfg
		less.Deny = append(slices.Clone(cfg.Deny), drawRules(t, "more deny", 1)...)
		if p, _ := ask(less); p > got {
			t.Fatalf("denying more gives %s, not %s", p, got)
		}
		// What is denied follows after all else, so that it can be left out.
		whole, err := workspace.ResolveScope(cfg, "/nowhere/a")
		if err != nil {
			t.Fatal(err)
		}
		hidden := cfg
		hidden.ShowDenied = &no
		s, err := workspace.ResolveScope(hidden, "/nowhere/a")
		if err != nil {
			t.Fatal(err)
		}
		if rest, ok := strings.CutPrefix(whole.Summary(), s.Summary()); !ok || rest != "" && !strings.HasPrefix(rest, "\nRead only:\n") && !strings.HasPrefix(rest, "\nNot accessible:\n") {
			t.Fatalf("%q doesn't go on as %q", s.Summary(), whole.Summary())
		}
		// The summary has a line for each allow rule, in order.
		readable, writable, _ := strings.Cut(s.Summary(), "\nWritable:\n")
		lines := strings.Split(strings.TrimPrefix(readable, "Readable:\n"), "\n")
		if len(lines) != len(cfg.Allow) {
			t.Fatalf("%d lines for %d rules", len(lines), len(cfg.Allow))
		}
		w := 0
		for i, r := range s.Rules()[:len(cfg.Allow)] {
			line := "  - " + r.Target
			if !r.Recursive {
				line += " [non-recursive]"
			}
			if lines[i] != line {
				t.Fatalf("line %d is %q, want %q", i, lines[i], line)
			}
			if r.Permission == workspace.Write {
				if got := strings.Split(writable, "\n")[w]; got != line {
					t.Fatalf("writable line %d is %q, want %q", w, got, line)
				}
				w++
			}
		}
	})
}

// FuzzScope holds that no path, however written, gets more than one below the
// lowest deny rule above it, and that no target breaks out of its line.
func FuzzScope(f *testing.F) {
	for _, s := range [][2]string{
		{"a", "a/b"}, {"a", "a/../a/b"}, {"a/", "a//b"}, {".", "x"}, {"..", "/"}, {"a\nb", "a"}, {"link", "link/x"}, {"secret", "link/../secret/k"}, {"~", "~"}, {"a", "A"},
	} {
		f.Add(s[0], s[1])
	}
	dir, err := filepath.EvalSymlinks(f.TempDir())
	if err != nil {
		f.Fatal(err)
	}
	for _, d := range []string{"secret", "open/deep"} {
		if err := os.MkdirAll(filepath.Join(dir, d), 0o755); err != nil {
			f.Fatal(err)
		}
	}
	if err := os.Symlink("open/deep", filepath.Join(dir, "link")); err != nil {
		f.Skip("no links here: ", err)
	}
	f.Fuzz(func(t *testing.T, target, path string) {
		s, err := workspace.ResolveScope(workspace.ScopeConfig{
			Allow: []workspace.ScopeRule{allow("/", workspace.Write)},
			Deny:  []workspace.ScopeRule{allow("secret", workspace.Read), allow(target, workspace.Write)},
		}, dir)
		if err != nil {
			return
		}
		blocks := []string{"Readable:", "Writable:", "Read only:", "Not accessible:"}
		for line := range strings.SplitSeq(s.Summary(), "\n") {
			if rest, listed := strings.CutPrefix(line, "  - "); listed && filepath.IsAbs(rest) {
				continue
			}
			i := slices.Index(blocks, line)
			if i < 0 {
				t.Fatalf("the line %q in %q", line, s.Summary())
			}
			blocks = blocks[i+1:]
		}
		for _, q := range []string{path, "secret/" + path, target + "/" + path} {
			got, _ := s.Permission(q)
			abs := q
			if !filepath.IsAbs(q) {
				abs = dir + "/" + q
			}
			// What the system itself says the place is, where it can say so.
			real, err := filepath.EvalSymlinks(abs)
			if err != nil {
				continue
			}
			if real == dir+"/secret" || strings.HasPrefix(real, dir+"/secret/") {
				if got != workspace.None {
					t.Fatalf("%q is %q and has permission %s", q, real, got)
				}
			}
		}
	})
}

// TestSummaryAgreesWithPermission reads the summary as a model would: of the
// blocks that name a path the last one holds. Whatever the rules are, that is
// what the scope permits.
func TestSummaryAgreesWithPermission(t *testing.T) {
	var paths []string
	parts := []string{"a", "b", "ab", "[ab]"}
	for level := []string{"/nowhere"}; len(level) > 0 && strings.Count(level[0], "/") <= 5; {
		paths = append(paths, level...)
		var next []string
		for _, p := range level {
			for _, part := range parts {
				next = append(next, p+"/"+part)
			}
		}
		level = next
	}
	if len(paths) < 100 {
		t.Fatalf("%d paths are too few", len(paths))
	}
	told := map[string]bool{}
	rapid.Check(t, func(t *rapid.T) {
		s, err := workspace.ResolveScope(workspace.ScopeConfig{Allow: drawRules(t, "allow", 1), Deny: drawRules(t, "deny", 0)}, "/nowhere/a")
		if err != nil {
			t.Fatal(err)
		}
		summary := strings.ReplaceAll(s.Summary(), filepath.VolumeName(mustAbs(t)), "")
		for _, path := range paths {
			said, block := readSummary(t, summary, path)
			told[block] = true
			if got, rules := s.Permission(path); got != said {
				t.Fatalf("%s: %s is permitted by %v, and the words say %s:\n%s", path, got, rules, said, summary)
			}
		}
	})
	for _, block := range []string{"", "Readable:", "Writable:", "Read only:", "Not accessible:"} {
		if !told[block] {
			t.Errorf("no path was told under %q", block)
		}
	}
}

func mustAbs(t *rapid.T) string {
	dir, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// readSummary is what the words say of a path, and the block that says so.
func readSummary(t *rapid.T, summary, path string) (said workspace.Permission, block string) {
	means := map[string]workspace.Permission{
		"Readable:": workspace.Read, "Writable:": workspace.Write, "Read only:": workspace.Read, "Not accessible:": workspace.None,
	}
	heading := ""
	for line := range strings.SplitSeq(summary, "\n") {
		target, listed := strings.CutPrefix(line, "  - ")
		if !listed {
			heading = line
			if _, known := means[heading]; !known {
				t.Fatalf("a line %q", line)
			}
			continue
		}
		target, alone := strings.CutSuffix(target, " [this path alone]")
		target, flat := strings.CutSuffix(target, " [non-recursive]")
		if strings.HasSuffix(heading, "only:") || strings.HasPrefix(heading, "Not") {
			if readPattern(target, !flat, alone).MatchString(path) {
				said, block = means[heading], heading
			}
			continue
		}
		rest, below := strings.CutPrefix(path, target+"/")
		if path == target || below && !alone && (!flat || !strings.Contains(rest, "/")) {
			said, block = means[heading], heading
		}
	}
	return said, block
}
