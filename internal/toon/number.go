package toon

import (
	"strconv"
	"strings"
)

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

// canonicalNumber writes a number of JSON in the one way that TOON has for it.
// It is false when the exponent is too large to be meant.
func canonicalNumber(s string) (string, bool) {
	sign, rest := "", s
	if s[0] == '-' {
		sign, rest = "-", s[1:]
	}
	if len(rest) <= 21 && digits(rest) == len(rest) {
		if rest == "0" {
			return "0", true
		}
		return s, true
	}
	mantissa, exponent := rest, 0
	if i := strings.IndexAny(rest, "eE"); i >= 0 {
		mantissa = rest[:i]
		power := strings.TrimPrefix(rest[i+1:], "+")
		negative := strings.HasPrefix(power, "-")
		power = strings.TrimLeft(strings.TrimPrefix(power, "-"), "0")
		if len(power) > 9 {
			return "0", strings.Trim(mantissa, "0.") == ""
		}
		exponent, _ = strconv.Atoi("0" + power)
		if negative {
			exponent = -exponent
		}
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	all := strings.TrimLeft(whole+fraction, "0")
	exponent -= len(fraction)
	significant := strings.TrimRight(all, "0")
	exponent += len(all) - len(significant)
	if significant == "" {
		return "0", true
	}
	// The number is 0.significant × 10^point.
	point := len(significant) + exponent
	switch {
	case point-1 < -6 || point-1 > 20:
		if len(significant) > 1 {
			significant = significant[:1] + "." + significant[1:]
		}
		mark := "e+"
		if point-1 < 0 {
			mark = "e"
		}
		return sign + significant + mark + strconv.Itoa(point-1), true
	case point <= 0:
		return sign + "0." + strings.Repeat("0", -point) + significant, true
	case point >= len(significant):
		return sign + significant + strings.Repeat("0", point-len(significant)), true
	}
	return sign + significant[:point] + "." + significant[point:], true
}
