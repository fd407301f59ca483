package cache_test

import (
	"testing"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/model"
	"github.com/cento-dev/cento/wire"
	"github.com/cento-dev/cento/wire/cache"
)

// TestForeignForm: what becomes of a request that only a gateway could translate isn't
// predicted.
func TestForeignForm(t *testing.T) {
	for name, c := range map[string]struct {
		form    wire.Form
		foreign bool
	}{"gpt-6-sol": {wire.Anthropic, true}, "claude-opus-5": {wire.Bedrock, false}} {
		m, _ := model.Default().Lookup(name)
		a := cache.New(cache.Options{})
		for range 2 {
			if _, err := a.Add(cache.Step{Request: wire.Request{Form: c.form, Model: &m, Messages: []wire.Message{{Role: "user", Text: "Hello"}}}}); err != nil {
				t.Fatal(err)
			}
		}
		r := a.Report()
		if foreign := r.Cache == cento.CacheKind("") && r.Sum.Prediction == nil && r.Sum.Cost == nil && len(r.Steps[1].Marks) == 0; foreign != c.foreign {
			t.Errorf("%s in the form %s: cache %q, predicted %v", name, c.form, r.Cache, r.Sum.Prediction)
		}
	}
}
