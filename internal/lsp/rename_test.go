package lsp_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRenameEverywhereOrNot renames a tool of a project with more targets than a hover
// tells of, the last of which alone names a file of tools: it is done there, too, or
// refused with the reason.
func TestRenameEverywhereOrNot(t *testing.T) {
	var m strings.Builder
	m.WriteString("version: 1\nsystem: Use `shell`.\nscope: {allow: [{target: ., permission: read}]}\ntools: [{name: shell, description: x}]\ntargets:\n")
	for i := range 40 {
		fmt.Fprintf(&m, "  t%d: {tools: [shell]}\n", i)
	}
	m.WriteString("  last: {tools: late.json}\n")
	const late = `[{"name": "shell", "description": "x"}, {"name": "other", "description": "y"}]`
	for name, x := range map[string]struct {
		files   map[string]string
		open    string // folder
		to      string
		refused string // empty: done
	}{
		"everywhere":                 {files: map[string]string{"late.json": late}, to: "run"},
		"told in a test alone":       {files: map[string]string{"late.json": late, "a.cento-test.yaml": "tests: [{name: a, contains: [Use the shell]}]\n"}, to: "run"},
		"taken by a later target":    {files: map[string]string{"late.json": late}, to: "other", refused: `there is a tool "other" already`},
		"a file that is broken":      {files: map[string]string{"late.json": late[:40]}, to: "run", refused: "late.json can't be read as it is"},
		"a file that is a folder":    {files: map[string]string{"late.json/x": ""}, to: "run", refused: "late.json can't be read"},
		"a file that isn't there":    {to: "run"},
		"a file that isn't UTF-8":    {files: map[string]string{"late.json": late, ".cento/prompts/x.md": "Use `shell`, \xff."}, to: "run", refused: "x.md isn't UTF-8"},
		"a file out of the editor's": {files: map[string]string{"late.json": late, ".cento/prompts/x.md": "Use {% if tool('shell') %}`shell`{% endif %}."}, open: ".cento/prompts", to: "run", refused: "the tool is defined in cento.yaml:4:9, which isn't a text of the project that is open"},
	} {
		t.Run(name, func(t *testing.T) {
			dir, err := filepath.EvalSymlinks(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			files := map[string]string{"cento.yaml": m.String()}
			for name, text := range x.files {
				files[name] = text
			}
			for name, text := range files {
				path := filepath.Join(dir, filepath.FromSlash(name))
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			c := speak(t, filepath.Join(dir, filepath.FromSlash(x.open)))
			c.say(`{"id": 1, "method": "initialize", "params": {"processId": null, "rootUri": "$ROOT", "capabilities": {}}}`, nil)
			text, line, before := "cento.yaml", 3, "tools: [{name: "
			if x.open != "" {
				text, line, before = "x.md", 0, "Use {% if tool('"
			}
			at := fmt.Sprintf(`{"line": %d, "character": %d}`, line, len(before))
			c.say(fmt.Sprintf(`{"method": "textDocument/didOpen", "params": {"textDocument": {"uri": "$ROOT/%s", "languageId": "yaml", "version": 1, "text": "@text"}}}`, text),
				map[string]string{"text": files[filepath.ToSlash(filepath.Join(x.open, text))]})
			answer := c.say(fmt.Sprintf(`{"id": 2, "method": "textDocument/rename", "params": {"textDocument": {"uri": "$ROOT/%s"}, "position": %s, "newName": %q}}`, text, at, x.to), nil)[0]
			var got struct {
				Error  struct{ Message string }
				Result struct{ Changes map[string][]any }
			}
			if err := json.Unmarshal([]byte(answer), &got); err != nil {
				t.Fatal(err)
			}
			if x.refused != "" {
				if !strings.HasPrefix(got.Error.Message, x.refused) {
					t.Errorf("%s, and not %q", answer, x.refused)
				}
				return
			}
			if n := len(got.Result.Changes["$ROOT/cento.yaml"]); n != 42 {
				t.Errorf("%d places of the manifest, and not that of the tool, the sentence and those of 40 targets: %s", n, answer)
			}
			if n := len(got.Result.Changes["$ROOT/late.json"]); (n == 1) != (x.files["late.json"] != "") {
				t.Errorf("%d places of the file that the last target names: %s", n, answer)
			}
		})
	}
}
