package manifest

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/project/consent"
)

// A definition that is full of hidden characters has a bounded number of notes.
func TestNotesOfToolsAreBounded(t *testing.T) {
	values := make([]string, 500)
	for i := range values {
		values[i] = fmt.Sprintf("\"v\u200b%d\"", i)
	}
	read, err := ReadTools("tools.json", []byte(`[{"name": "x", "parameters": {"enum": [`+strings.Join(values, ",")+`]}}]`), cento.Limits{})
	if err != nil || len(read.Notes) != maxToolNotes+1 || read.Notes[maxToolNotes].Message != "and 480 more findings in the definitions of tools" {
		t.Errorf("%d notes, %v: %v", len(read.Notes), err, read.Notes[len(read.Notes)-1])
	}
}

// Definitions that are read, printed in the native form and read again, are the
// same, and so are listings.
func FuzzToolsPrinted(f *testing.F) {
	seed(f, "tools.json", "tools.yaml")
	f.Fuzz(func(t *testing.T, data []byte) {
		read, err := ReadTools("tools.json", data, cento.Limits{})
		if err != nil {
			placed(t, err)
			return
		}
		type native struct {
			Name        string          `json:"name"`
			Description string          `json:"description,omitempty"`
			Parameters  json.RawMessage `json:"parameters,omitempty"`
			Guidance    *string         `json:"guidance,omitempty"`
		}
		list := []any{}
		for _, name := range read.Active {
			list = append(list, name)
		}
		for _, x := range read.Defined {
			list = append(list, native{x.Name, x.Description, x.Parameters, x.Guidance})
		}
		printed, err := json.Marshal(list)
		if err != nil {
			t.Fatal(err)
		}
		again, err := ReadTools("printed.json", printed, cento.Limits{})
		if errors.Is(err, cento.LimitExceeded) {
			return // escapes take room
		}
		if err != nil {
			t.Fatalf("%s\nis printed as\n%s\nwhich isn't read: %v", data, printed, err)
		}
		if len(again.Defined) != len(read.Defined) || again.Listed != read.Listed || !sameSet(again.Names(), read.Names()) {
			t.Fatalf("%s\nis printed as\n%s", data, printed)
		}
		for i, x := range read.Defined {
			y := again.Defined[i]
			if x.Name != y.Name || x.Description != y.Description || (x.Guidance == nil) != (y.Guidance == nil) || x.Guidance != nil && *x.Guidance != *y.Guidance {
				t.Fatalf("%+v\nis printed as %+v", x, y)
			}
		}
	})
}

func sameSet(a, b []string) bool {
	set := func(list []string) map[string]bool {
		out := map[string]bool{}
		for _, x := range list {
			out[x] = true
		}
		return out
	}
	return maps.Equal(set(a), set(b))
}

// What a server says is read with a place for each fault, or has tools that
// carry its name.
func FuzzListing(f *testing.F) {
	f.Add([]byte(`{"instructions": "Say.", "tools": [{"name": "a", "inputSchema": {"type": "object"}, "guidance": "Do."}]}`))
	f.Add([]byte(`{"tools": [{"name": ""}, {"name": "a"}, {"name": "a"}]}`))
	f.Add([]byte(`{"tools": ["a"], "more": 1}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		tools, said, err := ReadListing(consent.Server{Name: "s", Prefix: "p_"}, string(data), cento.Limits{})
		if err != nil {
			placed(t, err)
			return
		}
		for _, x := range tools.Defined {
			if x.Server != "s" || !strings.HasPrefix(x.Name, "p_") || x.Trust != cento.TrustTool || x.Origin.File != "<mcp:s>" {
				t.Fatalf("%+v", x)
			}
		}
		if said != nil && (said.Trust != cento.TrustTool || strings.TrimSpace(said.Body) == "") {
			t.Fatalf("%+v", said)
		}
		if _, _, err := new(consent.Lock).CompareServers([]consent.ServerListing{{Server: consent.Server{Name: "s"}, Listing: consent.Listing{Text: string(data)}}}); err != nil {
			t.Fatalf("what is read can't be locked: %v", err)
		}
	})
}

// Whatever hides in a definition is found, however deep: in the name of a key, in
// an enumeration, in a default. The note names its line and column.
func TestEveryStringOfASchemaIsLookedAt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var b strings.Builder
		var hidden []cento.Position
		line := 1
		var value func(depth int)
		keys := 0
		text := func(unique string) {
			hide := len(hidden) < maxToolNotes && rapid.IntRange(0, 3).Draw(t, "hide") == 0
			column := len([]rune(b.String()[strings.LastIndexByte(b.String(), '\n')+1:])) + 1
			b.WriteString(`"` + unique)
			if hide {
				hidden = append(hidden, cento.Position{Line: line, Column: column + 1 + len(unique)})
				b.WriteString(rapid.SampledFrom([]string{"\u200b", "\u202e", "\U000e0041", "\u2060"}).Draw(t, "character"))
			}
			b.WriteString(`"`)
		}
		value = func(depth int) {
			switch n := rapid.IntRange(0, 3).Draw(t, "kind"); {
			case depth < 40 && n <= 1:
				b.WriteString("{")
				for i := range rapid.IntRange(1, 2).Draw(t, "members") {
					if i > 0 {
						b.WriteString(",\n")
						line++
					}
					keys++
					text(fmt.Sprintf("k%d", keys))
					b.WriteString(": ")
					value(depth + 1)
				}
				b.WriteString("}")
			case depth < 40 && n == 2:
				b.WriteString("[")
				value(depth + 1)
				b.WriteString("]")
			default:
				text("value")
			}
		}
		b.WriteString(`[{"name": "x", "parameters": {"root": `)
		value(0)
		b.WriteString(`}}]`)
		read, err := ReadTools("tools.json", []byte(b.String()), cento.Limits{})
		if err != nil {
			t.Fatalf("%v\n%s", err, b.String())
		}
		got := map[cento.Position]bool{}
		for _, n := range read.Notes {
			if n.Code != cento.CodeInvisible {
				t.Errorf("%v", n)
			}
			got[cento.Position{Line: n.Position.Line, Column: n.Position.Column}] = true
		}
		for _, h := range hidden {
			if !got[h] {
				t.Errorf("nothing is found at %d:%d of\n%q\nbut %v", h.Line, h.Column, b.String(), read.Notes)
			}
		}
		if len(read.Notes) != len(hidden) {
			t.Errorf("%d notes of %d hidden characters in\n%q\n%v", len(read.Notes), len(hidden), b.String(), read.Notes)
		}
	})
}

// A server can't be told to mend a schema: its tools stay, and notes name the first
// fault of each.
func TestListingSchemas(t *testing.T) {
	tools, _, err := ReadListing(consent.Server{Name: "s"}, `{"tools":[
		{"name": "good", "inputSchema": {"type": "object"}},
		{"name": "bad", "inputSchema": {"type": "object", "properties": {"a": {"type": "str"}, "b": {"required": true}}}}]}`, cento.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if len(tools.Defined) != 2 || len(tools.Notes) != 1 {
		t.Fatalf("%+v", tools)
	}
	n := tools.Notes[0]
	if want := `the server's schema of the tool "bad": properties.a.type: expected the name of a type, got "str", and 1 more`; n.Message != want || n.Code != CodeToolSchema || n.Position.Line != 3 {
		t.Errorf("%+v", n)
	}
}

// A key that nothing uses never decides whether a server's tool is used, and no key sets a
// member of a request.
func TestListingIgnoresUnusedKeys(t *testing.T) {
	for _, listing := range []string{
		`{"tools":[{"name":"a","inputSchema":{"type":"object"},"x-vendor":1}]}`,
		`{"tools":[{"name":"a","inputSchema":{"type":"object"},"type":7,"title":7,"annotations":[],"icons":"x","_meta":null}]}`,
		`{"tools":[{"name":"a","inputSchema":{"type":"object"},"strict":true,"cache_control":{"type":"ephemeral"}}]}`,
		`{"nextCursor":3,"tools":[{"name":"a","inputSchema":{"type":"object"}}]}`,
	} {
		tools, _, err := ReadListing(consent.Server{Name: "s"}, listing, cento.Limits{})
		if err != nil || len(tools.Defined) != 1 || string(tools.Defined[0].Parameters) != `{"type":"object"}` || tools.Defined[0].Members != nil {
			t.Errorf("%s: %+v, %v", listing, tools.Defined, err)
		}
	}
}
