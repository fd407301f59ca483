package tree_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/cento-dev/cento/internal/tree"
)

func text(s string) func(io.Writer) error {
	return func(w io.Writer) error { _, err := io.WriteString(w, s); return err }
}

// holds checks the content of a file, and that nothing else is in its folder.
func holds(t *testing.T, path, want string, names ...string) {
	t.Helper()
	if got, err := os.ReadFile(path); err != nil || string(got) != want {
		t.Errorf("%s holds %q, %v; want %q", filepath.Base(path), got, err, want)
	}
	entries, err := os.ReadDir(filepath.Dir(path))
	var there []string
	for _, e := range entries {
		there = append(there, e.Name())
	}
	if err != nil || strings.Join(there, " ") != strings.Join(names, " ") {
		t.Errorf("the folder holds %q, %v; want %q", there, err, names)
	}
}

func TestReplace(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	for _, want := range []string{"first", "", strings.Repeat("long ", 10_000)} {
		if err := tree.Replace(path, 0o644, text(want)); err != nil {
			t.Fatal(err)
		}
		holds(t, path, want, "lock")
	}
}

func TestReplaceKeepsPermissions(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the system has no such permissions")
	}
	path := filepath.Join(t.TempDir(), "approvals")
	perm := func() fs.FileMode {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		return info.Mode().Perm()
	}
	for _, step := range []struct{ set, asked, want fs.FileMode }{
		{0, 0o600, 0o600},     // a new file
		{0, 0o644, 0o600},     // one that is there
		{0o755, 0o600, 0o755}, // whose permissions somebody changed
	} {
		if step.set != 0 {
			if err := os.Chmod(path, step.set); err != nil {
				t.Fatal(err)
			}
		}
		if err := tree.Replace(path, step.asked, text("x")); err != nil {
			t.Fatal(err)
		}
		if got := perm(); got != step.want {
			t.Errorf("asked for %v, the file has %v, want %v", step.asked, got, step.want)
		}
	}
}

func TestReplaceThatFailsLeavesTheFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "lock")
	if err := os.WriteFile(path, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	err := tree.Replace(path, 0o644, func(w io.Writer) error {
		_, err := io.WriteString(w, strings.Repeat("new ", 10_000))
		return errors.Join(err, broken)
	})
	if !errors.Is(err, broken) {
		t.Errorf("the error is %v", err)
	}
	holds(t, path, "old", "lock")
	if err := tree.Replace(filepath.Join(dir, "none", "lock"), 0o644, text("x")); !errors.Is(err, fs.ErrNotExist) || strings.Contains(err.Error(), dir) {
		t.Errorf("a folder that isn't there: %v", err)
	}
	folder := filepath.Join(dir, "folder")
	if err := os.MkdirAll(filepath.Join(folder, "full"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := tree.Replace(folder, 0o644, text("x")); err == nil || strings.Contains(err.Error(), dir) {
		t.Errorf("a folder in its place: %v", err)
	}
	holds(t, path, "old", "folder", "lock")
}

func TestReplaceFollowsALink(t *testing.T) {
	dir := t.TempDir()
	elsewhere := filepath.Join(t.TempDir(), "real")
	link := filepath.Join(dir, "link")
	if err := os.WriteFile(elsewhere, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(elsewhere, link); err != nil {
		t.Skip("the system makes no links: ", err)
	}
	if err := tree.Replace(link, 0o644, text("new")); err != nil {
		t.Fatal(err)
	}
	holds(t, elsewhere, "new", "real")
	if to, err := os.Readlink(link); err != nil || to != elsewhere {
		t.Errorf("the link leads to %q, %v", to, err)
	}
}
