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
	e := &cento.SourceError{Code: code, Position: placeBehind(file, body[:bad])}
	if code == HoldsNUL {
		e.Message, e.Hint = "the text holds a NUL character", "this doesn't look like a text file"
	} else {
		e.Message, e.Hint = fmt.Sprintf("byte 0x%02x is not valid UTF-8", body[bad]), "save the file as UTF-8"
	}
	nameEncoding(e, raw)
	return "", e
}

// nameEncoding says what a text is that isn't UTF-8, where that can be told: the
// first byte that doesn't fit says nothing to whoever saved the file.
func nameEncoding(e *cento.SourceError, raw []byte) {
	if LooksUTF16(raw) {
		e.Message, e.Hint = "the text looks like UTF-16", "save it as UTF-8"
	}
}

// headUTF16 is how many bytes of a text without byte order mark have to be pairs
// of a character of ASCII and a NUL for it to be taken for UTF-16.
const headUTF16 = 16

// LooksUTF16 reports whether bytes begin with a byte order mark of UTF-16, or with
// characters of ASCII and every other byte NUL.
func LooksUTF16(raw []byte) bool {
	if bytes.HasPrefix(raw, []byte("\xff\xfe")) || bytes.HasPrefix(raw, []byte("\xfe\xff")) {
		return !bytes.HasPrefix(raw, []byte("\xff\xfe\x00\x00")) // UTF-32
	}
	head := raw[:min(len(raw), headUTF16)&^1]
	if len(head) < 4 { // too little to tell it from a NUL that got in
		return false
	}
	high := 0 // the place of the high byte in each pair
	if head[1] == 0 {
		high = 1
	}
	for i := 0; i < len(head); i += 2 {
		if low := head[i+1-high]; head[i+high] != 0 || low == 0 || low >= utf8.RuneSelf {
			return false
		}
	}
	return true
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

// placeBehind is the place behind the beginning of a file.
func placeBehind(file string, begin []byte) cento.Position {
	return cento.Position{File: file, Line: 1, Column: 1}.After(string(begin))
}
