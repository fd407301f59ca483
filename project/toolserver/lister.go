package toolserver

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/cento-dev/cento/project/consent"
)

// The bounds of one listing.
const (
	// maxTools is how many tools one server may have.
	maxTools = 20_000
	// maxPages is how many pages a listing may come in.
	maxPages = 1_000
	// maxTraffic is how much a server may say in all, in bytes: JSON may take
	// more room on the way than it does when it is kept.
	maxTraffic = 2 * consent.MaxListing
)

// Lister asks servers. The zero value keeps nothing and hands nothing over.
type Lister struct {
	// Environ is the user's environment, as from [os.Environ].
	Environ []string
	// Cache is the folder in which listings are kept; empty: none are.
	Cache string
	// Version is the program's own, which servers are told.
	Version string

	mu    sync.Mutex
	asked map[string]*asked
}

// asked is a server that is being asked, or has been.
type asked struct {
	once    sync.Once
	listing consent.Listing
	err     error
}

// List asks a server, or gives what it said to this Lister before. When it gives
// no listing, the one that is kept is returned, with the reason; without one,
// that reason is the error.
func (l *Lister) List(ctx context.Context, s consent.Server, dir string) (consent.Listing, error) {
	key := cacheKey(s, dir)
	l.mu.Lock()
	if l.asked == nil {
		l.asked = map[string]*asked{}
	}
	a := l.asked[key]
	if a == nil {
		a = &asked{}
		l.asked[key] = a
	}
	l.mu.Unlock()
	a.once.Do(func() {
		kept, _ := l.about(key)
		var greeting int
		a.listing, greeting, a.err = l.ask(ctx, s, dir, kept.Initialize)
		if a.err == nil {
			l.keep(key, a.listing, greeting == initialize)
			return
		}
		if kept, err := l.Kept(s, dir); err == nil && ctx.Err() == nil {
			kept.Kept = a.err.Error()
			a.listing, a.err = kept, nil
		}
	})
	return a.listing, a.err
}

// errBound is a server that said more than it may: asking again is no use.
var errBound = errors.New("over a bound")

// The ways to greet a server. Protocol 2026-07-28 begins with `server/discover`, and
// falls back to `initialize` when that is refused. Older servers may end at a message
// that they don't expect, or leave it without an answer.
const (
	// discover waits [discoverFor] for an answer to `server/discover`.
	discover = iota
	// initialize sends no `server/discover`.
	initialize
	// patient waits for an answer to `server/discover` for as long as the server has.
	patient
)

// discoverFor is how long an answer to `server/discover` may take before a server
// is greeted in the older way.
const discoverFor = 2 * time.Second

// legacy is the newest protocol that begins with `initialize`.
const legacy = "2025-11-25"

// ask asks a server, and again when it ended in the middle or didn't take the way
// it was greeted. It tells which way worked; initialize first, for one that is
// known to want it.
func (l *Lister) ask(ctx context.Context, s consent.Server, dir string, old bool) (_ consent.Listing, greeting int, _ error) {
	timeout := s.Timeout
	if timeout <= 0 {
		timeout = consent.DefaultTimeout
	}
	slow := fmt.Errorf("it took longer than %s", time.Duration(timeout)*time.Second)
	ctx, stop := context.WithTimeoutCause(ctx, time.Duration(timeout)*time.Second, slow)
	defer stop()
	if old {
		greeting = initialize
	}
	broken, silent := false, old
	for {
		listing, met, err := l.once(ctx, s, dir, greeting)
		switch {
		case err == nil && met == byInitialize:
			return listing, initialize, nil
		case err == nil:
			return listing, greeting, nil
		case ctx.Err() != nil:
			return listing, greeting, context.Cause(ctx)
		case errors.Is(err, errBound), errors.Is(err, errStart):
			return consent.Listing{}, greeting, err
		case met.greeted() && !broken:
			broken = true
		case greeting == discover && !met.greeted():
			greeting, silent = initialize, met == late
		case greeting == initialize && !met.greeted() && silent:
			greeting = patient
		default:
			return consent.Listing{}, greeting, err
		}
	}
}

// meeting is what came of a greeting.
type meeting int

const (
	unmet meeting = iota
	late          // server/discover had no answer in time, and initialize failed
	byDiscover
	byInitialize
)

func (m meeting) greeted() bool { return m >= byDiscover }

// once starts or reaches a server, takes its listing, and ends it.
func (l *Lister) once(ctx context.Context, s consent.Server, dir string, greeting int) (consent.Listing, meeting, error) {
	if s.URL != "" {
		c := connectTo(ctx, s)
		listing, met, err := l.take(ctx, c.transport(), greeting)
		c.close()
		return listing, met, c.explain(err)
	}
	p, err := l.start(s, dir)
	if err != nil {
		return consent.Listing{}, unmet, err
	}
	// A server that says nothing holds the SDK's calls up; without its streams
	// they end.
	stop := context.AfterFunc(ctx, p.kill)
	listing, met, err := l.take(ctx, p.transport(), greeting)
	stop()
	p.end()
	return listing, met, p.explain(err, met.greeted())
}

// take greets a server and speaks MCP until the listing is whole.
func (l *Lister) take(ctx context.Context, transport mcp.Transport, greeting int) (listing consent.Listing, met meeting, err error) {
	client := mcp.NewClient(&mcp.Implementation{Name: "cento", Version: l.Version}, &mcp.ClientOptions{Capabilities: &mcp.ClientCapabilities{}})
	// The SDK leaves tools out that it takes for malformed, and says so to a log at
	// most. What a server lists is looked at before that.
	var page []*mcp.Tool
	client.AddSendingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			if method == "server/discover" && greeting == discover {
				within, stop := context.WithTimeout(ctx, discoverFor)
				defer stop()
				result, err := next(within, method, req)
				if err != nil && within.Err() != nil {
					met = late
				}
				return result, err
			}
			result, err := next(ctx, method, req)
			if list, ok := result.(*mcp.ListToolsResult); ok && list != nil {
				page = list.Tools
			}
			return result, err
		}
	})
	options := mcp.ClientSessionOptions{}
	if greeting == initialize {
		options.ProtocolVersion = legacy
	}
	session, err := client.Connect(ctx, transport, &options)
	if err != nil {
		return consent.Listing{}, met, err
	}
	defer session.Close()
	if met = byDiscover; session.InitializeResult().ProtocolVersion <= legacy {
		met = byInitialize
	}
	hello := session.InitializeResult()
	name := ""
	if hello.ServerInfo != nil {
		name = hello.ServerInfo.Name + " " + hello.ServerInfo.Version
	}
	var tools []consent.ListedTool
	if hello.Capabilities != nil && hello.Capabilities.Tools != nil {
		list := func(cursor string) ([]*mcp.Tool, string, error) {
			page = nil
			result, err := session.ListTools(ctx, &mcp.ListToolsParams{Cursor: cursor})
			if err != nil {
				return nil, "", err
			}
			return page, result.NextCursor, nil
		}
		if tools, err = pages(list); err != nil {
			return consent.Listing{}, met, err
		}
	}
	listing, err = consent.NewListing(name, hello.Instructions, tools)
	if err == nil && len(listing.Text) > consent.MaxListing {
		err = fmt.Errorf("%w: its listing has %d bytes, and %d may be", errBound, len(listing.Text), consent.MaxListing)
	}
	return listing, met, err
}

// pages takes all pages of a listing. A server may lead in a circle.
func pages(list func(cursor string) ([]*mcp.Tool, string, error)) ([]consent.ListedTool, error) {
	var tools []consent.ListedTool
	seen := map[string]bool{}
	for cursor := ""; ; {
		page, next, err := list(cursor)
		if err != nil {
			return nil, err
		}
		for _, t := range page {
			if t == nil {
				return nil, errors.New("it lists a tool that is null")
			}
			listed, err := listedTool(t)
			if err != nil {
				return nil, err
			}
			tools = append(tools, listed)
		}
		if len(tools) > maxTools {
			return nil, fmt.Errorf("%w: it lists more than %d tools", errBound, maxTools)
		}
		if cursor = next; cursor == "" {
			return tools, nil
		}
		if seen[cursor] {
			return nil, fmt.Errorf("%w: its pages lead in a circle", errBound)
		}
		if seen[cursor] = true; len(seen) >= maxPages {
			return nil, fmt.Errorf("%w: its listing has more than %d pages", errBound, maxPages)
		}
	}
}
