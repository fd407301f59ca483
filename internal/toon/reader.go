package toon

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// few is how many keys are compared one with another; more go through a map.
const few = 16

// TokenKind is what a token is.
type TokenKind uint8

// The kinds of tokens. Every Begin has its End; in an object each value follows
// its Key.
const (
	NullToken TokenKind = iota
	BoolToken
	NumberToken
	StringToken
	Key
	BeginArray
	EndArray
	BeginObject
	EndObject
)

// Token is a piece of a value as it is read.
type Token struct {
	Kind TokenKind
	// Text is the key, the string, the number as it is written, "true" or
	// "false". It shares the memory of the document unless it had escapes.
	Text string
	// Offset is where the token stands, in bytes; see [Reader.Place].
	Offset int
}

// Decoder reads documents. The zero Decoder has the defaults.
type Decoder struct {
	// Indent is how many spaces one level is indented. Default 2.
	Indent int
	// Depth is how deep arrays and objects may nest. Default 100.
	Depth int
	// Bytes is how long a document may be. Default 16 MiB.
	Bytes int
}

func (d Decoder) withDefaults() Decoder {
	for _, f := range []struct {
		field *int
		value int
	}{{&d.Indent, 2}, {&d.Depth, 100}, {&d.Bytes, 16 << 20}} {
		if *f.field <= 0 {
			*f.field = f.value
		}
	}
	return d
}

// Reader hands out the tokens of a document, one at a time. It keeps a stack of
// what is open and takes no other memory than keys to compare, so that a
// document costs no more than its length.
type Reader struct {
	text   string
	indent int
	depth  int
	open   int // arrays and objects that are begun and not ended
	begun  bool

	next  int // where the next line begins
	line  line
	ahead bool // line is read and not yet used
	ended bool // there is no further line
	blank int  // the first blank line before line, -1 for none

	scopes []scope
	keys   []keyAt // of the objects that are open

	queue      [4]Token
	head, tail int
	row        row
	inline     inline
	err        error
}

// line is a line that counts: neither blank nor a comment.
type line struct {
	content string // without indentation and trailing spaces
	at      int    // where the content begins
	depth   int
}

// scope is something that further lines belong to.
type scope struct {
	kind   scopeKind
	depth  int // where its lines stand
	want   int // how many there are to be
	got    int
	at     int // the line that opened it, for errors
	fields *fieldList
	keySpan
}

// keySpan is the keys of an object or field list that is being read.
type keySpan struct {
	keys  int            // the first in Reader.keys
	index map[string]int // the same, when they are many
}

type scopeKind uint8

const (
	objectScope scopeKind = iota
	listScope
	tableScope
	keyedScope
)

type keyAt struct {
	text string
	at   int
}

// Tokens returns a reader of a document.
func (d Decoder) Tokens(text string) *Reader {
	d = d.withDefaults()
	r := &Reader{text: text, indent: d.Indent, depth: d.Depth, blank: -1, scopes: make([]scope, 0, 4), keys: make([]keyAt, 0, 8)}
	switch {
	case len(text) > d.Bytes:
		r.err = &Error{Code: LimitExceeded, Message: fmt.Sprintf("%d bytes are more than the %d a document may have", len(text), d.Bytes)}
	case !utf8.ValidString(text):
		at := invalidUTF8(text)
		r.err = &Error{Code: InvalidUTF8, Message: fmt.Sprintf("byte 0x%02X is not UTF-8", text[at]), Place: place(text, at)}
	case strings.HasPrefix(text, byteOrderMark):
		r.next = len(byteOrderMark)
	}
	return r
}

// Place is the line and column of an offset. It counts from the beginning of
// the document, so it is meant for what a person is told.
func (r *Reader) Place(offset int) Place { return place(r.text, offset) }

// Next returns the next token, and io.EOF behind the last one. Any other error
// is an [*Error] and final.
func (r *Reader) Next() (Token, error) {
	for r.err == nil {
		if r.head < r.tail {
			t := r.queue[r.head]
			r.head++
			switch t.Kind {
			case BeginArray, BeginObject:
				if r.open++; r.open > r.depth {
					r.fail(t.Offset, LimitExceeded, "", "arrays and objects nest more than %d deep", r.depth)
					continue
				}
			case EndArray, EndObject:
				r.open--
			}
			return t, nil
		}
		r.head, r.tail = 0, 0
		switch {
		case r.row.fields != nil:
			r.cell()
		case r.inline.active:
			r.inlineItem()
		default:
			r.step()
		}
	}
	return Token{}, r.err
}

func (r *Reader) put(kind TokenKind, text string, at int) {
	r.queue[r.tail] = Token{kind, text, at}
	r.tail++
}

// fail ends reading. It is always false.
func (r *Reader) fail(at int, code ErrorCode, hint, format string, args ...any) bool {
	if r.err == nil || r.err == io.EOF {
		r.err = &Error{Code: code, Message: fmt.Sprintf(format, args...), Place: r.Place(at), Hint: hint}
	}
	return false
}

// peek reads the next line that counts, if it isn't read yet.
func (r *Reader) peek() bool {
	if r.ahead || r.ended {
		return r.ahead
	}
	for r.next < len(r.text) {
		at := r.next
		content := r.text[at:]
		if end := strings.IndexByte(content, '\n'); end >= 0 {
			content = content[:end]
			r.next = at + end + 1
		} else {
			r.next = len(r.text)
		}
		content = strings.TrimSuffix(content, "\r")
		end := len(content)
		for end > 0 && content[end-1] == ' ' {
			end--
		}
		spaces := 0
		for spaces < end && content[spaces] == ' ' {
			spaces++
		}
		content = content[spaces:end]
		switch {
		case content == "":
			if r.blank < 0 {
				r.blank = at
			}
			continue
		case content[0] == '#':
			continue
		case content[0] == '\t':
			return r.fail(at+spaces, WrongIndentation, "indent by spaces", "a tab in the indentation")
		case spaces%r.indent != 0:
			return r.fail(at+spaces, WrongIndentation, "", "the indentation is %d spaces, which is no multiple of %d", spaces, r.indent)
		}
		r.line = line{content: content, at: at + spaces, depth: spaces / r.indent}
		r.ahead = true
		return true
	}
	r.ended = true
	return false
}

// use takes the line that was read ahead.
func (r *Reader) use() line {
	r.ahead, r.blank = false, -1
	return r.line
}

// step reads a line, or ends a scope that no further line belongs to.
func (r *Reader) step() {
	more := r.peek()
	if r.err != nil {
		return
	}
	if !r.begun {
		r.begun = true
		r.root(more)
		return
	}
	if len(r.scopes) == 0 {
		if more {
			r.fail(r.line.at, Syntax, "a document is one value", "a line behind the end of the value")
			return
		}
		r.err = io.EOF
		return
	}
	s := &r.scopes[len(r.scopes)-1]
	if !more || r.line.depth < s.depth {
		r.end(s)
		return
	}
	if r.blank >= 0 && r.begunTable() {
		r.fail(r.blank, Syntax, "take it out", "a blank line within a list or table")
		return
	}
	if r.line.depth > s.depth {
		hint := ""
		if s.got > 0 || s.kind == objectScope && len(r.keys) > s.keys {
			hint = "nothing above it is open"
		}
		r.fail(r.line.at, WrongIndentation, hint, "the line stands at level %d, expected %d", r.line.depth, s.depth)
		return
	}
	switch s.kind {
	case objectScope:
		l := r.use()
		r.field(l.content, l.at, l.depth)
	case listScope:
		r.listItem(s)
	case tableScope:
		r.tableRow(s)
	case keyedScope:
		r.entry(s)
	}
}

// begunTable reports whether the next line is inside of a list or table, behind
// its first line.
func (r *Reader) begunTable() bool {
	for i := range r.scopes {
		if r.scopes[i].kind != objectScope && r.scopes[i].got > 0 {
			return true
		}
	}
	return false
}

// root finds out what the document is.
func (r *Reader) root(more bool) {
	if !more {
		r.put(BeginObject, "", len(r.text))
		r.put(EndObject, "", len(r.text))
		return
	}
	l := r.line
	if l.depth != 0 {
		r.fail(l.at, WrongIndentation, "", "the first line is indented")
		return
	}
	r.use()
	colon, bracket := structure(l.content)
	switch {
	case l.content == "[]":
		r.put(BeginArray, "", l.at)
		r.put(EndArray, "", l.at)
	case colon >= 0 && bracket == 0:
		if h, ok := r.header(l.content, l.at, 0); ok {
			r.openHeader(&h, 0)
		}
	case colon < 0 && !r.peek() && r.err == nil:
		r.scalar(l.content, l.at)
	case r.err == nil:
		r.put(BeginObject, "", l.at)
		r.push(scope{kind: objectScope, depth: 0, at: l.at})
		r.field(l.content, l.at, 0)
	}
}

func (r *Reader) push(s scope) {
	s.keys = len(r.keys)
	r.scopes = append(r.scopes, s)
}

// end ends the innermost scope.
func (r *Reader) end(s *scope) {
	kind := EndObject
	if s.kind != objectScope && s.got != s.want {
		r.fail(s.at, WrongCount, "", "%s, the count is %d", s.declared(), s.got)
		return
	}
	if s.kind == listScope || s.kind == tableScope {
		kind = EndArray
	}
	at := len(r.text)
	if r.ahead {
		at = r.line.at
	}
	r.keys = r.keys[:s.keys]
	r.scopes = r.scopes[:len(r.scopes)-1]
	r.put(kind, "", at)
}

// declared says what a scope is to hold.
func (s *scope) declared() string {
	what := "row"
	if s.kind == listScope {
		what = "item"
	}
	switch s.want {
	case 1:
		return "1 " + what + " was declared"
	case tooMany:
		return "more " + what + "s than can be counted were declared"
	}
	return fmt.Sprintf("%d %ss were declared", s.want, what)
}

// full fails when a scope already holds as much as was declared.
func (r *Reader) full(s *scope) bool {
	if s.got < s.want {
		return false
	}
	r.fail(r.line.at, WrongCount, "", "%s, and this is one more", s.declared())
	return true
}

// addKey notes a key of the innermost object.
func (r *Reader) addKey(key string, at int) bool {
	return r.distinct(&r.scopes[len(r.scopes)-1].keySpan, key, at)
}

// distinct notes a key of an object or field list, and fails when it has the
// key already.
func (r *Reader) distinct(s *keySpan, key string, at int) bool {
	own := r.keys[s.keys:]
	first := -1
	if len(own) < few {
		for i := range own {
			if own[i].text == key {
				first = own[i].at
				break
			}
		}
	} else {
		if s.index == nil {
			s.index = make(map[string]int, 2*few)
			for _, k := range own {
				s.index[k.text] = k.at
			}
		}
		if k, ok := s.index[key]; ok {
			first = k
		} else {
			s.index[key] = at
		}
	}
	if first >= 0 {
		r.duplicate(key, first, at)
		return false
	}
	r.keys = append(r.keys, keyAt{key, at})
	return true
}

func (r *Reader) duplicate(key string, first, at int) {
	r.err = &Error{
		Code: DuplicateKey, Message: fmt.Sprintf("key %q is given twice", clip(key)),
		Place: r.Place(at), First: r.Place(first), Hint: "keep one of the two",
	}
}
