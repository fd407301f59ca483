package project

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"

	"github.com/cento-dev/cento"
)

// said is a Lister that says what it is told to, and counts.
type said struct {
	listings map[string]Listing
	asked    atomic.Int64
}

func (l *said) List(_ context.Context, s Server, _ string) (Listing, error) {
	l.asked.Add(1)
	return l.Kept(s, "")
}

func (l *said) Kept(s Server, _ string) (Listing, error) {
	if listing, ok := l.listings[s.Name]; ok {
		return listing, nil
	}
	return Listing{}, errors.New("it is not there")
}

func listing(t testing.TB, instructions string, tools ...ListedTool) Listing {
	t.Helper()
	l, err := NewListing("test 1", instructions, tools)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// inFolder is a request for a project of these files.
func inFolder(t testing.TB, files map[string]string) Request {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	return Request{Dir: dir, Config: t.TempDir()}
}

// Tools of all sources are one list: those of the manifest and its files in
// their order, then those of servers, which are ordered by name.
func TestToolsOfAllSources(t *testing.T) {
	r := inFolder(t, map[string]string{
		FileName: "tools: {tools: [{name: one}, a.json, {name: four}, b.yaml, five], mcp: {files: {command: [x], prefix: f_}}}\ntargets: {few: {tools: [two]}}\n",
		"a.json": `[{"type": "function", "function": {"name": "two"}}]`, "b.yaml": "[three, {name: extra}]\n",
	})
	lister := &said{listings: map[string]Listing{"files": listing(t, "", ListedTool{Name: "z"}, ListedTool{Name: "a"})}}
	r.Lister, r.AllowMCP = lister, true
	p, err := Open(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	var defined []string
	for _, x := range p.Input.Tools {
		defined = append(defined, x.Name)
	}
	if want := []string{"one", "two", "four", "extra", "f_a", "f_z"}; !slices.Equal(defined, want) {
		t.Errorf("defined are %q, want %q", defined, want)
	}
	if got, want := p.Input.ActiveTools(), []string{"one", "four", "five", "two", "three", "extra", "f_a", "f_z"}; !slices.Equal(got, want) {
		t.Errorf("active are %q, want %q", got, want)
	}
	few, err := p.Target(t.Context(), "few")
	if err != nil {
		t.Fatal(err)
	}
	if got := few.Input.ActiveTools(); !slices.Equal(got, []string{"two"}) || len(few.Input.Tools) != 6 {
		t.Errorf("the target has %q active of %d", got, len(few.Input.Tools))
	}
}

// A name that two sources have is an error that names both, whichever they are.
func TestOneNameInTwoSources(t *testing.T) {
	for name, c := range map[string]struct{ manifest, here, there string }{
		"manifest and file": {"tools: [{name: x}, a.json]", "a.json:1:2", "cento.yaml:1:9"},
		"two files":         {"tools: [a.json, b.json]", "b.json:1:2", "a.json:1:2"},
		"file and server":   {"tools: {tools: [a.json], mcp: {s: {command: [x]}}}", "<mcp:s>:3:3", "a.json:1:2"},
		"two servers":       {"tools: {mcp: {s: {command: [x]}, r: {command: [x]}}}", "<mcp:r>:3:3", "<mcp:s>:3:3"},
	} {
		t.Run(name, func(t *testing.T) {
			r := inFolder(t, map[string]string{FileName: c.manifest, "a.json": `[{"name": "x"}]`, "b.json": `[{"name": "x"}]`})
			same := listing(t, "", ListedTool{Name: "x"})
			r.Lister, r.AllowMCP = &said{listings: map[string]Listing{"s": same, "r": same}}, true
			_, err := Open(t.Context(), r)
			e, ok := errors.AsType[*cento.SourceError](err)
			if !ok || e.Code != cento.DuplicateTool || e.Position.String() != c.here || len(e.Related) != 1 || e.Related[0].Position.String() != c.there {
				t.Errorf("%v, want it at %s and %s", err, c.here, c.there)
			}
		})
	}
}

// Everything that is wrong with several sources is told at once.
func TestErrorsOfAllSources(t *testing.T) {
	r := inFolder(t, map[string]string{
		FileName: "tools: {tools: [a.json, none.yaml], mcp: {s: {command: [x]}, bad: {command: [x]}, gone: {command: [x]}}}",
		"a.json": `[{"name": 1}]`,
	})
	r.Lister, r.AllowMCP = &said{listings: map[string]Listing{"s": listing(t, ""), "bad": {Text: `{"tools": [{"name": ""}]}`}}}, true
	_, err := Open(t.Context(), r)
	for _, want := range []string{"a.json:1:11: ", "none.yaml: ", "<mcp:bad>:1:21: ", `cento.yaml:1:83: the server "gone" gave no listing of its tools: it is not there`} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v\nlacks %s", err, want)
		}
	}
}

// Without approval no server is asked; a listing that is kept needs none.
func TestServersNeedApproval(t *testing.T) {
	r := inFolder(t, map[string]string{FileName: "tools: {mcp: {s: {command: [x]}}}\ntargets: {other: {tools: {mcp: {s: {command: [y]}}}}}"})
	lister := &said{listings: map[string]Listing{"s": listing(t, "")}}
	r.Lister = lister
	open := func() error {
		_, err := Open(t.Context(), r)
		return err
	}
	if err := open(); !errors.Is(err, TrustRequired) || lister.asked.Load() != 0 {
		t.Fatalf("%v, asked %d times", err, lister.asked.Load())
	}
	r.Servers = KeptServers
	if err := open(); err != nil || lister.asked.Load() != 0 {
		t.Fatalf("kept: %v, asked %d times", err, lister.asked.Load())
	}
	r.Servers = AskServers
	place, err := Locate(r)
	if err != nil {
		t.Fatal(err)
	}
	parts, err := place.Asked(t.Context(), r)
	if err != nil || len(parts) != 2 {
		t.Fatalf("%v, %v", parts, err)
	}
	path, err := place.ApprovalsPath()
	if err != nil {
		t.Fatal(err)
	}
	agree := func(parts ...Part) {
		if err := os.WriteFile(path, []byte((&Approvals{}).With(place.ApprovalRoot(), parts).String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	agree(parts[1])
	if err := open(); !errors.Is(err, TrustRequired) || !strings.Contains(err.Error(), "changed since") || lister.asked.Load() != 0 {
		t.Fatalf("the other target's part approved: %v, asked %d times", err, lister.asked.Load())
	}
	agree(parts...)
	if err := open(); err != nil || lister.asked.Load() != 1 {
		t.Fatalf("approved: %v, asked %d times", err, lister.asked.Load())
	}
	// The same manifest in another folder is not approved.
	moved := inFolder(t, map[string]string{FileName: "tools: {mcp: {s: {command: [x]}}}"})
	moved.Config, moved.Lister = r.Config, lister
	if _, err := Open(t.Context(), moved); !errors.Is(err, TrustRequired) || lister.asked.Load() != 1 {
		t.Errorf("in another folder: %v", err)
	}
}

// Approvals print and read back as the same, and a part is approved exactly when
// it is among those that were agreed to last.
func TestApprovalsAreExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		roots, says := []string{"/a", "/b \u00e9", `C:\c`}, []string{"1", "2", "3"}
		a := &Approvals{}
		agreed := map[string][]Part{}
		for range rapid.IntRange(0, 6).Draw(t, "steps") {
			root := rapid.SampledFrom(roots).Draw(t, "root")
			if rapid.Bool().Draw(t, "remove") {
				a = a.Without(root)
				delete(agreed, root)
				continue
			}
			var parts []Part
			for range rapid.IntRange(1, 3).Draw(t, "parts") {
				parts = append(parts, NewPart(rapid.SampledFrom([]string{"tools.mcp", "store"}).Draw(t, "part"), []byte(rapid.SampledFrom(says).Draw(t, "says"))))
			}
			a, agreed[root] = a.With(root, parts), parts
		}
		again, err := ParseApprovals("approvals.json", a.String())
		if err != nil || !slices.Equal(again.List, a.List) {
			t.Fatalf("%s\nis read as %v (%v)", a, again, err)
		}
		for _, root := range roots {
			for _, name := range []string{"tools.mcp", "store"} {
				for _, s := range says {
					part := NewPart(name, []byte(s))
					want := slices.ContainsFunc(agreed[root], part.same)
					if got := again.State(root, part) == Approved; got != want {
						t.Fatalf("%s %s %s: approved %t, want %t", root, name, s, got, want)
					}
				}
			}
		}
	})
}

// The order in which a server lists its tools changes no byte.
func TestListingsAreOrdered(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOfDistinct(rapid.StringMatching(`[a-z_]{1,8}`), rapid.ID[string]).Draw(t, "names")
		var tools []ListedTool
		for _, name := range names {
			tools = append(tools, ListedTool{Name: name, Description: "About " + name, InputSchema: json.RawMessage(`{"type":"object"}`)})
		}
		first, err := NewListing("s", "Say.", tools)
		if err != nil {
			t.Fatal(err)
		}
		second, err := NewListing("s", "Say.", rapid.Permutation(tools).Draw(t, "order"))
		if err != nil || first != second {
			t.Fatalf("%v\n%s\n%s", err, first.Text, second.Text)
		}
	})
}

// Each thing that a server may change is found, with its field.
func TestChangesOfServers(t *testing.T) {
	guidance := func(s string) *string { return &s }
	base := []ListedTool{
		{Name: "a", Title: "A", Description: "Does a.", Guidance: guidance("Use a."), InputSchema: json.RawMessage(`{"type":"object"}`), OutputSchema: json.RawMessage(`{}`), Annotations: json.RawMessage(`{"readOnlyHint":true}`)},
		{Name: "b", Description: "Does b."},
	}
	s := Server{Name: "s"}
	before, err := lockedServer(s, listing(t, "Say.", base...))
	if err != nil {
		t.Fatal(err)
	}
	if got := changesOf(&before, before); len(got) != 0 {
		t.Errorf("no change: %v", got)
	}
	for name, c := range map[string]struct {
		change func([]ListedTool) []ListedTool
		says   string
		want   string
	}{
		"description":  {func(x []ListedTool) []ListedTool { x[0].Description = "Does it."; return x }, "Say.", `tool "a": description changed`},
		"title":        {func(x []ListedTool) []ListedTool { x[0].Title = ""; return x }, "Say.", `tool "a": title removed`},
		"guidance":     {func(x []ListedTool) []ListedTool { x[1].Guidance = guidance(""); return x }, "Say.", `tool "b": guidance added`},
		"inputSchema":  {func(x []ListedTool) []ListedTool { x[0].InputSchema = json.RawMessage(`{}`); return x }, "Say.", `tool "a": inputSchema changed`},
		"outputSchema": {func(x []ListedTool) []ListedTool { x[0].OutputSchema = json.RawMessage(`{"a":1}`); return x }, "Say.", `tool "a": outputSchema changed`},
		"annotations":  {func(x []ListedTool) []ListedTool { x[0].Annotations = nil; return x }, "Say.", `tool "a": annotations removed`},
		"added":        {func(x []ListedTool) []ListedTool { return append(x, ListedTool{Name: "c"}) }, "Say.", `tool "c" added`},
		"removed":      {func(x []ListedTool) []ListedTool { return x[:1] }, "Say.", `tool "b" removed`},
		"instructions": {func(x []ListedTool) []ListedTool { return x }, "Shout.", `instructions changed`},
	} {
		now, err := lockedServer(s, listing(t, c.says, c.change(slices.Clone(base))...))
		if err != nil {
			t.Fatal(err)
		}
		got := changesOf(&before, now)
		if len(got) != 1 || !strings.HasPrefix(got[0].String(), c.want+",") {
			t.Errorf("%s: %v, want %s", name, got, c.want)
		}
	}
	if got := changesOf(nil, before); len(got) != 1 || got[0].Change != added {
		t.Errorf("not locked: %v", got)
	}
}

// Five thousand tools, in a file and from a server, are read, scanned and held
// to the lock.
func TestFiveThousandTools(t *testing.T) {
	var tools []ListedTool
	for i := range 5000 {
		tools = append(tools, ListedTool{
			Name: fmt.Sprintf("tool_%04d", i), Description: "Does one of very many things.",
			InputSchema: json.RawMessage(`{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}`),
		})
	}
	file, err := json.Marshal(tools)
	if err != nil {
		t.Fatal(err)
	}
	read, err := ReadTools("tools.json", file, cento.Limits{File: 4 << 20})
	if err != nil || len(read.Defined) != 5000 || len(read.Notes) != 0 {
		t.Fatalf("%d tools, %d notes, %v", len(read.Defined), len(read.Notes), err)
	}
	r := inFolder(t, map[string]string{FileName: "tools: {mcp: {s: {command: [x]}}}"})
	r.Lister, r.AllowMCP = &said{listings: map[string]Listing{"s": listing(t, "Say.", tools...)}}, true
	p, err := Open(t.Context(), r)
	if err != nil || len(p.Input.Tools) != 5000 {
		t.Fatalf("%v", err)
	}
	if _, _, err := p.ToolLock(); err != nil {
		t.Fatal(err)
	}
}

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
		tools, said, err := readListing(Server{Name: "s", Prefix: "p_"}, string(data), cento.Limits{})
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
		if _, err := lockedServer(Server{Name: "s"}, Listing{Text: string(data)}); err != nil {
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
