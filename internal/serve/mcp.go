package serve

import (
	"bytes"
	"context"
	"net/http"
	"reflect"
	"strings"
	"sync"
	"time"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/call"
	"github.com/cento-dev/cento/internal/mcpserver"
)

// mcpRoutes are what clients of the Model Context Protocol ask: see package mcpserver.
func mcpRoutes() []route {
	return []route{{
		method: http.MethodPost, path: "/mcp", op: "mcp", short: "a message of the Model Context Protocol, as its streamable HTTP has it", tag: "mcp", scope: ScopeRead,
		request: reflect.TypeFor[Message](), answers: reflect.TypeFor[Message](), handle: answerMCP,
	}}
}

// Message is one of the protocol, JSON-RPC 2.0: a question has a method, its answer the
// same id and a result or an error.
type Message struct {
	JSONRPC string `json:"jsonrpc"`
	ID      any    `json:"id,omitempty"`
	Method  string `json:"method,omitempty"`
	Params  any    `json:"params,omitempty"`
	Result  any    `json:"result,omitempty"`
	Error   any    `json:"error,omitempty"`
}

// mostServers is how many sets of projects have a server at once: tokens that reach the
// same ones share it.
const mostServers = 64

// mcpServers answers clients of MCP, each about the projects that its token reads.
type mcpServers struct {
	s       *Server
	handler http.Handler

	mu    sync.Mutex
	known map[string]*mcpserver.Server
}

func newMCPServers(s *Server) *mcpServers {
	m := &mcpServers{s: s, known: map[string]*mcpserver.Server{}}
	m.handler = mcpserver.Handler(func(r *http.Request) *mcpserver.Server {
		return m.of(r.Context().Value(exchangeKey{}).(*exchange).token)
	}, s.config.MaxBody)
	return m
}

// of is the server for a token; nil where it reads no project.
func (m *mcpServers) of(t *token) *mcpserver.Server {
	var names []string
	for _, p := range m.s.projects {
		if t.permits(ScopeRead, p.name) {
			names = append(names, p.name)
		}
	}
	if len(names) == 0 {
		return nil
	}
	key := strings.Join(names, " ") // which no name has
	m.mu.Lock()
	defer m.mu.Unlock()
	if known := m.known[key]; known != nil {
		return known
	}
	if len(m.known) >= mostServers {
		clear(m.known)
	}
	projects := make([]mcpserver.Project, len(names))
	for i, name := range names {
		p := m.s.served(name)
		projects[i] = mcpserver.Project{
			Name:  name,
			Place: func(context.Context) call.Place { return &place{of: p} },
			Search: func(ctx context.Context, q app.SearchQuery) (*app.RecordSearch, error) {
				return m.s.searchOf(ctx, name, q)
			},
		}
	}
	m.known[key] = mcpserver.New(projects, mcpserver.Options{Version: app.Version(), Stateless: true, Most: m.s.answer / 4, Told: m.told, Until: func(ctx context.Context) context.Context {
		return ctx.Value(exchangeKey{}).(*exchange).r.Context()
	}})
	return m.known[key]
}

// searchOf looks for a text in what was recorded of one project.
func (s *Server) searchOf(ctx context.Context, project string, q app.SearchQuery) (*app.RecordSearch, error) {
	if q.Session != "" {
		var err error
		if q.Session, err = inProject(project, q.Session, cento.Position{}); err != nil {
			return nil, err
		}
	}
	ctx, done, err := s.storeCall(ctx, "search")
	if err != nil {
		return nil, err
	}
	found, err := s.store.Log(app.Projects{Name: project}).Search(ctx, q)
	done(err)
	if ofNoSession(err) {
		err = noSession(q.Session, "")
	}
	return found, err
}

// told is what a client may read of an error: of a failure of the service, that there
// was one. The log has the rest.
func (m *mcpServers) told(ctx context.Context, err error) error {
	if app.Refused(err) {
		return err
	}
	x, _ := ctx.Value(exchangeKey{}).(*exchange)
	id := ""
	if x != nil {
		id = x.id
	}
	m.s.log.Error("a question of an MCP client failed", "request", id, "error", err.Error())
	e := told(err)
	return &cento.SourceError{Code: e.Code, Message: e.Message, Hint: e.Hint}
}

// answerMCP answers a message. What is wrong with it as a message is told as the
// protocol has it.
func answerMCP(x *exchange) error {
	if x.s.mcp.of(x.token) == nil {
		return notFound(x.r.URL.Path, "")
	}
	_ = http.NewResponseController(x.w).SetWriteDeadline(time.Now().Add(mostTime)) // where a connection takes none, nothing waits for it
	if err := x.again(); err != nil {
		return err
	}
	if body := bytes.TrimLeft(x.arrived.body, " \t\r\n"); len(body) > 0 && body[0] == '[' {
		return refused(http.StatusBadRequest, "value.invalid", "the body is a batch of messages, which the protocol no longer has", "send each message in a request of its own")
	}
	if err := x.r.Context().Err(); err != nil { // the library may answer a short question all the same
		return err
	}
	x.s.mcp.handler.ServeHTTP(x.w, x.r)
	switch {
	case x.w.status != 0:
		return nil
	case x.w.over:
		return x.tooLong()
	}
	return x.r.Context().Err() // it had no time to answer
}
