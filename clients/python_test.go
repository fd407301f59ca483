package clients_test

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/cento-dev/cento/internal/lengthtest"
)

// python is a command of Python that finds the client, and the program.
func python(t *testing.T, at string, s *service, arguments ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), at, arguments...)
	cmd.Env = append(environment(t), "PYTHONPATH=python", "CENTO_URL="+s.url, "CENTO_TOKEN="+s.token, "CENTO_SHOP="+s.dir)
	return cmd
}

// TestPython runs the tests of the client that are written in Python.
func TestPython(t *testing.T) {
	at := interpreter(t, "python3", "CENTO_REQUIRE_PYTHON")
	s := startService(t, shop)
	out, err := python(t, at, s, "-W", "error", "-m", "unittest", "discover", "-s", "python/tests").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if !strings.Contains(string(out), "\nOK") || strings.Contains(string(out), "Ran 0 tests") {
		t.Fatalf("%s", out)
	}
	everyOperation(t, s)
}

// TestPythonExamples asks the shared examples through each way that the client has.
func TestPythonExamples(t *testing.T) {
	lengthtest.OnlyLong(t, "it runs the programs of the docs; TestPython holds the client")
	at := interpreter(t, "python3", "CENTO_REQUIRE_PYTHON")
	runExamples(t, func(t *testing.T, s *service, options string) *exec.Cmd {
		return python(t, at, s, "-W", "error", "python/tests/examples.py", options)
	})
}

// TestPythonIsOld holds the client to the syntax of the oldest Python that it is for.
func TestPythonIsOld(t *testing.T) {
	at := interpreter(t, "python3", "CENTO_REQUIRE_PYTHON")
	const parse = "import ast, glob\nfiles = glob.glob('python/cento/*.py')\nassert len(files) >= 8\nfor f in files: ast.parse(open(f).read(), f, feature_version=(3, 9))"
	if out, err := exec.CommandContext(t.Context(), at, "-c", parse).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}
