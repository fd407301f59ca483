package strict

import (
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
	blocks []place
}

// A place is a line and a column, both counted from 0.
type place struct{ line, column int }

// blockSize is the distance of the places that are kept. Any place between two
// is found by a walk of at most this many bytes, so a file that is one line of
// a million values costs no more than any other.
const blockSize = 1 << 10

// newSource checks what holds for both formats and prepares the places.
func newSource(name string, data []byte, limits cento.Limits) (*source, error) {
	if limit := min(limits.File, math.MaxInt32); len(data) > limit {
		return nil, &cento.SourceError{
			Code:     cento.LimitExceeded,
			Message:  fmt.Sprintf("%d bytes are more than the %d a file may have", len(data), limit),
			Position: cento.Position{File: name},
			Hint:     "a higher limit can be set where the program is run",
		}
	}
	text := strings.TrimPrefix(string(data), "\ufeff")
	if strings.IndexByte(text, '\r') >= 0 {
		text = strings.ReplaceAll(text, "\r\n", "\n")
	}
	s := &source{name: name, text: text, blocks: make([]place, 0, len(text)/blockSize+1)}
	var p place
	for i := 0; i < len(text); i += blockSize {
		s.blocks = append(s.blocks, p)
		p = p.after(text[i:min(i+blockSize, len(text))])
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

// after is the place behind a stretch of text. A code point counts where it
// begins, so a stretch may end inside one.
func (p place) after(text string) place {
	if i := strings.LastIndexByte(text, '\n'); i >= 0 {
		p.line += strings.Count(text, "\n")
		p.column = 0
		text = text[i+1:]
	}
	for i := range len(text) {
		if utf8.RuneStart(text[i]) {
			p.column++
		}
	}
	return p
}

// position is the place of an offset as people count.
func (s *source) position(off int) cento.Position {
	off = min(off, len(s.text))
	var p place
	if b := off / blockSize; b < len(s.blocks) {
		p = s.blocks[b].after(s.text[b*blockSize : off])
	} else if b > 0 {
		p = s.blocks[b-1].after(s.text[(b-1)*blockSize : off])
	}
	return cento.Position{File: s.name, Line: p.line + 1, Column: p.column + 1}
}

// fail is an error at an offset.
func (s *source) fail(off int, code cento.ErrorCode, hint, format string, args ...any) *cento.SourceError {
	return &cento.SourceError{Code: code, Message: fmt.Sprintf(format, args...), Position: s.position(off), Hint: hint}
}
