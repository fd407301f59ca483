package serve_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/call"
	"github.com/cento-dev/cento/internal/serve"
	"github.com/cento-dev/cento/internal/storetest"
)

// many are items between an opening and an end, as many as about so many bytes hold; %d in
// an item is its number.
func many(bytes int, open, item, end string) string {
	var b strings.Builder
	b.WriteString(open)
	for i := 0; b.Len() < bytes; i++ {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strings.ReplaceAll(item, "%d", strconv.Itoa(i)))
	}
	b.WriteString(end)
	return b.String()
}

// heavy are bodies of about so many bytes for each operation, which ask for the longest
// answer or the most work that is known.
func heavy(size int) map[string][]string {
	fragments := many(size, `"fragments": [`, `{"id": "a%d", "body": "Word %d."}`, `]`)
	gated := many(size, `"fragments": [`, `{"id": "a%d", "body": "Word %d.", "requires_caps": ["c"]}`, `]`)
	without := many(size, `"without_tools": [`, `"t%d"`, `]`)
	messages := many(size, `"messages": [`, `{"role": "user", "text": "x"}`, `]`)
	long := strings.Repeat("x", size)
	text := strings.Repeat(`\u0001\"`, size/8)
	return map[string][]string{
		"ablate":   {`{"by": "group", ` + fragments + `}`, `{` + many(min(size, 20<<10), `"fragments": [`, `{"id": "a%d", "body": "Word %d."}`, `]`) + `}`},
		"assemble": {`{` + fragments + `}`, `{` + without + `}`, `{"system": "` + text + `"}`},
		"budget":   {`{"model": "gpt-5.4", "budget": 100, ` + many(size, `"fragments": [`, `{"id": "a%d", "body": "x y z", "importance": %d, "variants": ["x y", "x"]}`, `]`) + `}`},
		"cache":    {`{"model": "claude-opus-5", "to": {"caps": ["c"]}, ` + gated + `}`, `{"provider": "anthropic", "to": {"caps": ["c"]}, ` + messages + `}`},
		"check":    {`{}`},
		"contract": {many(size, `{"contract": {"role": "proposer", "objective": "x", "context": {"seeds": [`, `{"id": "a%d", "content": "x"}`, `]}, "output": {"emit": "plan", "key": "seeds"}}}`), `{"text": "` + text + `"}`},
		"diff":     {`{"to": {"caps": ["c"]}, ` + gated + `}`, `{"to": {` + without + `}}`},
		"explain":  {`{` + fragments + `}`, `{` + without + `}`, `{"all_reasons": true, ` + gated + `}`}, "instructions": {many(size, `{"for": [`, `"a%d"`, `]}`)},
		"layers":    {many(size, `{"layers": [`, `{"name": "l%d", "layer": {"slots": {"guidance": {"contributions": [{"content": "x"}]}}}}`, `]}`)},
		"models":    {many(size, `{"manifest": {"models": [`, `{"id": "m%d"}`, `]}}`), `{"query": "` + long + `"}`},
		"reduce":    {`{` + fragments + `}`, `{` + gated + `}`},
		"reminders": {`{"session": {"id": "s"}, ` + many(size, `"ops": [`, `{"op": "inject", "reminder": {"id": "r%d", "body": "x"}}`, `]}`)},
		"render":    {`{"root": "$workspace/a", "files": {"$workspace/a": "{% for i in range(9000) %}{{ i }}{% endfor %}"}}`, many(size, `{"root": "$workspace/a", "files": {"$workspace/a": "`, `{{ 1 }}`, `"}}`)},
		"scope":     {many(size/2, `{"scope": {"allow": [`, `{"target": "/a", "permission": "read"}`, `]},`) + many(size/2, `"paths": [`, `"/a/%d"`, `]}`), many(size, `{"scope": {"allow": [{"target": "/a", "permission": "read"}]}, "paths": [`, `"/a/%d"`, `]}`)},
		"tokens":    {many(size, `{"texts": [`, `"%d"`, `]}`)},
		"why":       {`{"text": "Word 1", ` + fragments + `}`, `{"text": "Wurd nowhere", ` + gated + `}`, `{"text": "` + long + `"}`},
		"wire":      {`{"provider": "anthropic", ` + messages + `}`, `{"provider": "gemini", "partial": true, ` + fragments + `}`},
	}
}

// heavyProject is a manifest of about so many bytes, within what one may hold.
func heavyProject(size int) string {
	return "scope: off\nprofile: off\nskills: off\ntools: [{name: todo}]\n" + many(min(size, 300<<10), "fragments: [", "{id: w%d, body: Word %d is WEB-CANARY.}", "]\n") + many(600, "targets: {", "t%d: {caps: [a%d]}", "}\n")
}

// inHandBody hands a request to the service without a connection, whose times would be others.
func (s *service) inHandBody(method, path, body string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequestWithContext(s.t.Context(), method, s.base+path, strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer "+s.secret)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	s.server.Handler().ServeHTTP(w, r)
	return w
}

// questions are requests to a route: those of its row in accesses, and the heavy ones of its
// operation.
func questions(name string, row *access, heavy map[string][]string) []string {
	_, path, _ := strings.Cut(name, " ")
	op := path[strings.LastIndexByte(path, '/')+1:]
	if strings.HasPrefix(name, "POST ") && (path == "/v1/"+op || path == "/v1/projects/{project}/"+op) && heavy[op] != nil {
		return heavy[op]
	}
	return []string{row.body}
}

// TestAnswersHaveABound: no route and no tool of MCP answers with more than the bound: what
// would be longer is refused, and it is told how to ask for less; of a change, that it is
// done. A new route, operation or tool is part of it, and fails where it has no row.
func TestAnswersHaveABound(t *testing.T) {
	const size = 32 << 10 // the bound is made as much smaller
	most := call.MostAnswer / (8 << 20) * size
	manifest := heavyProject(size)
	s := begin(t, func(c *serve.Config) {
		c.SetAnswer(most)
		c.SetTime(time.Hour) // how long an answer takes is for other tests
		c.Projects = []serve.Project{of("web", project(t, manifest))}
	})
	name := strings.Repeat("n", 120)
	for i := range 20 {
		s.want(http.StatusOK, http.MethodPost, "/v1/sessions", fmt.Sprintf(`{"project": "web", "id": "%s%d"}`, name, i))
	}
	bodies, rows := heavy(size), accesses()
	var longest, widest string
	var length int
	var ratio float64
	refused := 0
	ask := func(route, method, address, body string, headers ...string) {
		t.Helper()
		w := s.inHandBody(method, address, body, headers...)
		got := w.Body.String()
		asked := len(address) + len(body)
		if len(got) > length {
			longest, length = route, len(got)
		}
		if r := float64(len(got)) / float64(asked); r > ratio {
			widest, ratio = route, r
		}
		bound := most
		var p struct{ Code, Hint string }
		if w.Code >= http.StatusBadRequest {
			bound = 256 << 10 // a hundred faults
			if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil && route != "POST /mcp" {
				t.Errorf("%s: status %d: %.300s", route, w.Code, got)
			}
		}
		if len(got) > bound || w.Code >= http.StatusInternalServerError || w.Code == http.StatusOK && len(got) == 0 {
			t.Errorf("%s, %.60q: status %d, %d bytes: %.300s", route, body, w.Code, len(got), got)
		}
		if p.Code == string(call.AnswerTooLong) {
			if refused++; w.Code != http.StatusUnprocessableEntity || p.Hint == "" {
				t.Errorf("%s: status %d, hint %q", route, w.Code, p.Hint)
			}
			if done := strings.Contains(got, "it is done"); done != (s.server.Routes()[route] == serve.ScopeWrite) {
				t.Errorf("%s: it is told whether it is done: %v", route, done)
			}
		}
	}
	unknown := `{"` + strings.Repeat("k", size) + `": 1}`
	for _, route := range sorted(s.server.Routes()) {
		row, ok := rows[route]
		if !ok && !strings.HasPrefix(route, "GET /inspector/") {
			t.Errorf("%s has no row: what does it answer at most?", route)
			continue
		}
		if !s.server.Limited(route) { // it is the same for all, or sent as it is made
			continue
		}
		method, address, _ := strings.Cut(route, " ")
		fill := strings.NewReplacer("{project}", "web", "{id}", "web:"+name+"1", "{record}", "web:"+name+"1@1", "RECORD", "web:"+name+"0@1", "{$}", "", "NEW", "new"+strconv.Itoa(len(route)))
		query := map[string]string{"GET /v1/sessions": "?limit=1000", "GET /v1/records": "?limit=500&text=Word", "GET /v1/sessions/{id}/timeline": "?limit=500"}[route] + queries[route]
		for _, body := range questions(route, &row, bodies) {
			ask(route, method, fill.Replace(address+query), fill.Replace(body), row.headers...)
		}
		if method == http.MethodPost {
			ask(route, method, fill.Replace(address), unknown, row.headers...)
		}
	}
	ask("GET /v1/records", http.MethodGet, "/v1/records?limit=500", "")
	ask("POST /v1/sessions/{id}/turn", http.MethodPost, "/v1/sessions/web:"+name+"2/turn", `{"provider": "anthropic", `+many(size, `"messages": [`, `{"role": "user", "text": "x"}`, `]}`))
	ask("POST /v1/sessions", http.MethodPost, "/v1/sessions", many(size, `{"project": "web", "id": "other", "with": {"fragments": [`, `{"id": "a%d", "body": "Word %d."}`, `]}}`))
	ask("GET /v1/records/diff", http.MethodGet, "/v1/records/diff?a=web:other@1&b=web:"+name+"0@1", "")
	ask("GET /v1/sessions/{id}", http.MethodGet, "/v1/sessions/web:other", "")

	// Tools of MCP, and its lists.
	message := func(method, params string) string {
		return `{"jsonrpc": "2.0", "id": 1, "method": "` + method + `", "params": ` + params + `}`
	}
	arguments := map[string]string{
		"assemble": `{"tokens": true}`, "check": `{}`, "diff": `{"to": {"without_tools": ["todo"]}}`, "explain": `{"all_reasons": true}`, "instructions": `{}`,
		"why": `{"text": "Word"}`, "search_records": `{"text": "Word", "limit": 200, "excluded": true}`,
	}
	var list struct {
		Result struct{ Tools []struct{ Name string } }
	}
	must(t, json.Unmarshal([]byte(s.want(http.StatusOK, http.MethodPost, "/mcp", message("tools/list", "{}"), "Accept", bothKinds).body), &list))
	if len(list.Result.Tools) != len(arguments) {
		t.Errorf("%d tools, and %d have a row", len(list.Result.Tools), len(arguments))
	}
	for _, tool := range list.Result.Tools {
		ask("POST /mcp", http.MethodPost, "/mcp", message("tools/call", `{"name": "`+tool.Name+`", "arguments": `+arguments[tool.Name]+`}`), "Accept", bothKinds)
	}
	for method, params := range map[string]string{"prompts/list": "{}", "resources/list": "{}", "prompts/get": `{"name": "web"}`, "resources/read": `{"uri": "cento://web/prompt"}`} {
		ask("POST /mcp", http.MethodPost, "/mcp", message(method, params), "Accept", bothKinds)
	}
	if refused == 0 {
		t.Error("nothing was refused, so the bound isn't tried")
	}
	t.Logf("the longest answer: %s, %d bytes of %d; the most for a byte: %s, %.0f; %d were refused", longest, length, most, widest, ratio, refused)
}

// inMemory are routes that answer with what was made before, and do no work for a request.
var inMemory = map[string]bool{"GET /v1/projects": true, "GET /v1/projects/{project}": true}

// TestNoTimeLeft: where the time of a request is over before its work begins, each route says
// so: it looks at its time, and so does the store. Nothing is changed then, and no goroutine
// goes on.
func TestNoTimeLeft(t *testing.T) {
	there := goleak.IgnoreCurrent()
	place := storetest.SQLite(t)
	s := start(t, place, nil)
	s.want(http.StatusOK, http.MethodPost, "/v1/sessions", `{"project": "web", "id": "first"}`)
	s.want(http.StatusOK, http.MethodPost, "/v1/sessions/web:first/turn", "")
	before := s.want(http.StatusOK, http.MethodGet, "/v1/export", "").body
	must(t, s.stop())

	s = start(t, place, func(c *serve.Config) { c.SetTime(time.Nanosecond) })
	for _, route := range sorted(accesses()) {
		row := accesses()[route]
		method, address, _ := strings.Cut(route, " ")
		if !s.server.Limited(route) || inMemory[route] {
			continue
		}
		fill := strings.NewReplacer("{project}", "web", "{id}", "web:first", "{record}", "web:first@1", "RECORD", "web:first@1", "NEW", "new")
		w := s.inHandBody(method, fill.Replace(address+queries[route]), fill.Replace(row.body), row.headers...)
		var p struct{ Code string }
		_ = json.Unmarshal(w.Body.Bytes(), &p) // else it has none
		if w.Code != http.StatusServiceUnavailable || p.Code != string(serve.TooSlow) && p.Code != string(app.StoreUnreachable) {
			t.Errorf("%s: status %d: %.300s", route, w.Code, w.Body)
		}
	}
	must(t, s.stop())

	s = start(t, place, nil)
	if after := s.want(http.StatusOK, http.MethodGet, "/v1/export", "").body; after != before {
		t.Errorf("something was changed:\n%s\nand was\n%s", after, before)
	}
	must(t, s.stop())
	goleak.VerifyNone(t, there)
}

// TestTimeEndsWork: work that would take minutes ends with the time of its request, on the
// goroutine that does it.
func TestTimeEndsWork(t *testing.T) {
	there := goleak.IgnoreCurrent()
	s := begin(t, func(c *serve.Config) { c.SetTime(100 * time.Millisecond) })
	began := time.Now()
	w := s.inHandBody(http.MethodPost, "/v1/scope", many(1<<20, `{"scope": {"allow": [{"target": "/b", "permission": "read"}], "deny": [`, `{"target": "/a%d", "permission": "read"}`, `]},`)+many(2<<20, `"paths": [`, `"/a/%d"`, `]}`))
	if w.Code != http.StatusServiceUnavailable || !strings.Contains(w.Body.String(), "request.timeout") {
		t.Errorf("status %d: %.300s", w.Code, w.Body)
	}
	if took := time.Since(began); took > time.Minute {
		t.Errorf("it took %v", took) // and without a look at the time ten times that
	}
	must(t, s.stop())
	goleak.VerifyNone(t, there)
}
