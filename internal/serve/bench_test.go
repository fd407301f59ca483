package serve_test

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/cento-dev/cento/bench/workload"
	"github.com/cento-dev/cento/internal/serve"
)

// BenchmarkAssemble answers POST assemble with another tool set each time, without a
// connection.
func BenchmarkAssemble(b *testing.B) {
	w, err := workload.Make("W1")
	must(b, err)
	tools := []map[string]string{}
	for _, name := range w.Tools {
		tools = append(tools, map[string]string{"name": name})
	}
	manifest, err := json.Marshal(map[string]any{"scope": "off", "profile": "off", "skills": "off", "fragments": w.Fragments, "tools": tools, "caps": w.Caps})
	must(b, err)
	s := begin(b, func(c *serve.Config) {
		c.Log = slog.New(slog.DiscardHandler)
		c.Projects = []serve.Project{of("web", project(b, string(manifest)))}
	})
	var bodies []string
	for set := range 1 << len(w.Tools) {
		active := []string{}
		for i, name := range w.Tools {
			if set>>i&1 == 1 {
				active = append(active, name)
			}
		}
		body, err := json.Marshal(map[string]any{"tools": active})
		must(b, err)
		bodies = append(bodies, string(body))
	}
	handler := s.server.Handler()
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		r := httptest.NewRequest(http.MethodPost, s.base+"/v1/projects/web/assemble", strings.NewReader(bodies[i%len(bodies)]))
		r.Header.Set("Authorization", "Bearer "+local)
		r.Header.Set("Content-Type", "application/json")
		out := httptest.NewRecorder()
		handler.ServeHTTP(out, r)
		if out.Code != http.StatusOK {
			b.Fatalf("status %d: %s", out.Code, out.Body)
		}
	}
}
