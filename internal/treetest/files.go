package treetest

import (
	"os"
	"path/filepath"
	"testing"
)

// Project makes a folder with files, by their paths with slashes.
func Project(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	Files(t, dir, files)
	return dir
}

// Files writes files below a folder, by their paths with slashes.
func Files(t testing.TB, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		File(t, dir, name, text)
	}
}

// File writes one file below a folder.
func File(t testing.TB, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Link makes a symbolic link in a folder. Where there are none, it skips the test.
func Link(t testing.TB, dir, name, target string) {
	t.Helper()
	if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
		t.Skip("no links here:", err)
	}
}
