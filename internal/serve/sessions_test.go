package serve_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

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
		for _, setting := range []string{`"materialise": "per-turn"`, `"placement": "sytem"`, `"placement": ""`} {
			wrong := s.refuses(http.StatusBadRequest, "value.invalid", http.MethodPost, "/v1/sessions", `{"project": "web", "id": "w", `+setting+`}`)
			if at := field(t, wrong.body, "position"); at == nil || at.(map[string]any)["column"] != 33.0+float64(strings.Index(setting, ":")) {
				t.Errorf("{%s} has the place %v", setting, at)
			}
		}
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
		both := s.refuses(http.StatusBadRequest, "key.conflict", http.MethodPost, "/v1/sessions/web:s/turn", `{"provider": "anthropic", "partial": true, "messages": [{"role": "user", "text": "Hi."}]}`)
		if at := field(t, both.body, "position"); at == nil || at.(map[string]any)["line"] != 1.0 {
			t.Errorf("a conversation beside partial has no place: %s", both.body)
		}
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
