package nearest

import (
	"strings"
	"testing"
)

// TestListIsShort: a list has at most eight names, and counts the others.
func TestListIsShort(t *testing.T) {
	for names, want := range map[string]string{
		"":                      "",
		"a b":                   "a, b",
		"a b c d e f g h":       "a, b, c, d, e, f, g, h",
		"a b c d e f g h i j k": "a, b, c, d, e, f, g, h and 3 more",
	} {
		if got := List(strings.Fields(names)); got != want {
			t.Errorf("%q: %q, want %q", names, got, want)
		}
	}
}
