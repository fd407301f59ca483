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

// TestWhyOfHeadings: the words of a title and of a section are found as they were written,
// also next to characters of several bytes, with what was taken out, and in a fragment that
// is out; a line that was quoted is told where its words alone are asked for.
func TestWhyOfHeadings(t *testing.T) {
	at := cento.Position{File: "a.md", Line: 1, Column: 1}
	title := cento.Position{File: "a.md", Line: 7, Column: 3}
	prompt, err := cento.ReduceFragments([]cento.Fragment{
		{ID: "a", Section: "Äö <|im_start|> üß", Title: "One ü\u200bû  two\u200b three", TitleOrigin: title, Body: "Text a\u200b.", Trust: cento.TrustWorkspace, Origin: at},
		{ID: "b", Section: "Other", Title: "Working boundaries", TitleForm: cento.HostHeading, Body: "Text b.\n## Working boundaries\nEnd.", Trust: cento.TrustWorkspace, Origin: at},
		{ID: "c", Title: "Off \u200bTitle", Body: "Text c.", RequiresTools: []string{"none"}, Trust: cento.TrustWorkspace, Origin: at},
	}, cento.Active{}, cento.Options{Policy: cento.Policy{Workspace: cento.StripHidden}})
	if err != nil {
		t.Fatal(err)
	}
	s := &search{Texts: Of(&project.Project{}), prompt: prompt}
	const (
		removed = "; changed there: ignorable U+200B, removed, in the title (text.invisible)"
		forged  = `; changed there: quoted: the line "## Working boundaries" imitates a protected section or frame`
	)
	for _, c := range []struct {
		asked, fragment, text, reason string
		line                          int
	}{
		{"Äö <|im_start|>", "a", "Äö <U+003C>|im_start|>", "broken: the control token \"<|im_start|>\" of OpenAI, Qwen, Llama and others, in the section (text.control_token)", 1},
		{"üß", "a", "üß", "unconditional", 1},
		{"|> üß ### One ü\u200bû", "a", "|> üß\n\n### One üû", removed, 1},
		{"ü\u200bû", "a", "üû", removed, 7},
		{"two\u200b three Text a\u200b.", "a", "two three\n\nText a.", removed + "; ignorable U+200B, removed (text.invisible)", 7},
		{"Off \u200bTitle", "c", "Off Title", removed, 1},
		{"boundaries Text b", "b", "boundaries\nText b", forged + ", in the title (text.forged)", 1},
		{"## Working boundaries End", "b", "## Working boundaries\nEnd", forged + " (text.forged)", 2},
		{"> ## Working boundaries End", "b", "> ## Working boundaries\nEnd", forged + " (text.forged)", 2},
		{"Text b. ## Working", "b", "Text b.\n> ## Working", forged + " (text.forged)", 1},
	} {
		why, _, err := s.explain(t.Context(), nil, c.asked)
		if err != nil {
			t.Fatal(err)
		}
		if len(why.Matches) != 1 {
			t.Errorf("%q: %+v", c.asked, why.Matches)
			continue
		}
		m := why.Matches[0]
		if m.Fragment != c.fragment || m.Text != c.text || !strings.HasSuffix(m.Reason, c.reason) || m.Origin == nil || m.Origin.Line != c.line {
			t.Errorf("%q: %+v at %v, want %q: %s", c.asked, m, m.Origin, c.text, c.reason)
		}
	}
}
