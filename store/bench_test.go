package store

import (
	"context"
	"flag"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/lengthtest"
)

var sizeRecords = flag.Int("size.records", 0, "records that TestSize writes; 0: as many as show the bound")

var sizeFresh = flag.Bool("size.fresh", false, "a long text of each prompt is new")

// workload gives prompts of 40 fragments and 32 KiB. From one to the next three
// fragments change: a short one is a line that was never there before, two are
// taken from a few variants. A session has 50 prompts and one fragment of its
// own. With fresh, the line stands at the end of a fragment as long as the
// others, so that one in 40 texts is new in each prompt.
type workload struct {
	words    []string
	bodies   [40]string
	variants [2][20]string
	fresh    bool
}

func newWorkload() *workload {
	r := rand.New(rand.NewSource(1))
	w := &workload{}
	for range 3000 {
		b := make([]byte, 2+r.Intn(8))
		for i := range b {
			b[i] = "etaoinshrdlucmfwypvbgk"[r.Intn(22)]
		}
		w.words = append(w.words, string(b))
	}
	for i := range w.bodies {
		w.bodies[i] = w.text(r, 842)
	}
	for i := range w.variants {
		for j := range w.variants[i] {
			w.variants[i][j] = w.text(r, 842)
		}
	}
	return w
}

func (w *workload) text(r *rand.Rand, size int) string {
	var b strings.Builder
	for n := 0; b.Len() < size; n++ {
		if n > 0 {
			b.WriteByte(" \n"[map[bool]int{true: 1}[n%14 == 0]])
		}
		b.WriteString(w.words[int(float64(len(w.words))*r.Float64()*r.Float64())])
	}
	return b.String()[:size]
}

const sessionLength = 50

func (w *workload) session(n int) string { return fmt.Sprintf("session-%06d", n/sessionLength) }

func (w *workload) draft(t testing.TB, n int) Draft {
	r := rand.New(rand.NewSource(int64(n)))
	in := cento.Input{Fragments: make([]cento.Fragment, len(w.bodies))}
	for i := range in.Fragments {
		body := w.bodies[i]
		switch i {
		case 3:
			body = w.variants[0][r.Intn(20)]
		case 17:
			body = w.variants[1][r.Intn(20)]
		case 25:
			body = body[:700] + "\nSession " + w.session(n) + " of the project " + w.text(rand.New(rand.NewSource(int64(n/sessionLength))), 60)
		case 36:
			if !w.fresh {
				body = ""
			}
			body += fmt.Sprintf("\nTurn %d on branch %s", n, w.text(r, 24))
		}
		in.Fragments[i] = cento.Fragment{
			ID: fmt.Sprintf("fragment.%02d", i), Source: "manifest", Body: body + "\n", Trust: cento.TrustWorkspace,
			Origin: cento.Position{File: "cento.yaml", Line: 10 + 3*i, Column: 5},
		}
	}
	return drafted(t, "turn", in)
}

// fill writes records with 16 writers, each session by one of them in order.
func (w *workload) fill(t testing.TB, s *Store, from, to int) {
	var next atomic.Int64
	next.Store(int64(from / sessionLength))
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() {
			for {
				session := int(next.Add(1) - 1)
				if session*sessionLength >= to {
					return
				}
				for n := max(from, session*sessionLength); n < min(to, (session+1)*sessionLength); n++ {
					if _, err := s.Append(context.Background(), w.session(n), w.draft(t, n)); err != nil {
						t.Error(err)
						return
					}
				}
			}
		})
	}
	all.Wait()
}

// TestSize: records of prompts that change a little take at most two hundredths
// of what the prompts are long, beyond what an empty store takes.
func TestSize(t *testing.T) {
	if raceDetector {
		t.Skip("the size is the same without the race detector")
	}
	if *sizeRecords == 0 {
		lengthtest.OnlyLong(t, "it writes thousands of records: what comes once for each store weighs too much in fewer")
		*sizeRecords = 2_000
	}
	w := newWorkload()
	w.fresh = *sizeFresh
	path := diskPlace(t)
	s := open(t, path, Options{})
	prompt, _ := w.draft(t, 0).Prompt.System()
	if len(prompt) < 32<<10 {
		t.Fatalf("the prompt has %d bytes", len(prompt))
	}
	measure := func() int64 {
		if _, err := s.write.Exec("PRAGMA wal_checkpoint(TRUNCATE)"); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		return info.Size()
	}
	empty := measure()
	half := *sizeRecords / 2
	start := time.Now()
	w.fill(t, s, 0, half)
	first := measure()
	w.fill(t, s, half, *sizeRecords)
	size := measure()
	took := time.Since(start)
	naive := int64(*sizeRecords) * int64(len(prompt))
	perRecord := float64(size-first) / float64(*sizeRecords-half)
	t.Logf("%d records of %d bytes: %d bytes beyond %d, %.2f %% of %d; the second half %.0f bytes a record, so a million %.0f MB, %.2f %%; written in %v, making the prompts included",
		*sizeRecords, len(prompt), size-empty, empty, 100*float64(size-empty)/float64(naive), naive, perRecord,
		(float64(size)+perRecord*float64(1_000_000-*sizeRecords))/1e6, 100*perRecord/float64(len(prompt)), took.Round(time.Millisecond))
	rows, err := s.read.Query("SELECT name, sum(pgsize) FROM dbstat GROUP BY name ORDER BY 2 DESC LIMIT 12")
	if err == nil {
		for rows.Next() {
			var name string
			var n int64
			if err := rows.Scan(&name, &n); err != nil {
				t.Fatal(err)
			}
			t.Logf("%-22s %6.1f bytes a record", name, float64(n)/float64(*sizeRecords))
		}
		rows.Close()
	}
	if float64(size-empty) > 0.02*float64(naive) && !w.fresh {
		t.Errorf("%d bytes are more than 2 %% of %d", size-empty, naive)
	}
}

// BenchmarkStoreAppend writes durable records with 16 writers. The prompts are
// made beforehand: what is measured is the store.
func BenchmarkStoreAppend(b *testing.B) {
	run := func(b *testing.B, place string) {
		s := open(b, place, Options{})
		w := newWorkload()
		const made = 800
		drafts := make([]Draft, made)
		for i := range drafts {
			drafts[i] = w.draft(b, i)
		}
		var next atomic.Int64
		b.ResetTimer()
		var all sync.WaitGroup
		for k := range 16 {
			all.Go(func() {
				for {
					n := int(next.Add(1) - 1)
					if n >= b.N {
						return
					}
					if _, err := s.Append(context.Background(), fmt.Sprintf("writer-%02d", k), drafts[n%made]); err != nil {
						b.Error(err)
						return
					}
				}
			})
		}
		all.Wait()
		b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "records/s")
	}
	b.Run("sqlite", func(b *testing.B) { run(b, diskPlace(b)) })
	b.Run("postgres", func(b *testing.B) { run(b, postgresPlace(b)) })
}

// BenchmarkSearch looks for sentences in 100,000 records. Filling the store
// takes minutes; CENTO_BENCH_STORE names a file that is kept for the next run.
func BenchmarkSearch(b *testing.B) {
	b.Run("100k", func(b *testing.B) {
		path := os.Getenv("CENTO_BENCH_STORE")
		if path == "" {
			path = filepath.Join(b.TempDir(), "cento.db")
		}
		s := open(b, path, Options{})
		w := newWorkload()
		const records = 100_000
		var have int
		if err := s.read.QueryRow("SELECT count(*) FROM record").Scan(&have); err != nil {
			b.Fatal(err)
		}
		w.fill(b, s, have, records)
		sentence := func(n int) string {
			lines := strings.Split(w.draft(b, n).Input.Fragments[36].Body, "\n")
			return lines[len(lines)-2]
		}
		for _, c := range []struct{ name, text string }{
			{"one", sentence(4_321)},
			{"all", strings.Join(strings.Fields(w.bodies[8])[10:22], " ")},
			{"some", strings.Join(strings.Fields(w.variants[0][7])[10:22], " ")},
			{"none", "this sentence was in no prompt at all"},
		} {
			b.Run(c.name, func(b *testing.B) {
				for b.Loop() {
					got, err := s.Search(context.Background(), SearchQuery{Text: c.text})
					if err != nil || (len(got.Matches) == 0) != (c.name == "none") {
						b.Fatalf("%d matches, %v", len(got.Matches), err)
					}
				}
			})
		}
	})
}
