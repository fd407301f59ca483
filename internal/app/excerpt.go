package app

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
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
// can move the cursor, set a title, turn the direction of writing or hide a
// line: such characters but tab and line feed become `<U+XXXX>`, bytes that
// aren't UTF-8 `<0xXX>`.
func Printable(s string) string { return writeOut(s, "\n\t") }

// PrintableLine is [Printable] for what has to stay on one line, such as the
// name of a file: tabs and line feeds are written out too.
func PrintableLine(s string) string { return writeOut(s, "") }

func writeOut(s, keep string) string {
	clean := true
	for k := 0; k < len(s) && clean; k++ {
		clean = s[k] >= 0x20 && s[k] < 0x7f || strings.IndexByte(keep, s[k]) >= 0
	}
	if clean {
		return s
	}
	var b strings.Builder
	for k := 0; k < len(s); {
		r, n := utf8.DecodeRuneInString(s[k:])
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, "<0x%02X>", s[k])
		case active(r) && !strings.ContainsRune(keep, r):
			fmt.Fprintf(&b, "<U+%04X>", r)
		default:
			b.WriteString(s[k : k+n])
		}
		k += n
	}
	return b.String()
}

// active reports whether a terminal acts on a character instead of showing it,
// or shows nothing where something stands. Joiners stay: scripts and emoji need
// them.
func active(r rune) bool {
	switch {
	case r < 0x20, r >= 0x7f && r < 0xa0: // controls
	case r == 0xad, r == 0x200b, r == 0x2028, r == 0x2029, r >= 0x2060 && r <= 0x206f, r == 0xfeff:
	case r >= 0xfff9 && r <= 0xfffb, r >= 0xe0000 && r <= 0xe0fff:
	default:
		return unicode.Is(unicode.Bidi_Control, r)
	}
	return true
}

// PrintableJSON writes such characters as JSON does, `\uXXXX`: the value is the
// same. Outside strings JSON has none of them but white space.
func PrintableJSON(b []byte) []byte {
	clean := true
	for _, x := range b {
		clean = clean && x < 0x7f
	}
	if clean {
		return b
	}
	out := make([]byte, 0, len(b)+len(b)/8)
	for k := 0; k < len(b); {
		r, n := utf8.DecodeRune(b[k:])
		switch {
		case r < 0x7f || !active(r):
			out = append(out, b[k:k+n]...)
		case r >= 0x10000:
			high, low := utf16.EncodeRune(r)
			out = fmt.Appendf(out, `\u%04x\u%04x`, high, low)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
		k += n
	}
	return out
}
