package tests

import (
	"flag"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/cento-dev/cento"
)

var update = flag.Bool("update", false, "rewrite the golden files of testdata")

const conformanceFolder = "testdata/conformance"

// TestConformance runs the cases of testdata/conformance, which specify the
// core for all languages. The README there says what the files of a case are
// and how outputs are compared.
func TestConformance(t *testing.T) {
	for _, c := range conformanceCases(t) {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := c.run(t)
			if *update {
				c.rewrite(t, got)
				return
			}
			if len(c.wants) == 0 {
				t.Fatal("the case wants nothing: write its outputs with -update, and read them")
			}
			if diff := cmp.Diff(c.wants, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// conformanceCase is one archive.
type conformanceCase struct {
	name, file string
	archive    *txtar.Archive
	inputs     map[string][]byte
	wants      map[string]string
}

// conformanceCases reads all archives. Anything that would make a case pass
// without having been looked at is an error.
func conformanceCases(t testing.TB) []*conformanceCase {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(conformanceFolder, "*.txtar"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no cases in %s: %v", conformanceFolder, err)
	}
	entries, err := os.ReadDir(conformanceFolder)
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != len(names)+1 { // and the README
		t.Errorf("%s holds files that are no cases", conformanceFolder)
	}
	var out []*conformanceCase
	for _, file := range names {
		out = append(out, readCase(t, file))
	}
	return out
}

func readCase(t testing.TB, file string) *conformanceCase {
	t.Helper()
	a, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	c := &conformanceCase{
		name: strings.TrimSuffix(filepath.Base(file), ".txtar"), file: file,
		archive: a, inputs: map[string][]byte{}, wants: map[string]string{},
	}
	if len(strings.TrimSpace(string(a.Comment))) == 0 {
		t.Errorf("%s: the comment doesn't say which rule the case shows", file)
	}
	for _, f := range a.Files {
		_, input := c.inputs[f.Name]
		_, want := c.wants[f.Name]
		switch {
		case input || want:
			t.Errorf("%s: %s stands in it twice", file, f.Name)
		case strings.HasPrefix(f.Name, "want/"):
			c.wants[f.Name] = string(f.Data)
		default:
			c.inputs[f.Name] = f.Data
		}
	}
	if err := c.addFiles(); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return c
}

// wantOrder is the order in which outputs stand in an archive.
var wantOrder = []string{
	wantPrompt, wantPromptJSON, wantTrace, wantSpans, wantDigests, wantUnmet, wantChanged, wantChangedJSON, wantDiff, wantError,
}

// rewrite writes the archive anew with the outputs that came out.
func (c *conformanceCase) rewrite(t *testing.T, got map[string]string) {
	files := slices.DeleteFunc(slices.Clone(c.archive.Files), func(f txtar.File) bool { return strings.HasPrefix(f.Name, "want/") })
	left := maps.Clone(got)
	for _, name := range wantOrder {
		if data, ok := got[name]; ok {
			files = append(files, txtar.File{Name: name, Data: []byte(data)})
			delete(left, name)
		}
	}
	if len(left) > 0 {
		t.Fatalf("outputs without a place: %q", slices.Sorted(maps.Keys(left)))
	}
	data := txtar.Format(&txtar.Archive{Comment: c.archive.Comment, Files: files})
	if err := os.WriteFile(c.file, data, 0o666); err != nil {
		t.Fatal(err)
	}
}

// run makes the outputs of a case and holds the laws against each prompt.
func (c *conformanceCase) run(t testing.TB) map[string]string {
	t.Helper()
	source := c.source(t)
	got := map[string]string{}
	p, err := source.reduce(change{})
	if err != nil {
		if c.has("what-if.json") || len(c.same()) > 0 {
			t.Fatalf("the input itself is refused: %v", err)
		}
		got[wantError] = source.shown(errorText(t, err))
		return got
	}
	checkLaws(t, p)
	source.replay(t, p)
	c.outputs(got, p, source)
	for _, name := range c.same() {
		c.checkSame(t, name, p)
	}
	if !c.has("what-if.json") {
		return got
	}
	q, err := source.reduce(c.change(t))
	if err != nil {
		t.Fatalf("what-if.json: %v", err)
	}
	checkLaws(t, q)
	s := source.view(q)
	got[promptName(s, wantChanged, wantChangedJSON)] = promptFile(s)
	got[wantDiff] = source.shown(diffFile(t, cento.Diff(p, q)))
	return got
}

func (c *conformanceCase) has(input string) bool { return c.inputs[input] != nil }

// same lists the inputs that are to give the same prompt.
func (c *conformanceCase) same() []string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(c.inputs)) {
		if strings.HasPrefix(name, "same/") {
			out = append(out, name)
		}
	}
	return out
}

func (c *conformanceCase) checkSame(t testing.TB, name string, p *cento.Prompt) {
	t.Helper()
	other := &conformanceCase{name: c.name, inputs: map[string][]byte{}}
	switch _, base, _ := strings.Cut(name, "."); base {
	case "request.json", "input.json":
		other.inputs[base] = c.inputs[name]
	default:
		t.Fatalf("%s: expected a name that ends in .request.json or .input.json", name)
	}
	q, err := other.source(t).reduce(change{})
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	checkLaws(t, q)
	want, is := p.System()
	got, isToo := q.System()
	if got != want || is != isToo {
		t.Errorf("%s gives %q, and the case gives %q", name, got, want)
	}
}
