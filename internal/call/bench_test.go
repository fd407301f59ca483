package call_test

import (
	"encoding/json"
	"fmt"
	"io"
	"testing"

	"github.com/cento-dev/cento/bench/workload"
	"github.com/cento-dev/cento/internal/call"
)

// BenchmarkReduce answers requests of 350 KB: with the tokens of texts that were never
// counted before, with those of texts that were, which a stream remembers, and without
// any, as "tokens": false asks.
func BenchmarkReduce(b *testing.B) {
	w, err := workload.Make("W2")
	if err != nil {
		b.Fatal(err)
	}
	request := func(i int, tokens bool) []byte {
		var list []map[string]any
		for size := 0; len(list) < len(w.Fragments); {
			f := w.Fragments[len(list)]
			if size += len(f.Body); size > 350_000 {
				break
			}
			list = append(list, map[string]any{"id": f.ID, "body": fmt.Sprint(i, " ", f.Body)})
		}
		text, err := json.Marshal(map[string]any{"fragments": list, "tokens": tokens})
		if err != nil {
			b.Fatal(err)
		}
		return text
	}
	other := make([][]byte, 16) // of more texts together than counts are kept
	for i := range other {
		other[i] = request(i, true)
	}
	for _, c := range []struct {
		name     string
		requests [][]byte
	}{{"counted", other}, {"counted before", other[:1]}, {"not counted", [][]byte{request(0, false)}}} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(c.requests[0])))
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				if _, err := call.Answer(b.Context(), "reduce", c.requests[i%len(c.requests)], call.Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkStream answers W1 reduced, without tokens, as lines of a stream: the same one
// again and again, and others each time, of which there are more than are kept.
func BenchmarkStream(b *testing.B) {
	w, err := workload.Make("W1")
	if err != nil {
		b.Fatal(err)
	}
	lines := make([][]byte, 1024)
	for i := range lines {
		request, err := json.Marshal(map[string]any{"fragments": w.Fragments, "tools": w.Tools, "caps": append(w.Caps, fmt.Sprint("n", i)), "tokens": false})
		if err != nil {
			b.Fatal(err)
		}
		lines[i] = fmt.Appendf(nil, "{\"id\": 1, \"op\": \"reduce\", \"request\": %s}\n", request)
	}
	for _, c := range []struct {
		name  string
		lines [][]byte
	}{{"again", lines[:1]}, {"anew", lines}} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(lines[0])))
			b.ReportAllocs()
			if err := call.Stream(b.Context(), &repeated{lines: c.lines, more: b.Loop}, io.Discard, func() error { return nil }, 1, call.Options{}); err != nil {
				b.Fatal(err)
			}
		})
	}
}

// repeated are lines that are read in turn as long as there is more.
type repeated struct {
	lines [][]byte
	next  int
	rest  []byte
	more  func() bool
}

func (r *repeated) Read(b []byte) (int, error) {
	if len(r.rest) == 0 {
		if !r.more() {
			return 0, io.EOF
		}
		r.rest = r.lines[r.next%len(r.lines)]
		r.next++
	}
	n := copy(b, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}
