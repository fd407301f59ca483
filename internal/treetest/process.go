package treetest

import (
	"io"
	"os"
	"os/exec"
	"testing"
)

// Start starts a program that a test talks with: what it reads, and what it says. What
// it has to complain of is seen. Whoever starts it closes the one and waits.
func Start(t testing.TB, cmd *exec.Cmd) (in io.WriteCloser, out io.Reader) {
	t.Helper()
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err = cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return in, out
}
