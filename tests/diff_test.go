package tests

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cento-dev/cento"
)

func ids(changes []cento.Change) []string {
	out := []string{}
	for _, c := range changes {
		out = append(out, c.ID)
	}
	return out
}

func TestDiff(t *testing.T) {
	frag := func(id, body string, tools ...string) cento.Fragment {
		return cento.Fragment{ID: id, Body: body, RequiresTools: tools}
	}
	a := reduce(t, []cento.Fragment{frag("one", "1"), frag("two", "2"), frag("three", "3"), frag("gone", "g", "x"), frag("gate", "G", "x")}, cento.Active{Tools: []string{"x"}})
	b := reduce(t, []cento.Fragment{frag("three", "3"), frag("one", "1"), frag("two", "2 anew"), frag("new", "n", "y"), frag("gate", "G", "x")}, cento.Active{})
	d := cento.Diff(a, b)
	for _, c := range []struct {
		name     string
		got      []cento.Change
		id       string
		from, to string
	}{
		{"added", d.Added, "new", "", "requires tool `y` (not available)"},
		{"removed", d.Removed, "gone", "tool(s) present: x", ""},
		{"moved", d.Moved, "three", "after `two`", "first"},
		{"changed", d.Changed, "two", "2", "2 anew"},
		{"verdicts", d.Verdicts, "gate", "tool(s) present: x", "requires tool `x` (not available)"},
	} {
		if len(c.got) != 1 || c.got[0].ID != c.id || text(c.got[0].From) != c.from || text(c.got[0].To) != c.to {
			t.Errorf("%s: %s", c.name, shown(c.got))
		}
	}
	// What only one side has is told from what is out on it, and with its text.
	c := reduce(t, []cento.Fragment{frag("in", "I"), frag("out", "O", "none")}, cento.Active{})
	none := reduce(t, nil, cento.Active{})
	for name, list := range map[string][]cento.Change{"removed": cento.Diff(c, none).Removed, "added": cento.Diff(none, c).Added} {
		if len(list) != 2 || list[0].Text != "I" || !*list[0].Included || list[1].Text != "O" || *list[1].Included {
			t.Errorf("%s: %+v", name, list)
		}
	}
	if d.Verdicts[0].Included != nil || d.Changed[0].Text != "" {
		t.Errorf("more than from and to is told of fragments of both sides: %+v", d)
	}
	if d.Empty() || !cento.Diff(a, a).Empty() {
		t.Error("a difference is found where there is none, or none where there is one")
	}
	one := []cento.Change{{ID: "a"}}
	for i, d := range []cento.Difference{
		{Added: one}, {Removed: one}, {Moved: one}, {Changed: one}, {Verdicts: one},
		{Added: one, Removed: one}, {Removed: one, Moved: one}, {Moved: one, Changed: one}, {Changed: one, Verdicts: one},
	} {
		if d.Empty() {
			t.Errorf("difference %d is empty: %+v", i, d)
		}
	}
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func shown(changes []cento.Change) string {
	var b strings.Builder
	for _, c := range changes {
		fmt.Fprintf(&b, "%s: %q -> %q; ", c.ID, text(c.From), text(c.To))
	}
	return b.String()
}

// A prompt file that is gated out has no text, so nothing can be said of what
// became of its words: its verdict alone changed.
func TestDiffOfWhatIsNotRendered(t *testing.T) {
	fragments := []cento.Fragment{{ID: "file", Template: "$workspace/a", RequiresTools: []string{"x"}}}
	p := make([]*cento.Prompt, 2)
	for i, tools := range [][]string{{"x"}, nil} {
		var err error
		if p[i], err = cento.ReduceFragments(fragments, cento.Active{Tools: tools}, cento.Options{Expander: textOf{"$workspace/a": "words"}}); err != nil {
			t.Fatal(err)
		}
	}
	for _, d := range []*cento.Difference{cento.Diff(p[0], p[1]), cento.Diff(p[1], p[0])} {
		if len(d.Changed) > 0 || len(d.Verdicts) != 1 {
			t.Errorf("changed %s, verdicts %s", shown(d.Changed), shown(d.Verdicts))
		}
	}
}

// As few fragments as possible count as moved: what is left kept its order, and
// no larger part did.
func TestDiffMoves(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		order := rapid.Permutation([]int{0, 1, 2, 3, 4, 5, 6}).Draw(t, "order")
		var before, after []cento.Fragment
		for i := range order {
			before = append(before, cento.Fragment{ID: fmt.Sprint(i), Body: "x"})
			after = append(after, cento.Fragment{ID: fmt.Sprint(order[i]), Body: "x"})
		}
		moved := ids(cento.Diff(reduce(t, before, cento.Active{}), reduce(t, after, cento.Active{})).Moved)
		var kept []int
		for _, i := range order {
			if !slices.Contains(moved, fmt.Sprint(i)) {
				kept = append(kept, i)
			}
		}
		if !slices.IsSorted(kept) {
			t.Fatalf("%v: those that didn't move are %v", order, kept)
		}
		if most := longestRun(order); len(kept) != most {
			t.Fatalf("%v: %d are said to have kept their order, %d could be", order, len(kept), most)
		}
	})
}

// longestRun is the length of a longest rising subsequence, by trying all.
func longestRun(order []int) int {
	most := 0
	for set := range 1 << len(order) {
		var picked []int
		for i, v := range order {
			if set>>i&1 == 1 {
				picked = append(picked, v)
			}
		}
		if slices.IsSorted(picked) {
			most = max(most, len(picked))
		}
	}
	return most
}

// Of prompts that were told in full the explanations differ as the prompts do.
func TestDiffOfExplanations(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		prompt := func(name string) *cento.Prompt {
			list := fragmentLists().Draw(t, name)
			for i := range list {
				list[i].Needs = nil // what it needs may be on the other side alone
			}
			order := rapid.Permutation(list).Draw(t, name+" in order")
			return reduce(t, order[rapid.IntRange(0, len(list)).Draw(t, name+" from"):], activeSets().Draw(t, name+" for"))
		}
		a, b := prompt("a"), prompt("b")
		o := cento.ExplainOptions{ExcludedTexts: true}
		if got, want := cento.DiffExplained(a.Explain(o), b.Explain(o)), cento.Diff(a, b); !reflect.DeepEqual(got, want) {
			t.Fatalf("told %+v, want %+v", *got, *want)
		}
	})
}

// What wasn't told isn't guessed: sizes are compared where one counter counted both, and
// what has no place in the text is in no order and has no text from there.
func TestDiffOfWhatWasNotTold(t *testing.T) {
	sized := func(tokens int, exact bool, encoding string) *cento.Explanation {
		return &cento.Explanation{Tokens: &tokens, TokensExact: &exact, Encoding: &encoding}
	}
	unsized, unnamed, unsure := sized(5, true, "x"), sized(5, true, "x"), sized(5, true, "x")
	unsized.Tokens, unnamed.Encoding, unsure.TokensExact = nil, nil, nil
	for _, c := range []struct {
		name string
		a, b *cento.Explanation
		want *cento.TokenChange
	}{
		{"both exact", sized(5, true, "x"), sized(7, true, "x"), &cento.TokenChange{From: 5, To: 7, Exact: true}},
		{"one estimated", sized(5, true, "x"), sized(7, false, "x"), &cento.TokenChange{From: 5, To: 7}},
		{"one not known to be exact", sized(4, true, "x"), unsure, &cento.TokenChange{From: 4, To: 5}},
		{"two counters", sized(5, true, "x"), sized(7, true, "y"), nil},
		{"one without tokens", sized(5, true, "x"), unsized, nil},
		{"one without a counter", sized(5, true, "x"), unnamed, nil},
		{"none", &cento.Explanation{}, &cento.Explanation{}, nil},
	} {
		for _, back := range []bool{false, true} {
			a, b, want := c.a, c.b, c.want
			if back {
				a, b = b, a
			}
			if back && want != nil {
				want = &cento.TokenChange{From: want.To, To: want.From, Exact: want.Exact}
			}
			if got := cento.DiffExplained(a, b).Tokens; !reflect.DeepEqual(got, want) {
				t.Errorf("%s, back: %v: %+v, want %+v", c.name, back, got, want)
			}
		}
	}
	system, before, after := "Words.", "1", "2"
	trace := func(included bool, span *[2]int, digest *string) *cento.Explanation {
		return &cento.Explanation{System: &system, Fragments: []cento.Trace{
			{ID: "in, nobody says where", Included: true}, {ID: "a", Included: included, Span: span, Digest: digest}, {ID: "out, and placed", Span: &[2]int{0, 1}},
		}}
	}
	for _, c := range []struct {
		name     string
		from, to *cento.Explanation
		changed  []string
	}{
		{"in, and nobody said where", trace(true, nil, &before), trace(true, &[2]int{0, 6}, &after), []string{"", "Words."}},
		{"a place at the end of the text", trace(true, &[2]int{6, 6}, &before), trace(true, &[2]int{0, 5}, &after), []string{"", "Words"}},
		{"places outside of the text", trace(true, &[2]int{-1, 6}, &before), trace(true, &[2]int{0, 7}, &after), []string{"", ""}},
		{"a place that ends before it begins", trace(true, &[2]int{3, 2}, &before), trace(true, &[2]int{3, 3}, &after), []string{"", ""}},
		{"one without a digest", trace(true, &[2]int{0, 6}, nil), trace(true, &[2]int{0, 5}, &after), nil},
		{"the same digest", trace(true, &[2]int{0, 6}, &before), trace(true, &[2]int{0, 5}, &before), nil},
	} {
		d := cento.DiffExplained(c.from, c.to)
		var got []string
		for _, x := range d.Changed {
			got = append(got, text(x.From), text(x.To))
		}
		if !slices.Equal(got, c.changed) || len(d.Moved) > 0 {
			t.Errorf("%s: changed %q, want %q; moved %s", c.name, got, c.changed, shown(d.Moved))
		}
	}
}
