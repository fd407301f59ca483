package cli_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cento-dev/cento/internal/cli"
)

// TestRepositories replays the transcripts of the repositories. The first
// line of a transcript is its command; what follows is what it prints, with
// stderr and the exit code behind it.
func TestRepositories(t *testing.T) {
	const folder = "testdata/repos"
	repos, err := filepath.Glob(folder + "/*.transcripts")
	if err != nil || len(repos) == 0 {
		t.Fatalf("no repositories in %s: %v", folder, err)
	}
	for _, transcripts := range repos {
		name := strings.TrimSuffix(filepath.Base(transcripts), ".transcripts")
		t.Run(name, func(t *testing.T) {
			needsUnix(t, "roots of disks have letters there")
			if _, err := exec.LookPath("git"); err != nil {
				t.Skip("skipped: there is no git to commit with")
			}
			files, err := filepath.Glob(transcripts + "/*.txt")
			if err != nil || len(files) == 0 {
				t.Fatalf("no transcripts in %s: %v", transcripts, err)
			}
			for i := range files {
				files[i], err = filepath.Abs(files[i])
				must(t, err)
			}
			root := checkOut(t, filepath.Join(folder, name))
			for _, file := range files {
				t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) { replay(t, root, file) })
			}
		})
	}
}

// replay runs the command of a transcript and compares what it says.
func replay(t *testing.T, root, file string) {
	golden, err := os.ReadFile(file)
	must(t, err)
	want := string(golden)
	first, _, _ := strings.Cut(want, "\n")
	dir, command := root, strings.TrimPrefix(first, "$ ")
	if rest, ok := strings.CutPrefix(command, "cd "); ok {
		var below string
		below, command, _ = strings.Cut(rest, " && ")
		dir = filepath.Join(root, filepath.FromSlash(below))
	}
	args := words(t, command)
	if len(args) == 0 || args[0] != "cento" {
		t.Fatalf("%s: the first line is %q, want $ cento …", file, first)
	}
	t.Chdir(dir)
	var out, errs bytes.Buffer
	code := cli.Main(args[1:], strings.NewReader(""), &out, &errs)
	got := first + "\n" + section(out.String()) + "-- stderr --\n" + section(errs.String()) + fmt.Sprintf("-- exit %d --\n", code)
	got = strings.ReplaceAll(got, root, "<root>")
	got = masked(got)
	if *update {
		must(t, os.WriteFile(file, []byte(got), 0o644))
		return
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("%s: golden, then now:\n%s", file, d)
	}
}

// The root is part of what digests are taken of, and how many tokens it makes
// depends on its digits.
var (
	digest   = regexp.MustCompile(`sha256 [0-9a-f]{16}`)
	total    = regexp.MustCompile(`; ~?[0-9]+ tokens`)
	rootRows = regexp.MustCompile(`(?m)^(\+  (?:primary:environment|scope:boundaries) +(?:primary|scope) .{3,}?) *~?[0-9]+(  unconditional)$`)
	changed  = regexp.MustCompile(`~?[0-9]+ tokens to ~?[0-9]+`)
	behind   = regexp.MustCompile(`~?[0-9]+ tokens from there on`)
	weighed  = regexp.MustCompile(`(?m)^ *~?[0-9]+ +[0-9]+(  (?:scope:boundaries |\(the prompt\)))`)
)

func masked(text string) string {
	text = digest.ReplaceAllString(text, "sha256 <digest>")
	text = total.ReplaceAllString(text, "; <n> tokens")
	text = changed.ReplaceAllString(text, "<n> tokens to <n>")
	text = behind.ReplaceAllString(text, "<n> tokens from there on")
	text = weighed.ReplaceAllString(text, "   ???    ???$1")
	return rootRows.ReplaceAllStringFunc(text, func(row string) string {
		head := strings.TrimRight(strings.TrimSuffix(row, "  unconditional"), "~0123456789")
		width := len(row) - len("  unconditional")
		return head[:min(len(head), width-3)] + strings.Repeat(" ", max(0, width-3-len(head))) + "???  unconditional"
	})
}

// section ends a text by a line end, and says so when it had none.
func section(text string) string {
	if text == "" || strings.HasSuffix(text, "\n") {
		return text
	}
	return text + "\n\\ no line end\n"
}

// words parts a command line at blanks outside of double quotes.
func words(t *testing.T, line string) []string {
	t.Helper()
	var out []string
	for i, part := range strings.Split(line, `"`) {
		if i%2 == 1 {
			out = append(out, part)
			continue
		}
		out = append(out, strings.Fields(part)...)
	}
	if strings.Count(line, `"`)%2 == 1 {
		t.Fatalf("a quote is not closed: %s", line)
	}
	return out
}

// rootLength is the length of the path that a repository is copied to. The path
// is part of prompts, so their sizes are the same on every machine only when it
// is as long on all of them.
const rootLength = 160

// checkOut copies a repository to a fresh folder and commits it.
func checkOut(t *testing.T, from string) string {
	t.Helper()
	for _, v := range hermetic(t.TempDir()) {
		name, value, _ := strings.Cut(v, "=")
		t.Setenv(name, value)
	}
	dir := realPath(t, t.TempDir())
	if len(dir)+2 > rootLength {
		t.Fatalf("the temporary folder has a path of %d bytes, and at most %d are planned for", len(dir), rootLength-2)
	}
	dir = filepath.Join(dir, strings.Repeat("r", rootLength-len(dir)-1))
	must(t, os.CopyFS(dir, os.DirFS(from)))
	for _, args := range [][]string{
		{"init", "-q", "-b", "main"}, {"add", "-A"}, {"commit", "-q", "-m", "begin the work with agents"},
	} {
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		if text, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v\n%s", args[0], err, text)
		}
	}
	return dir
}
