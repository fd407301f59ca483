package pack

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cento-dev/cento"
)

// The codes of this package's errors. All are carried by [*cento.SourceError]
// at the place that asked for the file, or in the file itself.
const (
	// InvalidRef: a reference isn't written as one.
	InvalidRef cento.ErrorCode = "ref.invalid"
	// UnknownPrefix: a reference begins with a prefix that there is none of.
	UnknownPrefix cento.ErrorCode = "ref.unknown_prefix"
	// InvalidPrefix: what a host brings as a prefix can't be one.
	InvalidPrefix cento.ErrorCode = "ref.invalid_prefix"
	// UnqualifiedRef: a reference without a prefix, and no file it stands in.
	UnqualifiedRef cento.ErrorCode = "ref.unqualified"
	// NotConfigured: the prefix has no folder here, or no pack has the name.
	NotConfigured cento.ErrorCode = "ref.not_configured"
	// NotFound: the prefix is configured and the file isn't there.
	NotFound cento.ErrorCode = "ref.not_found"
	// Unreadable: the file is there, or may be, and can't be read.
	Unreadable cento.ErrorCode = "ref.unreadable"
	// NotUTF8: the file isn't text.
	NotUTF8 cento.ErrorCode = "file.utf8"
	// InvalidPack: a folder isn't a pack, or not the one that it is taken for.
	InvalidPack cento.ErrorCode = "pack.invalid"
	// TooLarge: the file is larger than the ceiling for files.
	TooLarge cento.ErrorCode = "file.too_large"
)

// quote puts what a user wrote between apostrophes, in a form that stays on
// one line and can't command a terminal.
func quote(s string) string { return "'" + printable(s) + "'" }

// quotedRunes is how much of a name is quoted; the rest of a name that is
// longer than any real one tells nobody anything.
const quotedRunes = 200

// printable writes what can't be seen as escapes.
func printable(s string) string {
	clean := utf8.ValidString(s) && !strings.ContainsFunc(s, hidden)
	if clean && len(s) <= quotedRunes {
		return s
	}
	var b strings.Builder
	n := 0
	for i, r := range s {
		if n++; n > quotedRunes {
			b.WriteString("…")
			break
		}
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(s[i:], "\uFFFD"):
			b.WriteString(`\x`)
			b.WriteString(strconv.FormatUint(uint64(s[i])|0x100, 16)[1:])
		case hidden(r):
			b.WriteString(strings.Trim(strconv.QuoteRuneToASCII(r), "'"))
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// hidden is what a terminal would act on or not show: controls, formats, line
// separators. The blank is shown as itself.
func hidden(r rune) bool { return r != ' ' && !unicode.IsGraphic(r) }
