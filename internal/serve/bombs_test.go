package serve_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/cento-dev/cento/internal/lengthtest"
	"github.com/cento-dev/cento/internal/serve"
)

// TestBombs: no route that takes a body makes much of one that is short and means a lot,
// or that can be read in two ways: it is refused with a code, and the service goes on.
func TestBombs(t *testing.T) {
	s := begin(t, func(c *serve.Config) { c.MaxBody = 1 << 20 })
	s.want(http.StatusOK, http.MethodPost, "/v1/sessions", `{"project": "web", "id": "s"}`)
	before := s.want(http.StatusOK, http.MethodGet, "/v1/sessions/web:s", "").body
	var document struct {
		Paths map[string]map[string]struct {
			ID          string          `json:"operationId"`
			RequestBody json.RawMessage `json:"requestBody"`
		}
	}
	must(t, json.Unmarshal([]byte(s.want(http.StatusOK, http.MethodGet, "/openapi.json", "").body), &document))
	names := strings.NewReplacer("{project}", "web", "{id}", "web:s", "{record}", "web:s@1")
	most := lengthtest.Of(10_000, 10_000, 100_000)
	bombs := map[string]string{
		"deep lists":      strings.Repeat("[", 2*most),
		"deep maps":       strings.Repeat(`{"a":`, most),
		"deep and closed": `{"x": ` + strings.Repeat("[", most/2) + strings.Repeat("]", most/2) + `}`,
		"many keys":       `{` + strings.Repeat(`"a":1,`, most/2) + `"b":1}`,
		"a key twice":     `{"zz": 1, "zz": 2}`,
		"a long number":   `{"zz": ` + strings.Repeat("9", 5*most) + `}`,
		"a great number":  `{"zz": 1e999999999}`,
		"half a pair":     `{"zz": "\ud800"}`,
		"no UTF-8":        "{\"zz\": \"\xff\"}",
		"two values":      `{} {}`,
		"a comment":       `{} // x`,
		"nothing in it":   " ",
		"NUL":             "{}\x00",
	}
	asked := 0
	for path, methods := range document.Paths {
		post, ok := methods["post"]
		if !ok || post.RequestBody == nil || post.ID == "mcp" { // whose messages the protocol's own reader reads
			continue
		}
		asked++
		for name, bomb := range bombs {
			r := s.ask(http.MethodPost, names.Replace(path), bomb)
			if r.StatusCode < 400 || r.StatusCode > 422 || r.code() == "" {
				t.Errorf("%s, %s: status %d: %.200s", path, name, r.StatusCode, r.body)
			}
		}
	}
	if asked < 30 {
		t.Errorf("%d routes take a body: the test looks at the wrong place", asked)
	}
	if after := s.want(http.StatusOK, http.MethodGet, "/v1/sessions/web:s", "").body; after != before {
		t.Errorf("the session is another:\n%s\nand was\n%s", after, before)
	}
	if s.metric("cento_panics_total ") != "0" {
		t.Errorf("mistakes: %s", s.metric("cento_panics_total "))
	}
}

// TestSmuggling: what stands in or behind the body of a request that is refused is never
// taken for a request of its own.
func TestSmuggling(t *testing.T) {
	s := begin(t, func(c *serve.Config) { c.MaxBody = 64 })
	address := strings.TrimPrefix(s.base, "http://")
	inner := "GET /v1/projects HTTP/1.1\r\nHost: " + address + "\r\nAuthorization: Bearer " + local + "\r\n\r\n"
	head := func(host, token, kind string) string {
		return "POST /v1/tokens HTTP/1.1\r\nHost: " + host + "\r\nAuthorization: Bearer " + token + "\r\nContent-Type: " + kind + "\r\n"
	}
	length := fmt.Sprintf("Content-Length: %d\r\n\r\n", len(inner))
	chunk := fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", len(inner), inner)
	for name, request := range map[string]string{
		"another host":             head("evil.example.com", local, "application/json") + length + inner,
		"no token":                 head(address, "x", "application/json") + length + inner,
		"another type":             head(address, local, "text/plain") + length + inner,
		"too long":                 head(address, local, "application/json") + length + inner,
		"too long, in chunks":      head(address, local, "application/json") + "Transfer-Encoding: chunked\r\n\r\n" + chunk,
		"a chunk that has a name":  head(address, local, "application/json") + "Transfer-Encoding: chunked\r\n\r\n" + strings.Replace(chunk, "\r\n", ";"+strings.Repeat("x", 20<<10)+"\r\n", 1),
		"a chunk without an end":   head(address, local, "application/json") + "Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n" + inner,
		"a length that is none":    head(address, local, "application/json") + "Content-Length: 0x10\r\n\r\n" + inner,
		"a length with a plus":     head(address, local, "application/json") + "Content-Length: +5\r\n\r\n" + inner,
		"an encoding with a tab":   head(address, local, "application/json") + "Transfer-Encoding:\tchunked, identity\r\n\r\n" + chunk,
		"an encoding twice":        head(address, local, "application/json") + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk,
		"a line end in a header":   head(address, local+"\r\nX-Y: z", "text/plain") + length + inner,
		"a lone line feed":         strings.ReplaceAll(head(address, local, "text/plain"), "\r\n", "\n") + strings.ReplaceAll(length, "\r\n", "\n") + inner,
		"HTTP/1.0 in chunks":       strings.Replace(head(address, local, "application/json"), "HTTP/1.1", "HTTP/1.0", 1) + "Transfer-Encoding: chunked\r\n\r\n" + chunk,
		"a read that has a body":   strings.Replace(head(address, local, "application/json"), "POST /v1/tokens", "GET /v1/nothing", 1) + length + inner,
		"an upgrade to HTTP/2":     "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + inner,
		"a switch of the protocol": head(address, local, "text/plain") + "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\n" + length + inner,
	} {
		if _, all := s.raw(request); strings.Contains(all, `"projects"`) || strings.Contains(all, " 200 ") || strings.Contains(all, " 101 ") {
			t.Errorf("%s: %s", name, all)
		}
	}
	// The same bytes are a request where they stand on their own.
	if _, all := s.raw(strings.Replace(inner, "\r\n\r\n", "\r\nConnection: close\r\n\r\n", 1)); !strings.Contains(all, `"projects"`) {
		t.Errorf("on its own: %s", all)
	}
}

// TestInlineFilesStayInside: files that come with a request have names inside of it, and
// none is read from a disk.
func TestInlineFilesStayInside(t *testing.T) {
	s := begin(t, nil)
	for _, name := range []string{"../x.md", "a/../../x.md", "/etc/passwd", "..", ".", "", "a//b.md", "a/./b.md", "a\\..\\b.md", "C:/x.md", "a\u0000b.md", "~/x.md"} {
		files, err := json.Marshal(map[string]string{name: "SECRET-TEXT", "AGENTS.md": "Be brief."})
		must(t, err)
		r := s.ask(http.MethodPost, "/v1/assemble", `{"manifest": {"system": "Hi."}, "files": `+string(files)+`}`)
		if strings.Contains(r.body, "root:") || r.StatusCode == http.StatusOK && strings.Contains(r.body, "SECRET-TEXT") || r.StatusCode >= 500 {
			t.Errorf("%q: status %d: %.300s", name, r.StatusCode, r.body)
		}
		if r.StatusCode == http.StatusOK && !slices.Contains([]string{"a\\..\\b.md", "~/x.md", "C:/x.md"}, name) { // names like others, here
			t.Errorf("%q is a name of a file: %.200s", name, r.body)
		}
	}
	for _, manifest := range []string{`{"instruction": "../../etc/passwd"}`, `{"instruction": "/etc/passwd"}`, `{"instruction": "$user/x"}`, `{"tools": {"file": "/etc/passwd"}}`, `{"packs": [{"path": "../.."}]}`} {
		if r := s.ask(http.MethodPost, "/v1/assemble", `{"manifest": `+manifest+`}`); r.StatusCode < 400 || r.StatusCode > 422 || strings.Contains(r.body, "root:") {
			t.Errorf("%s: status %d: %.300s", manifest, r.StatusCode, r.body)
		}
	}
}
