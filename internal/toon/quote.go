package toon

import "strings"

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
