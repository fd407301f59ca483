package layer

import (
	"testing"
	"unicode"

	"github.com/cento-dev/cento/internal/unitab"
)

// A key that is made of a title can stand in an id: it holds nothing that can't be
// seen.
func TestSlugHoldsNothingHidden(t *testing.T) {
	letters := 0
	for r := range rune(unicode.MaxRune) {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			continue
		}
		letters++
		s := slug("A" + string(r) + "b")
		if _, _, hidden, _, ok := unitab.NextHidden(s, 0); ok {
			t.Fatalf("the slug of a title with %U holds %U", r, hidden)
		}
	}
	if letters < 100_000 {
		t.Fatalf("%d letters were tried", letters)
	}
	for title, want := range map[string]string{"A\u115fb": "a-b", "\u3164": "", "\u3164 Rules \uffa0": "rules", "Ångström 2": "ångström-2"} {
		if got := slug(title); got != want {
			t.Errorf("the slug of %q is %q, want %q", title, got, want)
		}
	}
}
