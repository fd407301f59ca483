package mcpserver

import (
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Handler answers clients over streamable HTTP, each with the server that of gives for
// its request, a stateless one, nil for none. Nothing is kept from one message to the next, so any
// process may answer it, and a client hears of no change: it asks again. Who may ask,
// and by which name of the host, is for whoever stands before it.
func Handler(of func(*http.Request) *Server, maxBody int64) http.Handler {
	return mcp.NewStreamableHTTPHandler(func(r *http.Request) *mcp.Server {
		if s := of(r); s != nil {
			return s.mcp
		}
		return nil
	}, &mcp.StreamableHTTPOptions{
		Stateless: true, JSONResponse: true, MaxRequestBodyBytes: maxBody, DisableLocalhostProtection: true, PropagateRequestCancellation: true,
	})
}
