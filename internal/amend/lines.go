package amend

import (
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/cento-dev/cento"
)

const byteOrderMark = "\ufeff"

// A lineIndex finds bytes of a file by the lines and columns that people count.
type lineIndex struct {
	text   string
	starts []int
}

func newLineIndex(text string) lineIndex {
	l := lineIndex{text: text, starts: []int{0}}
	if strings.HasPrefix(text, byteOrderMark) {
		l.starts[0] = len(byteOrderMark)
	}
	for i := range len(text) {
		if text[i] == '\n' {
			l.starts = append(l.starts, i+1)
		}
	}
	return l
}

// offset is the byte of a place; false where the text has no such place.
func (l lineIndex) offset(at cento.Position) (int, bool) {
	if at.Line < 1 || at.Line > len(l.starts) || at.Column < 1 {
		return 0, false
	}
	off := l.starts[at.Line-1]
	line := l.text[off:l.endOf(off)]
	for range at.Column - 1 {
		if line == "" {
			return 0, false
		}
		_, size := utf8.DecodeRuneInString(line)
		line, off = line[size:], off+size
	}
	return off, true
}

// startOf is where the line of a byte begins.
func (l lineIndex) startOf(off int) int {
	i := sort.SearchInts(l.starts, off+1) - 1
	return l.starts[max(i, 0)]
}

// endOf is where the line of a byte ends, before its line end.
func (l lineIndex) endOf(off int) int {
	end := l.next(off)
	for end > off && (l.text[end-1] == '\n' || l.text[end-1] == '\r') {
		end--
	}
	return end
}

// next is where the line behind that of a byte begins, or the end of the text.
func (l lineIndex) next(off int) int {
	if i := strings.IndexByte(l.text[off:], '\n'); i >= 0 {
		return off + i + 1
	}
	return len(l.text)
}

// lineEnd is how the line of a byte ends, or as the file does where it is the last.
func (l lineIndex) lineEnd(off int) string {
	if end := l.next(off); strings.HasSuffix(l.text[:end], "\r\n") {
		return "\r\n"
	}
	if strings.HasSuffix(l.text, "\n") || !strings.Contains(l.text, "\r\n") {
		return "\n"
	}
	return "\r\n"
}
