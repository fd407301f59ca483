package provenance

import (
	"strings"
	"testing"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/project"
)

// TestWhyOfRemoved: what was taken out whole is told as that, where it stood, and the words
// around it are found in the prompt, each once.
func TestWhyOfRemoved(t *testing.T) {
	at := cento.Position{File: "a.md", Line: 1, Column: 1}
	body := "One\u200b two. One two.\n" + strings.Repeat("x\u200by ", 300)
	prompt, err := cento.ReduceFragments([]cento.Fragment{{ID: "a", Body: body, Trust: cento.TrustWorkspace, Origin: at}},
		cento.Active{}, cento.Options{Policy: cento.Policy{Workspace: cento.StripHidden}})
	if err != nil {
		t.Fatal(err)
	}
	s := &search{Texts: Of(&project.Project{}), prompt: prompt}
	for _, c := range []struct {
		asked, text, reason string
		in                  bool
		matches, more       int
	}{
		{"One\u200b two", "One two", "unconditional; changed there: ignorable U+200B, removed (text.invisible)", true, 1, 0},
		{"One two", "One two", "unconditional", true, 2, 0},
		{"\u200b", "\u200b", "taken out of a text that is in the prompt; changed there: ignorable U+200B, removed (text.invisible)", false, maxMatches, 101},
		{"x\u200by", "xy", "unconditional; changed there: ignorable U+200B, removed (text.invisible)", true, maxMatches, 100},
	} {
		why, _, err := s.explain(t.Context(), nil, c.asked)
		if err != nil {
			t.Fatal(err)
		}
		if len(why.Matches) != c.matches || why.More != c.more {
			t.Errorf("%q: %d places and %d more, want %d and %d", c.asked, len(why.Matches), why.More, c.matches, c.more)
			continue
		}
		m := why.Matches[0]
		if m.Text != c.text || m.Reason != c.reason || (m.Start != nil) != c.in || m.Origin == nil || m.Origin.File != "a.md" {
			t.Errorf("%q: %+v, want %q: %s", c.asked, m, c.text, c.reason)
		}
	}
}
