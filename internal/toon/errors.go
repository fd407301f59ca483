package toon

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/cento-dev/cento/internal/quote"
)

// ErrorCode names a kind of error. A code is an error itself, so that callers
// branch with errors.Is(err, toon.WrongCount).
type ErrorCode string

// Error returns the code as text.
func (c ErrorCode) Error() string { return string(c) }

// The codes of errors.
const (
	// Syntax: the text isn't TOON.
	Syntax ErrorCode = "toon.syntax"
	// WrongCount: a list, table or row doesn't hold as much as was declared.
	WrongCount ErrorCode = "toon.count"
	// WrongIndentation: a line stands where none may.
	WrongIndentation ErrorCode = "toon.indentation"
	// DuplicateKey: a key stands twice in one object, or in one field list.
	DuplicateKey ErrorCode = "toon.duplicate"
	// InvalidUTF8: a text isn't valid UTF-8.
	InvalidUTF8 ErrorCode = "toon.utf8"
	// LimitExceeded: nesting or length is over the limit.
	LimitExceeded ErrorCode = "toon.limit"
)

// Place is a line and a column, in code points, both counted from 1. The zero
// Place means that there is none.
type Place struct{ Line, Column int }

// Error is what is wrong with a text, and where.
type Error struct {
	Code    ErrorCode
	Message string // lower case, no full stop
	Place   Place
	Hint    string // advice, empty when there is none
	// First is where the other party of a conflict stands: the first of two
	// equal keys.
	First Place
}

// Error gives `line:column: message`.
func (e *Error) Error() string {
	if e.Place.Line == 0 {
		return e.Message
	}
	return fmt.Sprintf("%d:%d: %s", e.Place.Line, e.Place.Column, e.Message)
}

// Unwrap gives the code.
func (e *Error) Unwrap() error { return e.Code }

const byteOrderMark = "\ufeff"

// place finds line and column of an offset. Its cost is the length of the text
// before it, so it is asked for errors alone.
func place(text string, offset int) Place {
	offset = min(offset, len(text))
	line := strings.Count(text[:offset], "\n") + 1
	begin := strings.LastIndexByte(text[:offset], '\n') + 1
	if begin == 0 && offset >= len(byteOrderMark) && strings.HasPrefix(text, byteOrderMark) {
		begin = len(byteOrderMark)
	}
	return Place{Line: line, Column: utf8.RuneCountInString(text[begin:offset]) + 1}
}

// invalidUTF8 is where a text stops being UTF-8.
func invalidUTF8(text string) int {
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return len(text)
}

// clip keeps what a message quotes short.
func clip(s string) string { return quote.Clip(s, 40) }
