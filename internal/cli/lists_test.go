package cli_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cento-dev/cento/internal/cli"
)

// neverNone are lists that the program itself has entries of.
var neverNone = []string{"models", "prompt list"}

// alsoLists are commands that list, and aren't called so.
var alsoLists = []string{"instructions", "profile", "prompt graph"}

// A list of nothing has nothing on stdout, or with --json a document without entries;
// stderr says that there is nothing; and the command has done what it was asked for. It
// is the same of all commands that list, wherever they look, and none of them makes a
// file.
func TestListsOfNothing(t *testing.T) {
	home := t.TempDir()
	for _, name := range []string{"HOME", "CENTO_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"} {
		t.Setenv(name, home)
	}
	lists := slices.Clone(alsoLists)
	for _, name := range commandNames(t) {
		if name == "models" || strings.HasSuffix(name, " list") {
			lists = append(lists, name)
		}
	}
	if len(lists) < 10 {
		t.Fatalf("found only the lists %q", lists)
	}
	dir := t.TempDir()
	t.Chdir(dir)
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("cento.yaml", "system: x\nscope: off\nproject: {instructions: off}\nprofile: off\nskills: off\n")
	write("empty.db", "")
	run := func(args ...string) (code int, stdout, stderr string) {
		var out, err bytes.Buffer
		code = cli.Main(args, strings.NewReader(""), &out, &err)
		return code, out.String(), err.String()
	}
	for _, name := range lists {
		variants := [][]string{strings.Fields(name)}
		if name == "log list" || name == "session list" {
			variants = append(variants, append(strings.Fields(name), "--store", "empty.db"))
		}
		for _, args := range variants {
			code, out, said := run(args...)
			if slices.Contains(neverNone, name) {
				if code != 0 || out == "" {
					t.Errorf("cento %q: exit code %d, %q", args, code, out)
				}
				continue
			}
			if code != 0 || out != "" || said == "" {
				t.Errorf("cento %q: exit code %d, stdout %q, stderr %q", args, code, out, said)
			}
			code, out, again := run(append(args, "--json")...)
			var answer any
			if err := json.Unmarshal([]byte(out), &answer); err != nil || code != 0 || again != said {
				t.Errorf("cento %q --json: exit code %d, %v, stderr %q", args, code, err, again)
			}
			// What was written before goes, too.
			write("before", "old")
			if code, out, _ := run(append(args, "-o", "before")...); code != 0 || out != "" {
				t.Errorf("cento %q -o: exit code %d, stdout %q", args, code, out)
			}
			if b, err := os.ReadFile("before"); err != nil || len(b) != 0 {
				t.Errorf("cento %q -o: %q, %v", args, b, err)
			}
		}
	}
	if b, err := os.ReadFile("empty.db"); err != nil || len(b) != 0 {
		t.Errorf("%d bytes were written to the empty file, %v", len(b), err)
	}
	if left, err := filepath.Glob(filepath.Join(home, "*")); err != nil || len(left) > 0 {
		t.Errorf("the lists made %v, %v", left, err)
	}
}
