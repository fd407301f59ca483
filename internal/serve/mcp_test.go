package serve_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/cento-dev/cento/internal/serve"
)

// bearer adds a token to requests.
type bearer struct {
	secret string
	to     http.RoundTripper
}

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+b.secret)
	return b.to.RoundTrip(r)
}

// mcpClient is the official client, connected to a service.
func mcpClient(t *testing.T, s *service, secret string) *mcp.ClientSession {
	t.Helper()
	c, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), &mcp.StreamableClientTransport{
		Endpoint: s.base + "/mcp", HTTPClient: &http.Client{Transport: bearer{secret, s.client.Transport}}, DisableStandaloneSSE: true,
	}, nil)
	must(t, err)
	t.Cleanup(func() { _ = c.Close() }) // what it asks for then is refused: nothing is kept
	return c
}

// called is the text of a tool's answer.
func called(t *testing.T, c *mcp.ClientSession, tool, arguments string) (text string, failed bool) {
	t.Helper()
	r, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(arguments)})
	if err != nil {
		t.Fatalf("%s %s: %v", tool, arguments, err)
	}
	return r.Content[0].(*mcp.TextContent).Text, r.IsError
}

// TestMCP: a client of the protocol is answered what the routes answer.
func TestMCP(t *testing.T) {
	s := begin(t, nil)
	c := mcpClient(t, s, local)
	var want, got struct{ System string }
	must(t, json.Unmarshal([]byte(s.want(http.StatusOK, http.MethodPost, "/v1/projects/web/assemble", `{"target": "ci"}`).body), &want))
	text, failed := called(t, c, "assemble", `{"project": "web", "target": "ci"}`)
	must(t, json.Unmarshal([]byte(text), &got))
	if failed || got != want || want.System == "" {
		t.Errorf("%s, want %+v", text, want)
	}
	prompts, err := c.ListPrompts(t.Context(), nil)
	must(t, err)
	var names []string
	for _, p := range prompts.Prompts {
		names = append(names, p.Name)
	}
	if !slices.Equal(names, []string{"api", "web", "web/ci"}) {
		t.Errorf("prompts %q", names)
	}
	prompt, err := c.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "web/ci"})
	must(t, err)
	if said := prompt.Messages[0].Content.(*mcp.TextContent).Text; said != want.System {
		t.Errorf("%q", said)
	}
	resources, err := c.ListResources(t.Context(), nil)
	must(t, err)
	if len(resources.Resources) < 4 {
		t.Errorf("%d resources", len(resources.Resources))
	}
	for _, r := range resources.Resources {
		if _, err := c.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: r.URI}); err != nil {
			t.Errorf("%s: %v", r.URI, err)
		}
	}
	if text, failed := called(t, c, "why", `{"project": "web", "text": " "}`); !failed || !strings.Contains(text, "value.invalid") {
		t.Errorf("%v %s", failed, text)
	}
	// Nobody is promised what a stateless server can't tell.
	if caps := c.InitializeResult().Capabilities; caps.Prompts.ListChanged || caps.Resources.ListChanged || caps.Resources.Subscribe {
		t.Errorf("%+v %+v", caps.Prompts, caps.Resources)
	}
}

// TestMCPIsNarrow: a token for one project is told of no other, neither by a list nor by
// an error, and finds what was recorded of its own alone.
func TestMCPIsNarrow(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tokens")
	secrets := tokenFile(t, path, map[string]string{"web": "read@web write@web", "all": "read write", "render": "render", "ghost": "read@ghost"})
	s := begin(t, func(c *serve.Config) { c.Tokens, c.Local = path, "" })
	for _, project := range []string{"web", "api"} {
		s.want(http.StatusOK, http.MethodPost, "/v1/sessions", fmt.Sprintf(`{"project": %q, "id": "s"}`, project), "Authorization", "Bearer "+secrets["all"])
	}
	web, all := mcpClient(t, s, secrets["web"]), mcpClient(t, s, secrets["all"])
	var seen strings.Builder
	tools, err := web.ListTools(t.Context(), nil)
	must(t, err)
	prompts, err := web.ListPrompts(t.Context(), nil)
	must(t, err)
	resources, err := web.ListResources(t.Context(), nil)
	must(t, err)
	for _, x := range []any{tools, prompts, resources} {
		b, err := json.Marshal(x)
		must(t, err)
		seen.Write(b)
	}
	for _, x := range [][2]string{
		{"assemble", `{"project": "api"}`}, {"explain", `{"project": "ap"}`}, {"search_records", `{"project": "api", "text": "You serve"}`},
		{"search_records", `{"text": "You serve"}`}, {"search_records", `{"text": "You serve", "session": "api:s"}`}, {"search_records", `{"text": "You serve", "session": "s"}`},
	} {
		text, _ := called(t, web, x[0], x[1])
		seen.WriteString(text)
	}
	if text := seen.String(); strings.Contains(text, "You serve") || strings.Contains(text, "cento://api") || strings.Contains(text, `"api",`) || strings.Contains(text, `["api`) || strings.Contains(text, `"api:`) {
		t.Errorf("a token for web sees\n%s", text)
	}
	for _, x := range []string{"cento://api/prompt", "cento://api/fragment/primary:system"} {
		if _, err := web.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: x}); err == nil || !strings.Contains(err.Error(), "the projects are web") {
			t.Errorf("%s: %v", x, err)
		}
	}
	if _, err := web.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "api"}); err == nil || !strings.Contains(err.Error(), "the projects are web") {
		t.Errorf("the prompt of another project: %v", err)
	}
	for _, session := range []string{"s", "web:s"} {
		if text, failed := called(t, web, "search_records", fmt.Sprintf(`{"text": "You are brief", "session": %q}`, session)); failed || !strings.Contains(text, `"web:s"`) {
			t.Errorf("%v %s", failed, text)
		}
	}
	for session, code := range map[string]string{" ": "value.invalid", "web:": "value.invalid", "web: ": "value.invalid", "none": "session.unknown", "api:s": "session.unknown"} {
		if text, failed := called(t, web, "search_records", fmt.Sprintf(`{"text": "You", "session": %q}`, session)); !failed || !strings.Contains(text, code) {
			t.Errorf("of session %q: %v %s, want %s", session, failed, text, code)
		}
	}
	if text, failed := called(t, all, "search_records", `{"project": "api", "text": "You serve"}`); failed || !strings.Contains(text, `"api:s"`) {
		t.Errorf("%v %s", failed, text)
	}
	// One that reads nothing is told nothing.
	for who, status := range map[string]int{"render": http.StatusForbidden, "ghost": http.StatusNotFound} {
		r := s.ask(http.MethodPost, "/mcp", ping, "Authorization", "Bearer "+secrets[who], "Accept", bothKinds)
		if r.StatusCode != status {
			t.Errorf("%s: status %d: %s", who, r.StatusCode, r.body)
		}
	}
}

const (
	ping      = `{"jsonrpc": "2.0", "id": 1, "method": "ping"}`
	bothKinds = "application/json, text/event-stream"
)

// TestMCPIsGuarded: what stands before every route stands before this one.
func TestMCPIsGuarded(t *testing.T) {
	s := begin(t, nil)
	for _, x := range []struct {
		method, body string
		headers      []string
		status       int
	}{
		{"POST", ping, []string{"Authorization", ""}, 401},
		{"POST", ping, []string{"Authorization", "Bearer wrong"}, 401},
		{"POST", ping, []string{"Host", "evil.example"}, 421},
		{"POST", ping, []string{"Origin", "http://evil.example"}, 403},
		{"POST", ping, []string{"Sec-Fetch-Site", "cross-site"}, 403},
		{"GET", "", []string{"Accept", "text/event-stream"}, 405},
		{"DELETE", "", nil, 405},
	} {
		r := s.ask(x.method, "/mcp", x.body, append([]string{"Accept", bothKinds}, x.headers...)...)
		if r.StatusCode != x.status {
			t.Errorf("%s %q: status %d, want %d: %s", x.method, x.headers, r.StatusCode, x.status, r.body)
		}
	}
	leave := s.server.Fill()
	if r := s.ask(http.MethodPost, "/mcp", ping, "Accept", bothKinds); r.StatusCode != http.StatusTooManyRequests {
		t.Errorf("status %d where there is no room", r.StatusCode)
	}
	leave()
	if r := s.ask(http.MethodPost, "/mcp", ping, "Accept", bothKinds); r.StatusCode != http.StatusOK || !strings.Contains(r.body, `"result"`) {
		t.Errorf("%d %s", r.StatusCode, r.body)
	}
	if log := s.log.String(); !strings.Contains(log, `"op":"mcp"`) || strings.Contains(log, "You are brief") {
		t.Errorf("the log: %s", log)
	}
}

// TestMCPTakesNoBatch: a body of many messages is refused before any of them is read.
func TestMCPTakesNoBatch(t *testing.T) {
	s := begin(t, nil)
	for _, body := range []string{"[" + strings.Repeat(ping+",", 5000) + ping + "]", "[" + ping + "]", "[]", " \n\t[" + ping + "]"} {
		for _, version := range []string{"", "2025-03-26", "2025-06-18"} {
			headers := []string{"Accept", bothKinds}
			if version != "" {
				headers = append(headers, "Mcp-Protocol-Version", version)
			}
			if r := s.ask(http.MethodPost, "/mcp", body, headers...); r.StatusCode != http.StatusBadRequest || len(r.body) > 1000 || !strings.Contains(r.body, "batch") {
				t.Errorf("%.20q, version %q: %d %.200s", body, version, r.StatusCode, r.body)
			}
		}
	}
}
