package layer_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/call"
	"github.com/cento-dev/cento/internal/lengthtest"
	"github.com/cento-dev/cento/internal/manifest"
)

// fill repeats an item up to a megabyte, the most that one request holds.
func fill(before, item, after string) string {
	var b strings.Builder
	b.WriteString(before)
	for i := 0; b.Len()+len(item)+len(after) < 1<<20-16; i++ {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strings.ReplaceAll(item, "#", fmt.Sprint(i)))
	}
	return b.String() + after
}

// Any request of the largest size is answered or refused within a second, and
// without growing far beyond its own size.
func TestHostileRequestsAreCheap(t *testing.T) {
	lengthtest.NotShort(t, "it measures what hostile requests cost")
	const house = `{"layers":[{"name":"a","layer":{"template":{"sections":[{"title":"T","entries":[{"kind":"slot","slot":"guidance"}]}]}}},`
	guidance := func(item string) string {
		return fill(`{"layers":[{"name":"a","layer":{"slots":{"guidance":{"contributions":[`, item, `]}}}}]}`)
	}
	for name, request := range map[string]string{
		"one title":            guidance(`{"title":"T","content":"x"}`),
		"taken numbers":        guidance(`{"id":"t~#","content":"x"},{"title":"T","content":"x"}`),
		"duplicates":           strings.TrimSuffix(guidance(`{"content":"x"}`), "}") + `,"merge":true}`,
		"unknown slots":        fill(`{"layers":[{"name":"a","layer":{"slots":{`, `"slot#":{"reset":true}`, `}}}]}`),
		"empty layers":         fill(`{"layers":[`, `{"name":"l","layer":{}}`, `]}`),
		"templates":            fill(`{"layers":[`, `{"name":"l","layer":{"template":{"sections":[{"entries":[{"kind":"text","content":"#"}]}]}}}`, `]}`),
		"resets":               fill(`{"layers":[`, `{"name":"l","layer":{"slots":{"guidance":{"reset":true,"contributions":[{"title":"T","content":"x"}]}}}}`, `]}`),
		"resets of what stays": fill(`{"layers":[`, `{"name":"l","layer":{"slots":{"guidance":{"reset":true,"contributions":[{"title":"T","content":"x","protected":true}]}}}}`, `]}`),
		"removals":             fill(`{"layers":[`, `{"name":"l","layer":{"slots":{"guidance":{"remove":["t"],"contributions":[{"title":"T","content":"x"}]}}}}`, `]}`),
		"removals of one among many": fill(`{"layers":[{"name":"a","layer":{"slots":{"guidance":{"contributions":[`+strings.Repeat(`{"title":"T","content":"x"},`, 1<<14)+`{"content":"y"}]}}}},`,
			`{"name":"l","layer":{"slots":{"guidance":{"remove":["t~#"]}}}}`, `]}`),
		"unknown removals":  fill(`{"layers":[{"name":"a","layer":{"slots":{"guidance":{"contributions":[{"id":"key","content":"x"}]}}}},{"name":"b","layer":{"slots":{"guidance":{"remove":[`, `"kez#"`, `]}}}}]}`),
		"places of a slot":  fill(`{"layers":[{"name":"a","layer":{"slots":{"guidance":{"contributions":[{"content":"x"},{"content":"y"}]}},"template":{"sections":[{"entries":[`, `{"kind":"slot","slot":"guidance"}`, `]}]}}}]}`),
		"sections":          fill(`{"layers":[{"name":"a","layer":{"template":{"sections":[`, `{"title":"T","entries":[{"kind":"text","content":"x"}]}`, `]}}}]}`),
		"patches":           fill(house+`{"name":"b","layer":{"patch":[`, `{"op":"insert_section","after":"T","section":{}}`, `]}}]}`),
		"lost patches":      fill(house+`{"name":"b","layer":{"patch":[`, `{"op":"insert_entry","section":"T","after":"guidanc","entry":{"kind":"text","content":"x"}}`, `]}}]}`),
		"patched templates": fill(`{"layers":[`, `{"name":"l","layer":{"template":{"sections":[{"title":"T"}]},"patch":[{"op":"insert_section","after":"X","section":{}}]}}`, `]}`),
		"unknown members":   guidance(`{"x#":1}`),
	} {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			start := time.Now()
			r, err := manifest.ParseLayers("request.json", []byte(request), cento.Limits{})
			if err == nil {
				_, err = call.AnswerLayers(t.Context(), r, builtins(), cento.Options{})
			}
			took := time.Since(start)
			runtime.ReadMemStats(&after)
			message := "answered"
			if err != nil {
				message, _, _ = strings.Cut(err.Error(), "\n")
			}
			t.Logf("%d bytes, %v, %d MiB allocated: %s", len(request), took.Round(time.Millisecond), (after.TotalAlloc-before.TotalAlloc)>>20, message)
			if took > 5*time.Second { // a second on an idle machine
				t.Errorf("it took %v", took)
			}
		})
	}
}
