package tests

import (
	"reflect"
	"testing"

	"github.com/cento-dev/cento"
	"pgregory.net/rapid"
)

// TestTextsChangeNothing checks that a compilation that takes over what earlier ones found
// gives the same prompt, notes and errors.
func TestTextsChangeNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var texts cento.Texts
		body := rapid.SampledFrom([]string{
			"A plain line that is long enough for somebody to keep what was found in it.",
			"## Working boundaries\nA text with a heading of the program, and more of it after that.",
			"A hidden \u202e character in a line that is long enough to be kept for the next one.",
			"A token <|im_start|> in a line that is long enough to be kept for the next one.",
			"```\nA fence that stays open to the end of the text, and some words for its length.",
			"## Rules\nA heading that the tail may have, and a text of many more words than that.",
			"",
		})
		position := rapid.Map(rapid.IntRange(1, 2), func(n int) cento.Position { return cento.Position{File: "a", Line: n, Column: 1} })
		fragment := rapid.Custom(func(t *rapid.T) cento.Fragment {
			f := cento.Fragment{
				ID: rapid.SampledFrom([]string{"a", "b"}).Draw(t, "id"), Body: body.Draw(t, "body"), Origin: position.Draw(t, "origin"),
				Trust: rapid.SampledFrom([]cento.Trust{cento.TrustTool, cento.TrustWorkspace, cento.TrustHost}).Draw(t, "trust"),
				Title: rapid.SampledFrom([]string{"", "T", "Working boundaries"}).Draw(t, "title"),
				Tail:  rapid.Bool().Draw(t, "tail"), Section: rapid.SampledFrom([]string{"", "Working boundaries", "S"}).Draw(t, "section"),
			}
			if f.Body != "" && rapid.Bool().Draw(t, "runs") {
				f.Runs = []cento.Run{{End: len(f.Body), Position: position.Draw(t, "run"), Trust: f.Trust, Var: rapid.SampledFrom([]string{"", "v"}).Draw(t, "var")}}
			}
			return f
		})
		for range 6 {
			list := rapid.SliceOfNDistinct(fragment, 1, 2, func(f cento.Fragment) string { return f.ID }).Draw(t, "fragments")
			o := cento.Options{Policy: cento.Policy{Workspace: rapid.SampledFrom([]cento.HiddenPolicy{cento.ShowHidden, cento.StripHidden, cento.RejectHidden}).Draw(t, "policy")}}
			want, wantErr := cento.ReduceFragments(list, cento.Active{}, o)
			o.Texts = &texts
			got, err := cento.ReduceFragments(list, cento.Active{}, o)
			if !reflect.DeepEqual(err, wantErr) {
				t.Fatalf("the error is %v, want %v", err, wantErr)
			}
			if err != nil {
				continue
			}
			if g, w := got.Explain(cento.ExplainOptions{}), want.Explain(cento.ExplainOptions{}); !reflect.DeepEqual(g, w) {
				t.Fatalf("got %+v\nwant %+v", g, w)
			}
			if g, w := got.Spans(), want.Spans(); !reflect.DeepEqual(g, w) {
				t.Fatalf("the spans are %+v\nwant %+v", g, w)
			}
		}
	})
}
