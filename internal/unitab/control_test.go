package unitab_test

import (
	"strings"
	"testing"

	"github.com/cento-dev/cento/internal/unitab"
)

// odd are the bytes that matter where they stand, with their neighbours.
const oddBytes = "\x00\x08\t\n\v\r\x1f !~\x7f\x80\xc2\xff"

// TestControls holds the words of eight bytes against a look at each byte, at every
// place of texts around their bounds.
func TestControls(t *testing.T) {
	for size := range 70 {
		for at := range size {
			for _, c := range []byte(oddBytes) {
				b := []byte(strings.Repeat("a", size))
				b[at] = c
				s := string(b)
				if got, want := unitab.PlainLine(s), c >= ' ' && c <= '~'; got != want {
					t.Fatalf("PlainLine(%q): %t", s, got)
				}
				want := -1
				if unitab.IsControl(s, at) {
					want = at
				}
				for from := range size {
					if from > at {
						want = -1
					}
					if got := unitab.NextControl(s, from); got != want {
						t.Fatalf("NextControl(%q, %d): %d, want %d", s, from, got, want)
					}
				}
			}
		}
	}
	if !unitab.PlainLine("") || unitab.NextControl("", 0) != -1 {
		t.Error("something stands in the empty text")
	}
}

func TestIsControl(t *testing.T) {
	for _, c := range []struct {
		s    string
		want bool
	}{
		{"\x00", true}, {"\x1b[2K", true}, {"\x7f", true}, {"\b", true}, {"\v", true}, {"\f", true},
		{"\r", true}, {"\rx", true}, {"\r\r\n", true},
		{"\r\n", false}, {"\n", false}, {"\t", false}, {" ", false}, {"~", false}, {"\x80", false},
	} {
		if got := unitab.IsControl(c.s, 0); got != c.want {
			t.Errorf("IsControl(%q): %t", c.s, got)
		}
	}
}
