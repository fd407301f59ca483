package toolserver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/cento-dev/cento/project/consent"
)

// connection is a server that is reached over HTTP.
type connection struct {
	server consent.Server
	client *http.Client
	door   *http.Transport
	all    *allowance             // of all answers together
	fault  atomic.Pointer[string] // what is wrong with the last answer to a message; nil for nothing
	ctx    context.Context
	stop   context.CancelFunc
}

// connectTo prepares to reach a server: one host, and no more than it may say.
func connectTo(ctx context.Context, s consent.Server) *connection {
	c := &connection{server: s, all: &allowance{left: maxTraffic}}
	c.ctx, c.stop = context.WithCancel(ctx)
	if standard, ok := http.DefaultTransport.(*http.Transport); ok {
		c.door = standard.Clone()
	} else {
		c.door = &http.Transport{Proxy: http.ProxyFromEnvironment}
	}
	c.client = &http.Client{Transport: c, CheckRedirect: func(req *http.Request, via []*http.Request) error {
		if first := via[0].URL; req.URL.Host != first.Host || req.URL.Scheme != first.Scheme {
			return errors.New("it leads to another host, which nobody approved")
		}
		if len(via) > 5 {
			return errors.New("it leads on and on")
		}
		return nil
	}}
	return c
}

func (c *connection) transport() mcp.Transport {
	return &mcp.StreamableClientTransport{Endpoint: c.server.URL, HTTPClient: c.client, MaxRetries: -1, DisableStandaloneSSE: true, MaxEventSize: maxTraffic}
}

// RoundTrip makes one request, which ends with the listing: the SDK's farewell
// has a context of its own.
func (c *connection) RoundTrip(req *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancel(req.Context())
	unhook := context.AfterFunc(c.ctx, cancel)
	end := func() { unhook(); cancel() }
	if req.Method == http.MethodDelete { // the farewell, which nobody waits for long
		timer := time.AfterFunc(grace, cancel)
		end = func() { timer.Stop(); unhook(); cancel() }
	}
	answer, err := c.door.RoundTrip(req.WithContext(ctx))
	if err != nil {
		end()
		return nil, err
	}
	if req.Method == http.MethodPost {
		c.fault.Store(faultOf(answer))
	}
	answer.Body = &answerBody{answer.Body, c.all, end}
	return answer, nil
}

// ownCodes are those of the SDK's own errors: about a server or a client that closes, and
// a message that its transport refuses.
var ownCodes = []int64{-32004, -32003, -32005}

// faultOf is what keeps an answer from being one of the protocol; nil for nothing.
func faultOf(answer *http.Response) *string {
	kind, _, _ := mime.ParseMediaType(answer.Header.Get("Content-Type")) // of what isn't one nothing is left
	said := ""
	switch {
	case answer.StatusCode >= http.StatusBadRequest:
		said = fmt.Sprintf("it answers with %d %s", answer.StatusCode, http.StatusText(answer.StatusCode))
	case answer.StatusCode == http.StatusOK && kind != "application/json" && kind != "text/event-stream":
		said = fmt.Sprintf("it answers with the content type %q, and an MCP server answers with JSON or events", kind)
	default:
		return nil
	}
	return &said
}

// answerBody takes what is read off the sum of all answers.
type answerBody struct {
	io.ReadCloser
	all *allowance
	end func()
}

func (b *answerBody) Read(buf []byte) (int, error) { return b.all.read(b.ReadCloser, buf) }

func (b *answerBody) Close() error {
	defer b.end()
	return b.ReadCloser.Close()
}

func (c *connection) close() {
	c.stop()
	c.door.CloseIdleConnections()
}

// explain words an error without the address, whose query may hold a
// credential.
func (c *connection) explain(err error) error {
	if err == nil {
		return nil
	}
	if c.all.isOver() {
		return fmt.Errorf("%w: it said more than %d bytes", errBound, maxTraffic)
	}
	// The SDK tells of that or of its connection, which closes for it: whichever is first.
	// What the server itself says in the words of the protocol tells more.
	said := c.fault.Load()
	if e, ok := errors.AsType[*jsonrpc.Error](err); said != nil && (!ok || slices.Contains(ownCodes, e.Code)) {
		return errors.New(*said)
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("it ended the connection in the middle")
	}
	if e, ok := errors.AsType[*url.Error](err); ok {
		return e.Err
	}
	if u, parseErr := url.Parse(c.server.URL); parseErr == nil && u.RawQuery != "" {
		return errors.New("the connection failed")
	}
	return err
}
