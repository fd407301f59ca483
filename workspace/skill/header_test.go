package skill_test

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/treetest"
	"github.com/cento-dev/cento/workspace/skill"
)

// Each limit holds at its edge: one character less and exactly as many pass, one
// more doesn't. Characters count, and not bytes.
func TestLimits(t *testing.T) {
	front := func(name, rest string) string { return "---\nname: " + name + "\n" + rest + "\n---\nText.\n" }
	for _, c := range []struct {
		name  string
		limit int
		file  func(n int) (folder, text string)
		code  cento.ErrorCode
	}{
		{"name", skill.MaxName, func(n int) (string, string) {
			name := strings.Repeat("a", n)
			return name, front(name, "description: d")
		}, skill.InvalidName},
		{"description", skill.MaxDescription, func(n int) (string, string) {
			return "a", front("a", "description: "+strings.Repeat("ü", n))
		}, skill.InvalidText},
		{"compatibility", skill.MaxCompatibility, func(n int) (string, string) {
			return "a", front("a", "description: d\ncompatibility: "+strings.Repeat("ü", n))
		}, skill.InvalidText},
	} {
		for _, n := range []int{1, c.limit - 1, c.limit, c.limit + 1} {
			folder, text := c.file(n)
			doc, err := skill.Parse("SKILL.md", folder, text, cento.TrustUser, cento.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			if broken := cento.Join(doc.Deviations); n <= c.limit && broken != nil || n > c.limit && !errors.Is(broken, c.code) {
				t.Errorf("%s of %d characters: %v", c.name, n, broken)
			}
		}
	}
}

// The front matter of a skill may take so many bytes, and the text behind it any
// number that a file may have.
func TestFrontMatterLimit(t *testing.T) {
	for _, size := range []int{skill.MaxFrontMatter - 1, skill.MaxFrontMatter, skill.MaxFrontMatter + 1, 2 * skill.MaxFrontMatter} {
		root := t.TempDir()
		head := "---\nname: a\ndescription: d\nlicense: "
		fill := size - len(head) - len("\n---\n")
		treetest.Files(t, root, map[string]string{".agents/skills/a/SKILL.md": head + strings.Repeat("x", fill) + "\n---\n" + strings.Repeat("Text.\n", 5000)})
		s := discover(root)
		used := len(s.Usable()) == 1
		if used != (size <= skill.MaxFrontMatter) {
			t.Errorf("front matter of %d bytes: in use %v, %v", size, used, s.Notes)
		}
		if !used && !strings.Contains(s.Notes[0].Message, fmt.Sprint(skill.MaxFrontMatter)) {
			t.Errorf("the note doesn't tell the limit: %s", s.Notes[0].Message)
		}
	}
}

func TestTools(t *testing.T) {
	for allowed, want := range map[string][]string{
		"Read Grep":                           {"Read", "Grep"},
		"Bash(git:*) Bash(jq:*) Read":         {"Bash", "Read"},
		"\"Bash(git add, git commit), Read\"": {"Bash", "Read"},
		"[Read, Read]":                        {"Read"},
		"[Read Grep, \"Bash (git add)\"]":     {"Read", "Grep", "Bash"},
		"\"(odd)\"":                           nil,
		"\"\"":                                nil,
	} {
		doc, err := skill.Parse("x", "a", "---\nname: a\ndescription: d\nallowed-tools: "+allowed+"\n---\n", cento.TrustUser, cento.Limits{})
		if err != nil {
			t.Errorf("%s: %v", allowed, err)
		} else if got := doc.Tools(); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", allowed, got, want)
		}
	}
}

// A field that Cento doesn't use, or a name that breaks the rules, never decides whether it
// uses the skill.
func TestLenient(t *testing.T) {
	for _, c := range []struct{ head, name, description string }{
		{"name: a\ndescription: D.\nmetadata: {domains: [x, y]}", "a", "D."},
		{"name: a\ndescription: D.\nmetadata: 7\nlicense: [MIT]\ncompatibility: {a: b}\nallowed-tools: {a: b}\ndisable-model-invocation: 3", "a", "D."},
		{"name: other-name\ndescription: D.", "other-name", "D."},
		{"name: Upper_Case\ndescription: D.", "Upper_Case", "D."},
		{"description: D.", "a", "D."},
		{"name: \"a\\nb\"\ndescription: D.", "a", "D."},
		{"name: [x]\ndescription: D.", "a", "D."},
		{"name: a\ndescription: Use it when: a colon follows", "a", "Use it when: a colon follows"},
		{"name: a\ndescription: Use it when: a colon\n  follows\nlicense: MIT", "a", "Use it when: a colon follows"},
		{"name: a\ndescription: @x", "a", "@x"},
		{"name: a\ndescription: D.\nname: b", "a", "D."},
		{"name: a\nDescription: E.\ndescription: D.", "a", "D."},
		{"name: a\ndescription: D.\nglobs: *.sql", "a", "D."},
	} {
		text := "---\n" + c.head + "\n---\nText.\n"
		doc, err := skill.Parse("f", "a", text, cento.TrustWorkspace, cento.Limits{})
		if err != nil {
			t.Errorf("%q: %v", c.head, err)
			continue
		}
		checkParsed(t, "f", "a", text, doc, err)
		if doc.Name != c.name || doc.Described.Body != c.description || len(doc.Deviations) == 0 {
			t.Errorf("%q is named %q and described as %q; %v", c.head, doc.Name, doc.Described.Body, doc.Deviations)
		}
	}
	for _, head := range []string{"name: a", "name: a\ndescription: ' '", "name: a\ndescription: [x]", "name: a\ndescription: &x D.", "- a", "name a"} {
		if doc, err := skill.Parse("f", "a", "---\n"+head+"\n---\nText.\n", cento.TrustWorkspace, cento.Limits{}); err == nil {
			t.Errorf("%q is read as %+v", head, doc.Header)
		}
	}
}

var validName = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// checkParsed holds what any SKILL.md gives to the rules of the specification and
// to the promises of the package.
func checkParsed(t interface{ Fatalf(string, ...any) }, file, folder, text string, doc *skill.Document, err error) {
	if err != nil {
		if doc != nil {
			t.Fatalf("a skill and an error: %v", err)
		}
		list, ok := errors.AsType[*cento.Errors](err)
		if !ok {
			e, single := errors.AsType[*cento.SourceError](err)
			if !single {
				t.Fatalf("an error without a place: %v", err)
			}
			list = &cento.Errors{List: []*cento.SourceError{e}}
		}
		lines := strings.Count(text, "\n") + 1
		for _, e := range list.List {
			if e.Position.File != file || e.Position.Line > lines || e.Code == "" || e.Message == "" {
				t.Fatalf("%+v", e)
			}
		}
		return
	}
	n := utf8.RuneCountInString(doc.Description)
	switch {
	case len(doc.Deviations) > 0:
	case doc.Name != folder || !validName.MatchString(doc.Name) || len(doc.Name) > skill.MaxName:
		t.Fatalf("the name %q in the folder %q", doc.Name, folder)
	case n > skill.MaxDescription:
		t.Fatalf("a description of %d characters: %q", n, doc.Description)
	case utf8.RuneCountInString(doc.Compatibility) > skill.MaxCompatibility:
		t.Fatalf("a compatibility of %d bytes", len(doc.Compatibility))
	}
	switch {
	case doc.Name == "" || strings.ContainsFunc(doc.Name, func(r rune) bool { return !unicode.IsPrint(r) }):
		t.Fatalf("the name %q", doc.Name)
	case n == 0 || strings.TrimSpace(doc.Description) != doc.Description:
		t.Fatalf("a description of %d characters: %q", n, doc.Description)
	case !strings.HasSuffix(text, doc.Body.Body):
		t.Fatalf("the text isn't the end of the file: %q", doc.Body.Body)
	case doc.Body.Origin.Line != strings.Count(text[:len(text)-len(doc.Body.Body)], "\n")+1 && doc.Body.Body != "":
		t.Fatalf("the text begins in line %d", doc.Body.Origin.Line)
	}
	if want := strings.Join(strings.Fields(doc.Description), " "); doc.Described.Body != want {
		t.Fatalf("listed as %q, want %q", doc.Described.Body, want)
	}
	checkRuns(t, text, doc.Named)
	checkRuns(t, text, doc.Described)
	for _, name := range doc.Tools() {
		if name == "" || strings.ContainsAny(name, " \t\n(") {
			t.Fatalf("the tool %q", name)
		}
	}
}

// checkRuns: runs tile the text, and those that are copies stand in the file.
func checkRuns(t interface{ Fatalf(string, ...any) }, file string, text cento.Text) {
	lines := strings.Split(file, "\n")
	end := 0
	for _, r := range text.Runs {
		if r.Start != end || r.End <= r.Start {
			t.Fatalf("runs don't tile %q: %v", text.Body, text.Runs)
		}
		end = r.End
		if r.Fixed {
			continue
		}
		line := lines[r.Position.Line-1]
		for range r.Position.Column - 1 {
			_, size := utf8.DecodeRuneInString(line)
			line = line[size:]
		}
		if got := text.Body[r.Start:r.End]; !strings.HasPrefix(line, got) {
			t.Fatalf("%q is not what stands at %s: %q", got, r.Position, line)
		}
	}
	if end != len(text.Body) {
		t.Fatalf("runs end at %d of %d", end, len(text.Body))
	}
}

// A description comes out on one line, whichever way it is written, and every
// word of it knows its place.
func TestDescriptionForms(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.StringMatching(`[A-Za-zäß0-9.,!]{1,9}`), 1, 60).Draw(t, "words")
		gap := func() string { return rapid.SampledFrom([]string{" ", "  ", "\n", " \n", "\n\n", "\t"}).Draw(t, "gap") }
		var b strings.Builder
		for i, w := range words {
			if i > 0 {
				b.WriteString(gap())
			}
			b.WriteString(w)
		}
		written := b.String()
		indented := "  " + strings.ReplaceAll(written, "\n", "\n  ")
		form := rapid.SampledFrom([]string{"|", ">", "|-", ">+", "quoted", "escaped"}).Draw(t, "form")
		value := form + "\n" + indented
		switch form {
		case "quoted":
			value = "'" + strings.ReplaceAll(indented, "'", "''") + "'"
		case "escaped":
			value = `"` + strings.NewReplacer("\n", `\n`, "\t", `\t`).Replace(written) + ` "`
		}
		text := "---\nname: a\ndescription: " + value + "\n---\n# Title\n"
		doc, err := skill.Parse("f", "a", text, cento.TrustWorkspace, cento.Limits{})
		if err != nil {
			t.Skip(err) // too long, or a tab where YAML has none
		}
		checkParsed(t, "f", "a", text, doc, err)
		if want := strings.Join(words, " "); doc.Described.Body != want {
			t.Fatalf("%q\nwant %q", doc.Described.Body, want)
		}
	})
}

// Names always stay in the catalogue; descriptions go from the last skill on, so
// that a larger budget keeps all that a smaller one does, and no more than fits.
func TestFit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var list []cento.ListedSkill
		names := 0
		for i := range rapid.IntRange(0, 20).Draw(t, "skills") {
			name := fmt.Sprintf("skill-%02d", i)
			list = append(list, cento.ListedSkill{
				Name: cento.Text{Body: name}, Description: cento.Text{Body: strings.Repeat("d", rapid.IntRange(1, 40).Draw(t, "length"))},
			})
			names += len("- \n") + len(name)
		}
		size := func(described int) int {
			n := names
			for _, x := range list[:described] {
				n += len(": ") + len(x.Description.Body)
			}
			return n
		}
		budget := rapid.IntRange(0, 1200).Draw(t, "budget")
		n := skill.Fit(list, budget)
		switch {
		case n < 0 || n > len(list):
			t.Fatalf("%d of %d", n, len(list))
		case n > 0 && size(n) > budget:
			t.Fatalf("%d descriptions take %d bytes of %d", n, size(n), budget)
		case n < len(list) && size(n+1) <= budget:
			t.Fatalf("one more than %d fits: %d bytes of %d", n, size(n+1), budget)
		case skill.Fit(list, budget+rapid.IntRange(0, 500).Draw(t, "more")) < n:
			t.Fatal("a larger budget keeps fewer")
		}
	})
}

// FuzzParse: whatever a SKILL.md holds, it is read to the rules or refused with a
// place, and a skill beside it is in use either way.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"---\nname: a\ndescription: d\n---\nText.\n", "\ufeff---\r\nname: a\r\ndescription: d\r\n---\r\n",
		"---\nname: a\ndescription: |\n  one\n\n  two\nlicense: MIT\ncompatibility: all\nmetadata: {a: b}\nallowed-tools: Bash(git:*) Read\n---\n---\n",
		"---\nname: a\ndescription: >-\n  folded\n  text\nunknown: x\n---", "---\nname: \"\\u0061\"\ndescription: \"\\x64\\n\\td\"\n--- \t\nx",
		"---\n- a\n---\n", "---\n---\n", "---", "", "---\nname: &x a\ndescription: *x\n---\n", "---\nname: a\nname: b\n---\n", "---\n{name: a, description: d}\n---\n",
		"---\nname: a\ndescription: when: a colon\n  goes on\nglobs: *.x\n---\n", "---\ndescription: @x\nmetadata: [a\n---\n",
		"---\nname: a\ndescription: d\nallowed-tools: [Read, \"Bash(a, b)\"]\n---\n", "---\nname: !!str a\ndescription: 'it''s'\n---\n\x00",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		doc, err := skill.Parse("f", "a", text, cento.TrustWorkspace, cento.Limits{})
		if strings.IndexFunc(text, func(r rune) bool {
			return r == '\r' || r == 0xFEFF || unicode.Is(unicode.Cc, r) && r != '\n' && r != '\t'
		}) < 0 && utf8.ValidString(text) {
			checkParsed(t, "f", "a", text, doc, err)
		}
		root := t.TempDir()
		treetest.Files(t, root, map[string]string{".agents/skills/a/SKILL.md": text, ".agents/skills/b/SKILL.md": "---\nname: b\ndescription: Good.\n---\n"})
		s := discover(root)
		if used := usable(s); !slices.Contains(used, "b") {
			t.Fatalf("in use are %q", used)
		}
		if x := find(t, s, "a"); x.Status == skill.Invalid && len(s.Notes) == 0 {
			t.Fatal("not used, and nothing says so")
		}
	})
}
