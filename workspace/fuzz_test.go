package workspace_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/cento-dev/cento/workspace"
)

// FuzzInstructions loads whatever tree an archive describes by the rules of
// one of the conventions. What has to hold is in checkLaws: the text is made of the
// listed stretches of files and of fixed words, every file that was found is
// listed once, and each byte of a file is what stands at its place. Besides, a
// second load gives the same.
func FuzzInstructions(f *testing.F) {
	seeds, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(seeds) == 0 {
		f.Fatalf("no seeds: %v", err)
	}
	conventions := workspace.Conventions()
	for i, s := range seeds {
		if data, err := os.ReadFile(s); err == nil && len(data) < 8<<10 {
			of := slices.IndexFunc(conventions, func(c string) bool { return strings.HasPrefix(filepath.Base(s), c) })
			if of < 0 {
				of = i
			}
			f.Add(data, uint8(of), true, uint16(0))
		}
	}
	f.Add([]byte("-- tree/CLAUDE.md --\n<!-- @a.md\n--> x @a.md\n-- tree/a.md --\n\xff @CLAUDE.md\n"), uint8(slices.Index(conventions, "claude")), true, uint16(3))
	f.Fuzz(func(t *testing.T, archive []byte, by uint8, imports bool, limit uint16) {
		dir, err := filepath.EvalSymlinks(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		root := filepath.Join(dir, "tree")
		cwd := root
		if err := os.MkdirAll(filepath.Join(root, ".git"), 0o755); err != nil {
			t.Fatal(err)
		}
		// The reader of archives can't take a mark without a name.
		if bytes.Contains(archive, []byte("-- --")) {
			t.Skip()
		}
		files := txtar.Parse(archive).Files
		for _, file := range files[:min(len(files), 16)] {
			name := filepath.Join(dir, filepath.FromSlash(file.Name))
			// A folder of the project by the name of ~ reads like the home folder.
			if !filepath.IsLocal(file.Name) || strings.Contains(file.Name, "~") || len(file.Data) > 1<<16 {
				continue
			}
			if os.MkdirAll(filepath.Dir(name), 0o755) != nil || os.WriteFile(name, file.Data, 0o644) != nil {
				continue
			}
			if d := filepath.Dir(name); strings.HasPrefix(d, cwd+string(filepath.Separator)) && !strings.Contains(d, ".claude") && !strings.Contains(d, ".git") {
				cwd = d
			}
		}
		name := conventions[int(by)%len(conventions)]
		for _, at := range []string{cwd, root} {
			cfg := workspace.InstructionsConfig{
				Convention: name, Root: root, Cwd: at, Top: dir, For: []string{filepath.Join(cwd, "new.go")}, Imports: imports, Limit: int(limit),
				Home: filepath.Join(dir, "home"), Global: filepath.Join(dir, "home", ".config", "cento"),
			}
			got, err := workspace.LoadInstructions(cfg)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			checkLaws(t, filepath.Join(dir, "home"), root, got)
			again, err := workspace.LoadInstructions(cfg)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(got, again); diff != "" {
				t.Fatalf("%s: %s", name, diff)
			}
		}
	})
}
