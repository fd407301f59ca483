package jinja

import (
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

var update = flag.Bool("update", false, "rewrite the expected results in testdata")

// archive is one file of conformance cases; testdata/README.md tells the format.
type archive struct {
	path  string
	ar    *txtar.Archive
	cases []*conformanceCase
}

func (a *archive) name() string { return strings.TrimSuffix(filepath.Base(a.path), ".txtar") }

type conformanceCase struct {
	name, template, context, options string
	templates                        MapLoader
	want                             map[string]string // by file name: want, error, spans
}

func isResult(name string) bool { return name == "want" || name == "error" || name == "spans" }

func readArchives(t testing.TB) []*archive {
	t.Helper()
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no archives in testdata: %v", err)
	}
	var all []*archive
	for _, path := range paths {
		ar, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, readArchive(t, &archive{path: path, ar: ar}))
	}
	return all
}

func readArchive(t testing.TB, a *archive) *archive {
	t.Helper()
	context, options := "{}", ""
	byName := map[string]*conformanceCase{}
	for _, f := range a.ar.Files {
		text := string(f.Data)
		name, rest, inCase := strings.Cut(f.Name, "/")
		c := byName[name]
		switch {
		case f.Name == "context.json":
			context = text
		case f.Name == "options":
			options = text
		case inCase && rest == "template" && c == nil:
			c = &conformanceCase{name: name, template: text, context: context, options: options, templates: MapLoader{}, want: map[string]string{}}
			byName[name] = c
			a.cases = append(a.cases, c)
		case c == nil || rest == "template":
			t.Fatalf("%s: file %s is twice there, unknown, or has no template before it", a.path, f.Name)
		case rest == "context.json":
			c.context = text
		case rest == "options":
			c.options = text
		case isResult(rest):
			c.want[rest] = text
		case strings.HasPrefix(rest, "templates/"):
			c.templates[strings.TrimPrefix(rest, "templates/")] = text
		default:
			t.Fatalf("%s: unknown file %s", a.path, f.Name)
		}
	}
	if len(a.cases) == 0 {
		t.Fatalf("%s: no cases", a.path)
	}
	return a
}

// hostFunctions are what programs that render published templates register.
var hostFunctions = map[string]Func{
	"raise_exception": func(c *Call) (Value, error) {
		s, _ := c.Args()[0].Str()
		return Value{}, errors.New(s)
	},
	"strftime_now": func(c *Call) (Value, error) {
		s, _ := c.Args()[0].Str()
		return String(strings.NewReplacer("%d", "20", "%b", "Nov", "%B", "November", "%Y", "2026", "%m", "11").Replace(s), 0), nil
	},
	"tool": func(c *Call) (Value, error) { return Bool(true), nil },
}

func (c *conformanceCase) env(t testing.TB) *Env {
	t.Helper()
	opts := Options{Loader: c.templates, Functions: hostFunctions}
	switches := map[string]func(){
		"lenient":               func() { opts.Undefined = Lenient },
		"semi_strict":           func() { opts.Undefined = SemiStrict },
		"chainable":             func() { opts.Undefined = Chainable },
		"trim_blocks":           func() { opts.TrimBlocks = true },
		"lstrip_blocks":         func() { opts.LstripBlocks = true },
		"keep_trailing_newline": func() { opts.KeepTrailingNewline = true },
	}
	numbers := map[string]*int{
		"fuel": &opts.Limits.Fuel, "depth": &opts.Limits.Depth, "includes": &opts.Limits.Includes, "nesting": &opts.Limits.Nesting,
		"output": &opts.Limits.Output, "value": &opts.Limits.Value, "memory": &opts.Limits.Memory, "source": &opts.Limits.Source,
	}
	for _, w := range strings.Fields(c.options) {
		key, val, _ := strings.Cut(w, "=")
		if set := switches[key]; set != nil {
			set()
		} else if n := numbers[key]; n != nil {
			if _, err := fmt.Sscan(val, n); err != nil {
				t.Fatal(err)
			}
		} else {
			t.Fatalf("unknown option %q", w)
		}
	}
	return New(opts)
}

// run gives the results of a case by the names of their files.
func (c *conformanceCase) run(t testing.TB) map[string]string {
	t.Helper()
	ctx, err := FromJSON([]byte(c.context), 4)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	tmpl, err := c.env(t).LoadSource(Source{Name: "main.md", Text: c.template, Trust: 1})
	var out *Output
	if err == nil {
		out, err = tmpl.Render(ctx)
	}
	if err != nil {
		var e *Error
		if !errors.As(err, &e) {
			t.Fatalf("untyped error %v", err)
		}
		got["error"] = string(e.Kind) + "\n" + e.Detail()
		return got
	}
	checkTiling(t, out)
	again, err := tmpl.Render(ctx)
	if err != nil || again.Text() != out.Text() || again.FuelUsed() != out.FuelUsed() {
		t.Fatalf("a second rendering differs: %v", err)
	}
	got["want"] = out.Text() + "\n"
	if _, ok := c.want["spans"]; ok {
		got["spans"] = describeSpans(out)
	}
	return got
}

func describeSpans(o *Output) string {
	var b strings.Builder
	for s := range o.All() {
		fmt.Fprintf(&b, "%s %s:%d:%d trust=%d", s.Kind, s.File, s.Line, s.Column, s.Trust)
		if s.Var != "" {
			fmt.Fprintf(&b, " var=%s", s.Var)
		}
		fmt.Fprintf(&b, " %q\n", o.text[s.Start:s.End])
	}
	return b.String()
}

func TestConformance(t *testing.T) {
	for _, a := range readArchives(t) {
		t.Run(a.name(), func(t *testing.T) {
			results := map[string]map[string]string{}
			for _, c := range a.cases {
				t.Run(c.name, func(t *testing.T) {
					got := c.run(t)
					results[c.name] = got
					if *update {
						return
					}
					if len(c.want) == 0 {
						t.Fatal("nothing is expected of the case")
					}
					if diff := cmp.Diff(c.want, got); diff != "" {
						t.Errorf("want -, got +\n%s", diff)
					}
				})
			}
			if *update {
				rewrite(t, a, results)
			}
		})
	}
}

// rewrite puts the results behind the files that a case gives.
func rewrite(t *testing.T, a *archive, results map[string]map[string]string) {
	out := &txtar.Archive{Comment: a.ar.Comment}
	for i, f := range a.ar.Files {
		name, rest, inCase := strings.Cut(f.Name, "/")
		if !isResult(rest) {
			out.Files = append(out.Files, f)
		}
		last := i+1 == len(a.ar.Files) || !strings.HasPrefix(a.ar.Files[i+1].Name, name+"/")
		if !inCase || !last {
			continue
		}
		for _, k := range slices.Sorted(maps.Keys(results[name])) {
			out.Files = append(out.Files, txtar.File{Name: name + "/" + k, Data: []byte(results[name][k])})
		}
	}
	if err := os.WriteFile(a.path, txtar.Format(out), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Every filter, test, function, method and statement is in a case of the archive
// of its kind, and there are enough errors.
func TestConformanceIsComplete(t *testing.T) {
	text := map[string]string{}
	failing := 0
	for _, a := range readArchives(t) {
		for _, c := range a.cases {
			text[a.name()] += c.template
			if _, ok := c.want["error"]; ok {
				failing++
			}
		}
	}
	has := func(archive string, forms ...string) {
		for _, form := range forms {
			if strings.Contains(text[archive], form) {
				return
			}
		}
		t.Errorf("no case in %s.txtar has any of %q", archive, forms)
	}
	for name := range builtinFilters {
		has("filters", "|"+name+" ", "|"+name+"(", "|"+name+"|")
	}
	for name := range builtinTests {
		has("tests", " is "+name+" ", " is "+name+"(", " is not "+name+" ", "select(\""+name+"\"")
	}
	for name := range builtinFunctions {
		has("functions", name+"(")
	}
	for _, methods := range []map[string]func(*Call) Value{stringMethods, listMethods, mapMethods} {
		for name := range methods {
			has("methods", "."+name+"(")
		}
	}
	for _, word := range strings.Fields(statementWords) {
		has("statements", "{% "+word+" ", "{%- "+word+" ")
	}
	if failing < 60 {
		t.Errorf("only %d error cases", failing)
	}
}

// Every row of the list of differences names a case that shows it.
func TestCompatibilityDocument(t *testing.T) {
	b, err := os.ReadFile("../docs/jinja-compatibility.md")
	if err != nil {
		t.Fatal(err)
	}
	cases := map[string]bool{}
	for _, a := range readArchives(t) {
		for _, c := range a.cases {
			cases[a.name()+"/"+c.name] = true
		}
	}
	rows := 0
	for line := range strings.SplitSeq(string(b), "\n") {
		if !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| What") {
			continue
		}
		rows++
		line = strings.TrimSuffix(line, " |")
		name := strings.Trim(line[strings.LastIndex(line, "| ")+2:], "`")
		if !cases[name] {
			t.Errorf("row names no case: %q in %s", name, line)
		}
	}
	if rows < 10 {
		t.Errorf("only %d rows", rows)
	}
}
