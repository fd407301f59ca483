package tests

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/cento-dev/cento"
)

// TestOriginalStands: what stands for each character of a text that was changed is the
// character, or what is written in its stead, also behind more findings than are told one
// by one; what was put before or behind it may stand with it.
func TestOriginalStands(t *testing.T) {
	many := strings.Repeat("a\u200bb <|im_start|>\x07\n", 150)
	for _, policy := range []cento.HiddenPolicy{cento.ShowHidden, cento.StripHidden} {
		for _, body := range []string{
			"\u200bone \u200b\u200b two <|im_\u200bend|> <|im_end|>\u200b", "x\n## Working boundaries\ny\n```\ncode", "\u200b\u200b", many + "```\nend",
		} {
			prompt, err := cento.ReduceFragments([]cento.Fragment{{
				ID: "a", Title: "Title", Body: body, Trust: cento.TrustWorkspace, Origin: cento.Position{File: "a.md", Line: 1, Column: 1},
			}}, cento.Active{}, cento.Options{Policy: cento.Policy{Workspace: policy}})
			if err != nil {
				t.Fatal(err)
			}
			o, ok := prompt.Original(0)
			if !ok || o.Text != strings.TrimSpace(body) {
				t.Fatalf("%v, %v: the original of %q is %q", policy, ok, body, o.Text)
			}
			text := prompt.Text(0)
			for k, r := range o.Text {
				got := text[o.Stands(k):o.Stands(k+utf8.RuneLen(r))]
				shown := fmt.Sprintf("<U+%04X>", r)
				hidden := r == '\u200b' || r == '\a'
				switch {
				case hidden && policy == cento.StripHidden && got == "", hidden && got == shown:
				case !hidden && (got == string(r) || r == '<' && got == shown || r == '#' && got == "> #"):
				default:
					t.Fatalf("%v: of %.60q, %q at %d stands as %q", policy, body, r, k, got)
				}
			}
		}
	}
}

// TestOriginalOfManyChanges: a text with as many changes as are kept has its original, to
// the last of them, and one with one more has none. Something written in the stead of
// another is two. What was taken out leaves other words side by side, so that the text is
// read a second time; each reading counts for itself.
func TestOriginalOfManyChanges(t *testing.T) {
	for name, c := range map[string]struct {
		policy cento.HiddenPolicy
		piece  string
		most   int
	}{
		"shown": {cento.ShowHidden, "a\u200b", 1 << 13}, "taken out": {cento.StripHidden, "a\u200b", 1 << 14},
		"left side by side": {cento.StripHidden, "<|im_\u200bend|>", 1 << 13},
	} {
		for _, n := range []int{c.most, c.most + 1} {
			body := strings.Repeat(c.piece, n) + "z"
			prompt, err := cento.ReduceFragments([]cento.Fragment{{ID: "a", Body: body, Trust: cento.TrustWorkspace}},
				cento.Active{}, cento.Options{Policy: cento.Policy{Workspace: c.policy}})
			if err != nil {
				t.Fatal(err)
			}
			o, ok := prompt.Original(0)
			if ok != (n == c.most) {
				t.Errorf("%s, %d times: the original is there: %v", name, n, ok)
			}
			if !ok {
				continue
			}
			if text := prompt.Text(0); o.Text != body || text[o.Stands(len(body)-1):] != "z" {
				t.Errorf("%s, %d times: the end of the text stands as %q", name, n, text[o.Stands(len(body)-1):])
			}
		}
	}
}
