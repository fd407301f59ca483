package strict

import (
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/quote"
)

// JSON reads a JSON text. The grammar is that of RFC 8259, which also allows
// things that readers disagree on; those are refused: a key that is repeated,
// also in other letter case, and half of a surrogate pair. A byte order mark is
// dropped. The limits must be set.
func JSON(name string, data []byte, limits cento.Limits) (*Node, error) {
	src, err := newSource(name, data, limits)
	if err != nil {
		return nil, err
	}
	r := jsonReader{src: src, nesting: limits.Nesting}
	r.space()
	if r.at == len(src.text) {
		return nil, src.fail(r.at, Syntax, "write a JSON value, such as {} for an empty map", "the file is empty, expected a JSON value")
	}
	n, ok := r.value()
	if ok {
		if r.space(); r.at < len(src.text) {
			r.unexpected(theEnd)
		}
	}
	if r.stop != nil {
		r.errs.add(r.stop)
	}
	if err := r.errs.err(); err != nil {
		return nil, err
	}
	return &n, nil
}

// maxValues is how many values one JSON text may have. Each takes some sixty bytes,
// so that a text of nothing but commas can't ask for many times its length.
const maxValues = 1_000_000

// jsonReader walks over the text once. A syntax error stops it; what is wrong
// with the meaning is gathered.
type jsonReader struct {
	src     *source
	at      int
	depth   int
	nesting int
	values  int // list items and members so far
	// open are the nodes of the lists and maps that aren't closed yet, those of the
	// innermost last. Each list takes its own when it is closed, of which it is known
	// then how many there are.
	open []Node
	errs errorList
	stop *cento.SourceError
}

// value reads the value that begins here. False: reading stopped.
func (r *jsonReader) value() (Node, bool) {
	n := Node{src: r.src, off: int32(r.at)}
	if r.values++; r.values > maxValues {
		r.stop = &cento.SourceError{
			Code: cento.LimitExceeded, Position: r.src.position(r.at), Message: fmt.Sprintf("more than %d list items and keys", maxValues),
			Hint: "hand it over in parts",
		}
		return n, false
	}
	switch c := r.peek(); {
	case c == '{' || c == '[':
		if r.depth++; r.depth > r.nesting {
			r.stop = tooDeep(r.src, r.at, r.nesting)
			return n, false
		}
		ok := false
		if c == '{' {
			n.kind = Map
			n.nodes, ok = r.members()
		} else {
			n.kind = List
			n.nodes, ok = r.items()
		}
		if r.depth--; !ok && r.at == len(r.src.text) && r.stop.Related == nil && r.stop.Position == r.src.position(r.at) {
			r.stop.Related = []cento.Related{{Position: r.src.position(int(n.off)), Message: "not closed"}}
		}
		n.text = r.src.text[n.off:r.at]
		return n, ok
	case c == '"':
		n.kind, n.style = Text, double
		text, ok := r.text()
		n.text = text
		return n, ok
	case c == '-' || c >= '0' && c <= '9':
		n.kind = Number
		text, ok := r.number()
		n.text = text
		return n, ok
	}
	for _, w := range [...]struct {
		text string
		kind Kind
	}{{"true", Bool}, {"false", Bool}, {"null", Null}} {
		if strings.HasPrefix(r.src.text[r.at:], w.text) {
			r.at += len(w.text)
			n.kind, n.text = w.kind, w.text
			return n, true
		}
	}
	return n, r.unexpected(aValue)
}

// members reads a map, from its brace to its brace.
func (r *jsonReader) members() ([]Node, bool) {
	begin := len(r.open)
	r.at++
	if r.space(); r.peek() == '}' {
		r.at++
		return nil, true
	}
	for {
		if r.peek() != '"' {
			return nil, r.unexpected(aKey)
		}
		key := Node{src: r.src, off: int32(r.at), kind: Text, style: double}
		var ok bool
		if key.text, ok = r.text(); !ok {
			return nil, false
		}
		if r.space(); r.peek() != ':' {
			return nil, r.unexpected(aColon)
		}
		r.at++
		r.space()
		value, ok := r.value()
		if !ok {
			return nil, false
		}
		r.open = append(r.open, key, value)
		r.space()
		switch r.peek() {
		case ',':
			r.at++
			r.space()
		case '}':
			r.at++
			nodes := r.close(begin)
			repeatedKeys(nodes, &r.errs)
			return nodes, true
		default:
			return nil, r.unexpected(`"," or "}"`)
		}
	}
}

// items reads a list, from its bracket to its bracket.
func (r *jsonReader) items() ([]Node, bool) {
	begin := len(r.open)
	r.at++
	if r.space(); r.peek() == ']' {
		r.at++
		return nil, true
	}
	for {
		n, ok := r.value()
		if !ok {
			return nil, false
		}
		r.open = append(r.open, n)
		r.space()
		switch r.peek() {
		case ',':
			r.at++
			r.space()
		case ']':
			r.at++
			return r.close(begin), true
		default:
			return nil, r.unexpected(`"," or "]"`)
		}
	}
}

// close takes the nodes from a place on, which are those of a list that ends.
func (r *jsonReader) close(begin int) []Node {
	nodes := slices.Clone(r.open[begin:])
	r.open = r.open[:begin]
	return nodes
}

// text reads a string, from its quote to its quote. Without escapes it shares
// the bytes of the file.
func (r *jsonReader) text() (string, bool) {
	s := r.src.text
	open := r.at
	from := r.at + 1
	var out []byte
	for i := from + plainBytes(s[from:]); i < len(s); i += plainBytes(s[i:]) {
		switch c := s[i]; {
		case c == '"':
			r.at = i + 1
			if out == nil {
				return s[from:i], true
			}
			return string(append(out, s[from:i]...)), true
		case c < ' ':
			what := "control character " + fmt.Sprintf("U+%04X", c)
			if c == '\n' {
				what = "a line end"
			}
			r.stop = r.src.fail(i, Syntax, `write \n for a line end, \t for a tab`, "%s in a text", what)
			return "", false
		case c == '\\':
			rn, size := quote.JSONLetters.Unescape(s[i:])
			switch {
			case size == 0:
				hint := `a backslash itself is written \\`
				if strings.HasPrefix(s[i:], `\u`) {
					hint = `four digits, 0 to 9 and a to f, stand behind \u; ` + hint
				}
				r.stop = r.src.fail(i, Syntax, hint, "%s is no escape of JSON", strconv.Quote(head(s[i:], 2)))
				return "", false
			case utf16.IsSurrogate(rn):
				r.stop = r.src.fail(i, Syntax, "write the character itself, or both halves, as in \\ud83d\\ude00", "%s is half of a surrogate pair", s[i:i+size])
				return "", false
			case rn == 0:
				r.stop = r.src.fail(i, Syntax, "take it out", "a NUL character in a text")
				return "", false
			}
			out = utf8.AppendRune(append(out, s[from:i]...), rn)
			i += size
			from = i
		}
	}
	r.stop = r.src.fail(open, Syntax, `write " where the text ends`, "a text is not closed")
	return "", false
}

// plainBytes counts the bytes before the first that means something between double
// quotes, a quote, a backslash or a control character: eight of them at a time, since
// this is asked for every byte of every text.
func plainBytes(s string) int {
	const ones, high = 0x0101010101010101, 0x8080808080808080
	n := 0
	for ; len(s)-n >= 8; n += 8 {
		b := s[n : n+8]
		w := uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 | uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
		quote, back := w^'"'*ones, w^'\\'*ones
		// The lowest high bit that is set is that of the first such byte: what is borrowed
		// goes up alone.
		found := ((w-' '*ones)&^w | (quote-ones)&^quote | (back-ones)&^back) & high
		if found != 0 {
			return n + bits.TrailingZeros64(found)/8
		}
	}
	for n < len(s) && s[n] >= ' ' && s[n] != '"' && s[n] != '\\' {
		n++
	}
	return n
}

// number reads a number and leaves it as it is written.
func (r *jsonReader) number() (string, bool) {
	from := r.at
	if r.peek() == '-' {
		r.at++
	}
	switch {
	case r.peek() == '0':
		r.at++
	case !r.digits():
		return "", r.unexpected(aDigit)
	}
	if r.peek() == '.' {
		r.at++
		if !r.digits() {
			return "", r.unexpected(aDigit)
		}
	}
	if c := r.peek(); c == 'e' || c == 'E' {
		r.at++
		if c := r.peek(); c == '+' || c == '-' {
			r.at++
		}
		if !r.digits() {
			return "", r.unexpected(aDigit)
		}
	}
	return r.src.text[from:r.at], true
}

// digits passes over digits and reports whether there was one.
func (r *jsonReader) digits() bool {
	from := r.at
	for c := r.peek(); c >= '0' && c <= '9'; c = r.peek() {
		r.at++
	}
	return r.at > from
}

// space passes over white space.
func (r *jsonReader) space() {
	for c := r.peek(); c == ' ' || c == '\t' || c == '\n' || c == '\r'; c = r.peek() {
		r.at++
	}
}

// peek is the byte that comes next, 0 at the end: the text holds no NUL.
func (r *jsonReader) peek() byte {
	if r.at < len(r.src.text) {
		return r.src.text[r.at]
	}
	return 0
}

// What is wanted at a place, beside commas and brackets.
const (
	theEnd = "the end of the file"
	aValue = "a value"
	aKey   = "a key in quotes"
	aColon = `":"`
	aDigit = "a digit"
)

// unexpected stops reading. It is always false.
func (r *jsonReader) unexpected(want string) bool {
	got := theEnd
	if r.at < len(r.src.text) {
		got = strconv.Quote(head(r.src.text[r.at:], 1))
	}
	r.stop = r.src.fail(r.at, Syntax, r.advice(want), "not readable as JSON: expected %s, got %s", want, got)
	return false
}

// advice says what to write where something else is wanted. People write what other
// notations allow, or leave a mark out.
func (r *jsonReader) advice(want string) string {
	rest := r.src.text[r.at:]
	line := strings.LastIndexByte(r.src.text[:r.at], '\n') + 1
	c, _ := utf8.DecodeRuneInString(rest)
	switch {
	case rest == "":
		return "the text is cut off, or a } or ] is missing"
	case conflict(r.src.text, line) >= line:
		return settleIt
	case want == aDigit:
		return "JSON writes numbers as 0.5, 12 or 1e6"
	case c == '}' || c == ']':
		if strings.HasSuffix(strings.TrimRight(r.src.text[:r.at], " \t\r\n"), ",") {
			return "JSON allows no comma before a closing bracket"
		}
		return "a { is closed by }, and a [ by ]"
	case c == '\'' || c == '“' || c == '”' || c == '„' || c == '`':
		return `JSON writes texts between "`
	case c == '/' || c == '#':
		return "JSON has no comments"
	case want == theEnd:
		return "a text holds one JSON value; several are items of a list, between [ and ]"
	case want == aKey:
		return `a key stands between ", as in {"name": 1}`
	case want == aColon:
		return "a colon stands between a key and its value"
	case want == aValue && (c == '+' || c == '.'):
		return "JSON writes numbers as 0.5, without a + before them"
	case want == aValue && unicode.IsLetter(c):
		return `a text stands between "; the words without are true, false and null`
	case want == aValue && c == ',':
		return "a value is missing before the comma"
	case want != aValue && c >= '0' && c <= '9' && strings.HasSuffix(r.src.text[:r.at], "0"):
		return "a number doesn't begin with 0"
	case want != aValue && c == ':':
		return "keys stand in a map, between { and }"
	case want != aValue:
		return "a comma stands between two values"
	}
	return `a value is a text between ", a number, true, false, null, or something between { } or [ ]`
}

// head is the first n code points of s.
func head(s string, n int) string {
	for i := range s {
		if n--; n < 0 {
			return s[:i]
		}
	}
	return s
}

func tooDeep(src *source, off, nesting int) *cento.SourceError {
	return src.fail(off, cento.LimitExceeded, "put fewer lists and maps into one another", "lists and maps nest more than %d deep", nesting)
}
