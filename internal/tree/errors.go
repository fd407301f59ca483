package tree

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/cento-dev/cento"
)

// openError gives an error of the system its code. Its own path is taken off:
// the position names the file.
func openError(at cento.Position, err error) *cento.SourceError {
	e := &cento.SourceError{Code: Unreadable, Message: "cannot read the file", Position: at, Err: err}
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		e.Err = p.Err
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		e.Code = NotFound
	case errors.Is(err, errNotDir):
		// A part of the path is a file, so nothing can lie below it.
		e.Code, e.Err = NotFound, &missing{e.Err}
	}
	return e
}

// missing is a cause that means the file isn't there, whatever number the
// system has for it.
type missing struct{ cause error }

func (m *missing) Error() string   { return m.cause.Error() }
func (m *missing) Unwrap() []error { return []error{m.cause, fs.ErrNotExist} }

// openError tells a path that leads out of the tree from other failures.
func (t *Tree) openError(at cento.Position, err error) *cento.SourceError {
	e := openError(at, err)
	if e.Code != NotFound && t.root.escapes(err) {
		return outside(at, e.Err)
	}
	return e
}

func outside(at cento.Position, cause error) *cento.SourceError {
	return &cento.SourceError{
		Code: Outside, Message: "the file lies outside of its folder", Position: at, Err: cause,
		Hint: "links may lead to files below the same root, by a relative path",
	}
}

func notRegular(at cento.Position, mode fs.FileMode) *cento.SourceError {
	return &cento.SourceError{Code: NotRegular, Message: "not a regular file but " + kind(mode), Position: at}
}

func notFolder(at cento.Position, mode fs.FileMode) *cento.SourceError {
	return &cento.SourceError{Code: NotFolder, Message: "not a folder but " + kind(mode), Position: at}
}

func tooLarge(at cento.Position, size int64, limit int) *cento.SourceError {
	return &cento.SourceError{
		Code: TooLarge, Position: at,
		Message: fmt.Sprintf("the file is %d bytes, over the limit of %d", size, limit),
	}
}

func tooMany(at cento.Position, limit int) *cento.SourceError {
	return &cento.SourceError{
		Code: TooMany, Position: at,
		Message: fmt.Sprintf("the folder holds more than %d entries", limit),
	}
}

// kind names what a name stands for.
func kind(mode fs.FileMode) string {
	switch {
	case mode.IsRegular():
		return "a file"
	case mode.IsDir():
		return "a folder"
	case mode&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	case mode&fs.ModeDevice != 0:
		return "a device"
	case mode&fs.ModeSymlink != 0:
		return "a link"
	}
	return "something else"
}
