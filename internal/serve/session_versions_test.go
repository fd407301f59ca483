package serve_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/cento-dev/cento/internal/serve"
	"github.com/cento-dev/cento/internal/storetest"
)

// TestOneOfMany: of clients that ask with the same key at the same time, on two
// processes, each is given the same answer, and it is done once; with a version, one wins.
func TestOneOfMany(t *testing.T) {
	storetest.OnBoth(t, func(t *testing.T, place string) {
		a := start(t, place, nil)
		b := start(t, place, nil)
		a.want(http.StatusOK, http.MethodPost, "/v1/sessions", `{"project": "web", "id": "s"}`)
		b.want(http.StatusOK, http.MethodGet, "/v1/sessions/web:s", "")
		status := func(s *service, headers ...string) int {
			r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.base+"/v1/sessions/web:s/remind", strings.NewReader(`{"reminder": {"body": "Once.", "dedupe_key": "x"}}`))
			must(t, err)
			r.Header.Set("Authorization", "Bearer "+local)
			r.Header.Set("Content-Type", "application/json")
			for i := 0; i < len(headers); i += 2 {
				r.Header.Set(headers[i], headers[i+1])
			}
			res, err := s.client.Do(r)
			if err != nil {
				t.Error(err)
				return 0
			}
			defer res.Body.Close()
			return res.StatusCode
		}
		many := func(headers ...string) map[int]int {
			var mu sync.Mutex
			out := map[int]int{}
			var wg sync.WaitGroup
			for i := range 8 {
				wg.Go(func() {
					n := status([]*service{a, b}[i%2], headers...)
					mu.Lock()
					defer mu.Unlock()
					out[n]++
				})
			}
			wg.Wait()
			return out
		}
		if got := many("Idempotency-Key", "one"); got[200] != 8 {
			t.Errorf("with one key: %v", got)
		}
		r := a.want(http.StatusOK, http.MethodGet, "/v1/sessions/web:s", "")
		if v := field(t, r.body, "version"); v != 3.0 {
			t.Errorf("the session has version %v: it was done more than once", v)
		}
		if got := many("If-Match", "3"); got[200] != 1 || got[409] != 7 {
			t.Errorf("with one version: %v", got)
		}
	})
}

// TestAnotherProject: a token that is narrowed to a project sees nothing of another, in
// no list, search or export, by no name, hash or cursor.
func TestAnotherProject(t *testing.T) {
	storetest.OnBoth(t, func(t *testing.T, place string) {
		path := filepath.Join(t.TempDir(), "tokens")
		secrets := tokenFile(t, path, map[string]string{"all": "read write", "web": "read@web write@web render@web"})
		s := start(t, place, func(c *serve.Config) { c.Tokens, c.Local = path, "" })
		all := []string{"Authorization", "Bearer " + secrets["all"]}
		web := []string{"Authorization", "Bearer " + secrets["web"]}
		for _, project := range []string{"web", "api"} {
			s.want(http.StatusOK, http.MethodPost, "/v1/sessions", `{"project": "`+project+`", "id": "s"}`, all...)
		}
		list := s.want(http.StatusOK, http.MethodGet, "/v1/records?session=api:s", "", all...)
		var records struct{ Records []struct{ Hash string } }
		must(t, json.Unmarshal([]byte(list.body), &records))
		hash := records.Records[0].Hash
		asAsked := strings.NewReplacer(`no session \"api:s\"`, "", `no record \"api:s@1\"`, "")
		for _, address := range []string{
			"/v1/sessions/api:s", "/v1/sessions/api:s/prompt", "/v1/sessions/api:s/timeline", "/v1/records?session=api:s", "/v1/export?session=api:s", "/v1/events?session=api:s",
			"/v1/records/" + hash, "/v1/records/api:s@1", "/v1/records/" + hash + "/replay", "/v1/records/diff?a=web:s@1&b=" + hash, "/v1/records/diff?a=api:s@1&b=web:s@1",
		} {
			r := s.ask(http.MethodGet, address, "", web...)
			if r.StatusCode != http.StatusNotFound || strings.Contains(asAsked.Replace(r.body), "api") || strings.Contains(r.body, "You serve") {
				t.Errorf("%s: status %d: %s", address, r.StatusCode, r.body)
			}
		}
		s.want(http.StatusBadRequest, http.MethodGet, "/v1/records?cursor=api:s@1", "", web...)
		for _, op := range []string{"turn", "turn_end", "compact", "fork", "rematerialise"} {
			s.refuses(http.StatusNotFound, "session.unknown", http.MethodPost, "/v1/sessions/api:s/"+op, `{}`, web...)
		}
		if r := s.ask(http.MethodPost, "/v1/sessions/web:s/fork", `{"child": "api:x"}`, web...); r.StatusCode == http.StatusOK && field(t, r.body, "session") != "web:api:x" {
			t.Errorf("a child in another project: %s", r.body)
		}
		s.refuses(http.StatusNotFound, "record.unknown", http.MethodPost, "/v1/assemble", `{"input": "`+hash+`"}`, web...)
		for _, address := range []string{"/v1/records", "/v1/records?text=You", "/v1/records?text=serve", "/v1/export"} {
			r := s.want(http.StatusOK, http.MethodGet, address, "", web...)
			if strings.Contains(r.body, "api:s") || strings.Contains(r.body, "You serve") {
				t.Errorf("%s: %s", address, r.body)
			}
		}
		if r := s.want(http.StatusOK, http.MethodGet, "/v1/records?text=serve", "", web...); !strings.Contains(r.body, `"texts": 0`) {
			t.Errorf("how often others say it: %s", r.body)
		}
		if r := s.want(http.StatusOK, http.MethodGet, "/v1/records?text=serve", "", all...); !strings.Contains(r.body, "api:s") {
			t.Errorf("nobody finds it: %s", r.body)
		}
		// A name that is nearly another project's isn't offered.
		if r := s.refuses(http.StatusNotFound, "session.unknown", http.MethodGet, "/v1/sessions/web:nothing", "", web...); strings.Contains(r.body, "did you mean") {
			t.Errorf("another name is told: %s", r.body)
		}
	})
}

// TestReadOnly: a service that changes nothing says so, and reads.
func TestReadOnly(t *testing.T) {
	place := storetest.SQLite(t)
	first := start(t, place, nil)
	first.want(http.StatusOK, http.MethodPost, "/v1/sessions", `{"project": "web", "id": "s"}`)
	must(t, first.stop())
	s := start(t, place, func(c *serve.Config) { c.ReadOnly = true })
	s.want(http.StatusOK, http.MethodGet, "/v1/sessions/web:s/prompt", "")
	rows, routes, writing := accesses(), s.server.Routes(), map[string]int{}
	for _, name := range sorted(routes) {
		if method, address, _ := strings.Cut(name, " "); routes[name] == serve.ScopeWrite {
			writing[method]++
			s.refuses(http.StatusForbidden, "serve.read_only", method, strings.ReplaceAll(address, "{id}", "web:s"), rows[name].body)
		}
	}
	if writing[http.MethodPost] < 8 || writing[http.MethodDelete] != 1 {
		t.Errorf("%v routes change something: the test looks at the wrong place", writing)
	}
	s.want(http.StatusOK, http.MethodGet, "/v1/sessions/web:s/prompt", "")
}

// TestOldVersions: whatever changes a session is refused where it says that it follows on a
// version that the session isn't at, and nothing is done.
func TestOldVersions(t *testing.T) {
	s := begin(t, nil)
	s.want(http.StatusOK, http.MethodPost, "/v1/sessions", `{"project": "web", "id": "s"}`)
	before := s.want(http.StatusOK, http.MethodGet, "/v1/sessions/web:s", "").body
	rows, routes, n := accesses(), s.server.Routes(), 0
	for _, name := range sorted(routes) {
		method, address, _ := strings.Cut(name, " ")
		if routes[name] != serve.ScopeWrite || !strings.Contains(address, "{id}") || strings.HasSuffix(address, "/fork") {
			continue // what is forked stays as it is
		}
		n++
		s.refuses(http.StatusConflict, "store.conflict", method, strings.ReplaceAll(address, "{id}", "web:s"), rows[name].body, "If-Match", "1")
	}
	if after := s.want(http.StatusOK, http.MethodGet, "/v1/sessions/web:s", "").body; n < 8 || after != before {
		t.Errorf("after %d refusals the session is %s, and was %s", n, after, before)
	}
}

// TestVersionsInHeaders: If-Match is the version of a session, with or without quotes, or says
// nothing; anything else is refused, as any version is where a session begins.
func TestVersionsInHeaders(t *testing.T) {
	s := begin(t, nil)
	begins := map[string]string{"/v1/sessions": `{"project": "web", "id": "%s"}`, "/v1/sessions/web:s/fork": `{"child": "%s"}`}
	s.want(http.StatusOK, http.MethodPost, "/v1/sessions", `{"project": "web", "id": "s"}`)
	for path, body := range begins {
		for _, version := range []string{"1", `"2"`, "7"} {
			r := s.refuses(http.StatusBadRequest, "request.header", http.MethodPost, path, fmt.Sprintf(body, "refused"), "If-Match", version)
			if field(t, r.body, "message") != "If-Match names the version of a session, and this one begins" || field(t, r.body, "hint") != "leave it out" {
				t.Errorf("%s", r.body)
			}
		}
		s.want(http.StatusOK, http.MethodPost, path, fmt.Sprintf(body, "begun-"+strconv.Itoa(len(body))), "If-Match", "*")
	}
	s.refuses(http.StatusNotFound, "session.unknown", http.MethodGet, "/v1/sessions/web:refused", "")
	for _, version := range []string{"0", "-1", "1.5", "x", "99999999999999999999"} {
		s.refuses(http.StatusBadRequest, "request.header", http.MethodPost, "/v1/sessions/web:s/turn_end", "", "If-Match", version)
	}
	at := int(field(t, s.want(http.StatusOK, http.MethodGet, "/v1/sessions/web:s", "").body, "version").(float64))
	for i, version := range []string{"", "*", strconv.Itoa(at + 2), fmt.Sprintf("%q", strconv.Itoa(at+3))} {
		done := s.want(http.StatusOK, http.MethodPost, "/v1/sessions/web:s/remind", `{"reminder": {"body": "Tests are red."}}`, "If-Match", version)
		if got := int(field(t, done.body, "version").(float64)); got != at+i+1 {
			t.Errorf("with %q it is at version %d, want %d", version, got, at+i+1)
		}
	}
}

// TestUnservedProject: a session whose project isn't served here goes on out of the store,
// where its token reaches every project; what needs its files is refused.
func TestUnservedProject(t *testing.T) {
	place := storetest.SQLite(t)
	first := start(t, place, nil)
	first.want(http.StatusOK, http.MethodPost, "/v1/sessions", `{"project": "web", "id": "s"}`)
	prompt := first.want(http.StatusOK, http.MethodGet, "/v1/sessions/web:s/prompt", "").body
	s := start(t, place, func(c *serve.Config) { c.Projects = c.Projects[1:] })
	if r := s.want(http.StatusOK, http.MethodGet, "/v1/sessions/web:s/prompt", ""); r.body != prompt {
		t.Errorf("the prompt is %q", r.body)
	}
	for _, x := range []struct {
		method, path, body, code string
		status                   int
	}{
		{http.MethodGet, "", "", "", 200}, {http.MethodGet, "/timeline", "", "", 200}, {http.MethodPost, "/turn", "", "", 200}, {http.MethodPost, "/turn_end", "", "", 200},
		{http.MethodPost, "/remind", `{"reminder": {"body": "x"}}`, "", 200}, {http.MethodPost, "/compact", "", "", 200}, {http.MethodPost, "/fork", `{"child": "c"}`, "", 200},
		{http.MethodPost, "/touch", `{"files": ["a"]}`, "project.unknown", 409},
	} {
		if r := s.ask(x.method, "/v1/sessions/web:s"+x.path, x.body); r.StatusCode != x.status || r.code() != x.code {
			t.Errorf("%s %s: %d %s", x.method, x.path, r.StatusCode, r.body)
		}
	}
	for _, path := range []string{"/drift", "/rematerialise"} {
		r := s.ask(http.MethodPost, "/v1/sessions/web:s"+path, "")
		if r.StatusCode < 400 || r.StatusCode >= 500 || r.code() == "" {
			t.Errorf("%s: %d %s", path, r.StatusCode, r.body)
		}
	}
	s.refuses(http.StatusNotFound, "project.unknown", http.MethodPost, "/v1/sessions", `{"project": "web", "id": "t"}`)
	if r := s.want(http.StatusOK, http.MethodDelete, "/v1/sessions/web:s?children=true", ""); !strings.Contains(r.body, `"web:c"`) {
		t.Errorf("deleted: %s", r.body)
	}
}

// TestWordsInHeaders: an Idempotency-Key is a word of visible characters, up to a bound,
// wherever something is changed; nothing is done under another.
func TestWordsInHeaders(t *testing.T) {
	s := begin(t, nil)
	s.want(http.StatusOK, http.MethodPost, "/v1/sessions", `{"project": "web", "id": "s"}`)
	before := s.want(http.StatusOK, http.MethodGet, "/v1/sessions/web:s", "").body
	for _, key := range []string{strings.Repeat("k", 201), "a b", "a\tb", "schlüssel"} {
		for path, body := range map[string]string{"/v1/sessions": `{"project": "web", "id": "t"}`, "/v1/sessions/web:s/turn": "", "/v1/sessions/web:s/fork": `{"child": "c"}`} {
			s.refuses(http.StatusBadRequest, "request.header", http.MethodPost, path, body, "Idempotency-Key", key)
		}
		s.refuses(http.StatusBadRequest, "request.header", http.MethodDelete, "/v1/sessions/web:s", "", "Idempotency-Key", key)
	}
	for _, version := range []string{"x", "0"} {
		s.refuses(http.StatusBadRequest, "request.header", http.MethodPost, "/v1/sessions", `{"project": "web", "id": "t"}`, "If-Match", version)
		s.refuses(http.StatusBadRequest, "request.header", http.MethodDelete, "/v1/sessions/web:s", "", "If-Match", version)
	}
	if after := s.want(http.StatusOK, http.MethodGet, "/v1/sessions/web:s", "").body; after != before {
		t.Errorf("something was done: %s", after)
	}
	for _, key := range []string{"!", "~", strings.Repeat("k", 200)} {
		s.want(http.StatusOK, http.MethodPost, "/v1/sessions/web:s/turn_end", "", "Idempotency-Key", key)
	}
}
