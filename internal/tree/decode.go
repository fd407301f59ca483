package tree

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"github.com/cento-dev/cento"
)

var byteOrderMark = []byte("\xef\xbb\xbf")

// Decode makes text of bytes: a leading byte order mark is dropped and CRLF is
// folded to LF. The file name is for the position of errors: [InvalidUTF8] and
// [HoldsNUL], both at the first offending byte.
func Decode(file string, raw []byte) (string, error) {
	body := bytes.TrimPrefix(raw, byteOrderMark)
	bad, code := -1, cento.ErrorCode("")
	if !utf8.Valid(body) {
		bad, code = firstInvalid(body), InvalidUTF8
	}
	if i := bytes.IndexByte(body, 0); i >= 0 && (bad < 0 || i < bad) {
		bad, code = i, HoldsNUL
	}
	if bad < 0 {
		if !bytes.Contains(body, crlf) {
			return string(body), nil
		}
		return string(bytes.ReplaceAll(body, crlf, lf)), nil
	}
	e := &cento.SourceError{Code: code, Position: positionAt(file, body, bad)}
	if code == HoldsNUL {
		e.Message = "the text holds a NUL character"
	} else {
		e.Message = fmt.Sprintf("byte 0x%02x is not valid UTF-8", body[bad])
	}
	if bytes.HasPrefix(raw, []byte("\xff\xfe")) || bytes.HasPrefix(raw, []byte("\xfe\xff")) {
		e.Hint = "the file looks like UTF-16; save it as UTF-8"
	}
	return "", e
}

var crlf, lf = []byte("\r\n"), []byte("\n")

func firstInvalid(b []byte) int {
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return -1
}

// positionAt counts lines and code points up to an offset; all before it is
// valid.
func positionAt(file string, b []byte, offset int) cento.Position {
	before := b[:offset]
	start := bytes.LastIndexByte(before, '\n') + 1
	return cento.Position{
		File:   file,
		Line:   bytes.Count(before, lf) + 1,
		Column: utf8.RuneCount(before[start:]) + 1,
	}
}
