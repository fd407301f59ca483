package markdown

import "strings"

// onlyDefinitions reports whether a paragraph is nothing but definitions of
// links (chapter 4.7), which no line of = or - makes a heading.
func onlyDefinitions(s string) bool {
	if s == "" || s[0] != '[' {
		return false
	}
	for s != "" {
		n := definition(s)
		if n == 0 {
			return false
		}
		s = s[n:]
	}
	return true
}

// definition is the length of the definition of a link that a text begins with,
// with its line end; 0 for none. The lines of a paragraph aren't indented.
func definition(s string) int {
	k := label(s)
	if k == 0 || k == len(s) || s[k] != ':' {
		return 0
	}
	k = skipSpace(s, k+1)
	n := destination(s[k:])
	if n == 0 {
		return 0
	}
	k += n
	plain := endOfLine(s, k) // where it ends without a title; -1: nowhere
	at := skipSpace(s, k)
	if at > k {
		if n := title(s[at:]); n > 0 {
			if end := endOfLine(s, at+n); end >= 0 {
				return end
			}
		}
	}
	return max(plain, 0)
}

// label is the length of a label with its brackets.
func label(s string) int {
	if s == "" || s[0] != '[' {
		return 0
	}
	words := false
	for k := 1; k < len(s) && k <= 1000; k++ {
		switch s[k] {
		case '\\':
			k++
			words = true
		case '[':
			return 0
		case ']':
			if !words {
				return 0
			}
			return k + 1
		case ' ', '\t', '\n':
		default:
			words = true
		}
	}
	return 0
}

// destination is the length of the address of a link.
func destination(s string) int {
	if strings.HasPrefix(s, "<") {
		for k := 1; k < len(s); k++ {
			switch s[k] {
			case '\\':
				k++
			case '<', '\n':
				return 0
			case '>':
				return k + 1
			}
		}
		return 0
	}
	depth, k := 0, 0
	for ; k < len(s) && s[k] > ' ' && s[k] != 0x7f; k++ {
		switch s[k] {
		case '\\':
			if k+1 < len(s) && s[k+1] > ' ' {
				k++
			}
		case '(':
			depth++
		case ')':
			if depth--; depth < 0 {
				return 0
			}
		}
	}
	if depth != 0 {
		return 0
	}
	return k
}

// title is the length of a title with its quotes.
func title(s string) int {
	if s == "" {
		return 0
	}
	end := s[0]
	switch end {
	case '"', '\'':
	case '(':
		end = ')'
	default:
		return 0
	}
	for k := 1; k < len(s); k++ {
		switch {
		case s[k] == '\\':
			k++
		case s[k] == end:
			return k + 1
		case s[k] == '(' && end == ')':
			return 0
		}
	}
	return 0
}

// skipSpace goes over white space with at most one line end.
func skipSpace(s string, k int) int {
	for ends := 0; k < len(s); k++ {
		if s[k] == '\n' {
			if ends++; ends > 1 {
				break
			}
		} else if !isSpace(s[k]) {
			break
		}
	}
	return k
}

// endOfLine is where the next line begins when nothing but white space is left
// of this one, else -1.
func endOfLine(s string, k int) int {
	for k < len(s) && isSpace(s[k]) {
		k++
	}
	switch {
	case k == len(s):
		return k
	case s[k] == '\n':
		return k + 1
	}
	return -1
}
