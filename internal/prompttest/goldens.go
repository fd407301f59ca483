package prompttest

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/manifest"
	"github.com/cento-dev/cento/internal/needle"
	"github.com/cento-dev/cento/internal/tree"
)

// goldens are the files that cases name, as they are and as they are to be.
type goldens struct {
	suite   *Suite
	texts   map[string]*golden // by path from the root
	updates []string           // of those that are to be written
}

// golden is a file, and what a run says that is in it.
type golden struct {
	text  string
	err   error
	wrote *string // by which run it is to be written, and with what
	by    cento.Position
}

func newGoldens(s *Suite) *goldens { return &goldens{suite: s, texts: map[string]*golden{}} }

// maxGolden is the largest golden that is read, in bytes: the longest prompt there is,
// and what a request makes of it.
const maxGolden = 64 << 20

func (g *goldens) open() (*tree.Tree, error) {
	return tree.OpenOn(g.suite.request.Disk, filepath.FromSlash(g.suite.site.Root.Dir), tree.Options{Limit: maxGolden})
}

func (g *goldens) read(name string) *golden {
	if x := g.texts[name]; x != nil {
		return x
	}
	x := &golden{}
	g.texts[name] = x
	t, err := g.open()
	if err != nil {
		x.err = err
		return x
	}
	defer t.Close()
	f, err := t.Read(name)
	if err != nil {
		x.err = err
		return x
	}
	x.text = f.Text
	return x
}

// golden compares a text with the file that has to have it, or notes that it is to be
// written. a is the prompt of the text; nil for another kind of text.
func (t *tester) golden(key string, c *testCase, ref *manifest.FileReference, text string, a *assembled) []Failure {
	name := c.file(ref)
	x := t.files.read(name)
	missing := errors.Is(x.err, fs.ErrNotExist)
	if t.options.Update && (x.err == nil || missing) {
		if x.wrote != nil && *x.wrote != text {
			t.files.updates = slices.DeleteFunc(t.files.updates, func(other string) bool { return other == name })
			return []Failure{{
				Position: ref.Position, Assertion: key, Message: fmt.Sprintf("%s is to hold two different texts", name),
				Details: []string{"the other one is wanted at " + x.by.String()}, Hint: "give each run that differs a golden of its own",
			}}
		}
		if x.wrote == nil {
			x.wrote, x.by = &text, ref.Position
			if missing || x.text != text {
				t.files.updates = append(t.files.updates, name)
			}
		}
		return nil
	}
	switch {
	case missing:
		return []Failure{{
			Position: ref.Position, Assertion: key, Code: tree.NotFound, Message: fmt.Sprintf("there is no file %s", name),
			Hint: "`cento test --update` writes it",
		}}
	case x.err != nil:
		list := failuresOf(x.err, c)
		for i := range list {
			list[i].Position, list[i].Assertion = ref.Position, key
		}
		return list
	case x.text == text || x.text == strings.ReplaceAll(text, "\r\n", "\n"): // as files are read
		return nil
	}
	f := Failure{Position: ref.Position, Assertion: key, Message: fmt.Sprintf("%s has another text", name), Hint: "`cento test --update` writes what is now; read the difference"}
	if a != nil {
		f.Details = changedFragments(x.text, a)
	}
	if t.options.Explain != nil {
		f.Lines = t.options.Explain.Lines(x.text, text)
	}
	return []Failure{f}
}

// changedFragments tells which fragments of a prompt a golden doesn't have, and which
// it has that are out.
func changedFragments(golden string, a *assembled) []string {
	golden = foldSpace(golden)
	var out []string
	for i := range a.Len() {
		text := foldSpace(a.Text(i))
		if text == "" {
			continue
		}
		switch has := strings.Contains(golden, text); {
		case a.In(i) && !has:
			out = append(out, "not in the golden: "+verdict(a, i))
		case !a.In(i) && has && !needle.Exact(text).StandsIn(a.text):
			out = append(out, "in the golden: "+verdict(a, i))
		}
	}
	return firstLines(out)
}

// foldSpace makes each run of white space one blank, and leaves those around a text
// out.
func foldSpace(s string) string { return strings.Join(strings.Fields(s), " ") }

// write writes what is to be written, and lists it.
func (g *goldens) write() ([]string, error) {
	slices.Sort(g.updates)
	if len(g.updates) == 0 {
		return nil, nil
	}
	t, err := g.open()
	if err != nil {
		return nil, err
	}
	defer t.Close()
	for _, name := range g.updates {
		if err := t.Replace(name, []byte(*g.texts[name].wrote)); err != nil {
			return nil, fmt.Errorf("writing %s: %w", name, tree.WithoutPath(err))
		}
	}
	return g.updates, nil
}

// orphans are the files that lie among goldens and that no case names. A folder below
// that of the case's file which has a golden in it belongs to goldens.
func (g *goldens) orphans() ([]string, error) {
	named, folders := map[string]bool{}, map[string]bool{}
	home := map[string]bool{}
	for i := range g.suite.cases {
		home[g.suite.cases[i].dir] = true
	}
	for i := range g.suite.cases {
		c := &g.suite.cases[i]
		for _, ref := range c.references() {
			name := c.file(ref)
			named[name] = true
			if dir := path.Dir(name); !home[dir] && dir != "." && (c.dir == "." || strings.HasPrefix(dir, c.dir+"/")) {
				folders[dir] = true
			}
		}
	}
	if len(folders) == 0 {
		return nil, nil
	}
	t, err := g.open()
	if err != nil {
		return nil, err
	}
	defer t.Close()
	var out []string
	for dir := range folders {
		entries, err := t.ReadDir(dir, maxFolder)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			name := path.Join(dir, e.Name)
			if e.Mode.IsRegular() && !named[name] && !strings.HasPrefix(e.Name, ".") {
				out = append(out, name)
			}
		}
	}
	slices.Sort(out)
	return out, nil
}
