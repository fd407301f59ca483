package tests

import (
	"errors"
	"fmt"
	"hash/fnv"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/token"
)

// odd is a counter that counts joined texts like nobody: more or less than their
// parts, at random.
type odd struct{}

func (odd) Name() string { return "odd" }
func (odd) Exact() bool  { return false }
func (odd) Count(s string) int {
	h := fnv.New32a()
	_, _ = h.Write([]byte(s))
	return (len(s)+3)/4 + int(h.Sum32()%4)*min(len(s), 1)
}

func budgetCounters() *rapid.Generator[cento.Counter] {
	return rapid.SampledFrom([]cento.Counter{token.CounterFor("gpt-5.4"), token.CounterFor("gpt-4"), token.CounterFor("claude-opus-5"), token.CounterFor("nobody-1"), odd{}})
}

// sacrificial are fragments of which a budget may give up most, bound together in
// all ways.
func sacrificial() *rapid.Generator[[]cento.Fragment] {
	texts := rapid.SampledFrom([]string{
		"one", "two words", "It is so.", "/etc/hosts", "/", "//", "see /a.", "- a list\n- of two", "## Heading\n\nand text", "# Top", "123", "'s", "日本語 text", "a\n\n\nb", "…", "# not\n/", "plain words that take some more room than others do",
	})
	return rapid.Custom(func(t *rapid.T) []cento.Fragment {
		n := rapid.IntRange(1, 14).Draw(t, "n")
		out := make([]cento.Fragment, n)
		for i := range out {
			f := &out[i]
			f.ID, f.Source, f.Body = fmt.Sprintf("f%d", i), rapid.SampledFrom([]string{"", "x", "y"}).Draw(t, "source"), texts.Draw(t, "body")
			f.Bucket = rapid.SampledFrom([]cento.Bucket{cento.Before, cento.Before, cento.After}).Draw(t, "bucket")
			if rapid.IntRange(0, 4).Draw(t, "optional?") > 0 {
				f.Importance = cento.ImportanceOf(rapid.IntRange(-2, 3).Draw(t, "importance"))
			}
			f.Protected = rapid.IntRange(0, 15).Draw(t, "protected?") == 0
			if rapid.IntRange(0, 2).Draw(t, "section?") == 0 {
				f.Section = rapid.SampledFrom([]string{"Rules", "Style"}).Draw(t, "section")
				f.SectionForm = rapid.SampledFrom([]cento.SectionForm{cento.RunHeading, cento.RunHeading, cento.RepeatedHeading, cento.FallbackHeading, cento.SeparateHeading}).Draw(t, "form")
			}
			if rapid.IntRange(0, 3).Draw(t, "title?") == 0 {
				f.Title = "Title"
			}
			f.Tight = rapid.IntRange(0, 3).Draw(t, "tight?") == 0
			if rapid.IntRange(0, 2).Draw(t, "group?") == 0 {
				f.Group = rapid.SampledFrom([]string{"g", "h"}).Draw(t, "group")
			}
			if i > 0 && rapid.IntRange(0, 3).Draw(t, "needs?") == 0 {
				f.Needs = []string{fmt.Sprintf("f%d", rapid.IntRange(0, i-1).Draw(t, "need"))}
			}
			for range rapid.IntRange(0, 2).Draw(t, "variants") {
				f.Variants = append(f.Variants, cento.Text{Body: texts.Draw(t, "variant")})
			}
			if rapid.IntRange(0, 5).Draw(t, "gated?") == 0 {
				f.RequiresTools = []string{rapid.SampledFrom([]string{"todo", "absent"}).Draw(t, "tool")}
			}
		}
		return out
	})
}

var budgetActive = cento.Active{Tools: []string{"todo"}}

func within(t *rapid.T, list []cento.Fragment, b cento.Budget) (*cento.Prompt, error) {
	p, err := cento.ReduceFragments(list, budgetActive, cento.Options{Budget: &b})
	if err != nil && !errors.Is(err, cento.BudgetRequired) {
		t.Fatal(err)
	}
	return p, err
}

// levels is what became of each fragment: -1 out, 0 whole, else its variant.
func levels(p *cento.Prompt) []int {
	out := make([]int, p.Len())
	for i, x := range p.Traces(cento.ExplainOptions{}) {
		if out[i] = x.Variant; !x.Included {
			out[i] = -1
		}
	}
	return out
}

// asIf is the list as it would be written by hand for what a budget left.
func asIf(p *cento.Prompt, list []cento.Fragment) []cento.Fragment {
	out := slices.Clone(list)
	for _, s := range p.Sacrificed() {
		i, _ := p.Index(s.Fragment)
		if s.Variant == 0 {
			out[i].Body, out[i].Title = "", ""
		} else {
			out[i].Body = list[i].Variants[s.Variant-1].Body
		}
		out[i].Needs = nil
	}
	return out
}

// TestBudgetKeepsToTheLimit: whatever is given up, the prompt is that of the list
// without it, it fits by the exact count, nothing required is missing, groups and
// needs hold, and the report says what is so.
func TestBudgetKeepsToTheLimit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list, counter := sacrificial().Draw(t, "list"), budgetCounters().Draw(t, "counter")
		full, err := cento.ReduceFragments(list, budgetActive, cento.Options{})
		if err != nil {
			t.Fatal(err)
		}
		whole, _ := full.System()
		b := cento.Budget{
			Tokens: rapid.IntRange(0, counter.Count(whole)+12).Draw(t, "tokens"), Reserve: rapid.IntRange(0, 3).Draw(t, "reserve"), Framing: rapid.IntRange(0, 3).Draw(t, "framing"),
			Policy: rapid.SampledFrom([]cento.BudgetPolicy{cento.StrictBudget, cento.FillBudget}).Draw(t, "policy"), Counter: counter,
		}
		kept := keptCached(list).Draw(t, "cached")
		b.KeepCached, b.Cached = kept != nil, kept
		p, err := within(t, list, b)
		if err != nil {
			return // TestBudgetBelowTheRequired
		}
		text, _ := p.System()
		r := p.Budget()
		if n := counter.Count(text); n > r.Limit || n != r.Prompt || r.Left != r.Limit-n || r.Limit != b.Tokens-b.Reserve-b.Framing {
			t.Fatalf("%d tokens, reported %+v", n, r)
		}
		if r.Full != counter.Count(whole) {
			t.Fatalf("the whole takes %d, reported %d", counter.Count(whole), r.Full)
		}
		byHand, err := cento.ReduceFragments(asIf(p, list), budgetActive, cento.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if want, _ := byHand.System(); text != want {
			t.Fatalf("got\n%q\nby hand\n%q", text, want)
		}
		checkBound(t, list, full, p)
		checkTiling(t, p, text)
	})
}

// checkBound: what binds fragments together holds, and required ones are there.
func checkBound(t *rapid.T, list []cento.Fragment, full, p *cento.Prompt) {
	level, dropped, shortened := levels(p), 0, 0
	for i, f := range list {
		if !full.In(i) {
			continue
		}
		if f.Protected || f.Importance == cento.Required {
			if level[i] < 0 {
				t.Fatalf("%s is required and out", f.ID)
			}
		}
		for _, id := range f.Needs {
			if j, _ := p.Index(id); level[i] >= 0 && level[j] < 0 {
				t.Fatalf("%s is in without %s", f.ID, id)
			}
		}
		for j, g := range list {
			if f.Group != "" && f.Group == g.Group && full.In(j) && (level[i] < 0) != (level[j] < 0) {
				t.Fatalf("%s and %s are a group", f.ID, g.ID)
			}
		}
		switch {
		case level[i] < 0:
			dropped++
		case level[i] > 0:
			shortened++
		}
	}
	if r := p.Budget(); r.Dropped != dropped || r.Shortened != shortened {
		t.Fatalf("%d dropped and %d shortened, reported %+v", dropped, shortened, r)
	}
}

func checkTiling(t *rapid.T, p *cento.Prompt, text string) {
	at := 0
	for _, s := range p.Spans() {
		if s.Start != at {
			t.Fatalf("a span begins at %d, and the one before ends at %d", s.Start, at)
		}
		at = s.End
	}
	if at != len(text) {
		t.Fatalf("the spans end at %d, the text at %d", at, len(text))
	}
}

// tokensTold are the numbers of tokens that the error of a budget lists: of fragments, of
// those that it doesn't name, and of what stands around them.
var tokensTold = regexp.MustCompile(`^(?:fragment ".*" takes|and \d+ more takes?|) ?(~?\d+)(?:, and is required| for |$)`)

// checkShortfall holds what the error of a budget lists to what it says that is needed,
// in words and as data.
func checkShortfall(t rapid.TB, e *cento.SourceError, b cento.Budget) {
	t.Helper()
	s, sum, sign := e.Short, 0, ""
	if s == nil || s.Exact != b.Counter.Exact() || s.Enough-s.Need != b.Tokens-s.Have {
		t.Fatalf("%+v for the budget %+v", s, b)
	}
	if !s.Exact {
		sign = "~"
	}
	for _, r := range e.Related {
		m := tokensTold.FindStringSubmatch(r.Message)
		if m == nil || strings.HasPrefix(m[1], "~") == s.Exact {
			t.Fatalf("%q, exact: %t", r.Message, s.Exact)
		}
		n, err := strconv.Atoi(strings.TrimPrefix(m[1], "~"))
		if err != nil || n < 0 {
			t.Fatalf("%q: %v", r.Message, err)
		}
		sum += n
	}
	if sum != s.Need {
		t.Fatalf("%d are needed, and what is listed takes %d:\n%v\n%v", s.Need, sum, e, e.Related)
	}
	enough := cento.FormatTokens(s.Enough, s.Exact && s.LimitExact)
	if !strings.Contains(e.Message, fmt.Sprintf(" take %s%d tokens", sign, s.Need)) || e.Hint != "set a budget of at least "+enough+" tokens" {
		t.Fatalf("%+v is told as %q, %q", s, e.Message, e.Hint)
	}
}

// TestShortfallsAddUp: the error says how much each thing takes that it names, how much
// all that it doesn't, and how much what stands around them, by whatever is counted.
func TestShortfallsAddUp(t *testing.T) {
	list := func(n int, section string) (out []cento.Fragment) {
		for i := range n {
			out = append(out, cento.Fragment{ID: fmt.Sprint("f", i), Body: "Two words.", Section: section})
		}
		return out
	}
	for _, counter := range []cento.Counter{token.CounterFor("gpt-5.4"), token.CounterFor("nobody-1")} {
		for _, x := range []struct {
			list []cento.Fragment
			last string
		}{
			{list(1, ""), `fragment "f0" takes`},
			{list(2, "Rules"), " for headings and what stands between them"},
			{list(6, ""), " for what stands between them"},
		} {
			b := cento.Budget{Counter: counter, Tokens: 1}
			_, err := cento.ReduceFragments(x.list, budgetActive, cento.Options{Budget: &b})
			e, ok := errors.AsType[*cento.SourceError](err)
			if !ok || e.Code != cento.BudgetRequired {
				t.Fatal(err)
			}
			checkShortfall(t, e, b)
			if last := e.Related[len(e.Related)-1].Message; !strings.Contains(last, x.last) {
				t.Errorf("%s: %q, wanted %q", counter.Name(), last, x.last)
			}
		}
	}
}

// TestBudgetBelowTheRequired: the hint names the least budget that works, whatever takes
// a part of the budget besides the prompt.
func TestBudgetBelowTheRequired(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list, counter := sacrificial().Draw(t, "list"), budgetCounters().Draw(t, "counter")
		few := rapid.IntRange(0, 5)
		b := cento.Budget{Counter: counter, Reserve: few.Draw(t, "reserve"), Framing: few.Draw(t, "framing"), Tools: few.Draw(t, "tools")}
		_, err := within(t, list, b)
		if err == nil {
			return
		}
		list2 := cento.SourceErrors(err)
		if len(list2) != 1 || len(list2[0].Related) == 0 {
			if text, _ := cento.ReduceFragments(list, budgetActive, cento.Options{}); b.Reserve+b.Framing+b.Tools == 0 || text.Included() > 0 && len(list2) != 1 {
				t.Fatalf("%v", err)
			}
		}
		checkShortfall(t, list2[0], b)
		enough := list2[0].Short.Enough
		b.Tokens = enough
		if _, err := within(t, list, b); err != nil {
			t.Fatalf("%d aren't enough: %v", enough, err)
		}
		if b.Tokens--; b.Tokens >= 0 {
			if _, err := within(t, list, b); err == nil {
				t.Fatalf("%d are enough", enough-1)
			}
		}
	})
}

// TestStrictBudgetsAreMonotone: a larger budget never keeps less of anything, and
// what each step is said to need is what it needs.
func TestStrictBudgetsAreMonotone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list, counter := sacrificial().Draw(t, "list"), budgetCounters().Draw(t, "counter")
		var before []int
		var curve []cento.CurvePoint
		kept := keptCached(list).Draw(t, "cached")
		for tokens := 0; ; tokens++ {
			p, err := within(t, list, kept.within(tokens, counter))
			if err != nil {
				continue
			}
			now := levels(p)
			for i := range before {
				if less := now[i] < 0 && before[i] >= 0 || before[i] >= 0 && now[i] > before[i]; less {
					t.Fatalf("%d tokens keep less of %s than %d: %v, %v", tokens, list[i].ID, tokens-1, now, before)
				}
			}
			if curve == nil {
				curve = p.BudgetCurve()
			}
			point, found := slices.BinarySearchFunc(curve, tokens, func(c cento.CurvePoint, n int) int { return c.Budget - n })
			if !found {
				point--
			}
			if c := curve[point]; c.Tokens != p.Budget().Prompt || c.Dropped != p.Budget().Dropped || c.Shortened != p.Budget().Shortened {
				t.Fatalf("at %d the curve says %+v, and it is %+v", tokens, c, p.Budget())
			}
			for _, x := range p.Traces(cento.ExplainOptions{}) {
				if x.Budget == nil {
					continue
				}
				if x.Included == (x.Variant == 0) || !x.Included && x.Reason != fmt.Sprintf("over budget: stays from %s tokens (importance %d)", cento.FormatTokens(x.Budget.StaysFrom, p.Budget().RequestExact()), x.Budget.Importance) {
					t.Fatalf("%+v", x)
				}
				i, _ := p.Index(x.ID)
				for add, want := range map[int]bool{0: true, -1: false} {
					q, err := within(t, list, kept.within(x.Budget.StaysFrom+add, counter))
					stays := err == nil && levels(q)[i] >= 0 && (!x.Included || levels(q)[i] < x.Variant)
					if stays != want {
						t.Fatalf("%s at %d tokens: %v, want %v; %+v", x.ID, x.Budget.StaysFrom+add, stays, want, x)
					}
				}
			}
			if before = now; len(p.Sacrificed()) == 0 {
				return
			}
		}
	})
}

// TestFilledBudgetsKeepMore: filling keeps all that the strict policy keeps, and
// that a larger budget may keep less then is shown by the example of the documents.
func TestFilledBudgetsKeepMore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list, counter := sacrificial().Draw(t, "list"), budgetCounters().Draw(t, "counter")
		b := cento.Budget{Tokens: rapid.IntRange(0, 60).Draw(t, "tokens"), Counter: counter}
		strict, err := within(t, list, b)
		if err != nil {
			return
		}
		b.Policy = cento.FillBudget
		filled, err := within(t, list, b)
		if err != nil {
			t.Fatal(err)
		}
		for i, level := range levels(strict) {
			if now := levels(filled)[i]; level >= 0 && (now < 0 || now > level) {
				t.Fatalf("%s: %d strictly, %d filled", list[i].ID, level, now)
			}
		}
	})
	large, small := "one two three four five six seven eight", "one two three"
	list := []cento.Fragment{
		{ID: "large", Body: large, Importance: cento.ImportanceOf(3)}, {ID: "a", Body: small, Importance: cento.ImportanceOf(2)}, {ID: "b", Body: small, Importance: cento.ImportanceOf(1)},
	}
	kept := func(tokens int) []int {
		p, err := cento.ReduceFragments(list, cento.Active{}, cento.Options{Budget: &cento.Budget{Tokens: tokens, Policy: cento.FillBudget, Counter: token.CounterFor("")}})
		if err != nil {
			t.Fatal(err)
		}
		return levels(p)
	}
	if got := kept(7); !slices.Equal(got, []int{-1, 0, 0}) {
		t.Errorf("7 tokens keep %v", got)
	}
	if got := kept(8); !slices.Equal(got, []int{0, -1, -1}) {
		t.Errorf("8 tokens keep %v", got)
	}
}

// TestHeldBudgetsDoNotFlap: what was out comes back only with room to spare, the
// prompt fits all the same, and what comes back at which budget is said.
func TestHeldBudgetsDoNotFlap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list, counter := sacrificial().Draw(t, "list"), budgetCounters().Draw(t, "counter")
		b := keptCached(list).Draw(t, "cached").within(rapid.IntRange(0, 50).Draw(t, "tokens"), counter)
		first, err := within(t, list, b)
		if err != nil {
			return
		}
		b.Before, b.Hold = first.Sacrificed(), rapid.IntRange(1, 12).Draw(t, "hold")
		b.Tokens += rapid.IntRange(0, 10).Draw(t, "more")
		p, err := within(t, list, b)
		if err != nil {
			t.Fatal(err)
		}
		text, _ := p.System()
		n := counter.Count(text)
		if n > b.Tokens {
			t.Fatalf("%d tokens of %d", n, b.Tokens)
		}
		back := false
		for i, was := range levels(first) {
			now := levels(p)[i]
			back = back || was < 0 && now >= 0 || was > 0 && now >= 0 && now < was
		}
		for _, x := range p.Traces(cento.ExplainOptions{}) {
			for add, want := range map[int]bool{0: true, -1: false} {
				if x.Budget == nil {
					continue
				}
				c := b
				c.Tokens = x.Budget.StaysFrom + add
				q, err := within(t, list, c)
				i, _ := p.Index(x.ID)
				if stays := err == nil && levels(q)[i] >= 0 && (!x.Included || levels(q)[i] < x.Variant); stays != want {
					t.Fatalf("%s at %d tokens: %v, want %v; %+v", x.ID, c.Tokens, stays, want, x.Budget)
				}
			}
		}
		if back && p.Budget().Left < b.Hold {
			t.Fatalf("something came back, and %d are left of %d", p.Budget().Left, b.Hold)
		}
	})
}

// TestBudgetsDependOnTheInputAlone: one plan, many goroutines, and plans made
// again give the same, and nothing depends on what was asked for before.
func TestBudgetsDependOnTheInputAlone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := sacrificial().Draw(t, "list")
		b := cento.Budget{Tokens: rapid.IntRange(5, 60).Draw(t, "tokens"), Counter: token.CounterFor("")}
		want, err := within(t, list, b)
		if err != nil {
			return
		}
		plan, err := cento.Compile(list, cento.Options{Budget: &b})
		if err != nil {
			t.Fatal(err)
		}
		bound := plan.Bind(budgetActive)
		texts := make([]string, 4)
		var wg sync.WaitGroup
		for i := range texts {
			wg.Go(func() {
				var a cento.Assembly
				text, err := plan.AppendText(nil, bound, &a)
				if err != nil {
					text = []byte(err.Error())
				}
				_, _ = a.Sacrifices(), a.BudgetCurve()
				texts[i] = string(text)
			})
		}
		wg.Wait()
		text, _ := want.System()
		for _, got := range texts {
			if got != text {
				t.Fatalf("%q, and %q", got, text)
			}
		}
	})
}

// TestBudgetOrder shows the sequence itself: importance, then the last declared,
// variants first, groups together, and nothing before what needs it.
func TestBudgetOrder(t *testing.T) {
	v := func(s ...string) (out []cento.Text) {
		for _, x := range s {
			out = append(out, cento.Text{Body: x})
		}
		return out
	}
	list := []cento.Fragment{
		{ID: "required", Body: "stays"},
		{ID: "base", Body: "what others need", Importance: cento.ImportanceOf(1)},
		{ID: "top", Body: "needs it", Importance: cento.ImportanceOf(5), Needs: []string{"base"}},
		{ID: "a", Body: "one two three four", Importance: cento.ImportanceOf(3), Variants: v("one two three", "one two three and more", "one")},
		{ID: "b", Body: "one", Importance: cento.ImportanceOf(3)},
		{ID: "g1", Body: "one two", Importance: cento.ImportanceOf(2), Group: "g", Variants: v("one")},
		{ID: "g2", Body: "one two three", Importance: cento.ImportanceOf(4), Group: "g", Variants: v("two")},
		{ID: "held", Body: "needed by what is required", Importance: cento.ImportanceOf(0)},
		{ID: "holds", Body: "needs held", Needs: []string{"held"}},
		{ID: "leans", Body: "needs what is required", Needs: []string{"required"}, Importance: cento.ImportanceOf(0)},
	}
	p, err := cento.ReduceFragments(list, cento.Active{}, cento.Options{Budget: &cento.Budget{Tokens: 1000, Counter: token.CounterFor("")}})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range p.Sacrifices() {
		got = append(got, fmt.Sprintf("%d %s/%d", s.Importance, strings.Join(s.Fragments, "+"), s.Variant))
	}
	want := []string{"0 leans/0", "3 b/0", "3 a/1", "3 a/3", "3 a/0", "4 g2/1", "4 g1/1", "4 g1+g2/0", "5 top/0", "1 base/0"}
	if !slices.Equal(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}
