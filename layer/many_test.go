package layer_test

import (
	"runtime"
	"testing"
	"time"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/pacetest"
	"github.com/cento-dev/cento/layer"
)

// As many contributions as one file can hold, which has 50,000 items and keys at
// most, are resolved, compiled and reduced within one second and 64 MiB.
func TestManyContributions(t *testing.T) {
	const most, perLayer = 25_000, 2_500
	stack := manyLayers(most/perLayer, perLayer)
	words := builtins()
	work := func() time.Duration {
		start := time.Now()
		r, err := layer.Resolve(stack)
		if err != nil {
			t.Fatal(err)
		}
		p, err := cento.ReduceFragments(r.Compile(words), cento.Active{Tools: []string{"read"}}, cento.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if p.Len() < most {
			t.Fatalf("%d fragments of %d contributions", p.Len(), most)
		}
		return time.Since(start)
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	took := work()
	runtime.ReadMemStats(&after)
	for n := 0; took > pacetest.Second() && n < 5; n++ { // others may have had the processor
		took = min(took, work())
	}
	if took > pacetest.Second() {
		t.Errorf("took %v", took)
	}
	grown, made := int64(after.HeapSys)-int64(before.HeapSys), after.TotalAlloc-before.TotalAlloc
	if grown > 64<<20 {
		t.Errorf("the heap grew by %d bytes", grown)
	}
	t.Logf("%v; the heap grew by %d MiB, %d MiB were made", took, grown>>20, made>>20)
}
