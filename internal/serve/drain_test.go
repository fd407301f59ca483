package serve_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

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
	for !strings.Contains(s.want(http.StatusOK, http.MethodGet, "/metrics", "").body, "cento_requests_in_flight 1\n") {
		if t.Context().Err() != nil {
			t.Fatal("the request never came")
		}
	}
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
	for s.ask(http.MethodGet, "/readyz", "").StatusCode != http.StatusServiceUnavailable {
		if t.Context().Err() != nil {
			t.Fatal("it never says that it is about to end")
		}
	}
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

// TestSilentStore: a store whose server takes connections and says nothing is one that
// can't be reached; nobody waits for it longer than a request may take.
func TestSilentStore(t *testing.T) {
	link := storetest.PostgresLink(t)
	s := start(t, link.Place, func(c *serve.Config) { c.SetTime(2 * time.Second) })
	s.want(http.StatusOK, http.MethodPost, "/v1/sessions", `{"project": "web", "id": "s"}`)
	prompt := s.want(http.StatusOK, http.MethodGet, "/v1/sessions/web:s/prompt", "")
	link.Hold()
	s.want(http.StatusServiceUnavailable, http.MethodGet, "/readyz", "")
	if r := s.want(http.StatusServiceUnavailable, http.MethodPost, "/v1/sessions/web:s/turn", "", "Idempotency-Key", "t"); r.Header.Get("Retry-After") == "" {
		t.Error("nobody is told when to come again")
	}
	if r := s.want(http.StatusOK, http.MethodGet, "/v1/sessions/web:s/prompt", ""); r.body != prompt.body {
		t.Errorf("out of memory: %q", r.body)
	}
	link.Cut()
	link.Heal()
	for s.ask(http.MethodGet, "/readyz", "").StatusCode != http.StatusOK {
		if t.Context().Err() != nil {
			t.Fatal("the store is there again, and the service isn't ready")
		}
	}
	s.want(http.StatusOK, http.MethodPost, "/v1/sessions/web:s/turn", "", "Idempotency-Key", "t")
	if r := s.want(http.StatusOK, http.MethodGet, "/v1/sessions/web:s", ""); field(t, r.body, "turn_built") != true {
		t.Errorf("behind it: %s", r.body)
	}
}
