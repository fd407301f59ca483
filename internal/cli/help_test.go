package cli_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cento-dev/cento/internal/cli"
)

// TestHelp holds the help text of every command to its golden, and every golden
// to a command.
func TestHelp(t *testing.T) {
	const folder = "testdata/help"
	goldens := map[string]bool{}
	for _, name := range append([]string{""}, commandNames(t)...) {
		file := filepath.Join(folder, strings.ReplaceAll(strings.TrimSpace("cento "+name), " ", "_")+".txt")
		goldens[file] = true
		got := output(t, append(strings.Fields(name), "--help")...)
		if name != "" {
			if alias := output(t, append([]string{"help"}, strings.Fields(name)...)...); alias != got {
				t.Errorf("cento help %s differs from cento %s --help:\n%s", name, name, cmp.Diff(got, alias))
			}
			if !strings.Contains(got, "Examples:") && !strings.Contains(got, "[command]") {
				t.Errorf("cento %s --help has no example", name)
			}
		}
		if *update {
			if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Errorf("%v; write it with -update", err)
			continue
		}
		if d := cmp.Diff(string(want), got); d != "" {
			t.Errorf("%s: golden, then now:\n%s", file, d)
		}
	}
	found, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil || len(found) == 0 {
		t.Fatalf("no goldens in %s: %v", folder, err)
	}
	for _, file := range found {
		if !goldens[file] {
			t.Errorf("%s belongs to no command", file)
		}
	}
}

// commandNames lists the commands that the program completes, as in
// "scope check".
func commandNames(t *testing.T) []string {
	t.Helper()
	var names []string
	var walk func(prefix []string)
	walk = func(prefix []string) {
		args := append(append([]string{"__completeNoDesc"}, prefix...), "")
		for l := range strings.Lines(output(t, args...)) {
			l = strings.TrimSpace(l)
			if l == "" || strings.HasPrefix(l, ":") || !isCommand(append(prefix, l)) {
				continue
			}
			names = append(names, strings.Join(append(prefix, l), " "))
			if len(prefix) == 0 && l != "help" {
				walk(append(prefix, l))
			}
		}
	}
	walk(nil)
	if len(names) < 10 {
		t.Fatalf("found only the commands %q", names)
	}
	return names
}

// isCommand tells a command from a value that is completed, such as the name of
// a shell.
func isCommand(path []string) bool {
	var out, err bytes.Buffer
	cli.Main(append(append([]string{}, path...), "--help"), strings.NewReader(""), &out, &err)
	_, usage, _ := strings.Cut(out.String(), "Usage:\n")
	return strings.HasPrefix(usage, "  cento "+strings.Join(path, " "))
}

// output runs a command that succeeds and says nothing but its result.
func output(t *testing.T, args ...string) string {
	t.Helper()
	var out, err bytes.Buffer
	if code := cli.Main(args, strings.NewReader(""), &out, &err); code != 0 {
		t.Fatalf("cento %s: exit code %d\n%s", strings.Join(args, " "), code, err.String())
	}
	return out.String()
}
