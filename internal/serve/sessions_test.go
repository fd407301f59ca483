package serve_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/serve"
	"github.com/cento-dev/cento/internal/storetest"
)

// TestSession takes a session through all transitions, on each engine.
func TestSession(t *testing.T) {
	storetest.OnBoth(t, func(t *testing.T, place string) {
		s := start(t, place, nil)
		r := s.want(http.StatusOK, http.MethodPost, "/v1/sessions", `{"project": "web", "id": "s", "placement": "turn", "with": {"without_tools": ["shell"]}}`, "Idempotency-Key", "start")
		if got := field(t, r.body, "session"); got != "web:s" {
			t.Fatalf("the session is called %v", got)
		}
		again := s.want(http.StatusOK, http.MethodPost, "/v1/sessions", `{"project": "web", "id": "s", "placement": "turn", "with": {"without_tools": ["shell"]}}`, "Idempotency-Key", "start")
		if field(t, again.body, "digest") != field(t, r.body, "digest") {
			t.Errorf("asked again: %s", again.body)
		}
		s.refuses(http.StatusConflict, "session.exists", http.MethodPost, "/v1/sessions", `{"project": "web", "id": "s", "placement": "system"}`)
		prompt := s.want(http.StatusOK, http.MethodGet, "/v1/sessions/web:s/prompt", "")
		if want := "You are brief.\n\n## Tools\n\nKeep the list."; prompt.body != want {
			t.Errorf("the prompt is %q", prompt.body)
		}
		if tag := prompt.Header.Get("ETag"); tag != fmt.Sprintf("%q", field(t, r.body, "digest")) || tag != fmt.Sprintf("\"%x\"", sha256.Sum256([]byte(prompt.body))) {
			t.Errorf("the prompt has the tag %s", tag)
		}
		s.want(http.StatusNotModified, http.MethodGet, "/v1/sessions/web:s/prompt", "", "If-None-Match", prompt.Header.Get("ETag"))

		const remind = "/v1/sessions/web:s/remind"
		s.want(http.StatusOK, http.MethodPost, remind, `{"reminder": {"body": "Tests are red.", "ttl_turns": 2, "id": "r1"}}`, "If-Match", "2", "Idempotency-Key", "k")
		done := s.want(http.StatusOK, http.MethodPost, remind, `{"reminder": {"body": "Tests are red.", "ttl_turns": 2, "id": "r1"}}`, "If-Match", "2", "Idempotency-Key", "k")
		if field(t, done.body, "version") != 3.0 || field(t, done.body, "replayed") != true {
			t.Errorf("asked again with the same key: %s", done.body)
		}
		s.refuses(http.StatusUnprocessableEntity, "idempotency.reused", http.MethodPost, remind, `{"reminder": {"body": "Another."}}`, "Idempotency-Key", "k")
		old := s.refuses(http.StatusConflict, "store.conflict", http.MethodPost, remind, `{"reminder": {"body": "Late."}}`, "If-Match", `"2"`)
		if old.Header.Get("Cento-Session-Version") != "3" {
			t.Errorf("a conflict names the version %q", old.Header.Get("Cento-Session-Version"))
		}
		wrong := s.refuses(http.StatusUnprocessableEntity, "wire.form", http.MethodPost, "/v1/sessions/web:s/turn", `{"provider": "antropic"}`)
		if at := field(t, wrong.body, "position"); at == nil || at.(map[string]any)["column"] != 2.0 {
			t.Errorf("the form that isn't known has no place: %s", wrong.body)
		}
		// Whoever brings a conversation wants a request; this manifest names no form.
		s.refuses(http.StatusUnprocessableEntity, "wire.form", http.MethodPost, "/v1/sessions/web:s/turn", `{"messages": [{"role": "user", "text": "Hi."}]}`)
		turn := s.want(http.StatusOK, http.MethodPost, "/v1/sessions/web:s/turn", `{"provider": "anthropic", "messages": [{"role": "user", "text": "Hi."}]}`)
		if !strings.Contains(turn.body, "Tests are red.") || !strings.Contains(turn.body, `"url_path": "/v1/messages"`) {
			t.Errorf("the turn: %s", turn.body)
		}
		s.want(http.StatusOK, http.MethodPost, "/v1/sessions/web:s/turn_end", "")
		s.want(http.StatusOK, http.MethodPost, "/v1/sessions/web:s/compact", `{"recap": "Half is done."}`)
		s.want(http.StatusOK, http.MethodPost, "/v1/sessions/web:s/clear", `{"id": "r1"}`)
		s.want(http.StatusOK, http.MethodPost, "/v1/sessions/web:s/touch", `{"files": ["a/b.go"]}`)
		s.refuses(http.StatusForbidden, "request.outside", http.MethodPost, "/v1/sessions/web:s/touch", `{"files": ["../x"]}`)
		for _, reason := range []string{`a\nb`, `a\u202eb`, strings.Repeat("x", 151)} {
			wrong := s.refuses(http.StatusUnprocessableEntity, "session.reason", http.MethodPost, "/v1/sessions/web:s/rematerialise", `{"reason": "`+reason+`"}`)
			if at := field(t, wrong.body, "position"); at == nil || at.(map[string]any)["column"] != 2.0 {
				t.Errorf("the reason has no place: %s", wrong.body)
			}
		}
		s.want(http.StatusOK, http.MethodPost, "/v1/sessions/web:s/rematerialise", `{"reason": "a tool came"}`)
		if p := s.want(http.StatusOK, http.MethodGet, "/v1/sessions/web:s/prompt", ""); !strings.Contains(p.body, "Run commands.") {
			t.Errorf("made anew it is %q", p.body)
		}
		fork := s.want(http.StatusOK, http.MethodPost, "/v1/sessions/web:s/fork", `{"child": "c"}`, "Idempotency-Key", "f")
		if field(t, fork.body, "session") != "web:c" || field(t, fork.body, "parent") != "web:s" {
			t.Errorf("the child: %s", fork.body)
		}
		s.want(http.StatusOK, http.MethodGet, "/v1/sessions/web:c", "")
		s.refuses(http.StatusConflict, "session.not_materialised", http.MethodGet, "/v1/sessions/web:c/prompt", "")
		s.want(http.StatusOK, http.MethodGet, "/v1/sessions/web:s/timeline", "")
		s.refuses(http.StatusUnprocessableEntity, "cache.too_few", http.MethodGet, "/v1/sessions/web:s/cache", "")
		s.want(http.StatusOK, http.MethodPost, "/v1/sessions/web:s/turn", "")
		kept := s.want(http.StatusOK, http.MethodGet, "/v1/sessions/web:s/cache?model=claude-opus-5", "")
		steps := field(t, kept.body, "steps").([]any)
		if len(steps) != 2 || steps[1].(map[string]any)["name"] != "turn 1" || !strings.Contains(kept.body, `"claude-opus-5"`) || !strings.Contains(kept.body, "tools_changed") {
			t.Errorf("of two turns with a tool between: %s", kept.body)
		}
		s.refuses(http.StatusNotFound, "session.unknown", http.MethodGet, "/v1/sessions/web:nobody/cache", "")
		s.refuses(http.StatusBadRequest, "key.unknown", http.MethodGet, "/v1/sessions/web:s/cache?modle=x", "")

		// Records, and what is made of them.
		list := s.want(http.StatusOK, http.MethodGet, "/v1/records?session=web:s&limit=2", "")
		next := field(t, list.body, "next").(string)
		if next == "" {
			t.Fatalf("more than two records are told at once: %s", list.body)
		}
		seen := strings.Count(list.body, `"seq"`)
		for next != "" {
			list = s.want(http.StatusOK, http.MethodGet, "/v1/records?session=web:s&limit=2&cursor="+next, "")
			seen, next = seen+strings.Count(list.body, `"seq"`), field(t, list.body, "next").(string)
		}
		all := s.want(http.StatusOK, http.MethodGet, "/v1/records?session=web:s&limit=500", "")
		if n := strings.Count(all.body, `"seq"`); seen != n {
			t.Errorf("page by page there are %d records, and %d at once", seen, n)
		}
		// The timeline has the same, page by page from the newest, each page oldest first.
		var seqs []int64
		for next, pages := "", 0; pages == 0 || next != ""; pages++ {
			var page struct {
				Records []struct{ Seq int64 }
				Next    string
			}
			got := s.want(http.StatusOK, http.MethodGet, strings.TrimSuffix("/v1/sessions/web:s/timeline?limit=2&cursor="+next, "&cursor="), "")
			must(t, json.Unmarshal([]byte(got.body), &page))
			var of []int64
			for _, r := range page.Records {
				of = append(of, r.Seq)
			}
			if len(of) > 2 || len(of) == 0 || pages > 20 {
				t.Fatalf("page %d of the timeline: %s", pages, got.body)
			}
			seqs, next = append(of, seqs...), page.Next
		}
		if len(seqs) != seen || !slices.IsSorted(seqs) || seqs[0] != 1 {
			t.Errorf("the timeline has %v, and there are %d records", seqs, seen)
		}
		for _, q := range []string{"limit=0", "limit=501", "limit=x", "cursor=x", "cursor=web:c@1", "nothing=1"} {
			s.want(http.StatusBadRequest, http.MethodGet, "/v1/sessions/web:s/timeline?"+q, "")
		}
		var records struct{ Records []struct{ Hash string } }
		must(t, json.Unmarshal([]byte(all.body), &records))
		hash := records.Records[len(records.Records)-1].Hash
		s.want(http.StatusOK, http.MethodGet, "/v1/records/"+hash, "")
		if r := s.want(http.StatusOK, http.MethodGet, "/v1/records/"+hash+"/replay", ""); field(t, r.body, "same") != true {
			t.Errorf("replayed: %s", r.body)
		}
		if r := s.want(http.StatusOK, http.MethodGet, "/v1/records/diff?a="+hash+"&b=web:s@1", ""); strings.Contains(r.body, "Run commands.") {
			t.Errorf("a record and itself differ: %s", r.body)
		}
		made := s.want(http.StatusOK, http.MethodPost, "/v1/assemble", `{"input": "`+hash+`"}`)
		if field(t, made.body, "system") != prompt.body {
			t.Errorf("made of the record: %s", made.body)
		}
		if r := s.want(http.StatusOK, http.MethodGet, "/v1/records?text=keep+the+list", ""); !strings.Contains(r.body, `"ignored_case": true`) {
			t.Errorf("found: %.300s", r.body)
		}
		export := s.want(http.StatusOK, http.MethodGet, "/v1/export", "")
		for line := range strings.Lines(export.body) {
			if !json.Valid([]byte(line)) {
				t.Errorf("a line of the export: %q", line)
			}
		}
		// Another process on the same store has the session, too.
		other := start(t, place, nil)
		if p := other.want(http.StatusOK, http.MethodGet, "/v1/sessions/web:s/prompt", ""); !strings.Contains(p.body, "Run commands.") {
			t.Errorf("elsewhere it is %q", p.body)
		}
	})
}

// TestFormOfTheModel: a turn that brings the conversation is answered in the form of the
// session's model; without one the error says what to name.
func TestFormOfTheModel(t *testing.T) {
	s := begin(t, func(c *serve.Config) {
		c.Projects = []serve.Project{of("web", project(t, webManifest+"model: claude-opus-5\n")), of("api", project(t, webManifest))}
	})
	const said = `{"messages": [{"role": "user", "text": "hi"}]}`
	for _, name := range []string{"web", "api"} {
		s.want(http.StatusOK, http.MethodPost, "/v1/sessions", `{"project": "`+name+`", "id": "s"}`)
	}
	r := s.want(http.StatusOK, http.MethodPost, "/v1/sessions/web:s/turn", said)
	if request, _ := field(t, r.body, "request").(map[string]any); request["url_path"] != "/v1/messages" {
		t.Errorf("the request goes to %v", request["url_path"])
	}
	e := s.refuses(http.StatusUnprocessableEntity, "wire.form", http.MethodPost, "/v1/sessions/api:s/turn", said)
	if !strings.Contains(e.body, "name one, of anthropic") {
		t.Errorf("without a model: %s", e.body)
	}
}

// TestRecordPages: page by page the records are told once each, those in which a text stands
// too, and the last page says that it is the last.
func TestRecordPages(t *testing.T) {
	s := begin(t, nil)
	s.want(http.StatusOK, http.MethodPost, "/v1/sessions", `{"project": "web", "id": "s"}`)
	for range 4 {
		s.want(http.StatusOK, http.MethodPost, "/v1/sessions/web:s/turn", "")
	}
	type named struct {
		Session string
		Seq     int64
	}
	for _, query := range []string{"", "text=brief&", "session=web:s&", "text=brief&session=web:s&"} {
		for _, limit := range []int{1, 2, 5} {
			var got []int64
			next := ""
			for range 9 {
				var page struct {
					Records []named
					Found   struct{ Matches []named }
					Next    string
				}
				must(t, json.Unmarshal([]byte(s.want(http.StatusOK, http.MethodGet, fmt.Sprint("/v1/records?", query, "limit=", limit, next), "").body), &page))
				list := append(page.Records, page.Found.Matches...)
				for _, r := range list {
					got = append(got, r.Seq)
				}
				if len(list) > limit || len(list) == 0 {
					t.Errorf("%slimit=%d%s: %d records", query, limit, next, len(list))
				}
				if next = "&cursor=" + page.Next; page.Next == "" {
					break
				}
			}
			if !slices.Equal(got, []int64{5, 4, 3, 2, 1}) {
				t.Errorf("%slimit=%d: %v", query, limit, got)
			}
		}
	}
}

func field(t testing.TB, body, name string) any {
	t.Helper()
	var v map[string]any
	must(t, json.Unmarshal([]byte(body), &v))
	return v[name]
}

// TestOneOfMany: of clients that ask with the same key at the same time, on two
// processes, each is given the same answer, and it is done once; with a version, one wins.
func TestOneOfMany(t *testing.T) {
	storetest.OnBoth(t, func(t *testing.T, place string) {
		a := start(t, place, nil)
		b := start(t, place, nil)
		a.document() // schemas are read once
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
		for _, address := range []string{
			"/v1/sessions/api:s", "/v1/sessions/api:s/prompt", "/v1/sessions/api:s/timeline", "/v1/records?session=api:s", "/v1/export?session=api:s", "/v1/events?session=api:s",
			"/v1/records/" + hash, "/v1/records/api:s@1", "/v1/records/" + hash + "/replay", "/v1/records/diff?a=web:s@1&b=" + hash, "/v1/records/diff?a=api:s@1&b=web:s@1",
		} {
			r := s.ask(http.MethodGet, address, "", web...)
			if r.StatusCode != http.StatusNotFound || strings.Contains(r.body, "api") || strings.Contains(r.body, "You serve") {
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

// TestProjects: answers about a project are those of its files as they are, a what-if is
// the same by parameters and by body, and a tag tells that nothing changed.
func TestProjects(t *testing.T) {
	dir := project(t, webManifest)
	s := begin(t, func(c *serve.Config) { c.Projects = []serve.Project{of("web", dir)} })
	for get, post := range map[string][2]string{
		"assemble?without_tools=todo":                         {"assemble", `{"without_tools": ["todo"]}`},
		"assemble?tools=":                                     {"assemble", `{"tools": []}`},
		"assemble?target=ci":                                  {"assemble", `{"target": "ci"}`},
		"explain?caps=a&caps=b&tokens=true":                   {"explain", `{"caps": ["a", "b"], "tokens": true}`},
		"why?text=Keep":                                       {"why", `{"text": "Keep"}`},
		"diff?to.without_tools=shell":                         {"diff", `{"to": {"without_tools": ["shell"]}}`},
		"check?strict=true":                                   {"check", `{"strict": true}`},
		"wire?provider=anthropic&partial=true":                {"wire", `{"provider": "anthropic", "partial": true}`},
		"instructions?for=a.go":                               {"instructions", `{"for": ["a.go"]}`},
		"budget?model=claude-sonnet-4-6":                      {"budget", `{"model": "claude-sonnet-4-6"}`},
		"cache?model=claude-sonnet-4-6&to.without_tools=todo": {"cache", `{"model": "claude-sonnet-4-6", "to": {"without_tools": ["todo"]}}`},
		"assemble?budget=100000":                              {"assemble", `{"budget": 100000}`},
		"explain?model=claude-sonnet-4-6&budget=20%25":        {"explain", `{"model": "claude-sonnet-4-6", "budget": "20%"}`},
		"budget?model=claude-sonnet-4-6&budget=%2220%25%22":   {"budget", `{"model": "claude-sonnet-4-6", "budget": "20%"}`},
		"assemble?vars=%7B%22a%22:1%7D":                       {"assemble", `{"vars": {"a": 1}}`},
	} {
		a := s.want(http.StatusOK, http.MethodGet, "/v1/projects/web/"+get, "")
		b := s.want(http.StatusOK, http.MethodPost, "/v1/projects/web/"+post[0], post[1])
		if a.body != b.body {
			t.Errorf("%s: %s\nand %s: %s", get, a.body, post[1], b.body)
		}
		s.want(http.StatusNotModified, http.MethodGet, "/v1/projects/web/"+get, "", "If-None-Match", `"x", W/`+a.Header.Get("ETag"))
	}
	s.want(http.StatusOK, http.MethodGet, "/v1/projects/web/models?query=claude", "")
	s.refuses(http.StatusBadRequest, "key.unknown", http.MethodGet, "/v1/projects/web/assemble?without_tool=x", "")
	s.refuses(http.StatusBadRequest, "key.duplicate", http.MethodGet, "/v1/projects/web/assemble?target=a&target=b", "")
	s.refuses(http.StatusBadRequest, "key.unknown", http.MethodGet, "/v1/projects?x=1", "")
	near := s.ask(http.MethodGet, "/v1/projects/web/assemble?target=cii", "")
	if near.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(near.body, `"ci\"`) {
		t.Errorf("an unknown target: %d %s", near.StatusCode, near.body)
	}
	before := s.want(http.StatusOK, http.MethodGet, "/v1/projects/web", "")
	if strings.Contains(before.body, dir) || field(t, before.body, "drifted") != false || before.Header.Get("Cento-As-Of") == "" {
		t.Errorf("the project: %s", before.body)
	}
}

// TestProjectThatFails: a project that can't be located is told with why, whoever asks and
// however; the others are served, and it is again once it can be.
func TestProjectThatFails(t *testing.T) {
	var fails atomic.Bool
	dir := project(t, webManifest)
	s := begin(t, func(c *serve.Config) {
		web := of("web", dir)
		request := web.Request
		web.Request = func() (app.Request, error) {
			if fails.Load() {
				return app.Request{}, &cento.SourceError{Code: "test.gone", Message: "the folder moved"}
			}
			return request()
		}
		c.Projects = []serve.Project{web, of("api", project(t, webManifest))}
	})
	asked := [][3]string{
		{http.MethodGet, "/v1/projects/web", ""}, {http.MethodGet, "/v1/projects/web/assemble", ""}, {http.MethodPost, "/v1/projects/web/assemble", "{}"},
		{http.MethodGet, "/v1/projects/web/test", ""}, {http.MethodPost, "/v1/projects/web/why", `{"text": "brief"}`},
		{http.MethodPost, "/v1/sessions", `{"project": "web", "id": "s"}`},
	}
	for _, failing := range []bool{true, false} {
		fails.Store(failing)
		for _, x := range asked {
			r := s.ask(x[0], x[1], x[2])
			if failed := r.StatusCode != http.StatusOK; failed != failing || failing && (r.code() != "test.gone" || !strings.Contains(r.body, "the folder moved")) {
				t.Errorf("failing %t: %s %s: %d %s", failing, x[0], x[1], r.StatusCode, r.body)
			}
		}
		var list serve.ProjectsAnswer
		must(t, json.Unmarshal([]byte(s.want(http.StatusOK, http.MethodGet, "/v1/projects", "").body), &list))
		for _, p := range list.Projects {
			if broken := failing && p.Name == "web"; (p.Error != nil) != broken || (p.Input == "") != broken || broken && p.Error.Code != "test.gone" {
				t.Errorf("failing %t: %+v", failing, p)
			}
		}
		s.want(http.StatusOK, http.MethodGet, "/v1/projects/api/assemble", "")
	}
	if strings.Contains(s.log.String(), "panic") {
		t.Error("the program made a mistake")
	}
}

// age makes the files of a project old: what was written just before it is read is read
// once more, to be sure of it.
func age(t *testing.T, dir string) {
	t.Helper()
	must(t, filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		old := time.Now().Add(-time.Hour)
		return errors.Join(err, os.Chtimes(path, old, old))
	}))
}

// TestFollowsFiles: when the files of a project change, that is an event, and answers are
// of the files as they are then, with the clock of the request. What is wrong with them is
// told with its place, until it is mended.
func TestFollowsFiles(t *testing.T) {
	dir := project(t, "")
	manifest := func(text string) { must(t, os.WriteFile(filepath.Join(dir, "cento.yaml"), []byte(text), 0o600)) }
	good := strings.Replace(webManifest, "system: You are brief.\n", "instruction: $workspace/main\n", 1)
	must(t, os.MkdirAll(filepath.Join(dir, ".cento", "prompts"), 0o700))
	must(t, os.WriteFile(filepath.Join(dir, ".cento", "prompts", "main.md"), []byte("You are brief. It is {{ date }}.\n"), 0o600))
	manifest(good)
	age(t, dir)
	var day atomic.Int64
	s := begin(t, func(c *serve.Config) {
		c.Projects = []serve.Project{{Name: "web", Request: func() (app.Request, error) {
			return app.Request{Dir: dir, Servers: app.NoServers, Now: time.Date(2026, 11, 1+int(day.Load()), 0, 0, 0, 0, time.UTC)}, nil
		}}}
	})
	events := s.listen("/v1/events?project=web")
	assemble := func(what string) reply { return s.ask(http.MethodGet, "/v1/projects/web/assemble"+what, "") }
	first, small := assemble(""), assemble("?vars=%7B%22a%22:1%7D")
	day.Add(1)
	if r := assemble(""); !strings.Contains(first.body, "2026-11-01") || !strings.Contains(r.body, "2026-11-02") {
		t.Errorf("on the first day %s, on the second %s", first.body, r.body)
	}
	if again := assemble(""); first.StatusCode != http.StatusOK || again.Header.Get("Cento-As-Of") != first.Header.Get("Cento-As-Of") {
		t.Errorf("nothing changed: %s, as of %s and %s", again.body, first.Header.Get("Cento-As-Of"), again.Header.Get("Cento-As-Of"))
	}
	must(t, os.WriteFile(filepath.Join(dir, ".cento", "prompts", "main.md"), []byte("You are verbose.\n"), 0o600))
	e := events.next(t, "project.changed")
	r := assemble("")
	if !strings.Contains(r.body, "verbose") || e["before"] != first.Header.Get("Cento-Input-Digest") || e["after"] != r.Header.Get("Cento-Input-Digest") || e["before"] == e["after"] || e["project"] != "web" {
		t.Errorf("after %v: %s", e, r.body)
	}
	if r := assemble("?vars=%7B%22a%22:1%7D"); !strings.Contains(r.body, "verbose") || r.body == small.body {
		t.Errorf("with a variable: %s", r.body)
	}
	if p := s.want(http.StatusOK, http.MethodGet, "/v1/projects/web", ""); field(t, p.body, "drifted") != true {
		t.Errorf("the project: %s", p.body)
	}
	manifest("sytem: x\n")
	if e := events.next(t, "project.changed"); e["after"] != "" || e["error"] == nil {
		t.Errorf("a broken manifest: %v", e)
	}
	bad := s.refuses(http.StatusUnprocessableEntity, "key.unknown", http.MethodGet, "/v1/projects/web/assemble", "")
	if !strings.Contains(bad.body, `"file": "cento.yaml"`) {
		t.Errorf("no place: %s", bad.body)
	}
	list := s.want(http.StatusOK, http.MethodGet, "/v1/projects", "")
	if !strings.Contains(list.body, "key.unknown") {
		t.Errorf("the list: %s", list.body)
	}
	must(t, os.RemoveAll(dir))
	must(t, os.MkdirAll(filepath.Join(dir, ".cento", "prompts"), 0o700))
	must(t, os.WriteFile(filepath.Join(dir, ".cento", "prompts", "main.md"), []byte("You are back.\n"), 0o600))
	manifest(good)
	for e := events.next(t, "project.changed"); e["after"] == ""; e = events.next(t, "project.changed") {
	}
	for r := assemble(""); !strings.Contains(r.body, "You are back."); r = assemble("") {
		events.next(t, "project.changed")
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

// TestSessionNotes: what there is to say of the model and the names of a what-if is in the
// answers of what makes the prompt of a session, or is held against it.
func TestSessionNotes(t *testing.T) {
	s := begin(t, nil)
	const with = `"with": {"model": "claude-opsu-5", "without_tools": ["tood"]}`
	for _, x := range [][2]string{
		{"/v1/sessions", `{"project": "web", "id": "s", ` + with + `}`},
		{"/v1/sessions/web:s/rematerialise", `{` + with + `}`},
		{"/v1/sessions/web:s/drift", `{` + with + `}`},
		{"/v1/sessions/web:s/turn", `{` + with + `}`},
		{"/v1/projects/web/wire", `{"model": "claude-opsu-5", "without_tools": ["tood"], "provider": "anthropic", "partial": true}`},
	} {
		r := s.want(http.StatusOK, http.MethodPost, x[0], x[1])
		for _, code := range []string{"model.guessed", "change.idle"} {
			if strings.Count(r.body, `"code": "`+code+`"`) != 1 {
				t.Errorf("%s doesn't tell once of %s: %s", x[0], code, r.body)
			}
		}
	}
	// Parameters of an address have no places.
	for _, get := range []string{"explain?", "wire?provider=anthropic&partial=true&", "instructions?", "why?text=brief&"} {
		r := s.want(http.StatusOK, http.MethodGet, "/v1/projects/web/"+get+"model=claude-opsu-5", "")
		if !strings.Contains(r.body, `"code": "model.guessed"`) || strings.Contains(r.body, "<request>") {
			t.Errorf("%s: %s", get, r.body)
		}
	}
}
