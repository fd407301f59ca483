package contract

import (
	"strings"

	"github.com/cento-dev/cento/toon"
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
)

// byteMarks are the marks of single bytes.
var byteMarks = func() (t [256]mark) {
	for c := range ' ' {
		t[c] = markEDN | markJSON | markXML | markLines
	}
	t['\t'] &^= markXML
	t['\n'] &^= markXML
	for _, c := range "\n\r\v\f" {
		t[c] |= markBreak
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

// markText is what a fact's content needs.
func markText(s string) mark {
	var m mark
	for i := range len(s) {
		m |= byteMarks[s[i]]
	}
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
		m |= markLines
	}
	if toon.Quotes(s, toon.Comma) {
		m |= markTOON
	}
	return m
}

// markID is what a fact's id needs. As an attribute it may hold less, and in
// lines no space.
func markID(s string) mark {
	m := markText(s)
	if strings.ContainsAny(s, "\"\t\n") {
		m |= markXML
	}
	if s == "" || strings.IndexByte(s, ' ') >= 0 {
		m |= markLines
	}
	return m
}
