package serve_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/serve"
	"github.com/cento-dev/cento/internal/storetest"
)

// access is who gets an answer of a route.
type access struct {
	// body is that of the request; empty for none.
	body string
	// about: the address or the body names what belongs to the project web. Else the
	// answer is what the token may see of all of them.
	about bool
	// whole: only a token for all projects is answered.
	whole bool
	// status is that of an answer; 0: 200.
	status  int
	headers []string
}

// accesses has a row for each route of the service. In it, SESSION is a session of the
// project web that is new for each request, and RECORD one of its records.
func accesses() map[string]access {
	out := map[string]access{
		"GET /healthz": {}, "GET /readyz": {}, "GET /openapi.json": {}, "GET /metrics": {whole: true},
		"GET /{$}": {}, "POST /sign-in": {body: `{"code": "x"}`, status: http.StatusUnauthorized},

		"POST /v1/reduce": {body: `{"fragments": [{"id": "a", "body": "b"}]}`}, "POST /v1/tokens": {body: `{"texts": ["a"]}`},
		"POST /v1/layers": {body: `{"layers": []}`, status: http.StatusOK}, "POST /v1/scope": {body: `{"scope": {"allow": [{"target": "/a", "permission": "read"}]}, "paths": ["/a"]}`},
		"POST /v1/reminders": {body: `{"session": {"id": "s"}, "ops": []}`}, "POST /v1/contract": {body: `{"contract": {"role": "validator", "objective": "x", "output": {"emit": "plan", "key": "seeds"}}}`},

		"GET /v1/projects": {}, "GET /v1/projects/{project}": {about: true},

		"GET /v1/sessions": {}, "POST /v1/sessions": {about: true, body: `{"project": "web", "id": "NEW"}`},
		"GET /v1/sessions/{id}": {about: true}, "DELETE /v1/sessions/{id}": {about: true},
		"GET /v1/sessions/{id}/prompt": {about: true}, "GET /v1/sessions/{id}/timeline": {about: true}, "GET /v1/sessions/{id}/cache": {about: true, status: http.StatusUnprocessableEntity},
		"GET /v1/sessions/{id}/drift": {about: true}, "POST /v1/sessions/{id}/drift": {about: true, body: `{}`},
		"POST /v1/sessions/{id}/turn": {about: true}, "POST /v1/sessions/{id}/turn_end": {about: true}, "POST /v1/sessions/{id}/compact": {about: true},
		"POST /v1/sessions/{id}/remind": {about: true, body: `{"reminder": {"body": "x"}}`}, "POST /v1/sessions/{id}/clear": {about: true, body: `{"tag": "x"}`},
		"POST /v1/sessions/{id}/fork": {about: true, body: `{"child": "NEW"}`}, "POST /v1/sessions/{id}/rematerialise": {about: true},
		"POST /v1/sessions/{id}/touch": {about: true, body: `{"files": ["a"]}`}, "POST /v1/sessions/{id}/usage": {about: true, body: `{"turn": 0, "usage": {"input_tokens": 1, "output_tokens": 1}}`, status: http.StatusUnprocessableEntity}, // no turn was begun

		"GET /v1/records": {}, "GET /v1/records/{record}": {about: true}, "GET /v1/records/{record}/replay": {about: true},
		"GET /v1/records/diff": {about: true}, "GET /v1/export": {}, "GET /v1/events": {},
		"POST /mcp": {body: `{"jsonrpc": "2.0", "id": 1, "method": "resources/list"}`, headers: []string{"Accept", bothKinds}},

		"POST /inspector/of/{project}": {about: true, body: `{}`}, "POST /inspector/record/{record}": {about: true, body: `{}`},
		"POST /inspector/origin/{project}": {about: true, body: `{"at": 0, "digest": "x"}`, status: http.StatusConflict},
		"POST /inspector/diff/{project}":   {about: true, body: `{"a": {}, "b": {"without_tools": ["todo"]}}`},
		"GET /inspector/session/{id}":      {about: true},
	}
	for op, keys := range map[string]string{
		"ablate": "", "assemble": "", "budget": `"budget": 100000`, "cache": `"model": "claude-sonnet-4-5", "to": {"without_tools": ["todo"]}`, "check": "", "diff": `"to": {"without_tools": ["todo"]}`, "explain": "",
		"instructions": "", "models": "", "why": `"text": "a"`, "wire": `"provider": "anthropic", "partial": true`,
	} {
		of := keys
		if of != "" {
			of = ", " + of
		}
		out["POST /v1/"+op] = access{body: `{"manifest": {"system": "a", "tools": [{"name": "todo"}]}` + of + `}`}
		out["POST /v1/projects/{project}/"+op] = access{about: true, body: `{` + keys + `}`}
		out["GET /v1/projects/{project}/"+op] = access{about: true}
	}
	out["POST /v1/render"] = access{body: `{"root": "$workspace/a", "files": {"$workspace/a": "b"}}`}
	out["POST /v1/projects/{project}/test"], out["GET /v1/projects/{project}/test"] = access{about: true, body: `{}`}, access{about: true}
	return out
}

// queries are the parameters that a GET needs beside its address.
var queries = map[string]string{
	"GET /v1/records/diff":              "?a=RECORD&b=RECORD",
	"GET /v1/sessions/{id}/cache":       "?model=claude-sonnet-4-5",
	"GET /v1/projects/{project}/budget": "?budget=100000",
	"GET /v1/projects/{project}/cache":  "?model=claude-sonnet-4-5&to.without_tools=todo",
	"GET /v1/projects/{project}/diff":   "?to.without_tools=todo",
	"GET /v1/projects/{project}/why":    "?text=WEB-CANARY",
	"GET /v1/projects/{project}/wire":   "?provider=anthropic&partial=true",
}

// canaries are what the prompts of the projects say, and nothing else does.
var canaries = map[string]string{"web": "WEB-CANARY", "api": "API-CANARY"}

func canaryProject(t testing.TB, name string) serve.Project {
	return of(name, project(t, "system: "+canaries[name]+".\ntools: [{name: todo, guidance: Keep the list.}]\nscope: off\nprofile: off\nskills: off\n"))
}

// TestScopes holds every route to what a token of each scope, for all projects and for
// one, may do there: a route without a row fails. What a token doesn't reach is told as
// what isn't there, and no answer has a word of a project that the token has no scope for.
func TestScopes(t *testing.T) {
	grants := []string{""}
	for _, scope := range []string{"read", "write", "render"} {
		grants = append(grants, scope, scope+"@web", scope+"@api")
	}
	named := map[string]string{"admin": "read write render"}
	for _, g := range grants[1:] {
		named[strings.ReplaceAll(g, "@", "-")] = g
	}
	path := filepath.Join(t.TempDir(), "tokens")
	secrets := tokenFile(t, path, named)
	s := start(t, storetest.SQLite(t), func(c *serve.Config) {
		c.Tokens, c.Local, c.Projects = path, "", []serve.Project{canaryProject(t, "web"), canaryProject(t, "api")}
	})
	s.secret = secrets["admin"]
	for _, p := range []string{"web", "api"} {
		s.want(http.StatusOK, http.MethodPost, "/v1/sessions", `{"project": "`+p+`", "id": "first"}`)
	}
	rows := accesses()
	routes := s.server.Routes()
	n := 0
	fresh := func() string { n++; return fmt.Sprint("s", n) }
	for _, name := range sorted(routes) {
		row, ok := rows[name]
		if !ok && strings.HasPrefix(name, "GET /inspector/") && routes[name] == "" {
			ok = true // a file of the page
		}
		if !ok {
			t.Errorf("%s has no row: who may ask for it?", name)
			continue
		}
		method, address, _ := strings.Cut(name, " ")
		for _, grant := range grants {
			session := "web:first"
			if row.about && strings.Contains(address, "{id}") && method != http.MethodGet {
				session = "web:" + fresh()
				s.want(http.StatusOK, http.MethodPost, "/v1/sessions", `{"project": "web", "id": "`+session+`"}`)
			}
			fill := strings.NewReplacer("{project}", "web", "{id}", session, "{record}", session+"@1", "RECORD", "web:first@1", "{$}", "", "NEW", fresh())
			headers := append([]string{"Authorization", "Bearer " + secrets[strings.ReplaceAll(grant, "@", "-")]}, row.headers...)
			if grant == "" {
				headers[1] = ""
			}
			got := s.first(method, fill.Replace(address+queries[name]), fill.Replace(row.body), headers...)
			want := expected(&row, routes[name], grant)
			if got.StatusCode != want {
				t.Errorf("%q, %s: status %d, want %d: %.300s", grant, name, got.StatusCode, want, got.body)
			}
			for p, canary := range canaries {
				scope, of, narrowed := strings.Cut(grant, "@")
				if strings.Contains(got.body, canary) && (scope == "" || scope == "render" || narrowed && of != p) {
					t.Errorf("%q, %s: it is told of %s: %.300s", grant, name, p, got.body)
				}
			}
		}
	}
	for name := range rows {
		if _, ok := routes[name]; !ok {
			t.Errorf("%s is no route", name)
		}
	}
	if len(routes) < 60 {
		t.Errorf("%d routes: the test looks at the wrong place", len(routes))
	}
}

// expected is the status that a token with one grant gets.
func expected(row *access, needs serve.Scope, grant string) int {
	answered := row.status
	if answered == 0 {
		answered = http.StatusOK
	}
	scope, of, _ := strings.Cut(grant, "@")
	switch {
	case needs == "":
		return answered
	case grant == "":
		return http.StatusUnauthorized
	case scope != string(needs), row.whole && of != "":
		return http.StatusForbidden
	case row.about && of == "api":
		return http.StatusNotFound
	}
	return answered
}

// first is ask for an answer that may have no end: of events, only how it begins.
func (s *service) first(method, path, body string, headers ...string) reply {
	if path != "/v1/events" {
		return s.ask(method, path, body, headers...)
	}
	ctx, cancel := context.WithCancel(s.t.Context())
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, method, s.base+path, nil)
	must(s.t, err)
	r.Header.Set(headers[0], headers[1])
	res, err := s.client.Do(r)
	must(s.t, err)
	defer res.Body.Close()
	b := make([]byte, 512)
	n, _ := io.ReadAtLeast(res.Body, b, 1) // nothing more than what is there
	return reply{res, string(b[:n])}
}

func sorted[T any](m map[string]T) []string {
	out := []string{}
	for name := range m {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

// TestNamesNearby: a token for a project reads none whose name begins alike, is longer,
// or differs in what patterns of databases stand for.
func TestNamesNearby(t *testing.T) {
	storetest.OnBoth(t, func(t *testing.T, place string) {
		near := []string{"a_b", "axb", "A_B", "a_b.c", "a_b-", "a_", "a"}
		path := filepath.Join(t.TempDir(), "tokens")
		secrets := tokenFile(t, path, map[string]string{"all": "read write", "one": "read@a_b write@a_b"})
		s := start(t, place, func(c *serve.Config) {
			c.Tokens, c.Local, c.Projects = path, "", nil
			for _, name := range near {
				c.Projects = append(c.Projects, of(name, project(t, "system: Word of "+name+" alone.\nscope: off\nprofile: off\nskills: off\n")))
			}
		})
		s.secret = secrets["all"]
		for _, name := range near {
			s.want(http.StatusOK, http.MethodPost, "/v1/sessions", `{"project": "`+name+`", "id": "s"}`)
		}
		s.secret = secrets["one"]
		for _, address := range []string{"/v1/projects", "/v1/sessions", "/v1/records", "/v1/records?text=alone", "/v1/export"} {
			r := s.want(http.StatusOK, http.MethodGet, address, "")
			if !strings.Contains(r.body, `"a_b`) {
				t.Errorf("%s has nothing of its own: %s", address, r.body)
			}
			for _, name := range near[1:] {
				if strings.Contains(r.body, `"`+name+`:s"`) || strings.Contains(r.body, `"`+name+`"`) || strings.Contains(r.body, "Word of "+name+" alone") {
					t.Errorf("%s tells of %s: %s", address, name, r.body)
				}
			}
		}
		for _, name := range near[1:] {
			s.refuses(http.StatusNotFound, "session.unknown", http.MethodGet, "/v1/sessions/"+name+":s", "")
			s.refuses(http.StatusNotFound, "project.unknown", http.MethodGet, "/v1/projects/"+name, "")
		}
	})
}

// TestKeysOfOthers: an idempotency key is that of one session. Who takes one that another
// session has gets neither its answer nor a word that it is there.
func TestKeysOfOthers(t *testing.T) {
	storetest.OnBoth(t, func(t *testing.T, place string) {
		path := filepath.Join(t.TempDir(), "tokens")
		secrets := tokenFile(t, path, map[string]string{"api": "read@api write@api", "web": "read@web write@web"})
		s := start(t, place, func(c *serve.Config) { c.Tokens, c.Local = path, "" })
		ask := func(who, key, path, body string) string {
			t.Helper()
			r := s.want(http.StatusOK, http.MethodPost, path, body, "Authorization", "Bearer "+secrets[who], "Idempotency-Key", key)
			if field(t, r.body, "replayed") != false {
				t.Errorf("%s %s: %s", who, path, r.body)
			}
			return r.body
		}
		for i, x := range [][2]string{{"/v1/sessions", `{"project": "P", "id": "s"}`}, {"/v1/sessions/P:s/remind", `{"reminder": {"body": "Word of P alone."}}`}, {"/v1/sessions/P:s/turn", ""}, {"/v1/sessions/P:s/fork", `{"child": "c"}`}} {
			for _, who := range []string{"api", "web"} {
				of := strings.NewReplacer("P", who)
				if told := ask(who, fmt.Sprint("k", i), of.Replace(x[0]), of.Replace(x[1])); who == "web" && strings.Contains(told, "api") {
					t.Errorf("%s: %s", x[0], told)
				}
			}
		}
	})
}

// TestForkedElsewhere: a session that was forked from one of another project names that
// to nobody who doesn't read it, in no answer and in no export.
func TestForkedElsewhere(t *testing.T) {
	storetest.OnBoth(t, func(t *testing.T, place string) {
		path := filepath.Join(t.TempDir(), "tokens")
		secrets := tokenFile(t, path, map[string]string{"all": "read write", "web": "read@web write@web"})
		s := start(t, place, func(c *serve.Config) { c.Tokens, c.Local = path, "" })
		s.secret = secrets["all"]
		s.want(http.StatusOK, http.MethodPost, "/v1/sessions", `{"project": "api", "id": "hidden"}`)
		opened, err := app.OpenService(t.Context(), place, app.Begins)
		must(t, err)
		defer opened.Close()
		forkInto(t, opened, "api:hidden", "web:c")
		s.want(http.StatusOK, http.MethodPost, "/v1/sessions/web:c/turn", "")
		addresses := []string{"/v1/sessions", "/v1/sessions/web:c", "/v1/sessions/web:c/timeline", "/inspector/session/web:c", "/v1/records", "/v1/records/web:c@1", "/v1/export", "/v1/export?session=web:c"}
		told := 0
		for _, address := range addresses {
			if r := s.want(http.StatusOK, http.MethodGet, address, ""); strings.Contains(r.body, "hidden") {
				told++
			}
		}
		if told < 4 {
			t.Errorf("%d answers name it to who reads both: the test looks at the wrong place", told)
		}
		s.secret = secrets["web"]
		for _, address := range addresses {
			if r := s.want(http.StatusOK, http.MethodGet, address, ""); strings.Contains(r.body, "hidden") || !strings.Contains(r.body, "web:c") && address != "/inspector/session/web:c" {
				t.Errorf("%s: %s", address, r.body)
			}
		}
	})
}

// TestReadingIsNotChanging: what a token may read of other projects widens nothing that it
// may change: it is told that it lacks the scope, and their sessions stay.
func TestReadingIsNotChanging(t *testing.T) {
	storetest.OnBoth(t, func(t *testing.T, place string) {
		path := filepath.Join(t.TempDir(), "tokens")
		secrets := tokenFile(t, path, map[string]string{"all": "read write", "mixed": "read write@api"})
		s := start(t, place, func(c *serve.Config) { c.Tokens, c.Local = path, "" })
		s.secret = secrets["all"]
		for _, p := range []string{"api", "web"} {
			s.want(http.StatusOK, http.MethodPost, "/v1/sessions", `{"project": "`+p+`", "id": "s"}`)
		}
		opened, err := app.OpenService(t.Context(), place, app.Begins)
		must(t, err)
		defer opened.Close()
		forkInto(t, opened, "api:s", "web:theirs")
		s.secret = secrets["mixed"]
		s.refuses(http.StatusForbidden, string(serve.Forbidden), http.MethodPost, "/v1/sessions/web:s/turn", "")
		s.refuses(http.StatusForbidden, string(serve.Forbidden), http.MethodDelete, "/v1/sessions/web:s", "")
		s.refuses(http.StatusConflict, "session.has_children", http.MethodDelete, "/v1/sessions/api:s?children=true", "")
		for _, id := range []string{"web:s", "web:theirs", "api:s"} {
			r := s.want(http.StatusOK, http.MethodGet, "/v1/sessions/"+id, "")
			if got := r.Header.Get("Cache-Control"); got != "private, no-cache" {
				t.Errorf("%s is kept %q", id, got)
			}
		}
		s.want(http.StatusOK, http.MethodPost, "/v1/sessions/api:s/turn", "", "Idempotency-Key", strings.Repeat("k", 200))
		s.refuses(http.StatusBadRequest, "request.header", http.MethodPost, "/v1/sessions/api:s/turn", "", "Idempotency-Key", strings.Repeat("k", 201))
	})
}
