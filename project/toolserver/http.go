package toolserver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/cento-dev/cento/project/consent"
)

// connection is a server that is reached over HTTP.
type connection struct {
	server consent.Server
	client *http.Client
	door   *http.Transport
	all    *allowance // of all answers together
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
	answer.Body = &answerBody{answer.Body, c.all, end}
	return answer, nil
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
