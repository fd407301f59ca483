package layer_test

import (
	"testing"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/layer"
)

// What reads as a layer is written in a form that reads back as the same layer,
// and what resolves has a fragment for every contribution, under an id of its
// own, that the core takes.
func FuzzLayerJSON(f *testing.F) {
	for _, line := range corpus(f) {
		f.Add([]byte(line))
	}
	f.Add([]byte(`{"slots":{"guidance":{"remove":["shell"],"contributions":[{"title":"Shell","content":"a"},{"id":"shell","content":"b"},{"id":"shell@2","content":"c"}]}},"template":{"sections":[{"entries":[{"kind":"slot","slot":"guidance"},{"kind":"slot","slot":"guidance"}]}]}}`))
	f.Add([]byte(`{"template":null,"patch":[{"op":"insert_entry","section":"Guidance","after":"guidance","entry":{"kind":"slot","slot":"guidance"}}]}`))
	f.Add([]byte(`{"slots":{"guidance":{"contributions":[{"slot":"intro","content":"\u2028\ud83d\ude00","priority":2147483648}]}}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		l, err := layer.Read("layer.json", data, cento.TrustWorkspace, cento.Limits{})
		if err != nil {
			return
		}
		written := canonical(t, l)
		again, err := layer.Read("layer.json", []byte(written), cento.TrustWorkspace, cento.Limits{})
		if err != nil {
			t.Fatalf("%s is written as %s: %v", data, written, err)
		}
		if rewritten := canonical(t, again); rewritten != written {
			t.Fatalf("%s reads back as %s", written, rewritten)
		}
		r, err := layer.Resolve([]layer.Ranked{{Name: "low", Rank: layer.UserRank, Layer: l}, {Name: "high", Rank: layer.HostRank, Layer: again}})
		if err != nil {
			return
		}
		for _, r := range []*layer.Resolution{r, r.Merged()} {
			fragments := r.Compile(layer.Builtins{})
			for i := range fragments { // no engine is plugged in
				fragments[i].When, fragments[i].Template = "", ""
			}
			p, err := cento.ReduceFragments(fragments, cento.Active{}, cento.Options{})
			if err != nil {
				t.Fatalf("%s: %v", written, err)
			}
			if p.Len() != len(fragments) {
				t.Fatalf("%d fragments, %d decisions", len(fragments), p.Len())
			}
		}
	})
}
