package contract

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/cento-dev/cento/internal/quote"
)

// unexpected fails at where the reader stands. It is always false.
func (r *reader) unexpected(want, hint string) bool {
	return r.fail(r.at, Syntax, hint, "expected %s, got %s", want, r.here())
}

// here is what stands at the reader's place, for a message.
func (r *reader) here() string {
	if r.at >= len(r.text) {
		return "the end of the text"
	}
	_, size := utf8.DecodeRuneInString(r.text[r.at:])
	return strconv.Quote(r.text[r.at : r.at+size])
}

// peek is the byte that comes next, 0 at the end.
func (r *reader) peek() byte {
	if r.at < len(r.text) {
		return r.text[r.at]
	}
	return 0
}

// take passes over a byte that must come next.
func (r *reader) take(c byte) bool {
	if r.peek() != c {
		return r.unexpected(strconv.Quote(string(c)), "")
	}
	r.at++
	return true
}

// stringEnd finds the quote that closes the string that begins here, and
// whether there is a backslash before it. It is -1 when there is none.
func (r *reader) stringEnd() (end int, escapes bool) {
	s := r.text
	first := strings.IndexByte(s[r.at+1:], '"')
	if first < 0 {
		return -1, false
	}
	end = r.at + 1 + first
	if strings.IndexByte(s[r.at+1:end], '\\') < 0 {
		return end, false
	}
	for i := r.at + 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i, true
		}
	}
	return -1, true
}

// quoted reads a string of EDN or JSON, from quote to quote. The letters are
// those that may follow a backslash.
func (r *reader) quoted(letters *quote.Letters, controls bool) (string, bool) {
	if r.peek() != '"' {
		hint := ""
		switch r.peek() {
		case '\'':
			hint = `texts stand between "`
		case '}', ']':
			hint = "no comma may stand before a closing bracket"
		}
		return "", r.unexpected("a text between quotes", hint)
	}
	open := r.at
	end, escapes := r.stringEnd()
	if end < 0 {
		return "", r.fail(open, Syntax, "", "a text is not closed")
	}
	s := r.text[open+1 : end]
	if !controls {
		for i := range len(s) {
			if s[i] < ' ' {
				return "", r.fail(open+1+i, Syntax, `write \n for a line end, \t for a tab`, "a control character, U+%04X, in a text", s[i])
			}
		}
	}
	if escapes {
		var ok bool
		if s, ok = r.unescape(s, open+1, letters); !ok {
			return "", false
		}
	}
	r.at = end + 1
	return s, true
}

// unescape decodes the escapes of a text that stands at an offset.
func (r *reader) unescape(s string, at int, letters *quote.Letters) (string, bool) {
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); {
		next := strings.IndexByte(s[i:], '\\')
		if next < 0 {
			return string(append(out, s[i:]...)), true
		}
		out = append(out, s[i:i+next]...)
		i += next
		c, size := letters.Unescape(s[i:])
		switch {
		case size == 0:
			return "", r.fail(at+i, Syntax, `a backslash itself is written \\`, "%q is no escape", clip(s[i:min(i+6, len(s))]))
		case utf16.IsSurrogate(c):
			return "", r.fail(at+i, Syntax, "", "%s is half of a surrogate pair", s[i:i+6])
		}
		out = utf8.AppendRune(out, c)
		i += size
	}
	return string(out), true
}
