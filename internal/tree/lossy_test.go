package tree

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestDecodeLossy(t *testing.T) {
	for _, c := range []struct {
		raw, want string
		at        []int
	}{
		{"plain\r\n", "plain\r\n", nil},
		{"\xef\xbb\xbfa\xff\r\nb", "a\ufffd\r\nb", []int{1}},
		{"\xe2\x82", "\ufffd", []int{0}},                        // a rune cut in two
		{"\xe2\x82x\xf0\x9f\x98", "\ufffdx\ufffd", []int{0, 4}}, // twice
		{"\xc0\xaf", "\ufffd\ufffd", []int{0, 3}},               // an overlong slash is two
		{"\xed\xa0\x80", "\ufffd\ufffd\ufffd", []int{0, 3, 6}},  // a surrogate is three
		{"\ufffd\xff", "\ufffd\ufffd", []int{3}},                // one that was there
		{"a\rb\xff", "a\rb\ufffd", []int{3}},
	} {
		text, at, err := DecodeLossy("f", []byte(c.raw))
		if err != nil || text != c.want || !slices.Equal(at, c.at) {
			t.Errorf("DecodeLossy(%q) = %q, %v, %v; want %q, %v", c.raw, text, at, err, c.want, c.at)
		}
	}
	if _, _, err := DecodeLossy("f", []byte("a\xff\x00")); err == nil || !strings.Contains(err.Error(), "f:1:3") {
		t.Errorf("a NUL: %v", err)
	}
}

// FuzzDecodeLossy: what is UTF-8 reads as by Decode but for CRLF, and everything else as the
// language's own conversion of single bytes would, but for their number.
func FuzzDecodeLossy(f *testing.F) {
	f.Add([]byte("a\xe2\x82b\r\n\xff\xff"))
	f.Add([]byte("\xef\xbb\xbf\xf0\x9f\x98\x80"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		text, at, err := DecodeLossy("f", raw)
		strict, strictErr := Decode("f", raw)
		if strictErr == nil && (err != nil || strings.ReplaceAll(text, "\r\n", "\n") != strict || at != nil) {
			t.Fatalf("%q reads as %q, %v; %v", raw, text, at, err)
		}
		if err != nil {
			return
		}
		if !utf8.ValidString(text) {
			t.Fatalf("%q is not UTF-8", text)
		}
		for _, i := range at {
			if !strings.HasPrefix(text[i:], "\ufffd") {
				t.Fatalf("no U+FFFD at %d of %q", i, text)
			}
		}
		plain := strings.ToValidUTF8(strings.TrimPrefix(string(raw), "\ufeff"), "\ufffd")
		squeeze := func(s string) string {
			for strings.Contains(s, "\ufffd\ufffd") {
				s = strings.ReplaceAll(s, "\ufffd\ufffd", "\ufffd")
			}
			return s
		}
		if squeeze(text) != squeeze(plain) {
			t.Fatalf("%q reads as %q", raw, text)
		}
	})
}
