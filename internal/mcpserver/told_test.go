package mcpserver_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/mcpserver"
)

// A mistake in the program ends one question, and a client is told of an error what its
// server lets it.
func TestOneQuestionFails(t *testing.T) {
	p := project("acme", folder(t, files))
	fails := errors.New("the disk at /secret/place is full")
	p.Search = func(context.Context, app.SearchQuery) (*app.RecordSearch, error) {
		if fails == nil {
			panic("at /secret/place")
		}
		return nil, fails
	}
	here, there := mcp.NewInMemoryTransports()
	s := mcpserver.New([]mcpserver.Project{p}, mcpserver.Options{Told: func(_ context.Context, err error) error {
		if app.Refused(err) {
			return err
		}
		return errors.New("it failed")
	}})
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx, there) }()
	c, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(ctx, here, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = c.Close() // the server tells how it ended
		stop()
		<-ended
	}()
	if got, failed := ask(t, c, "search_records", `{"text": "x"}`); !failed || got != "it failed" {
		t.Errorf("%v %q", failed, got)
	}
	fails = nil
	_, err = c.CallTool(ctx, &mcp.CallToolParams{Name: "search_records", Arguments: map[string]any{"text": "x"}})
	if err == nil || !strings.Contains(err.Error(), "it failed") || strings.Contains(err.Error(), "secret") {
		t.Errorf("%v", err)
	}
	if got, failed := ask(t, c, "assemble", `{"target": "none"}`); !failed || !strings.Contains(got, "target.unknown") {
		t.Errorf("%v %q", failed, got)
	}
	if got, failed := ask(t, c, "assemble", `{}`); failed {
		t.Error(got)
	}
}
