package quote

import (
	"unicode/utf16"
	"unicode/utf8"
)

// Letters say what a letter behind a backslash stands for, 0 for nothing.
type Letters [256]byte

var (
	// JSONLetters are those of RFC 8259.
	JSONLetters = NewLetters(`""\\//` + "b\bf\fn\nr\rt\t")
	// CommonLetters are those that JSON, TOON, YAML and EDN share.
	CommonLetters = NewLetters(`""\\` + "n\nr\rt\t")
)

// NewLetters makes a table of pairs, each letter before what it stands for.
func NewLetters(pairs string) *Letters {
	var t Letters
	for ; pairs != ""; pairs = pairs[2:] {
		t[pairs[0]] = pairs[1]
	}
	return &t
}

// Unescape reads the escape that a text begins with: what it stands for and how many
// bytes it is written with, 0 for none. \uXXXX is one in every format: two of them
// that are a surrogate pair stand for one character and have 12 bytes, and half of a
// pair is returned as it is, for the caller to refuse.
func (t *Letters) Unescape(s string) (rune, int) {
	if len(s) < 2 || s[0] != '\\' {
		return 0, 0
	}
	if s[1] != 'u' {
		if c := t[s[1]]; c != 0 {
			return rune(c), 2
		}
		return 0, 0
	}
	high, ok := hex4(s[2:])
	if !ok {
		return 0, 0
	}
	if utf16.IsSurrogate(high) && len(s) >= 12 && s[6] == '\\' && s[7] == 'u' {
		if low, ok := hex4(s[8:]); ok {
			if r := utf16.DecodeRune(high, low); r != utf8.RuneError {
				return r, 12
			}
		}
	}
	return high, 6
}

// hex4 reads four hexadecimal digits.
func hex4(s string) (rune, bool) {
	if len(s) < 4 {
		return 0, false
	}
	var r rune
	for _, c := range []byte(s[:4]) {
		switch {
		case '0' <= c && c <= '9':
			r = r<<4 | rune(c-'0')
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			r = r<<4 | rune(c|0x20-'a'+10)
		default:
			return 0, false
		}
	}
	return r, true
}
