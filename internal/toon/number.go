package toon

import "strings"

// isNumber reports whether a text is a number in the grammar of JSON, which is
// what makes a bare token one.
func isNumber(s string) bool {
	s = strings.TrimPrefix(s, "-")
	whole, ok := decimal(s)
	return ok && (whole == 1 || s[0] != '0')
}

// looksNumeric reports whether a text must be quoted because some reader could
// take it for a number.
func looksNumeric(s string) bool {
	if s != "" && (s[0] == '+' || s[0] == '-') {
		s = s[1:]
	}
	_, ok := decimal(s)
	return ok
}

// decimal reads digits, a fraction and an exponent, which have to be all of a text, and
// gives the number of digits in front.
func decimal(s string) (whole int, ok bool) {
	if whole = digits(s); whole == 0 {
		return 0, false
	}
	s = s[whole:]
	if strings.HasPrefix(s, ".") {
		n := digits(s[1:])
		if n == 0 {
			return whole, false
		}
		s = s[1+n:]
	}
	return whole, s == "" || isExponent(s)
}

func isExponent(s string) bool {
	if s[0]|0x20 != 'e' {
		return false
	}
	s = s[1:]
	if s != "" && (s[0] == '+' || s[0] == '-') {
		s = s[1:]
	}
	return s != "" && digits(s) == len(s)
}

// digits counts the digits that a text begins with.
func digits(s string) int {
	n := 0
	for n < len(s) && '0' <= s[n] && s[n] <= '9' {
		n++
	}
	return n
}
