package workspace_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cento-dev/cento/workspace"
)

// What a cut says it kept is a beginning of the file's text, of exactly that size,
// and never more than there is, whatever line ends and characters the limit falls
// into.
func TestCutCountsWhatItKeeps(t *testing.T) {
	piece := rapid.SampledFrom([]string{"a", "word ", "\n", "\r\n", "\r", "é", "€", "𝄞", "\uFEFF", "\xff", "\xe2\x82", "# Rules\n"})
	dir := project(t, map[string]string{".git/HEAD": ""})
	for _, x := range []struct {
		text, convention string
		limit            int
	}{
		{"a\na", "cento", 2},
		{"\n# Rules\n", "codex", 2}, // white space before the text
	} {
		checkCut(t, dir, x.text, x.convention, x.limit)
	}
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(piece, 1, 40).Draw(t, "pieces"), "")
		convention := rapid.SampledFrom([]string{"cento", "cwd", "nearest", "codex"}).Draw(t, "convention")
		checkCut(t, dir, text, convention, rapid.IntRange(1, len(text)+1).Draw(t, "limit"))
	})
}

// checkCut holds what is said of a file that a limit cuts against what is shown of it.
func checkCut(t interface {
	Fatal(...any)
	Fatalf(string, ...any)
	Errorf(string, ...any)
}, dir, text, convention string, limit int) {
	if err := os.WriteFile(filepath.Join(dir, "AGENTS.md"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	read := func(limit int) *workspace.Instructions {
		in, err := workspace.LoadInstructions(workspace.InstructionsConfig{Convention: convention, Root: dir, Cwd: dir, Limit: limit})
		if err != nil {
			t.Fatal(err)
		}
		return in
	}
	full, part := read(1<<20), read(limit)
	if len(part.Files) != 1 || part.Files[0].Status != workspace.Cut || part.Files[0].Code != string(workspace.InstructionsCut) {
		return
	}
	f := part.Files[0]
	var kept, of, said int
	if _, err := fmt.Sscanf(f.Reason, "kept %d of %d bytes, limit %d", &kept, &of, &said); err != nil {
		t.Fatalf("%q: %v", f.Reason, err)
	}
	// Of a whole file the white space around it is dropped.
	all := full.Text.Body[full.Files[0].From:full.Files[0].To]
	shown := part.Text.Body[f.From:f.To]
	switch {
	case kept > of || len(all) > 0 && full.Files[0].Bytes != len(all) || of != f.Bytes || of < len(all) || said != limit:
		t.Errorf("%q of %d bytes", f.Reason, full.Files[0].Bytes)
	case kept > len(shown) || !strings.HasPrefix(strings.TrimSpace(all), strings.TrimSpace(shown[:kept])):
		t.Errorf("%q, and the text is %q of %q", f.Reason, shown, all)
	case convention != "codex" && kept != len(shown):
		t.Errorf("%q, and the text has %d bytes", f.Reason, len(shown))
	case strings.TrimRight(shown[kept:], "\r\uFFFD") != "":
		t.Errorf("%q, and behind it stands %q", f.Reason, shown[kept:])
	}
}
