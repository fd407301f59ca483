package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/cento-dev/cento/internal/tree"
	"golang.org/x/term"
)

// isTerminal reports whether somebody reads a stream on a screen.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
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
	c.catch()
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
			return nil, fmt.Errorf("reading %s from stdin: %w", what, tree.WithoutPath(r.err))
		case len(r.text) > maxStdin:
			return nil, wrongUse("", "%s on stdin: more than %d bytes", what, maxStdin)
		}
		return r.text, nil
	}
}

// writing words an error of a file or stream that a result goes to.
func writing(what string, err error) error {
	if errors.Is(err, fs.ErrNotExist) { // a file that isn't there is made
		return wrongUse("make the folder, or name another file", "writing %s: the folder %s isn't there", what, filepath.Dir(what))
	}
	return fmt.Errorf("writing %s: %w", what, tree.WithoutPath(err))
}
