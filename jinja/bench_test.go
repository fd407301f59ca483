package jinja

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"text/template"

	"github.com/cento-dev/cento/bench/workload"
)

// The workloads: a short agent prompt, a long one with includes, and a nested
// loop with a megabyte of output. Every engine that was measured on them prints
// the same bytes, of which this is the begin of the SHA-256.
var workloads = []struct{ name, sum string }{
	{"T1", "0ad8e191596cf9ec"},
	{"T2", "983f3c412622f439"},
	{"T3", "11a6e306e7c0f9e6"},
}

func workloadJSON(tb testing.TB, name string) []byte {
	if name == "T3" {
		b, err := json.Marshal(workload.NestedContext())
		if err != nil {
			tb.Fatal(err)
		}
		return b
	}
	b, err := os.ReadFile("testdata/bench/" + name + ".json")
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

func workloadFiles(tb testing.TB, name, ext string) MapLoader {
	paths, err := filepath.Glob("testdata/bench/" + name + "*." + ext)
	if err != nil || len(paths) == 0 {
		tb.Fatalf("no files of workload %s: %v", name, err)
	}
	m := MapLoader{}
	for _, p := range paths {
		b, err := os.ReadFile(p)
		if err != nil {
			tb.Fatal(err)
		}
		m[filepath.Base(p)] = string(b)
	}
	return m
}

func checkSum(tb testing.TB, got []byte, want string) {
	tb.Helper()
	sum := sha256.Sum256(got)
	if hex.EncodeToString(sum[:8]) != want {
		tb.Fatalf("output of %d bytes has digest %x, want it to begin with %s", len(got), sum[:8], want)
	}
}

func loadWorkload(tb testing.TB, name string, opts Options) (*Template, Value) {
	opts.Loader = workloadFiles(tb, name, "txt")
	t, err := New(opts).Load(name + ".txt")
	if err != nil {
		tb.Fatal(err)
	}
	ctx, err := FromJSON(workloadJSON(tb, name), 3)
	if err != nil {
		tb.Fatal(err)
	}
	return t, ctx
}

func BenchmarkRender(b *testing.B) { benchmarkRender(b, Options{}) }

// BenchmarkRenderNoSpans is what rendering costs without origins.
func BenchmarkRenderNoSpans(b *testing.B) { benchmarkRender(b, Options{noSpans: true}) }

func benchmarkRender(b *testing.B, opts Options) {
	for _, w := range workloads {
		b.Run(w.name, func(b *testing.B) {
			t, ctx := loadWorkload(b, w.name, opts)
			o, err := t.Render(ctx)
			if err != nil {
				b.Fatal(err)
			}
			checkSum(b, o.Bytes(), w.sum)
			b.ReportAllocs()
			for b.Loop() {
				if err := t.RenderInto(o, ctx); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(len(o.spans)), "spans")
		})
	}
}

// BenchmarkSpans spells all origins of a rendering out.
func BenchmarkSpans(b *testing.B) {
	for _, w := range workloads {
		b.Run(w.name, func(b *testing.B) {
			t, ctx := loadWorkload(b, w.name, Options{})
			o, err := t.Render(ctx)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				for s := range o.All() {
					if s.End <= s.Start {
						b.Fatal("empty span")
					}
				}
			}
		})
	}
}

func BenchmarkParse(b *testing.B) {
	for _, w := range workloads {
		b.Run(w.name, func(b *testing.B) {
			env := New(Options{})
			files := workloadFiles(b, w.name, "txt")
			b.ReportAllocs()
			for b.Loop() {
				for name, text := range files {
					if _, err := env.Parse(Source{Name: name, Text: text}); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}

// The standard library's engine on the same workloads, as the measure that
// figures of other machines are compared by.

var peerFuncs = template.FuncMap{
	"upper": func(s any) string { return strings.ToUpper(fmt.Sprint(s)) },
	"trim":  func(s any) string { return strings.TrimSpace(fmt.Sprint(s)) },
	"inc":   func(i int) int { return i + 1 },
	"default": func(v any, d string) any {
		if v == nil {
			return d
		}
		return v
	},
	"join": func(l []any, sep string) string {
		s := make([]string, len(l))
		for i, v := range l {
			s[i] = fmt.Sprint(v)
		}
		return strings.Join(s, sep)
	},
}

func peerParse(tb testing.TB, files MapLoader) *template.Template {
	t := template.New("").Funcs(peerFuncs)
	for name, text := range files {
		if _, err := t.New(name).Parse(strings.TrimSuffix(text, "\n")); err != nil {
			tb.Fatal(err)
		}
	}
	return t
}

func wholeNumbers(v any) any {
	switch v := v.(type) {
	case float64:
		return int(v)
	case []any:
		for i := range v {
			v[i] = wholeNumbers(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = wholeNumbers(v[k])
		}
	}
	return v
}

func BenchmarkPeerTextTemplate(b *testing.B) {
	for _, w := range workloads {
		b.Run(w.name, func(b *testing.B) {
			var ctx any
			if err := json.Unmarshal(workloadJSON(b, w.name), &ctx); err != nil {
				b.Fatal(err)
			}
			ctx = wholeNumbers(ctx)
			t := peerParse(b, workloadFiles(b, w.name, "tmpl"))
			var buf bytes.Buffer
			render := func() {
				buf.Reset()
				if err := t.ExecuteTemplate(&buf, w.name+".tmpl", ctx); err != nil {
					b.Fatal(err)
				}
			}
			render()
			checkSum(b, buf.Bytes(), w.sum)
			b.ReportAllocs()
			for b.Loop() {
				render()
			}
		})
	}
}

func BenchmarkPeerTextTemplateParse(b *testing.B) {
	for _, w := range workloads {
		b.Run(w.name, func(b *testing.B) {
			files := workloadFiles(b, w.name, "tmpl")
			b.ReportAllocs()
			for b.Loop() {
				peerParse(b, files)
			}
		})
	}
}

func TestWorkloads(t *testing.T) {
	for _, w := range workloads {
		tmpl, ctx := loadWorkload(t, w.name, Options{})
		o, err := tmpl.Render(ctx)
		if err != nil {
			t.Fatal(err)
		}
		checkSum(t, o.Bytes(), w.sum)
		checkTiling(t, o)
	}
}
