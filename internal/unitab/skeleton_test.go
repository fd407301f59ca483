package unitab_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"

	"github.com/cento-dev/cento/internal/unitab"
)

func TestImitationsShareASkeleton(t *testing.T) {
	for _, test := range []struct{ heading, imitation string }{
		{"Working Scope", "WORKING SCOPE"},
		{"Working Scope", "Ｗｏｒｋｉｎｇ　Ｓｃｏｐｅ"},
		{"Working Scope", "𝐖𝐨𝐫𝐤𝐢𝐧𝐠 𝓢𝓬𝓸𝓹𝓮"},
		{"Working Scope", "Wor\u200Bking\u00A0Sc\u00ADope"},
		{"Working Scope", "\u202EWorking Scope\u202C"},
		{"Working Scope", "Working Sco\uFE0Fpe\U000E0041"},
		{"Working Scope", "Work\x07ing Sco\u0081pe"},
		{"Working Scope", "Wor\u212Aing Scope"},
		{"file", "ﬁle"},
		{"Straße", "STRASSE"},
		{"Straße", "STRAẞE"},
		{"résumé", "re\u0301sume\u0301"},
		{"RÉSUMÉ", "re\u0301sume\u0301"},
		{"ệ", "e\u0302\u0323"},
		{"ệ", "e\u0323\u0302"},
		{"ệ", "e\u0302\u034F\u0323"},
		{"ệ", "e\u0302\x01\u0323"},
		{"Σίσυφος", "ΣΊΣΥΦΟΣ"},
		{"ᾳ\u0323", "αι\u0323"},
		{"ΑΙ", "\u1FB3"},
		{"ᾴ", "α\u0345\u0301"},
		{"가각힣", "\u1100\u1161\u1100\u1161\u11A8\u1112\u1175\u11C2"},
		{"가", "\u1100\u115F\u1161"},
		{"ガ", "ｶﾞ"},
		{"㍿", "株式会社"},
		{"ﷺ", "صلى الله عليه وسلم"},
		{"\u13A0\u13F5", "\uAB70\u13FD"},
		{"#", "＃"},
	} {
		if have, want := skeleton(test.imitation), skeleton(test.heading); have != want {
			t.Errorf("skeleton of %+q is %+q, of %+q %+q", test.imitation, have, test.heading, want)
		}
	}
}

func TestOtherTextsDiffer(t *testing.T) {
	for _, test := range []struct{ one, other string }{
		{"Working Scope", "Workıng Scope"}, // dotless i
		{"Scope", "Ѕсоре"},                 // Cyrillic letters that look the same
		{"résumé", "resume"},
		{"ệ", "ê"},
		{"αί", "α"},
		{"Working Scope", "WorkingScope"},
		{"한글", "한굴"},
		{"か", "が"},
	} {
		if have := skeleton(test.one); have == skeleton(test.other) {
			t.Errorf("%+q and %+q have one skeleton, %+q", test.one, test.other, have)
		}
	}
}

func TestSkeletonText(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"", ""},
		{"## Working\tScope\r\n", "## working\tscope\r\n"},
		{"a\x00b\x1B[0m\x7F", "ab[0m"},
		{"a\u2028b\u0085c", "a\u2028b\u0085c"},
		{"ΙΩΤΑ", "\u0345ωτα"},
		{"a\xE2\u200B\x80\x8Bb", "a\uFFFD\uFFFD\uFFFDb"},
		{"\u200B\u2060", ""},
	} {
		if have := skeleton(test.text); have != test.want {
			t.Errorf("skeleton of %+q is %+q, want %+q", test.text, have, test.want)
		}
	}
}

func TestAppendSkeletonKeepsWhatIsThere(t *testing.T) {
	// A mark of low class at the beginning may not move into the text before it.
	have := string(unitab.AppendSkeleton([]byte("e\u0302"), "\u0323\u0302\u0323"))
	if want := "e\u0302\u0323\u0323\u0302"; have != want {
		t.Errorf("%+q, want %+q", have, want)
	}
}

// TestLongMarkRuns would not end in time if a run of marks cost more than its length.
func TestLongMarkRuns(t *testing.T) {
	const n = 500_000
	have := skeleton("a" + strings.Repeat("\u0302\u0323", n))
	if want := "a" + strings.Repeat("\u0323", n) + strings.Repeat("\u0302", n); have != want {
		t.Error("a long run of marks is not sorted")
	}
}

// steps are what the law of AppendSkeleton allows to be done to a text first.
var steps = []struct {
	name  string
	apply func(string) string
}{
	{"NFC", norm.NFC.String},
	{"NFD", norm.NFD.String},
	{"NFKC", norm.NFKC.String},
	{"NFKD", norm.NFKD.String},
	{"folding", fold},
	{"folding by package cases", cases.Fold().String},
	{"removal", removeInvisible},
	{"skeleton", skeleton},
}

// alphabet holds code points that have brought laws like these down: marks of every class,
// what folds or decomposes to several, what is removed between marks, iota in all its forms.
var alphabet = []rune("aA1#*\n ßẞıİſKÅéệΐᾳᾴᾼΑαΙιͺςΣﬁﬅǅŉᏸᏐꭰ가각힣각株㍿ｶﾞがᄀ" +
	"\u0301\u0302\u0308\u0323\u0344\u0345\u034F\u0307\u1DCE\u20E3\u3099\u093C\u094D\u05B0\u0651\u0F71\u0F74" +
	"\u200B\u200C\u200D\u00AD\u2060\uFEFF\u202E\u2067\u061C\u180B\u180E\uFE00\uFE0E\uFE0F\uFFF9\uFFFF\u0081\u0007" +
	"\u3164\u115F\U000E0067\U000E0062\U000E0065\U000E006E\U000E007F\U000E0100\U000E0FFF\U0001D173\U00013430\U00013000" +
	"❤👩🏽💻🏴🇩☺©кКकরക്بسهی۵۔ᠠᠨខា។ไทယހ߀\u0600\uFFFD")

func texts() *rapid.Generator[string] {
	r := rapid.OneOf(rapid.SampledFrom(alphabet), rapid.SampledFrom(alphabet), rapid.Rune())
	return rapid.StringOfN(r, 0, 24, -1)
}

func checkSkeletonLaw(t interface {
	Helper()
	Errorf(string, ...any)
}, text string) {
	t.Helper()
	want := skeleton(text)
	for _, step := range steps {
		if have := skeleton(step.apply(text)); have != want {
			t.Errorf("skeleton of %+q is %+q, after %s %+q", text, want, step.name, have)
		}
	}
}

func TestSkeletonLaw(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := texts().Draw(t, "text")
		checkSkeletonLaw(t, text)
		if have, want := skeleton(text), expectedSkeleton(text); have != want {
			t.Errorf("skeleton of %+q is %+q, want %+q", text, have, want)
		}
		for range 3 {
			text = rapid.SampledFrom(steps).Draw(t, "step").apply(text)
		}
		checkSkeletonLaw(t, text)
	})
}

func FuzzSkeleton(f *testing.F) {
	for _, seed := range slices.Concat(benign, hostileTexts()) {
		f.Add(seed)
	}
	f.Add(string(alphabet))
	f.Fuzz(func(t *testing.T, text string) {
		have := skeleton(text)
		if !utf8.ValidString(have) {
			t.Errorf("skeleton of %+q is not UTF-8", text)
		}
		if again := skeleton(have); again != have {
			t.Errorf("skeleton of %+q is %+q, of that %+q", text, have, again)
		}
		// Normalisation may not join stray bytes that removal makes neighbours.
		checkSkeletonLaw(t, strings.ToValidUTF8(text, "\uFFFD"))
	})
}
