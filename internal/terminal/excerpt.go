package terminal

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cento-dev/cento/internal/credential"
)

// excerptWidth is how much of a long line is shown around the place.
const excerptWidth = 100

// excerpt draws a line of a source with a caret under a column, which counts
// code points from 1. It is empty when there is no such line. Tabs keep their
// width and characters that a terminal would act on are written out.
func excerpt(source string, line, column int, masked func(string) string) string {
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
	text, _, _ := strings.Cut(source, "\n")
	text = masked(text)
	before, shown := window(text, column)
	number := strconv.Itoa(line)
	var b strings.Builder
	b.WriteString(number + " | " + WrittenOut(shown) + "\n")
	if column > 0 {
		b.WriteString(strings.Repeat(" ", len(number)) + " | " + caretIndent(WrittenOut(before)) + "^\n")
	}
	return b.String()
}

// Masked is a line with an asterisk for each character of what looks like a
// credential: what is told about a text never tells those.
func Masked(line string) string {
	found := credential.Find(line)
	if len(found) == 0 {
		return line
	}
	var b strings.Builder
	at := 0
	for _, f := range found {
		b.WriteString(line[at:f.Start])
		b.WriteString(strings.Repeat("*", utf8.RuneCountInString(line[f.Start:f.End])))
		at = f.End
	}
	b.WriteString(line[at:])
	return b.String()
}

// window cuts a long line to what stands around a column, and gives what is
// shown before that column. A line may have a million characters: none is copied
// that isn't shown.
func window(text string, column int) (before, shown string) {
	at, count := 0, 0 // bytes and characters before the column
	for ; count < column-1 && at < len(text); count++ {
		at += width(text[at:])
	}
	from, lead := 0, ""
	if count > excerptWidth*2/3 {
		from, lead = at, "…"
		for range excerptWidth / 2 {
			_, w := utf8.DecodeLastRuneInString(text[:from])
			from -= w
		}
	}
	to, end := from, ""
	for n := 0; n < excerptWidth && to < len(text); n++ {
		to += width(text[to:])
	}
	if to < len(text) {
		end = "…"
	}
	return lead + text[from:at], lead + text[from:to] + end
}

// width is how many bytes the first character of a text has.
func width(text string) int {
	_, w := utf8.DecodeRuneInString(text)
	return w
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
