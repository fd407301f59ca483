package lsp

import (
	"sort"
	"strings"
	"unicode/utf8"

	"go.lsp.dev/protocol"

	"github.com/cento-dev/cento"
)

// bom may begin a text; neither the editor nor a position of ours counts it.
const bom = "\ufeff"

// lines are the places of a text in the three ways that people count them: bytes, as
// offsets here; lines and code points from 1, as in every position of ours; lines and
// units of an encoding from 0, as editors say. A line of ours ends with LF, one of an
// editor with CR too.
type lines struct {
	text string
	utf8 bool
	// ours and theirs are where lines begin.
	ours, theirs []int
}

func newLines(text string, asUTF8 bool) *lines {
	l := &lines{text: text, utf8: asUTF8, ours: []int{0}, theirs: []int{0}}
	for i := range len(text) {
		switch text[i] {
		case '\n':
			l.ours = append(l.ours, i+1)
			l.theirs = append(l.theirs, i+1)
		case '\r':
			if i+1 == len(text) || text[i+1] != '\n' {
				l.theirs = append(l.theirs, i+1)
			}
		}
	}
	return l
}

// lineOf is the line that an offset is in, from 0.
func lineOf(starts []int, off int) int { return sort.SearchInts(starts, off+1) - 1 }

// end is where a line's text ends, before its line end.
func (l *lines) end(starts []int, line int) int {
	end := len(l.text)
	if line+1 < len(starts) {
		end = starts[line+1]
	}
	text := strings.TrimSuffix(strings.TrimSuffix(l.text[starts[line]:end], "\n"), "\r")
	return starts[line] + len(text)
}

// offset is where an editor's position is; one behind the end of a line is at its end,
// one in the middle of a character at its beginning, and one behind the text at its
// end.
func (l *lines) offset(p protocol.Position) int {
	if int64(p.Line) >= int64(len(l.theirs)) {
		return len(l.text)
	}
	at, end := l.theirs[p.Line], l.end(l.theirs, int(p.Line))
	for left := int64(p.Character); at < end; {
		r, size := utf8.DecodeRuneInString(l.text[at:end])
		if left -= int64(l.units(r, size)); left < 0 {
			break
		}
		at += size
	}
	return at
}

// units is how many an encoding has for a character.
func (l *lines) units(r rune, size int) int {
	switch {
	case l.utf8:
		return size
	case r > 0xFFFF:
		return 2
	}
	return 1
}

// position is an offset as the editor says it.
func (l *lines) position(off int) protocol.Position {
	off = max(0, min(off, len(l.text)))
	line := lineOf(l.theirs, off)
	units := 0
	for at := l.theirs[line]; at < off; {
		r, size := utf8.DecodeRuneInString(l.text[at:])
		if at+size > off {
			break
		}
		units += l.units(r, size)
		at += size
	}
	return protocol.Position{Line: uint32(line), Character: uint32(units)} //nolint:gosec // a text is far below 4 GiB
}

// span is the editor's range between two offsets.
func (l *lines) span(start, end int) protocol.Range {
	return protocol.Range{Start: l.position(start), End: l.position(end)}
}

// at is the offset of a position of ours. What it leaves out is the beginning; what is
// behind the end of a line or of the text is there.
func (l *lines) at(p cento.Position) int {
	if p.Line > len(l.ours) {
		return len(l.text)
	}
	line := max(p.Line, 1) - 1
	at, end := l.ours[line], l.end(l.ours, line)
	if line == 0 && strings.HasPrefix(l.text, bom) {
		at += len(bom)
	}
	for n := p.Column - 1; n > 0 && at < end; n-- {
		_, size := utf8.DecodeRuneInString(l.text[at:end])
		at += size
	}
	return at
}

// place is an offset as a position of ours, without its file.
func (l *lines) place(off int) cento.Position {
	off = max(0, min(off, len(l.text)))
	line := lineOf(l.ours, off)
	from := l.ours[line]
	if line == 0 && strings.HasPrefix(l.text, bom) {
		from = min(len(bom), off)
	}
	return cento.Position{Line: line + 1, Column: utf8.RuneCountInString(l.text[from:off]) + 1}
}
