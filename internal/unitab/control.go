package unitab

import "strings"

// C0 controls and U+007F show nothing where something stands, and a terminal obeys them:
// they clear the line before them, set titles, recolour what follows. All count as hidden
// but the tab and the line end, which may be CR LF. A CR by itself is none: it writes over
// its line.

// PlainLine reports whether a text is one line of visible ASCII, in which neither
// [NextHidden] nor [NextControl] finds anything. It is for the many short texts that are
// looked at once: eight bytes at a time keep it from costing more than their copy.
func PlainLine(s string) bool {
	n := 0
	for len(s)-n >= 32 {
		t := s[n : n+32]
		if odd(word(t[0:8]))|odd(word(t[8:16]))|odd(word(t[16:24]))|odd(word(t[24:32])) != 0 {
			return false
		}
		n += 32
	}
	if len(s) < 8 {
		for k := range len(s) {
			if s[k] < 0x20 || s[k] > 0x7e {
				return false
			}
		}
		return true
	}
	found := uint64(0)
	for ; len(s)-n >= 8; n += 8 {
		found |= odd(word(s[n : n+8]))
	}
	if n < len(s) { // the last word overlaps what was looked at
		found |= odd(word(s[len(s)-8:]))
	}
	return found == 0
}

// odd is 0 when all bytes of a word are visible ASCII. One below 0x20 borrows
// into its top bit, 0x7f carries into it, and one above has it set.
func odd(w uint64) uint64 {
	const low, ones = 0x2020202020202020, 0x0101010101010101
	return (w | (w - low) | (w + ones)) & highBits
}

// NextControl is the place of the first such character from a byte on, -1 when there is
// none. Its cost is that of [IsASCII] where there is none.
func NextControl(s string, from int) int {
	const low, del, ones = 0x2020202020202020, 0x7f7f7f7f7f7f7f7f, 0x0101010101010101
	for k := from; k < len(s); {
		for len(s)-k >= 8 {
			// The top bit of a byte is set when it is below 0x20, or 0x7f; that of
			// others may be set by a borrow, and then they are looked at one by one.
			w := word(s[k : k+8])
			if ((w-low)&^w|((w^del)-ones)&^(w^del))&highBits != 0 {
				break
			}
			k += 8
		}
		for end := min(k+8, len(s)); k < end; k++ {
			if IsControl(s, k) {
				return k
			}
		}
	}
	return -1
}

// IsControl reports whether such a character stands at a byte, which has to be one of s.
func IsControl(s string, k int) bool {
	switch c := s[k]; {
	case c >= ' ':
		return c == 0x7f
	case c == '\t', c == '\n':
		return false
	case c == '\r':
		return !strings.HasPrefix(s[k+1:], "\n")
	}
	return true
}
