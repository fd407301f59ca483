//go:build unix

package cli_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestInterrupted ends a run that waits for its input. More than a pipe holds
// has been written when the signal is sent, so the run is known to be reading:
// nothing here depends on time.
func TestInterrupted(t *testing.T) {
	for _, sig := range []os.Signal{syscall.SIGINT, syscall.SIGTERM} {
		for _, args := range [][]string{
			{"build", "--tools", "-", "-o", "prompt.txt"},
			{"explain", "--html", "--tools", "-", "-o", "prompt.txt"},
			{"call", "reduce", "-o", "prompt.txt"},
		} {
			t.Run(sig.String()+" "+args[0], func(t *testing.T) { interrupt(t, sig, args) })
		}
	}
}

func interrupt(t *testing.T, sig os.Signal, args []string) {
	dir := realPath(t, t.TempDir())
	must(t, os.WriteFile(filepath.Join(dir, "cento.yaml"), []byte(quiet), 0o644))
	must(t, os.WriteFile(filepath.Join(dir, "prompt.txt"), []byte("An earlier prompt.\n"), 0o644))
	before := snapshot(t, dir)

	cmd := exec.Command(program(t), args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), hermetic(t.TempDir())...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	in, err := cmd.StdinPipe()
	must(t, err)
	must(t, cmd.Start())
	if _, err := in.Write(bytes.Repeat([]byte(" "), 1<<20)); err != nil {
		t.Errorf("writing to the run: %v", err)
	}
	must(t, cmd.Process.Signal(sig))
	err = cmd.Wait()
	ended, ok := errors.AsType[*exec.ExitError](err)
	if !ok || ended.ExitCode() != 3 {
		t.Errorf("the run ended with %v, want exit code 3", err)
	}
	if !strings.HasSuffix(errs.String(), "cento: interrupted\n") {
		t.Errorf("stderr: %q", errs.String())
	}
	if out.Len() > 0 {
		t.Errorf("stdout: %q", out.String())
	}
	if d := cmp.Diff(before, snapshot(t, dir)); d != "" {
		t.Errorf("the run changed files:\n%s", d)
	}
}

// TestClosedOutput runs the program into a pipe that nobody reads. The system
// ends such a run; what stands on disk stays.
func TestClosedOutput(t *testing.T) {
	dir := realPath(t, t.TempDir())
	must(t, os.WriteFile(filepath.Join(dir, "cento.yaml"), []byte(quiet), 0o644))
	before := snapshot(t, dir)
	for _, args := range [][]string{{"build"}, {"explain", "--json"}, {"explain", "--html"}, {"schema"}, {"--help"}} {
		t.Run(args[0], func(t *testing.T) {
			r, w, err := os.Pipe()
			must(t, err)
			must(t, r.Close())
			defer w.Close()
			cmd := exec.Command(program(t), args...)
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), hermetic(t.TempDir())...)
			cmd.Stdout = w
			ended, ok := errors.AsType[*exec.ExitError](cmd.Run())
			if !ok {
				t.Fatal("the run succeeded without an output")
			}
			if s := ended.Sys().(syscall.WaitStatus); s.Signal() != syscall.SIGPIPE && s.ExitStatus() != 3 {
				t.Errorf("the run ended with %v, want SIGPIPE or exit code 3", ended)
			}
			if d := cmp.Diff(before, snapshot(t, dir)); d != "" {
				t.Errorf("the run changed files:\n%s", d)
			}
		})
	}
}
