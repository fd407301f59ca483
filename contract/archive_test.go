package contract

import (
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/archive"
)

// archived is a txtar file of inputs and, below want/, results.
type archived struct {
	t    *testing.T
	name string
	*txtar.Archive
	used    map[string]bool
	changed bool
}

// archives runs a test on every archive of a folder.
func archives(t *testing.T, folder string, least int, run func(*archived)) {
	names, err := filepath.Glob("testdata/" + folder + "/*.txtar")
	if err != nil || len(names) < least {
		t.Fatalf("%d archives, %v", len(names), err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			parsed, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			a := &archived{t: t, name: name, Archive: parsed, used: map[string]bool{}}
			if len(a.Comment) == 0 {
				t.Error("the archive has no comment")
			}
			run(a)
			for _, f := range a.Files {
				if !a.used[f.Name] {
					t.Errorf("%s belongs to no case", f.Name)
				}
			}
			if a.changed {
				if err := os.WriteFile(name, txtar.Format(a.Archive), 0o666); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

var unseen = regexp.MustCompile(`\\u\{[0-9a-f]+\}`)

// input returns a file of the archive.
func (a *archived) input(name string) (string, bool) {
	i := slices.IndexFunc(a.Files, func(f txtar.File) bool { return f.Name == name })
	if i < 0 {
		return "", false
	}
	a.used[name] = true
	return unseen.ReplaceAllStringFunc(string(a.Files[i].Data), func(s string) string {
		c, err := strconv.ParseUint(s[3:len(s)-1], 16, 8)
		if err != nil {
			a.t.Fatal(err)
		}
		return string([]byte{byte(c)})
	}), true
}

// file reads the contract of the archive.
func (a *archived) file() (string, *File, error) {
	for _, name := range []string{"contract.yaml", "contract.json"} {
		if text, ok := a.input(name); ok {
			f, err := ParseFile(name, []byte(text), cento.Limits{}, cento.TrustWorkspace)
			return text, f, err
		}
	}
	a.t.Fatal("the archive has no contract")
	return "", nil, nil
}

// want compares a result.
func (a *archived) want(name, got string) {
	a.t.Helper()
	name = "want/" + name
	a.used[name] = true
	if !strings.HasSuffix(got, "\n") && got != "" {
		got += "\n"
	}
	i := slices.IndexFunc(a.Files, func(f txtar.File) bool { return f.Name == name })
	switch {
	case i >= 0 && string(a.Files[i].Data) == got:
	case *archive.Update:
		a.changed = true
		if i < 0 {
			a.Files = append(a.Files, txtar.File{Name: name})
			i = len(a.Files) - 1
		}
		a.Files[i].Data = []byte(got)
	case i < 0:
		a.t.Errorf("%s isn't there, got\n%s", name, got)
	default:
		a.t.Errorf("%s: got\n%s\nwant\n%s", name, got, a.Files[i].Data)
	}
}

func TestArchivesAreUsed(t *testing.T) {
	entries, err := os.ReadDir("testdata")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !slices.Contains([]string{"README.md", "forms", "refused", "files", "runs", "answers", "fuzz"}, e.Name()) {
			t.Errorf("testdata/%s belongs to no test", e.Name())
		}
		if e.IsDir() && e.Name() != "fuzz" {
			if found, _ := filepath.Glob("testdata/" + e.Name() + "/*"); len(found) == 0 {
				t.Errorf("testdata/%s is empty", e.Name())
			} else if i := slices.IndexFunc(found, func(s string) bool { return path.Ext(s) != ".txtar" }); i >= 0 {
				t.Errorf("%s belongs to no test", found[i])
			}
		}
	}
}

func TestForms(t *testing.T) {
	archives(t, "forms", 6, func(a *archived) {
		_, f, err := a.file()
		if err != nil {
			a.t.Fatal(err)
		}
		var losses strings.Builder
		check := func(name string, form Form, options ...Option) {
			text := f.Contract.Text(form, options...)
			a.want(name, text+"\n")
			if form.Readable() {
				back, err := Parse(form, text, ParseOptions{Keys: f.Declared(), Roles: f.DeclaredRoles()})
				if err != nil {
					a.t.Errorf("%s: %v", name, err)
				} else if again := back.Text(form, options...); again != text {
					a.t.Errorf("%s is read back as\n%s", name, again)
				}
			}
			if traced := f.Text(form, options...); traced.Body != text {
				a.t.Errorf("%s is traced as\n%s", name, traced.Body)
			}
			for _, n := range f.Losses(form, options...) {
				fmt.Fprintf(&losses, "%s: %s: %s: %s\n", name, n.Position, n.Code, n.Message)
			}
		}
		for _, form := range Forms() {
			check(form.String(), form)
			if form == EDN {
				check("edn-exact", EDN, Exact)
			}
		}
		if losses.Len() > 0 {
			a.want("losses", losses.String())
		}
	})
}

func TestRefused(t *testing.T) {
	archives(t, "refused", 5, func(a *archived) {
		for _, f := range slices.Clone(a.Files) {
			if strings.HasPrefix(f.Name, "want/") {
				continue
			}
			text, _ := a.input(f.Name)
			text = strings.TrimSuffix(text, "\n")
			var form Form
			if err := form.UnmarshalText([]byte(strings.TrimPrefix(path.Ext(f.Name), "."))); err != nil {
				a.t.Fatal(err)
			}
			_, err := Parse(form, text, ParseOptions{File: f.Name})
			if err == nil {
				a.t.Errorf("%s is read", f.Name)
				continue
			}
			a.want(strings.TrimSuffix(f.Name, path.Ext(f.Name)), archive.Error(a.t, err))
		}
	})
}

func TestFiles(t *testing.T) {
	archives(t, "files", 5, func(a *archived) {
		_, f, err := a.file()
		if err != nil {
			a.want("error", archive.Error(a.t, err))
			return
		}
		var b strings.Builder
		for _, n := range f.Notes() {
			fmt.Fprintf(&b, "%s: %s: %s\n", n.Position, n.Code, n.Message)
		}
		a.want("notes", b.String())
	})
}

func TestRuns(t *testing.T) {
	archives(t, "runs", 3, func(a *archived) {
		text, f, err := a.file()
		if err != nil {
			a.t.Fatal(err)
		}
		name, _ := a.input("form")
		var form Form
		if err := form.UnmarshalText([]byte(strings.TrimSpace(name))); err != nil {
			a.t.Fatal(err)
		}
		got := f.Text(form)
		checkRuns(a.t, got, text)
		var b strings.Builder
		for _, r := range got.Runs {
			fixed := ""
			if r.Fixed {
				fixed = " fixed"
			}
			fmt.Fprintf(&b, "%q %s%s\n", got.Body[r.Start:r.End], r.Position, fixed)
		}
		a.want("runs", b.String())
	})
}

func TestAnswers(t *testing.T) {
	archives(t, "answers", 5, func(a *archived) {
		_, f, err := a.file()
		if err != nil {
			a.t.Fatal(err)
		}
		for _, file := range slices.Clone(a.Files) {
			if strings.HasPrefix(file.Name, "want/") || strings.HasPrefix(file.Name, "contract.") {
				continue
			}
			text, _ := a.input(file.Name)
			report := f.CheckAnswer(text, cento.Limits{})
			var b strings.Builder
			fmt.Fprintf(&b, "holds: %v\n", report.Holds)
			if !report.Checked {
				b.WriteString("not checked\n")
			}
			for _, x := range report.Findings {
				fmt.Fprintf(&b, "%d:%d: %s: %s: %s\n", x.Line, x.Column, x.Severity, x.Code, x.Message)
				if x.Hint != "" {
					fmt.Fprintf(&b, "  hint: %s\n", x.Hint)
				}
			}
			if report.Answer != nil {
				data, err := json.Marshal(report.Answer)
				if err != nil {
					a.t.Fatal(err)
				}
				fmt.Fprintf(&b, "%s\n", data)
			}
			a.want(strings.TrimSuffix(file.Name, path.Ext(file.Name)), b.String())
		}
	})
}
