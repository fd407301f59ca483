package treetest_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/cento-dev/cento/internal/treetest"
)

// TestInMemory: who chose a folder keeps it, benchmarks have the usual one, and the one that is
// chosen otherwise is good for files and for programs.
func TestInMemory(t *testing.T) {
	own := t.TempDir()
	t.Setenv("TMPDIR", own)
	treetest.InMemory()
	if got := os.TempDir(); got != own {
		t.Errorf("%s is chosen, and %s is taken", own, got)
	}
	t.Setenv("TMPDIR", "")
	args := os.Args
	t.Cleanup(func() { os.Args = args })
	os.Args = []string{args[0], "-test.bench=."}
	treetest.InMemory()
	if got := os.Getenv("TMPDIR"); got != "" {
		t.Errorf("benchmarks have their files in %s", got)
	}
	os.Args = args[:1]
	treetest.InMemory()
	dir, err := os.MkdirTemp("", "inmemory")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	program := filepath.Join(dir, "program")
	if err := os.WriteFile(program, []byte("#!/bin/sh\nexit 0\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(program).CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}
