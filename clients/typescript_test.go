package clients_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cento-dev/cento/internal/lengthtest"
)

// node is a command of Node that finds the client, and the program.
func node(t *testing.T, at string, s *service, arguments ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), at, arguments...)
	cmd.Dir = "typescript" // whose package can name itself
	cmd.Env = append(environment(t), "CENTO_URL="+s.url, "CENTO_TOKEN="+s.token, "CENTO_SHOP="+s.dir)
	return cmd
}

// TestTypeScript runs the tests of the client that are written in JavaScript.
func TestTypeScript(t *testing.T) {
	at := interpreter(t, "node", "CENTO_REQUIRE_NODE")
	s := startService(t, shop)
	out, err := node(t, at, s, "--test", "--test-reporter=tap", "--test-timeout=120000", "tests/client.test.js").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if !strings.Contains(string(out), "\n# fail 0") || strings.Contains(string(out), "\n# pass 0") {
		t.Fatalf("%s", out)
	}
	everyOperation(t, s)
}

// TestTypeScriptExamples asks the shared examples through each way that the client has.
func TestTypeScriptExamples(t *testing.T) {
	lengthtest.OnlyLong(t, "it runs the programs of the docs; TestTypeScript holds the client")
	at := interpreter(t, "node", "CENTO_REQUIRE_NODE")
	runExamples(t, func(t *testing.T, s *service, options string) *exec.Cmd {
		return node(t, at, s, "tests/examples.js", options)
	})
}

// TestTypeScriptTypes has the compiler hold the client to its types, and the types to
// what is said with them. The compiler is that of package.json, installed beside it.
func TestTypeScriptTypes(t *testing.T) {
	lengthtest.OnlyLong(t, "the compiler of TypeScript takes seconds")
	tsc, err := filepath.Abs("typescript/node_modules/.bin/tsc")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(tsc); err != nil {
		if os.Getenv("CENTO_REQUIRE_NPM") != "" {
			t.Fatal("npm install has not run in clients/typescript")
		}
		t.Skip("without the compiler of clients/typescript/package.json: run npm install there")
	}
	cmd := exec.CommandContext(t.Context(), tsc, "-p", "typescript")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%.4000s", err, out)
	}
}
