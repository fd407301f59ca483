package ignore

import (
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// ignoredByUs walks a list of paths as the walk does, from folder to folder, and
// gives those that are ignored.
func ignoredByUs(paths []string, files map[string]string) map[string]bool {
	out := map[string]bool{}
	rules := map[string]*Rules{}
	e := &Effort{MaxEffort}
	var rulesOf func(dir string) *Rules
	rulesOf = func(dir string) *Rules {
		if r, ok := rules[dir]; ok {
			return r
		}
		var above *Rules
		if dir != "." {
			above = rulesOf(path.Dir(dir))
		}
		text, ok := files[path.Join(dir, ".gitignore")]
		if ok {
			above = Parse(dir, text, above)
		}
		rules[dir] = above
		return above
	}
	for _, p := range paths {
		parts := strings.Split(p, "/")
		for i := range parts {
			dir := path.Join(append([]string{"."}, parts[:i]...)...)
			if rulesOf(dir).Ignored(dir, parts[i], i < len(parts)-1, e) {
				out[p] = true
				break
			}
		}
	}
	return out
}

// ignoredByGit asks git.
func ignoredByGit(t interface{ Fatalf(string, ...any) }, dir string, paths []string) map[string]bool {
	cmd := exec.Command("git", "check-ignore", "-z", "--no-index", "--stdin")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_DIR="+filepath.Join(dir, ".git"), "GIT_WORK_TREE="+dir)
	cmd.Stdin = strings.NewReader(strings.Join(paths, "\x00"))
	text, err := cmd.Output()
	if err != nil && len(text) > 0 {
		t.Fatalf("git check-ignore: %v", err)
	}
	out := map[string]bool{}
	for p := range strings.SplitSeq(strings.TrimSuffix(string(text), "\x00"), "\x00") {
		if p != "" {
			out[p] = true
		}
	}
	return out
}

// emptyRepository is a folder that git takes for a repository.
func emptyRepository(t testing.TB) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("skipped: there is no git to compare with")
	}
	dir := t.TempDir()
	cmd := exec.Command("git", "init", "-q", dir)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return dir
}

func write(t interface{ Fatalf(string, ...any) }, dir, name, text string) {
	file := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatalf("%v", err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatalf("%v", err)
	}
}

var stars = regexp.MustCompile(`[^/*]\*\*|\*\*[^/*]`)

// TestIgnoreIsGits holds the rules against git: on lines that were thought of,
// and on generated ones.
func TestIgnoreIsGits(t *testing.T) {
	dir := emptyRepository(t)
	names := []string{"a", "b", "ab", "a.b", ".a", "a b", "{a,b}", "a#", "!a", "[a]", "aab"}
	var paths []string
	for _, x := range names {
		paths = append(paths, x+".f")
		for _, y := range names[:5] {
			paths = append(paths, x+"/"+y+".f")
			for _, z := range names[:3] {
				paths = append(paths, x+"/"+y+"/"+z+".f", x+"/"+y+"/"+z+"/a.f")
			}
		}
	}
	slices.Sort(paths)
	check := func(t interface {
		Fatalf(string, ...any)
	}, root, nested string) {
		files := map[string]string{".gitignore": root, "a/.gitignore": nested}
		for name, text := range files {
			write(t, dir, name, text)
		}
		ours, gits := ignoredByUs(paths, files), ignoredByGit(t, dir, paths)
		for _, p := range paths {
			if ours[p] != gits[p] {
				t.Fatalf("%q with %q, and %q in a: git says %v, we say %v", p, root, nested, gits[p], ours[p])
			}
		}
	}
	for _, text := range []string{
		"", "*.f\n", "*\n!a.f\n", "a\n", "/a\n", "a/\n", "a/b\n", "/a/b/\n", "**/a\n", "a/**\n", "a/**/b.f\n", "**\n", "**/\n", "*a*/b*\n",
		"#a\n", "\\#a\n", "\\!a\n", "!a\n", "a#\n", "a \n", "a\\ b\n", "a b\n", "{a,b}\n", "\\{a,b}\n", "[ab].f\n", "[!a].f\n", "[^a].f\n", "[a-b]\n", "\\[a\\]\n", "[\n", "a\\\n", "?.f\n", "??.f\n",
		"a\r\nb\r\n", "/\n", "//\n", "/*\n!/a\n", "/*\n!/a/\n/a/*\n!/a/b/\n", "*.f\n!a/*.f\n", "a.b/*\n", ".*\n", "[[:alpha:]].f\n", "[]a].f\n",
	} {
		check(t, text, "")
		check(t, "", text)
	}
	rapid.Check(t, func(t *rapid.T) {
		line := rapid.Custom(func(t *rapid.T) string {
			parts := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "*", "**", "?", "/", "/", ".f", "[ab]", "[!a]", "\\*", "{", ".", "!"}), 1, 6).Draw(t, "line")
			line := strings.Join(parts, "")
			// Two stars that are no part of a path by themselves: git's answer
			// isn't the same from run to run.
			if stars.MatchString(line) {
				return "a"
			}
			return line
		})
		root := strings.Join(rapid.SliceOfN(line, 0, 3).Draw(t, "root"), "\n")
		nested := strings.Join(rapid.SliceOfN(line, 0, 3).Draw(t, "nested"), "\n")
		check(t, root, nested)
	})
}
