package quote

import "unicode/utf8"

// Clip keeps what a message quotes short: at most so many bytes of a text, cut
// between characters, and "…" behind them where something is missing.
func Clip(s string, bytes int) string {
	if len(s) <= bytes {
		return s
	}
	for bytes > 0 && !utf8.RuneStart(s[bytes]) {
		bytes--
	}
	return s[:bytes] + "…"
}

// ClipRunes is [Clip] by characters. A byte that isn't UTF-8 is one.
func ClipRunes(s string, most int) string {
	n := 0
	for i := range s {
		if n == most {
			return s[:i] + "…"
		}
		n++
	}
	return s
}
