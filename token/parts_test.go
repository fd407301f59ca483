package token

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cento-dev/cento"
)

// FuzzSplits states the law that budgets rest on: where a counter splits two
// texts, their weights add up, whatever stands before and behind them.
func FuzzSplits(f *testing.F) {
	for _, s := range [][4]string{
		{"", "It.", "\n\n", "Next"}, {"a", ".\n\n", "/path", "b"}, {"a", "b\n\n", "/path", " c"}, {"I", "'", "s", ""}, {"x", "it", " is", "n't"},
		{"12", "345", ".6", ""}, {" ", "\n", "\u00a0a", ""}, {"日", "本\n", "語", "。"}, {"A", "BC", "\ndef", "\r\n"}, {"`", "```\n", "```go", "\n"},
	} {
		f.Add(s[0], s[1], s[2], s[3])
	}
	f.Fuzz(func(t *testing.T, before, left, right, behind string) {
		for i, s := range []*string{&before, &left, &right, &behind} {
			if *s = strings.ToValidUTF8(*s, "?"); i == 1 && *s == "" {
				return
			}
		}
		checkSplits(t, before, left, right, behind)
	})
}

func checkSplits(t interface{ Fatalf(string, ...any) }, before, left, right, behind string) (split bool) {
	for _, name := range Names() {
		c, err := LookupCounter(name)
		if err != nil {
			t.Fatalf("%v", err)
		}
		parts := c.(cento.PartCounter)
		if !parts.Splits(left, right) {
			continue
		}
		split = true
		whole, sum := parts.Weigh(before+left+right+behind), parts.Weigh(before+left)+parts.Weigh(right+behind)
		if whole != sum {
			t.Fatalf("%s splits %q from %q: within %q it weighs %d, by parts %d", name, left, right, before+left+right+behind, whole, sum)
		}
		if got, want := parts.Tokens(whole), c.Count(before+left+right+behind); got != want {
			t.Fatalf("%s: %d tokens by weight, %d counted", name, got, want)
		}
	}
	return split
}

// TestSplits draws texts from what the rules look at.
func TestSplits(t *testing.T) {
	some := rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{
			"a", "B", "it", "Word", "7", "123", " ", "  ", "\n", "\n\n", "\r\n", "\t", "/", "//", ".", "!?", "'", "'s", "'ll", "é", "\u0301", "\u00a0", "\u3000", "日本", "ſ", "#", "- ", "_",
		}), 0, 6).Draw(t, "parts"), "")
	})
	found := 0
	rapid.Check(t, func(t *rapid.T) {
		if checkSplits(t, some.Draw(t, "before"), some.Draw(t, "left"), some.Draw(t, "right"), some.Draw(t, "behind")) {
			found++
		}
	})
	if !checkSplits(t, "", "It is so.\n\n", "Next", "") || !checkSplits(t, "", "see\n\n", "/etc", "") || checkSplits(t, "", "so.\n\n", "*", "") != true {
		t.Error("what usually stands beside one another isn't split")
	}
	if c := (Encoding{}); c.Splits("so.\n\n", "/etc") {
		t.Error("signs take line ends and slashes behind them")
	}
	t.Logf("%d drawn texts were split", found)
}

// TestCachedParts: a counter with a cache counts by parts where the other does.
func TestCachedParts(t *testing.T) {
	for _, model := range []string{"gpt-5.4", "claude-opus-5", "nobody-9"} {
		c := CounterFor(model)
		if _, ok := c.(cento.PartCounter); !ok {
			t.Errorf("%s: doesn't count by parts", model)
		}
		if _, ok := new(Cache).Counter(c).(cento.PartCounter); !ok {
			t.Errorf("%s: doesn't count by parts with a cache", model)
		}
	}
}
