package mcpserver

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/call"
	"github.com/cento-dev/cento/internal/nearest"
	"github.com/cento-dev/cento/internal/quote"
)

// Server answers clients about projects.
type Server struct {
	projects []Project
	tell     func(context.Context, error) error // nil: as it is
	most     int                                // bytes that an answer of a tool may have
	mcp      *mcp.Server

	kept     call.Kept
	watching *watching // nil: nobody hears of changes

	mu sync.Mutex
	// prompts and resources are those that were offered last: what they say of
	// themselves, by their names and addresses; of prompts for each project.
	prompts   map[string]map[string]string
	resources map[string]string
}

// instructions tell a model what the server is for.
const instructions = `Cento assembles the system prompts of AI agents from fragments and knows the origin of every byte. Ask why a sentence is in a prompt (why), what is in it and what isn't (explain), what it would be otherwise (diff), and what is doubtful about it (check).`

// Options are what a server is besides its projects.
type Options struct {
	// Version is that of the program.
	Version string
	// Stateless: each message stands alone, so no client is told that a list changed.
	Stateless bool
	// Until is the context that ends a question, beside the one of the connection: with
	// older versions of the protocol the library lets a question go on after its request.
	// Nil: none.
	Until func(context.Context) context.Context
	// Most is how many bytes an answer of a tool may have; 0: a quarter of [call.MostAnswer],
	// since a message has it twice, once as a string in which every quote is escaped.
	Most int
	// Told is what a client may read of an error; nil: all of it.
	Told func(context.Context, error) error
}

// New makes a server of projects, at least one, whose names differ.
func New(projects []Project, o Options) *Server {
	s := &Server{projects: projects, tell: o.Told, most: cmp.Or(o.Most, call.MostAnswer/4), prompts: map[string]map[string]string{}, resources: map[string]string{}}
	settings := &mcp.ServerOptions{
		Instructions: instructions,
		SetCacheable: func(_ context.Context, _ mcp.Request, c *mcp.Cacheable) { c.CacheScope = "private" },
		Capabilities: &mcp.ServerCapabilities{
			Tools: &mcp.ToolCapabilities{}, Prompts: &mcp.PromptCapabilities{ListChanged: !o.Stateless}, Resources: &mcp.ResourceCapabilities{ListChanged: !o.Stateless},
		},
	}
	if !o.Stateless {
		s.watching = newWatching()
		settings.SubscribeHandler, settings.UnsubscribeHandler = s.subscribe, s.unsubscribe
	}
	s.mcp = mcp.NewServer(&mcp.Implementation{Name: "cento", Title: "Cento", Version: o.Version}, settings)
	var names []string
	for _, t := range s.tools() {
		s.mcp.AddTool(t.tool, t.answer)
		names = append(names, t.tool.Name)
	}
	s.addTemplates()
	s.mcp.AddReceivingMiddleware(s.freshLists, s.knownTools(names), s.recovered)
	if o.Until != nil {
		s.mcp.AddReceivingMiddleware(until(o.Until))
	}
	return s
}

// Run serves one client over a transport, until it leaves or the context ends. It is for a
// server that isn't stateless, and called once.
func (s *Server) Run(ctx context.Context, t mcp.Transport) error {
	following, stop := context.WithCancel(ctx)
	ended := make(chan struct{})
	s.offerPrompts(ctx, s.projects) // so that the first list is no change
	s.offerResources(ctx)
	go func() { defer close(ended); s.follow(following) }()
	defer func() { stop(); <-ended }()
	return s.mcp.Run(ctx, t)
}

// freshLists reads the projects before a client is told what there is.
func (s *Server) freshLists(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		switch method {
		case "prompts/list":
			s.offerPrompts(ctx, s.projects)
		case "prompts/get": // of a target that may be new
			if err := s.freshPrompt(ctx, req); err != nil {
				return nil, err
			}
		case "resources/list":
			s.offerResources(ctx)
		}
		result, err := next(ctx, method, req)
		if read, ok := req.(*mcp.ReadResourceRequest); ok && notFound(err) {
			return s.resource(ctx, read) // the library doesn't say what is wrong with the address
		}
		return result, err
	}
}

// knownTools answers a call of a tool that there isn't with those there are.
func (s *Server) knownTools(names []string) mcp.Middleware {
	hint := "the tools are " + nearest.List(names)
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			called, ok := req.GetParams().(*mcp.CallToolParamsRaw)
			if !ok || slices.Contains(names, called.Name) {
				return next(ctx, method, req)
			}
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf("there is no tool %q; %s", quote.Clip(called.Name, 80), nearest.Hint(called.Name, names, hint))}
		}
	}
}

// until ends questions with another context than their own.
func until(of func(context.Context) context.Context) mcp.Middleware {
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			ctx, cancel := context.WithCancel(ctx)
			defer cancel()
			defer context.AfterFunc(of(ctx), cancel)()
			return next(ctx, method, req)
		}
	}
}

// recovered ends a question at which the program made a mistake: the others, and the
// process, go on.
func (s *Server) recovered(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (_ mcp.Result, err error) {
		defer func() {
			if bug := recover(); bug != nil {
				err = s.told(ctx, fmt.Errorf("this is a mistake in cento, please report it: %v", bug))
			}
		}()
		return next(ctx, method, req)
	}
}

// options are those of questions to the operations that every door has.
func (s *Server) options(ctx context.Context) call.Options {
	o := call.Options{Sealed: true, Places: func(name string) (call.Place, error) {
		p, err := s.project(name)
		if err != nil {
			return nil, err
		}
		return s.place(ctx, p)
	}}
	if len(s.projects) == 1 {
		o.Default = s.projects[0].Name
	}
	return o
}

// place is a project for one question.
func (s *Server) place(ctx context.Context, p *Project) (call.Place, error) {
	if p.Place != nil {
		return p.Place(ctx), nil
	}
	r, err := p.Request(ctx)
	if err != nil {
		return nil, err
	}
	return s.kept.Place(r), nil
}

// open is a project for a target; empty for none.
func (s *Server) open(ctx context.Context, p *Project, target string, vars []app.Assignment) (*app.Project, error) {
	place, err := s.place(ctx, p)
	if err != nil {
		return nil, err
	}
	_, r, err := place.Located()
	if err != nil {
		return nil, err
	}
	r.Target, r.Assignments = target, slices.Concat(r.Assignments, vars)
	open, err := place.Open(ctx, r)
	if kept, ok := place.(*call.KeptPlace); ok && s.watching != nil && len(vars) == 0 {
		s.watching.see(view{p.Name, target}, kept.Reading(r))
	}
	return open, err
}

// quoted is a name in a message. A client may give anything.
func quoted(name string) string { return strconv.Quote(quote.ClipRunes(name, 80)) }

// offer makes what is offered what there is: what is new or says something else of
// itself is added, what is gone removed. Clients are told of changes alone.
func offer(before map[string]string, now []offered, remove func(...string)) map[string]string {
	after := make(map[string]string, len(now))
	for _, x := range now {
		if about, ok := before[x.name]; !ok || about != x.about {
			x.add()
		}
		after[x.name] = x.about
	}
	for name := range before {
		if _, ok := after[name]; !ok {
			remove(name)
		}
	}
	return after
}

// offered is a prompt or a resource.
type offered struct {
	name string
	// about is all that its row says.
	about string
	add   func()
}
