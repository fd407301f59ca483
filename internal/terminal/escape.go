package terminal

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/cento-dev/cento/internal/unitab"
)

// WrittenOut is a value as it is printed, also in a report that somebody else shows. It
// writes out what a screen would act on and what nobody can see, so that no text of a
// file can move the cursor, set a title, turn the direction of writing or hide a line:
// such characters but tab and line feed become `<U+XXXX>`, bytes that aren't UTF-8
// `<0xXX>`. It is stable: a second pass changes nothing.
func WrittenOut(s string) string { return writeOut(s, "\n\t") }

// Line is a value as it is printed within a line, such as the name of a file: as
// [WrittenOut], with tabs and line feeds written out too.
func Line(s string) string { return writeOut(s, "") }

func writeOut(s, keep string) string {
	if plain(s, keep) {
		return s
	}
	var b strings.Builder
	hiddenStart, hiddenEnd := -1, -1
	for k := 0; k < len(s); {
		if hiddenStart < k {
			hiddenStart, hiddenEnd, _, _, _ = unitab.NextHidden(s, k)
		}
		r, n := utf8.DecodeRuneInString(s[k:])
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, "<0x%02X>", s[k])
		case (k == hiddenStart && k < hiddenEnd || active(r)) && !strings.ContainsRune(keep, r):
			b.WriteString(unitab.Spelled(r))
		default:
			b.WriteString(s[k : k+n])
		}
		k += n
	}
	return b.String()
}

// plain reports whether a text is ASCII without controls, as most are.
func plain(s, keep string) bool {
	for k := range len(s) {
		if (s[k] < 0x20 || s[k] >= 0x7f) && strings.IndexByte(keep, s[k]) < 0 {
			return false
		}
	}
	return true
}

// active reports whether a screen acts on a character instead of showing it,
// shows nothing where something stands, or shows whatever its font likes. Joiners
// and the selectors of emoji stay, since scripts and emoji need them; where they
// have no business, [unitab.NextHidden] finds them.
func active(r rune) bool {
	switch {
	case r < 0x20, r >= 0x7f && r < 0xa0: // controls
		return true
	case r == 0x200c, r == 0x200d, r >= 0xfe00 && r <= 0xfe0f: // joiners and selectors
		return false
	case r < 0xa0:
		return false
	case unicode.Is(unicode.Prepended_Concatenation_Mark, r): // format characters that are seen
		return false
	}
	return unicode.In(r, unicode.Cf, unicode.Co, unicode.Zl, unicode.Zp, unicode.Bidi_Control,
		unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector, unicode.Noncharacter_Code_Point) ||
		r >= 0xe0000 && r <= 0xe0fff
}

// asItIs is how many bytes a text begins with that are written as they are: ASCII that is
// seen, tabs and line feeds.
func asItIs(b []byte) int {
	for i, c := range b {
		if c >= 0x7f || c < ' ' && c != '\n' && c != '\t' {
			return i
		}
	}
	return len(b)
}

// appendJSON writes such characters as JSON does, `\uXXXX`: the value is the
// same. Outside strings JSON has none of them but white space. What is cut off at
// the end of b, within a character, is not written; rest is how many bytes that
// is.
func appendJSON(out, b []byte) (written []byte, rest int) {
	for k := 0; k < len(b); {
		if n := asItIs(b[k:]); n > 0 {
			out = append(out, b[k:k+n]...)
			k += n
			continue
		}
		if b[k] < utf8.RuneSelf {
			out = fmt.Appendf(out, `\u%04x`, b[k])
			k++
			continue
		}
		if !utf8.FullRune(b[k:]) {
			return out, len(b) - k
		}
		r, n := utf8.DecodeRune(b[k:])
		switch {
		case r == utf8.RuneError && n == 1:
			out = append(out, `\ufffd`...)
		case !active(r):
			out = append(out, b[k:k+n]...)
		case r >= 0x10000:
			high, low := utf16.EncodeRune(r)
			out = fmt.Appendf(out, `\u%04x\u%04x`, high, low)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
		k += n
	}
	return out, 0
}
