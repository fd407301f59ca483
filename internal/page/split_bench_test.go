package page

import (
	"testing"

	"github.com/cento-dev/cento"
)

// BenchmarkSplit measures the parts of a page of so many fragments.
func BenchmarkSplit(b *testing.B) {
	in := tenThousand()
	in.Fragments = in.Fragments[:1000]
	p, err := cento.Reduce(in)
	if err != nil {
		b.Fatal(err)
	}
	e := p.Explain(cento.ExplainOptions{AllReasons: true, ExcludedTexts: true})
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Split(Page{}, e, nil); err != nil {
			b.Fatal(err)
		}
	}
}
