package call

import (
	"bufio"
	"bytes"
	"cmp"
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

	op string
}

// Stream answers a line a request with a line an answer, as finished, up to so many
// at once. It ends at the end of the input, when all are answered, or when the
// context does. flush is called when the last line that came is answered. The error
// is one of reading or writing.
func Stream(ctx context.Context, in io.Reader, out io.Writer, flush func() error, jobs int, o Options) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	b := bufio.NewWriterSize(out, 64<<10) // as much as a pipe takes at once
	o.most = cmp.Or(o.most, MostAnswer)
	s := &stream{to: b, most: o.most, stop: stop, flush: func() error {
		if err := b.Flush(); err != nil {
			return err
		}
		return flush()
	}}
	s.out = json.NewEncoder(&s.encoded)
	s.out.SetEscapeHTML(false)
	given := new(answers)
	lines := make(chan []byte)
	free := make(chan []byte, max(jobs, 1)+1) // memory of lines that were answered
	read := make(chan error, 1)
	go func() { // a read can't be called off, so it is left behind
		defer close(lines)
		read <- readLines(ctx, in, s, lines, free)
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
					if cap(line) <= maxFree {
						select {
						case free <- line:
						default:
						}
					}
				}
			}
		})
	}
	workers.Wait()
	err := b.Flush() // what was answered before it was called off
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return errors.Join(<-read, err)
}

// maxFree bounds the memory of a line that is kept for the next.
const maxFree = 1 << 20

// stream is where the answers go.
type stream struct {
	mu      sync.Mutex
	to      io.Writer
	out     *json.Encoder // to encoded
	encoded bytes.Buffer
	most    int    // bytes of an answer
	line    []byte // memory of the last one that wasn't encoded anew
	flush   func() error
	stop    context.CancelCauseFunc
	// open is how many lines wait for their answer or are known to come.
	open int
}

// expect tells that lines came.
func (s *stream) expect(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open += n
}

// reply writes an answer. Whoever waits for the last one gets it at once.
func (s *stream) reply(r Reply) { s.done(func() error { return s.write(r) }) }

// skip tells that a line that was expected asks nothing.
func (s *stream) skip() { s.done(func() error { return nil }) }

func (s *stream) done(do func() error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open--
	err := do()
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
		if s.encoded.Cap() > maxFree {
			s.encoded = bytes.Buffer{}
		}
		s.encoded.Reset()
		if err := s.out.Encode(r); err != nil {
			return err
		}
		if s.encoded.Len() > s.most && r.Error == nil {
			return s.write(failed(r.ID, TooLong(s.most, Less(r.op))))
		}
		_, err := s.to.Write(s.encoded.Bytes())
		return err
	}
	s.line = append(append(s.line[:0], `{"id":`...), r.ID...)
	s.line = append(append(append(s.line, `,"result":`...), text...), "}\n"...)
	_, err := s.to.Write(s.line)
	return err
}

// readLines hands lines on. One that is too long is answered here, and the rest of
// it passed over. A line is expected as soon as all of it is there, so that what is
// answered meanwhile isn't flushed for nobody.
func readLines(ctx context.Context, in io.Reader, s *stream, lines chan<- []byte, free <-chan []byte) error {
	limit := app.RequestLimits().File
	r := bufio.NewReaderSize(in, 64<<10)
	expected := false // the line that is read next
	for {
		var line []byte
		select {
		case line = <-free:
		default:
		}
		line, long, err := readLine(r, line[:0], limit)
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		came := 0
		if !expected {
			came++
		}
		there, _ := r.Peek(r.Buffered()) // as much is there
		if expected = bytes.IndexByte(there, '\n') >= 0; expected {
			came++
		}
		s.expect(came)
		switch {
		case long:
			s.reply(failed(nil, &cento.SourceError{
				Code: cento.LimitExceeded, Position: cento.Position{File: lineName}, Message: fmt.Sprintf("a line has more than %d bytes", limit),
			}))
		case len(bytes.TrimSpace(line)) == 0:
			s.skip()
		default:
			select {
			case lines <- line:
			case <-ctx.Done():
				return nil
			}
		}
		if err != nil {
			return nil
		}
	}
}

// readLine reads up to a line end, or the end, into the memory of line; long tells of more
// than the limit.
func readLine(r *bufio.Reader, line []byte, limit int) (_ []byte, long bool, err error) {
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
	if l, ok := manifest.CutLine(line); ok {
		if a := given.find(l.Op, l.Request); a != nil {
			return Reply{ID: l.ID, Result: a} // which ParseLine and the operation took before
		}
	}
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
	r = Reply{ID: l.ID, Result: result, op: l.Op}
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
