package strict

import (
	"errors"

	"github.com/cento-dev/cento"
)

// The codes of what a file can have wrong. They are API wherever the errors of
// this package are shown.
const (
	// Syntax: the file isn't well-formed, or uses a construct that isn't read.
	Syntax cento.ErrorCode = "syntax"
	// UnknownKey: a key that nothing reads.
	UnknownKey cento.ErrorCode = "key.unknown"
	// DuplicateKey: a key stands twice in one map.
	DuplicateKey cento.ErrorCode = "key.duplicate"
	// MissingKey: a key without which the value means nothing.
	MissingKey cento.ErrorCode = "key.missing"
	// WrongType: a value of another kind than the key takes.
	WrongType cento.ErrorCode = "value.type"
	// WrongValue: a value of the right kind that the key doesn't take.
	WrongValue cento.ErrorCode = "value.invalid"
	// Unsupported: the format has it and this version doesn't.
	Unsupported cento.ErrorCode = "unsupported"
	// Conflict: two values exclude each other.
	Conflict cento.ErrorCode = "key.conflict"
)

// maxFaults is how many errors are counted. Who has so many reads the first few, and
// a file that is wrong everywhere isn't walked to its end.
const maxFaults = 1000

// errorList gathers errors.
type errorList struct {
	list    []*cento.SourceError
	further int // not held
}

// full reports whether a further error would only be counted.
func (l *errorList) full() bool { return len(l.list) >= cento.MaxErrors }

// stopped reports whether there are so many that nothing more is looked at.
func (l *errorList) stopped() bool { return len(l.list)+l.further >= maxFaults }

func (l *errorList) add(e *cento.SourceError) {
	if l.full() {
		l.further++
		return
	}
	l.list = append(l.list, e)
}

// err is all of them as one error, nil for none.
func (l *errorList) err() error {
	err := cento.Join(l.list)
	if all, ok := errors.AsType[*cento.Errors](err); ok {
		all.Omitted += l.further
		all.Stopped = l.stopped()
	}
	return err
}
