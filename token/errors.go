package token

import (
	"fmt"
	"strings"

	"github.com/cento-dev/cento/internal/nearest"
)

// UnknownError says that there is no counter of a name.
type UnknownError struct {
	Name    string   // as it was asked for
	Nearest string   // the known name most like it, or "" if none is much like it
	Known   []string // all names that would have been found, sorted
}

// Error gives the name and the nearest known one.
func (e *UnknownError) Error() string {
	if e.Nearest == "" {
		return fmt.Sprintf("unknown encoding %q", e.Name)
	}
	return fmt.Sprintf("unknown encoding %q, did you mean %q?", e.Name, e.Nearest)
}

// Hint lists what is known.
func (e *UnknownError) Hint() string {
	return "known: " + strings.Join(e.Known, ", ")
}

// RangeError says that a number is not a token of an encoding.
type RangeError struct {
	Encoding string
	Token    int
	Size     int // tokens are below it
}

// Error gives the number, the encoding and its range.
func (e *RangeError) Error() string {
	return fmt.Sprintf("%d is not a token of %s: they are 0 to %d", e.Token, e.Encoding, e.Size-1)
}

// unknown makes the error for a name that is not among the known ones.
func unknown(name string, known []string) *UnknownError {
	e := &UnknownError{Name: name, Known: known}
	if near, ok := nearest.Name(name, known); ok {
		e.Nearest = near
		return e
	}
	// A name that is cut short or written longer is like the whole.
	for _, k := range known {
		if len(name) >= 3 && (strings.HasPrefix(k, strings.ToLower(name)) || strings.HasPrefix(strings.ToLower(name), k)) {
			e.Nearest = k
			break
		}
	}
	return e
}
