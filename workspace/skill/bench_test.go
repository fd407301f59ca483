package skill_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/workspace/skill"
)

// many makes a folder with n skills in it.
func many(tb testing.TB, n int, text func(name string) string) string {
	tb.Helper()
	root := tb.TempDir()
	for i := range n {
		name := fmt.Sprintf("skill-%05d", i)
		dir := filepath.Join(root, ".agents", "skills", name)
		if err := os.MkdirAll(dir, 0o755); err != nil {
			tb.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, skill.FileName), []byte(text(name)), 0o644); err != nil {
			tb.Fatal(err)
		}
	}
	return root
}

func in(root, name string, trust cento.Trust) skill.Folder {
	return skill.Folder{Root: root, Name: name, Trust: trust, Show: func(path string) string {
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return path
		}
		return filepath.ToSlash(rel)
	}}
}

func BenchmarkDiscover(b *testing.B) {
	for _, n := range []int{100, 10_000} {
		root := many(b, n, func(name string) string {
			return "---\nname: " + name + "\ndescription: " + strings.Repeat("What it does and when. ", 12) + "\nallowed-tools: Read Grep\n---\n" + strings.Repeat("Do this, then that.\n", 200)
		})
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				s := skill.Discover([]skill.Folder{in(root, ".agents/skills", cento.TrustWorkspace)}, cento.Limits{})
				if len(s.Usable()) != n {
					b.Fatalf("%d skills", len(s.Usable()))
				}
			}
		})
	}
}
