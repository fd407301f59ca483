package tests

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// A rule is held by two archives: one that it applies to, and a twin that it doesn't
// apply to, or that breaks it. Whoever knows nothing of the rule fails at one of the two,
// and whoever sees it everywhere at the other.

// TestTwins: each archive has a twin in its folder, with another end. It names it in a
// line of its comment, is named so by it, is named for the same rule, or shows both ends
// itself. Where none needs one, the README of the folder says why, in a paragraph that
// begins with "Twins:".
func TestTwins(t *testing.T) {
	folders := archiveFolders(t)
	if len(folders) < 20 {
		t.Fatalf("%d folders with archives: the test looks at the wrong place", len(folders))
	}
	for folder, list := range folders {
		said := bytes.Contains(readme(t, folder), []byte("\nTwins: "))
		without := 0
		for _, a := range list {
			switch fault := a.twinless(list); {
			case a.twin != "" && fault != "":
				t.Errorf("%s/%s names the twin %s: %s", folder, a.name, a.twin, fault)
			case fault != "":
				without++
				if !said {
					t.Errorf("%s/%s %s: write the one where its rule ends, and name it in the comment: twin: NAME", folder, a.name, fault)
				}
			}
		}
		if said && without == 0 {
			t.Errorf("%s: the README says why there are no twins, and each archive has one", folder)
		}
	}
}

// TestFoldersOfArchivesAreListed: each folder of archives has a README, and the list of all
// of them names it.
func TestFoldersOfArchivesAreListed(t *testing.T) {
	index := string(readme(t, filepath.Join("..", "tests", conformanceFolder)))
	folders := archiveFolders(t)
	for folder := range folders {
		shown := filepath.ToSlash(strings.TrimPrefix(folder, ".."+string(filepath.Separator)))
		if !strings.Contains(index, "\n| `"+shown+"` |") {
			t.Errorf("the list of folders in %s/README.md lacks %s", conformanceFolder, shown)
		}
	}
	for _, m := range regexp.MustCompile("(?m)^\\| `([^`]*testdata[^`]*)` \\|").FindAllStringSubmatch(index, -1) {
		if folders[filepath.Join("..", filepath.FromSlash(m[1]))] == nil {
			t.Errorf("%s/README.md lists %s, which holds no archives", conformanceFolder, m[1])
		}
	}
}

// readme is the README of a folder of archives, which may lie above it.
func readme(t *testing.T, folder string) []byte {
	t.Helper()
	for _, dir := range []string{folder, filepath.Dir(folder)} {
		if text, err := os.ReadFile(filepath.Join(dir, "README.md")); err == nil {
			return text
		}
	}
	t.Errorf("%s has no README.md", folder)
	return nil
}

// twinned is an archive as far as its twin is concerned.
type twinned struct {
	name, twin string
	ends       end
	wants      string // all that comes out
}

// end is how the cases of an archive end.
type end struct{ refused, made, told, in, out bool }

// both reports whether an archive shows by itself where its rule ends.
func (e end) both() bool { return e.refused && e.made || e.in && e.out }

var twinLine = regexp.MustCompile(`(?m)^twin: (\S+)$`)

// archiveFolders are all archives of the module by their folders.
func archiveFolders(t *testing.T) map[string][]twinned {
	t.Helper()
	out := map[string][]twinned{}
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".txtar" {
			return err
		}
		a, err := txtar.ParseFile(path)
		if err != nil {
			return err
		}
		x := twinned{name: strings.TrimSuffix(d.Name(), ".txtar")}
		if m := twinLine.FindSubmatch(a.Comment); m != nil {
			x.twin = string(m[1])
		}
		for _, f := range a.Files {
			x.add(f.Name, string(f.Data))
		}
		out[filepath.Dir(path)] = append(out[filepath.Dir(path)], x)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

var (
	refusedAnswer = regexp.MustCompile(`(?m)^  code: `)
	madeAnswer    = regexp.MustCompile(`(?m)^ "`)
	toldMember    = regexp.MustCompile(`"notes": ?\[`)
	outMember     = regexp.MustCompile(`(?m)"included": false|^- `)
	ownOutMember  = regexp.MustCompile(`(?m)"id": "(?:builtin|primary):.*"included": false|^- (?:builtin|primary):`)
	inMember      = regexp.MustCompile(`(?m)"included": true|^\+ `)
)

// add looks at a file of an archive.
func (x *twinned) add(name, data string) {
	e := &x.ends
	wanted, ok := strings.CutPrefix(name, "want")
	switch {
	case name == "what-if.json", strings.HasPrefix(name, "same/"):
		e.in, e.out = true, true // what is otherwise, or the same, stands beside it
	case strings.HasSuffix(name, "/error"), strings.HasSuffix(name, ".error"), ok && strings.Contains(wanted, "error"):
		e.refused = true
	case strings.HasSuffix(name, "/want"), ok && strings.HasPrefix(wanted, "/prompt"), wanted == "/spans.json", wanted == "/spans", wanted == "/runs":
		e.made = true
	case !ok:
		return
	case wanted == "/answers.txt":
		e.refused = e.refused || refusedAnswer.MatchString(data)
		e.made = e.made || madeAnswer.MatchString(data)
	case wanted == "/findings.txt":
		e.told, e.made = data != "none\n", true
	case strings.HasPrefix(wanted, "/notes"), strings.HasPrefix(wanted, "/losses"):
		e.told = true
	default:
		e.made = true
		e.told = e.told || toldMember.MatchString(data)
		if wanted == "/trace.json" || wanted == "/fragments" {
			e.in = e.in || inMember.MatchString(data)
			// Parts of the program's own are out of nearly every prompt, whatever the rule.
			e.out = e.out || len(outMember.FindAllString(data, -1)) > len(ownOutMember.FindAllString(data, -1))
		}
	}
	x.wants += name + "\n" + data
}

// twinless says what an archive lacks; empty where it has a twin.
func (x *twinned) twinless(list []twinned) string {
	if x.twin != "" {
		i := slices.IndexFunc(list, func(y twinned) bool { return y.name == x.twin })
		switch {
		case i < 0:
			return "there is no such archive"
		case list[i].wants == x.wants:
			return "the same comes out of both"
		}
		return ""
	}
	if x.ends.both() || slices.ContainsFunc(list, func(y twinned) bool {
		return y.twin == x.name || y.ends != x.ends && named(x.name, y.name)
	}) {
		return ""
	}
	return "has no twin"
}

// opposites are how the names of twins begin.
var opposites = map[string]string{"kept": "loss", "loss": "kept"}

// named reports whether archives are named for one rule: the words of one name begin with
// those of the other, where opposites count as one word.
func named(x, y string) bool {
	words := func(name string) []string {
		return strings.FieldsFunc(name, func(r rune) bool { return r == '_' || r == '-' })
	}
	a, b := words(x), words(y)
	if opposites[a[0]] == b[0] {
		a, b = a[1:], b[1:]
	}
	n := min(len(a), len(b))
	return slices.Equal(a[:n], b[:n])
}

// TestNamed holds what counts as one rule by name.
func TestNamed(t *testing.T) {
	for _, c := range []struct {
		x, y string
		want bool
	}{
		{"path.dead", "path.dead-near", true},
		{"path.dead-near", "path.dead", true},
		{"loss_no_key", "kept_no_key", true},
		{"loss_no_key", "kept_no_model", false},
		{"loss_no_key_at_all", "kept_no_key", true},
		{"scope_tilde", "scope_none", false},
		{"gate_tool_missing", "gate_tool_none", false},
		{"include_tools", "exclude_tools", false},
	} {
		if got := named(c.x, c.y); got != c.want {
			t.Errorf("named(%q, %q) is %v", c.x, c.y, got)
		}
	}
}
