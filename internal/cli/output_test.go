package cli_test

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/cento-dev/cento/internal/cli"
)

// brokenWriter takes some bytes and then no more.
type brokenWriter struct{ left int }

var errBroken = errors.New("the line is dead")

func (w *brokenWriter) Write(b []byte) (int, error) {
	if len(b) > w.left {
		n := w.left
		w.left = 0
		return n, errBroken
	}
	w.left -= len(b)
	return len(b), nil
}

// TestBrokenOutput: a result that doesn't arrive as a whole is a failure, for
// every command, wherever the writing ends.
func TestBrokenOutput(t *testing.T) {
	for _, v := range hermetic(t.TempDir()) {
		name, value, _ := strings.Cut(v, "=")
		t.Setenv(name, value)
	}
	t.Chdir(t.TempDir())
	for _, args := range [][]string{
		{"build"}, {"build", "--json"}, {"explain"}, {"explain", "--json"}, {"explain", "--html"}, {"blame"}, {"why", "boundaries"},
		{"why", "zzz"}, {"diff", "--with-tool", "x"}, {"scope", "check", "/nowhere"}, {"init", "--print"}, {"call", "reduce"},
		{"demo", "prompt-guidance"}, {"schema"}, {"man"}, {"version"}, {"completion", "bash"}, {"completion", "zsh"}, {"completion", "fish"},
		{"--help"}, {"help", "build"}, {"demo"},
	} {
		for _, left := range []int{0, 5} {
			var errs bytes.Buffer
			code := cli.Main(args, strings.NewReader(`{"fragments": []}`), &brokenWriter{left}, &errs)
			if code != 3 || !strings.HasSuffix(errs.String(), "cento: writing the result: the line is dead\n") {
				t.Errorf("cento %s after %d bytes: exit code %d, stderr %q", strings.Join(args, " "), left, code, errs.String())
			}
		}
	}
}

// TestOutputMode: a file that is replaced keeps its mode, and a new one is for
// everybody to read.
func TestOutputMode(t *testing.T) {
	needsUnix(t, "modes of files")
	t.Setenv("HOME", t.TempDir())
	t.Chdir(t.TempDir())
	for _, mode := range []os.FileMode{0, 0o600, 0o640, 0o664, 0o755} {
		want := mode
		if mode == 0 {
			want = 0o644
		} else if err := errors.Join(os.WriteFile("prompt.txt", nil, mode), os.Chmod("prompt.txt", mode)); err != nil {
			t.Fatal(err)
		}
		output(t, "version", "-o", "prompt.txt")
		if info, err := os.Stat("prompt.txt"); err != nil || info.Mode().Perm() != want || info.Size() == 0 {
			t.Errorf("of mode %v it has the mode %v: %v", mode, info.Mode(), err)
		}
		if err := os.Remove("prompt.txt"); err != nil {
			t.Fatal(err)
		}
	}
}

// brokenReader is a stdin that can't be read.
type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, errBroken }

func TestBrokenInput(t *testing.T) {
	t.Chdir(t.TempDir())
	var out, errs bytes.Buffer
	if code := cli.Main([]string{"build", "--tools", "-"}, brokenReader{}, &out, &errs); code != 3 || out.Len() > 0 ||
		errs.String() != "cento: reading the tools from stdin: the line is dead\n" {
		t.Errorf("exit code %d, stdout %q, stderr %q", code, out.String(), errs.String())
	}
	out.Reset()
	if code := cli.Main([]string{"call", "reduce"}, brokenReader{}, &out, &errs); code != 3 || !strings.Contains(out.String(), `"code": "failure"`) {
		t.Errorf("exit code %d, stdout %q", code, out.String())
	}
}
