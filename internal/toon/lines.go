package toon

import (
	"strings"
	"unicode/utf16"

	"github.com/cento-dev/cento/internal/quote"
)

// structure finds the first colon outside of quotes, and the first bracket
// before it, each -1 for none. Together they tell what a line is: with the
// bracket it is a header, with the colon alone a key and its value, else one
// scalar.
func structure(s string) (colon, bracket int) {
	bracket = -1
	for i := 0; i < len(s); {
		switch s[i] {
		case ':':
			return i, bracket
		case '[':
			if bracket < 0 {
				bracket = i
			}
			i++
		case '"':
			i = skipQuotes(s, i)
		default:
			i++
		}
	}
	return -1, bracket
}

// field reads a member of an object: a whole line, or what stands behind a
// hyphen. Depth is where the member stands.
func (r *Reader) field(s string, at, depth int) {
	colon, bracket := structure(s)
	switch {
	case colon < 0 && (s == "-" || strings.HasPrefix(s, "- ")):
		r.fail(at, Syntax, "a list begins with its length, as in items[2]:", "an item, and no list is open")
	case colon < 0:
		r.fail(at, Syntax, "a member is written as key: value", "a colon is missing behind %q", clip(s))
	case bracket == 0:
		r.fail(at, Syntax, "only the document itself and items of a list may be arrays without a key", "a header without a key")
	case bracket > 0:
		if h, ok := r.header(s, at, bracket); ok && r.addKey(h.key, at) {
			r.put(Key, h.key, at)
			r.openHeader(&h, depth)
		}
	default:
		key, ok := r.token(s[:colon], at)
		if !ok || !r.addKey(key.Text, key.Offset) {
			return
		}
		r.put(Key, key.Text, key.Offset)
		value, front := trim(s[colon+1:])
		front += at + colon + 1
		switch value {
		case "":
			r.put(BeginObject, "", at)
			r.push(scope{kind: objectScope, depth: depth + 1, at: at})
		case "[]":
			r.put(BeginArray, "", front)
			r.put(EndArray, "", front)
		default:
			r.scalar(value, front)
		}
	}
}

// openHeader begins what a header declares. Depth is where the header stands.
func (r *Reader) openHeader(h *header, depth int) {
	switch {
	case h.keyed:
		r.put(BeginObject, "", h.at)
		r.push(scope{kind: keyedScope, depth: depth + 1, want: h.want, at: h.at, fields: h.fields})
	case h.inline != "":
		r.put(BeginArray, "", h.at)
		r.inline = inline{active: true, cells: cells{rest: h.inline, at: h.inlineAt, delimiter: h.delimiter}, want: h.want, header: h.at}
	case h.fields != nil:
		r.put(BeginArray, "", h.at)
		r.push(scope{kind: tableScope, depth: depth + 1, want: h.want, at: h.at, fields: h.fields})
	default:
		r.put(BeginArray, "", h.at)
		r.push(scope{kind: listScope, depth: depth + 1, want: h.want, at: h.at})
	}
}

// listItem reads an item of a list.
func (r *Reader) listItem(s *scope) {
	content, at := r.line.content, r.line.at
	if content != "-" && !strings.HasPrefix(content, "- ") {
		r.fail(at, Syntax, "an item begins with a hyphen and a space", "expected an item, got %q", clip(content))
		return
	}
	if r.full(s) {
		return
	}
	s.got++
	depth := r.use().depth
	rest, front := trim(content[1:])
	at += 1 + front
	colon, bracket := structure(rest)
	switch {
	case rest == "":
		r.put(BeginObject, "", at)
		r.put(EndObject, "", at)
	case rest == "[]":
		r.put(BeginArray, "", at)
		r.put(EndArray, "", at)
	case colon < 0:
		r.scalar(rest, at)
	case bracket == 0:
		h, ok := r.header(rest, at, 0)
		switch {
		case !ok:
		case h.fields != nil:
			r.fail(at, Syntax, "write the objects as items", "a table without a key as an item")
		default:
			r.openHeader(&h, depth)
		}
	default:
		r.put(BeginObject, "", at)
		r.push(scope{kind: objectScope, depth: depth + 1, at: at})
		r.field(rest, at, depth+1)
	}
}

// tableRow begins a row of a table.
func (r *Reader) tableRow(s *scope) {
	if !isRow(r.line.content, s.fields.delimiter) {
		r.fail(r.line.at, Syntax, "a cell that holds a colon is written between quotes", "expected a row, got %q", clip(r.line.content))
		return
	}
	if r.full(s) {
		return
	}
	s.got++
	l := r.use()
	r.put(BeginObject, "", l.at)
	r.row = row{fields: s.fields, cells: cells{rest: l.content, at: l.at, delimiter: s.fields.delimiter}}
}

// isRow reports whether a line at the depth of rows is one: the delimiter comes
// before any colon.
func isRow(s string, delimiter byte) bool {
	first := strings.IndexByte(s, delimiter)
	if first < 0 {
		first = len(s)
	}
	if strings.IndexByte(s[:first], '"') < 0 {
		return strings.IndexByte(s[:first], ':') < 0
	}
	for i := 0; i < len(s); {
		switch s[i] {
		case delimiter:
			return true
		case ':':
			return false
		case '"':
			i = skipQuotes(s, i)
		default:
			i++
		}
	}
	return true
}

// entry begins a row of a keyed table.
func (r *Reader) entry(s *scope) {
	content, at := r.line.content, r.line.at
	colon := entryColon(content)
	if colon < 0 {
		r.fail(at, Syntax, "a row of a keyed table is written as key: cells", "a colon is missing behind %q", clip(content))
		return
	}
	if r.full(s) {
		return
	}
	s.got++
	r.use()
	key, ok := r.token(content[:colon], at)
	if !ok || !r.addKey(key.Text, key.Offset) {
		return
	}
	rest, front := trim(content[colon+1:])
	front += at + colon + 1
	r.put(Key, key.Text, key.Offset)
	r.put(BeginObject, "", front)
	r.row = row{fields: s.fields, cells: cells{rest: rest, at: front, delimiter: s.fields.delimiter, none: rest == ""}}
}

func entryColon(s string) int {
	colon, _ := structure(s)
	return colon
}

// token reads a key between quotes or bare.
func (r *Reader) token(s string, at int) (Token, bool) {
	s, front := trim(s)
	at += front
	if !strings.HasPrefix(s, `"`) {
		return Token{Key, s, at}, true
	}
	text, ok := r.unquote(s, at)
	return Token{Key, text, at}, ok
}

// scalar puts the value that a trimmed token is.
func (r *Reader) scalar(s string, at int) {
	kind := StringToken
	switch c := s[0]; {
	case c == '"':
		text, ok := r.unquote(s, at)
		if !ok {
			return
		}
		s = text
	case c == 't' && s == "true" || c == 'f' && s == "false":
		kind = BoolToken
	case c == 'n' && s == "null":
		kind, s = NullToken, ""
	case (c == '-' || '0' <= c && c <= '9') && isNumber(s):
		kind = NumberToken
	}
	r.put(kind, s, at)
}

// unquote decodes a token that begins with a quote and must end with its
// partner.
func (r *Reader) unquote(s string, at int) (string, bool) {
	end, escapes := closingQuote(s)
	switch {
	case end < 0:
		return "", r.fail(at, Syntax, "", "a text is not closed")
	case end != len(s)-1:
		return "", r.fail(at+end+1, Syntax, "", "%q behind the end of a text", clip(s[end+1:]))
	case !escapes:
		return s[1:end], true
	}
	out := make([]byte, 0, end)
	for i := 1; i < end; {
		if s[i] != '\\' {
			next := strings.IndexByte(s[i:end], '\\')
			if next < 0 {
				next = end - i
			}
			out = append(out, s[i:i+next]...)
			i += next
			continue
		}
		c, size := quote.CommonLetters.Unescape(s[i:end])
		if size == 0 || size > 6 || utf16.IsSurrogate(c) { // no pairs in TOON
			hint := `known are \\ \" \n \r \t \uXXXX`
			if strings.HasPrefix(s[i:], `\u`) {
				hint = "four hexadecimal digits of a character, which half of a surrogate pair is not"
			}
			return "", r.fail(at+i, Syntax, hint, "%q is no escape", clip(s[i:min(i+6, end)]))
		}
		out = append(out, string(c)...)
		i += size
	}
	return string(out), true
}
