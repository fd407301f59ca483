package lsp_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// bigProject is a project of a thousand fragments, fifty tools and a hundred prompt
// files.
func bigProject(b testing.TB) (dir, manifest string) {
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
	if err := os.WriteFile(filepath.Join(dir, "cento.yaml"), []byte(m.String()), 0o644); err != nil {
		b.Fatal(err)
	}
	return dir, m.String()
}

// BenchmarkKeystroke is the time from a keystroke in a manifest of a thousand fragments
// until its findings are there.
func BenchmarkKeystroke(b *testing.B) {
	dir, text := bigProject(b)
	c := speak(b, dir)
	c.say(`{"id": 1, "method": "initialize", "params": {"processId": null, "rootUri": "$ROOT", "capabilities": {}}}`, nil)
	open, err := json.Marshal(map[string]any{"method": "textDocument/didOpen", "params": map[string]any{"textDocument": map[string]any{
		"uri": "$ROOT/cento.yaml", "languageId": "yaml", "version": 1, "text": text,
	}}})
	if err != nil {
		b.Fatal(err)
	}
	if got := c.say(string(open), nil); len(got) != 1 {
		b.Fatalf("%d messages: %.300s", len(got), got)
	}
	n := 1
	for b.Loop() {
		n++
		c.say(fmt.Sprintf(`{"method": "textDocument/didChange", "params": {"textDocument": {"uri": "$ROOT/cento.yaml", "version": %d}, "contentChanges": [{"range": {"start": {"line": 1, "character": 8}, "end": {"line": 1, "character": 9}}, "text": "%c"}]}}`, n, 'A'+n%26), nil)
	}
}
