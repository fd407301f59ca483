package unitab_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
	"golang.org/x/text/unicode/rangetable"

	"github.com/cento-dev/cento/internal/unitab"
)

// The oracle states the same rules as the tables, from golang.org/x/text and package unicode,
// on whole strings and without tables of its own.

var caser = cases.Fold()

// fold is full case folding. Cherokee folds to its capitals, which package cases does for the
// small letters only; it folds the capitals to small.
func fold(s string) string {
	var b strings.Builder
	for _, r := range s {
		if 0x13A0 <= r && r <= 0x13F5 {
			b.WriteRune(r)
		} else {
			b.WriteString(caser.String(string(r)))
		}
	}
	return b.String()
}

func invisible(r rune) bool {
	switch {
	case unicode.Is(unicode.White_Space, r), unicode.Is(unicode.Prepended_Concatenation_Mark, r):
		return false
	case 0xE0000 <= r && r <= 0xE0FFF, 0xFFF0 <= r && r <= 0xFFF8:
		return true
	}
	return unicode.In(r, unicode.Cf, unicode.Cc, unicode.Variation_Selector, unicode.Bidi_Control,
		unicode.Other_Default_Ignorable_Code_Point, unicode.Noncharacter_Code_Point)
}

func removeInvisible(s string) string {
	return strings.Map(func(r rune) rune {
		if invisible(r) {
			return -1
		}
		return r
	}, s)
}

// expectedSkeleton applies the steps of the skeleton until nothing changes. It is right for
// valid UTF-8 without runs of more than 30 combining marks, which package norm breaks up.
func expectedSkeleton(s string) string {
	for {
		next := removeInvisible(fold(norm.NFKD.String(s)))
		if next == s {
			return norm.NFKD.String(strings.ReplaceAll(s, "\u03b9", "\u0345"))
		}
		s = next
	}
}

func skeleton(s string) string { return string(unitab.AppendSkeleton(nil, s)) }

// codePoints yields every code point that UTF-8 can carry and that the tables and the oracle
// agree on knowing: a later Unicode version assigns more, but changes none of these.
func codePoints(t *testing.T) func(func(rune) bool) {
	assigned := rangetable.Assigned(unitab.Version)
	if assigned == nil {
		t.Fatalf("package rangetable does not know Unicode %s", unitab.Version)
	}
	later := unicode.Version != unitab.Version
	return func(yield func(rune) bool) {
		for r := rune(0); r <= unicode.MaxRune; r++ {
			if !utf8.ValidRune(r) || later && !unicode.Is(assigned, r) && !invisible(r) {
				continue
			}
			if !yield(r) {
				return
			}
		}
	}
}
