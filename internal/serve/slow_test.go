package serve_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/cento-dev/cento/internal/serve"
	"github.com/cento-dev/cento/internal/storetest"
)

// slowly sends a request with a body of so many bytes, of which it keeps the last ones
// back. It returns when the service has asked for the body.
func (s *service) slowly(t *testing.T, path, body string, keep int) (rest func() *http.Response) {
	t.Helper()
	c, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", strings.TrimPrefix(s.base, "http://"))
	must(t, err)
	t.Cleanup(func() { _ = c.Close() }) // the service may have been first
	_, err = fmt.Fprintf(c, "POST %s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: %d\r\nExpect: 100-continue\r\n\r\n",
		path, strings.TrimPrefix(s.base, "http://"), local, len(body))
	must(t, err)
	from := bufio.NewReader(c)
	for _, want := range []string{"HTTP/1.1 100 Continue\r\n", "\r\n"} {
		line, err := from.ReadString('\n')
		must(t, err)
		if line != want {
			t.Fatalf("the service says %q", line)
		}
	}
	_, err = io.WriteString(c, body[:len(body)-keep])
	must(t, err)
	return func() *http.Response {
		t.Helper()
		_, err := io.WriteString(c, body[len(body)-keep:])
		must(t, err)
		res, err := http.ReadResponse(from, nil)
		must(t, err)
		t.Cleanup(func() { _ = res.Body.Close() })
		return res
	}
}

// TestSlowBodiesTakeNoPlace: however many bodies are on their way, who is there is
// answered; and they are, when they have come.
func TestSlowBodiesTakeNoPlace(t *testing.T) {
	s := begin(t, func(c *serve.Config) { c.MaxInFlight = 1 })
	ask := map[string]string{
		"/v1/tokens":                `{"texts": ["a"]}`,
		"/v1/projects/web/assemble": `{"tools": ["todo"]}`,
		"/v1/sessions":              `{"project": "web", "id": "s%d"}`,
		"/mcp":                      `{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}`,
	}
	var rest []func() *http.Response
	for path, body := range ask {
		for i := range 5 {
			if strings.Contains(body, "%d") {
				rest = append(rest, s.slowly(t, path, fmt.Sprintf(body, i), 3))
				continue
			}
			rest = append(rest, s.slowly(t, path, body, 3))
		}
	}
	if got := s.metric("cento_requests_in_flight "); got != "20" {
		// The one that asks for metrics is none of them.
		t.Errorf("%s requests are under way", got)
	}
	s.want(http.StatusOK, http.MethodGet, "/v1/projects/web/assemble", "")
	s.want(http.StatusOK, http.MethodPost, "/v1/tokens", `{"texts": ["b"]}`)
	for _, end := range rest {
		if res := end(); res.StatusCode != http.StatusOK {
			b, _ := io.ReadAll(res.Body)
			t.Errorf("a body that came late: status %d: %s", res.StatusCode, b)
		}
	}
}

// TestBodiesHaveRoom: bodies on their way hold as much memory as the requests under way
// may have bodies. Who needs more than is left is told when to come again, short ones
// come always, and whoever ends gives the room back.
func TestBodiesHaveRoom(t *testing.T) {
	const most = 1 << 20
	s := begin(t, func(c *serve.Config) { c.MaxInFlight, c.MaxBody = 2, most })
	body := `{"texts": ["` + strings.Repeat("a", most-len(`{"texts": [""]}`)) + `"]}`
	if len(body) != most {
		t.Fatalf("the longest body has %d bytes", len(body))
	}
	rest := []func() *http.Response{s.slowly(t, "/v1/tokens", body, 1), s.slowly(t, "/v1/tokens", body, 1)}
	until(t, "there is room for more", func() bool { return s.server.BodyRoom() < 16<<10 })
	r := s.refuses(http.StatusTooManyRequests, "serve.busy", http.MethodPost, "/v1/tokens", body)
	if r.Header.Get("Retry-After") == "" {
		t.Error("nobody is told when to come again")
	}
	s.want(http.StatusOK, http.MethodPost, "/v1/tokens", `{"texts": ["b"]}`)
	for _, end := range rest {
		if res := end(); res.StatusCode != http.StatusOK {
			t.Errorf("a long body: status %d", res.StatusCode)
		}
		s.want(http.StatusOK, http.MethodPost, "/v1/tokens", body) // one's room is free again
	}
	// A client of MCP is told as others are.
	s.refuses(http.StatusRequestEntityTooLarge, "request.too_large", http.MethodPost, "/mcp", body+" ", "Accept", bothKinds)
	until(t, "room is lost", func() bool { return s.server.BodyRoom() == 2*(most+1) })
}

// unread is a client that takes no answer until it is let.
type unread struct {
	http.ResponseWriter
	sending func()
	taken   chan struct{}
}

func (u unread) Write(b []byte) (int, error) {
	u.sending()
	<-u.taken
	return len(b), nil
}

// TestSlowReadersTakeNoPlace: nor does anybody wait for those who are slow to take their
// answers, as long as there is room for these.
func TestSlowReadersTakeNoPlace(t *testing.T) {
	s := begin(t, func(c *serve.Config) { c.MaxInFlight = 1 })
	unread, end := s.unread(t, 5)
	s.want(http.StatusOK, http.MethodGet, "/v1/projects/web/assemble", "")
	end()
	unread.Wait()

	// Without room an answer keeps the place until it is taken: one waits for it, and who
	// comes then is turned away.
	s = begin(t, func(c *serve.Config) {
		c.MaxInFlight, c.MaxBody = 1, 1000
		c.Projects = []serve.Project{of("web", project(t, `{"system": "`+strings.Repeat("Keep changes small. ", 1000)+`"}`))}
	})
	unread, end = s.unread(t, 1)
	var waits *httptest.ResponseRecorder
	unread.Go(func() { waits = s.answered(t, "/v1/projects/web/explain") })
	until(t, "nobody waits for the place", func() bool { return s.server.Waiting() == 1 })
	s.refuses(http.StatusTooManyRequests, "serve.busy", http.MethodGet, "/v1/projects/web/explain", "")
	end()
	unread.Wait()
	if waits.Code != http.StatusOK {
		t.Errorf("who waited: status %d: %s", waits.Code, waits.Body)
	}
}

// inHand is a request that is handed to the service without a connection, which would have
// times of its own.
func (s *service) inHand(t *testing.T, path string) *http.Request {
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, s.base+path, nil)
	r.Header.Set("Authorization", "Bearer "+s.secret)
	return r
}

// answered is what the service answers to inHand.
func (s *service) answered(t *testing.T, path string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	s.server.Handler().ServeHTTP(w, s.inHand(t, path))
	return w
}

// ready waits until the service says that it is.
func (s *service) ready(t *testing.T) {
	t.Helper()
	until(t, "the store is there, and the service isn't ready", func() bool { return s.answered(t, "/readyz").Code == http.StatusOK })
}

// unread lets clients ask that take no answer; it returns when all answers are on their
// way.
func (s *service) unread(t *testing.T, clients int) (asking *sync.WaitGroup, end func()) {
	t.Helper()
	taken, began := make(chan struct{}), make(chan struct{}, clients)
	asking, end = &sync.WaitGroup{}, sync.OnceFunc(func() { close(taken) })
	t.Cleanup(end)
	for range clients {
		r := s.inHand(t, "/v1/projects/web/assemble")
		asking.Go(func() {
			s.server.Handler().ServeHTTP(unread{httptest.NewRecorder(), sync.OnceFunc(func() { began <- struct{}{} }), taken}, r)
		})
	}
	until(t, "an answer never goes", func() bool { return len(began) == clients })
	return asking, end
}

// TestReadyAsksOnce: however many ask at once whether a store that says nothing is there,
// it is asked once: nobody needs a token for that.
func TestReadyAsksOnce(t *testing.T) {
	t.Parallel() // most of it is waiting
	const askers = 40
	link := storetest.PostgresLink(t)
	s := start(t, link.Place, func(c *serve.Config) { c.SetTime(shortTime) })
	s.ready(t)
	count := func() (n int) {
		t.Helper()
		_, err := fmt.Sscan(s.metric(`cento_store_seconds_count{call="removals",engine="postgres"} `), &n)
		must(t, err)
		return n
	}
	before := count()
	link.Hold()
	var asking sync.WaitGroup
	for range askers {
		asking.Go(func() {
			w := s.answered(t, "/readyz")
			if w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") == "" {
				t.Errorf("a store that says nothing: status %d", w.Code)
			}
		})
	}
	asking.Wait()
	// Who comes when the first have been answered asks anew.
	if n := count() - before; n < 1 || n > askers/4 {
		t.Errorf("the store is asked %d times", n)
	}
	link.Cut()
	link.Heal()
	s.ready(t)
}
