package tests

import (
	"go/ast"
	"go/doc/comment"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestDocs keeps the comments of exported names complete: each says what the
// name means, and begins with it.
func TestDocs(t *testing.T) {
	seen := 0
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && path != ".."):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		if f.Name.Name == "main" {
			return nil
		}
		for _, d := range f.Decls {
			for name, doc := range undocumented(d) {
				seen++
				if strings.TrimSpace(doc) == "" {
					t.Errorf("%s: %s has no comment", path, name)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if seen < 100 {
		t.Fatalf("%d exported names were looked at: the test looks at the wrong place", seen)
	}
}

// TestPackagesShowAProgram: the comment of a public package opens with the shortest
// program, and no name of one of our packages in such code is one that isn't there.
func TestPackagesShowAProgram(t *testing.T) {
	scopes := map[string]*types.Scope{}
	for _, p := range publicPackages(t) {
		scopes[p.Name()] = p.Scope()
	}
	named := regexp.MustCompile(`\b([a-z]+)\.([A-Z]\w*)`)
	shown, names := 0, 0
	for _, p := range publicPackages(t) {
		files, err := filepath.Glob(filepath.Join("..", strings.TrimPrefix(p.Path(), module), "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments|parser.PackageClauseOnly)
			if err != nil {
				t.Fatal(err)
			}
			if f.Doc == nil || strings.HasSuffix(file, "_test.go") {
				continue
			}
			program := false
			for _, block := range new(comment.Parser).Parse(f.Doc.Text()).Content {
				code, ok := block.(*comment.Code)
				if !ok {
					continue
				}
				program = true
				for _, m := range named.FindAllStringSubmatch(code.Text, -1) {
					scope := scopes[m[1]]
					if scope == nil {
						continue // a variable, or a package of others
					}
					if names++; scope.Lookup(m[2]) == nil {
						t.Errorf("%s: there is no %s", file, m[0])
					}
				}
			}
			if program {
				shown++
			} else {
				t.Errorf("%s: the comment of the package shows no program", file)
			}
		}
	}
	if shown < 15 || names < 30 {
		t.Errorf("%d programs and %d names were looked at: the test looks at the wrong place", shown, names)
	}
}

// undocumented yields the exported names of a declaration with their comments.
func undocumented(d ast.Decl) func(func(name, doc string) bool) {
	return func(yield func(string, string) bool) {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Name.IsExported() && exportedReceiver(d) {
				yield(d.Name.Name, d.Doc.Text())
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					if s.Name.IsExported() && !yield(s.Name.Name, d.Doc.Text()+s.Doc.Text()) {
						return
					}
				case *ast.ValueSpec:
					for _, n := range s.Names {
						if n.IsExported() && !yield(n.Name, d.Doc.Text()+s.Doc.Text()+s.Comment.Text()) {
							return
						}
					}
				}
			}
		}
	}
}

func exportedReceiver(d *ast.FuncDecl) bool {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return true
	}
	x := d.Recv.List[0].Type
	for {
		switch y := x.(type) {
		case *ast.StarExpr:
			x = y.X
		case *ast.IndexExpr:
			x = y.X
		case *ast.Ident:
			return y.IsExported()
		default:
			return true
		}
	}
}
