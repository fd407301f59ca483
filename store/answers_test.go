package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"testing"
)

// serverError is an error that a server tells by its state, in words of any meaning.
type serverError string

func (e serverError) Error() string    { return "conn closed, says state " + string(e) }
func (e serverError) SQLState() string { return string(e) }

// TestLostConnections: by what an error says it is known that nobody answers any more, so
// that a connection isn't used again, and whether something was stored isn't guessed.
func TestLostConnections(t *testing.T) {
	for _, c := range []struct {
		err  error
		want bool
	}{
		{io.EOF, true}, {io.ErrUnexpectedEOF, true}, {driver.ErrBadConn, true}, {sql.ErrConnDone, true}, {net.ErrClosed, true}, {errors.New("conn closed"), true},
		{&net.OpError{Op: "read", Err: os.ErrDeadlineExceeded}, true}, {&net.DNSError{}, true},
		{serverError("57P01"), true}, {serverError("57P03"), true}, {serverError("08006"), true},
		{serverError("57014"), false}, {serverError("40001"), false}, {serverError("23505"), false},
		{context.Canceled, false}, {sql.ErrNoRows, false}, {errors.New("disk full"), false},
	} {
		for _, err := range []error{c.err, fmt.Errorf("asked: %w", c.err)} {
			if got := lostConnection(err); got != c.want {
				t.Errorf("%v: %t", err, got)
			}
		}
	}
}

// TestKeysForEver: without a time for them keys count as long as their session is there,
// however many come after.
func TestKeysForEver(t *testing.T) {
	onBoth(t, func(t *testing.T, place string) {
		s := open(t, place, Options{Clock: clock()})
		commit := func(key int) *Committed {
			t.Helper()
			done, err := s.Commit(t.Context(), Transition{Key: fmt.Sprint(key), Changes: []Change{{Session: "s", Expect: AnyVersion, State: []byte("{}")}}})
			if err != nil {
				t.Fatal(err)
			}
			return done
		}
		const keys = sweepKeys + 2
		for i := range keys {
			commit(i)
		}
		for i := range keys {
			if done := commit(i); !done.Replayed || done.Versions[0] != int64(i+1) {
				t.Errorf("key %d is answered %+v", i, done)
			}
		}
	})
}
