package profile

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// largeTree is a repository of 100,000 files in 1,050 folders, with a
// .gitignore of the usual length.
func largeTree(b *testing.B) string {
	b.Helper()
	dir := b.TempDir()
	write(b, dir, "go.mod", "module example.com/large\n")
	write(b, dir, ".gitignore", "# built\n/bin/\n/dist/\n*.exe\n*.test\n*.out\n*.log\n*.tmp\n*~\n.idea/\n.vscode/\n.DS_Store\nnode_modules/\ncoverage*\n*.swp\n[Bb]uild/\n**/generated/*.pb.go\n!keep.log\n")
	write(b, dir, ".git/config", "[remote \"origin\"]\n\turl = git@github.com:acme/large.git\n")
	for i := range 50 {
		for j := range 20 {
			folder := filepath.Join(dir, fmt.Sprintf("service%02d", i), "internal", fmt.Sprintf("part%02d", j))
			if err := os.MkdirAll(folder, 0o755); err != nil {
				b.Fatal(err)
			}
			for k := range 100 {
				f, err := os.Create(filepath.Join(folder, fmt.Sprintf("file%03d.go", k)))
				if err != nil {
					b.Fatal(err)
				}
				f.Close()
			}
		}
	}
	return dir
}

// BenchmarkFind looks at 100,000 files, of which the walk sees its share.
func BenchmarkFind(b *testing.B) {
	dir := largeTree(b)
	b.ReportAllocs()
	for b.Loop() {
		p, err := Find(Config{Root: dir})
		if err != nil || len(p.Notes) != 1 || len(p.Signals) < 5 {
			b.Fatal(p, err)
		}
	}
}
