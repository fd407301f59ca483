package tree_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/disk"
	"github.com/cento-dev/cento/internal/tree"
)

// A text that is being written stands for its file's, by whatever name that is read;
// what holds for files holds for it.
func TestUnsaved(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a.md", "b.md"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("saved"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("a.md", filepath.Join(dir, "link.md")); err != nil {
		t.Skip("skipped: there are no links here:", err)
	}
	on := func(text string) disk.Disk {
		return disk.Unsaved(map[string]string{
			filepath.Join(dir, "a.md"): text, filepath.Join(dir, "gone.md"): "new", filepath.Join(dir, "link.md"): "by its link",
		})
	}
	open := func(text string) *tree.Tree {
		t.Helper()
		tr, err := tree.OpenOn(on(text), dir, tree.Options{Limit: 20})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { tr.Close() })
		return tr
	}
	tr := open("one\r\ntwo")
	for name, want := range map[string]string{"a.md": "one\ntwo", "link.md": "one\ntwo", "b.md": "saved"} {
		if f, err := tr.Read(name); err != nil || f.Text != want {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
	if f, whole, err := tr.ReadHead("a.md", 6); err != nil || whole || f.Text != "one\n" {
		t.Errorf("the head: %v", err)
	}
	if f, err := tree.ReadPathOn(on("x"), filepath.Join(dir, "link.md"), tree.Options{}); err != nil || f.Text != "x" {
		t.Errorf("by its path: %v", err)
	}
	for text, code := range map[string]cento.ErrorCode{strings.Repeat("x", 21): tree.TooLarge, "\xff": tree.InvalidUTF8, "\x00": tree.HoldsNUL} {
		if _, err := open(text).Read("a.md"); len(cento.SourceErrors(err)) != 1 || cento.SourceErrors(err)[0].Code != code {
			t.Errorf("%.3q: %v, want %s", text, err, code)
		}
	}
	if _, err := tr.Read("gone.md"); err == nil || cento.SourceErrors(err)[0].Code != tree.NotFound {
		t.Errorf("a file that isn't there: %v", err)
	}
}
