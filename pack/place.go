package pack

import (
	"strings"
	"unicode/utf8"

	"github.com/cento-dev/cento"
)

// after is the place behind a text that begins at a place.
func after(p cento.Position, text string) cento.Position {
	if i := strings.LastIndexByte(text, '\n'); i >= 0 {
		p.Line += strings.Count(text, "\n")
		p.Column = 1
		text = text[i+1:]
	}
	p.Column += utf8.RuneCountInString(text)
	return p
}
