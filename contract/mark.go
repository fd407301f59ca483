package contract

import (
	"strings"

	"github.com/cento-dev/cento/internal/toon"
)

// mark says in which forms a fact can't be written as it is. A contract is
// looked at once and written any number of times, and a fact without the mark
// of a form costs no more than its copy.
type mark uint8

const (
	markEDN mark = 1 << iota
	markJSON
	markXML
	markTOON
	markLines
	markBreak // has a line end, for plain and markdown
	markFar   // has a byte with which characters begin that need a closer look
	markQuote // has a byte that an XML attribute can't hold, and text can
)

// byteMarks are the marks of single bytes.
var byteMarks = func() (t [256]mark) {
	for c := range ' ' {
		t[c] = markEDN | markJSON | markXML | markTOON | markLines
	}
	t['\t'] &^= markXML
	t['\n'] &^= markXML
	for _, c := range "\n\r\v\f" {
		t[c] |= markBreak
	}
	for _, c := range "\"\t\n" {
		t[c] |= markQuote
	}
	for _, c := range `:"\[]{},` {
		t[c] |= markTOON
	}
	t['"'] |= markEDN | markJSON
	t['\\'] |= markEDN | markJSON | markLines
	t[0x7f] |= markEDN | markLines
	t['&'] |= markXML
	t['<'] |= markXML
	t['>'] |= markXML
	t[0xc2] |= markFar // U+0085
	t[0xe2] |= markFar // U+2028, U+2029
	t[0xef] |= markFar // U+FFFE, U+FFFF
	return t
}()

// marksOf are the marks of all bytes of a text. Every byte of a contract passes
// here, four at a time.
func marksOf(s string) (m mark) {
	var m1, m2, m3 mark
	for len(s) >= 4 {
		m |= byteMarks[s[0]]
		m1 |= byteMarks[s[1]]
		m2 |= byteMarks[s[2]]
		m3 |= byteMarks[s[3]]
		s = s[4:]
	}
	for i := range len(s) {
		m |= byteMarks[s[i]]
	}
	return m | m1 | m2 | m3
}

// markText is what a fact's content needs.
func markText(s string) mark {
	m := marksOf(s)
	if m&markFar != 0 {
		m &^= markFar
		if strings.Contains(s, "\u0085") || strings.Contains(s, "\u2028") || strings.Contains(s, "\u2029") {
			m |= markLines | markBreak
		}
		if strings.Contains(s, "\ufffe") || strings.Contains(s, "\uffff") {
			m |= markXML
		}
	}
	if s == "" {
		return m | markTOON
	}
	if s[0] == ' ' || s[len(s)-1] == ' ' {
		m |= markLines | markTOON
	}
	if m&markTOON == 0 && mayQuote(s) && toon.Quotes(s, toon.Comma) {
		m |= markTOON
	}
	return m
}

// mayQuote reports whether a text may need quotes in TOON although none of its
// bytes does: for its ends, or because it is a word or number of its own.
func mayQuote(s string) bool {
	switch first := s[0]; first {
	case 't', 'f', 'n':
		return len(s) <= len("false")
	case '-', '#', '+':
		return true
	default:
		return '0' <= first && first <= '9'
	}
}

// markID is what a fact's id needs. As an attribute it may hold less, and in
// lines no space.
func markID(s string) mark {
	m := markText(s)
	if m&markQuote != 0 {
		m |= markXML
	}
	if s == "" || s[0] == '#' || strings.IndexByte(s, ' ') >= 0 {
		m |= markLines
	}
	return m
}
