package session

import (
	"reflect"
	"testing"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/wire"
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

// TestBudgetCountsTheRequest: a budget counts the form that is asked for, with the way in which
// that parts the sections unless it is the usual one; where no request is asked for, or the
// input has no budget, nothing changes. The source's budget is left as it is.
func TestBudgetCountsTheRequest(t *testing.T) {
	own := cento.Budget{Tokens: 30, Form: "json", Sections: "own"}
	for form, want := range map[wire.Form]string{wire.Anthropic: "anthropic", wire.OpenAI: "openai"} {
		for by, sections := range map[wire.Sectioning]string{wire.Markdown: "", wire.XML: "xml"} {
			budget := own
			as := countedFor(&wire.Request{Form: form, Sections: by})
			got := as.over(cento.Input{Budget: &budget}).Budget
			if got.Form != want || got.Sections != sections || got.Tokens != 30 || !reflect.DeepEqual(budget, own) {
				t.Errorf("%s by %s: it counts %+v; the source's is %+v", want, by, got, budget)
			}
			if again := countedAs(got).over(cento.Input{Budget: &budget}).Budget; !reflect.DeepEqual(again, got) {
				t.Errorf("as another budget it counts %+v, want %+v", again, got)
			}
			if in := as.over(cento.Input{}); in.Budget != nil {
				t.Errorf("without a budget: %+v", in.Budget)
			}
		}
	}
	for _, as := range []counting{countedFor(nil), countedAs(nil)} {
		budget := own
		if got := as.over(cento.Input{Budget: &budget}).Budget; !reflect.DeepEqual(*got, own) {
			t.Errorf("where nothing is asked for it counts %+v", got)
		}
	}
}
