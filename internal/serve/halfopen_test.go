package serve_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/cento-dev/cento/internal/serve"
)

// silent is a connection that has sent so much and reads nothing.
func (s *service) silent(t *testing.T, sent string) *net.TCPConn {
	t.Helper()
	c, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", strings.TrimPrefix(s.base, "http://"))
	must(t, err)
	t.Cleanup(func() { _ = c.Close() }) // the service may have been first
	tcp := c.(*net.TCPConn)
	must(t, tcp.SetReadBuffer(4<<10))
	_, err = io.WriteString(c, sent)
	must(t, err)
	return tcp
}

// TestNeverSends: a connection over which no whole request comes in time is closed,
// whether a byte came or none.
func TestNeverSends(t *testing.T) {
	t.Parallel() // most of it is waiting
	s := begin(t, func(c *serve.Config) { c.SetTime(time.Second) })
	s.want(http.StatusOK, http.MethodGet, "/healthz", "")
	var all []*net.TCPConn
	for i := range 60 {
		all = append(all, s.silent(t, []string{"", "GET /healthz HTTP/1.1\r\n", "POST /v1/tokens HTTP/1.1\r\nHost: " + strings.TrimPrefix(s.base, "http://") + "\r\nAuth"}[i%3]))
	}
	s.want(http.StatusOK, http.MethodGet, "/v1/projects/web/assemble", "")
	for i, c := range all {
		if b, err := io.ReadAll(c); err != nil && !strings.Contains(err.Error(), "reset") || strings.Contains(string(b), " 200 ") {
			t.Errorf("connection %d ends with %q, %v", i, b, err)
		}
	}
}

// TestNeverReadsWhatIsFree: nor does anybody keep a connection by asking for what needs no
// token and taking none of it.
func TestNeverReadsWhatIsFree(t *testing.T) {
	s := begin(t, func(c *serve.Config) { c.SetTime(100 * time.Millisecond) })
	whole := fmt.Sprintf(`"bytes":%d,`, len(s.document()))
	s.silent(t, strings.Repeat("GET /openapi.json HTTP/1.1\r\nHost: "+strings.TrimPrefix(s.base, "http://")+"\r\n\r\n", 60))
	for {
		for line := range strings.Lines(s.log.String()) {
			if strings.Contains(line, `"op":"openapi"`) && !strings.Contains(line, whole) {
				return // it was given up
			}
		}
		if t.Context().Err() != nil {
			t.Fatal("it is kept for ever")
		}
		s.want(http.StatusOK, http.MethodGet, "/healthz", "")
	}
}

// TestNeverReads: who asks and takes no answer loses the place among the requests under
// way in time, and the connection.
func TestNeverReads(t *testing.T) {
	long, err := json.Marshal(map[string]string{"system": strings.Repeat("Keep changes small. ", 40_000), "scope": "off", "profile": "off", "skills": "off"})
	must(t, err)
	s := begin(t, func(c *serve.Config) {
		c.MaxInFlight = 2
		c.SetTime(time.Second)
		c.Projects = []serve.Project{of("long", project(t, string(long)))}
	})
	s.want(http.StatusOK, http.MethodGet, "/v1/projects/long/assemble", "")
	ask := fmt.Sprintf("GET /v1/projects/long/assemble HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n\r\n", strings.TrimPrefix(s.base, "http://"), local)
	var all []*net.TCPConn
	for range 2 {
		all = append(all, s.silent(t, strings.Repeat(ask, 40))) // more than what is kept on the way
	}
	for s.metric("cento_requests_in_flight ") != "2" {
		if t.Context().Err() != nil {
			t.Fatal("their answers never stop")
		}
	}
	for s.metric("cento_requests_in_flight ") != "0" {
		if t.Context().Err() != nil {
			t.Fatal("they keep their places for ever")
		}
	}
	s.want(http.StatusOK, http.MethodGet, "/v1/projects/long/assemble", "")
	for _, c := range all {
		if b, err := io.ReadAll(c); err == nil && strings.Count(string(b), "HTTP/1.1 200") == 40 {
			t.Error("all was answered, so the test says nothing")
		}
	}
}
