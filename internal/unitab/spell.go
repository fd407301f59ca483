package unitab

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Spelled is a character by its number, as in `<U+200B>`: how every text of the
// program shows what can't be seen, or must not do what it does.
func Spelled(r rune) string { return fmt.Sprintf("<U+%04X>", r) }

// SpellOut writes those characters of a text by their numbers that which picks.
// Bytes that aren't UTF-8 come out as U+FFFD.
func SpellOut(s string, which func(rune) bool) string {
	if !strings.ContainsFunc(s, which) && utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if which(r) {
			b.WriteString(Spelled(r))
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}
