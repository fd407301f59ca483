package manifest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/cento-dev/cento"
)

// TestBlankNames: wherever a name stands, one that says nothing is refused at its place,
// once, with a next step. The name in question is `""` in each text.
func TestBlankNames(t *testing.T) {
	readers := map[string]func(string) error{
		"manifest": func(s string) error { _, err := Parse("f", []byte("version: 1\nsystem: a\n"+s+"\n")); return err },
		"target": func(s string) error {
			_, err := Parse("f", []byte("version: 1\nsystem: a\ntargets: {t: {"+s+"}}\n"))
			return err
		},
		"config": func(s string) error { _, err := ParseConfig("f", []byte(s), cento.DefaultLimits()); return err },
		"tests": func(s string) error {
			_, err := ParseCases("f", []byte("tests:\n - {name: a, "+s+", max_bytes: 1}\n"), cento.Limits{})
			return err
		},
		"reduce":       func(s string) error { _, err := ParseReduce("f", []byte(s), cento.Limits{}); return err },
		"explain":      func(s string) error { _, err := ParseExplain("f", []byte(s), cento.Limits{}); return err },
		"diff":         func(s string) error { _, err := ParseDiff("f", []byte(s), cento.Limits{}); return err },
		"instructions": func(s string) error { _, err := ParseInstructions("f", []byte(s), cento.Limits{}); return err },
		"scope":        func(s string) error { _, err := ParseScope("f", []byte(s), cento.Limits{}); return err },
		"session":      func(s string) error { _, err := ParseSession("f", []byte(s), cento.Limits{}); return err },
		"render":       func(s string) error { _, err := ParseRender("f", []byte(s), cento.Limits{}); return err },
		"layers":       func(s string) error { _, err := ParseLayers("f", []byte(s), cento.Limits{}); return err },
	}
	texts := map[string][]string{
		"manifest": {
			`targets: {"": {}}`,
			`vars: {a: 1, "": 1}`,
			`tools: [""]`,
			`tools: {mcp: {"": {command: [a]}}}`,
			`tools: {mcp: [{name: "", command: [a]}]}`,
			`tools: {mcp: {command: [""]}}`,
			`tools: {mcp: {command: [a], inherit: [""]}}`,
			`tools: {mcp: {command: [a], env: {"": b}}}`,
			`tools: {mcp: {command: [a], cwd: ""}}`,
			`tools: [{name: ""}]`,
			`caps: [""]`,
			`model: ""`,
			`models: [{id: ""}]`,
			`models: [{id: a, aliases: [""]}]`,
			`models: [{id: a, sections: [""]}]`,
			`models: [{id: a, cache: {ttl: [""]}}]`,
			`models: [{id: a, price: {cache_write: {"": 1}}}]`,
			`layers: [{name: "", layer: {}}]`,
			`packs: [{name: ""}]`,
			`packs: [{name: a, path: ""}]`,
			`prompt_pack: ""`,
			`skills: {active: [""]}`,
			`skills: {exclude: [""]}`,
			`store: ""`,
			`reminders: {providers: [""]}`,
			`ignore: [{code: "", reason: a}]`,
			`ignore: [{code: a, id: "", reason: a}]`,
			`project: {markers: [""]}`,
			`project: {instructions: ""}`,
			`scope: {allow: [{target: "", permission: read}]}`,
			`wire: {extra: {"": 1}}`,
			`targets: {a: {output: ""}}`,
			`targets: {a: {output: [""]}}`,
			`tests: [{name: "", max_bytes: 1}]`,
			`profile: {caps: [""]}`,
			`profile: {signals: {"": 1}}`,
		},
		"target": {`vars: {"": 1}`, `caps: [""]`, `wire: {extra: {"": 1}}`},
		"config": {`skills: {exclude: [""]}`, `layers: [{name: "", layer: {}}]`, `store: ""`},
		"tests": {
			`with: {tools: [""]}`, `with: {without_tools: [""]}`, `with: {caps: [""]}`, `with: {without_caps: [""]}`,
			`with: {skills: [""]}`, `with: {vars: {"": 1}}`, `targets: [""]`, `with: {model: ""}`, `contains: [""]`, `included: [""]`,
		},
		"reduce":       {`{"fragments": [], "caps": [""]}`, `{"fragments": [], "vars": {"": 1}}`, `{"fragments": [], "tools": [""]}`},
		"explain":      {`{"target": ""}`, `{"files": {"": "a"}}`, `{"prefixes": {"$own": {"trust": "user", "files": {"": "a"}}}}`, `{"project": ""}`},
		"diff":         {`{"to": {"without_tools": [""]}}`},
		"instructions": {`{"for": [""]}`},
		"scope":        {`{"scope": {"allow": [{"target": ".", "permission": "read"}]}, "root": "/a", "paths": [""]}`},
		"session":      {`{"op": "touch", "id": "a", "paths": [""]}`, `{"op": "start", "id": ""}`, `{"op": "start", "id": "a", "providers": [""]}`},
		"render":       {`{"root": ""}`, `{"files": {"": "x"}, "root": "$workspace/a"}`, `{"files": {"$workspace/a": "x"}, "root": "$workspace/a", "vars": {"": 1}}`},
	}
	for _, s := range []string{`"tools": [""]`, `"without_tools": [""]`, `"caps": [""]`, `"without_caps": [""]`, `"skills": [""]`, `"vars": {"": 1}`, `"model": ""`} {
		texts["explain"] = append(texts["explain"], "{"+s+"}")
		texts["diff"] = append(texts["diff"], `{"to": {`+s+`}}`)
	}
	for _, gate := range []string{`requires_tools: [""]`, `requires_any_tools: [a, ""]`, `requires_caps: [""]`} {
		texts["manifest"] = append(texts["manifest"],
			`fragments: [{id: a, body: b, `+gate+`}]`,
			`host: {system_prefix: [{content: b, `+gate+`}]}`,
			`layers: [{name: a, layer: {slots: {guidance: {contributions: [{id: a, content: b, `+gate+`}]}}}}]`,
		)
		texts["config"] = append(texts["config"], `fragments: [{id: a, body: b, `+gate+`}]`)
	}
	texts["manifest"] = append(texts["manifest"],
		`fragments: [{id: "", body: b}]`,
		`fragments: [{id: a, body: b, source: ""}]`,
		`fragments: [{id: a, body: b, needs: [""]}]`,
		`fragments: [{id: a, body: b, group: ""}]`,
		`fragments: [{id: a, template: ""}]`,
		`fragments: [{id: a, contract: ""}]`,
		`host: {system_prefix: [{content: b, id: ""}]}`,
		`layers: [{name: a, layer: {slots: {guidance: {contributions: [{id: a, content: b, gate: {tools: [""]}}]}}}}]`,
		`layers: [{name: a, layer: {slots: {guidance: {contributions: [{id: "", content: b}]}}}}]`,
		`layers: [{name: a, layer: {slots: {guidance: {contributions: [{id: a, template: ""}]}}}}]`,
		`layers: [{name: a, layer: {slots: {guidance: {remove: [""]}}}}]`,
		`layers: [{name: a, layer: {slots: {"": {reset: true}}}}]`,
		`layers: [{name: a, layer: {template: {sections: [{entries: [{slot: ""}]}]}}}]`,
	)
	for of, list := range texts {
		for _, text := range list {
			for _, blank := range []string{`""`, `"  "`} {
				said := strings.Replace(text, `""`, blank, 1)
				err := readers[of](said)
				list := cento.SourceErrors(err)
				if len(list) != 1 {
					t.Errorf("%s: %s: %v", of, said, err)
					continue
				}
				if e := list[0]; e.Hint == "" || e.Position.Line == 0 {
					t.Errorf("%s: %s: %v, without a hint or a place", of, said, e)
				}
			}
		}
	}
}

// TestStoreAddressIsPlaced: a place of a store that can't be one is told with its line,
// which an error shows, unless that may hold a password.
func TestStoreAddressIsPlaced(t *testing.T) {
	for place, line := range map[string]int{
		"mysql:x": 2, "mysql://h/db": 2, ":memory:": 2, "mysql://u:secret@h/db": 0, "mysql://h/db?password=secret": 0, "host=h password=secret": 0,
	} {
		_, err := Parse("cento.yaml", []byte("version: 1\nstore: '"+place+"'\n"))
		if list := cento.SourceErrors(err); len(list) != 1 || list[0].Position.Line != line || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v, wanted line %d", place, err, line)
		}
	}
}

// TestNamesAreTagged: every list of plain texts and every map of free keys in what is read
// says what its names are of, so that the decoder refuses blank ones. Lists of texts with
// places are checked one by one, as [TestBlankNames] holds.
func TestNamesAreTagged(t *testing.T) {
	notNames := map[string]bool{
		"tokensFile.Texts":    true, // any texts at all
		"prefixFile.Files":    true, // checked as a reference
		"skillsFile.Metadata": true,
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, file := range append(files, "../../layer/decode.go") {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			decl, ok := n.(*ast.TypeSpec)
			if !ok {
				return true
			}
			of, ok := decl.Type.(*ast.StructType)
			if !ok || !strings.HasSuffix(decl.Name.Name, "File") {
				return true
			}
			for _, f := range of.Fields.List {
				free := false
				switch typ := f.Type.(type) {
				case *ast.ArrayType:
					item, ok := typ.Elt.(*ast.Ident)
					free = ok && item.Name == "string"
				case *ast.MapType:
					free = true
				case *ast.SelectorExpr:
					free = typ.Sel.Name == "NameList"
				}
				if !free || f.Tag == nil || notNames[decl.Name.Name+"."+f.Names[0].Name] {
					continue
				}
				seen++
				if reflect.StructTag(strings.Trim(f.Tag.Value, "`")).Get("names") == "" {
					t.Errorf("%s: %s.%s doesn't say by `names` what it names", file, decl.Name.Name, f.Names[0].Name)
				}
			}
			return true
		})
	}
	if seen < 20 {
		t.Errorf("%d fields hold names", seen)
	}
}
