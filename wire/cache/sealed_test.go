package cache_test

import (
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/cento-dev/cento/wire"
	"github.com/cento-dev/cento/wire/cache"
)

// TestBlocksTellTheSame: of requests of which the blocks alone were kept, the same is
// predicted, marked and lost, for the same causes, as of the requests themselves; the
// first difference is in the same block. So it is where the tools were the host's own.
func TestBlocksTellTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom([]string{"claude-opus-5", "gpt-6-sol"}).Draw(t, "model")
		own := rapid.Bool().Draw(t, "tools are the host's own")
		whole, kept := cache.New(cache.Options{}), cache.New(cache.Options{})
		for i, s := range drawSteps(t, name) {
			want, err := whole.Add(s)
			if err != nil {
				t.Fatal(err)
			}
			body, err := wire.Build(s.Request)
			if err != nil {
				t.Fatal(err)
			}
			if s.Blocks, err = body.Blocks(s.Request.Form, s.Request.Counter); err != nil {
				t.Fatal(err)
			}
			s.Request.Messages, s.Request.Partial = nil, true
			if own {
				s.Request.Tools = nil
			}
			got, err := kept.Add(s)
			if err != nil {
				t.Fatal(err)
			}
			kinds := func(list []cache.Cause) (out []string) {
				for _, c := range list {
					if own && c.Kind == cache.TTLExpired {
						continue // what was kept depends on how tools are counted, as said below
					}
					out = append(out, string(c.Kind)+" of "+c.Fragment)
				}
				return out
			}
			if !slices.Equal(kinds(got.Causes), kinds(want.Causes)) {
				t.Fatalf("step %d: the causes are %v, and of the whole %v", i, kinds(got.Causes), kinds(want.Causes))
			}
			if (got.Difference == nil) != (want.Difference == nil) || got.Difference != nil && (got.Difference.Pointer != want.Difference.Pointer || got.Difference.Fragment != want.Difference.Fragment) {
				t.Fatalf("step %d: they differ at %+v, and the whole at %+v", i, got.Difference, want.Difference)
			}
			if own {
				continue // tools are counted one by one then, and else as a list
			}
			if got.Bytes != want.Bytes || got.Tokens != want.Tokens || got.Lost != want.Lost || got.SharedTokens > want.SharedTokens ||
				!reflect.DeepEqual(got.Prediction, want.Prediction) || !reflect.DeepEqual(got.Marks, want.Marks) {
				t.Fatalf("step %d: %+v, and of the whole %+v", i, got, want)
			}
		}
	})
}
