package lsp_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A text that is longer than any file of a project, whatever is in it, is told of, and
// what is asked of it is answered.
func TestHugeTexts(t *testing.T) {
	const size = 3 << 20 / 2
	for name, text := range map[string]string{
		"one line":  "system: " + strings.Repeat("x", size) + "\n",
		"keys":      "vars:\n" + strings.Repeat("  a: 1\n", size/7),
		"items":     "fragments:\n" + strings.Repeat("  - {id: a, body: x}\n", size/21),
		"brackets":  "a: " + strings.Repeat("[", size),
		"lines":     strings.Repeat("\n", size),
		"no UTF-16": "system: " + strings.Repeat("\ufffd", size/3),
	} {
		t.Run(name, func(t *testing.T) {
			dir, err := filepath.EvalSymlinks(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, "cento.yaml"), []byte("system: x\n"), 0o644); err != nil {
				t.Fatal(err)
			}
			c := speak(t, dir)
			c.say(`{"id": 1, "method": "initialize", "params": {"processId": null, "rootUri": "$ROOT", "capabilities": {}}}`, nil)
			told := c.say(`{"method": "textDocument/didOpen", "params": {"textDocument": {"uri": "$ROOT/cento.yaml", "languageId": "yaml", "version": 1, "text": "@text"}}}`, map[string]string{"text": text})
			if !strings.Contains(strings.Join(told, "\n"), `"code":"file.too_large"`) {
				t.Errorf("%.500s", told)
			}
			for i, method := range []string{"hover", "completion", "definition", "references", "codeAction", "prepareRename"} {
				m := c.say(fmt.Sprintf(`{"id": %d, "method": "textDocument/%s", "params": {"textDocument": {"uri": "$ROOT/cento.yaml"}, "position": {"line": 1, "character": 5}, "range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}, "context": {"diagnostics": [], "includeDeclaration": true}}}`, i+2, method), nil)
				if len(m) != 1 || strings.Contains(m[0], `"error"`) {
					t.Errorf("%s: %.500s", method, m)
				}
			}
		})
	}
}
