package cento

import "strings"

// C0 controls and U+007F show nothing where something stands, and a terminal
// obeys them: they clear the line before them, set titles, recolour what
// follows. Those of a stranger are hidden characters, but for the tab and the
// line end, which may be CR LF. A CR by itself is none: it writes over its line.

// nextControl is the place of the first such character from a byte on, -1 when
// there is none.
func nextControl(s string, from int) int {
	const high, low, del, ones = 0x8080808080808080, 0x2020202020202020, 0x7f7f7f7f7f7f7f7f, 0x0101010101010101
	b := []byte(s) // doesn't escape: no copy is made
	for k := from; k < len(b); {
		for len(b)-k >= 8 {
			// The top bit of a byte is set when it is below 0x20, or 0x7f; that of
			// others may be set by a borrow, and then they are looked at one by one.
			w := word(b, k)
			if ((w-low)&^w|((w^del)-ones)&^(w^del))&high != 0 {
				break
			}
			k += 8
		}
		for end := min(k+8, len(b)); k < end; k++ {
			if isControl(s, k) {
				return k
			}
		}
	}
	return -1
}

func isControl(s string, k int) bool {
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
