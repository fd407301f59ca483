package prompttest_test

import (
	"encoding/xml"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/prompttest"
	"github.com/cento-dev/cento/internal/treetest"
	"github.com/cento-dev/cento/project"
	"github.com/cento-dev/cento/token"
)

// aProject writes files and says how they are read.
func aProject(t testing.TB, files map[string]string) project.Request {
	t.Helper()
	return project.Request{Dir: treetest.Project(t, files)}
}

func report(t testing.TB, r project.Request, o prompttest.Options) *prompttest.Report {
	t.Helper()
	suite, err := prompttest.Load(r)
	if err != nil {
		t.Fatal(err)
	}
	out, err := suite.Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// everything is a project with all that may tell machines apart.
var everything = map[string]string{
	".git/config": "[remote \"origin\"]\n\turl = https://example.com/a/b.git\n", "go.mod": "module example.com/x\n", "AGENTS.md": "Use tabs.\n@more.md\n", "more.md": "More.\n",
	"sub/AGENTS.md":                  "Use blanks.\n",
	".cento/prompts/main.md":         "You are {{ agent.name }} in {{ cwd }} on {{ datetime }}.\n",
	".claude/skills/charts/SKILL.md": "---\nname: charts\ndescription: Reads charts.\n---\nRead it.\n",
	"cento.yaml": `agent: {name: Ada}
instruction: $workspace/main
project: {imports: true}
scope: {allow: [{target: ., permission: write}], deny: [{target: .git, permission: write}, {target: secrets, permission: read}]}
tests: [{name: a, golden: goldens/a.txt}, {name: b, with: {cwd: sub}, golden: goldens/b.txt}]
`,
}

// TestSameOnEveryMachine: goldens that were written in one folder hold in another, with
// another home, where the clone has other remotes.
func TestSameOnEveryMachine(t *testing.T) {
	here := aProject(t, everything)
	here.Home = t.TempDir()
	if out := report(t, here, prompttest.Options{Update: true}); len(out.Updated) != 2 {
		t.Fatalf("wrote %v", out.Updated)
	}
	files := map[string]string{}
	for name, text := range everything {
		files[name] = text
	}
	files[".git/config"] = "[remote \"origin\"]\n\turl = https://example.org/fork/b.git\n"
	for _, name := range []string{"goldens/a.txt", "goldens/b.txt"} {
		text, err := os.ReadFile(filepath.Join(here.Dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), here.Dir) || !strings.Contains(string(text), "<root>") || !strings.Contains(string(text), "2000-01-01T00:00:00") {
			t.Errorf("%s: %s", name, text)
		}
		files[name] = string(text)
	}
	there := aProject(t, files)
	there.Home, there.Config = filepath.Dir(there.Dir), filepath.Join(there.Dir, "sub")
	out := report(t, there, prompttest.Options{})
	if !out.OK() || out.Passed != 2 {
		t.Errorf("%+v", out.Results)
	}
}

// TestJUnitReadsBack: a reader of XML gets the names, counts and texts that the report
// has, whatever characters stand in them.
func TestJUnitReadsBack(t *testing.T) {
	r := aProject(t, map[string]string{"cento.yaml": "fragments: [{id: a, body: \"<b> & \\u200b\\\"]]>\"}]\n" +
		"tests: [{name: \"<good> & \\\"one\\\"\", contains: '&'}, {name: \"b\\u001B[31m\\u202Ed\", not_contains: '&', contains: [xyz, <y>]}]\n"})
	out := report(t, r, prompttest.Options{})
	spell := func(s string) string { return strings.NewReplacer("\x1b", "<ESC>", "\u202e", "<RLO>").Replace(s) }
	text, err := out.JUnit(spell)
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Suites   []struct {
			Name  string `xml:"name,attr"`
			Cases []struct {
				Name     string `xml:"name,attr"`
				File     string `xml:"file,attr"`
				Line     int    `xml:"line,attr"`
				Failures []struct {
					Message string `xml:"message,attr"`
					Type    string `xml:"type,attr"`
					Text    string `xml:",chardata"`
				} `xml:"failure"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	if err := xml.Unmarshal(text, &got); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if got.Tests != 2 || got.Failures != 1 || len(got.Suites) != 1 || len(got.Suites[0].Cases) != 2 {
		t.Fatalf("%+v", got)
	}
	for i, c := range got.Suites[0].Cases {
		want := out.Results[i]
		if c.Name != spell(want.Name) || c.File != want.Position.File || c.Line != want.Position.Line || len(c.Failures) != len(want.Failures) {
			t.Errorf("%+v, want %+v", c, want)
		}
		for k, f := range c.Failures {
			if f.Message != want.Failures[k].Message || f.Type != want.Failures[k].Assertion || !strings.Contains(f.Text, want.Failures[k].Message) {
				t.Errorf("%+v, want %+v", f, want.Failures[k])
			}
		}
	}
	if len(got.Suites[0].Cases[1].Failures) != 3 {
		t.Errorf("%+v", got.Suites[0].Cases[1])
	}
}

// TestGlob holds globs to the regular expressions that they stand for.
func TestGlob(t *testing.T) {
	texts := rapid.StringOfN(rapid.SampledFrom([]rune("ab.:*?")), 0, 8, -1)
	rapid.Check(t, func(t *rapid.T) {
		glob, id := texts.Draw(t, "glob"), texts.Draw(t, "id")
		want := regexp.MustCompile("^" + strings.NewReplacer(`\*`, ".*", `\?`, ".").Replace(regexp.QuoteMeta(glob)) + "$").MatchString(id)
		if got := prompttest.MatchGlob(glob, id); got != want {
			t.Fatalf("%q, %q: %t, want %t", glob, id, got, want)
		}
	})
}

// TestWhatIfsAreReadings: the prompt of a run, which is a what-if on a compiled plan, is
// the one that reading the project and making its prompt gives.
func TestWhatIfsAreReadings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dir, err := os.MkdirTemp("", "whatif-*")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(dir)
		var m strings.Builder
		m.WriteString("instruction: $workspace/main\nvars: {mode: fast}\ntools: [{name: t0, guidance: G0.}, {name: t1, guidance: G1.}, {name: t2}]\nfragments:\n")
		fragments := rapid.IntRange(1, 8).Draw(t, "fragments")
		for i := range fragments {
			fmt.Fprintf(&m, "  - {id: f%d, body: Text %d., importance: %d", i, i, i)
			switch rapid.IntRange(0, 5).Draw(t, "gate") {
			case 0:
				fmt.Fprintf(&m, ", requires_tools: [t%d]", i%3)
			case 1:
				fmt.Fprintf(&m, ", requires_any_tools: [t%d, t%d]", i%3, (i+1)%3)
			case 2:
				fmt.Fprintf(&m, ", requires_caps: [c%d]", i%2)
			case 3:
				fmt.Fprintf(&m, ", when: not tool('t%d') or vars.mode == 'slow'", i%3)
			case 4:
				if i > 0 {
					fmt.Fprintf(&m, ", needs: [f%d]", i-1)
				}
			}
			m.WriteString("}\n")
		}
		names := func(prefix string, n int) string {
			var out []string
			for k := range n {
				if rapid.Bool().Draw(t, prefix) {
					out = append(out, fmt.Sprintf("%s%d", prefix, k))
				}
			}
			return "[" + strings.Join(out, ", ") + "]"
		}
		m.WriteString("tests:\n")
		cases := rapid.IntRange(1, 5).Draw(t, "cases")
		for c := range cases {
			with := "tools: " + names("t", 3) + ", caps: " + names("c", 2)
			if rapid.Bool().Draw(t, "vars") {
				with += ", vars: {mode: " + rapid.SampledFrom([]string{"slow", "fast"}).Draw(t, "mode") + "}"
			}
			if rapid.Bool().Draw(t, "budget") {
				with += fmt.Sprintf(", budget: %d", rapid.SampledFrom([]int{150, 200, 10000}).Draw(t, "tokens"))
			}
			fmt.Fprintf(&m, "  - {name: case %d, with: {%s}, max_bytes: 1000000}\n", c, with)
		}
		for name, text := range map[string]string{
			"cento.yaml": m.String(), ".cento/prompts/main.md": "Main.{% if tool('t0') %} With t0.{% endif %} {{ vars.mode }} {{ tools | join(', ') }}\n",
		} {
			path := filepath.Join(dir, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if err := prompttest.CompareReadings(t.Context(), project.Request{Dir: dir}); err != nil {
			t.Fatalf("%v\n%s", err, m.String())
		}
	})
}

// TestMutants says of each kind of change which test notices it, and of a text that
// none notices that it survives.
func TestMutants(t *testing.T) {
	const fragments = `instruction: off
scope: off
profile: off
skills: off
fragments:
  - {id: plain, body: Be kind.}
  - {id: todo, requires_tools: [todo], body: Keep the list.}
  - {id: other, body: Be brief.}
tools: [todo]
`
	for name, c := range map[string]struct {
		tests     string
		survivors []string
	}{
		"all":     {"[{name: a, order: [plain, todo, other]}, {name: b, with: {tools: []}, excluded: [todo]}]", nil},
		"text":    {"[{name: a, contains: Keep the list., with: {tools: [todo]}}]", []string{"plain taken out", "plain behind todo", "todo behind other", "other taken out"}},
		"nothing": {"[{name: a, max_bytes: 10000}]", []string{"plain taken out", "plain behind todo", "todo taken out", "todo with `requires_tools: [todo]` denied", "todo behind other", "other taken out"}},
		"size":    {"[{name: a, with: {tools: []}, max_bytes: 90, not_contains: Keep}]", []string{"plain taken out", "other taken out"}},
		"prefix":  {"[{name: a, same_prefix: {as: {tools: []}, through: plain}}]", []string{"todo taken out", "todo with `requires_tools: [todo]` denied", "todo behind other", "other taken out"}},
	} {
		t.Run(name, func(t *testing.T) {
			r := aProject(t, map[string]string{"cento.yaml": fragments + "tests: " + c.tests + "\n"})
			out := report(t, r, prompttest.Options{Mutate: true})
			if !out.OK() {
				t.Fatalf("%+v", out.Results)
			}
			var got []string
			for _, m := range out.Mutation.Survivors {
				got = append(got, m.Words())
			}
			if !slices.Equal(got, c.survivors) {
				t.Errorf("survivors: %q, want %q", got, c.survivors)
			}
			if m := out.Mutation; m.Mutants != m.Killed+len(m.Survivors) || m.Killed != m.KilledByAssertions {
				t.Errorf("%+v", m)
			}
		})
	}
}

// A condition that is folded in its file is dropped, denied and joined with another
// gate's denial like any other: its places are those of the words that were written.
func TestFoldedConditionsAreDenied(t *testing.T) {
	r := aProject(t, map[string]string{"cento.yaml": `instruction: off
scope: off
profile: off
skills: off
fragments:
  - id: list
    requires_caps: [plan]
    when: >
      tool('todo') or
      tool('notes')
    body: Keep the list.
caps: [plan]
tools: [todo]
tests: [{name: a, max_bytes: 10000}]
`})
	out := report(t, r, prompttest.Options{Mutate: true})
	if !out.OK() {
		t.Fatalf("%+v", out.Results)
	}
	var got []string
	for _, m := range out.Mutation.Survivors {
		got = append(got, m.Words())
	}
	want := []string{"list taken out", "list with `requires_caps: [plan]` denied", "list with `when: tool('todo') or tool('notes')` denied"}
	if !slices.Equal(got, want) {
		t.Errorf("survivors: %q, want %q", got, want)
	}
}

// A file whose name ends nearly as those of tests do is refused, since its tests would not
// run; any other ending is that of somebody else's file.
func TestMisnamedTests(t *testing.T) {
	const failing = "- {name: b, contains: nowhere}\n"
	for name, want := range map[string]string{
		"deep/a.cento-test.yml": "a.cento-test.yaml", "a.cento-test.json": "a.cento-test.yaml", "a.cento-tests.yaml": "a.cento-test.yaml", "a.cento_test.yaml": "a.cento-test.yaml",
		"a.Cento-Test.yaml": "a.cento-test.yaml", "A_b.CENTO_TESTS.YML": "A_b.cento-test.yaml", "a.cento-test.yaml.txt": "a.cento-test.yaml",
		"a.cento-test.md": "", "cento-test.yaml": "", "a.test.yaml": "", "a.cento-test.yaml.bak": "", "s.yaml": "",
		"a.yml": "", "ci.yml": "", "\xff.yml": "", "cento-test.yml": "", "\u212a.cento-test.yml": "\u212a.cento-test.yaml",
	} {
		r := aProject(t, map[string]string{"cento.yaml": "tests: [{name: a, max_bytes: 99999}]\n", name: failing})
		_, err := prompttest.Load(r)
		got := ""
		if e, ok := errors.AsType[*cento.SourceError](err); ok && e.Code == prompttest.MisnamedFile && e.Position.File == name {
			got = strings.TrimPrefix(e.Hint, "rename it to ")
		} else if err != nil {
			t.Fatal(err)
		}
		if got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// counting is a [prompttest.Explainer] that counts and tells nothing.
type counting struct{ prompttest.Explainer }

func (counting) Counter(cento.Input) cento.Counter { return token.CounterFor("") }

// A failure of an assertion with keys of its own stands at the one that fails.
func TestFailurePlaces(t *testing.T) {
	for tests, want := range map[string]string{
		"same_prefix:\n      as: {tools: []}\n      through: plian\n":    `5:16 no fragment has the id "plian"`,
		"same_prefix:\n      through: todo\n      as: {tools: []}\n":     `4:16 the prompts are the same for 8 bytes, and not for 24`,
		"same_prefix:\n      as: {tools: []}\n      bytes: 9999\n":       `5:14 the prompts are the same for 8 bytes, and not for 9999`,
		"same_prefix:\n      as:\n        cwd: none\n      bytes: 1\n":   `5:9 the other prompt can't be made: there is no folder "none" in the project`,
		"wire:\n      provider: anthropic\n      losses: [wire.other]\n": `5:15 the losses of the request are others`,
		"wire:\n      losses: []\n      provider: anthropic\n":           `4:15 the losses of the request are others`,
	} {
		r := aProject(t, map[string]string{"cento.yaml": "tests:\n  - name: a\n    " + tests + `instruction: off
scope: off
profile: off
skills: off
fragments: [{id: plain, body: Be kind.}, {id: todo, requires_tools: [todo], body: Keep the list.}]
tools: [todo]
`})
		failures := report(t, r, prompttest.Options{Explain: counting{}}).Results[0].Failures
		if len(failures) != 1 {
			t.Fatalf("%s: %+v", tests, failures)
		}
		f := failures[0]
		if got := strings.TrimPrefix(f.Position.String(), "cento.yaml:") + " " + f.Message; got != want {
			t.Errorf("%s: %s, want %s", tests, got, want)
		}
	}
}
