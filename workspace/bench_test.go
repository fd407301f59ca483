package workspace_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cento-dev/cento/workspace"
)

func BenchmarkLoadInstructions(b *testing.B) {
	text := strings.Repeat("Use the standard library where it is enough.\n", 100)
	dir := project(b, map[string]string{
		"AGENTS.md": text, "a/AGENTS.md": "Of a.\n" + text, "a/b/CLAUDE.md": "Of b: @style.md\n" + text, "a/b/style.md": text,
	})
	for _, imports := range []bool{false, true} {
		name := "plain"
		if imports {
			name = "imports"
		}
		b.Run(name, func(b *testing.B) {
			cfg := workspace.InstructionsConfig{Root: dir, Cwd: filepath.Join(dir, "a", "b"), Imports: imports}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := workspace.LoadInstructions(cfg); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkDeepTree loads a path of forty folders with a file in each, by the
// every convention.
func BenchmarkDeepTree(b *testing.B) {
	text := strings.Repeat("Use the standard library where it is enough.\n", 20)
	files := map[string]string{".git/HEAD": ""}
	dir := ""
	for i := range 40 {
		for _, name := range []string{"AGENTS.md", "CLAUDE.md", "GEMINI.md"} {
			files[dir+name] = fmt.Sprintf("%d, see @style.md\n", i) + text
		}
		files[dir+"style.md"] = text
		dir += "d/"
	}
	root := project(b, files)
	for _, name := range workspace.Conventions() {
		b.Run(name, func(b *testing.B) {
			cfg := workspace.InstructionsConfig{Convention: name, Root: root, Cwd: filepath.Join(root, filepath.FromSlash(dir), "..")}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := workspace.LoadInstructions(cfg); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkScopePermission(b *testing.B) {
	s := resolve(b, "/", workspace.ScopeConfig{
		Allow: []workspace.ScopeRule{allow("/nowhere", workspace.Write), allow("/nowhere/a", workspace.Read)},
		Deny:  []workspace.ScopeRule{allow("/nowhere/a/secret", workspace.Read)},
	})
	b.ReportAllocs()
	for b.Loop() {
		s.Permission("/nowhere/a/b/c/d.go")
	}
}
