package strict

import (
	"strings"
	"testing"
)

// FuzzPlainBytes: bytes are counted up to the first that means something, as one by one.
func FuzzPlainBytes(f *testing.F) {
	for _, s := range []string{"", `"`, "plain", "eight by", `12345678"`, "1234567\\9", "\t", "12\x1f\"", "12\x80\x9f\xff\"", "éééé\\", strings.Repeat("a", 100) + "\n"} {
		f.Add(s)
		f.Add("12345" + s + "and what follows it")
	}
	f.Fuzz(func(t *testing.T, s string) {
		want := strings.IndexFunc(s, func(r rune) bool { return r < ' ' || r == '"' || r == '\\' })
		if want < 0 {
			want = len(s)
		}
		if got := plainBytes(s); got != want {
			t.Errorf("%q has %d plain bytes, and %d are counted", s, want, got)
		}
	})
}
