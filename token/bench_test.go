package token

import (
	"testing"

	"github.com/cento-dev/cento/bench/workload"
)

// goRoot is the folder of the Go installation.
func goRoot(tb testing.TB) string {
	tb.Helper()
	root, err := workload.GoRoot()
	if err != nil {
		tb.Fatal(err)
	}
	return root
}

// workloads are the texts that counters are measured on.
func workloads(tb testing.TB) []workload.Text {
	tb.Helper()
	texts, err := workload.Texts()
	if err != nil {
		tb.Fatal(err)
	}
	return texts
}

func textOf(tb testing.TB, name string) string {
	tb.Helper()
	for _, t := range workloads(tb) {
		if t.Name == name {
			return t.Text
		}
	}
	tb.Fatalf("there is no text %s", name)
	return ""
}

func prose(tb testing.TB) string { return textOf(tb, "prose") }
func code(tb testing.TB) string  { return textOf(tb, "code") }

// BenchmarkTokens counts with o200k_base, BenchmarkTokensCL100K with the other
// encoding.
func BenchmarkTokens(b *testing.B)       { benchmarkTokens(b, "o200k_base") }
func BenchmarkTokensCL100K(b *testing.B) { benchmarkTokens(b, "cl100k_base") }

func benchmarkTokens(b *testing.B, name string) {
	encoding, err := Lookup(name)
	if err != nil {
		b.Fatal(err)
	}
	for _, text := range workloads(b) {
		n := len(encoding.AppendTokens(nil, text.Text))
		b.Run(text.Name, func(b *testing.B) {
			b.SetBytes(int64(len(text.Text)))
			b.ReportAllocs()
			for b.Loop() {
				if got := encoding.Count(text.Text); got != n {
					b.Fatalf("%d tokens, want %d", got, n)
				}
			}
			b.ReportMetric(float64(n), "tokens")
		})
	}
}

// BenchmarkLoad is what the first count of a program costs on top, and what
// the first large text does.
func BenchmarkLoad(b *testing.B) {
	for i := range encodings {
		b.Run("pairs/"+encodings[i].name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if v := load(*encodings[i].table); v.size() < 100_000 {
					b.Fatalf("%d tokens", v.size())
				}
			}
		})
		b.Run("texts/"+encodings[i].name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if t := loadTexts(*encodings[i].table); len(t.text) < 600_000 {
					b.Fatalf("%d bytes", len(t.text))
				}
			}
		})
	}
}
