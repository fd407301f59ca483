package serve_test

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/serve"
	"github.com/cento-dev/cento/internal/storetest"
)

// TestMetrics: what is counted is read by Prometheus' own reader, and no label is
// anything that a request said.
func TestMetrics(t *testing.T) {
	s := begin(t, nil)
	s.ask(http.MethodGet, "/v1/projects/secret-name", "")
	s.ask(http.MethodGet, "/v1/secret-name", "")
	s.ask(http.MethodPost, "/v1/explain", `{"manifest": {"system": "secret-name", "fragments": [{"id": "secret-name", "body": "x"}]}}`)
	s.ask(http.MethodPost, "/v1/sessions", `{"project": "web", "id": "secret-name"}`)
	s.ask(http.MethodPost, "/v1/sessions/web:secret-name/remind", `{"reminder": {"body": "secret-name"}}`)
	r := s.want(http.StatusOK, http.MethodGet, "/metrics", "")
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(bytes.NewReader([]byte(r.body)))
	must(t, err)
	for _, name := range []string{
		"cento_requests_total", "cento_request_seconds", "cento_assemble_seconds", "cento_prompt_tokens", "cento_fragments", "cento_store_seconds", "cento_reminders_total", "cento_sessions_open", "cento_cache_prefix_ratio",
		"cento_requests_in_flight", "cento_event_streams", "cento_panics_total", "go_goroutines",
	} {
		if families[name] == nil {
			t.Errorf("there is no %s", name)
		}
	}
	if strings.Contains(r.body, "secret-name") {
		t.Error("a label is what a request said")
	}
	if log := s.log.String(); strings.Contains(log, "secret-name") {
		t.Error("the log has what a request said")
	}
	n := 0
	for _, f := range families {
		n += len(f.Metric)
	}
	for i := range 50 { // no request makes another series of its own
		s.ask(http.MethodGet, fmt.Sprintf("/v1/sessions/web:x%d", i), "")
		s.ask(http.MethodGet, fmt.Sprintf("/v1/x%d", i), "")
	}
	families, err = parser.TextToMetricFamilies(strings.NewReader(s.want(http.StatusOK, http.MethodGet, "/metrics", "").body))
	must(t, err)
	more := -n
	for _, f := range families {
		more += len(f.Metric)
	}
	if more > 6 {
		t.Errorf("%d series came with requests for names", more)
	}
}

// TestMetricsOfDocs: what operators are told to watch is there.
func TestMetricsOfDocs(t *testing.T) {
	s := begin(t, nil)
	s.want(http.StatusOK, http.MethodPost, "/v1/sessions", `{"project": "web", "id": "s"}`)
	s.want(http.StatusOK, http.MethodPost, "/v1/sessions/web:s/remind", `{"reminder": {"body": "Tests are red."}}`)
	s.want(http.StatusOK, http.MethodGet, "/v1/projects/web/explain?tokens=true", "")
	s.server.CountStoreError()
	told := s.want(http.StatusOK, http.MethodGet, "/metrics", "").body
	named := map[string]bool{}
	for _, file := range []string{"serve.md", "operating.md"} {
		b, err := os.ReadFile(filepath.Join("..", "..", "docs", file))
		must(t, err)
		for _, name := range regexp.MustCompile(`\b(?:cento|process)_[a-z_]+[a-z]`).FindAllString(string(b), -1) {
			named[name] = true
		}
	}
	if len(named) < 15 {
		t.Fatalf("the documents name %d metrics: the test looks at the wrong place", len(named))
	}
	for name := range named {
		family := strings.TrimSuffix(name, "_bucket")
		if !strings.Contains(told, "\n# TYPE "+family+" ") {
			t.Errorf("the documents name %s, which there isn't", name)
		}
	}
}

// TestMetricsAddress: the address for metrics has metrics and health, for whoever reads, and
// nothing else; who asks for that there is refused as elsewhere. It tells what the service is.
func TestMetricsAddress(t *testing.T) {
	place := storetest.SQLite(t)
	s := start(t, place, func(c *serve.Config) { c.MetricsListen = "127.0.0.1:0" })
	ask := func(method, path string) reply {
		r := s.ask(method, path, "", "Authorization", "")
		if r.Header.Get("X-Content-Type-Options") != "nosniff" || !strings.HasPrefix(r.Header.Get("Content-Security-Policy"), "default-src 'none'") {
			t.Errorf("%s %s: the headers %v", method, path, r.Header)
		}
		return r
	}
	s.want(http.StatusOK, http.MethodGet, "/v1/projects", "")
	s.want(http.StatusNotFound, http.MethodGet, "/v1/nothing", "")
	s.base = s.server.MetricsAddress()
	for _, x := range []struct {
		method, path, code string
		status             int
	}{
		{http.MethodGet, "/metrics", "", 200},
		{http.MethodGet, "/healthz", "", 200},
		{http.MethodGet, "/readyz", "", 200},
		{http.MethodPost, "/metrics", "request.method", 405},
		{http.MethodGet, "/", "request.not_found", 404},
		{http.MethodGet, "/v1/projects", "request.not_found", 404},
		{http.MethodGet, "/metrics/", "request.not_found", 404},
	} {
		if r := ask(x.method, x.path); r.StatusCode != x.status || r.code() != x.code {
			t.Errorf("%s %s: %d %s", x.method, x.path, r.StatusCode, r.body)
		}
	}
	told := ask(http.MethodGet, "/metrics").body
	for _, line := range []string{`cento_requests_total{code="200",op="projects"} 1`, `cento_requests_total{code="404",op="none"} 1`, "cento_requests_in_flight 0", "cento_sessions_open 0"} {
		if !strings.Contains(told, line+"\n") {
			t.Errorf("the metrics lack %s: %s", line, told)
		}
	}
	db, err := sql.Open("sqlite", place)
	must(t, err)
	defer db.Close()
	for _, table := range []string{"session", "store"} {
		_, err = db.ExecContext(t.Context(), "ALTER TABLE "+table+" RENAME TO no_"+table)
		must(t, err)
	}
	if r := ask(http.MethodGet, "/readyz"); r.StatusCode < 500 || !strings.HasPrefix(r.code(), "store.") {
		t.Errorf("without a store: %d %s", r.StatusCode, r.body)
	}
	if r := ask(http.MethodGet, "/metrics"); r.StatusCode != http.StatusOK || strings.Contains(r.body, "cento_sessions_open ") || !strings.Contains(r.body, "cento_store_errors_total{") {
		t.Errorf("without a store: %d %s", r.StatusCode, r.body)
	}
}

// TestLevels: the log tells of each request once, loud where the service failed, and low
// where somebody looks whether it is there; with the bytes that went.
func TestLevels(t *testing.T) {
	s := begin(t, func(c *serve.Config) {
		c.Projects = []serve.Project{of("web", project(t, webManifest))}
		ok, asked := c.Projects[0].Request, false
		c.Projects[0].Request = func() (app.Request, error) {
			if asked {
				return app.Request{}, errors.New("the folder moved")
			}
			asked = true
			return ok()
		}
	})
	asked := map[string]string{"/healthz": "DEBUG", "/readyz": "DEBUG", "/metrics": "DEBUG", "/v1/projects": "INFO", "/v1/nothing": "INFO", "/v1/projects/web": "ERROR"}
	for path, level := range asked {
		r := s.ask(http.MethodGet, path, "", "Accept-Encoding", "identity")
		s.log.until(t, r.Header.Get("X-Request-Id"), fmt.Sprintf(`"level":"%s","msg":"request"`, level), fmt.Sprintf(`"status":%d`, r.StatusCode), fmt.Sprintf(`"bytes":%d,`, len(r.body)))
		if n := strings.Count(s.log.String(), `"msg":"request","request":"`+r.Header.Get("X-Request-Id")); n != 1 {
			t.Errorf("%s is told of %d times", path, n)
		}
	}
	if n := strings.Count(s.log.String(), "the folder moved"); n != 1 {
		t.Errorf("a failure is told %d times", n)
	}
}

// TestStoreCalls: each call of the store is counted by what it does, whichever door it came
// by.
func TestStoreCalls(t *testing.T) {
	s := begin(t, nil)
	s.want(http.StatusOK, http.MethodPost, "/v1/sessions", `{"project": "web", "id": "s"}`)
	count := func(call string) string {
		for line := range strings.Lines(s.want(http.StatusOK, http.MethodGet, "/metrics", "").body) {
			if n, ok := strings.CutPrefix(line, `cento_store_seconds_count{call="`+call+`",engine="sqlite"} `); ok {
				return strings.TrimSpace(n)
			}
		}
		return "0"
	}
	var records struct{ Records []struct{ Hash string } }
	must(t, json.Unmarshal([]byte(s.want(http.StatusOK, http.MethodGet, "/v1/records", "").body), &records))
	hash := records.Records[0].Hash
	for _, x := range []struct{ call, method, path, body string }{
		{"records", http.MethodGet, "/v1/records", ""}, {"search", http.MethodGet, "/v1/records?text=brief", ""}, {"record", http.MethodGet, "/v1/records/web:s@1", ""}, {"record_by_hash", http.MethodGet, "/v1/records/" + hash, ""},
		{"replay", http.MethodGet, "/v1/records/web:s@1/replay", ""}, {"diff", http.MethodGet, "/v1/records/diff?a=web:s@1&b=web:s@1", ""}, {"export", http.MethodGet, "/v1/export", ""}, {"input", http.MethodPost, "/v1/assemble", `{"input": "` + hash + `"}`},
		{"search", http.MethodPost, "/mcp", `{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "search_records", "arguments": {"project": "web", "text": "brief"}}}`},
		{"commit", http.MethodPost, "/v1/sessions/web:s/turn", ""},
	} {
		before := count(x.call)
		s.want(http.StatusOK, x.method, x.path, x.body, "Accept", bothKinds)
		if after := count(x.call); after == before {
			t.Errorf("%s %s is no %s: %s and %s", x.method, x.path, x.call, before, after)
		}
	}
}

// TestAssembliesAreCounted: operations that assemble the prompt of a project are timed, and
// no others.
func TestAssembliesAreCounted(t *testing.T) {
	s := begin(t, nil)
	for i, x := range [][2]string{{"/v1/projects/web/explain", "{}"}, {"/v1/assemble", `{"manifest": {"system": "x"}}`}, {"/v1/tokens", `{"texts": ["a"]}`}} {
		s.want(http.StatusOK, http.MethodPost, x[0], x[1])
		if got := s.metric("cento_assemble_seconds_count "); got != fmt.Sprint(min(i+1, 2)) {
			t.Errorf("behind %s: %s", x[0], got)
		}
	}
}
