package cli_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cento-dev/cento/internal/cli"
)

// rules is an instruction file of n lines, of which changed ones say tells.
func rules(n int, changed func(int) bool) string {
	var b strings.Builder
	b.WriteString("# Rules\n")
	for i := range n {
		verb := "says"
		if changed(i) {
			verb = "tells"
		}
		fmt.Fprintf(&b, "- Rule number %d %s that file %d stays as it is in the tree.\n", i, verb, i)
	}
	return b.String()
}

// diffOf compares the prompt of one AGENTS.md with the prompt of another.
func diffOf(t *testing.T, from, to string, args ...string) string {
	t.Helper()
	t.Setenv("HOME", t.TempDir())
	dir := t.TempDir()
	was := filepath.Join(dir, "was.json")
	write := func(text string) {
		if err := os.WriteFile(filepath.Join(dir, "AGENTS.md"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(from)
	output(t, "explain", "--json", "--cwd", dir, "-o", was)
	write(to)
	var out, stderr bytes.Buffer
	if code := cli.Main(append([]string{"diff", "file:" + was, "--cwd", dir}, args...), strings.NewReader(""), &out, &stderr); code != 1 {
		t.Fatalf("exit code %d\n%s", code, stderr.String())
	}
	return out.String()
}

func countLines(text string, is func(string) bool) int {
	n := 0
	for l := range strings.Lines(text) {
		if is(strings.TrimLeft(l, " ")) {
			n++
		}
	}
	return n
}

func TestDiffShowsChangedLinesAlone(t *testing.T) {
	none, two := func(int) bool { return false }, func(i int) bool { return i == 3 || i == 577 }
	text := diffOf(t, rules(600, none), rules(600, two))
	if n := countLines(text, func(l string) bool { return strings.Contains(l, "[-says-]{+tells+}") }); n != 2 || strings.Count(text, "[-") != 2 {
		t.Errorf("%d lines have the changed word, want 2:\n%s", n, text)
	}
	markdown := diffOf(t, rules(600, none), rules(600, two), "--format", "markdown")
	removed := countLines(markdown, func(l string) bool { return strings.HasPrefix(l, "- - Rule") })
	added := countLines(markdown, func(l string) bool { return strings.HasPrefix(l, "+ - Rule") })
	if removed != 2 || added != 2 || strings.Contains(markdown, "leaves out") {
		t.Errorf("%d lines removed and %d added, want 2 and 2:\n%s", removed, added, markdown)
	}
}

// TestCommentDropsContextFirst: a comment without room keeps the changed lines, and says how
// many it leaves out.
func TestCommentDropsContextFirst(t *testing.T) {
	none := func(int) bool { return false }
	isChange := func(l string) bool { return strings.HasPrefix(l, "- - Rule") || strings.HasPrefix(l, "+ - Rule") }
	isContext := func(l string) bool { return strings.HasPrefix(l, "- Rule") }
	for every, want := range map[int]struct {
		changed int
		context bool
	}{
		10: {120, true},
		2:  {600, false}, // with context they would take more than 60,000 characters
		1:  {0, false},
	} {
		got := diffOf(t, rules(600, none), rules(600, func(i int) bool { return i%every == 1%every }), "--format", "markdown", "--clock", "2026-01-02T03:04:05Z")
		if n := len([]rune(got)); n > 60_000 {
			t.Errorf("every %d: the comment has %d characters", every, n)
		}
		if context := countLines(got, isContext) > 0; context != want.context {
			t.Errorf("every %d: context is there: %t", every, context)
		}
		changed := countLines(got, isChange)
		if want.changed > 0 {
			if changed != want.changed || strings.Contains(got, "leaves out") {
				t.Errorf("every %d: %d changed lines, want %d", every, changed, want.changed)
			}
			continue
		}
		if changed < 700 || !strings.Contains(got, fmt.Sprintf("leaves out %d changed lines.** To see everything, run `cento diff --clock 2026-01-02T03:04:05Z --cwd ", 1200-changed)) {
			t.Errorf("every %d: %d changed lines, and the end %q", every, changed, got[len(got)-300:])
		}
	}
}
