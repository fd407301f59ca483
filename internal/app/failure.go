package app

import (
	"context"
	"errors"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/tree"
	"github.com/cento-dev/cento/store"
)

// Refused reports whether an error is about what was asked for, so that asking
// differently helps. All others are failures.
func Refused(err error) bool {
	list := cento.SourceErrors(err)
	for _, e := range list {
		if e.Code == tree.Unreadable || store.IsFailure(e.Code) {
			return false
		}
	}
	return len(list) > 0 && !errors.Is(err, context.Canceled)
}

// ErrorBody is the form in which every door answers that something went wrong.
type ErrorBody struct {
	Error ErrorObject `json:"error"`
}

// ErrorObject is one error for programs. Errors holds all of them when there
// are several; the fields beside it are those of the first.
type ErrorObject struct {
	Code     cento.ErrorCode `json:"code"`
	Message  string          `json:"message"`
	Position *cento.Position `json:"position"`
	// Path is the file of the position from the root of the project, where the position
	// names a prompt file by its reference; else empty.
	Path    string          `json:"path,omitempty"`
	Related []cento.Related `json:"related"`
	Hint    string          `json:"hint"`
	Errors  []ErrorObject   `json:"errors,omitempty"`
}

// internalFailure is the code of an error that is nobody's input.
const internalFailure cento.ErrorCode = "failure"

// Failure gives an error the form that programs read.
func Failure(err error) ErrorBody {
	list := cento.SourceErrors(err)
	if len(list) == 0 {
		return ErrorBody{ErrorObject{Code: internalFailure, Message: err.Error(), Related: []cento.Related{}}}
	}
	body := ErrorBody{errorObject(list[0])}
	if len(list) > 1 {
		for _, e := range list {
			body.Error.Errors = append(body.Error.Errors, errorObject(e))
		}
	}
	return body
}

func errorObject(e *cento.SourceError) ErrorObject {
	o := ErrorObject{Code: e.Code, Message: e.Message, Path: e.Path, Related: e.Related, Hint: e.Hint}
	if o.Related == nil {
		o.Related = []cento.Related{}
	}
	if !e.Position.IsZero() {
		o.Position = &e.Position
	}
	if _, code := e.Err.(cento.ErrorCode); e.Err != nil && !code {
		o.Message += ": " + e.Err.Error()
	}
	return o
}
