package unitab

import (
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	zeroWidthSpace  = '\u200B' // ZERO WIDTH SPACE
	nonJoiner       = '\u200C'
	joiner          = '\u200D'
	graphemeJoiner  = '\u034F'
	vowelSeparator  = '\u180E' // MONGOLIAN VOWEL SEPARATOR
	textStyle       = '\uFE0E'
	emojiStyle      = '\uFE0F'
	firstSelector   = '\uFE00'
	enclosingKeycap = '\u20E3'
	blackFlag       = "\U0001F3F4"
	lastTag         = "\U000E007F"
)

// The subdivision flags that vendors draw: what follows U+1F3F4 for England, Scotland, Wales.
var flagTags = [...]string{
	"\U000E0067\U000E0062\U000E0065\U000E006E\U000E0067" + lastTag,
	"\U000E0067\U000E0062\U000E0073\U000E0063\U000E0074" + lastTag,
	"\U000E0067\U000E0062\U000E0077\U000E006C\U000E0073" + lastTag,
}

// NextHidden finds the first character of s, starting at byte from or later, that hides or
// reorders text, so that a reader sees other text than a model reads. It returns the bytes
// s[start:end] that the character r occupies and why it is hidden; ok is false when there is
// none. To find all, call again with from = end.
//
// A use that changes what the reader sees, or that a script's spelling has, is legal and not
// reported:
//
//   - U+200D between two emoji, each with its own skin tone or U+FE0F or U+FE0E.
//   - U+FE0F and U+FE0E after an emoji or skin tone, and after a digit, # or * if the keycap
//     U+20E3 follows. Skin tones and regional indicators show and are never hidden.
//   - The tags of the flags of England, Scotland and Wales after U+1F3F4, in full. Every other
//     tag is hidden: vendors draw no other such flag.
//   - U+200C and U+200D after a virama, and between a letter, mark or digit of a script that
//     uses them (one whose letters join or that has a virama) and any other character that
//     shows, so that a Persian plural may follow a Latin word or its closing backquote. U+200D
//     beside a letter that joins is legal also at the end of a word, where it keeps the letter
//     in its joined form. Of a run of joiners the first may be legal, the others never.
//   - U+200B between a character of a script written without spaces, such as Khmer or Thai,
//     and any other character that shows.
//   - The Mongolian variation selectors after a Mongolian letter, and U+180E between two.
//   - The variation selectors U+FE00 to U+FE0F in the standardized sequences of the Unicode
//     Standard (StandardizedVariants.txt). The ideographic variation sequences of U+E0100 to
//     U+E01EF are registered elsewhere, by tens of thousands, and cannot be told from bytes
//     smuggled behind an ideograph: they are hidden. So is each selector stacked on another.
//   - U+034F between two combining marks, which it keeps in their order.
//   - The controls of Egyptian hieroglyphs beside a hieroglyph.
//
// Soft hyphens, Hangul fillers, U+2060, U+FEFF, interlinear annotation and all bidirectional
// controls are hidden wherever they stand. ASCII has nothing to report, control characters
// included. Bytes that are not UTF-8 are passed over.
//
// The answer for a character depends on s alone, never on from: any start finds the same
// characters. Whether those reported are removed or replaced by text that shows, what is left
// has none. On ASCII the cost is that of [IsASCII]; on other text it is linear in the length
// of s over all calls, and nothing is allocated.
func NextHidden(s string, from int) (start, end int, r rune, kind Kind, ok bool) {
	for i := from; i < len(s); {
		c := s[i]
		switch {
		case c < utf8.RuneSelf:
			i++
			if i < len(s) && s[i] < utf8.RuneSelf {
				i += asciiPrefix(s[i:])
			}
			continue
		case 0xC0 <= c && c < 0xE0 && i+1 < len(s):
			if isContinuation(s[i+1]) && rowVisible(uint(c)&0x1F) {
				i += 2
				continue
			}
		case 0xE0 <= c && c < 0xF0 && i+2 < len(s):
			if isContinuation(s[i+1]) && isContinuation(s[i+2]) && rowVisible(uint(c)&0x0F<<6|uint(s[i+1])&0x3F) {
				i += 3
				continue
			}
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if k := classOf(r).kind; k != Visible && !legal(s, i, i+size, r, k) {
			return i, i + size, r, k, true
		}
		i += size
	}
	return len(s), len(s), 0, Visible, false
}

func isContinuation(c byte) bool { return c&0xC0 == 0x80 }

// rowVisible reports whether none of the 64 code points from row*64 has a kind. The leading
// bytes of a character give its row, so that most characters need not be decoded. Bytes that
// encode no code point may be passed over in the same way: none of them is ever reported.
func rowVisible(row uint) bool {
	return visibleRows[row>>6]>>(row&63)&1 != 0
}

// legal reports whether r, a character of a kind that hides, changes what the reader sees
// where it stands, at s[start:end].
func legal(s string, start, end int, r rune, kind Kind) bool {
	switch kind {
	case Joiner:
		return legalJoiner(s, start, end, r)
	case Selector:
		return legalSelector(s, start, end, r)
	case Tag:
		return legalTag(s, start)
	case Format:
		return before(s, start).has(hieroglyph) || after(s, end).has(hieroglyph)
	case Ignorable:
		return legalIgnorable(s, start, end, r)
	}
	return false
}

// legalJoiner judges U+200C and U+200D. The marks between a letter and its joiner are passed
// over, and the further joiners of a run, which are reported themselves.
func legalJoiner(s string, start, end int, r rune) bool {
	previous, _ := utf8.DecodeLastRuneInString(s[:start])
	if previous == joiner || previous == nonJoiner {
		return false
	}
	if r == joiner && endsEmoji(s[:start]) && after(s, end).has(pictographic) {
		return true
	}
	left := letterBefore(s, start)
	if left.combining == viramaClass && left.traits.has(joinerUser) {
		return true
	}
	run := end
	for strings.HasPrefix(s[end:], "\u200C") || strings.HasPrefix(s[end:], "\u200D") {
		end += len("\u200C")
	}
	right := after(s, end)
	if end > run { // the joiners between will be gone or replaced: only the left side is sure
		return left.traits.has(joinerUser) && right.has(ink) || r == joiner && left.traits.has(cursive)
	}
	if left.traits.has(joinerUser) && right.has(ink) || left.traits.has(ink) && right.has(joinerUser) {
		return true
	}
	return r == joiner && (left.traits.has(cursive) || right.has(cursive))
}

// viramaClass is the combining class of the marks that take a consonant's vowel away.
const viramaClass = 9

// endsEmoji reports whether s ends in an emoji with, perhaps, its skin tone and selector.
func endsEmoji(s string) bool {
	r, size := utf8.DecodeLastRuneInString(s)
	if r == emojiStyle || r == textStyle {
		s = s[:len(s)-size]
		r, size = utf8.DecodeLastRuneInString(s)
	}
	if isSkinTone(r) {
		r, _ = utf8.DecodeLastRuneInString(s[:len(s)-size])
	}
	return classOf(r).traits.has(pictographic)
}

func isSkinTone(r rune) bool { return '\U0001F3FB' <= r && r <= '\U0001F3FF' }

// legalSelector judges variation selectors by the character that they stand after.
func legalSelector(s string, start, end int, r rune) bool {
	base, _ := utf8.DecodeLastRuneInString(s[:start])
	switch {
	case r < firstSelector: // the Mongolian ones
		return classOf(base).traits.has(mongolian)
	case r > emojiStyle: // those of ideographic variation sequences
		return false
	}
	if r == emojiStyle || r == textStyle {
		if '0' <= base && base <= '9' || base == '#' || base == '*' {
			next, _ := utf8.DecodeRuneInString(s[end:])
			return next == enclosingKeycap
		}
		if classOf(base).traits.has(pictographic) || isSkinTone(base) {
			return true
		}
	}
	_, standardized := slices.BinarySearch(variants[:], uint32(base)<<4|uint32(r-firstSelector))
	return standardized
}

// legalTag reports whether the tag at s[start:] belongs to one of the three flags. It looks
// back no further than a flag is long, so that a run of a million tags stays linear.
func legalTag(s string, start int) bool {
	flag := start
	for range len(flagTags[0]) / len(lastTag) {
		if strings.HasSuffix(s[:flag], blackFlag) {
			for _, tags := range flagTags {
				if strings.HasPrefix(s[flag:], tags) {
					return true
				}
			}
			return false
		}
		r, size := utf8.DecodeLastRuneInString(s[:flag])
		if classOf(r).kind != Tag {
			return false
		}
		flag -= size
	}
	return false
}

// legalIgnorable judges the default-ignorable characters with a use in the spelling of a script.
func legalIgnorable(s string, start, end int, r rune) bool {
	switch r {
	case zeroWidthSpace:
		left, right := before(s, start), after(s, end)
		return left.has(spaceless) && right.has(ink) || left.has(ink) && right.has(spaceless)
	case graphemeJoiner:
		left, _ := utf8.DecodeLastRuneInString(s[:start])
		right, _ := utf8.DecodeRuneInString(s[end:])
		return classOf(left).combining != 0 && classOf(right).combining != 0
	case vowelSeparator:
		return letterBefore(s, start).traits.has(mongolian) && after(s, end).has(mongolian)
	}
	return false
}

// before returns the traits of the last character of s[:end], none if there is no character.
func before(s string, end int) traits {
	if end == 0 {
		return 0
	}
	r, _ := utf8.DecodeLastRuneInString(s[:end])
	return classOf(r).traits
}

// after returns the traits of the first character of s[start:], none if there is no character.
func after(s string, start int) traits {
	if start == len(s) {
		return 0
	}
	r, _ := utf8.DecodeRuneInString(s[start:])
	return classOf(r).traits
}

// letterBefore returns the class of the last character of s[:end] that is no transparent
// mark. A joiner stops the search of the next one, so no mark is passed over twice.
func letterBefore(s string, end int) *class {
	for end > 0 {
		r, size := utf8.DecodeLastRuneInString(s[:end])
		end -= size
		c := classOf(r)
		if c.kind == Selector && r < firstSelector {
			if base, _ := utf8.DecodeLastRuneInString(s[:end]); classOf(base).traits.has(mongolian) {
				return classOf(base) // a legal selector, which leaves the joining alone too
			}
		}
		if !c.traits.has(transparent) {
			return c
		}
	}
	return &classes[0]
}
