package mcpserver_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	validator "github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/call"
	"github.com/cento-dev/cento/internal/mcpserver"
)

// files are those of the project that clients are told about.
var files = map[string]string{
	"cento.yaml": `instruction: $workspace/main.md
vars: {team: core}
tools: [{name: read, description: Reads a file.}, {name: bash, description: Runs a command.}]
fragments:
  - {id: "house:style", body: Write plainly., requires_caps: [style]}
  - {id: "runs/with bash", body: Say what you run., requires_tools: [bash]}
targets:
  ci: {tools: [read]}
`,
	".cento/prompts/main.md": "You work for the team {{ vars.team }}.\n",
	"AGENTS.md":              "Run the tests.\n",
}

// folder is a project of its own on disk.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// project is one that reads a folder, and its log a store beside it.
func project(name, dir string) mcpserver.Project {
	request := app.Request{Dir: dir, Servers: app.NoServers}
	return mcpserver.Project{
		Name: name, Request: func(context.Context) (app.Request, error) { return request, nil },
		Search: func(ctx context.Context, q app.SearchQuery) (*app.RecordSearch, error) {
			site, err := app.Locate(request)
			if err != nil {
				return nil, err
			}
			return app.SearchLog(ctx, site, request, "records.db", q)
		},
	}
}

// connect is a client of a server.
func connect(t *testing.T, o *mcp.ClientOptions, projects ...mcpserver.Project) *mcp.ClientSession {
	t.Helper()
	return connectTo(t, mcpserver.New(projects, mcpserver.Options{Version: "test"}), o, "")
}

// connectTo is connect with a server and a version of the protocol; empty for the newest.
func connectTo(t *testing.T, s *mcpserver.Server, o *mcp.ClientOptions, version string) *mcp.ClientSession {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	here, there := mcp.NewInMemoryTransports()
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx, there) }()
	c, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, o).Connect(ctx, here, &mcp.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.Close() // the server tells how it ended
		stop()
		<-ended
	})
	return c
}

// ask calls a tool and gives the text of its answer.
func ask(t *testing.T, c *mcp.ClientSession, tool, arguments string) (text string, failed bool) {
	t.Helper()
	r, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(arguments)})
	if err != nil {
		t.Fatalf("%s %s: an error of the protocol: %v", tool, arguments, err)
	}
	if len(r.Content) != 1 {
		t.Fatalf("%s: %d contents", tool, len(r.Content))
	}
	text = r.Content[0].(*mcp.TextContent).Text
	if r.IsError {
		if r.StructuredContent != nil {
			t.Errorf("%s: a failure with values, which clients hold to the schema of answers", tool)
		}
		return text, true
	}
	values, err := json.Marshal(r.StructuredContent)
	if err != nil || !same(t, values, []byte(text)) {
		t.Errorf("%s: the text is not the values: %v", tool, err)
	}
	return text, false
}

// same compares two JSON texts by what they say.
func same(t *testing.T, a, b []byte) bool {
	t.Helper()
	var x, y any
	if json.Unmarshal(a, &x) != nil || json.Unmarshal(b, &y) != nil {
		return false
	}
	p, _ := json.Marshal(x)
	q, _ := json.Marshal(y)
	return bytes.Equal(p, q)
}

// asked are questions that use every argument of every tool.
var asked = map[string][]string{
	"assemble": {`{}`, `{"tools": ["read"], "caps": ["style"], "without_caps": ["x"], "vars": {"team": "docs"}, "model": "gpt-5", "now": "2026-01-02T03:04:05Z", "budget": "20%", "tokens": true, "project": "acme"}`, `{"without_tools": ["bash"], "target": "ci", "skills": [], "budget": 100000}`},
	"explain":  {`{}`, `{"tokens": false, "all_reasons": true, "target": "ci"}`},
	"why":      {`{"text": "Run the tests"}`, `{"text": "Say what you run", "without_tools": ["bash"]}`, `{"text": "nowhere at all"}`},
	"diff":     {`{"to": {"without_tools": ["bash"]}}`, `{"target": "ci", "to": {"caps": ["style"], "vars": {"team": "docs"}}}`},
	"check":    {`{}`, `{"target": "ci", "strict": true, "project": "acme"}`},
	"instructions": {
		`{}`, `{"profile": "codex", "for": ["AGENTS.md"], "target": "ci", "model": "gpt-5"}`, `{"cwd": ".cento"}`,
	},
}

// A tool answers what the operation behind it answers, and every answer is of its
// schema; so is every question.
func TestToolsAnswerAsOperations(t *testing.T) {
	dir := folder(t, files)
	c := connect(t, nil, project("acme", dir))
	list, err := c.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{}
	for _, tool := range list.Tools {
		if tool.Name == "search_records" {
			continue // it is no operation
		}
		if !tool.Annotations.ReadOnlyHint || *tool.Annotations.DestructiveHint || *tool.Annotations.OpenWorldHint {
			t.Errorf("%s: %+v", tool.Name, tool.Annotations)
		}
		takes, gives := schema(t, tool.InputSchema), schema(t, tool.OutputSchema)
		if len(asked[tool.Name]) == 0 {
			t.Errorf("nothing is asked of %s", tool.Name)
		}
		for _, arguments := range asked[tool.Name] {
			if err := takes.Validate(decoded(t, arguments)); err != nil {
				t.Errorf("%s %s: %v", tool.Name, arguments, err)
			}
			for name := range decoded(t, arguments).(map[string]any) {
				used[tool.Name+" "+name] = true
			}
			got, failed := ask(t, c, tool.Name, arguments)
			if failed {
				t.Errorf("%s %s: %s", tool.Name, arguments, got)
				continue
			}
			if err := gives.Validate(decoded(t, got)); err != nil {
				t.Errorf("%s %s: %v\n%s", tool.Name, arguments, err, got)
			}
			want, err := call.Answer(t.Context(), tool.Name, []byte(arguments), call.Options{Default: "acme", Project: func(string) (app.Request, error) {
				return app.Request{Dir: dir, Servers: app.NoServers}, nil
			}})
			if err != nil {
				t.Fatal(err)
			}
			text, err := json.Marshal(want)
			if err != nil || string(text) != got {
				t.Errorf("%s %s:\n got %s\nwant %s", tool.Name, arguments, got, text)
			}
		}
		if err := takes.Validate(decoded(t, `{"nothing": 1}`)); err == nil {
			t.Errorf("the schema of %s takes any argument", tool.Name)
		}
	}
	for _, tool := range list.Tools {
		for name := range tool.InputSchema.(map[string]any)["properties"].(map[string]any) {
			change := tool.Name != "assemble" && used["assemble "+name] // those that are the same everywhere
			if !used[tool.Name+" "+name] && !change && tool.Name != "search_records" {
				t.Errorf("no question to %s uses %s", tool.Name, name)
			}
		}
	}
}

func decoded(t *testing.T, text string) any {
	t.Helper()
	v, err := validator.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return v
}

func schema(t *testing.T, of any) *validator.Schema {
	t.Helper()
	text, err := json.Marshal(of)
	if err != nil {
		t.Fatal(err)
	}
	c := validator.NewCompiler()
	if err := c.AddResource("x.json", decoded(t, string(text))); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("x.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// A client can name no folder, bring no files and no recorded input, and what is wrong
// is told with its code and a hint.
func TestRefused(t *testing.T) {
	outside := folder(t, map[string]string{"AGENTS.md": "Secret."})
	c := connect(t, nil, project("acme", folder(t, files)), project("site", folder(t, map[string]string{"AGENTS.md": "Be brief."})))
	for _, x := range []struct{ tool, arguments, want string }{
		{"assemble", `{}`, "project.unknown: there are several projects, and none is named\n  hint: the projects are acme, site"},
		{"assemble", fmt.Sprintf(`{"project": %q}`, outside), "project.unknown: there is no project"},
		{"assemble", `{"project": "acm"}`, `hint: did you mean "acme"?`},
		{"assemble", `{"project": "acme", "files": {"AGENTS.md": "x"}}`, `argument.unknown: there is no argument "files"`},
		{"assemble", `{"project": "acme", "manifest": {}}`, `there is no argument "manifest"`},
		{"explain", `{"project": "acme", "input": {}}`, `there is no argument "input"`},
		{"explain", `{"project": "acme", "Input": {}}`, `there is no argument "Input"`},
		{"why", `{"project": "acme", "text": " "}`, "the text to look for is blank"},
		{"why", `{"project": "acme"}`, `"text"`},
		{"why", `[]`, "<request>.json:1:1"},
		{"assemble", `{"project": "acme", "project": "site"}`, "project"},
		{"assemble", `{"project": "acme", "target": "cj"}`, "target.unknown"},
		{"assemble", `{"project": "acme", "tools": ["a\nb"]}`, "tool"},
		{"instructions", fmt.Sprintf(`{"project": "acme", "cwd": %q}`, outside), "request.outside"},
		{"instructions", `{"project": "acme", "cwd": ".."}`, "request.outside"},
		{"instructions", `{"project": "acme", "for": ["../x"]}`, "request.outside"},
		{"search_records", `{"project": "acme", "text": "x"}`, "hint: prompts are recorded by `cento build --record`"},
		{"search_records", `{"project": "acme", "text": "x", "limit": 0, "since": "soon"}`, "limit is 0"},
		{"search_records", `{"project": "acme", "text": "x", "store": "/etc/passwd"}`, `there is no argument "store"`},
	} {
		got, failed := ask(t, c, x.tool, x.arguments)
		if !failed || !strings.Contains(got, x.want) || strings.Contains(got, "Secret") {
			t.Errorf("%s %s: failed %v\n%s\nwant %s", x.tool, x.arguments, failed, got, x.want)
		}
	}
	const forms = "resource.unknown: this is no address of a text\n  hint: write cento://PROJECT/prompt, cento://PROJECT/prompt/TARGET or cento://PROJECT/fragment/ID"
	for uri, want := range map[string]string{
		"cento://acm/prompt":                  "project.unknown: there is no project \"acm\"\n  hint: did you mean \"acme\"?",
		"cento://nobody/prompt":               "project.unknown: there is no project \"nobody\"\n  hint: the projects are acme",
		"cento://acme/prompt/cii":             "did you mean \"ci\"?",
		"cento://acme/prompt/../../x":         "target.unknown: ",
		"cento://acme/fragment/none":          "resource.unknown: there is no fragment \"none\"\n  hint: the tool explain lists them",
		"cento://acme/fragment/runs with bsh": "resource.unknown: there is no fragment \"runs with bsh\"\n  hint: did you mean \"cento://acme/fragment/runs%2Fwith%20bash\"?",
		"cento://acme/fragment":               forms,
		"cento://acme/fragment/":              forms,
		"cento://acme/other/x":                forms,
		"cento://acme/prompt/%zz":             forms,
		"file:///etc/passwd":                  forms,
	} {
		r, err := c.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
		if err == nil {
			t.Errorf("%s: %q", uri, r.Contents[0].Text)
			continue
		}
		e, ok := errors.AsType[*jsonrpc.Error](err)
		if data, _ := json.Marshal(map[string]string{"uri": uri}); !ok || e.Code != jsonrpc.CodeInvalidParams || !strings.Contains(e.Message, want) || !same(t, e.Data, data) {
			t.Errorf("%s: %v\nwant %s", uri, err, want)
		}
	}
	for name, want := range map[string]string{
		"acm":      "project.unknown: there is no project \"acm\"\n  hint: did you mean \"acme\"?",
		"acme/cii": "did you mean \"ci\"?",
	} {
		_, err := c.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: name})
		if e, ok := errors.AsType[*jsonrpc.Error](err); !ok || e.Code != jsonrpc.CodeInvalidParams || !strings.Contains(e.Message, want) {
			t.Errorf("%s: %v\nwant %s", name, err, want)
		}
	}
	_, err := c.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "acme", Arguments: map[string]string{"taem": "x"}})
	if err == nil || !strings.Contains(err.Error(), `argument.unknown: the prompt has no argument "taem"`) || !strings.Contains(err.Error(), `did you mean "team"?`) {
		t.Errorf("an argument that there isn't: %v", err)
	}
}

// What a budget took and what there is to say of a prompt are told with it, and nothing
// where there is nothing.
func TestPromptIsToldOf(t *testing.T) {
	for manifest, want := range map[string]string{
		"model: claude-opus-5\nbudget: {tokens: 5}\n":  `{"sacrificed":[{"fragment":"style"}]}`,
		"model: claude-opus-5\nbudget: {tokens: 90}\n": `{}`,
		"model: claude-opsu-5\n":                       `{"notes":[{"code":"model.guessed",`,
	} {
		c := connect(t, nil, project("acme", folder(t, map[string]string{
			"cento.yaml": "system: Be brief.\nprofile: off\nscope: off\nfragments: [{id: style, body: Write plainly and keep to it., importance: 1}]\n" + manifest,
		})))
		got, err := c.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "acme"})
		if err != nil {
			t.Fatal(err)
		}
		delete(got.Meta, "io.modelcontextprotocol/serverInfo") // the library's own
		meta, err := json.Marshal(got.Meta)
		if err != nil || !strings.HasPrefix(string(meta), want) {
			t.Errorf("%s%s, %v, want %s", manifest, meta, err, want)
		}
		if said := strings.Contains(got.Description, "; "); said != (want != "{}") {
			t.Errorf("%s%s", manifest, got.Description)
		}
	}
}

// Every prompt that is listed can be had, and is what the operation gives; so can every
// resource.
func TestPromptsAndResources(t *testing.T) {
	c := connect(t, nil, project("acme", folder(t, files)))
	prompts, err := c.ListPrompts(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, p := range prompts.Prompts {
		names = append(names, p.Name)
		if len(p.Arguments) != 1 || p.Arguments[0].Name != "team" || p.Arguments[0].Required {
			t.Errorf("%s: arguments %+v", p.Name, p.Arguments)
		}
		target := ""
		if _, of, ok := strings.Cut(p.Name, "/"); ok {
			target = `"target": "` + of + `", `
		}
		var want struct{ System string }
		text, _ := ask(t, c, "assemble", `{`+target+`"vars": {"team": "docs"}}`)
		if err := json.Unmarshal([]byte(text), &want); err != nil {
			t.Fatal(err)
		}
		got, err := c.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: p.Name, Arguments: map[string]string{"team": "docs"}})
		if err != nil {
			t.Fatal(err)
		}
		if said := got.Messages[0].Content.(*mcp.TextContent).Text; said != want.System || !strings.Contains(said, "team docs") {
			t.Errorf("%s: %q, want %q", p.Name, said, want.System)
		}
	}
	if !slices.Equal(names, []string{"acme", "acme/ci"}) {
		t.Errorf("prompts %q", names)
	}

	resources, err := c.ListResources(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for _, r := range resources.Resources {
		got, err := c.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: r.URI})
		if err != nil {
			t.Errorf("%s: %v", r.URI, err)
			continue
		}
		texts[r.URI] = got.Contents[0].Text
	}
	whole := texts["cento://acme/prompt"]
	for uri, text := range texts {
		if strings.Contains(uri, "/fragment/") && (text == "" || !strings.Contains(whole, text)) {
			t.Errorf("%s: %q isn't in the prompt", uri, text)
		}
	}
	if texts["cento://acme/fragment/runs%2Fwith%20bash"] != "Say what you run." || texts["cento://acme/prompt/ci"] == whole {
		t.Errorf("resources %q", slices.Sorted(maps.Keys(texts)))
	}
	// One that was left out is listed nowhere, and tells why.
	got, err := c.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "cento://acme/fragment/house:style"})
	if err != nil || got.Contents[0].Text != "Write plainly." {
		t.Fatalf("%+v %v", got, err)
	}
	trace := got.Contents[0].Meta["cento/trace"].(map[string]any)
	if trace["included"] != false || trace["code"] == "" || trace["origin"].(map[string]any)["line"] != 5.0 {
		t.Errorf("%v", trace)
	}
}

// What is listed is what the files say when somebody asks, and clients hear of changes
// alone.
func TestListsAreFresh(t *testing.T) {
	dir := folder(t, files)
	changed := make(chan string, 10)
	c := connect(t, &mcp.ClientOptions{
		PromptListChangedHandler:   func(context.Context, *mcp.PromptListChangedRequest) { changed <- "prompts" },
		ResourceListChangedHandler: func(context.Context, *mcp.ResourceListChangedRequest) { changed <- "resources" },
	}, project("acme", dir))
	names := func() (out []string) {
		list, err := c.ListPrompts(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range list.Prompts {
			out = append(out, p.Name)
		}
		return out
	}
	if got := names(); !slices.Equal(got, []string{"acme", "acme/ci"}) {
		t.Fatalf("%q", got)
	}
	write := func(text string) {
		if err := os.WriteFile(filepath.Join(dir, "cento.yaml"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(strings.Replace(files["cento.yaml"], "  ci:", "  review:", 1))
	if got := names(); !slices.Equal(got, []string{"acme", "acme/review"}) {
		t.Errorf("%q", got)
	}
	// The lists of both have the target. Who is slow hears of one list twice.
	for told := map[string]bool{}; len(told) < 2; {
		told[<-changed] = true
	}
	// A manifest that can't be read takes the targets away, and tells why.
	write("targets: [\n")
	if got := names(); !slices.Equal(got, []string{"acme"}) {
		t.Errorf("%q", got)
	}
	_, err := c.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "acme"})
	if err == nil || !strings.Contains(err.Error(), "cento.yaml:") {
		t.Errorf("%v", err)
	}
}

// A text that was handed out is found with its record and place.
func TestSearchRecords(t *testing.T) {
	dir := folder(t, files)
	p := project("acme", dir)
	r, err := p.Request(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	site, err := app.Locate(r)
	if err != nil {
		t.Fatal(err)
	}
	open, err := app.Open(t.Context(), site, r)
	if err != nil {
		t.Fatal(err)
	}
	prompt, err := open.Reduce(open.Input)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := app.RecordPrompt(t.Context(), site, r, "records.db", "s", "", app.MadePrompt{Project: open, Input: open.Input, Prompt: prompt}); err != nil {
		t.Fatal(err)
	}
	c := connect(t, nil, p)
	got, failed := ask(t, c, "search_records", `{"text": "run  the tests"}`)
	var found app.RecordSearch
	if err := json.Unmarshal([]byte(got), &found); failed || err != nil || len(found.Matches) != 1 || found.Matches[0].Session != "s" ||
		found.Matches[0].Fragments[0].Places[0].String() != "AGENTS.md:1:1" {
		t.Errorf("%s %v", got, err)
	}
	if got, failed = ask(t, c, "search_records", `{"text": "Run the tests", "until": "2001-01-01T00:00:00Z"}`); failed || !strings.Contains(got, `"matches":[]`) {
		t.Errorf("%s", got)
	}
}

// Names of folders become names that stand in addresses.
func TestNames(t *testing.T) {
	for folder, want := range map[string]string{
		"acme": "acme", ".dot": "dot", "a b/c": "a-b-c", "été": "t-", "": "project", "--": "project", strings.Repeat("x", 100): strings.Repeat("x", 64),
	} {
		if got := mcpserver.NameOf(folder); got != want || !mcpserver.CheckName(got) {
			t.Errorf("%q: %q, want %q", folder, got, want)
		}
	}
	for _, bad := range []string{"", "a b", "a/b", "-a", "..", "é", strings.Repeat("x", 65)} {
		if mcpserver.CheckName(bad) {
			t.Errorf("%q is a name", bad)
		}
	}
}

// TestUntil: a question ends with the context that bounds it, whatever the library does with
// that of the connection.
func TestUntil(t *testing.T) {
	over, end := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	s := mcpserver.New([]mcpserver.Project{{Name: "web", Request: func(ctx context.Context) (app.Request, error) {
		end()
		<-ctx.Done()
		ended <- ctx.Err()
		return app.Request{}, ctx.Err()
	}}}, mcpserver.Options{Stateless: true, Until: func(context.Context) context.Context { return over }})
	server := httptest.NewServer(mcpserver.Handler(func(*http.Request) *mcpserver.Server { return s }, 1<<20))
	defer server.Close()
	body := `{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "explain", "arguments": {}}}`
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	_ = answer.Body.Close()
	if err := <-ended; err == nil {
		t.Error("the question went on")
	}
}
