package lsp_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.lsp.dev/protocol"
)

// renamed renames the tool todo, which the fourth line of a manifest defines, and gives
// the files as they are then, or the reason why not. Names stand in ASCII.
func renamed(t *testing.T, files map[string]string, to string) (map[string]string, string) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
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
	c := speak(t, dir)
	c.say(`{"id": 1, "method": "initialize", "params": {"processId": null, "rootUri": "$ROOT", "capabilities": {}}}`, nil)
	c.say(`{"method": "textDocument/didOpen", "params": {"textDocument": {"uri": "$ROOT/cento.yaml", "languageId": "yaml", "version": 1, "text": "@cento.yaml"}}}`, files)
	answers := c.say(fmt.Sprintf(`{"id": 2, "method": "textDocument/rename", "params": {"textDocument": {"uri": "$ROOT/cento.yaml"}, "position": {"line": 3, "character": 16}, "newName": %q}}`, to), nil)
	var got struct {
		Error  struct{ Message string }
		Result struct {
			Changes map[string][]protocol.TextEdit
		}
	}
	i := slices.IndexFunc(answers, func(answer string) bool { return strings.Contains(answer, `"id":2`) })
	if err := json.Unmarshal([]byte(answers[i]), &got); err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for name, text := range files {
		lines := strings.SplitAfter(text, "\n")
		var edits []protocol.TextEdit
		for file, list := range got.Result.Changes {
			if strings.HasSuffix(file, "/"+name) {
				edits = list
			}
		}
		slices.SortFunc(edits, func(a, b protocol.TextEdit) int {
			return int(b.Range.Start.Line)*1000 + int(b.Range.Start.Character) - int(a.Range.Start.Line)*1000 - int(a.Range.Start.Character)
		})
		for _, e := range edits {
			line := lines[e.Range.Start.Line]
			lines[e.Range.Start.Line] = line[:e.Range.Start.Character] + e.NewText + line[e.Range.End.Character:]
		}
		out[name] = strings.Join(lines, "")
	}
	return out, got.Error.Message
}

// begun is a manifest with a tool, up to its fragments.
const begun = "version: 1\nsystem: You help.\nscope: off\ntools: [{name: todo, description: Lists., guidance: Use it.}, {name: web, description: Reads., guidance: Use it.}]\n"

// TestRenameConditions renames a tool that conditions ask for in each way that the
// language has: every name that is written is renamed, and where one can't be, nothing is.
func TestRenameConditions(t *testing.T) {
	for when, refused := range map[string]string{
		// By the name as it is written.
		`"tool('todo')"`:                                          "",
		`tool('todo')`:                                            "",
		`tool ('todo')`:                                           "",
		`(tool)('todo')`:                                          "",
		`"tool( \"todo\" ) and tool('web')"`:                      "",
		`'tool(''todo'') or "todo" in tools'`:                     "",
		`"'todo' in (tools)"`:                                     "",
		`"'todo' not in tools and not tool('todo')"`:              "",
		`"['todo'] == tools"`:                                     "",
		`"tools != ['web', 'todo']"`:                              "",
		`"tool('todo' if vars.mode == 'x' else 'web')"`:           "",
		"|\n      tool('web') and\n      tool('todo')":            "",
		">-\n      tool('web') and\n      'todo'\n      in tools": "",
		"\"tool('web') and\n      tool('todo')\"":                 "",
		"tool('web')\n      and tool('todo')":                     "",
		"|\r\n      tool('web') and\r\n      tool('todo')\r":      "",
		"\"\\u0074ool('todo') and \\\"todo\\\" in t\\u006fols\"":  "",
		`"tools|length > 1 and tool('todo')"`:                     "",
		`"vars.other == 'todo' and tool('todo')"`:                 "other",
		`"tool(vars.mode) and tool('todo')"`:                      "",
		// By a name that isn't written as it is.
		`"tool('to' ~ 'do')"`:               "cento.yaml:7:17: the name is written with escapes, or in pieces: rename it there by hand first",
		`"tool('to' 'do')"`:                 "cento.yaml:7:17: the name is written with escapes, or in pieces: rename it there by hand first",
		`"tool('t\\u006fdo')"`:              "cento.yaml:7:17: the name is written with escapes, or in pieces: rename it there by hand first",
		`"tool('t\u006fdo')"`:               "cento.yaml:7:18: the name is written with escapes, or in pieces: rename it there by hand first",
		`"['to' ~ 'do'] == tools"`:          "cento.yaml:7:13: the name is written with escapes, or in pieces: rename it there by hand first",
		`"tool('to' ~ vars.mode)"`:          "cento.yaml:7:17: this asks for a tool by a name that is put together, maybe this one: write the name there first",
		`"tools|first == 'todo'"`:           "cento.yaml:7:28: this text may be the name, since all tools are read beside it: rename it there by hand first",
		`"'web,todo' == tools|join(',')"`:   "cento.yaml:7:13: this text may be the name, since all tools are read beside it: rename it there by hand first",
		`"tools|select('eq', 'to' ~ 'do')"`: "cento.yaml:7:31: this text may be the name, since all tools are read beside it: rename it there by hand first",
		`"tool(vars.held)"`:                 "cento.yaml:5:33: this text may be the name that a condition or prompt file asks for: rename it there by hand first",
		`"tool('todo'"`:                     "cento.yaml:7:11: this can't be read as it is, and has the name: mend it first",
	} {
		t.Run(when, func(t *testing.T) {
			vars := "vars: {mode: x, other: y, held: todo}\n"
			if !strings.Contains(when, "vars.held") {
				vars = "vars: {mode: x, other: y, held: z}\n"
			}
			manifest := begun + vars + "fragments:\n  - when: " + when + "\n    id: a\n    body: Text.\n"
			got, why := renamed(t, map[string]string{"cento.yaml": manifest}, "tasks")
			want := strings.ReplaceAll(manifest, "todo", "tasks")
			if refused == "other" { // a text that has nothing to do with the tool
				want, refused = strings.ReplaceAll(want, "vars.other == 'tasks'", "vars.other == 'todo'"), ""
			}
			if why != refused {
				t.Fatalf("refused with %q, and not %q", why, refused)
			}
			if refused == "" && got["cento.yaml"] != want {
				t.Errorf("got\n%s\nwant\n%s", got["cento.yaml"], want)
			}
		})
	}
}

// TestRenamePrompts does the same with prompt files.
func TestRenamePrompts(t *testing.T) {
	for prompt, refused := range map[string]string{
		"{% if tool('todo') %}x{% endif %}":                                                              "",
		"---\nrequires_tools: [todo]\n---\nx\n":                                                          "",
		"---\r\nrequires_tools:\r\n  - 'todo'\r\n---\r\n{% if tool ('todo') %}x{% endif %}\r\n":          "",
		"{%- if (tool)( \"todo\" ) and\n 'todo' in (tools) -%}x{%- elif ['todo'] == tools %}{% endif %}": "",
		"{% for t in tools %}{{ t }}{% endfor %}{{ tool('todo') }}":                                      "",
		"{% for t in ['web'] if tool(t) %}{{ t }}{% endfor %}{{ tool('todo') }}":                         "",
		"{{ 'x' if tool('todo') }}{% include 'parts/todo' ignore missing %}":                             "keeps the file's name",
		"x\n{% if tool('to' ~ 'do') %}x{% endif %}":                                                      "main.md:2:12: the name is written with escapes, or in pieces: rename it there by hand first",
		"{% if tool('t\\x6fdo') %}x{% endif %}":                                                          "main.md:1:12: the name is written with escapes, or in pieces: rename it there by hand first",
		"---\nrequires_tools: [\"t\\u006fdo\"]\n---\nx\n":                                                "main.md:2:18: the name is written with escapes, or in pieces: rename it there by hand first",
		"{% for t in ['todo', 'web'] if tool(t) %}{{ t }}{% endfor %}":                                   "main.md:1:15: this text may be the name that a condition or prompt file asks for: rename it there by hand first",
		"{% set t %}todo{% endset %}{{ tool(t) }}":                                                       "main.md:1:12: this text may be the name that a condition or prompt file asks for: rename it there by hand first",
		"{% for t in tools if t != 'todo' %}{{ t }}{% endfor %}":                                         "main.md:1:28: this text may be the name, since all tools are read beside it: rename it there by hand first",
		"{% set has = tool %}{{ has('todo') }}":                                                          "main.md:1:29: this text may be the name, since all tools are read beside it: rename it there by hand first",
		"---\nvars: {x: {default: todo}}\n---\n{{ tool(vars.x) }}":                                       "main.md:2:21: this text may be the name that a condition or prompt file asks for: rename it there by hand first",
		"x\n{% if tool('todo') %}":                                                                       "main.md:1:1: this can't be read as it is, and has the name: mend it first",
	} {
		t.Run(prompt, func(t *testing.T) {
			got, why := renamed(t, map[string]string{"cento.yaml": begun, ".cento/prompts/main.md": prompt}, "tasks")
			want := strings.ReplaceAll(prompt, "todo", "tasks")
			if refused == "keeps the file's name" {
				want, refused = strings.ReplaceAll(want, "parts/tasks", "parts/todo"), ""
			}
			if why != refused {
				t.Fatalf("refused with %q, and not %q", why, refused)
			}
			if now := got[".cento/prompts/main.md"]; refused == "" && now != want {
				t.Errorf("got\n%s\nwant\n%s", now, want)
			}
		})
	}
}

// TestRenameProgressTool renames the tool that the built-in nudge is about.
func TestRenameProgressTool(t *testing.T) {
	manifest := begun + "primary: {progress_tool_name: todo}\n"
	got, why := renamed(t, map[string]string{"cento.yaml": manifest}, "tasks")
	if want := strings.ReplaceAll(manifest, "todo", "tasks"); got["cento.yaml"] != want || why != "" {
		t.Errorf("%s, refused with %q", got["cento.yaml"], why)
	}
}
