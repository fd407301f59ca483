package workspace

import (
	"testing"

	"pgregory.net/rapid"
)

// TestCanMatch: a pattern of which it is said that no path matches it matches none.
func TestCanMatch(t *testing.T) {
	never := 0
	rapid.Check(t, func(t *rapid.T) {
		pattern := rapid.StringMatching(`(!|\.|\.\.)?/?[./\[\]!a*\\]{1,6}`).Draw(t, "pattern")
		if canMatch(pattern) {
			return
		}
		never++
		file := rapid.StringMatching(`[.\[\]!a]{0,2}[\[\]!a](/[.\[\]!a]{0,2}[\[\]!a]){0,2}`).Draw(t, "file")
		c := conditional{file: candidate{ground: &ground{base: "/p"}}, patterns: []string{pattern}}
		if c.matches("/p/" + file) {
			t.Fatalf("%q matches %q", pattern, file)
		}
	})
	if never == 0 {
		t.Error("no pattern was tried")
	}
}
