package cache_test

import (
	"slices"
	"testing"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/model"
	"github.com/cento-dev/cento/wire"
	"github.com/cento-dev/cento/wire/cache"
)

// briefly is a request of one sentence with the cache of a model of Anthropic.
func briefly(t *testing.T) cache.Step {
	t.Helper()
	m, _ := model.Default().Lookup("claude-opus-5")
	least := 1
	m.Cache.MinTokens = &least
	in := cento.Input{Fragments: []cento.Fragment{cento.NewFragment("rules", "", cento.Before, "Run the tests.")}}
	prompt, err := cento.Reduce(in)
	if err != nil {
		t.Fatal(err)
	}
	return cache.Step{Input: &in, Request: wire.Request{Form: wire.Anthropic, Model: &m, Prompt: prompt}}
}

// TestUnpriced: where there is no cost, the report names the prices that are missing, and
// nothing where there is one.
func TestUnpriced(t *testing.T) {
	price := 2.0
	for _, x := range []struct {
		price cento.ModelPrice
		want  []string
	}{
		{cento.ModelPrice{}, []string{"cache_read", "cache_write 5m", "input"}},
		{cento.ModelPrice{Input: &price}, []string{"cache_read", "cache_write 5m"}},
		{cento.ModelPrice{Input: &price, CacheRead: &price}, []string{"cache_write 5m"}},
		{cento.ModelPrice{Input: &price, CacheRead: &price, CacheWrite: map[string]float64{"5m": 1}}, nil},
	} {
		step := briefly(t)
		a := cache.New(cache.Options{Price: &x.price})
		for range 2 {
			if _, err := a.Add(step); err != nil {
				t.Fatal(err)
			}
		}
		r := a.Report()
		if !slices.Equal(r.Unpriced, x.want) || (r.Sum.Cost == nil) != (x.want != nil) {
			t.Errorf("unpriced %q, cost %v, want %q", r.Unpriced, r.Sum.Cost, x.want)
		}
	}
}

// TestLosses: a step tells what its request loses, one that loses nothing has none.
func TestLosses(t *testing.T) {
	step := briefly(t)
	for _, x := range []struct {
		messages []wire.Message
		want     int
	}{{nil, 1}, {[]wire.Message{{Role: "user", Text: "Hello"}}, 0}} {
		step.Request.Messages = x.messages
		got, err := cache.New(cache.Options{}).Add(step)
		if err != nil || len(got.Losses) != x.want {
			t.Errorf("%v, %v, want %d", got.Losses, err, x.want)
		}
	}
}

// TestPriceAbove: above its threshold a tier prices the whole request, writes included.
// A rate that the tier lacks is missing: the rate below the threshold does not replace it.
func TestPriceAbove(t *testing.T) {
	one, two := 1.0, 2.0
	base := cento.ModelPrice{Input: &one, CacheRead: &one, CacheWrite: map[string]float64{"5m": 1}}
	for _, x := range []struct {
		above cento.PriceAbove
		want  []string
	}{
		{cento.PriceAbove{Input: &two, CacheRead: &two, CacheWrite: map[string]float64{"5m": 2}}, nil},
		{cento.PriceAbove{Input: &two, CacheRead: &two}, []string{"cache_write 5m"}},
		{cento.PriceAbove{Input: &two, CacheWrite: map[string]float64{"5m": 2}}, []string{"cache_read"}},
		{cento.PriceAbove{CacheRead: &two, CacheWrite: map[string]float64{"5m": 2}}, []string{"input"}},
	} {
		run := func(p cento.ModelPrice) *cache.Report {
			step := briefly(t)
			a := cache.New(cache.Options{Price: &p})
			for range 2 {
				if _, err := a.Add(step); err != nil {
					t.Fatal(err)
				}
			}
			return a.Report()
		}
		below, price := run(base), base
		price.Above = &x.above // zero tokens: every request is above
		r := run(price)
		if !slices.Equal(r.Unpriced, x.want) || (r.Sum.Cost == nil) != (x.want != nil) {
			t.Errorf("unpriced %q, cost %v, want %q", r.Unpriced, r.Sum.Cost, x.want)
		}
		if x.want == nil && r.Sum.Cost.Predicted != 2*below.Sum.Cost.Predicted {
			t.Errorf("the cost at twice the rates is %v, want twice %v", r.Sum.Cost.Predicted, below.Sum.Cost.Predicted)
		}
	}
}
