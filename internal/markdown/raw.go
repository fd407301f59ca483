package markdown

import (
	"slices"
	"strings"
)

// What a block of HTML leaves unfinished reaches over the end of the block: a
// renderer hands the block over as it is, and whoever reads the page goes on in the
// tag, the quoted value or the comment that was begun. Only that is read here, by
// the tokenizer of HTML (https://html.spec.whatwg.org/, 13.2.5).

// rawState is what the text at hand is in the middle of.
type rawState uint8

const (
	inData rawState = iota
	inTagName
	inAttributes
	behindEquals
	inValue // without quotes
	inDouble
	inSingle
	inComment
	inBogus // <?, <!x and </ before anything but a letter: up to the next >
	inText  // of an element whose text holds no tags
)

// rawHTML reads blocks of HTML.
type rawHTML struct {
	state   rawState
	opened  int    // where what is unfinished begins
	name    []byte // of the tag
	closing bool
	named   bool   // an attribute has a name, so that = begins its value
	text    string // the element of inText
	escaped bool   // a comment in a script: it hides tags, its end too
	// tag is told of each tag at its end, and where it begins.
	tag func(name string, closing bool, at int)
}

// textOnly are the elements whose text holds no tags but their own end.
var textOnly = []string{"iframe", "noembed", "noframes", "noscript", "script", "style", "textarea", "title", "xmp"}

// line reads a line without its end. at is where it stands.
func (r *rawHTML) line(s string, at int) {
	for k := 0; k < len(s); {
		k += r.step(s[k:], at+k)
	}
	switch r.state {
	case inTagName, inValue:
		r.state, r.named = inAttributes, false
	}
}

// step reads a character, or what can be gone over at once.
func (r *rawHTML) step(s string, at int) int {
	c := s[0]
	switch r.state {
	case inData:
		return r.data(s, at)
	case inText:
		switch {
		case r.text == "script" && strings.HasPrefix(s, "<!--"):
			r.escaped, r.opened = true, at
		case strings.HasPrefix(s, "-->"):
			r.escaped = false
		}
		if r.escaped {
			return 1
		}
		if rest, ok := cutPrefixFold(s, "</"+r.text); ok && (rest == "" || isSpace(rest[0]) || rest[0] == '>' || rest[0] == '/') {
			r.opened, r.state, r.named, r.closing = at, inAttributes, false, true
			r.name = append(r.name[:0], r.text...)
			return len(s) - len(rest)
		}
	case inComment:
		for _, end := range [...]string{"-->", "--!>"} {
			if strings.HasPrefix(s, end) {
				r.state = inData
				return len(end)
			}
		}
	case inBogus:
		if c == '>' {
			r.state = inData
		}
	case inDouble, inSingle:
		if c == '"' && r.state == inDouble || c == '\'' && r.state == inSingle {
			r.state, r.named = inAttributes, false
		}
	default:
		r.inTag(c)
	}
	return 1
}

func (r *rawHTML) data(s string, at int) int {
	n := strings.IndexByte(s, '<')
	if n < 0 {
		return len(s)
	}
	s, r.opened = s[n:], at+n
	switch rest := s[1:]; {
	case strings.HasPrefix(rest, "!--"):
		n += 4
		if end := s[4:]; strings.HasPrefix(end, ">") || strings.HasPrefix(end, "->") {
			return n + strings.IndexByte(end, '>') + 1
		}
		r.state = inComment
		return n
	case strings.HasPrefix(rest, "!"), strings.HasPrefix(rest, "?"):
		r.state = inBogus
		return n + 2
	case strings.HasPrefix(rest, "/") && len(rest) > 1 && isLetter(rest[1]):
		r.state, r.closing, r.name = inTagName, true, r.name[:0]
		return n + 2
	case strings.HasPrefix(rest, "/>"):
		return n + 3
	case strings.HasPrefix(rest, "/"):
		r.state = inBogus
		return n + min(2, len(s))
	case rest != "" && isLetter(rest[0]):
		r.state, r.closing, r.name = inTagName, false, r.name[:0]
	}
	return n + 1
}

// inTag reads a character of a tag outside of quotes.
func (r *rawHTML) inTag(c byte) {
	switch {
	case c == '>':
		r.state = inData
		name := r.tagName()
		if !r.closing && slices.Contains(textOnly, name) {
			r.state, r.text = inText, name
		}
		r.tag(name, r.closing, r.opened)
	case r.state == inTagName:
		switch {
		case isSpace(c) || c == '/':
			r.state, r.named = inAttributes, false
		case len(r.name) < 16:
			r.name = append(r.name, c)
		}
	case r.state == behindEquals:
		switch {
		case c == '"':
			r.state = inDouble
		case c == '\'':
			r.state = inSingle
		case !isSpace(c):
			r.state = inValue
		}
	case r.state == inValue:
		if isSpace(c) {
			r.state, r.named = inAttributes, false
		}
	case c == '/':
		r.named = false
	case c == '=' && r.named:
		r.state = behindEquals
	case !isSpace(c):
		r.named = true
	}
}

func (r *rawHTML) tagName() string { return strings.ToLower(string(r.name)) }

// inOpenTag reports whether an open tag is unfinished.
func (r *rawHTML) inOpenTag() bool { return inTagName <= r.state && r.state <= inSingle && !r.closing }

// what names what is unfinished, empty for nothing.
func (r *rawHTML) what() string {
	switch r.state {
	case inData:
		return ""
	case inText:
		if !r.escaped {
			return ""
		}
		fallthrough
	case inComment:
		return "HTML comment"
	case inBogus:
		return "HTML declaration"
	}
	return "HTML tag"
}

func cutPrefixFold(s, prefix string) (string, bool) {
	if len(s) < len(prefix) || !strings.EqualFold(s[:len(prefix)], prefix) {
		return s, false
	}
	return s[len(prefix):], true
}
