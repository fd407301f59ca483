package toontest

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/cento-dev/cento/internal/quote"
	"github.com/cento-dev/cento/internal/toon"
)

// appendString writes a string as a value: bare where that reads back, else
// between quotes. The text must be UTF-8.
func appendString(dst []byte, s string, d toon.Delimiter) []byte {
	if toon.Quotes(s, d) {
		return quote.Common.Append(dst, s)
	}
	return append(dst, s...)
}

// appendKey writes a key of an object or field list. The text must be UTF-8.
func appendKey(dst []byte, key string) []byte {
	if bareKey(key) {
		return append(dst, key...)
	}
	return quote.Common.Append(dst, key)
}

// bareKey reports whether a key is written without quotes.
func bareKey(key string) bool {
	for i := range len(key) {
		c := key[i]
		letter := 'a' <= c|0x20 && c|0x20 <= 'z' || c == '_'
		if !letter && (i == 0 || c != '.' && (c < '0' || c > '9')) {
			return false
		}
	}
	return key != ""
}

// isNumber reports whether a text is a number of JSON.
func isNumber(s string) bool {
	digit := func(c byte) bool { return '0' <= c && c <= '9' }
	return s != "" && (s[0] == '-' || digit(s[0])) && digit(s[len(s)-1]) && json.Valid([]byte(s))
}

// canonicalNumber writes a number of JSON in the one way that TOON has for it.
// It is false when the exponent is too large to be meant.
func canonicalNumber(s string) (string, bool) {
	sign, rest := "", s
	if s[0] == '-' {
		sign, rest = "-", s[1:]
	}
	if len(rest) <= 21 && strings.Trim(rest, "0123456789") == "" {
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

const byteOrderMark = "\ufeff"

// clip keeps what a message quotes short.
func clip(s string) string { return quote.Clip(s, 40) }
