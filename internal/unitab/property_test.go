package unitab_test

import (
	"testing"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/cento-dev/cento/internal/unitab"
)

func TestEveryCodePoint(t *testing.T) {
	count := 0
	for r := range codePoints(t) {
		count++
		s := string(r)
		if have, want := unitab.CombiningClass(r), norm.NFKD.PropertiesString(s).CCC(); have != want {
			t.Errorf("CombiningClass(%U) = %d, want %d", r, have, want)
		}
		if have, want := skeleton(s), expectedSkeleton(s); have != want {
			t.Errorf("skeleton of %U is %+q, want %+q", r, have, want)
		}
		if r != 0x345 && r != 0x3B9 { // what is left in a skeleton is a fixed point of each step
			if to := skeleton(s); norm.NFKD.String(to) != to {
				t.Errorf("skeleton %+q of %U is not in NFKD", to, r)
			}
		}
		_, _, _, kind, found := unitab.NextHidden(s, 0)
		if want := invisible(r) && r > unicode.MaxASCII; found != want {
			t.Errorf("NextHidden finds %U alone: %v (%s), want %v", r, found, kind, want)
		}
	}
	if count < 280_000 {
		t.Errorf("%d code points compared", count)
	}
}

func TestProperties(t *testing.T) {
	for _, test := range []struct {
		r                       rune
		ignorable, pictographic bool
	}{
		{'a', false, false},
		{'1', false, false},
		{'\u00AD', true, false},
		{'\u00A9', false, true},
		{'\u034F', true, false},
		{'\u0600', false, false}, // a number sign, which shows
		{'\u3164', true, false},  // Hangul filler
		{'\uFFF9', false, false}, // interlinear annotation anchor
		{'\u2764', false, true},  // heavy black heart
		{0x1F600, false, true},   // grinning face
		{0x1F3FB, false, false},  // skin tone
		{0x1F1E6, false, false},  // regional indicator
		{0x1FAFF, false, true},   // kept for an emoji to come
		{0xE0041, true, false},   // tag A
		{0xE01F0, true, false},   // reserved
		{0x10FFFF, false, false}, // noncharacter
		{0x110000, false, false}, // beyond Unicode
		{-1, false, false},       // no code point
		{0xD800, false, false},   // surrogate
	} {
		if have := unitab.DefaultIgnorable(test.r); have != test.ignorable {
			t.Errorf("DefaultIgnorable(%#x) = %v", test.r, have)
		}
		if have := unitab.Pictographic(test.r); have != test.pictographic {
			t.Errorf("Pictographic(%#x) = %v", test.r, have)
		}
	}
	for _, r := range []rune{-1, 0x110000} {
		if unitab.CombiningClass(r) != 0 {
			t.Errorf("%#x has a property", r)
		}
	}
}

func TestKindNames(t *testing.T) {
	seen := make(map[string]bool)
	for kind := unitab.Visible; kind <= unitab.Control; kind++ {
		name := kind.String()
		if name == "" || seen[name] {
			t.Errorf("kind %d is named %q", kind, name)
		}
		seen[name] = true
	}
	if have := (unitab.Control + 1).String(); have != "kind 9" {
		t.Errorf("an unknown kind is named %q", have)
	}
}
