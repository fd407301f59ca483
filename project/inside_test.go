package project

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/cento-dev/cento/internal/tree"
)

// A project names files below its root alone: neither a path nor a link leads
// out of it.
func TestNamedFilesStayInside(t *testing.T) {
	for name, c := range map[string]struct {
		manifest string
		link     string // name in the project of a link to the file outside
	}{
		"tools by path":    {manifest: "tools: ../outside.json"},
		"tools by root":    {manifest: "tools: /etc/tools.json"},
		"tools by link":    {manifest: "tools: tools.json", link: "tools.json"},
		"wording by path":  {manifest: "prompt_pack: ../outside.json"},
		"wording by link":  {manifest: "prompt_pack: words.yaml", link: "words.yaml"},
		"contract by path": {manifest: "fragments: [{id: a, contract: ../outside.json}]"},
		"contract by root": {manifest: "fragments: [{id: a, contract: /etc/contract.yaml}]"},
		"contract by link": {manifest: "fragments: [{id: a, contract: c.json}]", link: "c.json"},
		"manifest by link": {link: FileName},
	} {
		t.Run(name, func(t *testing.T) {
			top := t.TempDir()
			dir := filepath.Join(top, "project")
			for _, d := range []string{dir, filepath.Join(dir, ".git")} {
				if err := os.Mkdir(d, 0o755); err != nil {
					t.Fatal(err)
				}
			}
			outside := filepath.Join(top, "outside.json")
			if err := os.WriteFile(outside, []byte("[]"), 0o644); err != nil {
				t.Fatal(err)
			}
			if c.manifest != "" {
				if err := os.WriteFile(filepath.Join(dir, FileName), []byte(c.manifest), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if c.link != "" {
				if err := os.Symlink(outside, filepath.Join(dir, c.link)); err != nil {
					t.Skipf("no links here: %v", err)
				}
			}
			_, err := Open(context.Background(), Request{Dir: dir})
			if !errors.Is(err, tree.Outside) {
				t.Fatalf("got %v, want an error that the file is outside", err)
			}
		})
	}
}
