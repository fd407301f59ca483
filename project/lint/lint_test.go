package lint

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/project"
)

// tells reports whether a text tells of a tool.
func tells(text, tool string) bool {
	found := false
	newNames([]string{tool}).find(text, func(string, int) { found = true })
	return found
}

func TestMentions(t *testing.T) {
	for _, x := range []struct {
		text, tool string
		found      bool
	}{
		{"Use `read` first.", "read", true}, {"Use the read tool.", "read", true}, {"The tool read is fast.", "read", true}, {"Both read tools.", "read", true},
		{"Please read this.", "read", false}, {"Already `reading`.", "read", false}, {"The `read_file` way.", "read", false}, {"read toolbox", "read", false},
		{"Call read_file now.", "read_file", true}, {"Call read_files now.", "read_file", false}, {"pre-read_file", "read_file", false}, {"readFile()", "readFile", true},
		{"read read `read`", "read", true}, {"", "read", false}, {"anything", "", false},
		{"Call srv.read_x now.", "srv.read_x", true}, {"Call srv.read_xy now.", "srv.read_x", false}, {"asrv.read_x", "srv.read_x", false}, {"Use `a/b:c`.", "a/b:c", true}, {"ünread_file", "read_file", false},
	} {
		if got := tells(x.text, x.tool); got != x.found {
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
		last := 0
		newNames([]string{tool}).find(text, func(name string, at int) {
			if name != tool || at < last || !strings.HasPrefix(text[at:], tool) {
				t.Fatalf("%q isn't at %d of %q, behind %d", tool, at, text, last)
			}
			last = at + len(tool)
		})
		if start, end := codeSpan(text); end >= 0 && (start < 1 || end <= start || text[start-1] != '`' || text[end] != '`' || strings.ContainsAny(text[start:end], "`\n")) {
			t.Fatalf("%q: [%d, %d)", text, start, end)
		}
	})
}

// Findings are the same whatever the order of the checks is, and every check is
// described.
func TestChecks(t *testing.T) {
	dir := t.TempDir()
	manifest := "system: Use `todo`.\ntools: [todo]\nfragments: [{id: a, body: x, section: S}, {id: b, body: x}, {id: c, body: x, section: S}]\nscope: off\ntargets: {off: {tools: []}}\n"
	if err := os.WriteFile(filepath.Join(dir, project.FileName), []byte(manifest), 0o644); err != nil {
		t.Fatal(err)
	}
	r := project.Request{Dir: dir}
	site, err := project.Locate(r)
	if err != nil {
		t.Fatal(err)
	}
	checks := Checks()
	report, err := Run(t.Context(), site, r, Options{}, checks...)
	if err != nil {
		t.Fatal(err)
	}
	want := report.Findings
	if !slices.Equal(report.Targets, []string{"", "off"}) {
		t.Errorf("targets %q", report.Targets)
	}
	var codes []cento.Code
	for _, f := range want {
		codes = append(codes, f.Code)
	}
	if expected := []cento.Code{"scope.none", "tool.dead_mention", "tool.ungated_mention", "section.split"}; !slices.Equal(codes, expected) {
		t.Errorf("found %q, not %q", codes, expected)
	}
	slices.Reverse(checks)
	again, err := Run(t.Context(), site, r, Options{}, checks...)
	if err != nil {
		t.Fatal(err)
	}
	got := again.Findings
	if !slices.EqualFunc(want, got, func(a, b Finding) bool {
		return a.Code == b.Code && a.Position == b.Position && a.Message == b.Message && slices.Equal(a.Targets, b.Targets)
	}) {
		t.Errorf("another order of checks finds\n%+v\nand not\n%+v", got, want)
	}
	if !slices.IsSortedFunc(Checks(), func(a, b Check) int { return strings.Compare(string(a.Code), string(b.Code)) }) {
		t.Error("the checks aren't ordered by code")
	}
	for _, c := range Checks() {
		if c.Doc == "" || !strings.HasSuffix(c.Doc, ".") || c.prompt == nil && c.whole == nil {
			t.Errorf("check %s isn't whole", c.Code)
		}
	}
	for name, c := range map[string]struct {
		found            []Finding
		failed, strictly bool
	}{
		"nothing":             {nil, false, false},
		"what was found":      {want, true, true},
		"a note":              {[]Finding{{Severity: cento.SeverityNote}}, false, false},
		"a warning":           {[]Finding{{Severity: cento.SeverityWarning}}, false, true},
		"an accepted warning": {[]Finding{{Severity: cento.SeverityWarning, Ignored: "so"}}, false, false},
		"an accepted error":   {[]Finding{{Severity: cento.SeverityError, Ignored: "so"}}, false, false},
	} {
		if Failed(c.found) != c.failed || FailedStrictly(c.found) != c.strictly {
			t.Errorf("%s: failed %t, strictly %t", name, Failed(c.found), FailedStrictly(c.found))
		}
	}
}

// TestManyTargetsAreBounded checks that targets that name one long file, or that decide about
// many fragments, are looked at up to a bound. The first target beyond it is reported with
// its place.
func TestManyTargetsAreBounded(t *testing.T) {
	const targets = 70
	const size, fragments = 256 << 10, 4 << 10
	settings := "targets:\n"
	for i := range targets {
		settings += fmt.Sprintf("  t%d: {caps: [c%d]}\n", i, i)
	}
	for _, c := range []struct {
		what   string
		files  map[string]string
		looked int // at least
	}{
		{"bytes", map[string]string{"cento.yaml": settings + "system: x\n", "AGENTS.md": strings.Repeat("Small functions.\n", size/17)}, maxBytes / size},
		{"fragments", map[string]string{"cento.yaml": settings + "system: x\nfragments:\n" + strings.Repeat("  - {id: ID, body: x, requires_caps: [c]}\n", fragments)}, maxFragments / fragments},
	} {
		t.Run(c.what, func(t *testing.T) {
			for i := 0; strings.Contains(c.files["cento.yaml"], "ID"); i++ {
				c.files["cento.yaml"] = strings.Replace(c.files["cento.yaml"], "ID", fmt.Sprintf("f%d", i), 1)
			}
			r, site := lintable(t, c.files)
			report, err := Run(t.Context(), site, r, Options{})
			if err != nil {
				t.Fatal(err)
			}
			looked := len(report.Targets)
			if looked < c.looked || looked > c.looked+2 {
				t.Errorf("%d prompts were looked at, want %d", looked, c.looked)
			}
			i := slices.IndexFunc(report.Findings, func(f Finding) bool { return f.Code == cento.Code(cento.LimitExceeded) })
			if i < 0 {
				t.Fatalf("nothing tells that targets weren't looked at: %v", report.Findings)
			}
			f := report.Findings[i]
			want := fmt.Sprintf(`the target "t%d" and %d after it aren't checked: the prompts before it have more than`, looked-1, targets-looked)
			if !strings.HasPrefix(f.Message, want) || !strings.HasSuffix(f.Message, c.what+" together") || f.Position.Line != looked+1 || f.Severity != cento.SeverityError || f.Hint == "" {
				t.Errorf("%+v, want %q in line %d", f, want, looked+1)
			}
		})
	}
}

// TestRequestsOfTargetsAreBuiltOnce: targets that share model, tools and settings share the
// request that a check builds.
func TestRequestsOfTargetsAreBuiltOnce(t *testing.T) {
	manifest := "system: You help.\nwire: {provider: anthropic}\ntools: [{name: find, parameters: {type: object}}]\ntargets:\n"
	for i := range 20 {
		manifest += fmt.Sprintf("  t%d: {system: Text %d.}\n", i, i)
	}
	manifest += "  other: {wire: {provider: openai}}\n"
	_, site := lintable(t, map[string]string{"cento.yaml": manifest})
	base, err := site.OpenPrompts(t.Context(), project.Request{Dir: site.Root.Dir})
	if err != nil {
		t.Fatal(err)
	}
	s := newSubject(base, Options{})
	for _, name := range append(base.Targets(), "") {
		of, err := s.open(t.Context(), name)
		if err == nil {
			err = refusedRequests(s, of, func(f Finding) { t.Error(f.Message) })
		}
		if err == nil {
			err = lostInRequests(s, of, func(f Finding) { t.Error(f.Message) })
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	n := 0
	for _, list := range s.requests.built {
		n += len(list)
	}
	if n != 2 {
		t.Errorf("%d requests were built, want 2", n)
	}
}
