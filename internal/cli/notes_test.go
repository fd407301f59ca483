package cli_test

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/cli"
)

// unnoted are the commands about a project whose answers have no notes on it, with the
// reason.
var unnoted = map[string]string{
	"check":        "its findings tell of the model and the tools of each target",
	"instructions": "its notes are those of the model and the files; it looks at no tool",
	"models":       "its notes tell of the name that is looked for",
	"profile":      "it is the form in which a request hands a profile over, which has no notes",
	"prompt check": "it makes no prompt, and its notes are those of prompt files",
	"prompt graph": "it makes no prompt, and tells what files include",
	"prompt list":  "it makes no prompt, and tells what can be named",
	"prompt show":  "it makes no prompt, and its notes are those of the file",
	"render":       "it renders a file, and has notes on the model alone, as in call",
	"scope check":  "neither a model nor a tool decides a permission",
	"skills check": "it makes no prompt, and its findings are those of skills",
	"skills list":  "it makes no prompt, and tells what can be named",
	"skills show":  "it makes no prompt, and tells of one skill",
	"test":         "each test has a model and tools of its own; cento check tells of those of the project",
	"tools list":   "its notes are those of definitions and servers; it makes no prompt",
	"tools show":   "it makes no prompt, and tells of one definition",
}

// TestNotes: what there is to say of the model and the tools of a project, and of the names
// that flags give, is in the answer of each command about a project. It is the same as in
// the answer of cento call.
func TestNotes(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "cento.yaml"), []byte("system: Be brief.\nmodel: claude-opsu-5\ntools: [{name: todo, guidance: Keep the list., title: To-do}]\nscope: off\nprofile: off\nskills: off\ntargets: {ci: {}}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	store := " --store " + filepath.Join(t.TempDir(), "s.db")
	lines := map[string][]string{
		"ablate": {""}, "blame": {""}, "budget": {""}, "build": {"", "--wire anthropic --partial"}, "cache": {"--wire anthropic"},
		"diff": {"ci"}, "layers": {""}, "explain": {""}, "tokens": {""}, "show": {"primary:system"}, "why": {"brief", "brief --wire anthropic --partial"},
		"wire":          {"--wire anthropic --partial"},
		"session start": {"new" + store}, "session drift": {"s" + store}, "session rematerialise": {"s" + store}, "session turn": {"each" + store},
	}
	for _, session := range []string{"s", "each --materialise per_turn"} {
		var errs strings.Builder
		if code := cli.Main(strings.Fields("session start "+session+store+" --cwd "+dir), strings.NewReader(""), io.Discard, &errs); code != 0 {
			t.Fatal(errs.String())
		}
	}
	seen := 0
	var each func(cmd *cobra.Command)
	each = func(cmd *cobra.Command) {
		path := strings.TrimPrefix(cmd.CommandPath(), "cento ")
		if cmd.Flags().Lookup("target") != nil && cli.Answers()[cmd.CommandPath()] != nil {
			if lines[path] == nil && unnoted[path] == "" {
				t.Errorf("cento %s: no line here shows its notes, and no reason says why it has none", path)
			}
			for _, line := range lines[path] {
				seen++
				args := append(append(strings.Fields(path), strings.Fields(line)...), "--json", "--cwd", dir, "--without-tool", "tood")
				noted(t, args)
			}
		}
		for _, sub := range cmd.Commands() {
			each(sub)
		}
	}
	each(cli.Commands())
	if seen < len(lines) {
		t.Errorf("%d lines were run", seen)
	}
}

// noted holds the first value of an answer to its notes, each of which stands there once.
func noted(t *testing.T, args []string) {
	t.Helper()
	var out, errs strings.Builder
	cli.Main(args, strings.NewReader(""), &out, &errs)
	var has struct{ Notes []cento.Note }
	if err := json.NewDecoder(strings.NewReader(out.String())).Decode(&has); err != nil {
		t.Errorf("cento %s: %v: %s", strings.Join(args, " "), err, errs.String())
		return
	}
	n := map[cento.Code]int{}
	for _, note := range has.Notes {
		n[note.Code]++
	}
	if n["model.guessed"] != 1 || n["tool.unkept"] != 1 || n["change.idle"] != 1 {
		t.Errorf("cento %s doesn't tell once of the model, the key and the flag: %v\n%s", strings.Join(args, " "), has.Notes, errs.String())
	}
}

// TestNotesToldOnce: people are told each note once, whether it comes of reading the project,
// of a flag or with the prompt of a session.
func TestNotesToldOnce(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "cento.yaml"), []byte("system: Be brief.\nmodel: claude-opsu-5\ntools: [{name: todo}]\nscope: off\nprofile: off\nskills: off\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	store := " --store " + filepath.Join(t.TempDir(), "s.db")
	for _, line := range []string{
		"session start s --materialise per_turn" + store, "session turn s" + store, "session drift s" + store, "session rematerialise s" + store, "build --record" + store, "explain", "build",
	} {
		var out, errs strings.Builder
		if code := cli.Main(append(strings.Fields(line), "--cwd", dir, "--without-tool", "tood"), strings.NewReader(""), &out, &errs); code != 0 {
			t.Fatalf("cento %s: %s", line, errs.String())
		}
		told := out.String() + errs.String()
		if strings.Count(told, `the model "claude-opsu-5"`) != 1 || strings.Count(told, "tood changes nothing") != 1 || !strings.Contains(told, "cento: --without-tool tood") {
			t.Errorf("cento %s doesn't tell each note once, by its flag:\n%s", line, told)
		}
	}
}
