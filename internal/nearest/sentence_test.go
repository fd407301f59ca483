package nearest

import (
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"pgregory.net/rapid"
)

func TestSentence(t *testing.T) {
	text := `# Rules
Run the tests before you commit.
Never change a migration that is on the main branch; add another one. Nobody answers questions.
Use ` + "`Temporal`, never `Date`" + `.
- use edit wisely
Wrap every error with its context, and never panic outside
of the main function.

The end.
所有提交必须先运行测试。
`
	for question, want := range map[string]string{
		"Run test before you comit":              "Run the tests before you commit.",
		"run the tets bfore you commit":          "Run the tests before you commit.",
		"never change migrations on main":        "Never change a migration that is on the main branch; add another one.",
		"questions that nobody answers at all":   "Nobody answers questions.",
		"Use Temporal and never Date":            "Use `Temporal`, never `Date`.",
		"Wrap each error with the context":       "Wrap every error with its context, and never panic outside",
		"never panick outside of main functions": "Wrap every error with its context, and never panic outside\nof the main function.",
		"所有提交必须运行测试":                             "所有提交必须先运行测试。",
		"migraiton":                              "Never change a migration that is on the main branch; add another one.",
		"Temporel":                               "Use `Temporal`, never `Date`.",
		"Use tabs":                               "",
		"the rule":                               "",
		"The main point":                         "",
		"Run a command.":                         "",
		"## Temporal":                            "", // the word is there: a heading of it isn't
		"Deploy with kubectl before you go":      "",
		"zygote":                                 "",
		"committed":                              "",
		"something else altogether":              "",
		"Never run a thing that is not the end":  "",
		"":                                       "",
		"…":                                      "",
	} {
		which, from, to, ok := Sentence(question, []string{"Other words.", text})
		got := ""
		if ok {
			got = []string{"Other words.", text}[which][from:to]
		}
		if got != want {
			t.Errorf("%q is nearest to %q, want %q", question, got, want)
		}
	}
}

// TestSentenceLaws: whatever the texts are, what is near is a stretch of one of
// them, and a sentence is nearest to itself with a word put in.
func TestSentenceLaws(t *testing.T) {
	word := rapid.SampledFrom([]string{"run", "tests", "before", "commit", "the", "漢字", "é", "a", "`x`", "##"})
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) string {
			return strings.Join(rapid.SliceOfN(rapid.OneOf(word, rapid.Just("\n"), rapid.Just(". The")), 0, 20).Draw(t, "text"), " ")
		}), 0, 3).Draw(t, "texts")
		asked := strings.Join(rapid.SliceOfN(word, 0, 8).Draw(t, "asked"), " ")
		which, from, to, ok := Sentence(asked, texts)
		if ok && (from >= to || strings.TrimSpace(texts[which][from:to]) == "") {
			t.Fatalf("%q is nearest to %d:%d of %q", asked, from, to, texts[which])
		}
	})
}

// TestSentences asks for the sentences of instruction files as people write them
// with a change, which have to be found again, and for those of every other project,
// which may be like one by chance only.
func TestSentences(t *testing.T) {
	archive, err := txtar.ParseFile("../app/testdata/instructions.txtar") // whose sentences are looked for there, too
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, f := range archive.Files {
		if strings.HasSuffix(f.Name, "/AGENTS.md") {
			all = append(all, string(f.Data))
		}
	}
	asked, missed, strangers, told := 0, 0, 0, 0
	for i, text := range all {
		for from, to := range sentences(text) {
			for _, changed := range changedSentences(strings.Fields(text[from:to])) {
				asked++
				if _, a, b, ok := Sentence(changed, []string{text}); !ok || a >= to || b <= from {
					missed++
					t.Logf("%q is not found again for %q", text[from:to], changed)
				}
			}
			for j, other := range all {
				if i == j || strings.Contains(other, text[from:to]) || len(strings.Fields(text[from:to])) < 2 {
					continue
				}
				strangers++
				if _, a, b, ok := Sentence(text[from:to], []string{other}); ok {
					told++
					t.Logf("%q is near to a stranger's %q", other[a:b], text[from:to])
				}
			}
		}
	}
	t.Logf("%d asked, %d of them missed; %d of strangers, %d of them told", asked, missed, strangers, told)
	if missed > 0 || told > strangers/400 {
		t.Errorf("%d of %d missed, %d of %d strangers told", missed, asked, told, strangers)
	}
}

// changedSentences are a sentence of five words or more, each time with one change:
// letters left out, neighbours swapped, a word left out, put in, or replaced.
func changedSentences(w []string) []string {
	if len(w) < 5 || len(w) > 30 {
		return nil
	}
	change := func(edit func(w []string) []string) string {
		return strings.Join(edit(append([]string{}, w...)), " ")
	}
	k := len(w) / 2
	out := []string{
		change(func(w []string) []string { w[k], w[k-1] = w[k-1], w[k]; return w }),
		change(func(w []string) []string { return append(w[:k], w[k+1:]...) }),
		change(func(w []string) []string { w[k] += " really"; return w }),
		change(func(w []string) []string { w[k] = "zebra"; return w }),
	}
	return append(out, change(func(w []string) []string {
		for i := range w {
			if n := len(w[i]); n > 6 && i%2 == 0 && !strings.Contains(w[i], "/") {
				w[i] = w[i][:n/2] + w[i][n/2+1:]
			}
		}
		return w
	}))
}
