package pack_test

import (
	"testing"
	"time"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/pack"
)

func BenchmarkNewCatalog(b *testing.B) {
	l := pack.NewLoader(pack.Roots{}, cento.Limits{})
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := pack.NewCatalog(l); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkOpenDefault(b *testing.B) {
	l, ref := pack.NewLoader(pack.Roots{}, cento.Limits{}), mustRef(b, "$builtin/default")
	b.ReportAllocs()
	for b.Loop() {
		if _, err := l.Open(ref, cento.Position{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkRenderDefault(b *testing.B) {
	f, err := pack.NewLoader(pack.Roots{}, cento.Limits{}).Open(mustRef(b, "$builtin/default"), cento.Position{})
	if err != nil {
		b.Fatal(err)
	}
	v := pack.Variables{Now: time.Date(2026, 4, 15, 9, 30, 0, 0, time.UTC), Cwd: "/srv/app", Tools: []string{"read", "write", "edit", "grep"}}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := f.Render(v); err != nil {
			b.Fatal(err)
		}
	}
}
