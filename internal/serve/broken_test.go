package serve_test

import (
	"database/sql"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/cento-dev/cento/internal/storetest"
)

// TestBrokenStore: where something in the store can't be read any more, nothing is answered as
// if it weren't there. What needs it is a failure of the service, of which a client
// is told that there was one and the log how.
func TestBrokenStore(t *testing.T) {
	fill := strings.NewReplacer("{project}", "web", "{id}", "web:s", "{record}", "web:s@1", "RECORD", "web:s@1", "{$}", "", "NEW", "t")
	for broken, needed := range map[string][]string{
		"ALTER TABLE session RENAME TO gone": {
			"GET /v1/sessions", "GET /v1/sessions/{id}", "GET /v1/sessions/{id}/drift", "POST /v1/sessions/{id}/drift", "GET /v1/sessions/{id}/cache", "POST /v1/sessions/{id}/turn", "POST /v1/sessions/{id}/turn_end",
			"POST /v1/sessions/{id}/remind", "POST /v1/sessions/{id}/clear", "POST /v1/sessions/{id}/compact", "POST /v1/sessions/{id}/fork", "POST /v1/sessions/{id}/rematerialise", "POST /v1/sessions/{id}/touch",
			"DELETE /v1/sessions/{id}", "POST /v1/sessions", "GET /v1/sessions/{id}/prompt", "GET /v1/sessions/{id}/timeline", "GET /inspector/session/{id}",
		},
		"ALTER TABLE record RENAME TO gone": {
			"GET /v1/sessions/{id}/timeline", "GET /v1/records", "GET /v1/records?text=brief", "GET /v1/records/{record}", "GET /v1/records/{record}/replay", "GET /v1/records/diff",
			"POST /inspector/record/{record}", "GET /inspector/session/{id}", "GET /v1/records/" + strings.Repeat("0", 64), "POST /v1/sessions",
		},
		"ALTER TABLE input RENAME TO gone": {"GET /v1/records/{record}/replay", "POST /inspector/record/{record}", "GET /v1/sessions/{id}/cache"},
		"ALTER TABLE list RENAME TO gone":  {"GET /v1/records/{record}", "GET /v1/records/diff"},
	} {
		t.Run(broken, func(t *testing.T) {
			place := storetest.SQLite(t)
			first := start(t, place, nil)
			first.want(http.StatusOK, http.MethodPost, "/v1/sessions", `{"project": "web", "id": "s"}`)
			must(t, first.stop())
			s := start(t, place, nil) // which has nothing of it in memory
			db, err := sql.Open("sqlite", place)
			must(t, err)
			defer db.Close()
			_, err = db.ExecContext(t.Context(), broken)
			must(t, err)

			rows := accesses()
			for _, name := range needed {
				method, address, _ := strings.Cut(name, " ")
				r := s.ask(method, fill.Replace(address+queries[name]), fill.Replace(rows[name].body), rows[name].headers...)
				if r.StatusCode < 500 || strings.Contains(r.body, "no such table") || strings.Contains(r.body, "SQL") {
					t.Errorf("%s: status %d: %.300s", name, r.StatusCode, r.body)
				}
				if !s.log.has(`"msg":"failed"`, r.Header.Get("X-Request-Id")) {
					t.Errorf("%s: the log has no word of it", name)
				}
			}
			if strings.Contains(broken, "record") {
				// An export that began can't be taken back: it is cut off.
				r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.base+"/v1/export", nil)
				must(t, err)
				r.Header.Set("Authorization", "Bearer "+local)
				if res, err := s.client.Do(r); err == nil {
					_, err = io.Copy(io.Discard, res.Body)
					if must(t, res.Body.Close()); err == nil && res.StatusCode < 500 {
						t.Errorf("an export is whole: status %d", res.StatusCode)
					}
				}
			}
			if n := s.metric("cento_panics_total "); n != "0" {
				t.Errorf("%s mistakes of the program: %s", n, s.log)
			}
		})
	}
}

// TestBrokenStoreOfMCP: a client of MCP is told of a failure of the service that there was
// one, and the log how, under the id of the request.
func TestBrokenStoreOfMCP(t *testing.T) {
	place := storetest.SQLite(t)
	s := start(t, place, nil)
	s.want(http.StatusOK, http.MethodPost, "/v1/sessions", `{"project": "web", "id": "s"}`)
	db, err := sql.Open("sqlite", place)
	must(t, err)
	defer db.Close()
	_, err = db.ExecContext(t.Context(), "ALTER TABLE record RENAME TO gone")
	must(t, err)
	r := s.want(http.StatusOK, http.MethodPost, "/mcp", `{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "search_records", "arguments": {"project": "web", "text": "brief"}}}`, "Accept", bothKinds)
	if !strings.Contains(r.body, `"isError":true`) || !strings.Contains(r.body, "the service failed to answer") || strings.Contains(r.body, "no such table") {
		t.Errorf("the client is told %s", r.body)
	}
	if !s.log.has("a question of an MCP client failed", "no such table", r.Header.Get("X-Request-Id")) {
		t.Errorf("the log has no word of it: %s", s.log)
	}
}

// TestDamagedSession: a session whose state can't be read is told to be so, whatever is asked
// about it, and nothing is done to it.
func TestDamagedSession(t *testing.T) {
	place := storetest.SQLite(t)
	first := start(t, place, nil)
	first.want(http.StatusOK, http.MethodPost, "/v1/sessions", `{"project": "web", "id": "s"}`)
	must(t, first.stop())
	db, err := sql.Open("sqlite", place)
	must(t, err)
	defer db.Close()
	_, err = db.ExecContext(t.Context(), "UPDATE session SET state = X'00'")
	must(t, err)
	s := start(t, place, nil)
	code := s.ask(http.MethodGet, "/v1/sessions/web:s", "").code()
	if code != "session.unreadable" {
		t.Errorf("it is told %q", code)
	}
	rows := accesses()
	for _, name := range []string{
		"GET /v1/sessions/{id}/timeline", "GET /v1/sessions/{id}/drift", "GET /inspector/session/{id}", "POST /v1/sessions/{id}/turn", "POST /v1/sessions/{id}/turn_end", "POST /v1/sessions/{id}/remind",
		"POST /v1/sessions/{id}/clear", "POST /v1/sessions/{id}/compact", "POST /v1/sessions/{id}/rematerialise", "POST /v1/sessions/{id}/touch",
	} {
		method, address, _ := strings.Cut(name, " ")
		if r := s.ask(method, strings.ReplaceAll(address, "{id}", "web:s"), rows[name].body); r.code() != code {
			t.Errorf("%s: status %d: %s", name, r.StatusCode, r.body)
		}
	}
}
