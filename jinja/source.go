package jinja

import (
	"sort"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/cento-dev/cento/internal/quote"
)

// Source is the text of a template and where it comes from.
type Source struct {
	// Name is how errors and spans call the template. For a loader it is the
	// canonical name: two names of one file must give one Name, so that cycles
	// are found.
	Name string
	// Text is the template.
	Text string
	// Trust is the label of the literal text.
	Trust Trust
	// Line, Column and Offset say where Text begins if it is a part of a larger
	// file, such as what follows its front matter. Line and Column count from 1
	// and 0 means 1; Offset counts bytes from 0.
	Line, Column, Offset int
}

// places turns offsets in a source into lines and columns. Columns count code
// points, so it keeps a count at the start of every stride of bytes: a place on
// a line of any length is found without walking the line.
type places struct {
	once  sync.Once
	lines []int32 // offset of each line's first byte
	runes []int32 // code points before byte i*stride
}

const stride = 256

func (p *places) build(text string) {
	p.once.Do(func() {
		p.lines = append(p.lines, 0)
		n := int32(0)
		for i := range len(text) {
			if i%stride == 0 {
				p.runes = append(p.runes, n)
			}
			if utf8.RuneStart(text[i]) {
				n++
			}
			if text[i] == '\n' {
				p.lines = append(p.lines, int32(i+1))
			}
		}
		p.runes = append(p.runes, n)
	})
}

func (p *places) runesBefore(text string, off int) int {
	i := off / stride
	if i >= len(p.runes) {
		i = len(p.runes) - 1
	}
	n := int(p.runes[i])
	for j := i * stride; j < off && j < len(text); j++ {
		if utf8.RuneStart(text[j]) {
			n++
		}
	}
	return n
}

// position returns the line and column, both from 1, of a byte offset of the text.
func (t *Template) position(off int) (line, column int) {
	t.places.build(t.src.Text)
	off = min(off, len(t.src.Text))
	i := sort.Search(len(t.places.lines), func(i int) bool { return int(t.places.lines[i]) > off }) - 1
	start := int(t.places.lines[i])
	line = i + max(1, t.src.Line)
	column = 1 + t.places.runesBefore(t.src.Text, off) - t.places.runesBefore(t.src.Text, start)
	if i == 0 {
		column += max(1, t.src.Column) - 1
	}
	return line, column
}

// line returns the source line that holds an offset, without its line end.
func (t *Template) line(off int) string {
	text := t.src.Text
	off = min(off, len(text))
	start := strings.LastIndexByte(text[:off], '\n') + 1
	end := len(text)
	if i := strings.IndexByte(text[off:], '\n'); i >= 0 {
		end = off + i
	}
	line := strings.TrimSuffix(text[start:end], "\r")
	if start == 0 && t.src.Column > 1 {
		line = strings.Repeat(" ", min(t.src.Column-1, 1000)) + line
	}
	return line
}

// What a message quotes of a value or name, and how long it may be with all of
// what it quotes, in bytes.
const (
	maxQuoted  = 200
	maxMessage = 1000
)

// shown cuts what a message quotes.
func shown(s string) string { return quote.Clip(s, maxQuoted) }

// failure makes an error at the bytes from start to end of the text.
func (t *Template) failure(kind ErrorKind, start, end uint32, message string) *Error {
	line, column := t.position(int(start))
	return &Error{
		Kind: kind, Message: quote.Clip(message, maxMessage), Template: t.src.Name, Line: line, Column: column,
		Start: t.src.Offset + int(start), End: t.src.Offset + int(end), Whole: t.src.Offset + int(start),
		SourceLine: t.line(int(start)),
	}
}
