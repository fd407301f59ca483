package starter_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/starter"
	"github.com/cento-dev/cento/project"
)

// TestConditions: what a client reads under a condition is never imported.
func TestConditions(t *testing.T) {
	for _, c := range []struct {
		name, front string
		conditional bool
	}{
		{"GEMINI.md", "", false},
		{".cursor/rules/a.mdc", "globs: *.sql\nalwaysApply: false", true},
		{".cursor/rules/a.mdc", "globs: \"*.ts\"\nalwaysApply: true", false},
		{".cursor/rules/a.mdc", "description: SQL\nalwaysApply: false", true},
		{".cursor/rules/a.mdc", "alwaysApply: false", true},
		{".cursor/rules/a.mdc", "", true},
		{"web/.cursor/rules/a.mdc", "", true},
		{".github/instructions/a.instructions.md", "applyTo: '**/*.py'", true},
		{".github/instructions/a.instructions.md", "applyTo: \"**\"", false},
		{".github/instructions/a.instructions.md", "applyTo: **", false},
		{".windsurf/rules/a.md", "trigger: glob\nglobs: **/*.go", true},
		{".windsurf/rules/a.md", "trigger: always_on", false},
		{".kiro/steering/a.md", "inclusion: fileMatch\nfileMatchPattern: '*.ts'", true},
		{".kiro/steering/a.md", "inclusion: always", false},
		{".claude/rules/a.md", "paths: [web/**", true},
		{".claude/rules/a.md", "paths: ['**']", false},
		{".clinerules/a.md", "paths:\n  - src/**", true},
		{".roo/rules/a.md", "description: All", false},
		{".trae/rules/a.md", "unheard: of", true},
	} {
		text := "Text.\n"
		if c.front != "" {
			text = "---\n" + c.front + "\n---\n" + text
		}
		if got := starter.Condition(c.name, text); (got != "") != c.conditional {
			t.Errorf("%s with %q: %q", c.name, c.front, got)
		}
	}
}

// TestInitKeepsThePrompt: with the manifest that init writes, a prompt has the same bytes
// as without, whatever files of clients, settings, rules and skills there are. With imports
// it has each imported text once, without front matter and from its file.
func TestInitKeepsThePrompt(t *testing.T) {
	names := []string{
		"AGENTS.md", "CLAUDE.md", "GEMINI.md", "QWEN.md", ".github/copilot-instructions.md", ".cursorrules", ".windsurfrules", "AGENTS.override.md", "CLAUDE.local.md",
		".cursor/rules/a.mdc", ".cursor/rules/b/c d.md", ".cursor/rules/\u202eé: x.md", ".claude/rules/r.md", ".github/instructions/p.instructions.md", ".clinerules/x.md",
		".claude/settings.json", ".gemini/settings.json", "go.mod", ".agents/skills/s/SKILL.md",
	}
	fronts := []string{"", "globs: *.sql\nalwaysApply: false\n", "alwaysApply: true\n", "applyTo: '**'\n", "paths: web/**\n", "description: D.\n", "{{ x }}: {% raw %}\n"}
	pieces := []string{"\n", " ", "\t", "- ", "# ", "---\n", "|", ": ", "'", `"`, "{{ x }}", "{% raw %}", "@AGENTS.md", "\u2028", "\x01", "\r\n", "AGENTS.md"}
	users := []string{"", "skills: {catalog: false}\n", "skills: off\nscope: {allow: [{target: ., permission: read}]}\n", "scope: {deny: [{target: x, permission: read}]}\n"}
	imported := 0
	rapid.Check(t, func(t *rapid.T) {
		top, err := os.MkdirTemp("", "import")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(top)
		if top, err = filepath.EvalSymlinks(top); err != nil {
			t.Fatal(err)
		}
		root, config := filepath.Join(top, "p"), filepath.Join(top, "config")
		write := func(name, text string) {
			if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		write(filepath.Join(root, ".git", "HEAD"), "")
		write(filepath.Join(config, "config.yaml"), rapid.SampledFrom(users).Draw(t, "user"))
		marks := map[string]string{}
		for i, name := range names {
			if !rapid.Bool().Draw(t, "has "+name) {
				continue
			}
			mark := fmt.Sprintf("mark%dkram", i)
			text := ""
			if front := rapid.SampledFrom(fronts).Draw(t, "front"); front != "" {
				text = "---\n" + front + "---\n"
			}
			text += mark + strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 8).Draw(t, "text"), "") + "end\n"
			switch filepath.Ext(name) {
			case ".json":
				text = "{}"
			case ".mod":
				text = "module x\n"
			}
			if strings.HasSuffix(name, "SKILL.md") {
				text = "---\ndescription: Of a skill.\n---\n"
			}
			marks[name] = mark
			write(filepath.Join(root, filepath.FromSlash(name)), text)
		}
		r := project.Request{Dir: root, Config: config}
		build := func() (string, *project.Project) {
			p, err := project.Open(t.Context(), r)
			if err != nil {
				t.Fatal(err)
			}
			in := p.Input
			in.Primary.Instruction = nil // it needs a clock
			prompt, err := p.Reduce(in)
			if err != nil {
				t.Fatal(err)
			}
			text, _ := prompt.System()
			return text, p
		}
		before, _ := build()
		made, err := starter.New(r, false)
		if err != nil {
			t.Fatal(err)
		}
		write(made.Path, made.Manifest)
		if after, _ := build(); after != before {
			t.Fatalf("without:\n%s\nwith:\n%s\nthe manifest:\n%s", before, after, made.Manifest)
		}
		os.Remove(made.Path)
		made, err = starter.New(r, true)
		if err != nil {
			t.Fatal(err)
		}
		write(made.Path, made.Manifest)
		after, p := build()
		for _, x := range made.Imports {
			mark, there := marks[x.Path]
			if !there || x.Status != starter.ImportAdded {
				continue
			}
			imported++
			if strings.Count(after, mark) != 1 || strings.Contains(before, mark) {
				t.Fatalf("%s: the text is %d times in the prompt:\n%s\n%s", x.Path, strings.Count(after, mark), after, made.Manifest)
			}
			for _, f := range p.Input.Fragments {
				if f.ID == x.Fragment && (f.Trust > cento.TrustWorkspace || len(f.Runs) != 1 || strings.Contains(f.Body, "alwaysApply: true")) {
					t.Fatalf("%+v", f)
				}
			}
		}
	})
	if imported == 0 {
		t.Error("nothing was ever imported")
	}
}
