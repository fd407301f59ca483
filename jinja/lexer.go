package jinja

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// lexer cuts a template into tokens. It has two modes: text up to the next tag,
// and the inside of a tag.
type lexer struct {
	t     *Template
	src   string
	pos   int
	tagAt int // where the tag being read begins
	inTag tok // tokVar or tokBlock inside a tag, 0 in text
	depth int // open brackets in the tag: }} ends a tag only outside of them
	dot   bool
	// White-space control that the last tag asked for.
	trimLeft    bool // all white space: -%}
	trimNewline bool // one line end: trim_blocks

	trimBlocks, lstripBlocks bool
	expression               bool // the source is one expression without delimiters
}

func (l *lexer) fail(pos, end int, message string) {
	panic(l.t.failure(ErrSyntax, uint32(pos), uint32(min(end, len(l.src))), message))
}

func (l *lexer) next() token {
	if l.inTag == 0 {
		return l.text()
	}
	return l.tag()
}

// text reads literal text and enters the tag that ends it. Empty text gives no
// token; comments vanish; raw blocks are text.
func (l *lexer) text() token {
	for {
		start := l.pos
		end := l.findTag(start)
		text := token{tokText, uint32(l.trimStart(start)), uint32(end)}
		if end == len(l.src) {
			l.pos = end
			if text.pos < text.end {
				return text
			}
			return token{tokEOF, uint32(end), uint32(end)}
		}
		open, body := l.src[end+1], end+2
		var sign byte
		if body < len(l.src) && (l.src[body] == '-' || l.src[body] == '+') {
			sign = l.src[body]
			body++
		}
		text.end = uint32(l.trimEnd(start, end, open, sign))
		text.pos = min(text.pos, text.end)
		if text.pos < text.end {
			// The tag is read at the next call; the flags for its left side are spent.
			l.pos, l.trimLeft, l.trimNewline = end, false, false
			return text
		}
		l.trimLeft, l.trimNewline = false, false
		switch open {
		case '#':
			l.comment(end, body)
		case '{':
			l.enter(tokVar, end, body)
			return token{tokVar, uint32(end), uint32(body)}
		case '%':
			if raw, ok := l.raw(end, body); ok {
				if raw.pos < raw.end {
					return raw
				}
				continue
			}
			l.enter(tokBlock, end, body)
			return token{tokBlock, uint32(end), uint32(body)}
		}
	}
}

func (l *lexer) enter(mode tok, tag, body int) {
	l.inTag, l.tagAt, l.pos, l.depth, l.dot = mode, tag, body, 0, false
}

// findTag returns the offset of the next {{, {% or {#, or the end.
func (l *lexer) findTag(from int) int {
	for i := from; ; i++ {
		j := strings.IndexByte(l.src[i:], '{')
		if j < 0 {
			return len(l.src)
		}
		i += j
		if i+1 < len(l.src) {
			if c := l.src[i+1]; c == '{' || c == '%' || c == '#' {
				return i
			}
		}
	}
}

// trimStart applies what the previous tag asked for to the text at start.
func (l *lexer) trimStart(start int) int {
	rest := l.src[start:]
	switch {
	case l.trimLeft:
		return len(l.src) - len(strings.TrimLeftFunc(rest, unicode.IsSpace))
	case l.trimNewline && strings.HasPrefix(rest, "\n"):
		return start + 1
	case l.trimNewline && strings.HasPrefix(rest, "\r\n"):
		return start + 2
	}
	return start
}

// trimEnd applies what the tag at end asks for to the text before it.
func (l *lexer) trimEnd(start, end int, open, sign byte) int {
	if sign == '-' {
		return start + len(strings.TrimRightFunc(l.src[start:end], unicode.IsSpace))
	}
	if l.lstripBlocks && open != '{' && sign != '+' {
		i := end
		for i > start && (l.src[i-1] == ' ' || l.src[i-1] == '\t') {
			i--
		}
		if i == 0 || l.src[i-1] == '\n' {
			return i
		}
	}
	return end
}

// closing notes the white-space control of a tag's end.
func (l *lexer) closing(sign byte, trims bool) {
	l.trimLeft = sign == '-'
	l.trimNewline = trims && l.trimBlocks && sign != '+'
}

func (l *lexer) comment(tag, body int) {
	i := strings.Index(l.src[body:], "#}")
	if i < 0 {
		err := l.t.failure(ErrSyntax, uint32(tag), uint32(tag+2), "comment is not closed, expected '#}'")
		err.Hint = "write #} where the comment ends"
		panic(err)
	}
	end := body + i
	var sign byte
	if i > 0 && (l.src[end-1] == '-' || l.src[end-1] == '+') {
		sign = l.src[end-1]
	}
	l.closing(sign, true)
	l.pos = end + 2
}

// raw reads {% raw %}…{% endraw %} if it stands at body and returns its text.
func (l *lexer) raw(tag, body int) (token, bool) {
	pos, sign, ok := l.bareTag(body, "raw")
	if !ok {
		return token{}, false
	}
	l.closing(sign, true)
	start := l.trimStart(pos)
	for i := pos; ; {
		j := strings.Index(l.src[i:], "{%")
		if j < 0 {
			err := l.t.failure(ErrSyntax, uint32(tag), uint32(pos), "'raw' is not closed, expected 'endraw'")
			err.Hint = "write {% endraw %} behind what belongs to it"
			panic(err)
		}
		i += j
		inner := i + 2
		var left byte
		if inner < len(l.src) && (l.src[inner] == '-' || l.src[inner] == '+') {
			left = l.src[inner]
			inner++
		}
		if after, right, ok := l.bareTag(inner, "endraw"); ok {
			end := l.trimEnd(pos, i, '%', left)
			l.closing(right, true)
			l.pos = after
			return token{tokText, uint32(min(start, end)), uint32(end)}, true
		}
		i += 2
	}
}

// bareTag matches a tag that is only a word, from behind its {%.
func (l *lexer) bareTag(pos int, word string) (after int, sign byte, ok bool) {
	i := pos
	for i < len(l.src) && isSpace(l.src[i]) {
		i++
	}
	if !strings.HasPrefix(l.src[i:], word) {
		return 0, 0, false
	}
	i += len(word)
	for i < len(l.src) && isSpace(l.src[i]) {
		i++
	}
	if i < len(l.src) && (l.src[i] == '-' || l.src[i] == '+') {
		sign = l.src[i]
		i++
	}
	if !strings.HasPrefix(l.src[i:], "%}") {
		return 0, 0, false
	}
	return i + 2, sign, true
}

func isSpace(c byte) bool {
	return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f' || c == '\v'
}

// tag reads a token inside a tag.
func (l *lexer) tag() token {
	src := l.src
	i := l.pos
	for i < len(src) && isSpace(src[i]) {
		i++
	}
	if i == len(src) {
		l.pos = i
		if l.expression {
			return token{tokEOF, uint32(i), uint32(i)}
		}
		panic(l.unclosed(i))
	}
	if !l.expression && (l.depth == 0 || l.inTag == tokBlock) { // no expression goes on with %}
		if t, ok := l.tagEnd(i); ok {
			return t
		}
	}
	c := src[i]
	afterDot := l.dot
	l.dot = false
	switch {
	case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_':
		j := i + 1
		for j < len(src) && isNameByte(src[j]) {
			j++
		}
		if j < len(src) && src[j] >= utf8.RuneSelf {
			j = l.nameEnd(j)
		}
		l.pos = j
		return token{tokName, uint32(i), uint32(j)}
	case c >= '0' && c <= '9':
		return l.number(i, afterDot)
	case c == '"' || c == '\'':
		return l.str(i)
	case c >= utf8.RuneSelf:
		if r, _ := utf8.DecodeRuneInString(src[i:]); unicode.IsLetter(r) {
			l.pos = l.nameEnd(i)
			return token{tokName, uint32(i), uint32(l.pos)}
		}
	}
	var d byte
	if i+1 < len(src) {
		d = src[i+1]
	}
	kind, n := operator(c, d)
	if n == 0 {
		if err := l.unclosed(i); err != nil {
			panic(err)
		}
		r, size := utf8.DecodeRuneInString(src[i:])
		err := l.t.failure(ErrSyntax, uint32(i), uint32(i+size), "unexpected character "+quoteRune(r))
		switch r {
		case '&':
			err.Hint = "write and for two conditions"
		case '!':
			err.Hint = "write not before what should not hold"
		}
		panic(err)
	}
	switch kind {
	case tokLParen, tokLBracket, tokLBrace:
		l.depth++
	case tokRParen, tokRBracket, tokRBrace:
		l.depth = max(0, l.depth-1)
	case tokDot:
		l.dot = true
	}
	l.pos = i + n
	return token{kind, uint32(i), uint32(i + n)}
}

// unclosed is the error of a tag that ends nowhere between at, where the reading of it
// stopped, and the next tag; nil for one that does. Its place is the mark that opens the
// tag: what stopped the reading may be plain text lines below.
func (l *lexer) unclosed(at int) *Error {
	if l.expression || l.inTag == 0 {
		return nil
	}
	open, sure := l.openString(at)
	if sure {
		return open
	}
	what, end, other := "expression", "}}", "%}"
	if l.inTag == tokBlock {
		what, end, other = "tag", "%}", "}}"
	}
	if strings.HasPrefix(l.src[at-1:], "{%") {
		at-- // read as a bracket
	}
scan:
	for i := at; i < len(l.src); i++ {
		rest := l.src[i:]
		switch {
		case strings.HasPrefix(rest, end):
			return nil
		case strings.HasPrefix(rest, "{%"), strings.HasPrefix(rest, "{#"),
			strings.HasPrefix(rest, "{{") && l.inTag == tokVar:
			break scan
		case rest[0] == '"' || rest[0] == '\'':
			if n := strings.IndexAny(rest[1:], rest[:1]+"\n"); n >= 0 && rest[1+n] != '\n' {
				i += 1 + n
			}
		}
	}
	if open != nil {
		return open
	}
	err := l.t.failure(ErrSyntax, uint32(l.tagAt), uint32(l.tagAt+2), what+" is not closed, expected '"+end+"'")
	if other[0] == '%' && l.src[at-1] == '%' {
		at-- // read as an operator
	}
	err.Hint = "write " + end + " where the " + what + " ends"
	for _, mark := range []string{other, "}"} {
		if strings.HasPrefix(l.src[at:], mark) {
			line, column := l.t.position(at)
			err.Hint = "write " + end + " for the " + mark + " at " + itoa(line) + ":" + itoa(column)
			break
		}
	}
	return err
}

// openString is the error of the first string of the tag before at that runs over an end of
// the tag on its own line: its quote was forgotten, and it ends at a quote or an apostrophe
// of what follows. That is sure where it runs over the line or into another tag; else only
// if the tag isn't closed either. It is nil where no string does so.
func (l *lexer) openString(at int) (err *Error, sure bool) {
	mark := "}}"
	if l.inTag == tokBlock {
		mark = "%}"
	}
	for i := l.tagAt + 2; i < at; i++ {
		quote := l.src[i]
		if quote != '"' && quote != '\'' {
			continue
		}
		end := l.strEnd(i)
		if end < 0 {
			return nil, false
		}
		text := l.src[i:end]
		line, _, several := strings.Cut(text, "\n")
		if k := strings.Index(line, mark); k >= 0 {
			err = l.t.failure(ErrSyntax, uint32(i), uint32(i+1), "string is not closed on its line")
			next, column := l.t.position(end - 1)
			err.Hint = "write " + string(quote) + " where it ends; the next one is at " + itoa(next) + ":" + itoa(column)
			return err, several || strings.Contains(line[k:], "{%") || strings.Contains(line[k:], "{{")
		}
		i = end - 1
	}
	return nil, false
}

// openBracket is the innermost bracket of the tag that is open at the token at; false for
// none. The tag is read again for it, up to there.
func (l *lexer) openBracket(at int) (open int, ok bool) {
	if l.inTag == 0 {
		return 0, false
	}
	again := lexer{t: l.t, src: l.src, inTag: l.inTag, expression: l.expression}
	if !l.expression {
		again.pos = l.tagAt + 2
	}
	var brackets []int
	for {
		switch t := again.tag(); {
		case int(t.pos) >= at:
			if len(brackets) == 0 {
				return 0, false
			}
			return brackets[len(brackets)-1], true
		case t.kind == tokLParen, t.kind == tokLBracket, t.kind == tokLBrace:
			brackets = append(brackets, int(t.pos))
		case len(brackets) > 0 && (t.kind == tokRParen || t.kind == tokRBracket || t.kind == tokRBrace):
			brackets = brackets[:len(brackets)-1]
		}
	}
}

// tagEnd matches the end of the tag at i.
func (l *lexer) tagEnd(i int) (token, bool) {
	kind, end := tokEndVar, "}}"
	if l.inTag == tokBlock {
		kind, end = tokEndBlock, "%}"
	}
	j := i
	var sign byte
	if c := l.src[i]; c == '-' || c == '+' {
		sign = c
		j++
	}
	if !strings.HasPrefix(l.src[j:], end) {
		return token{}, false
	}
	l.closing(sign, kind == tokEndBlock)
	if l.pos = j + 2; l.depth == 0 {
		l.inTag = 0
	}
	return token{kind, uint32(i), uint32(j + 2)}, true
}

func isNameByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c >= '0' && c <= '9'
}

// nameEnd returns the end of the name that goes on at i, with any letters.
func (l *lexer) nameEnd(i int) int {
	for i < len(l.src) {
		r, size := utf8.DecodeRuneInString(l.src[i:])
		if r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) {
			break
		}
		i += size
	}
	return i
}

// number reads an integer or a float. Behind a dot only digits count: in a.0.1
// there is no float.
func (l *lexer) number(i int, afterDot bool) token {
	src := l.src
	digits := func(j int, ok func(byte) bool) int {
		for j < len(src) && (ok(src[j]) || src[j] == '_') {
			j++
		}
		return j
	}
	decimal := func(c byte) bool { return c >= '0' && c <= '9' }
	kind := tokInt
	j := i
	if src[i] == '0' && i+1 < len(src) && strings.IndexByte("xXoObB", src[i+1]) >= 0 && !afterDot {
		j = digits(i+2, func(c byte) bool { return decimal(c) || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F' })
	} else {
		j = digits(i, decimal)
		if !afterDot {
			if j+1 < len(src) && src[j] == '.' && decimal(src[j+1]) {
				kind = tokFloat
				j = digits(j+1, decimal)
			}
			if j < len(src) && (src[j] == 'e' || src[j] == 'E') {
				k := j + 1
				if k < len(src) && (src[k] == '+' || src[k] == '-') {
					k++
				}
				if k < len(src) && decimal(src[k]) {
					kind = tokFloat
					j = digits(k, decimal)
				}
			}
		}
	}
	l.pos = j
	return token{kind, uint32(i), uint32(j)}
}

// strEnd is behind the string that begins at i; below 0 for one that isn't closed.
func (l *lexer) strEnd(i int) int {
	for j := i + 1; j < len(l.src); j++ {
		switch l.src[j] {
		case '\\':
			j++
		case l.src[i]:
			return j + 1
		}
	}
	return -1
}

func (l *lexer) str(i int) token {
	if end := l.strEnd(i); end > 0 {
		l.pos = end
		return token{tokString, uint32(i), uint32(end)}
	}
	if i > 0 && isNameByte(l.src[i-1]) { // the apostrophe of a word
		if err := l.unclosed(i); err != nil {
			panic(err)
		}
	}
	if err, _ := l.openString(i); err != nil {
		panic(err)
	}
	l.fail(i, i+1, "string is not closed")
	return token{}
}

func quoteRune(r rune) string {
	if unicode.IsPrint(r) {
		return "'" + string(r) + "'"
	}
	const hex = "0123456789ABCDEF"
	b := []byte("U+0000")
	if r > 0xffff {
		b = append(b, "00"...)
	}
	for i := len(b) - 1; i > 1; i-- {
		b[i] = hex[r&15]
		r >>= 4
	}
	return string(b)
}
