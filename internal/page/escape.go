package page

import (
	"bufio"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/cento-dev/cento/internal/unitab"
)

// writer is the only way of text into the page: text, label and attribute
// escape, everything else is markup of our own. Errors stay in the buffer until
// it is flushed.
type writer struct{ *bufio.Writer }

// text writes a text so that the text content of the page holds it unchanged.
// Characters that can't be seen stand in an element that shows their number.
func (w *writer) text(s string) {
	u := newUnseen(s)
	for at := 0; ; {
		start, end, r := u.next(at)
		w.visibleText(s[at:start])
		if start == len(s) {
			return
		}
		fmt.Fprintf(w, `<span class="c" data-c="U+%04X">%s</span>`, r, verbatim(r))
		at = end
	}
}

func (w *writer) visibleText(s string) {
	for {
		i := strings.IndexAny(s, "<>&")
		if i < 0 {
			w.WriteString(s)
			return
		}
		w.WriteString(s[:i])
		switch s[i] {
		case '<':
			w.WriteString("&lt;")
		case '>':
			w.WriteString("&gt;")
		default:
			w.WriteString("&amp;")
		}
		s = s[i+1:]
	}
}

// verbatim writes a character that the reader of markup would change: it folds
// line ends and can't hold a NUL, in whose place the script puts one. The
// controls from U+0080 mean something else when written as a reference.
func verbatim(r rune) string {
	switch r {
	case 0:
		return ""
	case '\r':
		return "&#13;"
	}
	return string(r)
}

// label writes a short text that is part of the page, not of the prompt: an id,
// a reason, a file name. What can't be seen in it is written out, and it can
// stand in an attribute too.
func (w *writer) label(s string) { w.attribute(visible(s)) }

// attribute writes the value of an attribute that has to be exact: a target of
// links. Where labels may break is a reference, since a page of ASCII is read in half
// the time.
func (w *writer) attribute(s string) { attributeEscapes.WriteString(w, s) }

var attributeEscapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;", "'", "&#39;", "\r", "&#13;", "\x00", "\ufffd", "\u200b", "&#8203;")

// visible replaces every character that can't be seen, line ends and tabs too,
// by its number in angle brackets.
func visible(s string) string {
	var b strings.Builder
	u := newUnseen(s)
	for at := 0; ; {
		start, end, r := u.next(at)
		if i := strings.IndexAny(s[at:start], "\n\t"); i >= 0 {
			start, end, r = at+i, at+i+1, rune(s[at+i])
		}
		if start == len(s) && at == 0 {
			return s
		}
		b.WriteString(s[at:start])
		if start == len(s) {
			return b.String()
		}
		b.WriteString(unitab.Spelled(r))
		at = end
	}
}

// unseen finds the characters that a reader of the page would not see, or would
// see others moved by: what the assembler itself calls hidden, and the controls
// and odd line ends that a browser draws nothing for.
type unseen struct {
	s          string
	start, end int // the next one that the assembler calls hidden
	r          rune
}

func newUnseen(s string) *unseen {
	u := &unseen{s: s}
	u.hidden(0)
	return u
}

func (u *unseen) hidden(from int) { u.start, u.end, u.r, _, _ = unitab.NextHidden(u.s, from) }

// next returns the first one at or behind a byte; its start is the length of
// the text when there is none. Calls go forward.
func (u *unseen) next(from int) (start, end int, r rune) {
	if u.start < from {
		u.hidden(from)
	}
	for i := from; i < u.start; i++ {
		switch c := u.s[i]; {
		case c < ' ' && c != '\n' && c != '\t' || c == 0x7f:
			return i, i + 1, rune(c)
		case c == 0xc2 || c == 0xe2: // the lead bytes of U+0085, U+2028 and U+2029
			if r, size := utf8.DecodeRuneInString(u.s[i:]); r == '\u0085' || r == '\u2028' || r == '\u2029' {
				return i, i + size, r
			}
		}
	}
	return u.start, u.end, u.r
}
