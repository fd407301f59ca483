package serve_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestSecretsAreComparedInConstantTime: digests of secrets are compared by crypto/subtle
// alone, and by all functions that find somebody by one. How long that takes isn't
// measured here: the comparison says it of itself.
func TestSecretsAreComparedInConstantTime(t *testing.T) {
	files := token.NewFileSet()
	names, err := filepath.Glob("*.go")
	must(t, err)
	// secret reports whether an expression is a digest of a secret, or a secret's own.
	secret := func(e ast.Expr) bool {
		switch x := e.(type) {
		case *ast.SelectorExpr:
			return x.Sel.Name == "sum" || x.Sel.Name == "code" && ast.Expr(x.X) != nil && isName(x.X, "g")
		case *ast.CallExpr:
			return isName(x.Fun, "sumOf")
		case *ast.Ident:
			return x.Name == "sum"
		}
		return false
	}
	var compared []string
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(files, name, nil, 0)
		must(t, err)
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			ast.Inspect(fn, func(n ast.Node) bool {
				switch x := n.(type) {
				case *ast.BinaryExpr:
					if (x.Op == token.EQL || x.Op == token.NEQ) && (secret(x.X) || secret(x.Y)) {
						t.Errorf("%s: a digest is compared by %s", files.Position(x.Pos()), x.Op)
					}
				case *ast.CallExpr:
					name, ok := x.Fun.(*ast.SelectorExpr)
					if !ok {
						break
					}
					switch {
					case isName(name.X, "subtle") && name.Sel.Name == "ConstantTimeCompare":
						compared = append(compared, files.Position(fn.Pos()).Filename+" "+fn.Name.Name)
					case isName(name.X, "bytes") && (name.Sel.Name == "Equal" || name.Sel.Name == "Compare") && slices.ContainsFunc(x.Args, secret):
						t.Errorf("%s: a digest is compared by bytes.%s", files.Position(x.Pos()), name.Sel.Name)
					}
				}
				return true
			})
		}
	}
	slices.Sort(compared)
	if want := []string{"signin.go enter", "tokens.go find"}; !slices.Equal(compared, want) {
		t.Errorf("compared in constant time: %q, want %q", compared, want)
	}
}

func isName(e ast.Expr, name string) bool {
	x, ok := e.(*ast.Ident)
	return ok && x.Name == name
}
