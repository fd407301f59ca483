package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Serve serves the client that writes to in and reads from out, a message a line. It
// ends when in does, and everything is answered that was asked until then. Each message
// is flushed. A line that is no message is answered, and takes nothing along.
func (s *Server) Serve(ctx context.Context, in io.Reader, out io.Writer, flush func() error) error {
	answers := &lines{Writer: out, flush: flush}
	err := s.Run(ctx, patient{&mcp.IOTransport{Reader: io.NopCloser(newMessages(in, answers)), Writer: answers}})
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// lines hands each message on at once. The library writes to it, and whoever refuses a line.
type lines struct {
	io.Writer
	mu    sync.Mutex
	flush func() error
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	n, err := l.Writer.Write(p)
	if err == nil {
		err = l.flush()
	}
	return n, err
}

func (*lines) Close() error { return nil }

// patient is a transport whose end is known only when every question is answered: the
// library drops those under way.
type patient struct{ mcp.Transport }

func (p patient) Connect(ctx context.Context) (mcp.Connection, error) {
	c, err := p.Transport.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &patientConnection{Connection: c, open: map[jsonrpc.ID]bool{}, answered: make(chan struct{}, 1), closed: make(chan struct{})}, nil
}

type patientConnection struct {
	mcp.Connection
	mu   sync.Mutex
	open map[jsonrpc.ID]bool // questions without an answer, but for listening
	// answered gets a value when the last one is.
	answered chan struct{}
	closed   chan struct{}
	once     sync.Once
}

// listening is a question that is answered when the client no longer wants to hear of
// changes: nobody waits for that.
const listening = "subscriptions/listen"

func (c *patientConnection) Read(ctx context.Context) (jsonrpc.Message, error) {
	m, err := c.Connection.Read(ctx)
	if r, ok := m.(*jsonrpc.Request); ok && err == nil && r.IsCall() && r.Method != listening {
		c.mu.Lock()
		c.open[r.ID] = true
		c.mu.Unlock()
	}
	if err != nil {
		c.wait(ctx)
	}
	if err != nil && !errors.Is(err, io.EOF) && ctx.Err() == nil {
		err = fmt.Errorf("reading what the client writes: %w", err)
	}
	return m, err
}

// wait returns when nothing is open, or nobody waits for it any more.
func (c *patientConnection) wait(ctx context.Context) {
	for {
		c.mu.Lock()
		open := len(c.open)
		c.mu.Unlock()
		if open == 0 {
			return
		}
		select {
		case <-c.answered:
		case <-ctx.Done():
			return
		case <-c.closed:
			return
		}
	}
}

func (c *patientConnection) Write(ctx context.Context, m jsonrpc.Message) error {
	err := c.Connection.Write(ctx, m)
	if r, ok := m.(*jsonrpc.Response); ok {
		c.mu.Lock()
		delete(c.open, r.ID)
		c.mu.Unlock()
		select {
		case c.answered <- struct{}{}:
		default:
		}
	}
	return err
}

func (c *patientConnection) Close() error {
	c.once.Do(func() { close(c.closed) })
	return c.Connection.Close()
}
