package call

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/manifest"
)

// lineName stands for a line of a stream in positions, as long as it isn't known
// what it asks.
const lineName = "<line>.json"

// Reply is the line that answers a line of a stream. Exactly one of Result and
// Error is there.
type Reply struct {
	// ID is that of the line; null for one that can't be read.
	ID json.RawMessage `json:"id"`
	// Result is what the operation answers.
	Result any `json:"result,omitempty"`
	// AsOf is when the files were read that the result is made of, where the project is
	// kept from one request to the next; of several the time of those read first.
	AsOf *time.Time `json:"as_of,omitempty"`
	// Error says what is wrong, as for a single request.
	Error *app.ErrorObject `json:"error,omitempty"`
}

// Stream answers a line a request with a line an answer, as finished, up to so many
// at once. It ends at the end of the input, when all are answered, or when the
// context does. flush is called when the last line that came is answered. The error
// is one of reading or writing.
func Stream(ctx context.Context, in io.Reader, out io.Writer, flush func() error, jobs int, o Options) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	s := &stream{to: out, out: json.NewEncoder(out), flush: flush, stop: stop}
	s.out.SetEscapeHTML(false)
	given := new(answers)
	lines := make(chan []byte)
	read := make(chan error, 1)
	go func() { // a read can't be called off, so it is left behind
		defer close(lines)
		read <- readLines(ctx, in, s, lines)
	}()
	var workers sync.WaitGroup
	for range max(jobs, 1) {
		workers.Go(func() {
			for {
				select {
				case <-ctx.Done():
					return
				case line, ok := <-lines:
					if !ok {
						return
					}
					s.reply(answerLine(ctx, line, given, o))
				}
			}
		})
	}
	workers.Wait()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return <-read
}

// stream is where the answers go.
type stream struct {
	mu    sync.Mutex
	to    io.Writer
	out   *json.Encoder // to the same
	line  []byte        // memory of the last one that wasn't encoded anew
	flush func() error
	stop  context.CancelCauseFunc
	// open is how many lines wait for their answer or are known to come.
	open int
}

// expect tells that a line came.
func (s *stream) expect() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open++
}

// reply writes an answer. Whoever waits for the last one gets it at once.
func (s *stream) reply(r Reply) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open--
	err := s.write(r)
	if err == nil && s.open == 0 {
		err = s.flush()
	}
	if err != nil {
		s.stop(err)
	}
}

// write writes an answer on a line.
func (s *stream) write(r Reply) error {
	text, ok := r.Result.(encoded)
	if !ok {
		return s.out.Encode(r)
	}
	s.line = append(append(s.line[:0], `{"id":`...), r.ID...)
	s.line = append(append(append(s.line, `,"result":`...), text...), "}\n"...)
	_, err := s.to.Write(s.line)
	return err
}

// readLines hands lines on. One that is too long is answered here, and the rest of
// it passed over.
func readLines(ctx context.Context, in io.Reader, s *stream, lines chan<- []byte) error {
	limit := app.RequestLimits().File
	r := bufio.NewReaderSize(in, 64<<10)
	for {
		line, long, err := readLine(r, limit)
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if len(bytes.TrimSpace(line)) > 0 || long {
			s.expect()
			if long {
				s.reply(failed(nil, &cento.SourceError{
					Code: cento.LimitExceeded, Position: cento.Position{File: lineName}, Message: fmt.Sprintf("a line has more than %d bytes", limit),
				}))
			} else {
				select {
				case lines <- line:
				case <-ctx.Done():
					return nil
				}
			}
		}
		if err != nil {
			return nil
		}
	}
}

// readLine reads up to a line end, or the end; long tells of more than the limit.
func readLine(r *bufio.Reader, limit int) (line []byte, long bool, err error) {
	for {
		part, err := r.ReadSlice('\n')
		if long = long || len(line)+len(part) > limit; !long {
			line = append(line, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, long, err
		}
	}
}

// answerLine answers one line.
func answerLine(ctx context.Context, line []byte, given *answers, o Options) (r Reply) {
	l, err := manifest.ParseLine(lineName, line, app.RequestLimits())
	if err != nil {
		return failed(nil, err)
	}
	defer func() { // the others are still to be answered
		if bug := recover(); bug != nil {
			r = failed(l.ID, fmt.Errorf("this is a mistake in cento, please report it: %v", bug))
		}
	}()
	o.read = new(asOf)
	result, err := given.answer(ctx, l.Op, l.Request, o)
	if err != nil {
		return failed(l.ID, err)
	}
	r = Reply{ID: l.ID, Result: result}
	if at := o.read.at.UTC(); !at.IsZero() {
		r.AsOf = &at
	}
	return r
}

// failed is the answer that something went wrong.
func failed(id json.RawMessage, err error) Reply {
	body := app.Failure(err)
	return Reply{ID: id, Error: &body.Error}
}
