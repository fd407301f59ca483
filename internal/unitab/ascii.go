package unitab

import "unicode/utf8"

// IsASCII reports whether s holds nothing but ASCII. Such a text has no hidden character that
// [NextHidden] would report.
func IsASCII(s string) bool {
	return asciiPrefix(s) == len(s)
}

const highBits = 0x8080808080808080

// asciiPrefix returns the length of the longest prefix of s that is ASCII. It reads 32 bytes
// a round, which keeps the loop bound by memory rather than by its own instructions.
func asciiPrefix(s string) int {
	n := 0
	for len(s)-n >= 32 {
		t := s[n : n+32]
		if (word(t[0:8])|word(t[8:16])|word(t[16:24])|word(t[24:32]))&highBits != 0 {
			break
		}
		n += 32
	}
	for len(s)-n >= 8 && word(s[n:n+8])&highBits == 0 {
		n += 8
	}
	for n < len(s) && s[n] < utf8.RuneSelf {
		n++
	}
	return n
}

// word reads the eight bytes of t as one number; the compiler makes it a single load.
func word(t string) uint64 {
	_ = t[7]
	return uint64(t[0]) | uint64(t[1])<<8 | uint64(t[2])<<16 | uint64(t[3])<<24 |
		uint64(t[4])<<32 | uint64(t[5])<<40 | uint64(t[6])<<48 | uint64(t[7])<<56
}
