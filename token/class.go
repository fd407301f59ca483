package token

import _ "embed"

// class is what the splitters know of a code point: its general category as
// far as the published patterns tell categories apart.
type class uint8

// The order counts: marks and all else come first, letters last, so that the
// sets of the patterns are ranges.
const (
	other  class = iota
	mark         // M
	space        // White_Space without the two of line
	line         // carriage return, line feed
	number       // N
	upper        // Lu, Lt
	lower        // Ll
	letter       // Lm, Lo: stands for an upper case letter and for a lower case one
	wide         // of bytes only: a code point of several bytes begins
)

// isSpace says whether \s matches.
func (c class) isSpace() bool { return c == space || c == line }

// isLetter says whether \p{L} matches.
func (c class) isLetter() bool { return c >= upper }

// isSign says whether [^\s\p{L}\p{N}] matches.
func (c class) isSign() bool { return c <= mark }

// classes holds the class of each byte, then for each block of code points the
// number of its block of classes, then those blocks. Unicode 16.0, as in the
// reference implementation: the tables of package unicode are of another
// version, and a letter that one side does not know changes the tokens.
//
//go:embed data/classes.bin
var classes string

const (
	blockBits  = 7
	blockSize  = 1 << blockBits
	blockIndex = 256
	blockStart = blockIndex + 0x110000/blockSize
)

// classAt returns the class of the code point at i and its length in bytes.
// The text is valid UTF-8.
func classAt(s string, i int) (class, int) {
	if c := class(classes[s[i]]); c != wide {
		return c, 1
	}
	return wideClass(s[i:])
}

func wideClass(s string) (class, int) {
	var r, n int
	switch b := int(s[0]); {
	case b < 0xe0:
		r, n = b&0x1f<<6|int(s[1]&0x3f), 2
	case b < 0xf0:
		r, n = b&0x0f<<12|int(s[1]&0x3f)<<6|int(s[2]&0x3f), 3
	default:
		r, n = b&0x07<<18|int(s[1]&0x3f)<<12|int(s[2]&0x3f)<<6|int(s[3]&0x3f), 4
	}
	block := int(classes[blockIndex+r>>blockBits])
	return class(classes[blockStart+block<<blockBits+r%blockSize]), n
}
