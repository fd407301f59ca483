package markdown

import "strings"

// indent is how many columns the rest of the line is indented by. A tab reaches
// to the next column that is a multiple of four.
func (l *line) indent() int {
	column := l.column + l.rest
	for k := l.at; k < len(l.s); k++ {
		switch l.s[k] {
		case ' ':
			column++
		case '\t':
			column += 4 - column%4
		default:
			return column - l.column
		}
	}
	return column - l.column
}

// body is the rest of the line without its indentation.
func (l *line) body() string { return strings.TrimLeft(l.s[l.at:], " \t") }

func (l *line) blank() bool { return l.body() == "" }

// advance reads columns of white space, of which there are as many.
func (l *line) advance(columns int) {
	to := l.column + columns
	l.column += min(l.rest, columns)
	l.rest -= min(l.rest, columns)
	for l.column < to && l.at < len(l.s) {
		width := 1
		if l.s[l.at] == '\t' {
			width = 4 - l.column%4
		}
		l.at++
		l.rest = max(l.column+width-to, 0)
		l.column = min(l.column+width, to)
	}
}

// optionalSpace reads the column of white space behind a marker.
func (l *line) optionalSpace() {
	if l.indent() > 0 {
		l.advance(1)
	}
}

// isHeading: one to six # and white space or the end.
func isHeading(s string) bool {
	n := runLength(s)
	return s[0] == '#' && n <= 6 && (n == len(s) || isSpace(s[n]))
}

// isFence: at least three ` or ~; no ` may stand behind those of the former.
func isFence(s string) bool {
	n := runLength(s)
	return n >= 3 && (s[0] == '~' || s[0] == '`' && strings.IndexByte(s[n:], '`') < 0)
}

// closesFence: as many of its characters as it has, or more, and nothing else.
func (p *parser) closesFence() bool {
	s := strings.TrimRight(p.body(), " \t")
	return p.indent() < 4 && s != "" && s[0] == p.fence && runLength(s) == len(s) && len(s) >= p.fenceLength
}

// isUnderline: a line of = or - makes a heading of the paragraph before it.
func isUnderline(s string) bool {
	s = strings.TrimRight(s, " \t")
	return (s[0] == '=' || s[0] == '-') && runLength(s) == len(s)
}

// isBreak: three or more of *, - or _, with white space or without.
func isBreak(s string) bool {
	if strings.IndexByte("*-_", s[0]) < 0 {
		return false
	}
	n := 0
	for k := range len(s) {
		switch {
		case s[k] == s[0]:
			n++
		case !isSpace(s[k]):
			return false
		}
	}
	return n >= 3
}

// markerLength is the length of the marker of a list item that the line begins
// with, 0 for none. Within a paragraph an item has to have a text, and a number
// has to be 1.
func markerLength(s string, inParagraph bool) int {
	n := 0
	switch {
	case strings.IndexByte("*-+", s[0]) >= 0:
		n = 1
	default:
		for n < len(s) && n < 9 && '0' <= s[n] && s[n] <= '9' {
			n++
		}
		if n == 0 || n == len(s) || s[n] != '.' && s[n] != ')' || inParagraph && strings.TrimLeft(s[:n], "0") != "1" {
			return 0
		}
		n++
	}
	if n < len(s) && !isSpace(s[n]) || inParagraph && strings.Trim(s[n:], " \t") == "" {
		return 0
	}
	return n
}

// runLength is how often the first character is repeated at the beginning.
func runLength(s string) int {
	n := 1
	for n < len(s) && s[n] == s[0] {
		n++
	}
	return n
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' }
