// Serve measures `cento serve` and `cento call --stream` under load: how many requests a
// second are answered beside a server on net/http that writes the same bytes, how many
// transitions beside what the store takes, how long answers take and how much memory
// they need. Both sides are processes on this machine, asked by the same client in turn.
//
//	go run ./bench/serve
//	go run ./bench/serve -rounds 5 -for 10s
//	go run ./bench/serve -soak 1h
//
// With -soak nothing is compared: a service works for that long, and it is a failure
// when its memory or its goroutines grow, or a request fails.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/cento-dev/cento/bench/workload"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("serve: ")
	var o options
	flag.IntVar(&o.rounds, "rounds", 3, "how often each side is measured; the median counts")
	flag.DurationVar(&o.each, "for", 4*time.Second, "how long each measurement takes")
	flag.DurationVar(&o.flat, "flat", 0, "how long memory is watched while prompts are assembled; 0: for a measurement")
	flag.IntVar(&o.sessions, "sessions", 10_000, "how many sessions are open")
	flag.StringVar(&o.rows, "rows", "", "measure these rows alone, by their names with commas between them: prompt, assemble, turn, open, listen, stream, killed")
	flag.BoolVar(&o.replicas, "replicas", false, "kill replicas under load for minutes as well: the long form of a test")
	soaking := flag.Duration("soak", 0, "let a service work for so long, and watch what it needs")
	flag.Parse()
	dir, err := os.MkdirTemp("", "cento-serve")
	if err != nil {
		log.Fatal(err)
	}
	if *soaking > 0 {
		err = soak(dir, *soaking)
	} else {
		err = o.run(dir)
	}
	if e := os.RemoveAll(dir); err == nil {
		err = e
	}
	if err != nil {
		log.Fatal(err)
	}
}

// options say how much is measured.
type options struct {
	rounds, sessions int
	each, flat       time.Duration
	replicas         bool
	rows             string
	*programs
}

// atOnce is how many connections ask where the table says no number: as many as a
// service answers at once by itself.
var atOnce = 4 * runtime.GOMAXPROCS(0)

func (o *options) run(dir string) (err error) {
	if o.programs, err = build(dir); err != nil {
		return err
	}
	fmt.Println("| what is asked | goal | measured |")
	fmt.Println("|---|---|---|")
	known := map[string]bool{}
	for _, r := range []struct {
		name    string
		measure func() error
	}{
		{"prompt", o.prompt}, {"assemble", o.assemble}, {"turn", o.turn}, {"open", o.open}, {"listen", o.listen}, {"stream", o.stream}, {"killed", o.killed},
	} {
		known[r.name] = true
		if o.rows != "" && !slices.Contains(strings.Split(o.rows, ","), r.name) {
			continue
		}
		if err := r.measure(); err != nil {
			return err
		}
	}
	for name := range strings.SplitSeq(o.rows, ",") {
		if name != "" && !known[name] {
			return fmt.Errorf("there is no row %q", name)
		}
	}
	return nil
}

func row(what, goal, format string, measured ...any) {
	fmt.Printf("| %s | %s | %s |\n", what, goal, fmt.Sprintf(format, measured...))
}

func ms(d time.Duration) string { return fmt.Sprintf("%.2f ms", d.Seconds()*1000) }

// beside loads a service and a bare server that writes the same, in turn.
func (o *options) beside(s *process, same []byte, next func(base, secret string) func(c, n int) []byte) (ours, bare result, err error) {
	b, err := o.bareServer(same)
	if err != nil {
		return ours, bare, err
	}
	defer b.end()
	var all [2][]result
	for round := range o.rounds + 1 {
		for i, p := range []*process{s, b} {
			before := p.used()
			r, err := load(p.base, atOnce, o.each, 0, next(p.base, s.secret))
			if err != nil {
				return ours, bare, err
			}
			r.used = time.Duration(float64(p.used()-before) / (r.rate * o.each.Seconds()))
			if round > 0 { // the first one warms up
				all[i] = append(all[i], r)
			}
		}
	}
	ours, bare = middle(all[0]), middle(all[1])
	if ours.failed > 0 {
		err = fmt.Errorf("%d requests failed: %s", ours.failed, ours.why)
	}
	return ours, bare, err
}

// prompt reads the prompt of a session.
func (o *options) prompt() error {
	s, err := o.service()
	if err != nil {
		return err
	}
	defer s.end()
	if _, err := once(s.base, request("POST", s.base, "/v1/sessions", s.secret, `{"project": "long", "id": "s"}`)); err != nil {
		return err
	}
	ask := func(base, secret string) []byte {
		return request("GET", base, "/v1/sessions/long:s/prompt", secret, "")
	}
	body, err := once(s.base, ask(s.base, s.secret))
	if err != nil || len(body) != 8192 {
		return fmt.Errorf("the prompt has %d bytes: %w", len(body), err)
	}
	ours, bare, err := o.beside(s, body, func(base, secret string) func(int, int) []byte {
		r := ask(base, secret)
		return func(int, int) []byte { return r }
	})
	if err != nil {
		return err
	}
	row("`GET …/prompt` of a session, 8 KiB", "≥ 50 % of bare; p99 ≤ 2 × its p99 + 1 ms", "%.0f/s of %.0f/s: %.0f %%; p99 %s, bare %s; processor time of the server %s, bare %s",
		ours.rate, bare.rate, 100*ours.rate/bare.rate, ms(ours.p99), ms(bare.p99), ms(ours.used), ms(bare.used))
	return nil
}

// assemble makes the prompt of W1 for each set of its tools in turn.
func (o *options) assemble() error {
	s, err := o.service()
	if err != nil {
		return err
	}
	defer s.end()
	w, err := workload.Make("W1")
	if err != nil {
		return err
	}
	requests := func(base, secret string) (out [][]byte) {
		for set := range 1 << len(w.Tools) {
			tools := []string{}
			for i, name := range w.Tools {
				if set>>i&1 == 1 {
					tools = append(tools, name)
				}
			}
			body, _ := json.Marshal(map[string]any{"tools": tools}) // names can be encoded
			out = append(out, request("POST", base, "/v1/projects/web/assemble", secret, string(body)))
		}
		return out
	}
	var answers [][]byte
	for _, r := range requests(s.base, s.secret) {
		body, err := once(s.base, r)
		if err != nil {
			return err
		}
		answers = append(answers, body)
	}
	slices.SortFunc(answers, func(a, b []byte) int { return len(a) - len(b) })
	next := func(base, secret string) func(int, int) []byte {
		all := requests(base, secret)
		return func(c, n int) []byte { return all[(c*37+n)%len(all)] }
	}
	ours, bare, err := o.beside(s, answers[len(answers)/2], next)
	if err != nil {
		return err
	}
	var asked atomic.Int64
	anew, err := load(s.base, atOnce, o.each, 0, func(int, int) []byte {
		body := fmt.Sprintf(`{"tools": ["%s"], "caps": ["bench.n%d"]}`, w.Tools[0], asked.Add(1))
		return request("POST", s.base, "/v1/projects/web/assemble", s.secret, body)
	})
	if err != nil {
		return err
	}
	if anew.failed > 0 {
		return fmt.Errorf("%d requests failed: %s", anew.failed, anew.why)
	}
	before, err := s.number("process_resident_memory_bytes")
	if err != nil {
		return err
	}
	watched := max(o.flat, o.each)
	if _, err := load(s.base, atOnce, watched, 0, next(s.base, s.secret)); err != nil {
		return err
	}
	after, err := s.number("process_resident_memory_bytes")
	if err != nil {
		return err
	}
	row("`POST assemble` with another tool set each time, W1", "≥ 30 % of bare; memory flat over 10 minutes", "%.0f/s of %.0f/s: %.0f %%; p99 %s, bare %s; processor time of the server %s, bare %s; %.0f/s, %.0f %%, with an active set that never came before; %.0f MB, and %.0f MB after %s more",
		ours.rate, bare.rate, 100*ours.rate/bare.rate, ms(ours.p99), ms(bare.p99), ms(ours.used), ms(bare.used), anew.rate, 100*anew.rate/bare.rate, before/1e6, after/1e6, watched)
	return nil
}

// turn begins turns of sessions, one for each connection, beside what the store takes.
func (o *options) turn() error {
	s, err := o.service()
	if err != nil {
		return err
	}
	defer s.end()
	test := filepath.Join(o.dir, "store.test")
	if out, err := exec.Command("go", "test", "-c", "-o", test, "./store").CombinedOutput(); err != nil {
		return fmt.Errorf("building the benchmark of the store: %w\n%s", err, out)
	}
	turns := make([][]byte, atOnce)
	for c := range turns {
		if _, err := once(s.base, request("POST", s.base, "/v1/sessions", s.secret, fmt.Sprintf(`{"project": "web", "id": "s%d"}`, c))); err != nil {
			return err
		}
		turns[c] = request("POST", s.base, fmt.Sprintf("/v1/sessions/web:s%d/turn", c), s.secret, "")
	}
	var ours []result
	var records []float64
	for range o.rounds {
		r, err := load(s.base, atOnce, o.each, 0, func(c, _ int) []byte { return turns[c] })
		if err != nil {
			return err
		}
		ours = append(ours, r)
		cmd := exec.Command(test, "-test.run", "^$", "-test.bench", "^BenchmarkStoreAppend$/^sqlite$", "-test.benchtime", "6000x")
		cmd.Dir = filepath.Join("store")
		out, err := run(context.Background(), cmd)
		if err != nil {
			return err
		}
		n, err := figure(out, "records/s")
		if err != nil {
			return err
		}
		records = append(records, n)
	}
	r := middle(ours)
	if r.failed > 0 {
		return fmt.Errorf("%d turns failed: %s", r.failed, r.why)
	}
	slices.Sort(records)
	store := records[len(records)/2]
	row("`POST turn`, durable", "≥ 50 % of the store's own records/s", "%.0f/s of %.0f/s: %.0f %%; p99 %s", r.rate, store, 100*r.rate/store, ms(r.p99))
	return nil
}

// figure is the number before a unit in what a benchmark prints.
func figure(out, unit string) (float64, error) {
	words := strings.Fields(out)
	if i := slices.Index(words, unit); i > 0 {
		return strconv.ParseFloat(words[i-1], 64)
	}
	return 0, fmt.Errorf("the benchmark tells no %s: %s", unit, out)
}

// open asks about many sessions over many connections: nine prompts are read for each turn
// that begins.
func (o *options) open() error {
	const connections = 200
	s, err := o.service("--max-inflight", strconv.Itoa(connections))
	if err != nil {
		return err
	}
	defer s.end()
	lines := make(chan error, atOnce)
	var opened atomic.Int64
	for range atOnce {
		go func() {
			l, err := dial(s.base)
			for err == nil {
				n := opened.Add(1) - 1
				if n >= int64(o.sessions) {
					_ = l.c.Close() // nothing is under way
					break
				}
				var status int
				var body []byte
				status, body, err = l.ask(request("POST", s.base, "/v1/sessions", s.secret, fmt.Sprintf(`{"project": "web", "id": "s%d"}`, n)), true)
				if err == nil && status != 200 {
					err = fmt.Errorf("beginning session %d: status %d: %s", n, status, body)
				}
			}
			lines <- err
		}()
	}
	for range atOnce {
		if err := <-lines; err != nil {
			return err
		}
	}
	prompts, turns := make([][]byte, o.sessions), make([][]byte, o.sessions)
	for i := range o.sessions {
		prompts[i] = request("GET", s.base, fmt.Sprintf("/v1/sessions/web:s%d/prompt", i), s.secret, "")
		turns[i] = request("POST", s.base, fmt.Sprintf("/v1/sessions/web:s%d/turn", i), s.secret, "")
	}
	next := func(c, n int) []byte {
		at := (n*connections + c) * 7919 % o.sessions
		if (n+c)%10 == 0 {
			return turns[at]
		}
		return prompts[at]
	}
	before := s.used()
	highest, err := load(s.base, connections, o.each, 0, next)
	if err != nil {
		return err
	}
	used := time.Duration(float64(s.used()-before) / (highest.rate * o.each.Seconds()))
	half, err := load(s.base, connections, 2*o.each, highest.rate/2, next)
	if err != nil {
		return err
	}
	memory, err := s.number("process_resident_memory_bytes")
	if err != nil {
		return err
	}
	row(fmt.Sprintf("%d open sessions, %d connections, `--max-inflight %d`; nine prompts for each turn", o.sessions, connections, connections), "no error, p99 ≤ 50 ms at half of the highest rate, ≤ 300 MB",
		"%d errors; highest rate %.0f/s, at half of it p50 %s, p99 %s; %.0f MB; processor time of the server %s", highest.failed+half.failed, highest.rate, ms(half.p50), ms(half.p99), memory/1e6, ms(used))
	if n := highest.failed + half.failed; n > 0 {
		return fmt.Errorf("%d requests failed: %s", n, highest.why+half.why)
	}
	return nil
}

// stream asks one process again and again, and a process for each call.
func (o *options) stream() error {
	w, err := workload.Make("W1")
	if err != nil {
		return err
	}
	request := func(caps ...string) ([]byte, error) {
		return json.Marshal(map[string]any{"fragments": w.Fragments, "tools": w.Tools, "caps": append(caps, w.Caps...), "tokens": false})
	}
	one, err := request()
	if err != nil {
		return err
	}
	const other = "bench.n0000000000"
	another, err := request(other)
	if err != nil {
		return err
	}
	line := func(request []byte) []byte {
		return append(append([]byte(`{"id": 1, "op": "reduce", "request": `), request...), "}\n"...)
	}
	same, differing := line(one), line(another)
	number := differing[bytes.Index(differing, []byte(other))+len(other)-10:][:10]
	env := []string{"HOME=" + o.dir, "PATH=" + os.Getenv("PATH")}
	var streams, anew, calls []float64
	for range o.rounds {
		a, err := o.streamed(env, func(int) []byte { return same })
		if err != nil {
			return err
		}
		b, err := o.streamed(env, func(n int) []byte { copy(number, fmt.Sprintf("%010d", n)); return differing })
		if err != nil {
			return err
		}
		streams, anew = append(streams, a), append(anew, b)
		n := 0
		began := time.Now()
		for ; time.Since(began) < o.each/2; n++ {
			cmd := exec.Command(o.cento, "call", "reduce")
			cmd.Dir, cmd.Env, cmd.Stdin = o.dir, env, strings.NewReader(string(one))
			if _, err := run(context.Background(), cmd); err != nil {
				return err
			}
		}
		calls = append(calls, float64(n)/time.Since(began).Seconds())
	}
	median := func(list []float64) float64 { slices.Sort(list); return list[len(list)/2] }
	a, b, c := median(streams), median(anew), median(calls)
	row("`call --stream`, W1 reduce, one job", "≥ 20,000/s, 100 × a process for each call", "%.0f/s of a request that comes again, %.0f/s of one that never came before: %.0f and %.0f × the %.0f/s of a process for each call", a, b, a/c, b/c, c)
	return nil
}

// streamed is how many lines a second a stream answers.
func (o *options) streamed(env []string, line func(n int) []byte) (float64, error) {
	cmd := exec.Command(o.cento, "call", "--stream", "--jobs", "1")
	cmd.Dir, cmd.Env, cmd.Stderr = o.dir, env, os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return 0, err
	}
	answered := 0
	began := time.Now()
	_, err = start(cmd, func(r *bufio.Reader) error {
		go func() {
			for n := 0; time.Since(began) < o.each; n++ {
				if _, err := in.Write(line(n)); err != nil {
					break // its end is told below
				}
			}
			_ = in.Close() // as above
		}()
		lines := bufio.NewScanner(r)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			if bytes.Contains(lines.Bytes()[:min(40, len(lines.Bytes()))], []byte(`"error"`)) {
				return fmt.Errorf("the answer is %s", lines.Bytes())
			}
			answered++
		}
		return lines.Err()
	})
	if err != nil {
		return 0, err
	}
	rate := float64(answered) / time.Since(began).Seconds()
	return rate, cmd.Wait()
}

// killed kills replicas on one PostgreSQL under load.
func (o *options) killed() error {
	if !o.replicas {
		return nil
	}
	cmd := exec.Command("go", "test", "./internal/cli", "-run", "TestServeReplicas$", "-v", "-count", "1", "-timeout", "60m")
	cmd.Env = append(os.Environ(), "CENTO_LONG=1", "CENTO_REQUIRE_POSTGRES=1")
	began := time.Now()
	out, err := run(context.Background(), cmd)
	if err != nil {
		return err
	}
	told := ""
	for l := range strings.Lines(out) {
		if _, after, ok := strings.Cut(l, ".go:"); ok && strings.Contains(l, "transitions") {
			_, told, _ = strings.Cut(strings.TrimSpace(after), ": ")
		}
	}
	row("three replicas on one PostgreSQL, a random one killed again and again", "nothing acknowledged lost, no fork, each transition once", "holds: %s, in %s", told, time.Since(began).Round(time.Second))
	return nil
}
