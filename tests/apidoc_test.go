package tests

import (
	"cmp"
	"errors"
	"fmt"
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

// TestPackageComments: every folder of Go says what it is, those of tests alone too.
func TestPackageComments(t *testing.T) {
	said := map[string]bool{}
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || d.Name() == "node_modules" || strings.HasPrefix(d.Name(), ".") && path != ".."):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, ".go"):
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.PackageClauseOnly|parser.ParseComments)
		if err != nil {
			return err
		}
		dir := filepath.Dir(path)
		said[dir] = said[dir] || strings.TrimSpace(f.Doc.Text()) != ""
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(said) < 80 {
		t.Fatalf("%d folders were looked at: the test looks at the wrong place", len(said))
	}
	for dir, ok := range said {
		if !ok {
			t.Errorf("%s has no comment of its package", dir)
		}
	}
}

// given are the values that programs in comments of packages begin with.
const given = `
	ctx context.Context; dir, text, cwd, home string
	in cento.Input; active cento.Active; prompt *cento.Prompt; vars json.RawMessage
	stack []layer.Ranked; builtins layer.Builtins
	steps []cache.Step; m cento.Model; p *cento.Prompt; tools []cento.Tool; messages []wire.Message
	server consent.Server; listing consent.Listing
	source session.Source; db session.Store`

// TestPackagesShowAProgram: the comment of a public package opens with the shortest
// program, and a compiler would take it.
func TestPackagesShowAProgram(t *testing.T) {
	packages := publicPackages(t)
	ours := map[string]string{}
	for _, p := range packages {
		ours[p.Name()] = p.Path()
	}
	built, err := exported()
	if err != nil {
		t.Fatal(err)
	}
	shown := 0
	for _, p := range packages {
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
				if code, ok := block.(*comment.Code); ok {
					program = true
					for _, e := range faults(code.Text, ours, built) {
						t.Errorf("%s: %v in the program\n%s", file, e, code.Text)
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
	if shown < 15 {
		t.Errorf("%d programs were looked at: the test looks at the wrong place", shown)
	}
}

// faults are what a compiler has against the lines of a program. That a value isn't used
// is none: these programs end where their reader goes on.
func faults(program string, ours map[string]string, built types.Importer) (out []error) {
	named := regexp.MustCompile(`\b([a-z]\w*)\.[A-Z]`)
	standard := map[string]string{"context": "context", "fmt": "fmt", "json": "encoding/json"}
	var head, vars strings.Builder
	imported := map[string]bool{}
	need := func(code string) {
		for _, m := range named.FindAllStringSubmatch(code, -1) {
			if path := cmp.Or(ours[m[1]], standard[m[1]]); path != "" && !imported[path] {
				imported[path] = true
				fmt.Fprintf(&head, "import %s %q\n", m[1], path)
			}
		}
	}
	need(program)
	for _, list := range strings.FieldsFunc(given, func(r rune) bool { return r == ';' || r == '\n' }) {
		names, typ, _ := strings.Cut(strings.ReplaceAll(strings.TrimSpace(list), ", ", ","), " ")
		for _, name := range strings.Split(names, ",") {
			if name != "" && regexp.MustCompile(`\b`+name+`\b`).MatchString(program) {
				need(typ)
				fmt.Fprintf(&vars, "var %s %s\n", name, typ)
			}
		}
	}
	fset := token.NewFileSet()
	// The outer block holds what is given, so that the program may name a value alike.
	f, err := parser.ParseFile(fset, "program", "package program\n"+head.String()+vars.String()+"func program() error {\n"+program+"\nreturn nil\n}\n", 0)
	if err != nil {
		return []error{err}
	}
	c := types.Config{Importer: built, Error: func(err error) {
		var e types.Error
		if errors.As(err, &e) && !e.Soft {
			out = append(out, err)
		}
	}}
	c.Check("program", fset, []*ast.File{f}, nil) // its error is the first of those above
	return out
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
