package lint

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/cento-dev/cento"
	mentioned "github.com/cento-dev/cento/internal/mention"
	"github.com/cento-dev/cento/internal/treetest"
	"github.com/cento-dev/cento/project"
)

// TestLinkedFileIsCheckedOnce: what is wrong in a file is one finding, whatever links lead
// to the file.
func TestLinkedFileIsCheckedOnce(t *testing.T) {
	const head = "system: You help.\nscope: {allow: [{target: ., permission: read}]}\n"
	const dead = "Read `docs/none.md`.\n"
	for name, x := range map[string]struct {
		files, links map[string]string
		code         cento.Code
		at           string
	}{
		"prompt files": {
			map[string]string{"cento.yaml": head + "fragments: [{id: a, template: $workspace/b}, {id: b, template: $workspace/a}]\n", ".cento/prompts/b.md": dead},
			map[string]string{".cento/prompts/a.md": "b.md"}, "path.dead", "$workspace/b.md:1:7",
		},
		"prompt files that don't compile": {
			map[string]string{"cento.yaml": head + "fragments: [{id: a, template: $workspace/b}]\n", ".cento/prompts/b.md": "{% if %}"},
			map[string]string{".cento/prompts/a.md": "b.md"}, "template.parse", "$workspace/b.md:1:7",
		},
		"rules": {
			map[string]string{"cento.yaml": head + "project: {instructions: copilot}\n", ".claude/rules/a.md": "---\nglobs: x\n---\nA.\n"},
			map[string]string{".claude/rules/b.md": "a.md"}, "instructions.key", ".claude/rules/a.md:2:1",
		},
		"imports": {
			map[string]string{"cento.yaml": head + "project: {instructions: copilot}\n", ".github/copilot-instructions.md": "@../docs/a.md\n", "docs/a.md": dead},
			map[string]string{".github/instructions/a.instructions.md": "../../docs/a.md"}, "path.dead", "docs/a.md:1:7",
		},
		"instructions of other clients": {
			map[string]string{"cento.yaml": head + "project: {instructions: claude}\n", "CLAUDE.md": "Be kind.\n", "QWEN.md": "Be short.\n"},
			map[string]string{"GEMINI.md": "CLAUDE.md", ".github/copilot-instructions.md": "../QWEN.md"}, "instructions.below", "QWEN.md",
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := project.Request{Dir: treetest.Project(t, x.files)}
			for link, to := range x.links {
				link = filepath.Join(r.Dir, link)
				_ = os.MkdirAll(filepath.Dir(link), 0o777)
				if err := os.Symlink(to, link); err != nil {
					t.Skip(err)
				}
			}
			site, err := project.Locate(r)
			if err != nil {
				t.Fatal(err)
			}
			report, err := Run(t.Context(), site, r, Options{Exists: mentioned.New(r.Disk, site.Root.Dir, site.Root.Cwd, site.Base).Has})
			if err != nil {
				t.Fatal(err)
			}
			n := 0
			for _, f := range report.Findings {
				if f.Code != x.code {
					continue
				}
				if n++; f.Position.String() != x.at || f.Code == "instructions.below" && f.Message != "this instruction file is not in the prompt: `cento instructions` lists it" {
					t.Errorf("%s: %s", f.Position, f.Message)
				}
			}
			if n != 1 {
				t.Errorf("%d findings %s: %+v", n, x.code, report.Findings)
			}
		})
	}
}
