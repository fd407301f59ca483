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

	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/serve"
	"github.com/cento-dev/cento/internal/storetest"
)

// TestHosts: a name that anybody may let lead to this machine is none of the service's.
func TestHosts(t *testing.T) {
	s := begin(t, func(c *serve.Config) { c.AllowHosts = []string{"prompts.example.com"} })
	port := s.base[strings.LastIndexByte(s.base, ':'):]
	for host, ok := range map[string]bool{
		"127.0.0.1" + port: true, "localhost" + port: true, "LOCALHOST" + port: true, "localhost." + port: true, "[::1]" + port: true, "prompts.example.com": true, "prompts.example.com:443": true, "Prompts.Example.Com" + port: true,
		"evil.example.com": false, "evil.example.com" + port: false, "127.0.0.1:1": false, "localhost:1": false, "127.0.0.1.nip.io" + port: false, "prompts.example.com.evil.com": false, "10.0.0.1" + port: false, "0.0.0.0" + port: false,
	} {
		r := s.ask(http.MethodGet, "/v1/projects", "", "Host", host)
		if got := r.StatusCode == http.StatusOK; got != ok {
			t.Errorf("host %q: status %d", host, r.StatusCode)
		}
		if !ok && r.code() != string(serve.WrongHost) {
			t.Errorf("host %q: %s", host, r.body)
		}
	}
	// The check comes before all others: nothing is told without it, not even that it is there.
	s.refuses(http.StatusMisdirectedRequest, "request.host", http.MethodGet, "/healthz", "", "Host", "evil.example.com")
}

// TestOtherSites: no page of another site gets an answer, and none may read one.
func TestOtherSites(t *testing.T) {
	s := begin(t, nil)
	for _, h := range [][]string{
		{"Origin", "https://evil.example.com"}, {"Origin", "null"}, {"Origin", "http://127.0.0.1:1"}, {"Origin", "http://"}, {"Origin", "%"},
		{"Sec-Fetch-Site", "cross-site"}, {"Sec-Fetch-Site", "same-site"}, {"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate"},
	} {
		s.refuses(http.StatusForbidden, "request.origin", http.MethodPost, "/v1/tokens", `{"texts": []}`, h...)
		s.refuses(http.StatusForbidden, "request.origin", http.MethodGet, "/v1/projects", "", h...)
	}
	r := s.want(http.StatusOK, http.MethodGet, "/v1/projects", "", "Origin", s.base, "Sec-Fetch-Site", "same-origin")
	for name := range r.Header {
		if strings.HasPrefix(name, "Access-Control-") {
			t.Errorf("the answer lets other sites in: %s", name)
		}
	}
	if csp := r.Header.Get("Content-Security-Policy"); csp != "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'" {
		t.Errorf("policy: %s", csp)
	}
	for name, want := range map[string]string{"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin"} {
		if got := r.Header.Get(name); got != want {
			t.Errorf("%s: %q", name, got)
		}
	}
	// A form can send a body without asking first, but none that says it is JSON.
	for _, kind := range []string{"text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""} {
		s.refuses(http.StatusUnsupportedMediaType, "request.type", http.MethodPost, "/v1/tokens", `{"texts": []}`, "Content-Type", kind)
	}
	s.want(http.StatusOK, http.MethodPost, "/v1/tokens", `{"texts": []}`, "Content-Type", "Application/JSON; charset=utf-8")
}

// TestAddresses: an address leads to one thing, by one name, or nowhere.
func TestAddresses(t *testing.T) {
	s := begin(t, nil)
	for _, path := range []string{"/v1/nothing", "//v1/projects", "/v1//projects", "/v1/projects/", "/v1/projects/../projects", "/v1/projects/%2e%2e/x", "/v1/projects/web/", "/v1/./projects", "/v1/projects/web/nothing", "/nothing", "/.git/config", "/v1/projects/web/../../../etc/passwd"} {
		s.refuses(http.StatusNotFound, "request.not_found", http.MethodGet, path, "")
	}
	for _, name := range []string{"..%2f..%2fetc", "%2e%2e%2fetc", "nothing", "WEB", "web%00", "web%2f..", "%ff", strings.Repeat("x", 2000)} {
		r := s.ask(http.MethodGet, "/v1/projects/"+name, "")
		if r.StatusCode != http.StatusNotFound {
			t.Errorf("project %q: status %d: %s", name, r.StatusCode, r.body)
		}
	}
	r := s.refuses(http.StatusMethodNotAllowed, "request.method", http.MethodDelete, "/v1/projects", "")
	if got := r.Header.Get("Allow"); got != "GET" {
		t.Errorf("Allow: %q", got)
	}
	s.refuses(http.StatusMethodNotAllowed, "request.method", http.MethodGet, "/v1/reduce", "")
	// Who has no token isn't told what there is.
	for _, path := range []string{"/v1/projects", "/v1/projects/web", "/v1/projects/nothing", "/v1/nothing", "/v1/sessions/web:s", "/v1/records/x", "/nothing"} {
		a := s.refuses(http.StatusUnauthorized, "token.unknown", http.MethodGet, path, "", "Authorization", "")
		if a.Header.Get("WWW-Authenticate") == "" {
			t.Errorf("%s: nobody is told what to send", path)
		}
	}
}

// TestHeaders: what can be read in two ways isn't read at all.
func TestHeaders(t *testing.T) {
	s := begin(t, nil)
	address := strings.TrimPrefix(s.base, "http://")
	head := "Host: " + address + "\r\nAuthorization: Bearer " + local + "\r\nContent-Type: application/json\r\n"
	for name, request := range map[string]string{
		"a length and chunks":       "POST /v1/tokens HTTP/1.1\r\n" + head + "Content-Length: 13\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: x\r\n\r\n",
		"two lengths":               "POST /v1/tokens HTTP/1.1\r\n" + head + "Content-Length: 13\r\nContent-Length: 14\r\n\r\n{\"texts\": []}",
		"an unknown encoding":       "POST /v1/tokens HTTP/1.1\r\n" + head + "Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n",
		"a space before the colon":  "POST /v1/tokens HTTP/1.1\r\n" + head + "Content-Length : 13\r\n\r\n{\"texts\": []}",
		"a folded line":             "GET /v1/projects HTTP/1.1\r\n" + head + "X: a\r\n b: c\r\nBad Name: x\r\n\r\n",
		"two hosts":                 "GET /v1/projects HTTP/1.1\r\n" + head + "Host: evil.example.com\r\n\r\n",
		"no host":                   "GET /v1/projects HTTP/1.1\r\nAuthorization: Bearer " + local + "\r\n\r\n",
		"two tokens":                "GET /v1/projects HTTP/1.1\r\n" + head + "Authorization: Bearer x\r\n\r\n",
		"a header of 100 kB":        "GET /v1/projects HTTP/1.1\r\n" + head + "X: " + strings.Repeat("x", 100<<10) + "\r\n\r\n",
		"another host in the line":  "GET http://evil.example.com/v1/projects HTTP/1.1\r\n" + head + "\r\n",
		"a body in another coding":  "POST /v1/tokens HTTP/1.1\r\n" + head + "Content-Encoding: gzip\r\nContent-Length: 13\r\n\r\n{\"texts\": []}",
		"a negative length":         "POST /v1/tokens HTTP/1.1\r\n" + head + "Content-Length: -1\r\n\r\n",
		"a body longer than it was": "POST /v1/tokens HTTP/1.1\r\n" + head + "Content-Length: 13\r\n\r\n{\"texts\": []}GET /healthz HTTP/1.1\r\n\r\n",
	} {
		first, all := s.raw(request)
		if strings.Contains(first, " 200 ") && name != "a length and chunks" && name != "a body longer than it was" {
			t.Errorf("%s: %s", name, first)
		}
		if strings.Count(all, "HTTP/1.1 200") > 1 {
			t.Errorf("%s: two answers that are fine: %s", name, all)
		}
	}
}

// raw sends bytes and reads to the end of what comes back: its first line, and all.
func (s *service) raw(request string) (first, all string) {
	s.t.Helper()
	c, err := (&net.Dialer{}).DialContext(s.t.Context(), "tcp", strings.TrimPrefix(s.base, "http://"))
	must(s.t, err)
	defer c.Close()
	must(s.t, c.SetDeadline(time.Now().Add(10*time.Second)))
	_, _ = io.WriteString(c, request) // the service may have had enough before all is sent
	if t, ok := c.(*net.TCPConn); ok {
		_ = t.CloseWrite() // as above
	}
	b, _ := io.ReadAll(bufio.NewReader(c))
	first, _, _ = strings.Cut(string(b), "\r\n")
	return first, string(b)
}

// TestBusy: who comes when all places are taken and waited for is told when to come
// again; health is asked all the same.
func TestBusy(t *testing.T) {
	s := begin(t, func(c *serve.Config) { c.MaxInFlight = 2 })
	leave := s.server.Fill()
	r := s.refuses(http.StatusTooManyRequests, "serve.busy", http.MethodGet, "/v1/projects", "")
	if r.Header.Get("Retry-After") == "" {
		t.Error("nobody is told when to come again")
	}
	s.want(http.StatusOK, http.MethodGet, "/healthz", "")
	s.refuses(http.StatusUnauthorized, "token.unknown", http.MethodGet, "/v1/projects", "", "Authorization", "Bearer x")
	leave()
	s.want(http.StatusOK, http.MethodGet, "/v1/projects", "")
}

// TestSignInTakesNoPlace: who has no token keeps nobody from an answer, however many
// begin to sign in and don't go on, and has nothing long taken.
func TestSignInTakesNoPlace(t *testing.T) {
	s := begin(t, func(c *serve.Config) { c.MaxInFlight = 1 })
	address := strings.TrimPrefix(s.base, "http://")
	for range 20 {
		c, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", address)
		must(t, err)
		defer c.Close()
		_, err = fmt.Fprintf(c, "POST /sign-in HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: 40\r\nExpect: 100-continue\r\n\r\n", address)
		must(t, err)
		line, err := bufio.NewReader(c).ReadString('\n')
		must(t, err)
		if !strings.Contains(line, "100 Continue") { // its body is waited for now
			t.Fatalf("the service says %q", line)
		}
	}
	s.want(http.StatusOK, http.MethodGet, "/v1/projects", "")
	leave := s.server.Fill()
	defer leave()
	s.refuses(http.StatusUnauthorized, "signin.code", http.MethodPost, "/sign-in", `{"code": "x"}`, "Authorization", "")
	s.refuses(http.StatusRequestEntityTooLarge, "request.too_large", http.MethodPost, "/sign-in", `{"code": "`+strings.Repeat("x", 2<<10)+`"}`, "Authorization", "")
}

// TestMetricsGoByTheirAddress: no name that anybody may let lead here is one of the
// address for metrics either.
func TestMetricsGoByTheirAddress(t *testing.T) {
	s := begin(t, func(c *serve.Config) { c.MetricsListen, c.AllowHosts = "127.0.0.1:0", []string{"metrics.example.com"} })
	base := s.server.MetricsAddress()
	port := base[strings.LastIndexByte(base, ':'):]
	ask := func(path string, headers ...string) reply {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, base+path, nil)
		must(t, err)
		for i := 0; i < len(headers); i += 2 {
			if r.Header.Set(headers[i], headers[i+1]); headers[i] == "Host" {
				r.Host = headers[i+1]
			}
		}
		return s.send(r)
	}
	for host, ok := range map[string]bool{
		"127.0.0.1" + port: true, "localhost" + port: true, "metrics.example.com": true,
		"evil.example.com": false, "evil.example.com" + port: false, "127.0.0.1:1": false, strings.TrimPrefix(s.base, "http://"): false,
	} {
		for _, path := range []string{"/metrics", "/healthz", "/readyz"} {
			if r := ask(path, "Host", host); (r.StatusCode == http.StatusOK) != ok || !ok && r.code() != "request.host" {
				t.Errorf("%s of %q: %d %s", path, host, r.StatusCode, r.body)
			}
		}
	}
	for _, h := range [][]string{{"Origin", "https://evil.example.com"}, {"Sec-Fetch-Site", "cross-site"}, {"Sec-Fetch-Site", "same-site"}} {
		if r := ask("/metrics", h...); r.code() != "request.origin" {
			t.Errorf("%v: %d %s", h, r.StatusCode, r.body)
		}
	}
}

// TestMistake: a mistake of the program is an answer with the id of the request, a line
// in the log, and one in the metrics; what it was is the log's alone.
func TestMistake(t *testing.T) {
	dir := project(t, webManifest)
	age(t, dir)
	asked := 0
	s := begin(t, func(c *serve.Config) {
		ok := of("web", dir)
		c.Projects = []serve.Project{{Name: "web", Request: func() (r app.Request, err error) {
			if asked++; asked > 1 {
				panic("a secret mistake")
			}
			return ok.Request()
		}}}
	})
	r := s.refuses(http.StatusInternalServerError, "serve.failed", http.MethodGet, "/v1/projects/web", "")
	if strings.Contains(r.body, "secret") || strings.Contains(r.body, ".go") || !strings.Contains(r.body, r.Header.Get("X-Request-Id")) {
		t.Errorf("the client is told %s", r.body)
	}
	if log := s.log.String(); !strings.Contains(log, "a secret mistake") || !strings.Contains(log, r.Header.Get("X-Request-Id")) {
		t.Errorf("the log has no word of it: %s", log)
	}
	if m := s.want(http.StatusOK, http.MethodGet, "/metrics", ""); !strings.Contains(m.body, "cento_panics_total 1\n") {
		t.Error("it isn't counted")
	}
}

// TestDrain: a service that is to end says so, and ends in order.
func TestDrain(t *testing.T) {
	s := begin(t, nil)
	s.want(http.StatusOK, http.MethodGet, "/readyz", "")
	must(t, s.stop())
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.base+"/healthz", nil)
	must(t, err)
	if res, err := s.client.Do(r); err == nil {
		res.Body.Close()
		t.Error("it still answers")
	}
}

// TestSettings: a service that anybody could use, or that can't be, doesn't begin.
func TestSettings(t *testing.T) {
	dir := project(t, webManifest)
	for _, x := range []struct {
		code   string
		change func(*serve.Config)
	}{
		{"serve.open", func(c *serve.Config) { c.Listen = "0.0.0.0:0" }},
		{"serve.open", func(c *serve.Config) { c.Listen = "[::]:0" }},
		{"serve.open", func(c *serve.Config) { c.Local = "" }},
		{"serve.config", func(c *serve.Config) { c.Listen = ":0" }},
		{"serve.config", func(c *serve.Config) { c.Listen = "example.com:80" }},
		{"serve.config", func(c *serve.Config) { c.Projects = nil }},
		{"serve.config", func(c *serve.Config) { c.Projects = []serve.Project{of("a", dir), of("a", dir)} }},
		{"serve.config", func(c *serve.Config) { c.Projects = []serve.Project{of("a:b", dir)} }},
		{"serve.config", func(c *serve.Config) { c.Projects = []serve.Project{of("../x", dir)} }},
		{"serve.config", func(c *serve.Config) { c.AllowHosts = []string{"*"} }},
		{"key.unknown", func(c *serve.Config) { c.Projects = []serve.Project{of("a", project(t, "sytem: x\n"))} }},
	} {
		c := serve.Config{Listen: "127.0.0.1:0", Local: local, Store: storetest.SQLite(t), Projects: []serve.Project{of("web", dir)}}
		x.change(&c)
		if _, err := serve.New(t.Context(), c); err == nil || string(app.Failure(err).Error.Code) != x.code {
			t.Errorf("%s: %v", x.code, err)
		}
	}
}

// TestFences: whatever is answered, a browser is told to do nothing with it but to show it
// to its own page, and nobody keeps it but who may.
func TestFences(t *testing.T) {
	s := begin(t, nil)
	for _, x := range []struct {
		method, path, kept string
		headers            []string
		status             int
	}{
		{http.MethodGet, "/healthz", "no-store", nil, 200},
		{http.MethodGet, "/v1/projects", "private, no-cache", nil, 200},
		{http.MethodPost, "/v1/projects/web/assemble", "no-store", nil, 200},
		{http.MethodGet, "/v1/projects", "no-store", []string{"Authorization", ""}, 401},
		{http.MethodGet, "/v1/nothing", "no-store", nil, 404},
		{http.MethodDelete, "/v1/projects", "no-store", nil, 405},
		{http.MethodGet, "/healthz", "no-store", []string{"Host", "evil.example.com"}, 421},
		{http.MethodGet, "/", "private, no-cache", []string{"Authorization", ""}, 200},
	} {
		r := s.want(x.status, x.method, x.path, "", x.headers...)
		for name, want := range map[string]string{
			"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin", "X-Frame-Options": "DENY", "Cache-Control": x.kept,
			"Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
		} {
			if got := r.Header.Values(name); len(got) != 1 || got[0] != want {
				t.Errorf("%s %s: %s is %q", x.method, x.path, name, got)
			}
		}
		if id := r.Header.Get("X-Request-Id"); len(id) != 24 {
			t.Errorf("%s %s: the request is called %q", x.method, x.path, id)
		}
		if allow := r.Header.Get("Allow"); (allow == "GET") != (x.status == http.StatusMethodNotAllowed) {
			t.Errorf("%s %s: it takes %q", x.method, x.path, allow)
		}
		if challenge := r.Header.Get("WWW-Authenticate"); (challenge == `Bearer realm="cento"`) != (x.status == http.StatusUnauthorized) {
			t.Errorf("%s %s: it asks for %q", x.method, x.path, challenge)
		}
	}
}
