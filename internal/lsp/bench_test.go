package lsp_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/cento-dev/cento/internal/lsp"
)

// bigProject is a project of a thousand fragments, fifty tools and a hundred prompt
// files, and of some targets.
func bigProject(b testing.TB, targets int) (dir, manifest string) {
	dir, err := filepath.EvalSymlinks(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	var m strings.Builder
	m.WriteString("version: 1\nsystem: You help.\nscope: {allow: [{target: ., permission: read}]}\ntools:\n")
	for i := range 50 {
		fmt.Fprintf(&m, "  - {name: tool_%d, description: Does thing %d., guidance: Use `tool_%d` for thing %d.}\n", i, i, i, i)
	}
	m.WriteString("fragments:\n")
	for i := range 900 {
		fmt.Fprintf(&m, "  - id: team.part%d\n    requires_tools: [tool_%d]\n    body: |\n      Part %d: a sentence about the work that is to be done here.\n      Another one, about `tool_%d`.\n", i, i%50, i, i%50)
	}
	if err := os.MkdirAll(filepath.Join(dir, ".cento/prompts"), 0o755); err != nil {
		b.Fatal(err)
	}
	for i := range 100 {
		fmt.Fprintf(&m, "  - {id: file.part%d, template: $workspace/p%d}\n", i, i)
		text := fmt.Sprintf("File %d.\n{%% if tool('tool_%d') %%}With `tool_%d`.{%% endif %%}\n", i, i%50, i%50)
		if err := os.WriteFile(filepath.Join(dir, ".cento/prompts", fmt.Sprintf("p%d.md", i)), []byte(text), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	if targets > 0 {
		m.WriteString("targets:\n")
	}
	for i := range targets {
		fmt.Fprintf(&m, "  t%d: {tools: [tool_%d, tool_%d, tool_%d, tool_%d, tool_%d]}\n", i, i, i+1, i+2, i+3, i+4)
	}
	if err := os.WriteFile(filepath.Join(dir, "cento.yaml"), []byte(m.String()), 0o644); err != nil {
		b.Fatal(err)
	}
	return dir, m.String()
}

// BenchmarkKeystroke is the time from a keystroke in a manifest of a thousand fragments
// until its findings are there, for the manifest alone and with ten targets.
func BenchmarkKeystroke(b *testing.B) {
	defer debug.SetGCPercent(debug.SetGCPercent(lsp.CollectAt)) // as the command does
	for _, targets := range []int{0, 10} {
		b.Run(fmt.Sprintf("targets=%d", targets), func(b *testing.B) {
			dir, text := bigProject(b, targets)
			c := speak(b, dir)
			c.say(`{"id": 1, "method": "initialize", "params": {"processId": null, "rootUri": "$ROOT", "capabilities": {}}}`, nil)
			open, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": map[string]any{"textDocument": map[string]any{
				"uri": c.root() + "/cento.yaml", "languageId": "yaml", "version": 1, "text": text,
			}}})
			if err != nil {
				b.Fatal(err)
			}
			c.send(string(open))
			c.found(1)
			n := 1
			for b.Loop() {
				n++
				c.send(fmt.Sprintf(`{"jsonrpc": "2.0", "method": "textDocument/didChange", "params": {"textDocument": {"uri": "%s/cento.yaml", "version": %d}, "contentChanges": [{"range": {"start": {"line": 1, "character": 8}, "end": {"line": 1, "character": 9}}, "text": "%c"}]}}`, c.root(), n, 'A'+n%26))
				c.found(n)
			}
		})
	}
}

// found waits for the findings of a version of the manifest.
func (c *conversation) found(version int) {
	c.t.Helper()
	for {
		var m struct {
			Method string
			Params struct{ Version int }
		}
		raw := c.receive()
		if err := json.Unmarshal(raw, &m); err != nil {
			c.t.Fatalf("%q: %v", raw, err)
		}
		if m.Method == "textDocument/publishDiagnostics" && m.Params.Version == version {
			return
		}
	}
}
