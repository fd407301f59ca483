package tree_test

import (
	"testing"

	"github.com/cento-dev/cento/disk"
	"github.com/cento-dev/cento/internal/tree"
)

// TestNear: a file is near by its name, and its extension only says that it is of the kind.
func TestNear(t *testing.T) {
	dir := plant(t, map[string]string{
		"notes.md": "x", "a.md": "x", "tool.json": "x", "tool.yaml": "x", "plain": "x", ".hidden": "x", "folder.md/x": "x",
	})
	open, err := tree.Open(dir, tree.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer open.Close()
	for name, want := range map[string]string{
		"note.md":     "notes.md",
		"NOTES.md":    "notes.md",
		"note.txt":    "", // of another kind
		"b.md":        "", // alike is the extension alone
		"tools.yml":   "tool.json",
		"plan":        "plain",
		".hiden":      ".hidden",
		"folders.md":  "", // a folder is no file
		"far-away.md": "",
	} {
		if near, ok := open.Near(".", name); near != want || ok != (want != "") {
			t.Errorf("%s: %q, %v, want %q", name, near, ok, want)
		}
	}
}

// TestNearEntry: a folder is near by its whole name, and goes before a file.
func TestNearEntry(t *testing.T) {
	dir := plant(t, map[string]string{"src/x": "x", "api.v1/x": "x", "srcs": "x", "notes.md": "x"})
	for name, want := range map[string]string{
		"srcc": "src", "api.v2": "api.v1", "note.md": "notes.md", "notes.txt": "", "far": "",
	} {
		if near, ok := tree.NearEntry(disk.Disk{}, dir, name); near != want || ok != (want != "") {
			t.Errorf("%s: %q, %v, want %q", name, near, ok, want)
		}
	}
	if near, ok := tree.NearEntry(disk.Disk{}, dir+"/none", "src"); ok {
		t.Errorf("%q is near in a folder that isn't there", near)
	}
}
