package serve

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
)

// smallBytes is how much of a body or of an answer a connection may hold of itself. It
// costs about as much anyway.
const smallBytes = 16 << 10

// room bounds the memory of what is on its way from clients and to them. A request takes
// its place among those under way when its body is there, and gives it up when its answer
// is: so a slow line keeps nobody else waiting. What slow lines hold has to end somewhere.
type room struct{ left atomic.Int64 }

// open makes room for as many of the longest bodies as requests may be under way.
func (r *room) open(c *Config) {
	longest := c.MaxBody + 1 // the end is seen behind it
	if longest < 1 || longest > math.MaxInt64/int64(c.MaxInFlight) {
		r.left.Store(math.MaxInt64)
		return
	}
	r.left.Store(longest * int64(c.MaxInFlight))
}

// take reports whether there was room for so many bytes, which is given back then.
func (r *room) take(bytes int64) bool {
	for {
		left := r.left.Load()
		if left < bytes {
			return false
		}
		if r.left.CompareAndSwap(left, left-bytes) {
			return true
		}
	}
}

func (r *room) give(bytes int64) { r.left.Add(bytes) }

// arrived is the body of a request, or why there is none. The handler is told, so what is
// wrong with the address is told before.
type arrived struct {
	body []byte
	err  error
	held int64 // of the room for bodies
}

// receive reads the body of a request that says it is JSON, up to a limit; of others
// nothing is read. hint says what to do about a longer one.
func (x *exchange) receive(most int64, hint string) {
	if x.saysJSON() && !x.empty() {
		x.arrived.body, x.arrived.err = x.body(most, hint)
	}
}

// forget gives up the room of the body.
func (x *exchange) forget() {
	x.s.bodies.give(x.arrived.held)
	x.arrived = arrived{}
}

// saysJSON reports whether the request says that its body is JSON, or needs to say
// nothing.
func (x *exchange) saysJSON() bool {
	kind, _, _ := strings.Cut(x.r.Header.Get("Content-Type"), ";")
	return x.empty() || strings.EqualFold(strings.TrimSpace(kind), "application/json")
}

// empty reports whether there is nothing at all: a request without keys.
func (x *exchange) empty() bool {
	return x.r.Header.Get("Content-Type") == "" && x.r.ContentLength == 0
}

// jsonBody is the body that arrived, for a request that has to say that it is JSON: a form
// of a page of another site can't.
func (x *exchange) jsonBody() ([]byte, error) {
	switch {
	case !x.saysJSON():
		return nil, refused(http.StatusUnsupportedMediaType, WrongType, "the body isn't said to be JSON", "send Content-Type: application/json")
	case x.empty():
		return []byte("{}"), nil
	}
	return x.arrived.body, x.arrived.err
}

// again gives a handler of another library the body to read; an error tells why there is
// none. What isn't said to be JSON is left for it to refuse.
func (x *exchange) again() error {
	if x.saysJSON() && !x.empty() {
		x.r.Body = io.NopCloser(bytes.NewReader(x.arrived.body))
	}
	return x.arrived.err
}

// body reads what came with the request, up to a limit, before the time of the request is
// over. hint says what to do about a longer one.
func (x *exchange) body(most int64, hint string) ([]byte, error) {
	tooBig := func() error {
		x.w.Header().Set("Connection", "close")
		return refused(http.StatusRequestEntityTooLarge, TooBig, fmt.Sprintf("the body has more than %d bytes", most), hint)
	}
	if x.r.ContentLength > most {
		return nil, tooBig()
	}
	b, err := x.readAll(http.MaxBytesReader(x.w.ResponseWriter, x.r.Body, most), most)
	_, long := errors.AsType[*http.MaxBytesError](err)
	timeout, isNet := errors.AsType[net.Error](err)
	_, full := errors.AsType[*problem](err)
	switch {
	case err == nil:
		return b, nil
	case long:
		return nil, tooBig()
	case isNet && timeout.Timeout():
		x.w.Header().Set("Connection", "close")
		return nil, refused(http.StatusRequestTimeout, TooSlow, "the body didn't come in time", "")
	case full:
		x.w.Header().Set("Connection", "close")
		return nil, err
	}
	x.w.Header().Set("Connection", "close")
	return nil, refused(http.StatusBadRequest, WrongHeader, "the body ended before its end", "")
}

// readAll is [io.ReadAll] of at most so many bytes, as long as there is room.
func (x *exchange) readAll(from io.Reader, most int64) ([]byte, error) {
	b := make([]byte, 0, min(max(x.r.ContentLength+1, 512), smallBytes)) // the end is seen behind the last byte
	for {
		n, err := from.Read(b[len(b):cap(b)])
		b = b[:len(b)+n]
		if err == io.EOF {
			return b, nil
		}
		if err != nil {
			return b, err
		}
		if len(b) < cap(b) {
			continue
		}
		size := min(2*int64(cap(b)), most+1)
		if size > smallBytes {
			if !x.s.bodies.take(size - x.arrived.held) {
				return b, x.s.gate.full()
			}
			x.arrived.held = size
		}
		b = slices.Grow(b, int(size)-len(b))
	}
}

// sending gives the place of a request up, whose answer is made and has so many bytes: as
// long as there is room for it, nobody waits for who reads it. It is to be called when
// the answer was sent.
func (x *exchange) sending(size int) (sent func()) {
	if size > smallBytes {
		if !x.s.answers.take(int64(size)) {
			return func() {}
		}
		sent = func() { x.s.answers.give(int64(size)) }
	} else {
		sent = func() {}
	}
	x.leave()
	return sent
}
