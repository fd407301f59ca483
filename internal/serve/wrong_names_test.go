package serve_test

import (
	"net/http"
	"path/filepath"
	"testing"

	"github.com/cento-dev/cento/internal/serve"
)

// TestWrongNames: a name that is wrong is told as it was asked, with the nearest of those
// that the token reads, and never one that it doesn't.
func TestWrongNames(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tokens")
	secrets := tokenFile(t, path, map[string]string{"all": "read write", "web": "read@web write@web"})
	s := begin(t, func(c *serve.Config) { c.Tokens, c.Local = path, "" })
	for _, project := range []string{"web", "api"} {
		s.want(http.StatusOK, http.MethodPost, "/v1/sessions", `{"project": "`+project+`", "id": "s1"}`, "Authorization", "Bearer "+secrets["all"])
	}
	const list = "GET /v1/sessions lists those that the token reads"
	for _, c := range []struct{ who, method, path, body, message, hint string }{
		{"all", http.MethodPost, "/v1/projects/wbe/assemble", "{}", `there is no project "wbe"`, `did you mean "web"?`},
		{"all", http.MethodGet, "/v1/projects/apo", "", `there is no project "apo"`, `did you mean "api"?`},
		{"web", http.MethodGet, "/v1/projects/apo", "", `there is no project "apo"`, "GET /v1/projects lists those that the token reaches"},
		{"web", http.MethodGet, "/v1/projects/api", "", `there is no project "api"`, "GET /v1/projects lists those that the token reaches"},
		{"all", http.MethodGet, "/v1/sessions/web:s2", "", `there is no session "web:s2"`, `did you mean "web:s1"?`},
		{"web", http.MethodPost, "/v1/sessions/web:s2/turn", "{}", `there is no session "web:s2"`, `did you mean "web:s1"?`},
		{"all", http.MethodGet, "/v1/sessions/api:s2", "", `there is no session "api:s2"`, `did you mean "api:s1"?`},
		{"web", http.MethodGet, "/v1/sessions/api:s2", "", `there is no session "api:s2"`, list},
		{"web", http.MethodGet, "/v1/sessions/api:s1", "", `there is no session "api:s1"`, list},
		{"web", http.MethodGet, "/v1/sessions/s1", "", `there is no session "s1"`, "an id is PROJECT:NAME; " + list},
		{"web", http.MethodPost, "/v1/projects/web/assmble", "{}", `there is nothing at "/v1/projects/web/assmble"`, `did you mean "/v1/projects/web/assemble"?`},
		{"web", http.MethodPost, "/v1/sessions/web:s1/remnd", "{}", `there is nothing at "/v1/sessions/web:s1/remnd"`, `did you mean "/v1/sessions/web:s1/remind"?`},
		{"web", http.MethodGet, "/v1/projcts/web", "", `there is nothing at "/v1/projcts/web"`, `did you mean "/v1/projects/web"?`},
		{"web", http.MethodGet, "/v1/sessions/web:s1/far/off", "", `there is nothing at "/v1/sessions/web:s1/far/off"`, "GET /openapi.json tells what there is"},
	} {
		r := s.want(http.StatusNotFound, c.method, c.path, c.body, "Authorization", "Bearer "+secrets[c.who])
		if message, hint := field(t, r.body, "message"), field(t, r.body, "hint"); message != c.message || hint != c.hint {
			t.Errorf("%s %s by %s: %q, %q; want %q, %q", c.method, c.path, c.who, message, hint, c.message, c.hint)
		}
	}
}
