package app

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/treetest"
	"github.com/cento-dev/cento/project"
)

// TestOpenPrompt: what is said of a name that can't be opened holds from each folder, and
// the names that it offers can be opened.
func TestOpenPrompt(t *testing.T) {
	dir := treetest.Project(t, map[string]string{
		"cento.yaml":                    "system: x\n",
		".cento/prompts/review.md":      "Review.",
		".cento/prompts/parts/style.md": "Style.",
		".cento/prompts/lists.md":       `{% include "gone" %}`,
		".cento/prompts/guide.md":       "Guide.",
		".cento/prompts/guide":          "No prompt file.",
		"docs/a.md":                     `A {% include "tne" %}`,
		"docs/tone.md":                  "Tone.",
		"docs/notes.rst":                "Notes.",
		"docs/mixed":                    "Mixed.",
		"docs/mixed.md":                 `{% include "tne" %}`,
		"guide/x.md":                    "X.",
		"sub/b.md":                      "B.",
	})
	const (
		lost   = "failed to resolve instruction reference: prompt file not found: "
		ending = "the name of a prompt file ends in .md, .txt, .j2 or .jinja"
		listed = "`cento prompt list` lists the prompt files that can be named"
		looked = "there are: $workspace/guide, $workspace/lists, $workspace/parts/style, $workspace/review; it was looked for at .cento/prompts/"
	)
	for _, c := range []struct{ from, name, message, hint string }{
		{"", "review", "", ""},
		{"sub", "review", "", ""},
		{"sub", "../docs/tone.md", "", ""},
		{"", "docs/tone", "", ""},
		{"", ".cento/prompts/parts/style", "", ""},
		{"", ".cento/prompts/guide", "", ""},
		{"", "guide", "", ""}, // a folder of that name is no file
		{"", "reveiw", lost + "'$workspace/reveiw'", "did you mean '$workspace/review'?"},
		{"sub", "reveiw.md", lost + "'$workspace/reveiw'", "did you mean '$workspace/review'?"},
		{"", "defualt", lost + "'$workspace/defualt'", "did you mean '$builtin/default'?"},
		{"", "workspace/review", lost + "'$workspace/workspace/review'", "did you mean '$workspace/review'?"},
		{"sub", "workspace/reveiw", lost + "'$workspace/workspace/reveiw'", "did you mean '$workspace/review'?"},
		{"", "builtin/default", lost + "'$workspace/builtin/default'", "did you mean '$builtin/default'?"},
		{"", "docs/tne", lost + "'$workspace/docs/tne'", "did you mean 'docs/tone.md'?"},
		{"sub", "../docs/tne.md", "there is no file ../docs/tne.md", "did you mean '../docs/tone.md'?"},
		{"docs", "style.md", lost + "'$workspace/style'", "did you mean '$workspace/parts/style'?"},
		{"", "docs/zzzz.md", lost + "'$workspace/docs/zzzz'", looked + "docs/zzzz.md; there is no file docs/zzzz.md either"},
		{"", "../zzzz", "there is no file ../zzzz", listed},
		{"", "docs", "docs is a folder", "name a prompt file in it"},
		{"", ".cento/prompts/reveiw", lost + "'$workspace/reveiw'", "did you mean '$workspace/review'? it was looked for at .cento/prompts/reveiw.md"},
		{"", "lists", "$workspace/lists.md:1:12: " + lost + "'$workspace/gone', which '$workspace/lists' includes", "there are: $workspace/guide, $workspace/parts/style, $workspace/review; it was looked for at .cento/prompts/gone.md"},
		{"", "docs/a.md", "$workspace/a.md:1:14: " + lost + "'$workspace/tne', which '$workspace/a' includes", "did you mean '$workspace/tone'?"},
		{"", "docs/mixed", "$workspace/mixed.md:1:12: " + lost + "'$workspace/tne', which '$workspace/mixed' includes", "did you mean '$workspace/tone'?"},
		{"", "docs/notes.rst", lost + "'$workspace/notes.rst'", ending},
	} {
		_, beside, err := opened(t, dir, c.from).OpenPrompt(c.name)
		if inDocs := strings.Contains(c.name, "docs/"); err == nil && (beside != "") != inDocs {
			t.Errorf("%s: %s: the folder %q", c.from, c.name, beside)
		}
		holdError(t, c.from+": "+c.name, err, c.message, c.hint)
	}
}

// TestOpenPromptUnquoted: a reference that a shell took the prefix from is told with it.
func TestOpenPromptUnquoted(t *testing.T) {
	dir := treetest.Project(t, map[string]string{
		"cento.yaml":                    "system: x\n",
		".cento/prompts/review.md":      "Review.",
		".cento/prompts/parts/style.md": "Style.",
	})
	root := filepath.VolumeName(dir) + string(filepath.Separator)
	in := func(ref string) string {
		prefix, _, _ := strings.Cut(ref, "/")
		return "a reference is written '" + ref + "', in quotes: the shell takes " + prefix + " away"
	}
	for name, hint := range map[string]string{
		"review":           in("$workspace/review"),
		"review.md":        in("$workspace/review"),
		"parts/style":      in("$workspace/parts/style"),
		"home/none/review": in("$workspace/review"),
		"default":          in("$builtin/default"),
		"reveiw":           "did you mean '$workspace/review'?",
		"zzzz/yyyy":        "`cento prompt list` lists the prompt files that can be named",
	} {
		name = root + filepath.FromSlash(name)
		_, _, err := opened(t, dir, "").OpenPrompt(name)
		holdError(t, name, err, "there is no file "+name, hint)
	}
}

// opened is a project from one of its folders.
func opened(t *testing.T, dir, from string) *Project {
	t.Helper()
	r := project.Request{Dir: filepath.Join(dir, from)}
	site, err := project.Locate(r)
	if err != nil {
		t.Fatal(err)
	}
	p, err := OpenPrompts(t.Context(), site, r)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// holdError holds an error to its text, which is empty for none, and its hint.
func holdError(t *testing.T, name string, err error, message, hint string) {
	t.Helper()
	if err == nil {
		if message != "" {
			t.Errorf("%s: no error, want %s", name, message)
		}
		return
	}
	list := cento.SourceErrors(err)
	if err.Error() != message || len(list) != 1 || list[0].Hint != hint {
		t.Errorf("%s: %v\nwant %s", name, err, message)
		for _, e := range list {
			t.Errorf("hint %s\nwant %s", e.Hint, hint)
		}
	}
}
