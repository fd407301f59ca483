package cli_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cento-dev/cento/internal/cli"
	"github.com/cento-dev/cento/internal/lengthtest"
)

// No command runs a program that a manifest names before somebody has approved
// it: every command there is, and the completion of its arguments, is started in
// a project whose server would leave a mark.
func TestNothingRunsWithoutApproval(t *testing.T) {
	lengthtest.NotShort(t, "every command is run")
	needsUnix(t, "the mark is left by touch")
	touch, err := exec.LookPath("touch")
	if err != nil {
		t.Skip("no touch here")
	}
	dir := t.TempDir()
	mark := filepath.Join(dir, "mark")
	server := "{command: [" + touch + ", " + mark + "]}"
	project := filepath.Join(dir, "project")
	if err := os.MkdirAll(filepath.Join(project, "home"), 0o755); err != nil {
		t.Fatal(err)
	}
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(project, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("cento.yaml", "tools: {mcp: {bad: "+server+"}}\nmodel: some-model\ntargets: {ci: {tools: {mcp: {worse: "+server+"}}}}\n")
	write("tools.json", `{"mcp": {"command": ["`+touch+`", "`+mark+`"]}}`)
	write("AGENTS.md", "Run the tests.\n")

	// These go on until they are told to end.
	lasting := []string{"serve", "mcp"}
	args := [][]string{
		{}, {"--json"}, {"x"}, {"--target", "ci"}, {"--tools", "tools.json"}, {"--tool", "x"},
	}
	args = args[lengthtest.Of(2, 2, 0):lengthtest.Of(3, 4, len(args))]
	ran := 0
	for _, name := range append(commandNames(t), "__complete build --target", "__complete diff", "__complete build --tool") {
		command := strings.Fields(name)
		for _, more := range args {
			if len(more) > 0 && more[0] == "--tools" && (command[0] == "__complete" || !takes(t, command, "tools")) {
				continue
			}
			ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
			cmd := exec.CommandContext(ctx, program(t), slices.Concat(command, more)...)
			cmd.Dir = project
			cmd.Env = append(os.Environ(), hermetic(project)...)
			out, _ := cmd.CombinedOutput()
			if ctx.Err() == context.DeadlineExceeded && !slices.Contains(lasting, command[0]) {
				t.Fatalf("cento %s %q doesn't end", name, more)
			}
			stop()
			ran++
			if _, err := os.Stat(mark); err == nil {
				t.Fatalf("cento %s %q ran the program:\n%s", name, more, out)
			}
		}
	}
	// A request on stdin, from whoever sends it, names no server either.
	for _, operation := range []string{"reduce", "layers", "render", "contract", "reminders", "scope"} {
		for _, request := range []string{
			`{"tools": {"mcp": SERVER}, "fragments": [{"id": "a", "body": "A."}]}`,
			`{"mcp": SERVER, "tools": [{"name": "a", "mcp": SERVER}], "fragments": [{"id": "a", "body": "A."}]}`,
			`{"cwd": "` + project + `", "dir": "` + project + `", "manifest": "cento.yaml", "fragments": [{"id": "a", "body": "A."}]}`,
		} {
			cmd := exec.CommandContext(t.Context(), program(t), "call", operation)
			cmd.Dir, cmd.Env = project, append(os.Environ(), hermetic(project)...)
			cmd.Stdin = strings.NewReader(strings.ReplaceAll(request, "SERVER", `{"command": ["`+touch+`", "`+mark+`"]}`))
			out, err := cmd.CombinedOutput()
			if _, marked := os.Stat(mark); marked == nil || err == nil {
				t.Fatalf("cento call %s of %s: %v\n%s", operation, request, err, out)
			}
			ran++
		}
	}
	if ran < 100 {
		t.Errorf("only %d runs", ran)
	}

	// The mark is one that the program does leave.
	if err := exec.Command(touch, mark).Run(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(mark); err != nil {
		t.Fatal(err)
	}
}

func takes(t *testing.T, command []string, flag string) bool {
	t.Helper()
	cmd, _, err := cli.Commands().Find(command)
	return err == nil && cmd.Flags().Lookup(flag) != nil
}
