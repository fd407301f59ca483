package cento

import (
	"cmp"
	"strconv"
)

// Position is a place in a file that a person can open. It is attached where a
// text is read and travels unchanged to every error, trace entry and span. The
// zero Position means that the text came from no file: a library call, a flag,
// a request.
type Position struct {
	// File is the name shown to people: relative to the project root with `/`,
	// `~/…` for files under the home folder, `$prefix/…` for prompt files.
	File string `json:"file"`
	// Line counts from 1; 0 means that only the file is known.
	Line int `json:"line"`
	// Column counts code points from 1; 0 means that only the line is known.
	Column int `json:"column"`
}

// IsZero reports whether the position says nothing.
func (p Position) IsZero() bool { return p == Position{} }

// String gives `file:line:column`, leaving out what is not known.
func (p Position) String() string {
	if p.Line <= 0 {
		return p.File
	}
	b := make([]byte, 0, len(p.File)+16)
	b = append(b, p.File...)
	if len(b) > 0 {
		b = append(b, ':')
	}
	b = strconv.AppendInt(b, int64(p.Line), 10)
	if p.Column > 0 {
		b = append(b, ':')
		b = strconv.AppendInt(b, int64(p.Column), 10)
	}
	return string(b)
}

// Compare orders positions by file name (bytewise), line and column.
func (p Position) Compare(q Position) int {
	return cmp.Or(cmp.Compare(p.File, q.File), cmp.Compare(p.Line, q.Line), cmp.Compare(p.Column, q.Column))
}
