package cli_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cento-dev/cento/internal/treetest"
)

// BenchmarkLargeRepository runs the program as a user does, each time anew, in
// repositories of 100,000 files and in one of 10,000 skills. It takes turns with a
// run that does nothing, so that ms/beyond-start is what the command adds to the
// start of the process; the figures are medians of the runs. MB is the most memory
// that a run had.
//
// With CENTO_BENCH_DROP_CACHES=1 the system forgets what it knows of the disk
// before each run, which takes the superuser of a Linux machine.
func BenchmarkLargeRepository(b *testing.B) {
	program := filepath.Join(b.TempDir(), "cento")
	if out, err := exec.Command("go", "build", "-o", program, "../../cmd/cento").CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	auto := "system: You are a careful engineer.\nprofile: auto\n"
	for _, c := range []struct {
		name string
		lay  func(b *testing.B) string
		args []string
	}{
		{"100-files-a-folder/no-manifest", func(b *testing.B) string { return filesTree(b, 100, "") }, []string{"build"}},
		{"100-files-a-folder/profile-auto", func(b *testing.B) string { return filesTree(b, 100, auto) }, []string{"build"}},
		{"3-files-a-folder/profile-auto", func(b *testing.B) string { return filesTree(b, 3, auto) }, []string{"build"}},
		{"100000-files-in-one-folder/profile-auto", func(b *testing.B) string { return filesTree(b, 100_000, auto) }, []string{"build"}},
		{"10000-skills/list", skillsTree, []string{"skills", "list"}},
		{"10000-skills/build", skillsTree, []string{"build"}},
	} {
		b.Run(c.name, func(b *testing.B) {
			dir := c.lay(b)
			var start, whole []time.Duration
			memory := 0.0
			for b.Loop() {
				took, _ := timed(b, dir, program, "version")
				start = append(start, took)
				took, most := timed(b, dir, program, c.args...)
				whole = append(whole, took)
				memory = max(memory, most)
			}
			ms := func(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
			b.ReportMetric(0, "ns/op") // it counts both runs
			b.ReportMetric(ms(median(start)), "ms/start")
			b.ReportMetric(ms(median(whole)-median(start)), "ms/beyond-start")
			b.ReportMetric(memory, "MB")
		})
	}
}

func median(d []time.Duration) time.Duration {
	slices.Sort(d)
	return d[len(d)/2]
}

// timed runs the program once, from its start to its end.
func timed(b *testing.B, dir, program string, args ...string) (took time.Duration, mb float64) {
	b.Helper()
	if os.Getenv("CENTO_BENCH_DROP_CACHES") != "" {
		if err := os.WriteFile("/proc/sys/vm/drop_caches", []byte("3\n"), 0o200); err != nil {
			b.Fatal(err)
		}
	}
	cmd := exec.Command(program, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "HOME="+b.TempDir(), "XDG_CONFIG_HOME=", "CENTO_HOME=")
	var out bytes.Buffer
	cmd.Stdout = &out
	begin := time.Now()
	err := cmd.Run()
	took = time.Since(begin)
	if err != nil || out.Len() == 0 {
		b.Fatalf("%v: %v, %d bytes", args, err, out.Len())
	}
	return took, mostMemory(cmd.ProcessState)
}

// filesTree is a repository of 100,000 files, so many in each folder, with a
// .gitignore of the usual length.
func filesTree(b *testing.B, each int, manifest string) string {
	b.Helper()
	dir := b.TempDir()
	write := func(name, text string) { treetest.File(b, dir, name, text) }
	write("go.mod", "module example.com/large\n")
	write("AGENTS.md", "Run the tests.\n")
	write(".gitignore", "# built\n/bin/\n/dist/\n*.exe\n*.test\n*.out\n*.log\n*.tmp\n*~\n.idea/\n.vscode/\n.DS_Store\nnode_modules/\ncoverage*\n*.swp\n[Bb]uild/\n**/generated/*.pb.go\n!keep.log\n")
	write(".git/HEAD", "ref: refs/heads/main\n")
	write(".git/config", "[remote \"origin\"]\n\turl = git@github.com:acme/large.git\n")
	if manifest != "" {
		write("cento.yaml", manifest)
	}
	for i := range 100_000 / each {
		folder := filepath.Join(dir, fmt.Sprintf("service%02d", i%50), "internal", fmt.Sprintf("part%05d", i/50))
		if err := os.MkdirAll(folder, 0o755); err != nil {
			b.Fatal(err)
		}
		for k := range each {
			f, err := os.Create(filepath.Join(folder, fmt.Sprintf("file%06d.go", k)))
			if err != nil {
				b.Fatal(err)
			}
			f.Close()
		}
	}
	return dir
}

// skillsTree is a repository of 10,000 skills.
func skillsTree(b *testing.B) string {
	b.Helper()
	dir := b.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "cento.yaml"), []byte("system: You are a careful engineer.\nskills: auto\n"), 0o644); err != nil {
		b.Fatal(err)
	}
	for i := range 10_000 {
		name := fmt.Sprintf("skill-%05d", i)
		folder := filepath.Join(dir, ".agents", "skills", name)
		if err := os.MkdirAll(folder, 0o755); err != nil {
			b.Fatal(err)
		}
		text := "---\nname: " + name + "\ndescription: " + strings.Repeat("What it does and when. ", 12) + "\nallowed-tools: Read Grep\n---\n" + strings.Repeat("Do this, then that.\n", 200)
		if err := os.WriteFile(filepath.Join(folder, "SKILL.md"), []byte(text), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	return dir
}
