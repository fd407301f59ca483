package tests

import (
	"strings"
	"testing"

	"github.com/cento-dev/cento"
)

// TestHiddenAlone: a text of nothing but hidden characters has as many spans as
// are told one by one, and then one for each line, not one for each character.
func TestHiddenAlone(t *testing.T) {
	const size = 1 << 17
	for name, body := range map[string]string{
		"one line": strings.Repeat("\x01", size), "lines": strings.Repeat(strings.Repeat("\u202e", 1023)+"\n", size/1024),
	} {
		prompt, err := cento.ReduceFragments([]cento.Fragment{{
			ID: "a", Body: body, Trust: cento.TrustWorkspace, Origin: cento.Position{File: "AGENTS.md", Line: 1, Column: 1},
		}}, cento.Active{}, cento.Options{})
		if err != nil {
			t.Fatal(err)
		}
		lines := 1 + strings.Count(strings.TrimSuffix(body, "\n"), "\n")
		if n := len(prompt.Spans()); n > 300+2*lines {
			t.Errorf("%s: %d spans of a text of %d lines", name, n, lines)
		}
		// Each still tells its line.
		text, _ := prompt.System()
		for _, at := range []int{0, len(text) / 3, len(text) / 2, len(text) - 2} {
			place, ok := prompt.Locate(at)
			if want := 1 + strings.Count(text[:at], "\n"); !ok || place.File != "AGENTS.md" || place.Line != want {
				t.Errorf("%s: byte %d is at %v, want line %d", name, at, place, want)
			}
		}
	}
}
