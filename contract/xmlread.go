package contract

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/cento-dev/cento/internal/quote"
)

// element is the start of an element.
type element struct {
	name  string
	at    int
	attrs []attribute
	empty bool // ended at once
}

type attribute struct {
	name, value string
	at, valueAt int
}

// attr returns the value of an attribute and where it stands.
func (e *element) attr(name string) (string, int, bool) {
	for i := range e.attrs {
		if e.attrs[i].name == name {
			return e.attrs[i].value, e.attrs[i].valueAt, true
		}
	}
	return "", e.at, false
}

func xmlSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// xmlSkip passes over white space between elements, and over comments where
// they are allowed.
func (r *reader) xmlSkip() bool {
	for {
		for r.at < len(r.text) && xmlSpace(r.text[r.at]) {
			r.at++
		}
		if !r.lenient || !strings.HasPrefix(r.text[r.at:], "<!--") {
			return true
		}
		end := strings.Index(r.text[r.at+4:], "-->")
		if end < 0 {
			return r.fail(r.at, Syntax, "", "a comment is not closed")
		}
		r.at += 4 + end + 3
	}
}

// xmlNameEnds are the bytes that end a name.
var xmlNameEnds = func() (t [256]bool) {
	for _, c := range " \n\t\r/>=<&\"'" {
		t[c] = true
	}
	return t
}()

// xmlName passes over a name.
func (r *reader) xmlName() string {
	from := r.at
	for r.at < len(r.text) && !xmlNameEnds[r.text[r.at]] {
		r.at++
	}
	return r.text[from:r.at]
}

// startTag reads the start of an element. The attributes are good until the
// next call.
func (r *reader) startTag(want string) (element, bool) {
	e := element{at: r.at, attrs: r.attrs[:0]}
	rest := r.text[r.at:]
	switch {
	case strings.HasPrefix(rest, "<!DOCTYPE"):
		return e, r.fail(r.at, Syntax, "take it out", "a document type is not read")
	case strings.HasPrefix(rest, "<?"):
		return e, r.fail(r.at, Syntax, "take it out", "a processing instruction is not read")
	case strings.HasPrefix(rest, "<!"):
		return e, r.fail(r.at, Syntax, "take it out", "neither comments nor sections are read here")
	case r.peek() != '<' || strings.HasPrefix(rest, "</"):
		return e, r.unexpected(want, "")
	}
	r.at++
	if e.name = r.xmlName(); e.name == "" {
		return e, r.unexpected("the name of an element", "")
	}
	for {
		spaced := r.at
		for r.at < len(r.text) && xmlSpace(r.text[r.at]) {
			r.at++
		}
		switch r.peek() {
		case '>':
			r.at++
			r.attrs = e.attrs
			return e, true
		case '/':
			r.at++
			e.empty = true
			r.attrs = e.attrs
			return e, r.take('>')
		}
		if spaced == r.at {
			return e, r.unexpected("a space, / or >", "")
		}
		if len(e.attrs) == 16 {
			return e, r.fail(r.at, Syntax, "", "<%s> has more than 16 attributes", clip(e.name))
		}
		a := attribute{at: r.at}
		if a.name = r.xmlName(); a.name == "" {
			return e, r.unexpected("an attribute, / or >", "")
		}
		if _, first, twice := e.attr(a.name); twice {
			return e, r.twice("the attribute "+a.name, first, a.at)
		}
		if !r.take('=') {
			return e, false
		}
		q := r.peek()
		if q != '"' && q != '\'' {
			return e, r.unexpected("a value between quotes", "")
		}
		r.at++
		a.valueAt = r.at
		end := strings.IndexByte(r.text[r.at:], q)
		if end < 0 {
			return e, r.fail(r.at-1, Syntax, "", "a value is not closed")
		}
		raw := r.text[r.at : r.at+end]
		if k := strings.IndexByte(raw, '<'); k >= 0 {
			return e, r.fail(r.at+k, Syntax, "write it as &lt;", "a < in a value")
		}
		var ok bool
		if a.value, ok = r.xmlDecode(raw, r.at, true); !ok {
			return e, false
		}
		r.at += end + 1
		e.attrs = append(e.attrs, a)
	}
}

// endTag reads the end of an element.
func (r *reader) endTag(name string) bool {
	if !strings.HasPrefix(r.text[r.at:], "</") {
		return r.unexpected("</"+name+">", "")
	}
	at := r.at
	r.at += 2
	if got := r.xmlName(); got != name {
		return r.fail(at, Syntax, "", "expected </%s>, got </%s>", name, clip(got))
	}
	for r.at < len(r.text) && xmlSpace(r.text[r.at]) {
		r.at++
	}
	return r.take('>')
}

// characters reads the text up to the next tag.
func (r *reader) characters() (string, bool) {
	end := strings.IndexByte(r.text[r.at:], '<')
	if end < 0 {
		end = len(r.text) - r.at
	}
	s, ok := r.xmlDecode(r.text[r.at:r.at+end], r.at, false)
	r.at += end
	return s, ok
}

// xmlDecode decodes what stands between tags or quotes: references, and line
// ends as any reader of XML sees them.
func (r *reader) xmlDecode(s string, at int, attribute bool) (string, bool) {
	if m := marksOf(s); m&(markXML|markFar) == 0 && (!attribute || !strings.ContainsAny(s, "\t\n")) {
		return s, true
	}
	if k := strings.Index(s, "]]>"); k >= 0 && !attribute {
		return "", r.fail(at+k, Syntax, "write the > as &gt;", "]]> in a text")
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case c == '&':
			text, size, ok := r.reference(s[i:], at+i)
			if !ok {
				return "", false
			}
			out = append(out, text...)
			i += size
			continue
		case c == '\r':
			if i+1 < len(s) && s[i+1] == '\n' {
				i++
				continue
			}
			out = append(out, lineEnding(attribute))
		case c == '\n' || c == '\t':
			if attribute {
				c = ' '
			}
			out = append(out, c)
		case c < ' ' || c == 0xef && (strings.HasPrefix(s[i:], "\ufffe") || strings.HasPrefix(s[i:], "\uffff")):
			bad, _ := utf8.DecodeRuneInString(s[i:])
			return "", r.fail(at+i, Syntax, `mark the element with esc="u" and write it as \uXXXX`, "U+%04X is no character of XML", bad)
		default:
			out = append(out, c)
		}
		i++
	}
	return string(out), true
}

// lineEnding is what a line end reads as: in an attribute a space.
func lineEnding(attribute bool) byte {
	if attribute {
		return ' '
	}
	return '\n'
}

// reference decodes a reference to a character.
func (r *reader) reference(s string, at int) (text string, size int, ok bool) {
	end := strings.IndexByte(s[:min(len(s), 12)], ';')
	if end < 0 {
		return "", 0, r.fail(at, Syntax, "an & itself is written &amp;", "a reference is not closed")
	}
	name := s[1:end]
	switch name {
	case "amp":
		return "&", end + 1, true
	case "lt":
		return "<", end + 1, true
	case "gt":
		return ">", end + 1, true
	case "quot":
		return `"`, end + 1, true
	case "apos":
		return "'", end + 1, true
	}
	digits, isNumber := strings.CutPrefix(name, "#")
	if !isNumber {
		return "", 0, r.fail(at, UnknownName, "known are &amp; &lt; &gt; &quot; &apos; and numbers", "unknown entity &%s;", name)
	}
	base := 10
	if hex, ok := strings.CutPrefix(digits, "x"); ok {
		digits, base = hex, 16
	}
	n, err := strconv.ParseUint(digits, base, 32)
	c := rune(n)
	if err != nil || strings.HasPrefix(digits, "+") || n > utf8.MaxRune || !utf8.ValidRune(c) || c == 0xFFFE || c == 0xFFFF || c < ' ' && c != '\t' && c != '\n' && c != '\r' {
		return "", 0, r.fail(at, Syntax, "", "&%s; is no character of XML", name)
	}
	return string(c), end + 1, true
}

// known fails for an attribute that isn't one of the names.
func (r *reader) known(e *element, names ...string) bool {
attrs:
	for i := range e.attrs {
		for _, n := range names {
			if n == e.attrs[i].name {
				continue attrs
			}
		}
		a := &e.attrs[i]
		return r.fail(a.at, UnknownName, unknownHint(a.name, names), "unknown attribute %q of <%s>", clip(a.name), e.name)
	}
	return true
}

// required returns the value of an attribute that must be there.
func (r *reader) required(e *element, name string) (string, int, bool) {
	value, at, ok := e.attr(name)
	if !ok {
		return "", at, r.fail(e.at, Missing, "", "the attribute %q of <%s> is missing", name, e.name)
	}
	return value, at, true
}

// children reads elements up to the end of their parent.
func (r *reader) children(parent *element, child func(e *element) bool) bool {
	if parent.empty {
		return true
	}
	if r.elements == nil {
		r.elements = make([]element, nesting)
	}
	if r.open == nesting {
		return r.fail(parent.at, Syntax, "", "elements nest more than %d deep", nesting)
	}
	e := &r.elements[r.open]
	r.open++
	name := parent.name
	for {
		if !r.xmlSkip() {
			return false
		}
		if strings.HasPrefix(r.text[r.at:], "</") {
			r.open--
			return r.endTag(name)
		}
		var ok bool
		if *e, ok = r.startTag("an element, or the end of the one around it"); !ok || !child(e) {
			return false
		}
	}
}

// content reads the text of an element up to its end.
func (r *reader) content(e *element) (string, bool) {
	if e.empty {
		return "", true
	}
	name := e.name
	s, ok := r.characters()
	return s, ok && r.endTag(name)
}

// escaped tells whether an element is marked as holding escapes.
func (r *reader) escaped(e *element) (escaped, ok bool) {
	value, at, marked := e.attr("esc")
	if marked && value != "u" {
		return false, r.fail(at, UnknownName, "", `esc is "u" or absent, not %q`, clip(value))
	}
	return marked, true
}

var xmlLetters = quote.NewLetters(`\\`)

// xmlUnescape decodes the escapes of a text that is marked for them. The text
// isn't what stands at the offset byte by byte, so that is where an error is.
func (r *reader) xmlUnescape(s string, at int) (string, bool) {
	if strings.IndexByte(s, '\\') < 0 {
		return s, true
	}
	text, ok := r.unescape(s, at, xmlLetters)
	if !ok {
		r.err.Position = r.position(at)
	}
	return text, ok
}

// xml reads a whole text of the form.
func (r *reader) xml() {
	if !r.xmlSkip() {
		return
	}
	begin := r.at
	root, ok := r.startTag("<contract>")
	if !ok {
		return
	}
	if root.name != "contract" {
		r.fail(root.at, UnknownName, unknownHint(root.name, []string{"contract"}), "expected <contract>, got <%s>", clip(root.name))
		return
	}
	role, at, ok := r.required(&root, "role")
	if !ok || !r.known(&root, "role") || !r.once(rolePart, "role", at) || !r.role(role, at) {
		return
	}
	if !r.children(&root, r.xmlPart) {
		return
	}
	r.xmlSkip()
	if r.at < len(r.text) {
		r.unexpected("the end of the text", "a text is one contract")
		return
	}
	r.complete(begin, "role", "<objective>", "<context>", "<constraints>", "<output>")
}

func (r *reader) xmlPart(e *element) bool {
	p, ok := partOf(e.name)
	if !ok || p == rolePart {
		return r.fail(e.at, UnknownName, unknownHint(e.name, partNames[1:]), "unknown element <%s>", clip(e.name))
	}
	if !r.once(p, "<"+e.name+">", e.at) {
		return false
	}
	switch p {
	case objectivePart:
		escaped, ok := r.escaped(e)
		if !ok || !r.known(e, "esc") {
			return false
		}
		at := r.at
		text, ok := r.content(e)
		if ok && escaped {
			text, ok = r.xmlUnescape(text, at)
		}
		r.c.objective = text
		return ok
	case contentPart:
		return r.known(e) && r.children(e, r.xmlGroup)
	case constraintPart:
		at := r.at
		if !r.known(e) {
			return false
		}
		text, ok := r.content(e)
		if !ok {
			return false
		}
		for done := 0; ; {
			word := strings.TrimLeft(text[done:], " \t\n")
			done = len(text) - len(word)
			if end := strings.IndexAny(word, " \t\n"); end >= 0 {
				word = word[:end]
			}
			if word == "" {
				return true
			}
			if !r.constraint(word, at+done) {
				return false
			}
			done += len(word)
		}
	}
	for i := range e.attrs {
		p, ok := outputPartOf(e.attrs[i].name)
		if !ok {
			return r.known(e, outputParts...)
		}
		r.parts[p] = e.attrs[i].at + 1
		if !r.outputPart(p, e.attrs[i].value, e.attrs[i].valueAt) {
			return false
		}
	}
	if !r.completeOutput(e.at, `"emit"`, `"key"`) {
		return false
	}
	return r.children(e, func(child *element) bool {
		return r.fail(child.at, Syntax, "", "<output> holds nothing, got <%s>", clip(child.name))
	})
}

func (r *reader) xmlGroup(e *element) bool {
	if e.name != "facts" {
		return r.fail(e.at, UnknownName, unknownHint(e.name, []string{"facts"}), "expected <facts>, got <%s>", clip(e.name))
	}
	key, at, ok := r.required(e, "key")
	if !ok || !r.known(e, "key") || !r.group(key, at) {
		return false
	}
	begin := e.at
	return r.children(e, r.xmlFact) && r.endGroup(begin)
}

func (r *reader) xmlFact(e *element) bool {
	if e.name != "fact" {
		return r.fail(e.at, UnknownName, unknownHint(e.name, []string{"fact"}), "expected <fact>, got <%s>", clip(e.name))
	}
	id, idAt, ok := r.required(e, "id")
	if !ok || !r.known(e, "id", "esc") {
		return false
	}
	escaped, ok := r.escaped(e)
	if !ok {
		return false
	}
	at := r.at
	content, ok := r.content(e)
	if !ok {
		return false
	}
	if escaped {
		if id, ok = r.xmlUnescape(id, idAt); !ok {
			return false
		}
		if content, ok = r.xmlUnescape(content, at); !ok {
			return false
		}
	}
	r.fact(id, content)
	return true
}
