package serve_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/cento-dev/cento/internal/serve"
)

// TestBodies: a body that is too long, however it comes, isn't taken, and none makes the
// service do more work than its length.
func TestBodies(t *testing.T) {
	s := begin(t, func(c *serve.Config) { c.MaxBody = 1 << 20 })
	long := `{"texts": ["` + strings.Repeat("x", 2<<20) + `"]}`
	s.refuses(http.StatusRequestEntityTooLarge, "request.too_large", http.MethodPost, "/v1/tokens", long)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.base+"/v1/tokens", io.MultiReader(strings.NewReader(long))) // no length, so it is sent in chunks
	must(t, err)
	r.Header.Set("Authorization", "Bearer "+local)
	r.Header.Set("Content-Type", "application/json")
	if got := s.send(r); got.StatusCode != http.StatusRequestEntityTooLarge || got.code() != "request.too_large" {
		t.Errorf("in chunks: status %d: %s", got.StatusCode, got.body)
	}
	for name, body := range map[string]string{
		"deep lists":   strings.Repeat("[", 200_000),
		"deep maps":    strings.Repeat(`{"a":`, 100_000),
		"twice":        `{"texts": [], "texts": []}`,
		"another case": `{"Texts": []}`,
		"unknown":      `{"texts": [], "tests": 1}`,
		"two values":   `{"texts": []} {"texts": []}`,
		"cut off":      `{"texts": [`,
		"no UTF-8":     "{\"texts\": [\"\xff\"]}",
		"many keys":    `{` + strings.Repeat(`"a":1,`, 50_000) + `"b":1}`,
		"many":         `{"texts": [` + strings.Repeat(`"",`, 300_000) + `""], "x": 1}`,
	} {
		if got := s.ask(http.MethodPost, "/v1/tokens", body); got.StatusCode < 400 || got.StatusCode > 422 {
			t.Errorf("%s: status %d: %.200s", name, got.StatusCode, got.body)
		}
	}
	got := s.refuses(http.StatusBadRequest, "key.unknown", http.MethodPost, "/v1/tokens", `{"texts": [], "tests": 1}`)
	if !strings.Contains(got.body, `"line": 1`) || !strings.Contains(got.body, `"column": 15`) || !strings.Contains(got.body, "texts") {
		t.Errorf("no place, or no hint: %s", got.body)
	}
}

// TestSlowBody: a body that doesn't come is given up, and its client is told.
func TestSlowBody(t *testing.T) {
	// The headers have to come within the same time, and the answer has to go: a machine
	// that is too slow for that hears nothing, and is given more.
	for most := 50 * time.Millisecond; ; most *= 2 {
		answer := slowBody(t, most)
		if answer == "" && most < 5*time.Second {
			continue
		}
		if !strings.HasPrefix(answer, "HTTP/1.1 408 ") || !strings.Contains(answer, `"request.timeout"`) {
			t.Errorf("within %s the service says %q", most, answer)
		}
		return
	}
}

// slowBody is what a service says that bounds requests by a time, to a body that ends
// behind its first byte.
func slowBody(t *testing.T, most time.Duration) string {
	t.Helper()
	s := begin(t, func(c *serve.Config) { c.SetTime(most) })
	c, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", strings.TrimPrefix(s.base, "http://"))
	must(t, err)
	defer c.Close()
	_, err = fmt.Fprintf(c, "POST /v1/tokens HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{", strings.TrimPrefix(s.base, "http://"), local)
	must(t, err)
	must(t, c.SetReadDeadline(time.Now().Add(20*time.Second)))
	b, _ := io.ReadAll(c)
	return string(b)
}

// TestTimeOfAnAnswer: how long an answer may take to go out counts from its own request,
// and not from one before it on the same connection.
func TestTimeOfAnAnswer(t *testing.T) {
	const patience = 5 * time.Second
	for most := 100 * time.Millisecond; ; most *= 2 { // a slow machine takes longer for one answer
		err := answersOnOldConnection(t, most)
		if err == nil {
			return
		}
		if most > patience {
			t.Fatal(err)
		}
		t.Logf("with %v for an answer: %v", most, err)
	}
}

// answersOnOldConnection asks on one connection before and after a time that is more than
// an answer may take.
func answersOnOldConnection(t *testing.T, most time.Duration) error {
	s := begin(t, func(c *serve.Config) { c.SetTime(most) })
	address := strings.TrimPrefix(s.base, "http://")
	c, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", address)
	must(t, err)
	defer c.Close()
	from := bufio.NewReader(c)
	ask := func(path string) error {
		if _, err := fmt.Fprintf(c, "GET %s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n\r\n", path, address, local); err != nil {
			return err
		}
		res, err := http.ReadResponse(from, nil)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		_, err = io.Copy(io.Discard, res.Body)
		return errors.Join(err, res.Body.Close())
	}
	if err := ask("/v1/projects"); err != nil {
		return err
	}
	for began := time.Now(); time.Since(began) < 4*most; { // on other connections
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.base+"/healthz", http.NoBody)
		must(t, err)
		if res, err := http.DefaultClient.Do(r); err == nil {
			must(t, res.Body.Close())
		}
	}
	return errors.Join(ask("/healthz"), ask("/openapi.json"))
}

// TestBodyThatEnds: a body that ends before it said that it would is told so, and its
// connection isn't used again.
func TestBodyThatEnds(t *testing.T) {
	s := begin(t, nil)
	head := "POST /v1/tokens HTTP/1.1\r\nHost: " + strings.TrimPrefix(s.base, "http://") + "\r\nAuthorization: Bearer " + local + "\r\nContent-Type: application/json\r\n"
	for _, rest := range []string{"Content-Length: 100\r\n\r\n{", "Transfer-Encoding: chunked\r\n\r\n5\r\n{", "Transfer-Encoding: chunked\r\n\r\nzz\r\n"} {
		first, all := s.raw(head + rest)
		if first != "HTTP/1.1 400 Bad Request" || !strings.Contains(all, `"request.header"`) || !strings.Contains(all, "\r\nConnection: close\r\n") {
			t.Errorf("%q: %s", rest, all)
		}
	}
}

// TestKindsOfBodies: every transition takes JSON that says so, or nothing at all.
func TestKindsOfBodies(t *testing.T) {
	s := begin(t, nil)
	s.want(http.StatusOK, http.MethodPost, "/v1/sessions", `{"project": "web", "id": "s"}`)
	rows, tried := accesses(), 0
	fill := strings.NewReplacer("{project}", "web", "{id}", "web:s", "{record}", "web:s@1")
	for _, name := range sorted(s.server.Routes()) {
		path, ok := strings.CutPrefix(name, "POST ")
		if !ok || path == "/mcp" {
			continue
		}
		tried++
		for _, kind := range []string{"text/plain", "application/x-www-form-urlencoded", "application/jsonx"} {
			if r := s.ask(http.MethodPost, fill.Replace(path), rows[name].body+" ", "Content-Type", kind); r.StatusCode != http.StatusUnsupportedMediaType || r.code() != "request.type" || field(t, r.body, "hint") == "" {
				t.Errorf("%s, %s: status %d: %s", name, kind, r.StatusCode, r.body)
			}
		}
	}
	if tried < 35 {
		t.Errorf("%d routes take a body", tried)
	}
	s.want(http.StatusOK, http.MethodPost, "/v1/sessions/web:s/turn_end", "{}", "Content-Type", " Application/JSON ; charset=utf-8")
}

// TestBodiesThatAreRefused: the connection of a body that isn't taken isn't used again, however
// little is left of it; neither is that of another host's.
func TestBodiesThatAreRefused(t *testing.T) {
	s := begin(t, func(c *serve.Config) { c.MaxBody = 64 })
	body := `{"texts": ["` + strings.Repeat("x", 64-len(`{"texts": [""]}`)) + `"]}`
	if r := s.want(http.StatusOK, http.MethodPost, "/v1/tokens", body); r.Close {
		t.Error("the connection of the longest body isn't used again")
	}
	r := s.refuses(http.StatusRequestEntityTooLarge, "request.too_large", http.MethodPost, "/v1/tokens", body+" ")
	if !r.Close || !strings.Contains(r.body, "the body has more than 64 bytes") || !strings.Contains(r.body, "--max-body") {
		t.Errorf("one byte more: %v: %s", r.Header, r.body)
	}
	r = s.refuses(http.StatusRequestEntityTooLarge, "request.too_large", http.MethodPost, "/sign-in", `{"code": "`+strings.Repeat("x", 1<<10)+`"}`)
	if !r.Close || !strings.Contains(r.body, "the body is a code alone") {
		t.Errorf("a long code: %v: %s", r.Header, r.body)
	}
	if r := s.refuses(http.StatusMisdirectedRequest, "request.host", http.MethodPost, "/v1/tokens", body, "Host", "evil.example.com"); !r.Close {
		t.Errorf("another host's: %v", r.Header)
	}
}
