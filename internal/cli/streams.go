package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"golang.org/x/term"
)

// stream is stdout. It keeps the first error, for those who write and don't
// look: a result that didn't arrive is a failure.
type stream struct {
	to     io.Writer
	failed error
}

func (s *stream) Write(b []byte) (int, error) {
	n, err := s.to.Write(b)
	if err != nil && s.failed == nil {
		s.failed = err
	}
	return n, err
}

// isTerminal reports whether somebody reads a stream on a screen.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// maxStdin bounds what is read from stdin, in bytes.
const maxStdin = 64 << 20

// readAll takes all of stdin, for as long as nobody interrupts: a read can't be
// called off, so it is left behind. what names it in errors.
func (c *console) readAll(ctx context.Context, what string) ([]byte, error) {
	type result struct {
		text []byte
		err  error
	}
	c.watch()
	done := make(chan result, 1)
	go func() {
		text, err := io.ReadAll(io.LimitReader(c.in, maxStdin+1))
		done <- result{text, err}
	}()
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case r := <-done:
		switch {
		case r.err != nil:
			return nil, fmt.Errorf("reading %s from stdin: %w", what, withoutPath(r.err))
		case len(r.text) > maxStdin:
			return nil, wrongUse("", "%s on stdin: more than %d bytes", what, maxStdin)
		}
		return r.text, nil
	}
}

// writing words an error of a file or stream that a result goes to.
func writing(what string, err error) error {
	return fmt.Errorf("writing %s: %w", what, withoutPath(err))
}

// withoutPath takes the operation and the path off an error: the message names
// what people know, and not the temporary file beside it.
func withoutPath(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	if e, ok := errors.AsType[*os.LinkError](err); ok {
		return e.Err
	}
	return err
}
