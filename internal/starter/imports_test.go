package starter_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/starter"
	"github.com/cento-dev/cento/project"
)

// TestImportsLoseNothing: every text of a file that other clients read is in the
// prompt that init leads to, once, or the answer says why it isn't.
func TestImportsLoseNothing(t *testing.T) {
	names := []string{
		"AGENTS.md", "CLAUDE.md", "GEMINI.md", ".github/copilot-instructions.md", ".cursorrules", ".windsurfrules",
		".cursor/rules/a.mdc", ".cursor/rules/b/c d.md", ".cursor/rules/\u202eé: x.md", "AGENTS.override.md",
	}
	pieces := []string{
		"\n", "\n\n", " ", "\t", "- ", "# ", "---\n", "|", ": ", "'", `"`, `\`, "{{ x }}", "{% raw %}", "@AGENTS.md", "&a *a !t", "\u00e9", "\u2028", "\u200b", "\x01", "\r\n", "~", "[", "}", "%YAML", "...\n", "\u0085", "\U0001F600",
	}
	imported := 0
	rapid.Check(t, func(t *rapid.T) {
		root, err := os.MkdirTemp("", "import")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(root)
		if root, err = filepath.EvalSymlinks(root); err != nil {
			t.Fatal(err)
		}
		if err := os.Mkdir(filepath.Join(root, ".git"), 0o755); err != nil {
			t.Fatal(err)
		}
		marks, texts := map[string]string{}, map[string]string{}
		for i, name := range names {
			if !rapid.Bool().Draw(t, "has "+name) {
				continue
			}
			mark := fmt.Sprintf("mark%dkram", i)
			if rapid.IntRange(0, 4).Draw(t, "copy") == 0 {
				mark = "markcopykram"
			}
			text := strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"\n", " ", "\t", "\r\n"}), 0, 3).Draw(t, "before"), "") + mark
			for _, p := range rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 8).Draw(t, "text") {
				text += p
			}
			text += mark[:4] + "end" + strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"\n", " ", "\r\n"}), 0, 3).Draw(t, "after"), "")
			marks[name], texts[name] = mark, text
			file := filepath.Join(root, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		made, err := starter.New(project.Request{Dir: root})
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(made.Path, []byte(made.Manifest), 0o644); err != nil {
			t.Fatal(err)
		}
		p, err := project.Open(t.Context(), project.Request{Dir: root})
		if err != nil {
			t.Fatalf("%v\n%s", err, made.Manifest)
		}
		in := p.Input
		in.Primary.Instruction = nil // what it says needs a clock
		prompt, err := p.Reduce(in)
		if err != nil {
			t.Fatal(err)
		}
		text, _ := prompt.System()
		told := map[string]starter.Import{}
		for _, x := range made.Imports {
			told[x.Path] = x
		}
		for name, mark := range marks {
			x, there := told[name]
			switch {
			case name == "AGENTS.override.md":
			case !there:
				t.Fatalf("nothing is said of %q: %+v", name, made.Imports)
			case x.Status == starter.ImportFailed || x.Status == starter.ImportBlank:
				t.Fatalf("%q: %+v", name, x)
			case x.Status == starter.ImportOverridden:
				continue
			case x.Status == starter.ImportAdded:
				imported++
				want := strings.ReplaceAll(texts[name], "\r\n", "\n")
				if !slices.ContainsFunc(p.Input.Fragments, func(f cento.Fragment) bool { return f.ID == x.Fragment && f.Body == want }) {
					t.Fatalf("the fragment of %q isn't %q:\n%s", name, want, made.Manifest)
				}
			}
			if mark != "markcopykram" && strings.Count(text, mark) != 1 {
				t.Fatalf("the text of %q stands %d times in the prompt:\n%s\n%s", name, strings.Count(text, mark), text, made.Manifest)
			}
			if !strings.Contains(text, mark) {
				t.Fatalf("the text of %q isn't in the prompt:\n%s", name, text)
			}
		}
	})
	if imported == 0 {
		t.Error("nothing was ever imported")
	}
}
