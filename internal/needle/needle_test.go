package needle

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"
)

// TestIn: white space is folded on both sides, and the places that are found
// are places in the text as it is.
func TestIn(t *testing.T) {
	for name, c := range map[string]struct {
		text, ask string
		anyCase   bool
		want      []string
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
		needle := of(c.ask, c.anyCase)
		var got []string
		found, more := needle.In(c.text, 9)
		if _, rest := needle.In(c.text, 1); more != 0 || rest != max(0, len(found)-1) {
			t.Errorf("%s: %d places, %d more, %d above one", name, len(found), more, rest)
		}
		for _, at := range found {
			got = append(got, c.text[at[0]:at[1]])
		}
		if strings.Join(got, "|") != strings.Join(c.want, "|") {
			t.Errorf("%s: found %q, want %q", name, got, c.want)
		}
	}
}

// TestInLaws: any part of any text is found, and what is found folds to what
// was asked for.
func TestInLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "É", "漢", " ", "\n", "\t ", "\u00a0"}), 0, 30).Draw(t, "text"), "")
		runes := []rune(text)
		from := rapid.IntRange(0, len(runes)).Draw(t, "from")
		part := string(runes[from:rapid.IntRange(from, len(runes)).Draw(t, "to")])
		needle := of(part, rapid.Bool().Draw(t, "any case"))
		places, _ := needle.In(text, len(text))
		if needle.text != "" && len(places) == 0 {
			t.Fatalf("%q isn't found in %q", part, text)
		}
		for _, at := range places {
			found := text[at[0]:at[1]]
			if of(found, needle.anyCase) != needle {
				t.Fatalf("%q was found for %q in %q", found, part, text)
			}
			if strings.TrimFunc(found, unicode.IsSpace) != found {
				t.Fatalf("%q has white space around it", found)
			}
		}
	})
}

// TestTouching: of the places those count that touch a stretch, were it by one byte.
func TestTouching(t *testing.T) {
	const text = "ab ab ab ab"
	for name, c := range map[string]struct {
		stretches [][2]int
		want      []int // where they begin
	}{
		"the whole text":  {nil, []int{0, 3, 6, 9}},
		"no stretch":      {[][2]int{}, nil},
		"one byte of one": {[][2]int{{4, 5}}, []int{3}},
		"between two":     {[][2]int{{2, 3}}, nil},
		"two apart":       {[][2]int{{0, 1}, {10, 11}}, []int{0, 9}},
		"over two":        {[][2]int{{4, 7}}, []int{3, 6}},
	} {
		var got []int
		found, more := Exact("ab").Touching(text, c.stretches, 9)
		for _, at := range found {
			got = append(got, at[0])
		}
		if !slices.Equal(got, c.want) || more != 0 {
			t.Errorf("%s: found at %v and %d more, want %v", name, got, more, c.want)
		}
		if first, rest := Exact("ab").Touching(text, c.stretches, 1); len(first)+rest != len(c.want) {
			t.Errorf("%s: %d places and %d above one, want %d together", name, len(first), rest, len(c.want))
		}
	}
}

// TestStandsIn: a text stands where folding both sides finds it, and where it is found.
func TestStandsIn(t *testing.T) {
	texts := rapid.StringOfN(rapid.SampledFrom([]rune("abA \n\té\u00a0\u2028kKs\u212a\u017f")), 0, 30, -1)
	rapid.Check(t, func(t *rapid.T) {
		text, asked := texts.Draw(t, "text"), texts.Draw(t, "asked")
		if rapid.Bool().Draw(t, "part") && len(strings.Fields(text)) > 1 {
			words := strings.Fields(text)
			asked = strings.Join(words[rapid.IntRange(0, len(words)-1).Draw(t, "from"):], "\n ")
		}
		folded := func(s string) string { return strings.Join(strings.Fields(s), " ") }
		if got, want := Exact(asked).StandsIn(text), strings.Contains(folded(text), folded(asked)); got != want {
			t.Fatalf("%q in %q: %t, want %t", asked, text, got, want)
		}
		for _, needle := range Tries(asked) {
			places, _ := needle.In(text, 1)
			if got := needle.StandsIn(text); folded(asked) != "" && got != (len(places) > 0) {
				t.Fatalf("%q in %q: %t, and it is found at %v", asked, text, got, places)
			}
		}
	})
}
