package tests

import (
	"fmt"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
)

// TestExportedSignatures walks everything that a caller of a public package can
// name, and what it is made of: a type of an internal package in there is one that
// the caller sees and can't use.
func TestExportedSignatures(t *testing.T) {
	packages := publicPackages(t)
	if len(packages) < 10 {
		t.Fatalf("%d public packages: the test looks at the wrong place", len(packages))
	}
	seen := 0
	for _, p := range packages {
		for _, name := range p.Scope().Names() {
			o := p.Scope().Lookup(name)
			if !o.Exported() {
				continue
			}
			seen++
			w := signatureWalk{package_: p, at: p.Path() + "." + name, seen: map[types.Type]bool{}}
			w.object(o)
			for _, path := range w.hidden {
				t.Errorf("%s: a caller sees a type of %s", path.at, path.of)
			}
		}
	}
	if seen < 400 {
		t.Errorf("%d exported names: the test looks at the wrong place", seen)
	}
}

// TestHiddenTypesAreFound: the walk above finds an internal type wherever one can
// stand.
func TestHiddenTypesAreFound(t *testing.T) {
	inner := types.NewPackage(module+"/internal/x", "x")
	hidden := types.NewNamed(types.NewTypeName(0, inner, "T", nil), types.Typ[types.Int], nil)
	public := types.NewPackage(module+"/p", "p")
	for name, typ := range map[string]types.Type{
		"itself": hidden, "a pointer": types.NewPointer(hidden), "a list": types.NewSlice(hidden), "an array": types.NewArray(hidden, 2),
		"a map": types.NewMap(types.Typ[types.String], hidden), "a key": types.NewMap(hidden, types.Typ[types.String]), "a channel": types.NewChan(types.SendOnly, hidden),
		"a parameter": types.NewSignatureType(nil, nil, nil, types.NewTuple(types.NewVar(0, public, "", hidden)), nil, false),
		"a field":     types.NewStruct([]*types.Var{types.NewField(0, public, "F", hidden, false)}, nil),
		"a method of an interface": types.NewInterfaceType([]*types.Func{types.NewFunc(0, public, "M",
			types.NewSignatureType(nil, nil, nil, nil, types.NewTuple(types.NewVar(0, public, "", hidden)), false))}, nil).Complete(),
	} {
		w := signatureWalk{package_: public, seen: map[types.Type]bool{}}
		w.object(types.NewVar(0, public, "V", typ))
		if len(w.hidden) != 1 {
			t.Errorf("%s: found %v", name, w.hidden)
		}
	}
	w := signatureWalk{package_: public, seen: map[types.Type]bool{}}
	w.object(types.NewVar(0, public, "V", types.NewStruct([]*types.Var{types.NewField(0, public, "f", hidden, false)}, nil)))
	if len(w.hidden) != 0 {
		t.Errorf("a field that callers don't see: found %v", w.hidden)
	}
}

// signatureWalk looks for types of internal packages in what a caller can see.
type signatureWalk struct {
	package_ *types.Package
	at       string
	seen     map[types.Type]bool
	hidden   []hiddenType
}

type hiddenType struct{ at, of string }

func (w *signatureWalk) object(o types.Object) {
	w.typ(o.Type())
	named, ok := types.Unalias(o.Type()).(*types.Named)
	if _, declares := o.(*types.TypeName); !declares || !ok {
		return
	}
	w.typ(named.Underlying())
	for i := range named.NumMethods() {
		if m := named.Method(i); m.Exported() {
			w.within("."+m.Name(), m.Type())
		}
	}
}

func (w *signatureWalk) within(part string, t types.Type) {
	at := w.at
	w.at += part
	w.typ(t)
	w.at = at
}

func (w *signatureWalk) typ(t types.Type) {
	if t == nil || w.seen[t] {
		return
	}
	w.seen[t] = true
	switch t := t.(type) {
	case *types.Alias:
		w.named(t.Obj(), t.TypeArgs())
		w.typ(t.Rhs())
	case *types.Named:
		w.named(t.Obj(), t.TypeArgs())
	case *types.Pointer:
		w.typ(t.Elem())
	case *types.Slice:
		w.typ(t.Elem())
	case *types.Array:
		w.typ(t.Elem())
	case *types.Chan:
		w.typ(t.Elem())
	case *types.Map:
		w.typ(t.Key())
		w.typ(t.Elem())
	case *types.Tuple:
		for i := range t.Len() {
			w.typ(t.At(i).Type())
		}
	case *types.Signature:
		for i := range t.TypeParams().Len() {
			w.typ(t.TypeParams().At(i).Constraint())
		}
		w.typ(t.Params())
		w.typ(t.Results())
	case *types.Struct:
		for i := range t.NumFields() {
			if f := t.Field(i); f.Exported() || f.Embedded() {
				w.within("."+f.Name(), f.Type())
			}
		}
	case *types.Interface:
		for i := range t.NumMethods() {
			if m := t.Method(i); m.Exported() {
				w.within("."+m.Name(), m.Type())
			}
		}
		for i := range t.NumEmbeddeds() {
			w.typ(t.EmbeddedType(i))
		}
	case *types.Union:
		for i := range t.Len() {
			w.typ(t.Term(i).Type())
		}
	}
}

// named notes a type of an internal package. Types of a public one are walked
// where they are declared, but for those that aren't exported: what they show is
// shown here.
func (w *signatureWalk) named(o *types.TypeName, arguments *types.TypeList) {
	if p := o.Pkg(); p != nil && strings.HasPrefix(p.Path(), module+"/internal/") {
		w.hidden = append(w.hidden, hiddenType{w.at, p.Path()})
	} else if p == w.package_ && !o.Exported() && o.Parent() == p.Scope() {
		w.object(o)
	}
	for i := range arguments.Len() {
		w.typ(arguments.At(i))
	}
}

// publicPackages are the packages of the module that others can import, as the
// compiler sees them.
func publicPackages(t *testing.T) []*types.Package {
	t.Helper()
	m, err := exported()
	if err != nil {
		t.Fatal(err)
	}
	return m.public
}

// compiled are the packages of the module as the compiler sees them.
type compiled struct {
	public []*types.Package
	types.Importer
}

// exported loads them once, since it takes a second of work.
var exported = sync.OnceValues(func() (*compiled, error) {
	type built struct{ ImportPath, Name, Export string }
	exports := make(map[string]string)
	var paths []string
	err := decodeList(func(p built) {
		exports[p.ImportPath] = p.Export
		rest, ours := strings.CutPrefix(p.ImportPath, module)
		if ours && p.Name != "main" && p.Export != "" && !strings.Contains(rest+"/", "/internal/") && !strings.HasPrefix(rest, "/bench/") {
			paths = append(paths, p.ImportPath)
		}
	}, "-export", "-deps", "-json=ImportPath,Name,Export", "../...")
	if err != nil {
		return nil, err
	}
	m := &compiled{Importer: importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })}
	for _, path := range paths {
		p, err := m.Import(path)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		m.public = append(m.public, p)
	}
	return m, nil
})
