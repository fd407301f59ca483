package tests

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/token"
)

// cachedIDs are what the prompt cache holds; nil: nobody asks.
type cachedIDs []string

func (c cachedIDs) within(tokens int, counter cento.Counter) cento.Budget {
	return cento.Budget{Tokens: tokens, Counter: counter, KeepCached: c != nil, Cached: c}
}

// keptCached draws a beginning of a list, and sometimes others of it.
func keptCached(list []cento.Fragment) *rapid.Generator[cachedIDs] {
	return rapid.Custom(func(t *rapid.T) cachedIDs {
		if rapid.Bool().Draw(t, "asked") {
			return nil
		}
		out := cachedIDs{"of the turn before alone"}
		for _, f := range list[:rapid.IntRange(0, len(list)).Draw(t, "first")] {
			if rapid.IntRange(0, 5).Draw(t, "held") > 0 {
				out = append(out, f.ID)
			}
		}
		return out
	})
}

// TestKeptCachedGoesLast: what the prompt cache holds is given up behind all that it
// doesn't hold, but for what something that it holds needs; within each half the order
// is the plain one; and what is said to be lost is what stands there.
func TestKeptCachedGoesLast(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list, counter := sacrificial().Draw(t, "list"), budgetCounters().Draw(t, "counter")
		cached := keptCached(list).Filter(func(c cachedIDs) bool { return c != nil }).Draw(t, "cached")
		p, err := within(t, list, cached.within(1<<20, counter))
		if err != nil {
			t.Fatal(err)
		}
		holds := func(ids []string) bool {
			return slices.ContainsFunc(ids, func(id string) bool { return slices.Contains(cached, id) })
		}
		plain, err := within(t, list, cento.Budget{Tokens: 1 << 20, Counter: counter})
		if err != nil {
			t.Fatal(err)
		}
		key := func(s cento.Sacrifice) string {
			return fmt.Sprintf("%s/%d of %d", strings.Join(s.Fragments, "+"), s.Variant, s.Importance)
		}
		var want, got []string
		for _, s := range plain.Sacrifices() {
			want = append(want, key(s))
		}
		second := false // the half of what is held has begun
		lost := map[string]bool{}
		for _, s := range p.Sacrifices() {
			got = append(got, key(s))
			held := holds(s.Fragments)
			if s.Variant > 0 { // its group may be held
				held = holds(grouped(list, p, s.Fragments[0]))
			}
			if second = second || held; second && !held && !neededByHeld(list, p, s.Fragments, holds) {
				t.Fatalf("%s goes behind what is held: %v", key(s), got)
			}
			for _, id := range s.Fragments {
				lost[id] = true
			}
			if tokens := lostOf(list, p, cached, lost, counter); tokens == 0 != (s.Cached == nil) || tokens > 0 && s.Cached.Tokens != tokens {
				t.Fatalf("%s costs %d tokens of the cache, said %+v", key(s), tokens, s.Cached)
			}
		}
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(want, got) {
			t.Fatalf("the steps are %v, and without a cache %v", got, want)
		}
	})
}

// grouped are the ids of those that go with a fragment.
func grouped(list []cento.Fragment, p *cento.Prompt, id string) []string {
	i, _ := p.Index(id)
	out := []string{id}
	for j, f := range list {
		if f.Group != "" && f.Group == list[i].Group && p.In(j) {
			out = append(out, f.ID)
		}
	}
	return out
}

// neededByHeld reports whether what is held can't do without one of these, through
// whatever stands between them.
func neededByHeld(list []cento.Fragment, p *cento.Prompt, ids []string, holds func([]string) bool) bool {
	need := slices.Clone(ids)
	for _, id := range ids {
		need = append(need, grouped(list, p, id)...)
	}
	for k := 0; k < len(need); k++ {
		for j, f := range list {
			if !p.In(j) || !slices.Contains(f.Needs, need[k]) {
				continue
			}
			for _, id := range grouped(list, p, f.ID) {
				if holds([]string{id}) {
					return true
				}
				if !slices.Contains(need, id) {
					need = append(need, id)
				}
			}
		}
	}
	return holds(need)
}

// lostOf are the tokens of what is held from the first that is given up on.
func lostOf(list []cento.Fragment, p *cento.Prompt, cached []string, lost map[string]bool, counter cento.Counter) int {
	sum, broken := 0, false
	type at struct{ start, i int }
	var order []at
	for i := range list {
		if start, _, in := p.Extent(i); in {
			order = append(order, at{start, i})
		}
	}
	slices.SortFunc(order, func(a, b at) int { return a.start - b.start })
	text, _ := p.System()
	for _, x := range order {
		id := list[x.i].ID
		if !slices.Contains(cached, id) {
			continue
		}
		if broken = broken || lost[id]; broken {
			start, end, _ := p.Extent(x.i)
			sum += counter.Count(text[start:end])
		}
	}
	return sum
}

// TestKeptCachedByHand shows what is given up, what that is said to cost, and that
// without a turn before, or without the word, the order is the plain one.
func TestKeptCachedByHand(t *testing.T) {
	dollars := func(x float64) *float64 { return &x }
	in := cento.Input{
		Primary: cento.Primary{System: &cento.Text{Body: "Work."}},
		Fragments: []cento.Fragment{
			{ID: "held", Body: "one two three", Importance: cento.ImportanceOf(1)},
			{ID: "late", Body: "four five", Importance: cento.ImportanceOf(9)},
		},
		Model:  &cento.Model{Name: "m", Price: cento.ModelPrice{Input: dollars(5), CacheRead: dollars(0.5), CacheWrite: map[string]float64{"5m": 6.5, "1h": 10}}, Cache: cento.ModelCache{TTL: []string{"5m", "1h"}}},
		Budget: &cento.Budget{Tokens: 6, KeepCached: true, Cached: []string{"primary:system", "held"}, Counter: token.CounterFor("gpt-5.4")},
	}
	out := func() (lost []string, r *cento.BudgetReport, p *cento.Prompt) {
		p, err := cento.Reduce(in)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range p.Sacrificed() {
			lost = append(lost, s.Fragment)
		}
		return lost, p.Budget(), p
	}
	if lost, r, _ := out(); !slices.Equal(lost, []string{"late"}) || r.Cached != 2 || r.CachedLost != nil {
		t.Errorf("gave up %v, of the cache %+v", lost, r)
	}
	in.Budget.Tokens = 2
	lost, r, p := out()
	if !slices.Equal(lost, []string{"held", "late"}) || r.CachedLost == nil || r.CachedLost.Tokens != 3 || r.CachedLost.Price == nil || math.Abs(*r.CachedLost.Price-3*6/1e6) > 1e-12 {
		t.Errorf("gave up %v, of the cache %+v", lost, r.CachedLost)
	}
	for _, x := range p.Traces(cento.ExplainOptions{}) {
		if (x.ID == "held") != (x.Budget != nil && x.Budget.Cached != nil) {
			t.Errorf("%s: %+v", x.ID, x.Budget)
		}
	}
	in.Model.Price.CacheRead = nil
	if _, r, _ := out(); r.CachedLost == nil || r.CachedLost.Price != nil {
		t.Errorf("a price that nobody knows: %+v", r.CachedLost)
	}
	in.Budget.Tokens = 6
	for _, b := range []cento.Budget{{Cached: in.Budget.Cached}, {KeepCached: true}} {
		b.Tokens, b.Counter = 6, in.Budget.Counter
		in.Budget = &b
		if lost, r, _ := out(); !slices.Equal(lost, []string{"held"}) || r.CachedLost != nil || r.Cached != 0 {
			t.Errorf("gave up %v: %+v", lost, r)
		}
	}
}
