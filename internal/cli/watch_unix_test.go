//go:build unix

package cli_test

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/cento-dev/cento/internal/app"
)

// repeated is a run with --watch, and what it says, line by line.
type repeated struct {
	t        *testing.T
	dir      string
	cmd      *exec.Cmd
	out, err *bufio.Reader
}

// watchIn begins a run in a folder with some files.
func watchIn(t *testing.T, files map[string]string, args ...string) *repeated {
	t.Helper()
	r := &repeated{t: t, dir: realPath(t, t.TempDir())}
	r.dir = filepath.Join(r.dir, "project")
	for name, text := range files {
		r.write(name, text)
	}
	r.cmd = exec.Command(program(t), args...)
	r.cmd.Dir = r.dir
	r.cmd.Env = append(os.Environ(), hermetic(t.TempDir())...)
	reader := func(pipe io.ReadCloser, err error) *bufio.Reader {
		must(t, err)
		return bufio.NewReaderSize(pipe, 1<<20)
	}
	r.out, r.err = reader(r.cmd.StdoutPipe()), reader(r.cmd.StderrPipe())
	must(t, r.cmd.Start())
	t.Cleanup(func() { r.cmd.Process.Kill() })
	return r
}

func (r *repeated) write(name, text string) {
	r.t.Helper()
	path := filepath.Join(r.dir, filepath.FromSlash(name))
	must(r.t, os.MkdirAll(filepath.Dir(path), 0o755))
	// As editors save: another file takes the name.
	must(r.t, os.WriteFile(path+"~", []byte(text), 0o644))
	must(r.t, os.Rename(path+"~", path))
}

// result reads stdout up to a line with a text.
func (r *repeated) result(text string) string { return r.until(r.out, "stdout", text) }

// message reads stderr up to a line with a text.
func (r *repeated) message(text string) string { return r.until(r.err, "stderr", text) }

func (r *repeated) until(from *bufio.Reader, what, text string) string {
	r.t.Helper()
	var b strings.Builder
	for {
		line, err := from.ReadString('\n')
		b.WriteString(line)
		if strings.Contains(line, text) {
			return b.String()
		}
		if err != nil {
			r.t.Fatalf("%s ended without %q:\n%s", what, text, b.String())
		}
	}
}

// end interrupts the run: its usual end, with nothing more on stdout.
func (r *repeated) end() {
	r.t.Helper()
	must(r.t, r.cmd.Process.Signal(syscall.SIGINT))
	rest, err := io.ReadAll(r.out)
	must(r.t, err)
	said, err := io.ReadAll(r.err)
	must(r.t, err)
	if err := r.cmd.Wait(); err != nil || len(rest)+len(said) > 0 {
		r.t.Errorf("it ended with %v, after %q and %q", err, rest, said)
	}
}

const mainFile = ".cento/prompts/main.md"

const watchedManifest = "scope: off\ninstruction: $workspace/main\nfragments: [{id: last, body: LAST}]\n"

// TestWatch: a run is repeated when a file changes, comes or goes that it depends on; what
// changed is told as diff does; errors are told and the last result stays.
func TestWatch(t *testing.T) {
	r := watchIn(t, map[string]string{"cento.yaml": watchedManifest, mainFile: "One."}, "build", "--watch")
	if got := r.result("LAST"); got != "One.\n\nLAST\n" {
		t.Errorf("the prompt is %q", got)
	}
	r.write(mainFile, "Two.")
	if got := r.result("LAST"); got != "Two.\n\nLAST\n" {
		t.Errorf("the prompt is %q", got)
	}
	if got := r.message("from there on"); !strings.Contains(got, "cento: changed: .cento/prompts/main.md\n~ primary:system  reworded\n    [-One-]{+Two+}.\n") {
		t.Errorf("what changed: %s", got)
	}
	// What isn't there is looked for.
	r.write("AGENTS.md", "Run the tests.")
	r.result("Run the tests.")
	r.message("project:instructions  new")
	// What can't be read keeps the last prompt.
	r.write("cento.yaml", "sytem: x\n")
	r.message("what was printed last stays, until this is mended")
	must(t, os.Remove(filepath.Join(r.dir, mainFile)))
	r.write("cento.yaml", watchedManifest)
	if got := r.message("what was printed last stays"); !strings.Contains(got, "prompt file not found") {
		t.Errorf("the error is %s", got)
	}
	r.write(mainFile, "Two.")
	r.message("mended; what was printed last is so")
	r.write(mainFile, "Three.")
	if got := r.result("Run the tests."); !strings.HasPrefix(got, "Three.\n") {
		t.Errorf("the prompt is %q", got)
	}
	r.message("from there on")
	r.end()
}

// TestWatchDeleted: a tree that is deleted is told, nothing takes the place of the last
// prompt, and when it comes back it goes on.
func TestWatchDeleted(t *testing.T) {
	out := filepath.Join(t.TempDir(), "prompt.txt")
	files := map[string]string{"cento.yaml": watchedManifest, mainFile: "One."}
	r := watchIn(t, files, "build", "--watch", "-o", out)
	wrote := func(want string) {
		t.Helper()
		r.message("wrote " + out)
		holds(t, out, want)
	}
	wrote("One.")
	r.write(mainFile, "Two.")
	r.message("changed: " + mainFile)
	wrote("Two.")
	must(t, os.Remove(filepath.Join(r.dir, "cento.yaml")))
	r.message("cento.yaml: the manifest is gone")
	r.message("what was printed last stays")
	must(t, os.RemoveAll(r.dir))
	r.message("what was printed last stays")
	holds(t, out, "Two.")
	for name, text := range files {
		r.write(name, text)
	}
	r.message("[-Two-]{+One+}.")
	wrote("One.")
	r.end()
}

func holds(t *testing.T, file, want string) {
	t.Helper()
	if got, err := os.ReadFile(file); err != nil || !strings.HasPrefix(string(got), want) {
		t.Errorf("%s holds %q, %v", file, got, err)
	}
}

// TestWatchJSON: with --json each result is a line.
func TestWatchJSON(t *testing.T) {
	files := map[string]string{
		"cento.yaml": watchedManifest + "tests: [{name: holds, contains: [One]}]\n", mainFile: "One.",
	}
	for _, args := range [][]string{{"build"}, {"explain"}, {"check"}, {"test"}} {
		t.Run(args[0], func(t *testing.T) {
			r := watchIn(t, files, append(args, "--watch", "--json")...)
			for _, text := range []string{"Two. Read `docs/nothing.md`.", "One. Read `docs/other.md`."} {
				line := r.result("}")
				if !json.Valid([]byte(line)) || strings.Count(line, "\n") != 1 {
					t.Fatalf("no line of JSON: %q", line)
				}
				r.write(mainFile, text)
			}
			r.result("}")
			r.cmd.Process.Signal(syscall.SIGINT)
			if _, err := io.ReadAll(r.err); err != nil {
				t.Error(err)
			}
			if err := r.cmd.Wait(); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestWatchOutputs: outputs are written when they are others, and not because they were
// written.
func TestWatchOutputs(t *testing.T) {
	files := map[string]string{
		"cento.yaml": "scope: off\nproject: {instructions: cento}\ninstruction: $workspace/main\ntargets: {agents: {output: AGENTS.md}}\n", mainFile: "One.",
		".git/HEAD": "ref: refs/heads/main\n",
	}
	r := watchIn(t, files, "build", "--all", "--watch", "--json")
	written := func() bool {
		var a app.OutputsAnswer
		must(t, json.Unmarshal([]byte(r.result("}")), &a))
		return len(a.Outputs) == 1 && a.Outputs[0].Written
	}
	for _, text := range []string{"Two.", "Three.", "Four."} {
		if !written() { // were it told of what it wrote itself, this would be the next line
			t.Error("nothing was written")
		}
		r.write(mainFile, text)
	}
	if !written() {
		t.Error("nothing was written")
	}
	holds(t, filepath.Join(r.dir, "AGENTS.md"), "Four.\n")
	r.write("AGENTS.md", "By hand.\n")
	r.write(mainFile, "Five.")
	r.message("AGENTS.md was edited since it was written")
	holds(t, filepath.Join(r.dir, "AGENTS.md"), "By hand.\n")
}

// TestWatchRefuses: what makes no sense together is told at once.
func TestWatchRefuses(t *testing.T) {
	files := map[string]string{"cento.yaml": watchedManifest, mainFile: "One.", "AGENTS.md": "Run the tests."}
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{"build", "--watch", "--record"}, "--watch repeats what the files say, and --record does something else"},
		{[]string{"check", "--watch", "--fix"}, "--fix does something else"},
		{[]string{"test", "--watch", "--update"}, "--update does something else"},
		{[]string{"build", "--watch", "-o", "AGENTS.md"}, "the result is made of AGENTS.md, so it can't be written there again and again"},
		{[]string{"build", "--watch", "--nothing"}, "--nothing"},
	} {
		r := watchIn(t, files, c.args...)
		r.message(c.says)
		_, _ = io.ReadAll(r.err)
		if err := r.cmd.Wait(); r.cmd.ProcessState.ExitCode() != 2 {
			t.Errorf("%v: %v", c.args, err)
		}
		if got, err := os.ReadFile(filepath.Join(r.dir, "AGENTS.md")); err != nil || string(got) != files["AGENTS.md"] {
			t.Errorf("%v: AGENTS.md holds %q, %v", c.args, got, err)
		}
	}
}
