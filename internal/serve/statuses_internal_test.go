package serve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/app"
)

// TestStatusesOfErrors: each kind of error has its status, and whoever may ask again soon is
// told after how many seconds: where the store or the time was at fault, and nowhere else.
func TestStatusesOfErrors(t *testing.T) {
	of := func(code cento.ErrorCode) error { return &cento.SourceError{Code: code, Message: "m"} }
	inFile := &cento.SourceError{Code: "value.invalid", Message: "m", Position: cento.Position{File: "cento.yaml", Line: 1, Column: 1}}
	for _, c := range []struct {
		err           error
		status, retry int
	}{
		{context.DeadlineExceeded, http.StatusServiceUnavailable, 2}, {context.Canceled, http.StatusServiceUnavailable, 2},
		{of(app.StoreLocked), http.StatusServiceUnavailable, 2}, {of(app.StoreUncertain), http.StatusServiceUnavailable, 2}, {of(app.StoreClosed), http.StatusServiceUnavailable, 2},
		{of(app.UnknownSession), http.StatusNotFound, 0}, {of(app.StoreConflict), http.StatusConflict, 0}, {of(app.KeyReused), http.StatusUnprocessableEntity, 0},
		{of(cento.LimitExceeded), http.StatusRequestEntityTooLarge, 0}, {of("file.outside"), http.StatusForbidden, 0},
		{of("value.invalid"), http.StatusBadRequest, 0}, {inFile, http.StatusUnprocessableEntity, 0},
		{errors.New("whatever"), http.StatusInternalServerError, 0},
		{refused(http.StatusTeapot, "c", "m", "h"), http.StatusTeapot, 0}, {&problem{status: http.StatusTooManyRequests, retry: 7, err: &cento.SourceError{Message: "m"}}, http.StatusTooManyRequests, 7},
	} {
		for _, err := range []error{c.err, fmt.Errorf("asked: %w", c.err)} {
			if status, retry := statusOf(err); status != c.status || retry != c.retry {
				t.Errorf("%v: status %d, again after %d; want %d and %d", err, status, retry, c.status, c.retry)
			}
		}
	}
}

// TestStoreFailures: to ask again is told in words where it is in the header too: a store
// that is broken is so the next time.
func TestStoreFailures(t *testing.T) {
	for code, again := range map[cento.ErrorCode]bool{
		app.StoreLocked: true, app.StoreUnreachable: true, app.StoreFull: true, "store.corrupt": false, "store.foreign": false, "store.newer": false, "store.failed": false,
	} {
		p, retry := problemOf(&cento.SourceError{Code: code, Message: "/secret/place"}, "r")
		if strings.Contains(p.Hint, "ask again") != again || retry > 0 != again || p.Code != code || strings.Contains(p.Detail, "secret") {
			t.Errorf("%s: %+v, again after %d", code, p, retry)
		}
	}
}

// TestRefusals: who is refused is told in words of people what is wrong, and behind it what
// to do.
func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		err         error
		status      int
		code        cento.ErrorCode
		wrong, help string
	}{
		{notFound("/x", ""), http.StatusNotFound, NotFound, `there is nothing at "/x"`, "GET /openapi.json tells what there is"},
		{misdirected(), http.StatusMisdirectedRequest, WrongHost, "this service doesn't go by the name of the request", "allow it with --allow-host"},
		{noSession("web:s", ""), http.StatusNotFound, app.UnknownSession, `there is no session "web:s"`, "GET /v1/sessions lists those that the token reads"},
		{noSession("s", ""), http.StatusNotFound, app.UnknownSession, `there is no session "s"`, "an id is PROJECT:NAME; GET /v1/sessions lists those that the token reads"},
		{noRecord("web:s@9"), http.StatusNotFound, app.UnknownRecord, `there is no record "web:s@9"`, "name it by its hash, or as SESSION@NUMBER"},
		{forbidden(ScopeWrite), http.StatusForbidden, Forbidden, "the token isn't for this", "it needs the scope write"},
		{newGate(1).full(), http.StatusTooManyRequests, Busy, "more requests are under way than the service takes at once", "ask again a little later"},
	} {
		got := told(c.err)
		if status, _ := statusOf(c.err); status != c.status || got.Code != c.code || got.Message != c.wrong || got.Hint != c.help {
			t.Errorf("%+v with status %d, want %+v", got, status, c)
		}
	}
}

// shortWriter takes some bytes of each answer and then no more.
type shortWriter struct {
	http.ResponseWriter
	room int
}

func (w *shortWriter) Write(b []byte) (int, error) {
	n := min(len(b), w.room)
	w.room -= n
	if n < len(b) {
		return n, io.ErrShortWrite
	}
	return n, nil
}

// TestCountedAnswers: an answer is counted by the bytes that went, whoever writes it is told
// how many those were and why no more, and its status is the first one that was said.
func TestCountedAnswers(t *testing.T) {
	for _, said := range []int{0, http.StatusNotFound} {
		c := &counted{ResponseWriter: &shortWriter{httptest.NewRecorder(), 5}}
		if said != 0 {
			c.WriteHeader(said)
			c.WriteHeader(http.StatusTeapot)
		}
		for i, want := range []struct {
			n   int
			err error
		}{{3, nil}, {2, io.ErrShortWrite}, {0, io.ErrShortWrite}} {
			if n, err := c.Write([]byte("abc")); n != want.n || !errors.Is(err, want.err) {
				t.Errorf("answer %d: %d bytes, %v; want %d, %v", i, n, err, want.n, want.err)
			}
		}
		want := http.StatusOK
		if said != 0 {
			want = said
		}
		if c.status != want || c.bytes != 5 {
			t.Errorf("said %d: status %d, %d bytes; want %d, 5", said, c.status, c.bytes, want)
		}
	}
}
