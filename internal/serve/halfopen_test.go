package serve_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
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
	t.Parallel() // most of it is waiting
	s := begin(t, func(c *serve.Config) { c.SetTime(shortTime) })
	whole := fmt.Sprintf(`"bytes":%d,`, s.answered(t, "/openapi.json").Body.Len())
	s.silent(t, strings.Repeat("GET /openapi.json HTTP/1.1\r\nHost: "+strings.TrimPrefix(s.base, "http://")+"\r\n\r\n", 60))
	until(t, "it is kept for ever", func() bool { return s.givenUp("openapi", whole) == 1 })
}

// givenUp is how many answers of an operation went in part; whole is what the log says of
// one that went.
func (s *service) givenUp(op, whole string) (n int) {
	for line := range strings.Lines(s.log.String()) {
		if strings.Contains(line, `"op":"`+op+`"`) && !strings.Contains(line, whole) {
			n++
		}
	}
	return n
}

// TestNeverReads: who asks and takes no answer loses the place among the requests under
// way in time, and the connection.
func TestNeverReads(t *testing.T) {
	long, err := json.Marshal(map[string]string{"system": strings.Repeat("Keep changes small. ", 40_000), "scope": "off", "profile": "off", "skills": "off"})
	must(t, err)
	t.Parallel() // most of it is waiting
	s := begin(t, func(c *serve.Config) {
		c.MaxInFlight = 2
		c.SetTime(shortTime)
		c.Projects = []serve.Project{of("long", project(t, string(long)))}
	})
	const address = "/v1/projects/long/assemble"
	var first *httptest.ResponseRecorder
	until(t, "it takes too long", func() bool { first = s.answered(t, address); return first.Code == http.StatusOK })
	whole := fmt.Sprintf(`"bytes":%d,`, first.Body.Len())
	ask := fmt.Sprintf("GET /v1/projects/long/assemble HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n\r\n", strings.TrimPrefix(s.base, "http://"), local)
	var all []*net.TCPConn
	for range 2 {
		all = append(all, s.silent(t, strings.Repeat(ask, 40))) // more than what is kept on the way
	}
	until(t, "they keep their places for ever", func() bool { return s.givenUp("get-project-assemble", whole) >= 2 })
	until(t, "there is no place", func() bool { return s.answered(t, address).Code == http.StatusOK })
	for _, c := range all {
		if b, err := io.ReadAll(c); err == nil && strings.Count(string(b), "HTTP/1.1 200") == 40 {
			t.Error("all was answered, so the test says nothing")
		}
	}
}
