package project

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/cento-dev/cento"
)

// What the hint about a main text proposes loads once it is done: every way to name a
// file that isn't a reference is tried, the hint followed, and the project read again.
func TestInstructionHints(t *testing.T) {
	write := regexp.MustCompile(`write (\$[^ ,:]+)`)
	move := regexp.MustCompile(`move the file to ([^ ,]+),`)
	for written, want := range map[string]string{
		"top.md": "move", "./top.md": "move", "prompts/other.md": "move",
		"prompts/coder.md": "write $workspace/coder", "prompts/codr.md": "write $workspace/coder", "coder": "write $workspace/coder", "coder.md": "write $workspace/coder",
		"codr": "write $workspace/coder", ".cento/prompts/coder.md": "write $workspace/coder", ".cento/prompts/codr.md": "write $workspace/coder", "./.cento/prompts/coder": "write $workspace/coder",
		"workspace/coder": "write $workspace/coder", "deep/inner": "write $workspace/deep/inner", "inner.md": "write $workspace/deep/inner", "mine": "write $user/mine", "user/mine.md": "write $user/mine",
		"default": "write $builtin/default", "builtin/default": "write $builtin/default", "role/reviewer": "write $builtin/role/reviewer", "defualt.md": "write $builtin/default",
		"You are a helpful agent.": "system", "Review the code\nand the tests.": "system", "far-away": "none", "../top.md": "none", "/etc/coder.md": "none",
	} {
		t.Run(strings.ReplaceAll(written, "/", "_"), func(t *testing.T) {
			r := inFolder(t, map[string]string{
				".git/HEAD": "x", FileName: "instruction: " + quotedYAML(written) + "\n",
				".cento/prompts/coder.md": "Coder.", ".cento/prompts/deep/inner.md": "Inner.", "prompts/coder.md": "Other coder.", "prompts/other.md": "Other.", "top.md": "Top.", "config/prompts/mine.md": "Mine.",
			})
			r.Config = filepath.Join(r.Dir, "config")
			_, err := Open(t.Context(), r)
			e, ok := errors.AsType[*cento.SourceError](err)
			if !ok {
				t.Fatalf("%v", err)
			}
			save := func(manifest string) {
				if err := os.WriteFile(filepath.Join(r.Dir, FileName), []byte(manifest), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			proposed := write.FindStringSubmatch(e.Hint)
			switch {
			case want == "none":
				if proposed != nil && proposed[1] != "$workspace/" {
					t.Errorf("%q", e.Hint)
				}
				return
			case want == "system":
				if !strings.Contains(e.Hint, "system") {
					t.Fatalf("%q", e.Hint)
				}
				save("system: " + quotedYAML(written) + "\n")
			case want == "move":
				to := move.FindStringSubmatch(e.Hint)
				if to == nil || proposed == nil {
					t.Fatalf("%q", e.Hint)
				}
				if err := os.Rename(filepath.Join(r.Dir, filepath.FromSlash(written)), filepath.Join(r.Dir, filepath.FromSlash(to[1]))); err != nil {
					t.Fatal(err)
				}
				save("instruction: " + proposed[1] + "\n")
			default:
				if proposed == nil || !strings.HasPrefix(e.Hint, want) {
					t.Fatalf("%q, want %q", e.Hint, want)
				}
				save("instruction: " + proposed[1] + "\n")
			}
			if _, err := Open(t.Context(), r); err != nil {
				t.Errorf("%q leads to %v", e.Hint, err)
			}
		})
	}
}

func quotedYAML(s string) string { return `"` + strings.ReplaceAll(s, "\n", `\n`) + `"` }
