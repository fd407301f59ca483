package mcpserver

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// messages is what a client writes, without the lines that are no message: at one of them
// the library would end the connection.
type messages struct {
	in   *bufio.Reader
	out  io.Writer // where lines are refused
	rest []byte    // of the line that is read
	err  error     // behind it
}

func newMessages(in io.Reader, out io.Writer) *messages {
	return &messages{in: bufio.NewReader(in), out: out}
}

// Read reads from the next line that is a message.
func (m *messages) Read(p []byte) (int, error) {
	for len(m.rest) == 0 {
		if m.err != nil {
			return 0, m.err
		}
		var line []byte
		if line, m.err = m.line(); len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		if code, fault := faultOf(line); fault != nil {
			if err := m.refuse(code, fault); err != nil {
				return 0, err
			}
			continue
		}
		m.rest = line
	}
	n := copy(p, m.rest)
	m.rest = m.rest[n:]
	return n, nil
}

// line is the next line with its end. Of one that is longer than a message may be, only so
// much is kept as tells it.
func (m *messages) line() ([]byte, error) {
	var line []byte
	for {
		part, err := m.in.ReadSlice('\n')
		if room := mcp.DefaultMaxLineLength + 1 - len(line); len(part) > room {
			part = part[:room]
		}
		line = append(line, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

// faultOf is why a line is no message, with the code of JSON-RPC; nil for one that is.
func faultOf(line []byte) (code int64, _ error) {
	if len(line) > mcp.DefaultMaxLineLength {
		return jsonrpc.CodeParseError, fmt.Errorf("the line is longer than %d bytes", mcp.DefaultMaxLineLength)
	}
	var several []json.RawMessage
	if err := json.Unmarshal(line, &several); err == nil {
		return 0, nil // a batch, which the library takes or refuses
	}
	if !json.Valid(line) {
		return jsonrpc.CodeParseError, fmt.Errorf("the line is no JSON, and a message is one line: %w", json.Unmarshal(line, new(any)))
	}
	if _, err := jsonrpc.DecodeMessage(line); err != nil {
		return jsonrpc.CodeInvalidRequest, fmt.Errorf("the line is no message of JSON-RPC 2.0: %w", err)
	}
	return 0, nil
}

// refuse answers a line that is no message, whose id nobody knows.
func (m *messages) refuse(code int64, fault error) error {
	type wireError struct {
		Code    int64  `json:"code"`
		Message string `json:"message"`
	}
	data, err := json.Marshal(struct {
		Version string    `json:"jsonrpc"`
		ID      any       `json:"id"`
		Error   wireError `json:"error"`
	}{"2.0", nil, wireError{code, fault.Error()}})
	if err != nil {
		return err
	}
	_, err = m.out.Write(append(data, '\n'))
	return err
}
