package docs_test

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// code is one stable name, as the code declares it.
type code struct {
	name, text, doc string
	place           token.Position
}

// codeGroup is the codes of one declaration.
type codeGroup struct {
	doc   string
	codes []code
	alone bool // not in a list of others
}

// codeTypes are the types whose constants are codes, by the heading that they
// stand under.
var codeTypes = []struct {
	heading, about string
	types          []string
}{
	{
		"Decisions and notes",
		"`code` of a decision on a fragment, of a finding in its text, and of a note on the input. Texts beside them may be reworded; these don't change.",
		[]string{"Code", "cento.Code"},
	},
	{
		"Errors",
		"`code` of an error. In Go, `errors.Is(err, cento.DuplicateID)` and its like; a code of an internal package is asked for by its text, `errors.Is(err, cento.ErrorCode(\"file.too_large\"))`.",
		[]string{"ErrorCode", "cento.ErrorCode"},
	},
	{
		"Errors of templates",
		"`kind` of an error of the template language. In Go, `errors.Is(err, jinja.ErrUndefined)` and its like. A prompt file reports it as the cause of `template.parse` or `template.render`.",
		[]string{"ErrorKind"},
	},
	{
		"Why a line has no commit",
		"What `why` and `blame` say in `history` begins with one of these reasons, put in words.",
		[]string{"Reason"},
	},
}

// parsedSources are the source files with their comments, by their names, which are in
// order.
func parsedSources(t *testing.T) (names []string, fset *token.FileSet, files map[string]*ast.File) {
	t.Helper()
	names, fset, files = sourceFiles(t), token.NewFileSet(), map[string]*ast.File{}
	for _, name := range names {
		f, err := parser.ParseFile(fset, name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = f
	}
	return names, fset, files
}

// codeReference lists all codes of the program with the words of the code.
func codeReference(t *testing.T) string {
	names, fset, files := parsedSources(t)
	var b strings.Builder
	fmt.Fprintf(&b, "# Codes\n\n%s\nCodes are API: they keep their meaning over releases. Every code stands in JSON results and can be asked for in Go.\n", generated)
	for _, kind := range codeTypes {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n", kind.heading, kind.about)
		count := 0
		for _, pkg := range packages(names) {
			groups := pkg.groups(fset, files, kind.types)
			if len(groups) > 0 {
				fmt.Fprintf(&b, "\n### %s\n", pkg.name)
			}
			for _, g := range groups {
				count += len(g.codes)
				writeGroup(t, &b, g)
			}
		}
		if count < 3 {
			t.Errorf("%q: %d codes were found", kind.heading, count)
		}
	}
	return b.String()
}

// sourcePackage is a package by the files that it is made of.
type sourcePackage struct {
	name  string
	files []string
}

// packages groups files, the core first and the others by name.
func packages(files []string) []sourcePackage {
	var out []sourcePackage
	for _, f := range files {
		name := packageOf(f)
		if i := slices.IndexFunc(out, func(p sourcePackage) bool { return p.name == name }); i >= 0 {
			out[i].files = append(out[i].files, f)
			continue
		}
		out = append(out, sourcePackage{name, []string{f}})
	}
	// The empty string stands before all others.
	rank := func(p sourcePackage) string { return strings.TrimPrefix(p.name, core) }
	slices.SortFunc(out, func(a, b sourcePackage) int { return cmp.Compare(rank(a), rank(b)) })
	return out
}

// core is the name of the root package.
const core = "cento"

// groups are the codes of a package; those that are declared one by one make the
// last group.
func (p sourcePackage) groups(fset *token.FileSet, files map[string]*ast.File, types []string) []codeGroup {
	var out []codeGroup
	var single codeGroup
	for _, name := range p.files {
		for _, g := range groupsOf(fset, files[name], types) {
			if g.alone {
				single.codes = append(single.codes, g.codes...)
			} else {
				out = append(out, g)
			}
		}
	}
	if len(single.codes) > 0 {
		out = append(out, single)
	}
	return out
}

func writeGroup(t *testing.T, b *strings.Builder, g codeGroup) {
	b.WriteString("\n")
	if g.doc != "" {
		fmt.Fprintf(b, "%s\n\n", g.doc)
	}
	b.WriteString("| code | in Go | meaning |\n|---|---|---|\n")
	for _, c := range g.codes {
		if c.doc == "" {
			t.Errorf("%s: %s has no comment to tell what it means", c.place, c.name)
		}
		fmt.Fprintf(b, "| `%s` | `%s` | %s |\n", c.text, c.name, inTable(c.doc))
	}
}

// groupsOf finds the constants of some types. A constant without a type has that
// of the one before it.
func groupsOf(fset *token.FileSet, f *ast.File, types []string) []codeGroup {
	var out []codeGroup
	for _, decl := range f.Decls {
		d, ok := decl.(*ast.GenDecl)
		if !ok || d.Tok != token.CONST {
			continue
		}
		g := codeGroup{alone: !d.Lparen.IsValid()}
		for _, s := range d.Specs {
			spec, ok := s.(*ast.ValueSpec)
			if !ok || len(spec.Values) != 1 || !slices.Contains(types, typeName(spec.Type)) {
				continue
			}
			lit, ok := spec.Values[0].(*ast.BasicLit)
			if !ok {
				continue
			}
			text, err := strconv.Unquote(lit.Value)
			if err != nil {
				continue
			}
			c := code{name: spec.Names[0].Name, text: text, place: fset.Position(spec.Pos())}
			for _, doc := range []*ast.CommentGroup{spec.Doc, spec.Comment} {
				if c.doc == "" && doc != nil {
					c.doc = meaning(c.name, doc.Text())
				}
			}
			if g.alone && d.Doc != nil {
				c.doc = meaning(c.name, d.Doc.Text())
			}
			g.codes = append(g.codes, c)
		}
		if len(g.codes) == 0 {
			continue
		}
		if doc := plain(d.Doc.Text()); !g.alone && strings.Count(doc, " ") > 4 {
			g.doc = doc // a shorter one says what the heading does
		}
		out = append(out, g)
	}
	return out
}

func typeName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return typeName(e.X) + "." + e.Sel.Name
	}
	return ""
}

func packageOf(file string) string {
	dir, err := filepath.Rel(root, filepath.Dir(file))
	if err != nil || dir == "." {
		return core
	}
	return filepath.ToSlash(dir)
}

// meaning is a comment without the name that it begins with.
func meaning(name, doc string) string {
	s := plain(doc)
	for _, lead := range []string{name + ": ", name + " is the code of a note: ", name + " is the note that ", name + " "} {
		if rest, ok := strings.CutPrefix(s, lead); ok {
			s = rest
			break
		}
	}
	return strings.TrimSuffix(s, ".")
}

var docLink = regexp.MustCompile(`\[(\*?[A-Za-z][A-Za-z.]*)\]`)

// plain is a comment as one line of Markdown.
func plain(doc string) string {
	return docLink.ReplaceAllString(strings.Join(strings.Fields(doc), " "), "`$1`")
}
