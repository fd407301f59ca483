package starter_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cento-dev/cento/internal/starter"
	"github.com/cento-dev/cento/project"
)

// TestStarterManifest: what init writes is what holds without it, to the byte,
// wherever it is written.
func TestStarterManifest(t *testing.T) {
	for name, c := range map[string]struct {
		marker, dir string // the markers of the root, and the folder of the run
		home        bool   // the root is the home folder
	}{
		"in the root":               {marker: ".git", dir: "."},
		"below the root":            {marker: ".hg", dir: "a/b"},
		"without a marker":          {dir: "a"},
		"in the home":               {marker: ".git", dir: ".", home: true},
		"below a folder of prompts": {marker: ".cento", dir: "a"},
		"below a parent of both":    {marker: ".git .cento", dir: "a/b"},
	} {
		t.Run(name, func(t *testing.T) {
			root, err := filepath.EvalSymlinks(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			dir := filepath.Join(root, filepath.FromSlash(c.dir))
			if err := os.MkdirAll(dir, 0o755); err != nil {
				t.Fatal(err)
			}
			for marker := range strings.FieldsSeq(c.marker) {
				if err := os.Mkdir(filepath.Join(root, marker), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.WriteFile(filepath.Join(root, "AGENTS.md"), []byte("Run the tests.\n"), 0o644); err != nil {
				t.Fatal(err)
			}
			env := project.Request{Dir: dir}
			if c.home {
				env.Home = root
			}
			request := project.Request{Dir: dir, Home: env.Home, Now: time.Date(2024, 3, 5, 10, 0, 0, 0, time.UTC)}
			before := system(t, request)
			made, err := starter.New(env, false)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(made.Path, []byte(made.Manifest), 0o644); err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(before, system(t, request)); d != "" {
				t.Errorf("the prompt without it, then with:\n%s\nthe manifest:\n%s", d, made.Manifest)
			}
		})
	}
}

func system(t *testing.T, r project.Request) string {
	t.Helper()
	prompt, err := project.Assemble(context.Background(), r)
	if err != nil {
		t.Fatal(err)
	}
	text, ok := prompt.System()
	if !ok {
		t.Fatal("there is no prompt")
	}
	return text
}
