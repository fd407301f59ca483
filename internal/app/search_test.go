package app

import (
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"
)

// TestFind: white space is folded on both sides, and the places that are found
// are places in the text as it is.
func TestFind(t *testing.T) {
	for name, c := range map[string]struct {
		text, ask  string
		ignoreCase bool
		want       []string
	}{
		"as it stands":      {"one two three", "two", false, []string{"two"}},
		"a line break":      {"run the\n  tests now", "the tests", false, []string{"the\n  tests"}},
		"asked with breaks": {"run the tests", " run\tthe ", false, []string{"run the"}},
		"every place":       {"ab ab\nab", "ab", false, []string{"ab", "ab", "ab"}},
		"not overlapping":   {"aaa", "aa", false, []string{"aa"}},
		"other case":        {"Run THE tests", "run the", false, nil},
		"case set aside":    {"Run THE tests", "run the", true, []string{"Run THE"}},
		"other letters":     {"ŽLUŤOUČKÝ kůň", "žluťoučký KŮŇ", true, []string{"ŽLUŤOUČKÝ kůň"}},
		"odd spaces":        {"a\u00a0\u2003b", "a b", false, []string{"a\u00a0\u2003b"}},
		"nowhere":           {"abc", "abd", false, nil},
		"nothing":           {"abc", " ", false, nil},
		"in nothing":        {"", "a", false, nil},
		"the whole":         {"\n a \n", "a", false, []string{"a"}},
	} {
		needle := strings.TrimSuffix(fold(c.ask, c.ignoreCase).text, " ")
		var got []string
		found, more := fold(c.text, c.ignoreCase).find(needle, 9)
		if _, rest := fold(c.text, c.ignoreCase).find(needle, 1); more != 0 || rest != max(0, len(found)-1) {
			t.Errorf("%s: %d places, %d more, %d above one", name, len(found), more, rest)
		}
		for _, at := range found {
			got = append(got, c.text[at[0]:trimEnd(c.text, at[0], at[1])])
		}
		if strings.Join(got, "|") != strings.Join(c.want, "|") {
			t.Errorf("%s: found %q, want %q", name, got, c.want)
		}
	}
}

// TestFindLaws: any part of any text is found, and what is found folds to what
// was asked for.
func TestFindLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "É", "漢", " ", "\n", "\t ", "\u00a0"}), 0, 30).Draw(t, "text"), "")
		runes := []rune(text)
		from := rapid.IntRange(0, len(runes)).Draw(t, "from")
		part := string(runes[from:rapid.IntRange(from, len(runes)).Draw(t, "to")])
		ignoreCase := rapid.Bool().Draw(t, "case")
		needle := strings.TrimSuffix(fold(part, ignoreCase).text, " ")
		places, _ := fold(text, ignoreCase).find(needle, len(text))
		if needle != "" && len(places) == 0 {
			t.Fatalf("%q isn't found in %q", part, text)
		}
		for _, at := range places {
			found := text[at[0]:trimEnd(text, at[0], at[1])]
			if fold(found, ignoreCase).text != needle {
				t.Fatalf("%q was found for %q in %q", found, part, text)
			}
			if strings.TrimFunc(found, unicode.IsSpace) != found {
				t.Fatalf("%q has white space around it", found)
			}
		}
	})
}
