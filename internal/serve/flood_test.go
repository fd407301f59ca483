package serve_test

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/cento-dev/cento/internal/serve"
)

// TestListenerFlood: so many listeners and no more; who is one too many is told when to
// come again, the others hear what happens, and a place that comes free is given away.
func TestListenerFlood(t *testing.T) {
	s := begin(t, nil)
	s.want(http.StatusOK, http.MethodPost, "/v1/sessions", `{"project": "web", "id": "s"}`)
	listen := func() (*bufio.Reader, func()) {
		t.Helper()
		ctx, leave := context.WithCancel(t.Context())
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, s.base+"/v1/events", nil)
		must(t, err)
		r.Header.Set("Authorization", "Bearer "+local)
		res, err := s.client.Do(r)
		must(t, err)
		t.Cleanup(func() { _ = res.Body.Close() })
		if res.StatusCode != http.StatusOK {
			t.Fatalf("a listener: status %d", res.StatusCode)
		}
		return bufio.NewReader(res.Body), leave
	}
	var first *bufio.Reader
	var leave func()
	for i := range serve.MostStreams {
		b, end := listen()
		defer end()
		if i == 0 {
			first, leave = b, end
		}
	}
	if r := s.refuses(http.StatusTooManyRequests, "serve.busy", http.MethodGet, "/v1/events", ""); r.Header.Get("Retry-After") == "" {
		t.Error("nobody is told when to come again")
	}
	s.want(http.StatusOK, http.MethodGet, "/v1/projects", "") // others are answered all the same
	s.want(http.StatusOK, http.MethodPost, "/v1/sessions/web:s/turn", "")
	for {
		line, err := first.ReadString('\n')
		must(t, err)
		if strings.HasPrefix(line, "event: session.transition") {
			break
		}
	}
	leave()
	until(t, "who left is counted for ever", func() bool { return s.metric("cento_event_streams ") != fmt.Sprint(serve.MostStreams) })
	_, end := listen()
	end()
}

// metric is the value on the line that begins with a name.
func (s *service) metric(name string) string {
	s.t.Helper()
	for line := range strings.Lines(s.want(http.StatusOK, http.MethodGet, "/metrics", "").body) {
		if value, ok := strings.CutPrefix(line, name); ok {
			return strings.TrimSpace(value)
		}
	}
	s.t.Fatalf("there is no metric %q", name)
	return ""
}

// TestIdleConnections: connections that say nothing, or begin a request and stop, keep
// nobody else from an answer.
func TestIdleConnections(t *testing.T) {
	s := begin(t, func(c *serve.Config) { c.MaxInFlight = 2 })
	for i := range 400 {
		c, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", strings.TrimPrefix(s.base, "http://"))
		must(t, err)
		defer c.Close()
		if i%2 == 1 {
			_, err = fmt.Fprintf(c, "GET /v1/projects HTTP/1.1\r\nHost: %s\r\nX-", strings.TrimPrefix(s.base, "http://"))
			must(t, err)
		}
	}
	s.want(http.StatusOK, http.MethodGet, "/v1/projects/web/assemble", "")
	s.want(http.StatusOK, http.MethodGet, "/readyz", "")
	if got := s.metric("cento_requests_in_flight "); got != "0" {
		t.Errorf("%s requests are under way", got)
	}
}

// TestListenerThatNeverReads: one who listens and takes nothing is let go once it is too
// far behind; nobody waits for it, and others hear everything.
func TestListenerThatNeverReads(t *testing.T) {
	s := begin(t, nil)
	listen := func() net.Conn {
		t.Helper()
		c, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", strings.TrimPrefix(s.base, "http://"))
		must(t, err)
		t.Cleanup(func() { _ = c.Close() })
		_, err = fmt.Fprintf(c, "GET /v1/events HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n\r\n", strings.TrimPrefix(s.base, "http://"), local)
		must(t, err)
		return c
	}
	listen()
	until(t, "nobody listens", func() bool { return s.server.Listeners() == 1 })
	reads := bufio.NewReaderSize(listen(), 1<<20)
	until(t, "nobody listens beside it", func() bool { return s.server.Listeners() == 2 })
	next := func() {
		t.Helper()
		for {
			line, err := reads.ReadString('\n')
			must(t, err)
			if strings.HasPrefix(line, "event: session.transition") {
				return
			}
		}
	}
	told := 0
	for ; s.server.Listeners() == 2; told++ {
		if told == 5000 {
			t.Fatal("it is told for ever")
		}
		s.server.Tell(64 << 10)
		next() // the other one hears each
	}
	if told < 256 {
		t.Errorf("it is let go after %d events", told)
	}
	s.server.Tell(1)
	next()
	s.want(http.StatusOK, http.MethodGet, "/v1/projects", "")
}
