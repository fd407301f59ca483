package app

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/cento-dev/cento/disk"
	"github.com/cento-dev/cento/internal/tree"
	"github.com/cento-dev/cento/internal/treetest"
	"github.com/cento-dev/cento/project"
)

// A file is mended as it was read: what somebody wrote in between stays, and so does a
// file that isn't the project's.
func TestMendOfChangedFile(t *testing.T) {
	dir := treetest.Project(t, map[string]string{"cento.yaml": "system: x\n", "elsewhere/pack.yaml": "name: a\n"})
	site, err := project.Locate(project.Request{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	own, err := openOwnFiles(site, disk.Disk{})
	if err != nil {
		t.Fatal(err)
	}
	defer own.tree.Close()
	if err := own.replace("cento.yaml", "system: w\n", "system: y\n"); !errors.Is(err, FileChanged) {
		t.Errorf("changed meanwhile: %v", err)
	}
	if err := own.replace("elsewhere/pack.yaml", "name: a\n", "name: b\n"); !errors.Is(err, tree.Outside) {
		t.Errorf("a pack's file: %v", err)
	}
	held := func() string {
		b, err := os.ReadFile(filepath.Join(dir, "cento.yaml"))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	if got := held(); got != "system: x\n" {
		t.Errorf("it holds %q", got)
	}
	if err := own.replace("cento.yaml", "system: x\n", "system: y\n"); err != nil || held() != "system: y\n" {
		t.Errorf("as it was read: %v, %q", err, held())
	}
}
