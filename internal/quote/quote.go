// Package quote writes texts between double quotes, as JSON and the formats that
// took its strings over do. It reads none back. The encoder of the standard library escapes more
// than JSON asks for, and can't be told not to; where bytes are a promise, that
// is another text.
//
// The usual path is one of the tables and its Append. Texts are to be UTF-8.
package quote

// Escapes is what each byte of a text is written as, "" for itself.
type Escapes [256]string

var (
	// JSON has the letters of RFC 8259, as canonical JSON (RFC 8785) uses them.
	JSON = New("\bb\ff\nn\rr\tt", "")
	// Common has the letters that JSON, TOON, YAML and EDN share.
	Common = New("\nn\rr\tt", "")
)

// New makes a table: the controls below U+0020 and the bytes of others are
// written as \u00XX, but a quote, a backslash and the bytes of letters, each of
// which stands before its letter, are written behind a backslash.
func New(letters, others string) *Escapes {
	var t Escapes
	for c := range byte(' ') {
		t[c] = Hex(rune(c))
	}
	for i := range len(others) {
		t[others[i]] = Hex(rune(others[i]))
	}
	for letters = `""\\` + letters; letters != ""; letters = letters[2:] {
		t[letters[0]] = `\` + letters[1:2]
	}
	return &t
}

// Append appends a text between quotes.
func (t *Escapes) Append(dst []byte, s string) []byte {
	dst = append(dst, '"')
	from := 0
	for i := range len(s) {
		if text := t[s[i]]; text != "" {
			dst = append(append(dst, s[from:i]...), text...)
			from = i + 1
		}
	}
	return append(append(dst, s[from:]...), '"')
}

// Hex is a character of the basic plane as \uXXXX, in small letters.
func Hex(c rune) string {
	const hex = "0123456789abcdef"
	return string([]byte{'\\', 'u', hex[c>>12&15], hex[c>>8&15], hex[c>>4&15], hex[c&15]})
}
