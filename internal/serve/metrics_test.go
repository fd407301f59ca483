package serve_test

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
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
