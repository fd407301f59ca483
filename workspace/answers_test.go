package workspace_test

import (
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cento-dev/cento/disk"
	"github.com/cento-dev/cento/workspace"
)

// TestOneAnswer asks about the files of random trees in each way that there is: what is
// listed as below comes with a file of its folder, what is shadowed doesn't, neither with
// such a file nor from the folder itself, and each file has one row.
func TestOneAnswer(t *testing.T) {
	names := []string{"AGENTS.md", "CLAUDE.md", ".claude/CLAUDE.md", ".claude/AGENTS.md", "CLAUDE.local.md", ".claude/rules/r.md", "GEMINI.md", "CONTEXT.md", "AGENTS.override.md"}
	texts := []string{"", "<!-- x -->\n", "---\na: b\n---\n", "Text of %.\n", "Text of %, @AGENTS.md\n"}
	rapid.Check(t, func(r *rapid.T) {
		files := map[string]string{".git/HEAD": ""}
		for _, dir := range []string{".", "web", "web/in"} {
			for _, name := range rapid.SliceOfN(rapid.SampledFrom(names), 0, 3).Draw(r, dir) {
				file := path.Join(dir, name)
				files[file] = strings.ReplaceAll(rapid.SampledFrom(texts).Draw(r, file), "%", file)
			}
		}
		root := project(t, files)
		convention := rapid.SampledFrom(slices.Concat(workspace.Conventions(), workspace.ConventionVersions())).Draw(r, "convention")
		cfg := workspace.InstructionsConfig{Convention: convention, Root: root, Cwd: root}
		var err error
		if cfg.Below, err = workspace.FindBelow(disk.Disk{}, root, root); err != nil {
			r.Fatal(err)
		}
		status := func(in *workspace.Instructions, file string) (f workspace.File) {
			for _, row := range in.Files {
				if row.Path == file && (f.Path == "" || row.Status == workspace.Loaded) {
					f = row
				}
			}
			return f
		}
		start := load(t, cfg)
		rows := map[string]bool{}
		for _, row := range start.Files {
			// Qwen Code puts the text of a file that imports itself in twice.
			if rows[row.Path] && !(row.Imported && row.Status == workspace.Loaded) {
				r.Fatalf("%s: %s has two rows", convention, row.Path)
			}
			rows[row.Path] = true
		}
		for file := range files {
			dir, name := path.Split(strings.Replace(file, ".claude/rules/", "", 1))
			if dir = strings.TrimSuffix(strings.TrimSuffix(dir, "/"), "/.claude"); dir == "" || dir == ".claude" || dir == ".git" || name == "" {
				continue
			}
			below, with := status(start, file), cfg
			with.For, with.Below = []string{filepath.Join(root, dir, "x.ts")}, nil
			demanded := status(load(t, with), file)
			comes := demanded.OnDemand || demanded.Status == workspace.Ignored && demanded.Code != string(workspace.InstructionsOtherClient)
			switch below.Status {
			case workspace.BelowCwd:
				if workspace.LooksBelow(convention) && !comes {
					r.Errorf("%s: %s is below, and with a file of its folder %+v", convention, file, demanded)
				}
			case workspace.Shadowed:
				if demanded.Status != workspace.Shadowed && !demanded.Imported {
					r.Errorf("%s: %s is shadowed, and with a file of its folder %+v", convention, file, demanded)
				}
				from := cfg
				from.Cwd = filepath.Join(root, dir)
				if own := status(load(t, from), file); own.Status == workspace.Loaded && !own.Imported {
					r.Errorf("%s: %s is shadowed, and from its folder %+v", convention, file, own)
				}
			}
		}
	})
}
