package lsp

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
)

// maxMessage is how long a message may be, in bytes, and maxHeader a line before it.
const (
	maxMessage = 64 << 20
	maxHeader  = 4 << 10
)

// conn is a connection: messages with their length before them, as the protocol has it.
// One goroutine reads; any number write.
type conn struct {
	in  *bufio.Reader
	mu  sync.Mutex
	out io.Writer
}

// read gives the next message. Its error ends the connection: nobody knows where the
// next one begins. It is io.EOF where the input ends between two.
func (c *conn) read() ([]byte, error) {
	size, begun := -1, false
	for {
		line, err := c.header()
		switch {
		case errors.Is(err, io.EOF) && !begun && line == "":
			return nil, io.EOF
		case err != nil:
			return nil, fmt.Errorf("reading a header: %w", err)
		}
		if line == "" && !begun {
			continue
		}
		if line == "" {
			break
		}
		begun = true
		name, value, ok := strings.Cut(line, ":")
		if !ok {
			return nil, fmt.Errorf("the header %.100q has no colon", line)
		}
		if !strings.EqualFold(strings.TrimSpace(name), "Content-Length") {
			continue
		}
		if size, err = strconv.Atoi(strings.TrimSpace(value)); err != nil || size < 0 || size > maxMessage {
			return nil, fmt.Errorf("a message of %.100q bytes: up to %d are read", strings.TrimSpace(value), maxMessage)
		}
	}
	if size < 0 {
		return nil, errors.New("a message without its length")
	}
	// What was promised needn't come: memory is taken as bytes arrive.
	body, err := io.ReadAll(io.LimitReader(c.in, int64(size)))
	if err == nil && len(body) < size {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return nil, fmt.Errorf("reading a message: %w", err)
	}
	return body, nil
}

// header is one line before a message, without its end.
func (c *conn) header() (string, error) {
	var line []byte
	for {
		b, err := c.in.ReadByte()
		if err != nil {
			if len(line) > 0 && errors.Is(err, io.EOF) {
				err = io.ErrUnexpectedEOF
			}
			return string(line), err
		}
		if b == '\n' {
			return strings.TrimSuffix(string(line), "\r"), nil
		}
		if line = append(line, b); len(line) > maxHeader {
			return "", fmt.Errorf("a line of more than %d bytes", maxHeader)
		}
	}
}

func (c *conn) write(body []byte) error {
	message := fmt.Appendf(make([]byte, 0, len(body)+32), "Content-Length: %d\r\n\r\n", len(body))
	c.mu.Lock()
	defer c.mu.Unlock()
	_, err := c.out.Write(append(message, body...))
	return err
}

// notify tells the editor of something.
func (c *conn) notify(method string, params any) error {
	data, err := protocol.Marshal(params)
	if err != nil {
		return err
	}
	return c.write(jsonrpc2.AppendNotification(nil, method, data))
}

// answer answers a request, with an error if there is one.
func (c *conn) answer(id jsonrpc2.ID, v any, failed error) error {
	if failed == nil {
		var data []byte
		if data, failed = protocol.Marshal(v); failed == nil {
			return c.write(jsonrpc2.AppendResponse(nil, id, data, nil))
		}
	}
	var known *jsonrpc2.Error
	switch {
	case errors.As(failed, &known):
	case errors.Is(failed, context.Canceled):
		known = protocol.ErrRequestCancelled
	default:
		known = jsonrpc2.NewError(jsonrpc2.InternalError, failed.Error())
	}
	return c.write(jsonrpc2.AppendResponse(nil, id, nil, known))
}
