package serve

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/call"
	"github.com/cento-dev/cento/internal/terminal"
)

// The codes of what is wrong with a request before anybody looks into it.
const (
	// NotFound: the address leads nowhere, or to what the token doesn't reach.
	NotFound cento.ErrorCode = "request.not_found"
	// WrongMethod: the address takes another method.
	WrongMethod cento.ErrorCode = "request.method"
	// WrongType: the body isn't said to be JSON.
	WrongType cento.ErrorCode = "request.type"
	// WrongHost: the request is for a name that this service doesn't go by.
	WrongHost cento.ErrorCode = "request.host"
	// WrongOrigin: a page of another site asks.
	WrongOrigin cento.ErrorCode = "request.origin"
	// WrongHeader: a header can't be read, or stands twice.
	WrongHeader cento.ErrorCode = "request.header"
	// TooBig: the body is longer than the service takes.
	TooBig cento.ErrorCode = "request.too_large"
	// TooSlow: the body didn't come in time, or the answer took too long.
	TooSlow cento.ErrorCode = "request.timeout"
	// Busy: as many requests are answered and waited for as may be.
	Busy cento.ErrorCode = "serve.busy"
	// Draining: the service is about to end.
	Draining cento.ErrorCode = "serve.draining"
	// ReadOnlyService: the service changes nothing.
	ReadOnlyService cento.ErrorCode = "serve.read_only"
	// UnknownProject: the service has no project of the name, or the token doesn't
	// reach it.
	UnknownProject cento.ErrorCode = "project.unknown"
	// Failed: the service itself failed; its log says how.
	Failed cento.ErrorCode = "serve.failed"
)

// Problem is the form of everything that goes wrong, that of RFC 9457.
type Problem struct {
	Type   string `json:"type"`
	Title  string `json:"title"`
	Status int    `json:"status"`
	Detail string `json:"detail"`
	app.ErrorObject
	// Request is the id under which the log has it.
	Request string `json:"request"`
}

// problem is an error that knows its status. Any other has one by its code.
type problem struct {
	status int
	// retry is when to ask again, in seconds; 0: nothing is said of it.
	retry int
	err   *cento.SourceError
}

func (p *problem) Error() string { return p.err.Error() }

func (p *problem) Unwrap() error { return p.err }

func refused(status int, code cento.ErrorCode, message, hint string) error {
	return &problem{status: status, err: &cento.SourceError{Code: code, Message: message, Hint: hint}}
}

// wrongMethod refuses a method other than those that an address takes.
func wrongMethod(method string, takes ...string) error {
	return refused(http.StatusMethodNotAllowed, WrongMethod, "the address takes "+strings.Join(takes, " and ")+", not "+asked(method, longestAsked), "")
}

// statuses are those of the codes that have one of their own.
var statuses = map[cento.ErrorCode]int{
	call.NoProjects: http.StatusForbidden, "file.outside": http.StatusForbidden, "file.link": http.StatusForbidden,
	call.UnknownOperation: http.StatusNotFound, UnknownProject: http.StatusNotFound,
	app.UnknownSession: http.StatusNotFound, app.UnknownRecord: http.StatusNotFound,
	app.StoreConflict: http.StatusConflict, "session.not_materialised": http.StatusConflict, app.SessionExists: http.StatusConflict, app.OtherProject: http.StatusConflict, app.SessionHasChildren: http.StatusConflict,
	app.KeyReused: http.StatusUnprocessableEntity, call.AnswerTooLong: http.StatusUnprocessableEntity, cento.LimitExceeded: http.StatusRequestEntityTooLarge,
	app.StoreLocked: http.StatusServiceUnavailable, app.StoreUnreachable: http.StatusServiceUnavailable, app.StoreUncertain: http.StatusServiceUnavailable,
	app.StoreFull: http.StatusServiceUnavailable, app.StoreReadOnly: http.StatusServiceUnavailable, app.StoreClosed: http.StatusServiceUnavailable,
}

// retryLater is what a client that comes too early is told, in seconds.
const retryLater = 2

// statusOf is the status of an error, and when to ask again.
func statusOf(err error) (status, retry int) {
	if p, ok := errors.AsType[*problem](err); ok {
		return p.status, p.retry
	}
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		return http.StatusServiceUnavailable, retryLater
	}
	list := cento.SourceErrors(err)
	if len(list) > 0 {
		if status := statuses[list[0].Code]; status != 0 {
			if status == http.StatusServiceUnavailable {
				retry = retryLater
			}
			return status, retry
		}
	}
	switch {
	case !app.Refused(err):
		return http.StatusInternalServerError, 0
	case malformed(list[0]):
		return http.StatusBadRequest, 0
	}
	return http.StatusUnprocessableEntity, 0
}

// malformed reports whether an error is about a request that can't be read as one, and
// not about a file of the project.
func malformed(e *cento.SourceError) bool {
	kind, _, _ := strings.Cut(string(e.Code), ".")
	return (e.Position.File == "" || e.Position.File == call.RequestName) && slices.Contains([]string{"syntax", "key", "value", "text"}, kind)
}

// told is an error as the client may read it. Of a failure that is nobody's request it
// says no more than the code: the log has the rest.
func told(err error) app.ErrorObject {
	if p, ok := errors.AsType[*problem](err); ok {
		return app.Failure(p.err).Error
	}
	if app.Refused(err) {
		return app.Failure(err).Error
	}
	out := app.ErrorObject{Code: Failed, Message: "the service failed to answer", Related: []cento.Related{}, Hint: "its log says why, under the id of the request"}
	if list := cento.SourceErrors(err); len(list) > 0 {
		out.Code = list[0].Code
		if statuses[out.Code] == http.StatusServiceUnavailable {
			out.Message = "the store can't do it now"
			out.Hint = "ask again; a transition with the same Idempotency-Key"
		}
	} else if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		out.Code, out.Message, out.Hint = TooSlow, "it took too long", "ask for less, or again"
	}
	return out
}

// problemOf is what a client is told about an error.
func problemOf(err error, request string) (Problem, int) {
	status, retry := statusOf(err)
	p := Problem{Type: "about:blank", Title: http.StatusText(status), Status: status, ErrorObject: told(err), Request: request}
	p.Detail = p.Message
	if p.Position != nil {
		p.Detail = p.Position.String() + ": " + p.Detail
	}
	return p, retry
}

// encoded is a problem as bytes.
func (p *Problem) encoded() []byte {
	return spelled(func(w *terminal.Writer) { w.JSON(p) })
}

// spelled is JSON of strings and numbers as bytes, in which no text commands the screen of
// who looks at it.
func spelled(write func(*terminal.Writer)) []byte {
	var b bytes.Buffer
	w := terminal.NewWriter(&b, terminal.Options{})
	write(w)
	if err := w.Flush(); err != nil {
		panic("serve: " + err.Error())
	}
	return b.Bytes()
}
