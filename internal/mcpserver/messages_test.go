package mcpserver_test

import (
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/cento-dev/cento/internal/mcpserver"
)

// Lines that are no message are answered one by one; those between them are read whatever
// their line ends, the last one without any.
func TestLines(t *testing.T) {
	ping := func(id string) string { return `{"jsonrpc":"2.0","id":` + id + `,"method":"ping"}` }
	begin := `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`
	in := strings.Join([]string{
		"\ufeff" + ping("9"), begin + "\r", `{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`"` + strings.Repeat("x", mcp.DefaultMaxLineLength) + `"`, ping("1"), ping("2") + " " + ping("3"), "   ", `"text"`, ping("4"),
	}, "\n")
	var out strings.Builder
	s := mcpserver.New([]mcpserver.Project{project("acme", t.TempDir())}, mcpserver.Options{})
	if err := s.Serve(t.Context(), strings.NewReader(in), &out, func() error { return nil }); err != nil {
		t.Fatal(err)
	}
	refused := map[string]int{}
	for line := range strings.Lines(out.String()) {
		if _, code, ok := strings.Cut(line, `"id":null,"error":{"code":`); ok {
			refused[code[:6]]++
		}
	}
	if refused["-32700"] != 3 || refused["-32600"] != 1 {
		t.Errorf("refused: %v", refused)
	}
	for _, id := range []string{"0", "1", "4"} {
		if !strings.Contains(out.String(), `"id":`+id+`,"result"`) {
			t.Errorf("message %s isn't answered", id)
		}
	}
	if !strings.Contains(out.String(), "the line is longer than 16777216 bytes") {
		t.Error("the long line isn't told")
	}
}
