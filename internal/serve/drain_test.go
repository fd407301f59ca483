package serve_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/cento-dev/cento/internal/pacetest"
	"github.com/cento-dev/cento/internal/serve"
	"github.com/cento-dev/cento/internal/storetest"
)

// half sends the first half of a request, and waits until the service is busy with it.
func (s *service) half(t *testing.T) net.Conn {
	t.Helper()
	c, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", strings.TrimPrefix(s.base, "http://"))
	must(t, err)
	_, err = fmt.Fprintf(c, "POST /v1/tokens HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: 13\r\n\r\n{\"text", strings.TrimPrefix(s.base, "http://"), local)
	must(t, err)
	until(t, "the request never came", func() bool { return s.metric("cento_requests_in_flight ") == "1" })
	return c
}

// TestDrainUnderWay: what is under way ends in order; who comes meanwhile is told, and so
// is whoever asks whether the service is ready.
func TestDrainUnderWay(t *testing.T) {
	s := begin(t, nil)
	c := s.half(t)
	defer c.Close()
	ended := make(chan error, 1)
	go func() { ended <- s.stop() }()
	until(t, "it never says that it is about to end", func() bool { return s.ask(http.MethodGet, "/readyz", "").StatusCode == http.StatusServiceUnavailable })
	r := s.refuses(http.StatusServiceUnavailable, "serve.draining", http.MethodGet, "/v1/projects", "")
	if r.Header.Get("Retry-After") == "" || !r.Close {
		t.Errorf("who came is told %v", r.Header)
	}
	s.want(http.StatusOK, http.MethodGet, "/healthz", "")
	_, err := io.WriteString(c, `s": []}`)
	must(t, err)
	res, err := http.ReadResponse(bufio.NewReader(c), nil)
	must(t, err)
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		t.Errorf("the request that was under way: status %d", res.StatusCode)
	}
	must(t, <-ended)
}

// TestDrainTime: what doesn't end in time is cut off.
func TestDrainTime(t *testing.T) {
	s := begin(t, func(c *serve.Config) { c.SetDrain(50 * time.Millisecond) })
	c := s.half(t)
	defer c.Close()
	must(t, s.stop())
	if b, err := io.ReadAll(c); err == nil && strings.Contains(string(b), " 200 ") {
		t.Errorf("it was answered: %q", b)
	}
}

// shortTime is what a request may take where a test waits for its end. A slow machine
// needs more for a request that does something, so tests leave those to a service that has
// its usual time, or ask until they are answered.
const shortTime = 300 * time.Millisecond

// TestSilentStore: a store whose server takes connections and says nothing is one that
// can't be reached; nobody waits for it longer than a request may take.
func TestSilentStore(t *testing.T) {
	t.Parallel() // most of it is waiting
	link := storetest.PostgresLink(t)
	s := start(t, link.Place, nil)
	s.want(http.StatusOK, http.MethodPost, "/v1/sessions", `{"project": "web", "id": "s"}`)
	prompt := s.want(http.StatusOK, http.MethodGet, "/v1/sessions/web:s/prompt", "")
	hasty := start(t, link.Place, func(c *serve.Config) { c.SetTime(shortTime) })
	const address = "/v1/sessions/web:s/prompt"
	until(t, "the prompt isn't read", func() bool { return hasty.answered(t, address).Code == http.StatusOK })
	link.Hold()
	turn := hasty.inHand(t, "/v1/sessions/web:s/turn")
	turn.Method = http.MethodPost
	turn.Header.Set("Idempotency-Key", "t")
	for _, asking := range []*http.Request{hasty.inHand(t, "/readyz"), turn} {
		w := httptest.NewRecorder()
		began := time.Now()
		hasty.server.Handler().ServeHTTP(w, asking)
		if w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") == "" {
			t.Errorf("%s: status %d, %v", asking.URL.Path, w.Code, w.Header())
		}
		if took := time.Since(began); took > 10*pacetest.Second() {
			t.Errorf("%s: it is answered after %v", asking.URL.Path, took)
		}
	}
	if w := hasty.answered(t, address); w.Code != http.StatusOK || w.Body.String() != prompt.body {
		t.Errorf("out of memory: status %d: %q", w.Code, w.Body)
	}
	link.Cut()
	link.Heal()
	hasty.ready(t)
	until(t, "no turn is stored", func() bool { // a connection that was cut is seen when it is used
		return s.ask(http.MethodPost, "/v1/sessions/web:s/turn", "", "Idempotency-Key", "t").StatusCode == http.StatusOK
	})
	if r := s.want(http.StatusOK, http.MethodGet, "/v1/sessions/web:s", ""); field(t, r.body, "turn_built") != true {
		t.Errorf("behind it: %s", r.body)
	}
}

// TestSilentStoreKeepsNobody: however many wait for a store that says nothing, who is
// answered out of memory is answered at once, and who comes to the store on top of them is
// told to come again.
func TestSilentStoreKeepsNobody(t *testing.T) {
	link := storetest.PostgresLink(t)
	s := start(t, link.Place, func(c *serve.Config) { c.MaxInFlight = 1 })
	s.want(http.StatusOK, http.MethodPost, "/v1/sessions", `{"project": "web", "id": "s"}`)
	prompt := s.want(http.StatusOK, http.MethodGet, "/v1/sessions/web:s/prompt", "")
	link.Hold()
	const writers = 6 // one at the store, one that waits for it, and no more
	status := make(chan *http.Response, writers)
	for i := range writers {
		go func() {
			r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.base+"/v1/sessions/web:s/turn", nil)
			if err == nil {
				r.Header.Set("Authorization", "Bearer "+local)
				r.Header.Set("Idempotency-Key", fmt.Sprint("turn", i))
				var res *http.Response
				if res, err = s.client.Do(r); err == nil {
					_ = res.Body.Close()
					status <- res
					return
				}
			}
			t.Error(err)
			status <- nil
		}()
	}
	for range writers - 2 {
		if res := <-status; res == nil || res.StatusCode != http.StatusTooManyRequests || res.Header.Get("Retry-After") == "" {
			t.Fatalf("who is one too many at the store: %+v", res)
		}
	}
	until(t, "nobody waits for the store", func() bool { return s.server.WaitingForStore() == 1 })
	for range 3 {
		if r := s.want(http.StatusOK, http.MethodGet, "/v1/sessions/web:s/prompt", ""); r.body != prompt.body {
			t.Errorf("out of memory: %q", r.body)
		}
		s.want(http.StatusOK, http.MethodGet, "/v1/projects/web/assemble?without_tools=todo", "")
		s.want(http.StatusOK, http.MethodPost, "/v1/tokens", `{"texts": ["a"]}`)
		if r := s.want(http.StatusOK, http.MethodPost, "/mcp", `{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "assemble", "arguments": {"project": "web"}}}`, "Accept", bothKinds); !strings.Contains(r.body, "You are brief.") {
			t.Errorf("an MCP client: %s", r.body)
		}
	}
	// What turns to the store only when it knows what is asked for is held to it as well.
	s.refuses(http.StatusTooManyRequests, "serve.busy", http.MethodPost, "/v1/assemble", `{"input": "`+strings.Repeat("0", 64)+`"}`)
	s.refuses(http.StatusTooManyRequests, "serve.busy", http.MethodGet, "/v1/sessions/web:another/prompt", "")
	s.refuses(http.StatusTooManyRequests, "serve.busy", http.MethodGet, "/v1/records", "")
	link.Cut()
	link.Heal()
	for range 2 {
		if res := <-status; res == nil || res.StatusCode != http.StatusServiceUnavailable && res.StatusCode != http.StatusOK {
			t.Errorf("who waited: %+v", res)
		}
	}
	until(t, "the store is there again, and no place is free", func() bool {
		return s.ask(http.MethodPost, "/v1/sessions/web:s/turn", "", "Idempotency-Key", "last").StatusCode == http.StatusOK
	})
	if got := s.metric("cento_requests_in_flight "); got != "0" {
		t.Errorf("%s requests are under way", got)
	}
}
