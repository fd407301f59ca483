package mcpserver_test

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/cento-dev/cento/internal/app"
)

// What an argument is for is said once, in the schemas of requests, and no argument says
// what only this machine knows: where a folder is, what a file holds.
func TestArgumentsArePublished(t *testing.T) {
	var published struct {
		Defs map[string]struct {
			Properties map[string]struct{ Description string }
			Required   []string
		} `json:"$defs"`
	}
	if err := json.Unmarshal(app.RequestSchemas(), &published); err != nil {
		t.Fatal(err)
	}
	list, err := connect(t, nil, project("acme", folder(t, files))).ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range list.Tools {
		if tool.Name == "search_records" {
			continue // it is no operation
		}
		input := tool.InputSchema.(map[string]any)
		request := published.Defs[tool.Name]
		for name, argument := range input["properties"].(map[string]any) {
			switch about := argument.(map[string]any)["description"].(string); name {
			case "project":
			case "tools": // a definition isn't handed over here
				if !strings.HasPrefix(request.Properties[name].Description, strings.TrimSuffix(about, ".")) {
					t.Errorf("%s: %s: %q", tool.Name, name, about)
				}
			case "manifest", "files", "root", "prefixes", "input":
				t.Errorf("%s takes %s", tool.Name, name)
			default:
				if about == "" || about != request.Properties[name].Description {
					t.Errorf("%s: %s: %q, published %q", tool.Name, name, about, request.Properties[name].Description)
				}
			}
		}
		var required []string
		wanted, _ := input["required"].([]any)
		for _, name := range wanted {
			required = append(required, name.(string))
		}
		if !slices.Equal(required, request.Required) {
			t.Errorf("%s requires %q, published %q", tool.Name, required, request.Required)
		}
		text, err := json.Marshal(input)
		if err != nil || bytes.Contains(text, []byte(`"null"`)) || bytes.Contains(text, []byte("$ref")) || len(text) > 8<<10 {
			t.Errorf("%s: a model reads %s, %v", tool.Name, text, err)
		}
	}
}

// A prompt that is asked for opens its project, and no other.
func TestPromptOpensItsProject(t *testing.T) {
	acme, site := project("acme", folder(t, files)), project("site", folder(t, files))
	opened := 0
	read := site.Request
	site.Request = func(ctx context.Context) (app.Request, error) {
		opened++
		return read(ctx)
	}
	c := connect(t, nil, acme, site)
	before := opened
	if before == 0 {
		t.Fatal("a client that comes is told of no prompt of the project")
	}
	if _, err := c.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "acme/ci"}); err != nil || opened != before {
		t.Errorf("opened %d times, %v", opened-before, err)
	}
	if _, err := c.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "site/ci"}); err != nil || opened == before {
		t.Errorf("opened %d times, %v", opened-before, err)
	}
	if _, err := c.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "nobody/ci"}); err == nil {
		t.Error("there is a prompt of nobody")
	}
}
