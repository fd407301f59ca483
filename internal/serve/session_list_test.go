package serve_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/serve"
	"github.com/cento-dev/cento/internal/storetest"
)

// narrowed is a service with a token for everything, and one for project api alone, on
// a store.
func narrowed(t *testing.T, place string) (s *service, api string) {
	t.Helper()
	all, line, err := serve.NewToken("all", "read", "write", "render")
	must(t, err)
	api, second, err := serve.NewToken("api", "read@api", "write@api")
	must(t, err)
	tokens := filepath.Join(t.TempDir(), "tokens")
	must(t, os.WriteFile(tokens, []byte(line+"\n"+second+"\n"), 0o600))
	s = start(t, place, func(c *serve.Config) { c.Tokens, c.Local = tokens, "" })
	s.secret = all
	return s, "Bearer " + api
}

// TestSessionList: sessions are listed page by page, whoever asks sees those of their own
// projects, and no name of another.
func TestSessionList(t *testing.T) {
	storetest.OnBoth(t, func(t *testing.T, place string) {
		s, api := narrowed(t, place)
		for i := range 5 {
			s.want(http.StatusOK, http.MethodPost, "/v1/sessions", fmt.Sprintf(`{"project": "web", "id": "s%d"}`, i))
		}
		s.want(http.StatusOK, http.MethodPost, "/v1/sessions", `{"project": "api", "id": "one"}`)
		names := func(path string, headers ...string) (out []string, next string) {
			t.Helper()
			var list serve.SessionsAnswer
			must(t, json.Unmarshal([]byte(s.want(http.StatusOK, http.MethodGet, path, "", headers...).body), &list))
			for _, x := range list.Sessions {
				out = append(out, x.ID)
			}
			return out, list.Next
		}
		if got, next := names("/v1/sessions"); fmt.Sprint(got) != "[web:s0 web:s1 web:s2 web:s3 web:s4 api:one]" || next != "" {
			t.Errorf("all: %s, then %q", got, next)
		}
		var pages []string
		for cursor := ""; ; {
			got, next := names("/v1/sessions?project=web&limit=2" + cursor)
			pages = append(pages, strings.Join(got, " "))
			if cursor = "&cursor=" + next; next == "" {
				break
			}
		}
		if got := strings.Join(pages, ", "); got != "web:s3 web:s4, web:s1 web:s2, web:s0" {
			t.Errorf("pages: %s", got)
		}
		if got, _ := names("/v1/sessions", "Authorization", api); fmt.Sprint(got) != "[api:one]" {
			t.Errorf("with a token for api: %s", got)
		}
		for _, q := range []string{"?project=web", "?parent=web:s1"} {
			if r := s.ask(http.MethodGet, "/v1/sessions"+q, "", "Authorization", api); r.StatusCode != http.StatusNotFound {
				t.Errorf("%s: status %d: %s", q, r.StatusCode, r.body)
			}
		}
		// A session that was forked elsewhere from one of another project doesn't name it.
		sessions, err := app.OpenService(t.Context(), place, app.Begins)
		must(t, err)
		defer sessions.Close()
		forkInto(t, sessions, "web:s1", "api:child")
		for _, path := range []string{"/v1/sessions", "/v1/sessions/api:child", "/v1/sessions/api:child/timeline"} {
			if r := s.want(http.StatusOK, http.MethodGet, path, "", "Authorization", api); strings.Contains(r.body, "web:") {
				t.Errorf("%s names a session of another project: %s", path, r.body)
			}
		}
		if got, _ := names("/v1/sessions?parent=web:s1"); fmt.Sprint(got) != "[api:child]" {
			t.Errorf("children: %s", got)
		}
		for _, q := range []string{"limit=0", "limit=x", "limit=1001", "cursor=x", "nothing=1"} {
			if r := s.ask(http.MethodGet, "/v1/sessions?"+q, ""); r.StatusCode < 400 || r.StatusCode > 422 {
				t.Errorf("%s: status %d: %s", q, r.StatusCode, r.body)
			}
		}
	})
}

// TestSessionDelete: a session goes by its version, with its children where that is
// asked for, and none of a project that the token doesn't reach.
func TestSessionDelete(t *testing.T) {
	storetest.OnBoth(t, func(t *testing.T, place string) {
		s, api := narrowed(t, place)
		for _, body := range []string{`{"project": "web", "id": "s"}`, `{"project": "api", "id": "p"}`, `{"project": "api", "id": "q"}`} {
			s.want(http.StatusOK, http.MethodPost, "/v1/sessions", body)
		}
		s.want(http.StatusOK, http.MethodPost, "/v1/sessions/api:p/fork", `{"child": "c"}`)
		s.want(http.StatusOK, http.MethodPost, "/v1/sessions/api:q/fork", `{"child": "d"}`)
		sessions, err := app.OpenService(t.Context(), place, app.Begins)
		must(t, err)
		defer sessions.Close()
		forkInto(t, sessions, "api:p", "web:theirs")

		s.refuses(http.StatusNotFound, "session.unknown", http.MethodDelete, "/v1/sessions/web:s", "", "Authorization", api)
		s.refuses(http.StatusConflict, "store.conflict", http.MethodDelete, "/v1/sessions/web:s", "", "If-Match", "7")
		s.refuses(http.StatusBadRequest, "request.header", http.MethodDelete, "/v1/sessions/web:s", "", "Idempotency-Key", "k")
		s.refuses(http.StatusBadRequest, "value.invalid", http.MethodDelete, "/v1/sessions/web:s?children=yes", "")
		s.want(http.StatusOK, http.MethodDelete, "/v1/sessions/web:s", "", "If-Match", "2")
		s.refuses(http.StatusNotFound, "session.unknown", http.MethodGet, "/v1/sessions/web:s/prompt", "")
		s.refuses(http.StatusNotFound, "session.unknown", http.MethodDelete, "/v1/sessions/web:s", "")

		for _, path := range []string{"/v1/sessions/api:p", "/v1/sessions/api:p?children=true"} {
			r := s.refuses(http.StatusConflict, "session.has_children", http.MethodDelete, path, "", "Authorization", api)
			if strings.Contains(r.body, "theirs") {
				t.Errorf("it names a session of another project: %s", r.body)
			}
		}
		s.want(http.StatusOK, http.MethodGet, "/v1/sessions/web:theirs", "")
		r := s.want(http.StatusOK, http.MethodDelete, "/v1/sessions/api:q?children=true", "", "Authorization", api)
		if !strings.Contains(r.body, "api:d") {
			t.Errorf("deleted: %s", r.body)
		}
		if r := s.want(http.StatusOK, http.MethodDelete, "/v1/sessions/api:p?children=true", ""); !strings.Contains(r.body, "web:theirs") {
			t.Errorf("deleted: %s", r.body)
		}
	})
}

// TestSessionUsage: what a provider billed is kept once, and counted.
func TestSessionUsage(t *testing.T) {
	s := begin(t, nil)
	s.want(http.StatusOK, http.MethodPost, "/v1/sessions", `{"project": "web", "id": "s"}`)
	const usage = "/v1/sessions/web:s/usage"
	const billed = `{"turn": 0, "usage": {"input_tokens": 100, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 300, "output_tokens": 5}}`
	s.refuses(http.StatusUnprocessableEntity, "session.settings", http.MethodPost, usage, billed)
	s.want(http.StatusOK, http.MethodPost, "/v1/sessions/web:s/turn", "")
	r := s.want(http.StatusOK, http.MethodPost, usage, billed, "Idempotency-Key", "u")
	if !strings.Contains(r.body, `"read": 300`) || !strings.Contains(r.body, `"input": 400`) {
		t.Errorf("billed: %s", r.body)
	}
	s.want(http.StatusOK, http.MethodPost, usage, billed, "Idempotency-Key", "u")
	m := s.want(http.StatusOK, http.MethodGet, "/metrics", "").body
	for _, line := range []string{"cento_cache_prefix_ratio_sum 0.75\n", "cento_cache_prefix_ratio_count 1\n", "cento_sessions_open 1\n"} {
		if !strings.Contains(m, line) {
			t.Errorf("the metrics lack %q", line)
		}
	}
	s.refuses(http.StatusBadRequest, "key.missing", http.MethodPost, usage, `{"turn": 0}`)
	for _, body := range []string{`{"turn": 0, "usage": {}}`, `{"turn": 0, "usage": {"input_tokens": -1}}`, `{"turn": 0, "usage": 3}`, `{"turn": -1, "usage": {"input_tokens": 1}}`, `{"turn": 0, "request": -1, "usage": {"input_tokens": 1}}`, `{"turn": 0, "request": 0, "usage": {"input_tokens": 1}}`} {
		if r := s.ask(http.MethodPost, usage, body); r.StatusCode < 400 || r.StatusCode > 422 {
			t.Errorf("%s: status %d: %s", body, r.StatusCode, r.body)
		}
	}
}

const scopedManifest = `system: You are brief.
tools: [{name: todo, guidance: Keep the list.}]
profile: off
skills: off
scope: {allow: [{target: src, permission: write}]}
`

// TestSessionDrift: files that changed are told, with what a what-if changes; the rules
// that a prompt tells are kept with it.
func TestSessionDrift(t *testing.T) {
	dir := project(t, scopedManifest)
	must(t, os.Mkdir(filepath.Join(dir, "src"), 0o700))
	must(t, os.Mkdir(filepath.Join(dir, "lib"), 0o700)) // before: one change gives one event
	s := begin(t, func(c *serve.Config) { c.Projects = []serve.Project{of("web", dir)} })
	events := s.listen("/v1/events?project=web")
	s.want(http.StatusOK, http.MethodPost, "/v1/sessions", `{"project": "web", "id": "s"}`)
	rules := func() string {
		var shown struct{ Scope json.RawMessage }
		must(t, json.Unmarshal([]byte(s.want(http.StatusOK, http.MethodGet, "/v1/sessions/web:s", "").body), &shown))
		return string(shown.Scope)
	}
	if got := rules(); !strings.Contains(got, "src") {
		t.Errorf("the rules of its prompt aren't kept: %s", got)
	}
	const drift = "/v1/sessions/web:s/drift"
	if r := s.want(http.StatusOK, http.MethodGet, drift, ""); field(t, r.body, "drifted") != false {
		t.Errorf("nothing changed: %s", r.body)
	}
	if r := s.want(http.StatusOK, http.MethodPost, drift, `{"with": {"without_tools": ["todo"]}}`); field(t, r.body, "drifted") != true {
		t.Errorf("without a tool: %s", r.body)
	}
	changed := filepath.Join(t.TempDir(), "cento.yaml")
	must(t, os.WriteFile(changed, []byte(strings.NewReplacer("brief", "verbose", "target: src", "target: lib").Replace(scopedManifest)), 0o600))
	must(t, os.Rename(changed, filepath.Join(dir, "cento.yaml")))
	events.next(t, "project.changed")
	r := s.want(http.StatusOK, http.MethodGet, drift, "")
	if field(t, r.body, "drifted") != true || !strings.Contains(r.body, `"cento.yaml"`) {
		t.Errorf("a file changed: %s", r.body)
	}
	s.want(http.StatusOK, http.MethodPost, "/v1/sessions/web:s/rematerialise", "")
	if got := rules(); !strings.Contains(got, "lib") || strings.Contains(got, "src") {
		t.Errorf("the rules of its new prompt aren't kept: %s", got)
	}
	if r := s.want(http.StatusOK, http.MethodGet, drift, ""); field(t, r.body, "drifted") != false {
		t.Errorf("made anew: %s", r.body)
	}
	s.refuses(http.StatusNotFound, "session.unknown", http.MethodGet, "/v1/sessions/web:none/drift", "")
	s.refuses(http.StatusBadRequest, "key.unknown", http.MethodPost, drift, `{"without": {}}`)
}

// TestProjectTest runs the tests of a project, by both methods, and writes nothing.
func TestProjectTest(t *testing.T) {
	dir := project(t, webManifest+`tests:
  - {name: brief, contains: [You are brief.]}
  - {name: wrong, contains: [You are verbose.]}
`)
	s := begin(t, func(c *serve.Config) {
		c.Projects = []serve.Project{of("web", dir), of("none", project(t, webManifest))}
	})
	a := s.want(http.StatusOK, http.MethodPost, "/v1/projects/web/test", `{"run": "wrong|brief", "coverage": true}`)
	b := s.want(http.StatusOK, http.MethodGet, "/v1/projects/web/test?run=wrong%7Cbrief&coverage=true", "")
	if a.body != b.body || field(t, a.body, "ok") != false || !strings.Contains(a.body, "You are verbose.") || !strings.Contains(a.body, `"line": `) || strings.Contains(a.body, dir) {
		t.Errorf("%s\n%s", a.body, b.body)
	}
	if r := s.want(http.StatusOK, http.MethodPost, "/v1/projects/web/test", `{"run": "brief"}`); field(t, r.body, "ok") != true {
		t.Errorf("one of them: %s", r.body)
	}
	// As much as was asked for is part of the answer, whoever asks.
	for body, ok := range map[string]bool{
		`{"run": "brief", "coverage_min": 0}`: true, `{"run": "brief", "coverage_min": 100}`: false, `{"run": "brief", "mutate_min": 99.9}`: false,
		`{"run": "none", "allow_none": true}`: false, // there are tests, and none was run
	} {
		if r := s.want(http.StatusOK, http.MethodPost, "/v1/projects/web/test", body); field(t, r.body, "ok") != ok {
			t.Errorf("%s: %s", body, r.body)
		}
	}
	if r := s.want(http.StatusOK, http.MethodGet, "/v1/projects/web/test?run=brief&coverage_min=99.5", ""); field(t, r.body, "ok") != false || !strings.Contains(r.body, `"min": 99.5`) {
		t.Errorf("in an address: %s", r.body)
	}
	if r := s.want(http.StatusOK, http.MethodPost, "/v1/projects/none/test", `{"allow_none": true}`); field(t, r.body, "ok") != true {
		t.Errorf("no test: %s", r.body)
	}
	if r := s.want(http.StatusOK, http.MethodPost, "/v1/projects/none/test", "{}"); field(t, r.body, "ok") != false {
		t.Errorf("no test: %s", r.body)
	}
	for percent, code := range map[string]string{"-1": "value.invalid", "100.5": "value.invalid", `"99"`: "value.type", "true": "value.type"} {
		s.refuses(http.StatusBadRequest, code, http.MethodPost, "/v1/projects/web/test", `{"coverage_min": `+percent+`}`)
	}
	s.refuses(http.StatusUnprocessableEntity, "value.invalid", http.MethodPost, "/v1/projects/web/test", `{"run": "("}`)
	s.refuses(http.StatusBadRequest, "key.unknown", http.MethodPost, "/v1/projects/web/test", `{"update": true}`)
	s.refuses(http.StatusBadRequest, "key.unknown", http.MethodGet, "/v1/projects/web/test?update=true", "")
	s.refuses(http.StatusNotFound, "project.unknown", http.MethodPost, "/v1/projects/nowhere/test", "")
}

// TestSessionsAreInTheirProject: an id that begins like the name of its project, and not
// with it, is an id as any other.
func TestSessionsAreInTheirProject(t *testing.T) {
	s := begin(t, nil)
	for id, want := range map[string]string{"s": "web:s", "web:t": "web:t", "website": "web:website", "web": "web:web"} {
		s.want(http.StatusOK, http.MethodPost, "/v1/sessions", `{"project": "web", "id": "`+id+`"}`)
		s.want(http.StatusOK, http.MethodGet, "/v1/sessions/"+want, "")
	}
}
