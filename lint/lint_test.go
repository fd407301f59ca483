package lint

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/project"
)

func TestMentions(t *testing.T) {
	for _, x := range []struct {
		text, tool string
		found      bool
	}{
		{"Use `read` first.", "read", true}, {"Use the read tool.", "read", true}, {"The tool read is fast.", "read", true}, {"Both read tools.", "read", true},
		{"Please read this.", "read", false}, {"Already `reading`.", "read", false}, {"The `read_file` way.", "read", false}, {"read toolbox", "read", false},
		{"Call read_file now.", "read_file", true}, {"Call read_files now.", "read_file", false}, {"pre-read_file", "read_file", false}, {"readFile()", "readFile", true},
		{"read read `read`", "read", true}, {"", "read", false}, {"anything", "", false},
	} {
		if got := indexMention(x.text, x.tool) >= 0; got != x.found {
			t.Errorf("%q tells of %q: %v", x.text, x.tool, got)
		}
	}
}

func TestPathsInTexts(t *testing.T) {
	for name, want := range map[string]bool{
		"docs/a.md": true, "./docs/a.md": true, ".github/workflows/ci.yml": true, "src/": true, "a/b/c.test.ts": true,
		"a.md": false, "and/or": false, "https://x.org/a.html": false, "example.com/x.html": false, "@scope/pkg.js": false,
		"docs/*.md": false, "docs/<name>.md": false, "/etc/hosts.conf": false, "../up.md": false, "go test ./x.go": false, "": false, "/": false,
	} {
		if got := looksLikePath(name); got != want {
			t.Errorf("%q is taken for a path: %v", name, got)
		}
	}
}

func FuzzMentions(f *testing.F) {
	f.Add("Use `read` and the read tool", "read")
	f.Add("``", "")
	f.Fuzz(func(t *testing.T, text, tool string) {
		if i := indexMention(text, tool); i >= 0 && !strings.HasPrefix(text[i:], tool) {
			t.Fatalf("%q isn't at %d of %q", tool, i, text)
		}
		if start, end := codeSpan(text); end >= 0 && (start < 1 || end <= start || text[start-1] != '`' || text[end] != '`' || strings.ContainsAny(text[start:end], "`\n")) {
			t.Fatalf("%q: [%d, %d)", text, start, end)
		}
	})
}

// Findings are the same whatever the order of the checks is, and every check is
// described.
func TestChecks(t *testing.T) {
	dir := t.TempDir()
	manifest := "system: Use `todo`.\ntools: [todo]\nfragments: [{id: a, body: x, section: S}, {id: b, body: x}, {id: c, body: x, section: S}]\ntargets: {off: {tools: []}}\n"
	if err := os.WriteFile(filepath.Join(dir, project.FileName), []byte(manifest), 0o644); err != nil {
		t.Fatal(err)
	}
	r := project.Request{Dir: dir}
	place, err := project.Locate(r)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Open(t.Context(), place, r)
	if err != nil {
		t.Fatal(err)
	}
	checks := Checks()
	want, err := Run(s, checks...)
	if err != nil {
		t.Fatal(err)
	}
	var codes []cento.Code
	for _, f := range want {
		codes = append(codes, f.Code)
	}
	if expected := []cento.Code{"scope.none", "tool.dead_mention", "tool.ungated_mention", "section.split"}; !slices.Equal(codes, expected) {
		t.Errorf("found %q, not %q", codes, expected)
	}
	slices.Reverse(checks)
	got, err := Run(s, checks...)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.EqualFunc(want, got, func(a, b Finding) bool {
		return a.Code == b.Code && a.Position == b.Position && a.Message == b.Message && slices.Equal(a.Targets, b.Targets)
	}) {
		t.Errorf("another order of checks finds\n%+v\nand not\n%+v", got, want)
	}
	if !slices.IsSortedFunc(Checks(), func(a, b Check) int { return strings.Compare(string(a.Code), string(b.Code)) }) {
		t.Error("the checks aren't ordered by code")
	}
	for _, c := range Checks() {
		if c.Doc == "" || !strings.HasSuffix(c.Doc, ".") || c.Run == nil {
			t.Errorf("check %s isn't whole", c.Code)
		}
	}
	if !Failed(want, false) || Failed(nil, true) || Failed([]Finding{{Severity: Warning}}, false) || !Failed([]Finding{{Severity: Warning}}, true) || Failed([]Finding{{Severity: Error, Ignored: "so"}}, true) {
		t.Error("what fails is judged wrongly")
	}
}
