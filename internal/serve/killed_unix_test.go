//go:build unix

package serve_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/cento-dev/cento/internal/lengthtest"
	"github.com/cento-dev/cento/internal/storetest"
)

// transition asks for one until it is done, and counts how often the store was away; what
// comes back is the version behind it.
func (s *service) transition(t *testing.T, away *atomic.Int64, path, body, key string) (version int64, err error) {
	for t.Context().Err() == nil {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.base+path, strings.NewReader(body))
		if err != nil {
			return 0, err
		}
		r.Header.Set("Authorization", "Bearer "+local)
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Idempotency-Key", key)
		res, err := s.client.Do(r)
		if err != nil {
			return 0, err
		}
		b, err := io.ReadAll(res.Body)
		_ = res.Body.Close()
		var done struct {
			Version int64
			Code    string
		}
		if err == nil {
			err = json.Unmarshal(b, &done)
		}
		switch {
		case err != nil:
			return 0, err
		case res.StatusCode == http.StatusOK:
			return done.Version, nil
		case res.StatusCode != http.StatusServiceUnavailable && res.StatusCode != http.StatusTooManyRequests || res.Header.Get("Retry-After") == "":
			return 0, fmt.Errorf("%s: status %d, %v: %s", path, res.StatusCode, res.Header, b)
		}
		away.Add(1)
	}
	return 0, t.Context().Err()
}

// TestKilledStore kills PostgreSQL below a service under load: it isn't ready, answers
// out of memory, refuses what it can't store for now, and goes on when the server is
// back. Nothing that was acknowledged is lost, and clients that ask again with the same
// key see each transition once.
func TestKilledStore(t *testing.T) {
	lengthtest.OnlyLong(t, "it starts and kills a server; store kills one at more places")
	const kills, clients = 20, 8
	server := storetest.PostgresServer(t)
	s := start(t, server.Place, nil)
	s.want(http.StatusOK, http.MethodPost, "/v1/sessions", `{"project": "web", "id": "read"}`)
	prompt := s.want(http.StatusOK, http.MethodGet, "/v1/sessions/web:read/prompt", "")

	var acknowledged, away atomic.Int64
	enough := make(chan struct{})
	var working sync.WaitGroup
	end := sync.OnceFunc(func() { close(enough) })
	defer working.Wait()
	defer end()
	for c := range clients {
		working.Go(func() {
			at := fmt.Sprintf("/v1/sessions/web:c%d", c)
			version, err := s.transition(t, &away, "/v1/sessions", fmt.Sprintf(`{"project": "web", "id": "c%d"}`, c), "start")
			for turn := 0; err == nil; turn++ {
				select {
				case <-enough:
					r := s.want(http.StatusOK, http.MethodGet, at, "")
					if got := int64(field(t, r.body, "version").(float64)); got != version {
						t.Errorf("client %d: %d was acknowledged, and the session is at %d", c, version, got)
					}
					return
				default:
				}
				for _, what := range []string{"turn", "turn_end"} {
					var got int64
					got, err = s.transition(t, &away, at+"/"+what, "{}", fmt.Sprint(what, turn))
					if err == nil && got != version+1 {
						err = fmt.Errorf("%s %d gave version %d behind %d", what, turn, got, version)
					}
					if err != nil {
						break
					}
					version = got
					acknowledged.Add(1)
				}
			}
			t.Errorf("client %d: %v", c, err)
		})
	}
	more := func(than int64) {
		t.Helper()
		for acknowledged.Load() < than+int64(10*clients) {
			if t.Context().Err() != nil || t.Failed() {
				t.Fatal("no transitions are acknowledged")
			}
			s.want(http.StatusOK, http.MethodGet, "/healthz", "")
		}
	}
	for range kills {
		more(acknowledged.Load())
		server.Kill()
		before := away.Load()
		s.want(http.StatusOK, http.MethodGet, "/healthz", "")
		s.refuses(http.StatusServiceUnavailable, "store.unreachable", http.MethodGet, "/readyz", "")
		for away.Load() == before {
			if r := s.want(http.StatusOK, http.MethodGet, "/v1/sessions/web:read/prompt", ""); r.body != prompt.body {
				t.Fatalf("out of memory: %q", r.body)
			}
			s.want(http.StatusOK, http.MethodPost, "/v1/projects/web/assemble", `{"tools": ["todo"]}`)
			if r := s.ask(http.MethodPost, "/v1/sessions/web:read/remind", `{"reminder": {"body": "Never."}}`); r.StatusCode != http.StatusTooManyRequests &&
				(r.StatusCode != http.StatusServiceUnavailable || r.code() != "store.unreachable") || r.Header.Get("Retry-After") == "" {
				t.Fatalf("a change while the store is away: %d, %v: %s", r.StatusCode, r.Header, r.body)
			}
		}
		server.Start()
		until(t, "the store is back, and the service isn't ready", func() bool { return s.ask(http.MethodGet, "/readyz", "").StatusCode == http.StatusOK })
	}
	more(acknowledged.Load())
	end()
	working.Wait()
	if r := s.want(http.StatusOK, http.MethodGet, "/v1/sessions/web:read", ""); strings.Contains(r.body, "Never.") {
		t.Errorf("what was refused is stored: %s", r.body)
	}
	t.Logf("%d transitions, %d kills, asked again %d times", acknowledged.Load(), kills, away.Load())
}
