package serve_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/serve"
	"github.com/cento-dev/cento/internal/storetest"
)

// TestMoments: what a turn is told of its moment comes up in its reminders.
func TestMoments(t *testing.T) {
	s := begin(t, func(c *serve.Config) {
		c.Projects = []serve.Project{of("web", project(t, webManifest+"reminders: {placement: turn}\n"))}
	})
	s.want(http.StatusOK, http.MethodPost, "/v1/sessions", `{"project": "web", "id": "s"}`)
	turn := func(body string, says ...string) {
		t.Helper()
		r := s.want(http.StatusOK, http.MethodPost, "/v1/sessions/web:s/turn", body)
		for _, text := range says {
			if text, not := strings.CutPrefix(text, "!"); strings.Contains(r.body, text) == not {
				t.Errorf("%s: %q: %s", body, text, r.body)
			}
		}
	}
	turn(`{"tokens_used": 96, "window": 100, "idle_turns": 4, "truncated": [{"tool": "shell", "kept": 10, "total": 200}], "resumed": true}`,
		"shell", "10 of 200", "This session was resumed", "At least 95 %", "!Several turns went by")
	turn(`{"idle_turns": 4}`, "Several turns went by", "!This session was resumed")
	turn(`{"truncated": [{"tool": "read", "kept": 1, "total": 2}]}`, "read", "1 of 2")
	s.want(http.StatusOK, http.MethodPost, "/v1/sessions/web:s/remind", `{"reminder": {"body": "Tests are red.", "tags": ["ci"], "dedupe_key": "red"}}`)
	s.want(http.StatusOK, http.MethodPost, "/v1/sessions/web:s/remind", `{"reminder": {"body": "Lint fails.", "tags": ["lint"], "dedupe_key": "lint"}}`)
	for _, x := range []struct{ clear, gone, stays string }{{`{"tag": "ci"}`, "Tests are red.", "Lint fails."}, {`{"dedupe_key": "red"}`, "", "Lint fails."}, {`{"dedupe_key": "lint"}`, "Lint fails.", ""}} {
		s.want(http.StatusOK, http.MethodPost, "/v1/sessions/web:s/clear", x.clear)
		r := s.want(http.StatusOK, http.MethodGet, "/v1/sessions/web:s", "")
		if x.gone != "" && strings.Contains(r.body, x.gone) || !strings.Contains(r.body, x.stays) {
			t.Errorf("cleared %s: %s", x.clear, r.body)
		}
	}
}

// TestSessionsOfNoProject: a session that was begun elsewhere and belongs to no project is
// for tokens that reach all of them, and so is what is forked from it.
func TestSessionsOfNoProject(t *testing.T) {
	place := storetest.SQLite(t)
	s, api := narrowed(t, place)
	s.want(http.StatusOK, http.MethodPost, "/v1/sessions", `{"project": "web", "id": "s"}`)
	elsewhere, err := app.OpenService(t.Context(), place, app.Begins)
	must(t, err)
	defer elsewhere.Close()
	forkInto(t, elsewhere, "web:s", "alone")
	for _, path := range []string{"", "/prompt", "/timeline"} {
		s.refuses(http.StatusNotFound, "session.unknown", http.MethodGet, "/v1/sessions/alone"+path, "", "Authorization", api)
	}
	s.refuses(http.StatusNotFound, "session.unknown", http.MethodDelete, "/v1/sessions/alone", "", "Authorization", api)
	s.want(http.StatusOK, http.MethodGet, "/v1/sessions/alone", "")
	for _, child := range []string{"other", "api:c", "web:c"} {
		if r := s.want(http.StatusOK, http.MethodPost, "/v1/sessions/alone/fork", `{"child": "`+child+`"}`); field(t, r.body, "session") != child {
			t.Errorf("forked: %s", r.body)
		}
	}
	s.refuses(http.StatusNotFound, "session.unknown", http.MethodGet, "/v1/sessions/api:c", "", "Authorization", api)
	s.refuses(http.StatusConflict, "project.unknown", http.MethodPost, "/v1/sessions/alone/touch", `{"files": ["a"]}`)
}

// forkInto forks a session, and moves the child to the project that its id names.
func forkInto(t *testing.T, s *app.Service, parent, child string) {
	t.Helper()
	of := func(id string) *app.Sessions {
		project, _, named := strings.Cut(id, ":")
		if !named {
			project = ""
		}
		return s.Sessions(app.Site{}, app.Request{}).In(app.Projects{Name: project})
	}
	_, err := of(parent).Fork(t.Context(), app.ForkRequest{ID: parent, Child: child})
	must(t, err)
	_, err = of(child).Adopt(t.Context(), app.AdoptRequest{ID: child})
	must(t, err)
}
