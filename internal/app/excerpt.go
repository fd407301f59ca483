package app

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// excerptWidth is how much of a long line is shown around the place.
const excerptWidth = 100

// Excerpt draws a line of a source with a caret under a column, which counts
// code points from 1. It is empty when there is no such line. Tabs keep their
// width and characters that a terminal would act on are written out.
func Excerpt(source string, line, column int) string {
	if line < 1 {
		return ""
	}
	for range line - 1 {
		k := strings.IndexByte(source, '\n')
		if k < 0 {
			return ""
		}
		source = source[k+1:]
	}
	text := source[:lineEnd(source)]
	before, shown := window(text, column)
	number := strconv.Itoa(line)
	var b strings.Builder
	b.WriteString(number + " | " + Printable(shown) + "\n")
	if column > 0 {
		b.WriteString(strings.Repeat(" ", len(number)) + " | " + caretIndent(Printable(before)) + "^\n")
	}
	return b.String()
}

// window cuts a long line to what stands around a column, and gives what is
// shown before that column.
func window(text string, column int) (before, shown string) {
	runes := []rune(text)
	at := min(max(column-1, 0), len(runes))
	from := 0
	if at > excerptWidth*2/3 {
		from = at - excerptWidth/2
	}
	to := min(len(runes), from+excerptWidth)
	lead := ""
	if from > 0 {
		lead = "…"
	}
	shown = lead + string(runes[from:to])
	if to < len(runes) {
		shown += "…"
	}
	return lead + string(runes[from:at]), shown
}

// caretIndent is white space as wide as a text: tabs stay tabs, wide
// characters count for two.
func caretIndent(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '\t':
			b.WriteByte('\t')
		case unicode.Is(unicode.Mn, r):
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul) || r >= 0xff01 && r <= 0xff60 || r >= 0x1f300 && r <= 0x1faff:
			b.WriteString("  ")
		default:
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// Printable writes out what a terminal would act on, so that no text of a file
// can move the cursor, set a title or hide a line: control characters but tab
// and line feed become `<U+XXXX>`, bytes that aren't UTF-8 `<0xXX>`.
func Printable(s string) string {
	clean := true
	for k := 0; k < len(s) && clean; k++ {
		clean = s[k] >= 0x20 && s[k] < 0x7f || s[k] == '\n' || s[k] == '\t'
	}
	if clean {
		return s
	}
	var b strings.Builder
	for k := 0; k < len(s); {
		r, n := utf8.DecodeRuneInString(s[k:])
		switch {
		case r == utf8.RuneError && n == 1:
			b.WriteString("<0x" + strings.ToUpper(strconv.FormatUint(uint64(s[k])|0x100, 16)[1:]) + ">")
		case r != '\n' && r != '\t' && (unicode.Is(unicode.Cc, r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029'):
			b.WriteString("<U+" + strings.ToUpper(strconv.FormatUint(uint64(r)|0x10000, 16)[1:]) + ">")
		default:
			b.WriteString(s[k : k+n])
		}
		k += n
	}
	return b.String()
}
