package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// soak lets a service do all that it does for a while, at a pace that leaves the machine
// half idle, and looks every few seconds at what it needs. What it remembers of values that
// it met fills up to its bounds, which the pace would take hours for, so that is done
// first. Sessions are deleted again, and what the service keeps of them has to go.
func soak(dir string, d time.Duration) error {
	p, err := build(dir)
	if err != nil {
		return err
	}
	s, err := p.service()
	if err != nil {
		return err
	}
	defer s.end()
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	b := &bench{s: s, client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 16}}}
	began := time.Now()
	if err := b.fill(ctx); err != nil {
		return err
	}
	fmt.Printf("%d requests in %s filled what is remembered.\n\n", b.asked.Swap(0), time.Since(began).Round(time.Second))
	var working sync.WaitGroup
	for w := range workers {
		working.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				if err := b.round(ctx, w, n); err != nil && ctx.Err() == nil {
					b.fail(err)
				}
			}
		})
	}
	err = b.watch(ctx, d)
	stop()
	working.Wait()
	return errors.Join(err, b.failed())
}

// workers is how many clients work at once.
const workers = 4

// How many values of a kind fill what the service remembers of them, with some to spare:
// texts and fragments of records, and records (store/write.go, whose bytes 500 records
// fill); counts of tokens (token/cache.go); events (1,000 of them, internal/serve).
const (
	fillTexts   = 1<<15 + 1<<12
	fillRecords = 1<<13 + 1<<10
	fillCounts  = 1<<13 + 1<<10
)

// fill has the service meet more values than it remembers.
func (b *bench) fill(ctx context.Context) error {
	const texts, counts = 512, 1024 // of a request
	values := func(n int, form string) string {
		var all []string
		for range n {
			all = append(all, fmt.Sprintf(form, b.values.Add(1)))
		}
		return strings.Join(all, ", ")
	}
	session := func(id, with string, turns int) error {
		if err := b.ask(ctx, 200, "POST", "/v1/sessions", `{"project": "web", "id": "`+id+`"`+with+`}`); err != nil {
			return err
		}
		at := "/v1/sessions/web:" + id
		for range turns {
			reminder := values(1, `{"reminder": {"body": "Reminder %d.", "ttl_turns": 1}}`)
			if err := errors.Join(b.ask(ctx, 200, "POST", at+"/remind", reminder), b.ask(ctx, 200, "POST", at+"/turn", "{}")); err != nil {
				return err
			}
		}
		return b.ask(ctx, 200, "DELETE", at, "")
	}
	var working sync.WaitGroup
	errs := make([]error, workers)
	for w := range workers {
		working.Go(func() {
			for n := 0; n < fillTexts/workers && errs[w] == nil; n += texts {
				with := values(texts, `{"id": "fill%d", "body": "A text that stands in one prompt."}`)
				errs[w] = session(fmt.Sprintf("texts%d-%d", w, n), `, "with": {"fragments": [`+with+`]}`, 0)
			}
			for n := 0; n < fillCounts/workers && errs[w] == nil; n += counts {
				errs[w] = b.ask(ctx, 200, "POST", "/v1/tokens", `{"texts": [`+values(counts, `"A text that is counted once, of some length, by its number %d."`)+`]}`)
			}
			if errs[w] == nil {
				errs[w] = session(fmt.Sprintf("records%d", w), "", fillRecords/workers)
			}
		})
	}
	working.Wait()
	return errors.Join(errs...)
}

// bench is what works with a service.
type bench struct {
	s      *process
	client *http.Client
	asked  atomic.Int64
	values atomic.Int64 // that were made to fill what is remembered

	mu   sync.Mutex
	errs int
	err  error
}

func (b *bench) fail(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.errs, b.err = b.errs+1, cmp.Or(b.err, err)
}

func (b *bench) failed() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.errs == 0 {
		return nil
	}
	return fmt.Errorf("%d rounds failed, the first with: %w", b.errs, b.err)
}

// ask is a request that has to be answered with a status.
func (b *bench) ask(ctx context.Context, status int, method, path, body string) error {
	r, err := http.NewRequestWithContext(ctx, method, b.s.base+path, strings.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("Authorization", "Bearer "+b.s.secret)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	res, err := b.client.Do(r)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	b.asked.Add(1)
	said, err := io.ReadAll(res.Body)
	if err == nil && res.StatusCode != status {
		err = fmt.Errorf("%s %s: status %d: %.300s", method, path, res.StatusCode, said)
	}
	return err
}

// round is the life of a session, and questions beside it: prompts of other tools, a
// client of MCP, a listener that comes and goes, a request that is refused, a connection
// that says nothing.
func (b *bench) round(ctx context.Context, w, n int) error {
	id := fmt.Sprintf("w%dn%d", w, n)
	at := "/v1/sessions/web:" + id
	listening, leave := context.WithCancel(ctx)
	defer leave()
	if n%10 == 0 {
		r, err := http.NewRequestWithContext(listening, http.MethodGet, b.s.base+"/v1/events?session=web:"+id, nil)
		if err != nil {
			return err
		}
		r.Header.Set("Authorization", "Bearer "+b.s.secret)
		res, err := b.client.Do(r)
		if err != nil {
			return err
		}
		defer res.Body.Close()
		silent, err := dial(b.s.base)
		if err != nil {
			return err
		}
		defer silent.c.Close()
	}
	for _, x := range []struct {
		status             int
		method, path, body string
	}{
		{200, "POST", "/v1/sessions", `{"project": "web", "id": "` + id + `"}`},
		{200, "GET", at + "/prompt", ""},
		{200, "POST", at + "/remind", `{"reminder": {"body": "Tests are red.", "ttl_turns": 2}}`},
		{200, "POST", at + "/turn", "{}"},
		{200, "POST", at + "/turn_end", "{}"},
		{200, "GET", at + "/timeline", ""},
		{200, "POST", "/v1/projects/web/assemble", fmt.Sprintf(`{"tools": ["tool%d"]}`, n%8)},
		{200, "POST", "/v1/projects/web/explain", fmt.Sprintf(`{"tools": ["tool%d"], "vars": {"n": %d}}`, n%8, n)},
		{200, "POST", "/mcp", `{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "assemble", "arguments": {"project": "web"}}}`},
		{200, "POST", "/v1/tokens", `{"texts": ["` + id + `"]}`},
		{404, "GET", "/v1/" + id, ""},
		{422, "POST", "/v1/projects/web/assemble", `{"target": "` + id + `"}`},
		{200, "DELETE", at, ""},
	} {
		if err := b.ask(ctx, x.status, x.method, x.path, x.body); err != nil {
			return err
		}
		select { // the pace
		case <-time.After(10 * time.Millisecond):
		case <-ctx.Done():
		}
	}
	return nil
}

// sight is what a service needed at a time.
type sight struct{ heap, resident, goroutines float64 }

// looks is in how many stretches the time is cut. The first is for what is made once.
const looks = 12

// watch looks at the service until the time is over. Of each stretch the least counts, of
// the heap what the collections found in use.
func (b *bench) watch(ctx context.Context, d time.Duration) error {
	fmt.Println("| minutes | requests | live heap, MB | resident, MB | goroutines |")
	fmt.Println("|---|---|---|---|---|")
	began := time.Now()
	var seen []sight
	for i := range looks {
		var least sight
		for time.Since(began) < d*time.Duration(i+1)/looks {
			select {
			case <-time.After(min(2*time.Second, d/looks/4)):
			case <-ctx.Done():
				return ctx.Err()
			}
			now, err := b.look()
			if err != nil {
				return err
			}
			if least == (sight{}) {
				least = now
			}
			least = sight{min(least.heap, now.heap), min(least.resident, now.resident), min(least.goroutines, now.goroutines)}
		}
		fmt.Printf("| %.1f | %d | %.1f | %.1f | %.0f |\n", time.Since(began).Minutes(), b.asked.Load(), least.heap/1e6, least.resident/1e6, least.goroutines)
		seen = append(seen, least)
	}
	return flat(seen[1:])
}

func (b *bench) look() (out sight, err error) {
	for name, to := range map[string]*float64{"go_gc_heap_live_bytes": &out.heap, "process_resident_memory_bytes": &out.resident, "go_goroutines": &out.goroutines} {
		n, e := b.s.number(name)
		*to, err = n, errors.Join(err, e)
	}
	return out, err
}

// mostGrowth is how much of its mean a figure may grow over the whole time, by the line
// that fits it best, and mostHeap and mostGoroutines how much may be noise.
const (
	mostGrowth     = 0.10
	mostHeap       = 2e6
	mostGoroutines = 3
)

func flat(seen []sight) error {
	var errs []error
	for _, x := range []struct {
		name  string
		of    func(sight) float64
		noise float64
	}{
		{"live heap", func(s sight) float64 { return s.heap }, mostHeap},
		{"goroutines", func(s sight) float64 { return s.goroutines }, mostGoroutines},
	} {
		values := make([]float64, len(seen))
		for i, s := range seen {
			values[i] = x.of(s)
		}
		mean, growth := trend(values)
		fmt.Fprintf(os.Stdout, "\n%s: mean %.4g, growth over the time %+.3g (%+.1f %%)\n", x.name, mean, growth, 100*growth/mean)
		if growth > mostGrowth*mean && growth > x.noise {
			errs = append(errs, fmt.Errorf("%s grow: by %.3g of %.4g", x.name, growth, mean))
		}
	}
	return errors.Join(errs...)
}

// trend is the mean of values and how much the line that fits them best, by least
// squares, rises from the first to the last.
func trend(values []float64) (mean, rise float64) {
	n := float64(len(values))
	for _, v := range values {
		mean += v / n
	}
	var xy, xx float64
	for i, v := range values {
		x := float64(i) - (n-1)/2
		xy, xx = xy+x*(v-mean), xx+x*x
	}
	return mean, xy / xx * (n - 1)
}
