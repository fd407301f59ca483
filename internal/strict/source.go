package strict

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/cento-dev/cento"
)

// A source is the text of a file and the places in it. Offsets are bytes in the
// text as it is read here: without byte order mark, with LF for CRLF. Neither
// changes a line or column that an editor shows.
type source struct {
	name   string
	text   string
	blocks []cento.Position
}

// blockSize is the distance of the places that are kept. Any place between two
// is found by a walk of at most this many bytes, so a file that is one line of
// a million values costs no more than any other.
const blockSize = 1 << 10

// newSource checks what holds for both formats and prepares the places.
func newSource(name string, data []byte, limits cento.Limits) (*source, error) {
	// Blanks before everything are no part of what is read: see [Node.Alone].
	if limit, size := min(limits.File, math.MaxInt32), len(bytes.TrimLeft(data, " \t\r\n")); size > limit {
		return nil, &cento.SourceError{
			Code:     cento.LimitExceeded,
			Message:  fmt.Sprintf("%d bytes are more than the %d a file may have", size, limit),
			Position: cento.Position{File: name},
			Hint:     "a higher limit can be set where the program is run",
		}
	}
	text := strings.TrimPrefix(string(data), "\ufeff")
	if strings.IndexByte(text, '\r') >= 0 {
		text = strings.ReplaceAll(text, "\r\n", "\n")
	}
	s := &source{name: name, text: text, blocks: make([]cento.Position, 0, len(text)/blockSize+1)}
	p := fileStart(name)
	for i := 0; i < len(text); i += blockSize {
		s.blocks = append(s.blocks, p)
		p = p.After(text[i:min(i+blockSize, len(text))])
	}
	if !utf8.ValidString(text) {
		off := 0
		for r, size := utf8.DecodeRuneInString(text); r != utf8.RuneError || size > 1; r, size = utf8.DecodeRuneInString(text[off:]) {
			off += size
		}
		return nil, s.fail(off, cento.InvalidUTF8, "save the file as UTF-8", "byte 0x%02X is not UTF-8", text[off])
	}
	if off := strings.IndexByte(text, 0); off >= 0 {
		return nil, s.fail(off, Syntax, "this doesn't look like a text file", "a NUL byte stands in the text")
	}
	return s, nil
}

// position is the place of an offset as people count.
func (s *source) position(off int) cento.Position {
	off = min(off, len(s.text))
	b := min(off/blockSize, len(s.blocks)-1)
	if b < 0 {
		return fileStart(s.name) // of an empty file
	}
	return s.blocks[b].After(s.text[b*blockSize : off])
}

func fileStart(name string) cento.Position { return cento.Position{File: name, Line: 1, Column: 1} }

// fail is an error at an offset.
func (s *source) fail(off int, code cento.ErrorCode, hint, format string, args ...any) *cento.SourceError {
	return &cento.SourceError{Code: code, Message: fmt.Sprintf(format, args...), Position: s.position(off), Hint: hint}
}
