package toon

import (
	"strings"

	"github.com/cento-dev/cento/internal/quote"
)

// Delimiter separates the cells of a row and the items of an inline array.
type Delimiter byte

// The delimiters. The zero Delimiter stands for Comma.
const (
	Comma Delimiter = ','
	Tab   Delimiter = '\t'
	Pipe  Delimiter = '|'
)

// quoted marks the bytes that no bare string holds, whatever the delimiter.
var quoted = func() (t [256]bool) {
	for c := range ' ' {
		t[c] = true
	}
	for _, c := range `:"\[]{}` {
		t[c] = true
	}
	return t
}()

// Quotes reports whether a string is written between quotes, in a document of
// this delimiter.
func Quotes(s string, d Delimiter) bool {
	if s == "" {
		return true
	}
	if d == 0 {
		d = Comma
	}
	switch first := s[0]; {
	case first == ' ' || first == '-' || first == '#' || s[len(s)-1] == ' ':
		return true
	case first == 't' && s == "true" || first == 'f' && s == "false" || first == 'n' && s == "null":
		return true
	case (first == '+' || '0' <= first && first <= '9') && looksNumeric(s):
		return true
	}
	for i := range len(s) {
		if quoted[s[i]] || s[i] == byte(d) {
			return true
		}
	}
	return false
}

// appendString writes a string as a value: bare where that reads back, else
// between quotes. The text must be UTF-8.
func appendString(dst []byte, s string, d Delimiter) []byte {
	if Quotes(s, d) {
		return quote.Common.Append(dst, s)
	}
	return append(dst, s...)
}

// appendKey writes a key of an object or field list. The text must be UTF-8.
func appendKey(dst []byte, key string) []byte {
	if bareKey(key) {
		return append(dst, key...)
	}
	return quote.Common.Append(dst, key)
}

// bareKey reports whether a key is written without quotes.
func bareKey(key string) bool {
	for i := range len(key) {
		c := key[i]
		letter := 'a' <= c|0x20 && c|0x20 <= 'z' || c == '_'
		if !letter && (i == 0 || c != '.' && (c < '0' || c > '9')) {
			return false
		}
	}
	return key != ""
}

// closingQuote is the index of the quote that closes the text opened at 0, or
// -1. Whether there is an escape between them saves the caller a look.
func closingQuote(s string) (end int, escapes bool) {
	end = strings.IndexByte(s[1:], '"') + 1
	if end == 0 {
		return -1, false
	}
	if strings.IndexByte(s[1:end], '\\') < 0 {
		return end, false
	}
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i, true
		}
	}
	return -1, true
}

// skipQuotes is the index behind the quoted stretch that begins at i. One that
// isn't closed goes to the end.
func skipQuotes(s string, i int) int {
	end, _ := closingQuote(s[i:])
	if end < 0 {
		return len(s)
	}
	return i + end + 1
}

// trim takes the spaces off both ends, and nothing else: any other white space
// is content. It also tells how many were in front.
func trim(s string) (string, int) {
	front := 0
	for front < len(s) && s[front] == ' ' {
		front++
	}
	end := len(s)
	for end > front && s[end-1] == ' ' {
		end--
	}
	return s[front:end], front
}
