package tree_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// openers are the functions that read files by path, by package.
var openers = map[string]map[string]bool{
	"os": {
		"Open": true, "OpenFile": true, "OpenRoot": true, "OpenInRoot": true,
		"ReadFile": true, "ReadDir": true, "DirFS": true, "CopyFS": true,
	},
	"path/filepath": {"Walk": true, "WalkDir": true, "Glob": true},
	"io/ioutil":     {"ReadFile": true, "ReadDir": true},
	"syscall":       {"Open": true, "Openat": true},
}

// exceptions are the folders and files that may call them, each for a reason.
var exceptions = map[string]string{
	"internal/tree":                  "it is the opener",
	"internal/cli/output.go":         "writes the file that a person named for the result",
	"internal/history":               "reads objects of version control, which are no files of the user's tree",
	"store":                          "its own database, written by the program",
	"internal/prompttest/copying.go": "writes the copy of a project that a test is about, within a root of its own",
	"internal/archive":               "runs the cases of tests, and is no part of the program",
	"bench":                          "measures, and is no part of the program",
	"docs/examples":                  "agents of others, that open a root of their own",
}

// TestNothingElseOpensFiles holds the rule that the user's tree has one
// opener, for every package of the module.
func TestNothingElseOpensFiles(t *testing.T) {
	root := moduleRoot(t)
	seen, callsHere := 0, 0
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := filepath.ToSlash(strings.TrimPrefix(file, root+string(filepath.Separator)))
		if d.IsDir() {
			if base := d.Name(); file != root && (strings.HasPrefix(base, ".") || base == "testdata" || base == "node_modules") {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		seen++
		for _, call := range openerCalls(t, file) {
			if excepted(name) {
				callsHere++
				continue
			}
			t.Errorf("%s:%s: files are opened by internal/tree alone", name, call)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if seen == 0 || callsHere == 0 {
		t.Fatalf("%d files looked at, %d calls found in the excepted ones: the search itself is broken", seen, callsHere)
	}
}

// excepted also knows the folders named gen, whose programs make tables and
// are no part of this one.
func excepted(name string) bool {
	if path.Base(path.Dir(name)) == "gen" {
		return true
	}
	for e := range exceptions {
		if name == e || strings.HasPrefix(name, e+"/") {
			return true
		}
	}
	return false
}

// openerCalls lists the uses of the functions above as "line: os.Open".
func openerCalls(t *testing.T, path string) []string {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Logf("skipped, since it doesn't parse: %v", err)
		return nil
	}
	names := map[string]string{} // name in the file -> import path
	for _, imp := range file.Imports {
		p, _ := strconv.Unquote(imp.Path.Value)
		if openers[p] == nil {
			continue
		}
		name := p[strings.LastIndexByte(p, '/')+1:]
		if imp.Name != nil {
			name = imp.Name.Name
		}
		names[name] = p
	}
	var out []string
	if p := names["."]; p != "" {
		out = append(out, "1: "+p+" is imported by dot")
	}
	ast.Inspect(file, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if x, ok := sel.X.(*ast.Ident); ok && openers[names[x.Name]][sel.Sel.Name] {
			out = append(out, strconv.Itoa(set.Position(sel.Pos()).Line)+": "+x.Name+"."+sel.Sel.Name)
		}
		return true
	})
	return out
}

func moduleRoot(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			t.Fatal("no go.mod above the test")
		}
		dir = up
	}
}
