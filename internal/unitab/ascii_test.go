package unitab_test

import (
	"bytes"
	"testing"

	"github.com/cento-dev/cento/internal/unitab"
)

// TestIsASCII puts one byte that is not ASCII at each place of texts of each length that the
// loop treats in its own way.
func TestIsASCII(t *testing.T) {
	for n := range 100 {
		text := bytes.Repeat([]byte{0x7F}, n)
		if !unitab.IsASCII(string(text)) {
			t.Errorf("%d bytes of 0x7F are not ASCII", n)
		}
		for at := range n {
			for _, c := range []byte{0x80, 0xC3, 0xFF} {
				text[at] = c
				if unitab.IsASCII(string(text)) {
					t.Errorf("byte %#x at %d of %d is ASCII", c, at, n)
				}
			}
			text[at] = 0
		}
		if !unitab.IsASCII(string(text)) {
			t.Errorf("%d NUL bytes are not ASCII", n)
		}
	}
}
