package strict

import (
	"testing"

	"github.com/cento-dev/cento"
)

// A block between rulers is meant as front matter where its first line that says
// anything is a member.
func TestLooksLikeMap(t *testing.T) {
	for block, want := range map[string]bool{
		"a: b\n": true, "\n# note: x\n\na:\n": true, "# only\n": false, "": false, "text\na: b\n": false, "a:b\n": false, "a b: c\n": false, "- a: b\n": false,
	} {
		if looksLikeMap(block) != want {
			t.Errorf("looksLikeMap(%q) = %v", block, !want)
		}
	}
}

// Front matter is a map, one that is broken, or nothing at all; any other text between
// rulers is text.
func TestFrontMatter(t *testing.T) {
	for text, want := range map[string]struct {
		from, to, body int
		kind           string
	}{
		"---\na: 1\n---\nx":                {4, 9, 13, "a map"},
		"---\na: 1\n---":                   {4, 9, 12, "a map"},
		"\ufeff---\r\na: 1\r\n---\r\nx":    {8, 14, 19, "a map"},
		"---\n---\nx":                      {4, 4, 8, "nothing"},
		"---\n \t\r\n  # a: [\n---\nx":     {4, 17, 21, "nothing"},
		"---\na: [\n---\nx":                {4, 9, 13, "unread"},
		"---\nnull\n---\nx":                {},
		"---\nprose\n---\nx":               {},
		"---\nprose: of\nthese\n \"---\nx": {},
		"---\na: 1\n--- \nx":               {},
		"---":                              {},
		"":                                 {},
	} {
		f, err := FrontMatter("a.md", text, cento.DefaultLimits())
		kind := ""
		switch {
		case err != nil:
			kind = "unread"
		case f.Root != nil:
			kind = f.Root.Kind().String()
		}
		if f.From != want.from || f.To != want.to || f.Body != want.body || kind != want.kind {
			t.Errorf("%q: %d to %d, text from %d, %q; want %v", text, f.From, f.To, f.Body, kind, want)
		}
	}
}
