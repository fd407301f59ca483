package unitab_test

import (
	"strings"
	"testing"

	"github.com/cento-dev/cento/internal/unitab"
)

var benchmarkTexts = []struct{ name, text string }{
	{"ascii", strings.Repeat("Run the tests before you commit; keep every change small.\n", 1130)},
	{"german", strings.Repeat("Führe die Prüfungen aus, bevor du überträgst; halte Änderungen klein.\n", 900)},
	{"russian", strings.Repeat("Запускай тесты перед коммитом, делай небольшие правки.\n", 660)},
	{"japanese", strings.Repeat("コミットする前にテストを実行してください。変更は小さく。\n", 760)},
	{"persian", strings.Repeat("پیش از ثبت، آزمون‌ها را اجرا کنید و تغییرها را کوچک نگه دارید.\n", 570)},
	{"emoji", strings.Repeat("👩🏽‍💻 ships 🚀 and ❤️ tests 1️⃣ 🏴\U000E0067\U000E0062\U000E0065\U000E006E\U000E0067\U000E007F\n", 800)},
}

func BenchmarkIsASCII(b *testing.B) {
	text := benchmarkTexts[0].text
	for _, size := range []struct {
		name string
		n    int
	}{{"64B", 64}, {"1KiB", 1 << 10}, {"64KiB", 64 << 10}} {
		b.Run(size.name, func(b *testing.B) {
			s := text[:size.n]
			b.SetBytes(int64(len(s)))
			for b.Loop() {
				if !unitab.IsASCII(s) {
					b.Fatal("not ASCII")
				}
			}
		})
	}
}

func BenchmarkNextHidden(b *testing.B) {
	for _, bench := range benchmarkTexts {
		b.Run(bench.name, func(b *testing.B) {
			b.SetBytes(int64(len(bench.text)))
			b.ReportAllocs()
			for b.Loop() {
				if _, _, r, _, found := unitab.NextHidden(bench.text, 0); found {
					b.Fatalf("found %U", r)
				}
			}
		})
	}
}

func BenchmarkAppendSkeleton(b *testing.B) {
	for _, bench := range benchmarkTexts {
		b.Run(bench.name, func(b *testing.B) {
			b.SetBytes(int64(len(bench.text)))
			b.ReportAllocs()
			dst := make([]byte, 0, 4*len(bench.text))
			for b.Loop() {
				dst = unitab.AppendSkeleton(dst[:0], bench.text)
			}
		})
	}
}
