package tests

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cento-dev/cento/project"
)

// A project without a manifest gets the built-in instruction, what is known of
// its folder, and the protected sections behind it. The wording of the
// instruction is no part of the rule, so this is no case of the archives.
func TestPromptWithoutManifest(t *testing.T) {
	for _, c := range []struct {
		name         string
		files        map[string]string
		tail         string
		contains, no []string
	}{
		{
			name:     "marked root and instructions",
			files:    map[string]string{".git/HEAD": "", "AGENTS.md": "Use tabs.\n"},
			tail:     "\n\n---\n## Working boundaries\n\nReadable:\n  - <root>\nWritable:\n  - <root>\n\n---\n## Project instructions (AGENTS.md)\n\nUse tabs.",
			contains: []string{"2026-04-15", "<root>"},
		},
		{
			name:  "no instructions",
			files: map[string]string{".git/HEAD": ""},
			tail:  "\n\n---\n## Working boundaries\n\nReadable:\n  - <root>\nWritable:\n  - <root>",
			no:    []string{"AGENTS.md", "Project instructions"},
		},
		{
			name: "nothing marks a root",
			tail: "\n\n---\n## Working boundaries\n\nReadable:\n  - <root>",
			no:   []string{"Writable:"},
		},
		{
			name:     "tools",
			files:    map[string]string{".git/HEAD": "", "tools.json": `[{"name": "find_anything", "description": "Finds", "guidance": "Look before you ask."}]`},
			tail:     "\n\nLook before you ask.\n\n## Environment\n\nYou operate in `<root>`; relative paths start there. Today is 2026-04-15.\n\n---\n## Working boundaries\n\nReadable:\n  - <root>\nWritable:\n  - <root>",
			contains: []string{"find_anything"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			root, err := filepath.EvalSymlinks(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			for name, content := range c.files {
				makeFile(t, filepath.Join(root, filepath.FromSlash(name)), content)
			}
			r := project.Request{Dir: root, Now: time.Date(2026, 4, 15, 9, 30, 0, 0, time.UTC)}
			if _, err := os.Stat(filepath.Join(root, "tools.json")); err == nil {
				r.ToolsName = filepath.Join(root, "tools.json")
			}
			p, err := project.Assemble(context.Background(), r)
			if err != nil {
				t.Fatal(err)
			}
			checkLaws(t, p)
			system, _ := p.System()
			system = strings.ReplaceAll(system, filepath.ToSlash(root), "<root>")
			if !strings.HasSuffix(system, c.tail) || len(system) <= len(c.tail) {
				t.Errorf("the prompt ends with:\n%s\nwant:\n%s", system[max(0, len(system)-len(c.tail)):], c.tail)
			}
			for _, s := range c.contains {
				if !strings.Contains(system, s) {
					t.Errorf("%q isn't in the prompt", s)
				}
			}
			for _, s := range c.no {
				if strings.Contains(system, s) {
					t.Errorf("%q is in the prompt", s)
				}
			}
		})
	}
}
