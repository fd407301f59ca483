package token

import (
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// patterns are the published regular expressions, an alternative each.
var patterns = map[string][]string{
	"cl100k_base": {
		`(?i:'s|'t|'re|'ve|'m|'ll|'d)`, `[^\r\n\p{L}\p{N}]?\p{L}+`, `\p{N}{1,3}`, ` ?[^\s\p{L}\p{N}]+[\r\n]*`,
		`\s*[\r\n]+`, `\s+(?!\S)`, `\s+`,
	},
	"o200k_base": {
		`[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?`,
		`[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?`,
		`\p{N}{1,3}`, ` ?[^\s\p{L}\p{N}]+[\r\n/]*`, `\s*[\r\n]+`, `\s+(?!\S)`, `\s+`,
	},
}

// matcher gives the end of a piece by the published expressions, with package
// regexp, which prefers what a backtracking matcher finds first. Its \s is
// ASCII alone, and it has no (?!\S), which means: one white space less, unless
// the text ends there.
func matcher(alternatives []string) func(s string, i int) int {
	const whiteSpace = `\t-\r \x{85}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}`
	var expressions []*regexp.Regexp
	ahead := -1
	for i, a := range alternatives {
		if rest, ok := strings.CutSuffix(a, `(?!\S)`); ok {
			a, ahead = rest, i
		}
		a = strings.ReplaceAll(a, `[^\s`, `[^`+whiteSpace)
		a = strings.ReplaceAll(a, `\s`, `[`+whiteSpace+`]`)
		expressions = append(expressions, regexp.MustCompile(`^(?:`+a+`)`))
	}
	return func(s string, i int) int {
		for k, e := range expressions {
			found := e.FindString(s[i:])
			if k == ahead && i+len(found) < len(s) {
				_, last := utf8.DecodeLastRuneInString(found)
				found = found[:len(found)-last]
			}
			if found != "" {
				return i + len(found)
			}
		}
		return -1
	}
}

// knownToGo removes what package unicode does not know: it is of an earlier
// version of Unicode than the tables.
func knownToGo(s string) string {
	return strings.Map(func(r rune) rune {
		if r != utf8.RuneError && unicode.In(r, unicode.L, unicode.N, unicode.M, unicode.P, unicode.S, unicode.Z, unicode.Cc, unicode.Cf, unicode.Co) {
			return r
		}
		return -1
	}, s)
}

func checkSplit(t interface {
	Helper()
	Fatalf(string, ...any)
}, published *published, end func(string, int) int, s string) {
	t.Helper()
	for i := 0; i < len(s); {
		got, want := published.end(s, i), end(s, i)
		if got != want {
			t.Fatalf("%s: the piece at %d of %+q ends at %d, by the expression at %d", published.name, i, s, got, want)
		}
		i = got
	}
}

func TestSplit(t *testing.T) {
	for i := range encodings {
		end := matcher(patterns[encodings[i].name])
		for _, c := range corpora() {
			switch c.name {
			case "classes", "blanks-and-others", "contractions", "emoji", "identifiers", "languages":
			default:
				continue
			}
			n := 0
			for text := range c.texts {
				if n++; n > 5_000 {
					break
				}
				checkSplit(t, &encodings[i], end, knownToGo(text))
			}
		}
	}
}

// TestSplitProperty is TestSplit on what rapid thinks of.
func TestSplitProperty(t *testing.T) {
	for i := range encodings {
		end := matcher(patterns[encodings[i].name])
		rapid.Check(t, func(t *rapid.T) {
			sample := rapid.OneOf(rapid.SampledFrom(classSamples), rapid.SampledFrom(blanksAndOthers), rapid.String())
			checkSplit(t, &encodings[i], end, knownToGo(strings.Join(rapid.SliceOfN(sample, 0, 30).Draw(t, "parts"), "")))
		})
	}
}

// TestClasses compares the embedded classes with package unicode, for all that
// was assigned when that was made.
func TestClasses(t *testing.T) {
	assigned := 0
	for r := range rune(unicode.MaxRune + 1) {
		if !utf8.ValidRune(r) {
			continue
		}
		want := other
		switch {
		case r == '\r' || r == '\n':
			want = line
		case unicode.Is(unicode.White_Space, r):
			want = space
		case unicode.Is(unicode.M, r):
			want = mark
		case unicode.Is(unicode.N, r):
			want = number
		case unicode.In(r, unicode.Lu, unicode.Lt):
			want = upper
		case unicode.Is(unicode.Ll, r):
			want = lower
		case unicode.In(r, unicode.Lm, unicode.Lo):
			want = letter
		case !unicode.In(r, unicode.P, unicode.S, unicode.Cc, unicode.Cf, unicode.Co):
			continue
		}
		assigned++
		if got, n := classAt(string(r), 0); got != want || n != utf8.RuneLen(r) {
			t.Errorf("class of %U is %d in %d bytes, want %d in %d", r, got, n, want, utf8.RuneLen(r))
		}
	}
	if assigned < 250_000 {
		t.Errorf("compared %d code points only", assigned)
	}
}
