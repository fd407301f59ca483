package token

import (
	"go/build"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// sourceText joins files of the Go installation, which every machine that
// tests has: text that nobody made for this test.
func sourceText(tb testing.TB, names ...string) string {
	tb.Helper()
	var b strings.Builder
	for _, name := range names {
		content, err := os.ReadFile(filepath.Join(goRoot(tb), filepath.FromSlash(name)))
		if err != nil {
			tb.Fatal(err)
		}
		b.Write(content)
	}
	return b.String()
}

// goRoot is the folder of the Go installation.
func goRoot(tb testing.TB) string {
	tb.Helper()
	if build.Default.GOROOT == "" {
		tb.Fatal("the folder of the Go installation is not known")
	}
	return build.Default.GOROOT
}

// prose is documentation without its comment marks.
func prose(tb testing.TB) string {
	return strings.ReplaceAll(sourceText(tb, "src/cmd/go/alldocs.go"), "\n// ", "\n")
}

func code(tb testing.TB) string {
	return sourceText(tb, "src/net/http/server.go", "src/go/types/expr.go", "src/encoding/json/decode.go")
}

// runs is one long run after another of what occurs in prompts as rules,
// indentation and padding.
func runs() string {
	var b strings.Builder
	for _, c := range []string{"a", " ", "=", "-", "\n", "0", "é", "ab"} {
		b.WriteString(strings.Repeat(c, 20_000))
		b.WriteString(".\n")
	}
	return b.String()
}

func BenchmarkTokens(b *testing.B) {
	for _, text := range []struct{ name, text string }{
		{"prose", prose(b)}, {"code", code(b)}, {"runs", runs()},
	} {
		for i := range encodings {
			e := &encodings[i]
			b.Run(text.name+"/"+e.name, func(b *testing.B) {
				encoding, err := Lookup(e.name)
				if err != nil {
					b.Fatal(err)
				}
				n := len(encoding.AppendTokens(nil, text.text))
				b.SetBytes(int64(len(text.text)))
				b.ReportAllocs()
				for b.Loop() {
					if got := encoding.Count(text.text); got != n {
						b.Fatalf("%d tokens, want %d", got, n)
					}
				}
				b.ReportMetric(float64(len(text.text))/float64(n), "B/token")
			})
		}
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
