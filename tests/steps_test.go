package tests

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// testFiles are the parsed test files of a package.
func testFiles(t *testing.T, dir string) []*ast.File {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	var out []*ast.File
	for _, name := range names {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, f)
	}
	return out
}

// reaching are the tests of a package that hold something, or call what does: functions
// and methods are told apart by their names alone, so that it is one too many rather than
// one too few.
func reaching(files []*ast.File, holds func(ast.Node) bool) []string {
	names := map[string]map[string]bool{} // by the name of a declaration: what it calls, and the variables that it names
	found, variable := map[string]bool{}, map[string]bool{}
	for _, f := range files {
		for _, d := range f.Decls {
			if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.VAR {
				for _, name := range declared(d) {
					variable[name] = true
				}
			}
		}
	}
	for _, f := range files {
		for _, d := range f.Decls {
			named, holding := map[string]bool{}, false
			ast.Inspect(d, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.Ident:
					named[n.Name] = named[n.Name] || variable[n.Name]
				case *ast.CallExpr:
					switch fun := n.Fun.(type) {
					case *ast.Ident:
						named[fun.Name] = true
					case *ast.SelectorExpr:
						named[fun.Sel.Name] = true
					}
				}
				holding = holding || n != nil && holds(n)
				return true
			})
			for _, name := range declared(d) {
				if names[name] == nil {
					names[name] = map[string]bool{}
				}
				for other, yes := range named {
					names[name][other] = names[name][other] || yes
				}
				found[name] = found[name] || holding
			}
		}
	}
	for more := true; more; {
		more = false
		for name, others := range names {
			for other, yes := range others {
				if yes && !found[name] && found[other] {
					found[name], more = true, true
				}
			}
		}
	}
	var out []string
	for name, yes := range found {
		if yes && strings.HasPrefix(name, "Test") && name != "TestMain" {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// declared are the names that a declaration gives.
func declared(d ast.Decl) []string {
	switch d := d.(type) {
	case *ast.FuncDecl:
		return []string{d.Name.Name}
	case *ast.GenDecl:
		var out []string
		for _, s := range d.Specs {
			if v, ok := s.(*ast.ValueSpec); ok {
				for _, name := range v.Names {
					out = append(out, name.Name)
				}
			}
		}
		return out
	}
	return nil
}

// selects finds a member of a package that is imported by its own name.
func selects(pkg string, members ...string) func(ast.Node) bool {
	return func(n ast.Node) bool {
		s, ok := n.(*ast.SelectorExpr)
		if !ok {
			return false
		}
		x, ok := s.X.(*ast.Ident)
		return ok && x.Name == pkg && slices.Contains(members, s.Sel.Name)
	}
}

// makeVariable is a variable of the Makefile.
func makeVariable(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile("../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if value, ok := strings.CutPrefix(line, name+" = "); ok {
			return strings.ReplaceAll(strings.TrimSuffix(value, "\n"), "$$", "$")
		}
	}
	t.Fatalf("the Makefile has no %s", name)
	return ""
}

// everyPackage calls back with each package of the module that has tests.
func everyPackage(t *testing.T, visit func(name string, files []*ast.File)) {
	t.Helper()
	seen := 0
	for _, p := range listPackages(t) {
		name := strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, module), "/")
		if files := testFiles(t, filepath.Join("..", name)); len(files) > 0 {
			seen++
			visit(name, files)
		}
	}
	if seen < 40 {
		t.Fatalf("%d packages have tests: the test looks at the wrong place", seen)
	}
}

// sameNames reports names that stand in one of two lists alone.
func sameNames(t *testing.T, where string, listed, found []string) {
	t.Helper()
	for _, name := range found {
		if !slices.Contains(listed, name) {
			t.Errorf("%s lacks %s", where, name)
		}
	}
	for _, name := range listed {
		if !slices.Contains(found, name) {
			t.Errorf("%s has %s, which is none", where, name)
		}
	}
}

// TestLongStep: the step of long forms runs each test that does more where nothing is to
// be left out, and no other.
func TestLongStep(t *testing.T) {
	var found []string
	everyPackage(t, func(name string, files []*ast.File) {
		if name != "internal/lengthtest" {
			found = append(found, reaching(files, selects("lengthtest", "Of", "Wanted", "OnlyLong"))...)
		}
	})
	slices.Sort(found)
	sameNames(t, "LONG", strings.Split(strings.TrimSuffix(strings.TrimPrefix(makeVariable(t, "LONG"), "^("), ")$"), "|"), slices.Compact(found))
}

// TestGoldenStep: the step that rewrites goldens runs each test that can.
func TestGoldenStep(t *testing.T) {
	listed := strings.Split(strings.TrimSuffix(strings.TrimPrefix(makeVariable(t, "GOLDEN"), "^("), ")$"), "|")
	var found []string
	everyPackage(t, func(_ string, files []*ast.File) {
		for _, name := range reaching(files, func(n ast.Node) bool {
			x, ok := n.(*ast.Ident)
			return ok && x.Name == "update" || selects("archive", "Cases", "Update")(n)
		}) {
			if !slices.Contains(found, name) { // several packages have one of that name
				found = append(found, name)
			}
		}
	})
	sameNames(t, "GOLDEN", listed, found)
}

// TestRaceStep: the race detector is run on every package but those that start no
// goroutine, in themselves, in their tests and in what both import: there nothing can race.
func TestRaceStep(t *testing.T) {
	packages := map[string]*listedPackage{}
	for _, p := range listPackages(t) {
		packages[p.ImportPath] = &p
	}
	own, within := map[string]bool{}, map[string]bool{}
	for path, p := range packages {
		names, err := filepath.Glob(filepath.Join(p.Dir, "*.go"))
		if err != nil || len(names) == 0 {
			t.Fatalf("%s has no files: %v", path, err)
		}
		for _, name := range names {
			f, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			if startsGoroutines(f) {
				within[path] = true
				own[path] = own[path] || !strings.HasSuffix(name, "_test.go")
			}
		}
	}
	// What a package does when it is imported is what counts of it.
	var reached func(path string, seen map[string]bool) bool
	reached = func(path string, seen map[string]bool) bool {
		if seen[path] || packages[path] == nil {
			return false
		}
		seen[path] = true
		return own[path] || slices.ContainsFunc(packages[path].Imports, func(other string) bool { return reached(other, seen) })
	}
	var calm []string
	for path, p := range packages {
		seen := map[string]bool{}
		started := within[path] || slices.ContainsFunc(slices.Concat(p.Imports, p.TestImports, p.XTestImports), func(other string) bool { return reached(other, seen) })
		if !started && path != module && len(testFiles(t, p.Dir)) > 0 { // the root's examples take no time
			calm = append(calm, strings.TrimPrefix(path, module+"/"))
		}
	}
	slices.Sort(calm)
	if len(calm) == len(packages) {
		t.Fatal("no package starts a goroutine: the test looks for something else")
	}
	sameNames(t, "CALM", strings.Fields(makeVariable(t, "CALM")), calm)
}

// startsGoroutines finds go statements, methods that start goroutines, tests that run at
// the same time, and imports of what calls back from its own.
func startsGoroutines(f *ast.File) bool {
	found := false
	for _, x := range f.Imports {
		switch strings.Trim(x.Path.Value, `"`) {
		case "net/http", "database/sql", "os/exec", "testing/synctest":
			found = true
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			found = true
		case *ast.CallExpr:
			if s, ok := n.Fun.(*ast.SelectorExpr); ok {
				found = found || slices.Contains([]string{"Go", "Parallel", "AfterFunc", "RunParallel"}, s.Sel.Name)
			}
		}
		return true
	})
	return found
}
