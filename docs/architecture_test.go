package docs_test

import (
	"go/parser"
	"go/token"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestArchitecture finds packages and dependencies that the map doesn't show,
// and dependencies that it shows and nobody needs.
func TestArchitecture(t *testing.T) {
	text := read(t, "docs/ARCHITECTURE.md")
	var packages []string
	for _, f := range sourceFiles(t) {
		if p := packageOf(f); !slices.Contains(packages, p) {
			packages = append(packages, p)
		}
	}
	if len(packages) < 15 {
		t.Fatalf("%d packages were found: %q", len(packages), packages)
	}
	for _, p := range packages {
		if p != "cmd/cento" && !strings.Contains(text, "| `"+p+"`") {
			t.Errorf("docs/ARCHITECTURE.md says nothing about package %s", p)
		}
	}
	shown := regexp.MustCompile("(?m)^\\| `([\\w.-]+\\.[a-z]+/[^|]*)`")
	direct := directModules(t)
	var listed []string
	for _, m := range shown.FindAllStringSubmatch(text, -1) {
		listed = append(listed, strings.Split(m[1], "`, `")...)
	}
	for _, m := range direct {
		if !slices.Contains(listed, m) {
			t.Errorf("docs/ARCHITECTURE.md gives no reason for %s", m)
		}
	}
	for _, m := range listed {
		if !slices.Contains(direct, m) {
			t.Errorf("docs/ARCHITECTURE.md gives a reason for %s, which nothing imports", m)
		}
	}
}

// TestArchitectureIsWalked runs what the text follows one fragment with.
func TestArchitectureIsWalked(t *testing.T) {
	_, text, _ := strings.Cut(read(t, "docs/ARCHITECTURE.md"), "## One fragment, followed")
	text, _, ok := strings.Cut(text, "## Invariants")
	if !ok {
		t.Fatal("the section about one fragment isn't there")
	}
	wants := map[string]string{"diff": "requires tool `shell` (not available)", "why": "cento.yaml:", "why wire": "/system/0/text"}
	asked := 0
	for _, m := range regexp.MustCompile("`(cento [a-z]+ [^`]+)`").FindAllStringSubmatch(text, -1) {
		r := newRun(t)
		out, status := r.sh(t, root, m[1])
		what := strings.Fields(m[1])[1]
		if strings.Contains(m[1], "--wire") {
			what += " wire"
		}
		if status > 1 || !strings.Contains(out, wants[what]) || wants[what] == "" {
			t.Errorf("%s: exit code %d, %s", m[1], status, out)
		}
		asked++
	}
	if asked != len(wants) {
		t.Errorf("%d commands are run, and %d are known", asked, len(wants))
	}
	for _, m := range regexp.MustCompile("`([a-z/]+\\.go)`").FindAllStringSubmatch(text, -1) {
		if _, err := os.Stat(filepath.Join(root, m[1])); err != nil {
			t.Error(err)
		}
	}
}

// directModules are the modules of go.mod that a file of this module imports or
// that are tools of it, tests included.
func directModules(t *testing.T) []string {
	t.Helper()
	mod := read(t, "go.mod")
	var required []string
	for _, m := range regexp.MustCompile(`(?m)^\s*(?:require )?([\w./-]+) v\S+`).FindAllStringSubmatch(mod, -1) {
		required = append(required, m[1])
	}
	// The longest first: a module may lie below another.
	slices.SortFunc(required, func(a, b string) int { return len(b) - len(a) })
	moduleOf := func(pkg string) string {
		for _, m := range required {
			if pkg == m || strings.HasPrefix(pkg, m+"/") {
				return m
			}
		}
		return ""
	}
	used := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^tool (\S+)$`).FindAllStringSubmatch(mod, -1) {
		used[moduleOf(m[1])] = true
	}
	fset := token.NewFileSet()
	err := filepath.WalkDir(root, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		f, err := parser.ParseFile(fset, path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, i := range f.Imports {
			used[moduleOf(strings.Trim(i.Path.Value, `"`))] = true
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	delete(used, "")
	if len(used) < 5 {
		t.Fatalf("%d modules are used", len(used))
	}
	return slices.Sorted(maps.Keys(used))
}

// TestPaths looks for the files that documents name in their text.
func TestPaths(t *testing.T) {
	named := regexp.MustCompile("`((?:[a-z_.-]+/)*[A-Za-z_-]+\\.(?:go|md|json|sh)|(?:internal|bench|docs|project|cmd|testdata|jinja|toon|token)/[a-z/]*[a-z])`")
	seen := 0
	for _, name := range []string{"README.md", "docs/CONTRIBUTING.md", "docs/SECURITY.md", "AGENTS.md", "docs/ARCHITECTURE.md", "docs/benchmarks.md", "docs/FORMATS.md"} {
		text := fenced.ReplaceAllString(read(t, name), "")
		if before, rest, ok := strings.Cut(text, "\n## The use cases\n"); ok { // TestUseCases
			_, after, _ := strings.Cut(rest, "\n## ")
			text = before + after
		}
		for _, m := range named.FindAllStringSubmatch(text, -1) {
			seen++
			if !exists(m[1]) {
				t.Errorf("%s names %s, which isn't there", name, m[1])
			}
		}
	}
	if seen < 15 {
		t.Errorf("%d names were found", seen)
	}
}

// exists reports whether a path is in the repository. Files that a project of a
// user has count too.
func exists(name string) bool {
	if slices.Contains([]string{"AGENTS.override.md", "CLAUDE.md", "GEMINI.md", ".github/copilot-instructions.md", "tools.json", "approvals.json"}, name) {
		return true
	}
	_, err := os.Stat(filepath.Join(root, filepath.FromSlash(path.Clean(name))))
	return err == nil
}

// TestTracked: git keeps no file that it is told to ignore. Such a file changes without a
// word of git's, and what a test left behind isn't part of the test.
func TestTracked(t *testing.T) {
	list := func(args ...string) []string {
		out, err := exec.Command("git", append([]string{"-C", root, "ls-files", "-z"}, args...)...).Output()
		if err != nil {
			t.Fatalf("git ls-files: %v", err)
		}
		return strings.FieldsFunc(string(out), func(r rune) bool { return r == 0 })
	}
	if len(list()) == 0 {
		t.Fatal("git knows no file")
	}
	for _, file := range list("--cached", "--ignored", "--exclude-per-directory=.gitignore") {
		t.Errorf("%s is ignored, and git keeps it", file)
	}
}

// maxRoot is how many files and folders the root has at most: as many as somebody who
// opens the repository takes in.
const maxRoot = 50

// TestRoot holds the root to what the map says of it: each name that git knows there has
// its line, and each line its name.
func TestRoot(t *testing.T) {
	out, err := exec.Command("git", "-C", root, "ls-files", "-z").Output()
	if err != nil {
		t.Fatalf("git ls-files: %v", err)
	}
	names := map[string]bool{}
	for file := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		name, _, folder := strings.Cut(file, "/")
		if _, err := os.Lstat(filepath.Join(root, name)); err != nil {
			continue // taken away, and git hasn't been told
		}
		if folder {
			name += "/"
		}
		names[name] = true
	}
	if len(names) > maxRoot {
		t.Errorf("the root has %d files and folders, and at most %d are to be", len(names), maxRoot)
	}
	holdTable(t, "The lay-out of the repository", 0, names)
}

// TestUseCases holds the files of internal/app to the questions that the map sorts them by.
func TestUseCases(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(root, "internal/app/*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("internal/app has no files: %v", err)
	}
	names := map[string]bool{}
	for _, file := range files {
		if name := filepath.Base(file); !strings.HasSuffix(name, "_test.go") && name != "names.go" {
			names[name] = true
		}
	}
	holdTable(t, "The use cases", 1, names)
}

// holdTable holds the names in a column of a section's table to those that there are: each
// stands there once.
func holdTable(t *testing.T, section string, column int, names map[string]bool) {
	t.Helper()
	_, text, _ := strings.Cut(read(t, "docs/ARCHITECTURE.md"), "\n## "+section+"\n")
	text, _, ok := strings.Cut(text, "\n## ")
	if !ok {
		t.Fatalf("there is no section %q", section)
	}
	shown := map[string]bool{}
	for line := range strings.Lines(text) {
		cells := strings.Split(strings.TrimPrefix(line, "| "), " |")
		if len(cells) < 2 || !strings.HasPrefix(strings.TrimSpace(cells[column]), "`") {
			continue
		}
		for _, name := range strings.Split(strings.Trim(strings.TrimSpace(cells[column]), "`"), "`, `") {
			if shown[name] {
				t.Errorf("docs/ARCHITECTURE.md shows %s twice in %q", name, section)
			}
			if shown[name] = true; !names[name] {
				t.Errorf("docs/ARCHITECTURE.md shows %s in %q, and it isn't there", name, section)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if !shown[name] {
			t.Errorf("docs/ARCHITECTURE.md says nothing about %s in %q", name, section)
		}
	}
}
