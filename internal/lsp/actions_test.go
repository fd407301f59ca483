package lsp_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/cento-dev/cento/internal/app"
)

// TestFixAllIsCheckFix holds what an editor makes of a text to what `cento check --fix`
// writes, for texts with whatever line ends and characters, and more findings than a
// check lists.
func TestFixAllIsCheckFix(t *testing.T) {
	var many strings.Builder
	many.WriteString("version: 1\nsystem: You help.\nscope: {allow: [{target: ., permission: read}]}\nvars:\n")
	for i := range 250 {
		fmt.Fprintf(&many, "  spare%d: %d\n", i, i)
	}
	const plain = "version: 1\nsystem: 𝒳 You help.\nvars: {a: 𝒳, b: 2} # 𝒳\ntools: [{name: shell}]\nfragments:\n  - {id: x, bodi: 𝒳, need: []}\n  - id: team.look\n    body: Look at 𝒳 with `shell`.\n"
	for name, text := range map[string]string{
		"plain": plain, "crlf": strings.ReplaceAll(plain, "\n", "\r\n"), "no end": strings.TrimSuffix(plain, "\n"), "many": many.String(),
		"nothing": "version: 1\nsystem: You help.\nscope: {allow: [{target: ., permission: read}]}\n", "broken": "version: [",
	} {
		t.Run(name, func(t *testing.T) {
			dir, err := filepath.EvalSymlinks(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(dir, "cento.yaml")
			if err := os.WriteFile(path, []byte("version: 1\nsystem: saved\n"), 0o644); err != nil {
				t.Fatal(err)
			}
			c := speak(t, dir)
			c.say(`{"id": 1, "method": "initialize", "params": {"processId": null, "rootUri": "$ROOT", "capabilities": {"textDocument": {"codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}}}}}}`, nil)
			c.say(`{"method": "textDocument/didOpen", "params": {"textDocument": {"uri": "$ROOT/cento.yaml", "languageId": "yaml", "version": 1, "text": "@cento.yaml"}}}`, map[string]string{"cento.yaml": text})
			got := edit(t, text, c.say(`{"id": 2, "method": "textDocument/codeAction", "params": {"textDocument": {"uri": "$ROOT/cento.yaml"}, "range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}, "context": {"diagnostics": [], "only": ["source.fixAll.cento"]}}}`, nil)[0])

			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
			r := app.Request{Dir: dir}
			site, err := app.Locate(r)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := app.Mend(t.Context(), site, r, app.CheckOptions{}, false); err != nil && name != "broken" {
				t.Fatal(err)
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("the editor has\n%s\n`cento check --fix` writes\n%s", got, want)
			}
			if changed := name != "nothing" && name != "broken"; changed != (got != text) {
				t.Errorf("changed: %v", got != text)
			}
		})
	}
}

// edit makes the edits of the one action of an answer, as an editor does that counts in
// UTF-16.
func edit(t *testing.T, text, answer string) string {
	t.Helper()
	type position struct{ Line, Character int }
	var m struct {
		Result []struct {
			Edit struct {
				Changes map[string][]struct {
					NewText string
					Range   struct{ Start, End position }
				}
			}
		}
	}
	if err := json.Unmarshal([]byte(answer), &m); err != nil {
		t.Fatal(err)
	}
	if len(m.Result) == 0 {
		return text
	}
	units := utf16.Encode([]rune(text))
	offset := func(p position) int {
		at := 0
		for range p.Line {
			at += slices.Index(units[at:], '\n') + 1
		}
		return at + p.Character
	}
	list := m.Result[0].Edit.Changes["$ROOT/cento.yaml"]
	for _, e := range slices.Backward(list) { // they come sorted
		units = slices.Concat(units[:offset(e.Range.Start)], utf16.Encode([]rune(e.NewText)), units[offset(e.Range.End):])
	}
	return string(utf16.Decode(units))
}
