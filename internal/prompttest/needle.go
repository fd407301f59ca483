package prompttest

import (
	"strings"
	"unicode"

	"github.com/cento-dev/cento/internal/quote"
)

// needle is a text that is looked for with white space folded. Nothing is made of the
// text that it is looked for in: very many prompts are asked for a few words.
type needle struct {
	// before, word and after are the folded text: its longest word, which is found
	// fast, and what stands around it.
	before, word, after string
}

func newNeedle(s string) needle {
	s = foldSpace(s)
	at, length := 0, -1
	for start := 0; start <= len(s); {
		end := len(s)
		if k := strings.IndexByte(s[start:], ' '); k >= 0 {
			end = start + k
		}
		if end-start > length {
			at, length = start, end-start
		}
		start = end + 1
	}
	return needle{s[:at], s[at : at+length], s[at+length:]}
}

// in reports whether the needle stands in a text.
func (n needle) in(text string) bool {
	for from := 0; ; {
		k := strings.Index(text[from:], n.word)
		if k < 0 {
			return false
		}
		at := from + k
		if n.ends(text[:at]) && n.begins(text[at+len(n.word):]) {
			return true
		}
		from = at + 1
	}
}

// begins reports whether a text goes on as the needle does behind its word.
func (n needle) begins(text string) bool {
	for rest := n.after; rest != ""; {
		if rest[0] != ' ' {
			if text == "" || text[0] != rest[0] {
				return false
			}
			text, rest = text[1:], rest[1:]
			continue
		}
		rest = rest[1:]
		trimmed := strings.TrimLeftFunc(text, unicode.IsSpace)
		if len(trimmed) == len(text) {
			return false
		}
		text = trimmed
	}
	return true
}

// ends reports whether a text ends as the needle does before its word.
func (n needle) ends(text string) bool {
	for rest := n.before; rest != ""; {
		last := len(rest) - 1
		if rest[last] != ' ' {
			if text == "" || text[len(text)-1] != rest[last] {
				return false
			}
			text, rest = text[:len(text)-1], rest[:last]
			continue
		}
		rest = rest[:last]
		trimmed := strings.TrimRightFunc(text, unicode.IsSpace)
		if len(trimmed) == len(text) {
			return false
		}
		text = trimmed
	}
	return true
}

// foldSpace makes each run of white space one blank, and leaves those around a text
// out.
func foldSpace(s string) string { return strings.Join(strings.Fields(s), " ") }

// clipped is the beginning of a long text.
func clipped(s string) string { return quote.ClipRunes(s, 80) }
