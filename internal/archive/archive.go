// Package archive runs conformance cases for tests. A case is a text archive: a
// comment that says which rule it shows, the files that go in, and below want/ as
// much of what comes out as the rule is about. What a case runs is its package's: this
// one only reads, compares and rewrites. Nothing in it is Go, so programs in
// other languages can be held to the same cases.
package archive

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

// Update asks tests to write what they get into their golden files.
var Update = flag.Bool("update", false, "rewrite the want/ sections of the archives")

// Cases are the archives of a folder.
type Cases struct {
	// Folder lies in the one of the test.
	Folder string
	// Inputs are the files that a case may hold; nil for any.
	Inputs []string
	// Results are the sections that a run can give, as patterns of [path.Match], in
	// the order of an archive; what one pattern names is in the order of names. Nil for cases that
	// are another test's, and only read.
	Results []string
	// Always are those patterns of results that a case has to want when there are
	// any. The others are compared where it wants them.
	Always []string
}

// named says whether a pattern of a list names it.
func named(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return matches(p, name) })
}

func matches(pattern, name string) bool {
	ok, err := path.Match(pattern, name)
	if err != nil {
		panic(fmt.Sprintf("pattern %q of a test: %v", pattern, err))
	}
	return ok
}

// want is where results stand.
const want = "want/"

// file is an archive and its path.
type file struct {
	path string
	*txtar.Archive
}

func (f file) name() string { return strings.TrimSuffix(filepath.Base(f.path), ".txtar") }

// all are the archives, by their paths. It is an error when there are none.
func (c Cases) all(t testing.TB) []file {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(c.Folder, "*.txtar"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no archives in %s: %v", c.Folder, err)
	}
	var out []file
	for _, path := range paths {
		a, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, file{path, a})
	}
	return out
}

// Run runs each case: the function gets its files and returns results by their
// names, which are compared.
func (c Cases) Run(t *testing.T, run func(t *testing.T, files map[string]string) map[string]string) {
	t.Helper()
	for _, a := range c.all(t) {
		t.Run(a.name(), func(t *testing.T) {
			files, wanted := c.parts(t, a)
			got := run(t, files)
			for name := range got {
				if !named(c.Results, name) {
					t.Fatalf("%s is no result", name)
				}
				if _, ok := wanted[name]; !ok && len(wanted) > 0 && !named(c.Always, name) {
					delete(got, name)
				}
			}
			if *Update {
				c.write(t, a, got)
				return
			}
			if len(wanted) == 0 {
				t.Fatal("the archive wants nothing")
			}
			if d := cmp.Diff(wanted, got); d != "" {
				t.Errorf("want (-), got (+):\n%s", d)
			}
		})
	}
}

// parts are what goes in and what is to come out.
func (c Cases) parts(t testing.TB, a file) (files, wanted map[string]string) {
	t.Helper()
	if len(bytes.TrimSpace(a.Comment)) == 0 {
		t.Error("the archive doesn't say which rule it shows")
	}
	files, wanted = map[string]string{}, map[string]string{}
	for _, f := range a.Files {
		to := files
		switch {
		case strings.HasPrefix(f.Name, want):
			to = wanted
			if c.Results != nil && !named(c.Results, f.Name) {
				t.Errorf("%s is no result", f.Name)
			}
		case c.Inputs != nil && !slices.Contains(c.Inputs, f.Name):
			t.Errorf("%s is no input", f.Name)
		}
		if _, twice := to[f.Name]; twice {
			t.Errorf("%s stands twice", f.Name)
		}
		to[f.Name] = string(f.Data)
	}
	if len(files) == 0 {
		t.Error("the archive holds nothing to run")
	}
	return files, wanted
}

func (c Cases) write(t *testing.T, a file, got map[string]string) {
	t.Helper()
	a.Files = slices.DeleteFunc(a.Files, func(f txtar.File) bool { return strings.HasPrefix(f.Name, want) })
	left := maps.Clone(got)
	for _, pattern := range c.Results {
		for _, name := range slices.Sorted(maps.Keys(left)) {
			if matches(pattern, name) {
				a.Files = append(a.Files, txtar.File{Name: name, Data: []byte(left[name])})
				delete(left, name)
			}
		}
	}
	if err := os.WriteFile(a.path, txtar.Format(a.Archive), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Texts are those of one file of all cases, for a fuzz target to begin with. It is
// an error when there are none.
func (c Cases) Texts(t testing.TB, name string) [][]byte {
	t.Helper()
	var out [][]byte
	for _, a := range c.all(t) {
		for _, f := range a.Files {
			if f.Name == name {
				out = append(out, f.Data)
			}
		}
	}
	if len(out) == 0 {
		t.Fatalf("no case in %s has a file %s", c.Folder, name)
	}
	return out
}

// Each gives the inputs of each case, and its name.
func (c Cases) Each(t testing.TB, do func(name string, files map[string]string)) {
	t.Helper()
	for _, a := range c.all(t) {
		files, _ := c.parts(t, a)
		do(a.name(), files)
	}
}

// NoOrphans finds what lies in the folder and belongs to no test: all but
// archives, what explains them, the corpus of a fuzz target, and what is named.
func (c Cases) NoOrphans(t *testing.T, known ...string) {
	t.Helper()
	entries, err := os.ReadDir(c.Folder)
	if err != nil || len(entries) == 0 {
		t.Fatalf("%s: %v", c.Folder, err)
	}
	for _, e := range entries {
		if n := e.Name(); n != "README.md" && n != "fuzz" && filepath.Ext(n) != ".txtar" && !slices.Contains(known, n) {
			t.Errorf("%s/%s belongs to no test", c.Folder, n)
		}
	}
}
