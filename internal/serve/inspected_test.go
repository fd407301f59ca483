package serve_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/cento-dev/cento/internal/serve"
)

// TestInspectedOrigin: of a byte of the prompt that the page shows it is told where it is
// from; of another prompt nothing is, nor of a byte that there isn't.
func TestInspectedOrigin(t *testing.T) {
	s := begin(t, nil)
	digest := func(asked string) string {
		t.Helper()
		var shown struct{ Page struct{ Digest string } }
		must(t, json.Unmarshal([]byte(s.want(http.StatusOK, http.MethodPost, "/inspector/of/web", `{"asked": `+asked+`}`).body), &shown))
		return shown.Page.Digest
	}
	const without = `{"without_tools": ["todo"]}`
	origin := func(status int, asked string, at int, digest string) string {
		t.Helper()
		return s.want(status, http.MethodPost, "/inspector/origin/web", fmt.Sprintf(`{"asked": %s, "at": %d, "digest": %q}`, asked, at, digest)).body
	}
	if body := origin(http.StatusOK, "{}", 0, digest("{}")); !strings.Contains(body, "cento.yaml") {
		t.Errorf("the first byte: %s", body)
	}
	if body := origin(http.StatusOK, without, 0, digest(without)); !strings.Contains(body, "cento.yaml") {
		t.Errorf("without a tool: %s", body)
	}
	origin(http.StatusConflict, without, 0, digest("{}"))
	for _, at := range []int{-1, 100_000} {
		if body := origin(http.StatusOK, "{}", at, digest("{}")); body != "null\n" {
			t.Errorf("byte %d: %s", at, body)
		}
	}
}

// TestInspectorRefuses: what is wrong with a request of the page is told at its place, also
// where it stands in a part that another reader reads, or isn't seen before the prompt is made.
func TestInspectorRefuses(t *testing.T) {
	s := begin(t, nil)
	s.want(http.StatusOK, http.MethodPost, "/v1/sessions", `{"project": "web", "id": "s"}`)
	const unknown, target = `{"zz": 1}`, `{"target": "nowhere"}`
	for path, body := range map[string]string{
		"/inspector/of/web": `{"asked": %s}`, "/inspector/origin/web": `{"asked": %s, "at": 0, "digest": "x"}`, "/inspector/record/web:s@1": `{"asked": %s}`,
		"/inspector/diff/web": `{"a": %s, "b": {}}`, "/inspector/diff/web?": `{"a": {}, "b": %s}`,
	} {
		r := s.refuses(http.StatusBadRequest, "key.unknown", http.MethodPost, strings.TrimSuffix(path, "?"), fmt.Sprintf(body, unknown))
		at, _ := field(t, r.body, "position").(map[string]any)
		if want := strings.Index(body, "%s") + 2; at["column"] != float64(want) {
			t.Errorf("%s: at %v, want column %d: %s", path, at, want, r.body)
		}
		if r := s.ask(http.MethodPost, strings.TrimSuffix(path, "?"), fmt.Sprintf(body, target)); !strings.Contains(path, "/record/") && (r.StatusCode < 400 || r.StatusCode > 422 || r.code() == "") {
			t.Errorf("%s: status %d: %s", path, r.StatusCode, r.body)
		}
		r = s.ask(http.MethodPost, strings.TrimSuffix(path, "?"), fmt.Sprintf(body, "{}"), "Content-Type", "text/plain")
		if r.StatusCode != http.StatusUnsupportedMediaType || r.code() != "request.type" {
			t.Errorf("%s, no JSON: status %d: %s", path, r.StatusCode, r.body)
		}
	}
	// A record has settled what was read with its files, and is all that its prompt is made of.
	for _, asked := range []string{
		target, `{"skills": []}`, `{"vars": {}}`, `{"tools": [{"name": "x", "description": "y"}]}`, `{"project": "web"}`, `{"manifest": {}}`,
		`{"input": "` + strings.Repeat("0", 64) + `"}`, `{"profile": {}}`,
	} {
		s.refuses(http.StatusBadRequest, "key.conflict", http.MethodPost, "/inspector/record/web:s@1", `{"asked": `+asked+`}`)
	}
	s.refuses(http.StatusNotFound, "record.unknown", http.MethodPost, "/inspector/diff/web", `{"a": {"input": "`+strings.Repeat("0", 64)+`"}, "b": {}}`)
	// A change that can't be made is refused, though the prompt without it can.
	s.ask(http.MethodPost, "/inspector/of/web", `{"asked": {"budget": 1}}`)
	if r := s.ask(http.MethodPost, "/inspector/of/web", `{"asked": {"budget": 1}}`); r.StatusCode != http.StatusUnprocessableEntity || r.code() == "" {
		t.Errorf("a budget that nothing goes into: status %d: %s", r.StatusCode, r.body)
	}
}

// TestInspectedChange: what the page is told of a change is what changed, and how to say the
// same elsewhere; of a record it is neither a command nor a test.
func TestInspectedChange(t *testing.T) {
	s := begin(t, nil)
	s.want(http.StatusOK, http.MethodPost, "/v1/sessions", `{"project": "web", "id": "s"}`)
	type answer struct {
		Page          struct{ Digest string }
		Difference    *struct{ Verdicts []struct{ ID string } }
		Command, Test string
	}
	inspect := func(path, body string) (a answer) {
		t.Helper()
		must(t, json.Unmarshal([]byte(s.want(http.StatusOK, http.MethodPost, path, body).body), &a))
		return a
	}
	const change = `{"asked": {"without_tools": ["todo"]}}`
	plain, changed, recorded := inspect("/inspector/of/web", `{}`), inspect("/inspector/of/web", change), inspect("/inspector/record/web:s@1", change)
	if plain.Difference != nil || plain.Command != "" || plain.Test != "" {
		t.Errorf("without a change: %+v", plain)
	}
	if changed.Difference == nil || len(changed.Difference.Verdicts) != 1 || changed.Page.Digest == plain.Page.Digest || !strings.Contains(changed.Command, "todo") || !strings.Contains(changed.Test, "todo") {
		t.Errorf("without a tool: %+v", changed)
	}
	if recorded.Difference == nil || recorded.Page.Digest != changed.Page.Digest || recorded.Command != "" || recorded.Test != "" {
		t.Errorf("of a record: %+v", recorded)
	}
	if one := inspect("/inspector/record/web:s@1", `{}`); one.Page.Digest != plain.Page.Digest || one.Difference != nil {
		t.Errorf("a record as it is: %+v", one)
	}
}

// TestValuesInAddresses: a parameter of a what-if that isn't a text is read as what it is,
// and told where it isn't.
func TestValuesInAddresses(t *testing.T) {
	s := begin(t, nil)
	for query, code := range map[string]string{
		"explain?tokens=yes": "value.invalid", "explain?tokens=": "value.invalid", "diff?to.strict=1&to.tools=x": "value.invalid",
		"assemble?vars=style": "value.invalid", "assemble?vars={": "value.invalid", "assemble?budget=much": "value.invalid", "assemble?budget=20%25%25": "value.invalid",
		"assemble?token=x": "key.unknown", "assemble?access_token=x": "key.unknown", "assemble?to.token=x": "key.unknown",
		"assemble?model=a&model=b": "key.duplicate", "assemble?%zz": "syntax", "test?run=%zz": "syntax", "test?coverage=1": "value.invalid", "test?run=a&run=b": "key.duplicate",
	} {
		r := s.refuses(http.StatusBadRequest, code, http.MethodGet, "/v1/projects/web/"+query, "")
		if at := field(t, r.body, "position"); at != nil {
			t.Errorf("%s: parameters have no lines: %v", query, at)
		}
	}
	for _, query := range []string{"explain?tokens=true", "explain?tokens=false", "assemble?tools=todo&tools=", "assemble?vars={}", "assemble?caps="} {
		s.want(http.StatusOK, http.MethodGet, "/v1/projects/web/"+query, "")
	}
	if a, b := s.ask(http.MethodGet, "/v1/projects/web/explain?tokens=true", ""), s.ask(http.MethodGet, "/v1/projects/web/explain?tokens=false", ""); a.body == b.body {
		t.Error("true is false")
	}
}

// TestRecordTimes: records are listed and found from one time on, and before another.
func TestRecordTimes(t *testing.T) {
	clock := &jumping{now: time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)}
	s := begin(t, func(c *serve.Config) { c.Now = clock.Now })
	for _, id := range []string{"a", "b", "c"} {
		s.want(http.StatusOK, http.MethodPost, "/v1/sessions", `{"project": "web", "id": "`+id+`"}`)
		clock.jump(time.Hour)
	}
	for query, want := range map[string]string{
		"": "cba", "since=2026-11-01T13:00:00Z": "cb", "since=2026-11-01T13:00:01Z": "c", "until=2026-11-01T13:00:00Z": "a", "until=2026-11-01T14:30:00%2B01:00": "ba",
		"since=2026-11-01T12:30:00Z&until=2026-11-01T13:30:00Z": "b", "since=2027-01-01T00:00:00Z": "",
	} {
		for _, text := range []string{"", "&text=brief"} {
			var list struct {
				Records []struct{ Session string }
				Found   struct{ Matches []struct{ Session string } }
			}
			must(t, json.Unmarshal([]byte(s.want(http.StatusOK, http.MethodGet, "/v1/records?"+strings.TrimPrefix(query+text, "&"), "").body), &list))
			got := ""
			for _, r := range append(list.Records, list.Found.Matches...) {
				got += strings.TrimPrefix(r.Session, "web:")
			}
			if got != want {
				t.Errorf("%q: %q, want %q", query+text, got, want)
			}
		}
	}
	for _, name := range []string{"since", "until"} {
		for _, time := range []string{"yesterday", "2026-11-01", "1"} {
			r := s.refuses(http.StatusBadRequest, "value.invalid", http.MethodGet, "/v1/records?"+name+"="+time, "")
			if !strings.Contains(r.body, "the parameter "+name+" isn't a time") {
				t.Errorf("%s: %s", name, r.body)
			}
		}
	}
	for _, query := range []string{"", "?a=web:a@1", "?b=web:a@1"} {
		s.refuses(http.StatusBadRequest, "key.missing", http.MethodGet, "/v1/records/diff"+query, "")
	}
}

// TestInspectedSides: of two prompts that are set beside each other the page has the text of
// each fragment that is in on one of them alone, and a colour of every one.
func TestInspectedSides(t *testing.T) {
	s := begin(t, nil)
	type answer struct {
		Before, After struct{ Bytes, Included, Tokens int }
		In            map[string]bool
		Texts, Hues   map[string]string
		Words         map[string]any
	}
	beside := func(a, b string) (out answer) {
		t.Helper()
		must(t, json.Unmarshal([]byte(s.want(http.StatusOK, http.MethodPost, "/inspector/diff/web", `{"a": `+a+`, "b": `+b+`}`).body), &out))
		return out
	}
	const without = `{"without_tools": ["todo"]}`
	gone, came, same := beside("{}", without), beside(without, "{}"), beside("{}", "{}")
	const todo = "tool:todo.guidance"
	for _, x := range []struct {
		of answer
		in bool
	}{{gone, false}, {came, true}} {
		in, told := x.of.In[todo]
		if !told || in != x.in || len(x.of.In) != 1 || len(x.of.Texts) != 1 || x.of.Texts[todo] != "Keep the list." || len(x.of.Words) != 0 {
			t.Errorf("in %t: %+v", x.in, x.of)
		}
		if x.of.Hues["primary:system"] == "" || x.of.Hues[todo] == "" || x.of.Hues["primary:system"] == x.of.Hues[todo] {
			t.Errorf("the colours are %v", x.of.Hues)
		}
	}
	if gone.Before != came.After || gone.After != came.Before || gone.Before.Included != gone.After.Included+1 || gone.Before.Tokens <= gone.After.Tokens || gone.Before.Bytes <= gone.After.Bytes {
		t.Errorf("the sizes are %+v and %+v", gone, came)
	}
	if len(same.In) != 0 || len(same.Texts) != 0 || same.Before != same.After {
		t.Errorf("a prompt and itself: %+v", same)
	}
}

// TestInspectedExactness: the page tells of a prompt's tokens what an explanation does, also
// whether they are counted or estimated.
func TestInspectedExactness(t *testing.T) {
	s := begin(t, nil)
	type size struct {
		Tokens, Bytes, Included int
		Exact                   bool
	}
	seen := map[bool]bool{}
	for _, model := range []string{"gpt-4o", "claude-sonnet-4-5"} {
		var want struct {
			Tokens, Bytes, Included int
			Exact                   bool `json:"tokens_exact"`
		}
		must(t, json.Unmarshal([]byte(s.want(http.StatusOK, http.MethodPost, "/v1/projects/web/explain", `{"tokens": true, "model": "`+model+`"}`).body), &want))
		seen[want.Exact] = true
		asked := `{"model": "` + model + `"}`
		for path, body := range map[string]string{"/inspector/of/web": `{"asked": ` + asked + `}`, "/inspector/diff/web": `{"a": ` + asked + `, "b": ` + asked + `}`} {
			var got struct{ Before, After size }
			must(t, json.Unmarshal([]byte(s.want(http.StatusOK, http.MethodPost, path, body).body), &got))
			if got.After != size(want) || path == "/inspector/diff/web" && got.Before != size(want) {
				t.Errorf("%s of %s: %+v, want %+v", path, model, got, want)
			}
		}
	}
	if len(seen) != 2 {
		t.Errorf("both are counted, or neither is: %v", seen)
	}
}
