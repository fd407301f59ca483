package serve_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cento-dev/cento/internal/serve"
)

// asking sends a request as a page does, without a token unless there is one.
func (s *service) asking(method, path, token, body string) (int, http.Header, string) {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), method, s.base+path, strings.NewReader(body))
	must(s.t, err)
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	res, err := s.client.Do(r)
	must(s.t, err)
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	must(s.t, err)
	return res.StatusCode, res.Header, string(text)
}

// TestSignIn: the code of a link lets one in, once, while it is fresh; what it gives
// reads, and lapses.
func TestSignIn(t *testing.T) {
	var mu sync.Mutex
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	pass := func(d time.Duration) {
		mu.Lock()
		defer mu.Unlock()
		now = now.Add(d)
	}
	s := begin(t, func(c *serve.Config) {
		c.Now = func() time.Time {
			mu.Lock()
			defer mu.Unlock()
			return now
		}
	})
	code := func() string {
		link := s.server.SignInLink()
		_, code, ok := strings.Cut(link, s.base+"/#sign-in=")
		if !ok || len(code) < 20 {
			t.Fatalf("the link is %s", link)
		}
		return code
	}
	enter := func(code string) (int, string) {
		status, _, text := s.asking(http.MethodPost, "/sign-in", "", `{"code": "`+code+`"}`)
		_, token, _ := strings.Cut(text, `"token": "`)
		token, _, _ = strings.Cut(token, `"`)
		return status, token
	}
	for _, wrong := range []string{"", "x", strings.Repeat("A", 24)} {
		if status, _ := enter(wrong); status != http.StatusUnauthorized {
			t.Errorf("without a link, %q is answered %d", wrong, status)
		}
	}
	first := code()
	second := code()
	if status, _ := enter(first); status != http.StatusUnauthorized {
		t.Errorf("a link that another took the place of is answered %d", status)
	}
	status, token := enter(second)
	if status != http.StatusOK || token == "" {
		t.Fatalf("the code is answered %d", status)
	}
	if status, _ := enter(second); status != http.StatusUnauthorized {
		t.Errorf("a used code is answered %d", status)
	}
	if status, _, _ := s.asking(http.MethodGet, "/v1/projects", token, ""); status != http.StatusOK {
		t.Errorf("the token is answered %d", status)
	}
	for path, body := range map[string]string{"/v1/sessions": `{"project": "web", "id": "s"}`, "/v1/assemble": `{"manifest": {}}`} {
		if status, _, _ := s.asking(http.MethodPost, path, token, body); status != http.StatusForbidden {
			t.Errorf("a page that only reads is answered %d at %s", status, path)
		}
	}
	must(t, s.server.Reload())
	if status, _, _ := s.asking(http.MethodGet, "/v1/projects", token, ""); status != http.StatusOK {
		t.Errorf("after the tokens were read again it is %d", status)
	}
	pass(12 * time.Hour)
	if status, _, _ := s.asking(http.MethodGet, "/v1/projects", token, ""); status != http.StatusUnauthorized {
		t.Errorf("a token whose time is over is answered %d", status)
	}
	late := code()
	pass(15 * time.Minute)
	if status, _ := enter(late); status != http.StatusUnauthorized {
		t.Errorf("a code that is too old is answered %d", status)
	}
	for _, body := range []string{`{}`, `{"code": "x", "kode": "y"}`, `{"code": 1}`, `[`} {
		if status, _, _ := s.asking(http.MethodPost, "/sign-in", "", body); status/100 != 4 {
			t.Errorf("%s is answered %d", body, status)
		}
	}
	for _, secret := range []string{first, second, late, token} {
		if strings.Contains(s.log.String(), secret) {
			t.Error("the log has a secret")
		}
	}
}

// TestInspectorAssets: the page and what it asks for come without a token, are kept by
// browsers, and may do nothing but their own; what they show needs one.
func TestInspectorAssets(t *testing.T) {
	s := begin(t, nil)
	_, _, document := s.asking(http.MethodGet, "/", "", "")
	folder := regexp.MustCompile(`/inspector/assets/[0-9a-f]{16}/`).FindString(document)
	named := regexp.MustCompile(`(?:src|href)="(/[^"]*)"`).FindAllStringSubmatch(document, -1)
	if len(named) < 10 {
		t.Errorf("the document asks for %q", named)
	}
	for _, n := range named {
		status, header, _ := s.asking(http.MethodGet, n[1], "", "")
		if status != http.StatusOK || !strings.HasPrefix(n[1], folder) || header.Get("Cache-Control") != "private, max-age=31536000, immutable" {
			t.Errorf("%s is %d, kept %s", n[1], status, header.Get("Cache-Control"))
		}
	}
	const another = "/inspector/assets/0123456789abcdef/"
	for path, kind := range map[string]string{"/": "text/html", another + "inspector.js": "text/javascript", another + "page.css": "text/css"} {
		status, header, text := s.asking(http.MethodGet, path, "", "")
		if header.Get("Cache-Control") != "private, no-cache" {
			t.Errorf("%s, which can be another one tomorrow, is kept %s", path, header.Get("Cache-Control"))
		}
		if status != http.StatusOK || !strings.HasPrefix(header.Get("Content-Type"), kind) || text == "" {
			t.Errorf("%s is %d, %s", path, status, header.Get("Content-Type"))
		}
		const want = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
		if got := header.Get("Content-Security-Policy"); got != want {
			t.Errorf("%s has the policy %s", path, got)
		}
		if strings.Contains(text, "<style") || strings.Contains(text, " style=") || strings.Contains(text, " onclick") || strings.Contains(text, "innerHTML") {
			t.Errorf("%s has what the policy forbids", path)
		}
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.base+path, nil)
		must(t, err)
		r.Header.Set("If-None-Match", header.Get("ETag"))
		res, err := s.client.Do(r)
		must(t, err)
		res.Body.Close()
		if res.StatusCode != http.StatusNotModified {
			t.Errorf("%s, kept, is answered %d", path, res.StatusCode)
		}
	}
	for path, want := range map[string]int{"/?token=x": 400, "/inspector/index.html": 401, folder + "index.html": 401, folder + "tokens.go": 401, "/inspector/../tokens.go": 404, "/inspector/": 404} {
		if status, _, _ := s.asking(http.MethodGet, path, "", ""); status != want {
			t.Errorf("%s is answered %d, not %d", path, status, want)
		}
	}
	for token, want := range map[string]int{"": 401, "nobody": 401, local: 200} {
		if status, _, _ := s.asking(http.MethodPost, "/inspector/of/web", token, `{"asked": {"without_tools": ["todo"]}}`); status != want {
			t.Errorf("the token %q is answered %d, not %d", token, status, want)
		}
	}
	if status, _, text := s.asking(http.MethodPost, "/inspector/of/web", local, `{"asked": {"without_tool": ["todo"]}}`); status != http.StatusBadRequest || !strings.Contains(text, "did you mean") {
		t.Errorf("a mistyped key is answered %d: %s", status, text)
	}
	if status, _, _ := s.asking(http.MethodPost, "/inspector/of/nowhere", local, `{}`); status != http.StatusNotFound {
		t.Errorf("another project is answered %d", status)
	}
}

// TestInspectedSizes: what a change is set beside is the prompt as it is without one.
func TestInspectedSizes(t *testing.T) {
	s := begin(t, nil)
	type size struct{ Tokens, Bytes, Included int }
	inspect := func(body string) (before, after size, difference json.RawMessage) {
		t.Helper()
		r := s.ask(http.MethodPost, "/inspector/of/web", `{"asked": `+body+`}`)
		var answer struct {
			Before, After size
			Difference    json.RawMessage
		}
		if err := json.Unmarshal([]byte(r.body), &answer); err != nil || r.StatusCode != http.StatusOK {
			t.Fatalf("%s: %d %s", body, r.StatusCode, r.body)
		}
		return answer.Before, answer.After, answer.Difference
	}
	before, plain, difference := inspect(`{}`)
	if before != plain || plain.Tokens == 0 || plain.Included == 0 || string(difference) != "null" {
		t.Errorf("without a change: %+v, %+v, %s", before, plain, difference)
	}
	before, after, changed := inspect(`{"caps": ["never-heard-of", "git"], "without_tools": ["read", "shell", "bash"]}`)
	if before != plain || string(changed) == "null" {
		t.Errorf("with a change: before %+v, and alone it is %+v; after %+v", before, plain, after)
	}
}

// TestInspectedBudgets: the ends of the slider are the least budget that keeps everything
// and one that is enough.
func TestInspectedBudgets(t *testing.T) {
	manifest := webManifest + "fragments: [{id: kind, body: Be kind., importance: 20}, {id: short, body: 'Be as short as it can be.', importance: 40}]\n"
	s := begin(t, func(c *serve.Config) { c.Projects = []serve.Project{of("web", project(t, manifest))} })
	type answer struct {
		Least, Full int
		Page        struct{ Digest string }
	}
	inspect := func(asked string) (a answer) {
		t.Helper()
		r := s.ask(http.MethodPost, "/inspector/of/web", `{"asked": `+asked+`}`)
		if err := json.Unmarshal([]byte(r.body), &a); err != nil || r.StatusCode != http.StatusOK {
			t.Fatalf("%s: %d %s", asked, r.StatusCode, r.body)
		}
		return a
	}
	plain := inspect(`{}`)
	within := func(n int) answer { return inspect(fmt.Sprintf(`{"budget": %d}`, n)) }
	if plain.Least >= plain.Full {
		t.Fatalf("nothing can be given up: %+v", plain)
	}
	for n := plain.Least; n <= plain.Full; n++ {
		if got := within(n); (got.Page.Digest == plain.Page.Digest) != (n == plain.Full) {
			t.Errorf("%d tokens of %d to %d keep everything: %v", n, plain.Least, plain.Full, n != plain.Full)
		} else if got.Full != plain.Full {
			t.Errorf("with %d tokens %d are enough for everything, and without %d", n, got.Full, plain.Full)
		}
	}
}
