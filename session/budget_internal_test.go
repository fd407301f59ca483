package session

import (
	"reflect"
	"testing"

	"github.com/cento-dev/cento"
)

// TestBudgetKnowsThePromptBefore: a budget that holds is told what the prompt before did
// without, one that keeps what is cached is told that, each of its own alone; what the
// source told stays, an empty list too. The source's budget is left as it is.
func TestBudgetKnowsThePromptBefore(t *testing.T) {
	before := cento.Budget{Before: []cento.Sacrificed{{Fragment: "out"}}, Cached: []string{"cached"}}
	without := [][]cento.Sacrificed{nil, {}, {{Fragment: "own"}}}
	cached := [][]string{nil, {}, {"own"}}
	for _, hold := range []int{0, 1, 10} {
		for _, keep := range []bool{false, true} {
			for i := range without {
				for k := range cached {
					own := cento.Budget{Tokens: 30, Hold: hold, KeepCached: keep, Before: without[i], Cached: cached[k]}
					was, want := own, own
					if hold > 0 && i == 0 {
						want.Before = before.Before
					}
					if keep && k == 0 {
						want.Cached = before.Cached
					}
					if got := knowing(cento.Input{Budget: &own}, &before); !reflect.DeepEqual(*got.Budget, want) || !reflect.DeepEqual(own, was) {
						t.Errorf("%+v is told %+v, want %+v", was, *got.Budget, want)
					}
					if got := knowing(cento.Input{Budget: &own}, nil); !reflect.DeepEqual(*got.Budget, was) {
						t.Errorf("without a prompt before %+v is told %+v", was, *got.Budget)
					}
				}
			}
		}
	}
	if got := knowing(cento.Input{}, &before); got.Budget != nil {
		t.Errorf("no budget is told %+v", *got.Budget)
	}
}
