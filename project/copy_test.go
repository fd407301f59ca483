package project_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cento-dev/cento/project"
	"github.com/cento-dev/cento/workspace"
)

// A copy is a project of its own: nothing above it is looked at, and its prompt
// names the folder that the files really lie in, or none.
func TestCopy(t *testing.T) {
	above := t.TempDir()
	dir := filepath.Join(above, "copy")
	for name, text := range map[string]string{
		filepath.Join(above, "AGENTS.md"): "Of the folder above.", filepath.Join(above, "CLAUDE.md"): "Of the folder above.", filepath.Join(above, "cento.yaml"): "system: Of the folder above.",
		filepath.Join(dir, "AGENTS.md"): "Of the copy, and @missing.md.", filepath.Join(dir, "GEMINI.md"): "See @missing.md.", filepath.Join(dir, ".cento/prompts/a.md"): "In {{ cwd }}.",
	} {
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(above, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	assembled := func(manifest string, r project.Request) (string, error) {
		r.Dir, r.Copy = dir, dir
		r.ManifestName, r.ManifestText = "m.json", []byte(manifest)
		prompt, err := project.Assemble(t.Context(), r)
		if err != nil {
			return "", err
		}
		text, _ := prompt.System()
		if strings.Contains(text, "folder above") || strings.Contains(text, above) {
			t.Errorf("%s: %q", manifest, text)
		}
		return text, nil
	}
	for _, rules := range []string{"cento", "cwd", "nearest", "codex", "claude", "gemini", "opencode", "opencode@2"} {
		if _, err := assembled(`{"system": "x", "project": {"instructions": "`+rules+`", "markers": [".git"]}}`, project.Request{}); err != nil {
			t.Errorf("%s: %v", rules, err)
		}
	}
	text, err := assembled(`{"instruction": "$workspace/a", "scope": {"allow": [{"target": "docs", "permission": "read"}]}}`, project.Request{Folder: "/src/acme"})
	if err != nil || !strings.Contains(text, "In /src/acme.") || !strings.Contains(text, "/src/acme/docs") || !strings.Contains(text, "Of the copy") {
		t.Errorf("%q, %v", text, err)
	}
	if text, err := assembled(`{"system": "x"}`, project.Request{}); err != nil || strings.Contains(text, "Readable") {
		t.Errorf("a scope of a folder that nobody can name: %q, %v", text, err)
	}
	if _, err := assembled(`{"system": "x", "scope": {"allow": [{"target": "docs", "permission": "read"}]}}`, project.Request{}); !errors.Is(err, workspace.InvalidTarget) {
		t.Errorf("a relative target from nowhere: %v", err)
	}
}
