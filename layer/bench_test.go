package layer_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/layer"
)

// manyLayers is a stack of layers that all contribute, reset and remove: each
// fills three slots, every fifth clears one, every third removes something.
func manyLayers(count, each int) []layer.Ranked {
	slots := []string{layer.IntroSlot, layer.GuidanceSlot, layer.EnvironmentSlot}
	out := make([]layer.Ranked, count)
	for i := range out {
		var l layer.Layer
		if i%5 == 4 {
			l = l.WithClearedSlot(layer.EnvironmentSlot)
		}
		if i%3 == 2 {
			l = l.WithRemoved(layer.GuidanceSlot, fmt.Sprintf("rule-%d-1", i-1))
		}
		var list []layer.Contribution
		for j := range each {
			c := layer.NewContribution(slots[j%3], fmt.Sprintf("Rule %d %d", i, j), strings.Repeat("A sentence of advice. ", 5))
			c.Priority = int32(j % 4)
			if j%5 == 0 {
				c.RequiresAnyTools = []string{"read"}
			}
			list = append(list, c)
		}
		l = l.WithContributions(list...)
		out[i] = layer.Ranked{Name: fmt.Sprintf("layer%d", i), Layer: l}
	}
	return out
}

// BenchmarkLayers resolves, compiles and reduces a stack: layers × contributions
// of each. ns/contribution tells whether the cost is linear.
func BenchmarkLayers(b *testing.B) {
	for _, size := range [][2]int{{10, 20}, {200, 50}} {
		b.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(b *testing.B) {
			stack := manyLayers(size[0], size[1])
			words := builtins()
			active := cento.Active{Tools: []string{"read"}}
			b.ReportAllocs()
			for b.Loop() {
				r, err := layer.Resolve(stack)
				if err != nil {
					b.Fatal(err)
				}
				p, err := cento.ReduceFragments(r.Compile(words), active, cento.Options{})
				if err != nil {
					b.Fatal(err)
				}
				if p.Len() < size[0]*size[1] {
					b.Fatalf("%d fragments", p.Len())
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(size[0]*size[1]), "ns/contribution")
		})
	}
}
