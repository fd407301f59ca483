package workspace_test

import (
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cento-dev/cento/disk"
	"github.com/cento-dev/cento/workspace"
)

// fileOf is a file with a known name.
func fileOf(n workspace.KnownName) string {
	if n.Folder() {
		return n.Name + "x" + n.Endings[0]
	}
	return n.Name
}

// TestKnownNamesProduceRows writes each known file, here and in a deeper folder, and expects
// a row for it by all rules.
func TestKnownNamesProduceRows(t *testing.T) {
	for _, n := range workspace.KnownNames() {
		dir, err := filepath.EvalSymlinks(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		want := []string{fileOf(n), "web/" + fileOf(n)}
		for _, name := range want {
			writeFile(t, filepath.Join(dir, filepath.FromSlash(name)), []byte("A rule.\n"))
		}
		below, err := workspace.FindBelow(disk.Disk{}, dir, dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, rules := range slices.Concat(workspace.Conventions(), workspace.ConventionVersions()) {
			in, err := workspace.LoadInstructions(workspace.InstructionsConfig{Convention: rules, Root: dir, Cwd: dir, Below: below})
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range want {
				rows := 0
				for _, f := range in.Files {
					if f.Path == name {
						rows++
					}
				}
				if rows != 1 {
					t.Errorf("%s: %d rows for %s", rules, rows, name)
				}
			}
		}
		in, err := workspace.LoadInstructions(workspace.InstructionsConfig{Root: dir, Cwd: dir})
		if err != nil {
			t.Fatal(err)
		}
		note, listed := in.NoteUnread(below), slices.ContainsFunc(in.Files, func(f workspace.File) bool { return f.Path == want[0] })
		if count := map[bool]string{true: "this instruction file is", false: "this and 1 more"}[listed]; note == nil || !strings.HasPrefix(note.Message, count) {
			t.Errorf("%s: note %v", n.Name, note)
		}
		if note := in.NoteUnread(mustBelow(t, dir, path.Join(filepath.ToSlash(dir), want[0]), path.Join(filepath.ToSlash(dir), want[1]))); note != nil {
			t.Errorf("%s: the program's own output: %v", n.Name, note)
		}
	}
}

func mustBelow(t *testing.T, dir string, outputs ...string) *workspace.Below {
	t.Helper()
	b, err := workspace.FindBelow(disk.Disk{}, dir, dir, outputs...)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
