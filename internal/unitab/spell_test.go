package unitab_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cento-dev/cento/internal/unitab"
)

func TestSpelled(t *testing.T) {
	for r, want := range map[rune]string{'\n': "<U+000A>", 0x200b: "<U+200B>", 0x1f600: "<U+1F600>"} {
		if got := unitab.Spelled(r); got != want {
			t.Errorf("%q is spelled %s, want %s", r, got, want)
		}
	}
}

// What is picked isn't there any more, and the rest is as it was.
func TestSpellOut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, picked := rapid.String().Draw(t, "text"), rapid.Rune().Filter(func(r rune) bool { return !strings.ContainsRune("<U+>0123456789ABCDEF", r) }).Draw(t, "picked")
		s += string(picked) + rapid.String().Draw(t, "rest")
		out := unitab.SpellOut(s, func(r rune) bool { return r == picked })
		if strings.ContainsRune(out, picked) {
			t.Fatalf("%q still has %q", out, picked)
		}
		if back := strings.ReplaceAll(s, string(picked), unitab.Spelled(picked)); out != back {
			t.Fatalf("%q became %q, want %q", s, out, back)
		}
	})
	if got := unitab.SpellOut("a\xffb", func(rune) bool { return false }); got != "a\ufffdb" {
		t.Errorf("a broken byte came out in %q", got)
	}
}
