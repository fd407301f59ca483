//go:build unix

package cli_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/cento-dev/cento/internal/lengthtest"
	"github.com/cento-dev/cento/internal/storetest"
)

// replicas are services on one store, with a balancer before them that asks one after
// the other.
type replicas struct {
	t    *testing.T
	args []string

	mu   sync.Mutex
	all  []*service
	next int
}

func (r *replicas) start() *service { return serveProcess(r.t, r.args...) }

// replace kills one without a word, and starts another one in its place.
func (r *replicas) replace(i int) {
	r.mu.Lock()
	old := r.all[i]
	r.mu.Unlock()
	_ = old.cmd.Process.Kill() // its end is what is waited for
	_ = old.cmd.Wait()
	fresh := r.start()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.all[i] = fresh
}

// ServeHTTP hands a request to one of them, and says 502 where that one isn't there.
func (r *replicas) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	r.mu.Lock()
	r.next++
	base := r.all[r.next%len(r.all)].base
	r.mu.Unlock()
	proxy := httputil.ReverseProxy{
		Rewrite: func(p *httputil.ProxyRequest) {
			p.Out.URL.Scheme, p.Out.URL.Host = "http", strings.TrimPrefix(base, "http://")
			p.Out.Host = p.Out.URL.Host
		},
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(http.StatusBadGateway) },
	}
	proxy.ServeHTTP(w, req)
}

// TestServeReplicas kills replicas under load, again and again: nothing that was
// acknowledged is lost, no session has two futures, and clients that ask again with the
// same key see each transition once. CENTO_LONG goes on for longer.
func TestServeReplicas(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts and kills processes")
	}
	clients, kills := 4, 4
	if lengthtest.Wanted() == lengthtest.Long {
		clients, kills = 16, 150
	}
	const betweenKills = 40 // transitions
	place := storetest.Postgres(t)
	tokens := filepath.Join(t.TempDir(), "tokens")
	cmd := exec.Command(program(t), "serve", "token", "all", "read", "write", "--tokens", tokens)
	cmd.Env = append(os.Environ(), hermetic(t.TempDir())...)
	secret, err := cmd.Output()
	must(t, err)
	r := &replicas{t: t, args: []string{"--store", place, "--tokens", tokens}}
	for range 3 {
		r.all = append(r.all, r.start())
	}
	balancer := httptest.NewServer(r)
	t.Cleanup(balancer.Close)

	// post asks until it is done; what comes back is the version behind it.
	var again atomic.Int64
	post := func(path, body, key string) (version int64, err error) {
		for t.Context().Err() == nil {
			req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, balancer.URL+path, strings.NewReader(body))
			if err != nil {
				return 0, err
			}
			req.Header.Set("Authorization", "Bearer "+strings.TrimSpace(string(secret)))
			req.Header.Set("Content-Type", "application/json")
			req.Header.Set("Idempotency-Key", key)
			res, err := http.DefaultClient.Do(req)
			if err != nil {
				again.Add(1)
				continue
			}
			b, err := io.ReadAll(res.Body)
			_ = res.Body.Close()
			switch {
			case err != nil, res.StatusCode >= 500, res.StatusCode == http.StatusTooManyRequests:
				again.Add(1)
				continue
			case res.StatusCode != http.StatusOK:
				return 0, fmt.Errorf("%s: status %d: %s", path, res.StatusCode, b)
			}
			var done struct{ Version int64 }
			err = json.Unmarshal(b, &done)
			return done.Version, err
		}
		return 0, t.Context().Err()
	}

	var acknowledged atomic.Int64
	tick := make(chan struct{}, 1<<16)
	killed := make(chan struct{})
	going, giveUp := context.WithCancel(t.Context())
	defer giveUp()
	var working sync.WaitGroup
	for c := range clients {
		working.Go(func() {
			id := fmt.Sprintf("web:c%d", c)
			version, err := post("/v1/sessions", fmt.Sprintf(`{"project": "web", "id": "c%d"}`, c), "start")
			if err != nil {
				giveUp()
				t.Error(err)
				return
			}
			for turn := 0; ; turn++ {
				select {
				case <-killed:
					if got, err := post("/v1/sessions/"+id+"/turn", "{}", "last"); err != nil || got != version+1 {
						t.Errorf("%s: at the end version %d, %v; %d was acknowledged", id, got, err, version)
					}
					return
				default:
				}
				for _, what := range []string{"turn", "turn_end"} {
					got, err := post("/v1/sessions/"+id+"/"+what, "{}", what+fmt.Sprint(turn))
					if err != nil || got != version+1 {
						giveUp()
						t.Errorf("%s: %s %d gave version %d, %v; %d was acknowledged", id, what, turn, got, err, version)
						return
					}
					version = got
					acknowledged.Add(1)
					tick <- struct{}{}
				}
			}
		})
	}
	random := rand.New(rand.NewPCG(1, 2))
	working.Go(func() {
		defer close(killed)
		for range kills {
			for range betweenKills {
				select {
				case <-tick:
				case <-going.Done():
					return
				}
			}
			r.replace(random.IntN(len(r.all)))
		}
	})
	working.Wait()
	if n := acknowledged.Load(); n < int64(kills*betweenKills) {
		t.Errorf("%d transitions for %d kills", n, kills)
	}
	t.Logf("%d transitions, %d kills, asked again %d times", acknowledged.Load(), kills, again.Load())
	verify := exec.Command(program(t), "log", "verify", "--store", place)
	verify.Env = append(os.Environ(), hermetic(t.TempDir())...)
	if out, err := verify.CombinedOutput(); err != nil {
		t.Errorf("the records: %v: %s", err, out)
	}
}
