package clients_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/cento-dev/cento/internal/lengthtest"
)

// TestInspector has the protocol's own inspector ask `cento mcp` and the service: both
// give the same tools, prompts and texts.
func TestInspector(t *testing.T) {
	lengthtest.OnlyLong(t, "it starts the inspector of MCP for each call; internal/mcpserver holds the answers")
	at := interpreter(t, "node", "CENTO_REQUIRE_NODE")
	inspector, err := filepath.Abs("inspector/node_modules/.bin/mcp-inspector")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(inspector); err != nil {
		if os.Getenv("CENTO_REQUIRE_NPM") != "" {
			t.Fatal("npm install has not run in clients/inspector")
		}
		t.Skip("without the inspector of clients/inspector/package.json: run npm install there")
	}
	s := startService(t, shop)
	ways := [][]string{
		{program(t), "mcp", "--project", "shop=" + s.dir},
		{s.url + "/mcp", "--transport", "http", "--header", "Authorization: Bearer " + s.token},
	}
	for _, question := range [][]string{
		{"--method", "tools/list"},
		{"--method", "resources/list"},
		{"--method", "prompts/get", "--prompt-name", "shop/ci"},
		{"--method", "tools/call", "--tool-name", "assemble", "--tool-arg", "target=none"},
	} {
		var said []string
		for _, way := range ways {
			cmd := exec.CommandContext(t.Context(), at, slices.Concat([]string{inspector, "--cli"}, way, question)...)
			cmd.Env, cmd.Dir = environment(t), t.TempDir()
			out, err := cmd.Output()
			if !json.Valid(out) {
				t.Fatalf("%q %q: %v: %s", way[0], question, err, out)
			}
			said = append(said, normal(t, out))
		}
		if said[0] != said[1] || len(said[0]) < 50 {
			t.Errorf("%q:\n%s\nand over HTTP\n%s", question, said[0], said[1])
		}
	}
}
