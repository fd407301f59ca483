package serve_test

import (
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/cento-dev/cento/internal/call"
	"github.com/cento-dev/cento/internal/serve"
)

// TestHealthIsSaid: who asks whether the service is there or ready is told so in the body.
func TestHealthIsSaid(t *testing.T) {
	s := begin(t, func(c *serve.Config) { c.MetricsListen = "127.0.0.1:0" })
	for _, base := range []string{s.base, s.server.MetricsAddress()} {
		s.base = base
		for _, path := range []string{"/healthz", "/readyz"} {
			if r := s.want(http.StatusOK, http.MethodGet, path, "", "Authorization", ""); field(t, r.body, "ok") != true {
				t.Errorf("%s%s: %s", base, path, r.body)
			}
		}
	}
}

// TestWordsWithoutToken: who has no token, or another one, is told so, and what to do.
func TestWordsWithoutToken(t *testing.T) {
	s := begin(t, nil)
	for header, want := range map[string]struct{ message, hint string }{
		"":                      {"a token is needed", "Authorization: Bearer "},
		"Bearer":                {"a token is needed", "Authorization: Bearer "},
		"Basic " + local:        {"a token is needed", "Authorization: Bearer "},
		"Bearer nobody":         {"no such token is let in here", "the whole token"},
		"Bearer " + local + "x": {"no such token is let in here", "the whole token"},
	} {
		r := s.refuses(http.StatusUnauthorized, "token.unknown", http.MethodGet, "/v1/projects", "", "Authorization", header)
		if field(t, r.body, "message") != want.message || !strings.Contains(field(t, r.body, "hint").(string), want.hint) {
			t.Errorf("with %q: %s", header, r.body)
		}
	}
}

// TestLogHasCodes: the log tells of a request that failed by its code, and of one that
// didn't without any.
func TestLogHasCodes(t *testing.T) {
	s := begin(t, nil)
	missing := s.refuses(http.StatusNotFound, "session.unknown", http.MethodGet, "/v1/sessions/web:none", "")
	fine := s.want(http.StatusOK, http.MethodGet, "/v1/projects", "")
	must(t, s.stop())
	codes := map[string]string{}
	for line := range strings.Lines(s.log.String()) {
		var l struct {
			Msg, Request, Code, Token string
		}
		must(t, json.Unmarshal([]byte(line), &l))
		if l.Msg == "request" {
			codes[l.Request] = l.Code + " " + l.Token
		}
	}
	for r, want := range map[*http.Response]string{missing.Response: "session.unknown local", fine.Response: " local"} {
		if got := codes[r.Header.Get("X-Request-Id")]; got != want {
			t.Errorf("the log has %q, want %q", got, want)
		}
	}
}

// TestPlacesAreDescribed: what stands for something in a path is a parameter of it in the
// document, and there is no other.
func TestPlacesAreDescribed(t *testing.T) {
	s := begin(t, nil)
	var document struct {
		Paths map[string]map[string]struct {
			Parameters []struct {
				Name, In string
				Required bool
			}
		}
	}
	must(t, json.Unmarshal(s.document(), &document))
	place := regexp.MustCompile(`\{(\w+)\}`)
	told := 0
	for path, methods := range document.Paths {
		var want []string
		for _, m := range place.FindAllStringSubmatch(path, -1) {
			want = append(want, m[1])
		}
		for method, op := range methods {
			var got []string
			for _, p := range op.Parameters {
				if p.In == "path" && p.Required {
					got = append(got, p.Name)
				}
			}
			if told += len(got); !slices.Equal(got, want) {
				t.Errorf("%s %s has the places %q, want %q", method, path, got, want)
			}
		}
	}
	if told < 20 {
		t.Errorf("%d places are described", told)
	}
}

// TestInspectedSession: the page of a session has what is pending in it, its records from
// the oldest on, and what became of each in the prompt cache.
func TestInspectedSession(t *testing.T) {
	s := begin(t, func(c *serve.Config) {
		c.Projects = []serve.Project{of("web", project(t, webManifest+"model: claude-opus-5\n"))}
	})
	s.want(http.StatusOK, http.MethodPost, "/v1/sessions", `{"project": "web", "id": "s"}`)
	s.want(http.StatusOK, http.MethodPost, "/v1/sessions/web:s/remind", `{"reminder": {"id": "red", "body": "Tests are red."}}`)
	s.want(http.StatusOK, http.MethodPost, "/v1/sessions/web:s/turn", "")
	s.want(http.StatusOK, http.MethodPost, "/v1/sessions/web:s/rematerialise", `{"with": {"without_tools": ["todo"]}}`)
	s.want(http.StatusOK, http.MethodPost, "/v1/sessions/web:s/turn", "")
	var row struct {
		Pending []struct{ ID, Body string }
		Records []struct {
			Seq   int64
			Label string
		}
		Steps []struct {
			Record int64
			Tokens int
		}
		Why string
	}
	body := s.want(http.StatusOK, http.MethodGet, "/inspector/session/web:s", "").body
	must(t, json.Unmarshal([]byte(body), &row))
	if len(row.Pending) != 1 || row.Pending[0].ID != "red" || row.Pending[0].Body != "Tests are red." {
		t.Errorf("pending: %+v", row.Pending)
	}
	for i, r := range row.Records {
		if r.Seq != int64(i+1) {
			t.Errorf("record %d stands at %d", r.Seq, i)
		}
	}
	labels := map[int64]string{}
	for _, r := range row.Records {
		labels[r.Seq] = r.Label
	}
	for i, s := range row.Steps {
		if labels[s.Record] != "turn "+strconv.Itoa(i) {
			t.Errorf("step %d is of record %d: %s", i, s.Record, body)
		}
	}
	if len(row.Records) < 2 || len(row.Steps) != 2 || row.Steps[0].Tokens == 0 || row.Why != "" {
		t.Errorf("%s", body)
	}
}

// TestInspectedWords: what two prompts say differently is told word by word, from the one
// that stands before to the one that stands after.
func TestInspectedWords(t *testing.T) {
	dir := project(t, "instruction: $workspace/manner\nvars: {manner: brief}\nscope: off\nprofile: off\nskills: off\n")
	must(t, os.MkdirAll(filepath.Join(dir, ".cento", "prompts"), 0o700))
	must(t, os.WriteFile(filepath.Join(dir, ".cento", "prompts", "manner.md"), []byte("You are {{ vars.manner }} each time.\n"), 0o600))
	s := begin(t, func(c *serve.Config) { c.Projects = []serve.Project{of("web", dir)} })
	var out struct{ Words map[string][][2]string }
	must(t, json.Unmarshal([]byte(s.want(http.StatusOK, http.MethodPost, "/inspector/diff/web", `{"a": {}, "b": {"vars": {"manner": "verbose"}}}`).body), &out))
	sides := map[string]string{}
	for _, words := range out.Words {
		for _, w := range words {
			sides[w[0]] += strings.TrimSpace(w[1])
		}
	}
	if len(out.Words) != 1 || sides["-"] != "brief" || sides["+"] != "verbose" {
		t.Errorf("the words are %q", out.Words)
	}
}

// TestComparedRevisions: the prompts of two commits are set beside each other, and a commit
// that can't be read is refused without a word of where the repository is.
func TestComparedRevisions(t *testing.T) {
	dir := project(t, "system: You are brief.\nscope: off\nprofile: off\nskills: off\n")
	s := begin(t, func(c *serve.Config) { c.Projects = []serve.Project{of("web", dir)} })
	refused := func(body string) {
		t.Helper()
		r := s.ask(http.MethodPost, "/inspector/diff/web", body)
		if r.StatusCode < 400 || r.StatusCode >= 500 || r.code() == "" || strings.Contains(r.body, filepath.Base(filepath.Dir(dir))) {
			t.Errorf("%s: status %d, %s", body, r.StatusCode, r.body)
		}
	}
	refused(`{"a": {}, "b": {}, "a_revision": "HEAD"}`) // there is no repository
	git := func(args ...string) {
		t.Helper()
		c := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"}, args...)...)
		c.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull)
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v\n%s", args, err, out)
		}
	}
	git("init", "-q", "-b", "main")
	for _, manner := range []string{"brief", "verbose", "[broken"} {
		must(t, os.WriteFile(filepath.Join(dir, "cento.yaml"), []byte("system: You are "+manner+".\nscope: off\nprofile: off\nskills: off\n"), 0o600))
		if manner == "[broken" {
			must(t, os.WriteFile(filepath.Join(dir, "cento.yaml"), []byte("system: [broken\n"), 0o600))
		}
		git("add", "-A")
		git("commit", "-q", "-m", manner)
	}
	must(t, os.WriteFile(filepath.Join(dir, "cento.yaml"), []byte("system: You are as now.\nscope: off\nprofile: off\nskills: off\n"), 0o600))
	for revisions, want := range map[string][2]string{
		`"a_revision": "HEAD~2", "b_revision": "HEAD~1"`: {"brief.", "verbose."}, `"a_revision": "HEAD~1"`: {"verbose.", "as now."}, `"b_revision": "HEAD~2"`: {"as now.", "brief."},
	} {
		body := s.want(http.StatusOK, http.MethodPost, "/inspector/diff/web", `{"a": {}, "b": {}, `+revisions+`}`).body
		var out struct {
			Difference struct{ Changed []struct{ From, To string } }
		}
		must(t, json.Unmarshal([]byte(body), &out))
		if c := out.Difference.Changed; len(c) != 1 || c[0].From != "You are "+want[0] || c[0].To != "You are "+want[1] {
			t.Errorf("%s: %s", revisions, body)
		}
	}
	refused(`{"a": {}, "b": {}, "b_revision": "HEAD~9"}`)
	// What is wrong in a file of a commit is told at its place there.
	if r := s.ask(http.MethodPost, "/inspector/diff/web", `{"a": {}, "b": {}, "a_revision": "HEAD"}`); r.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(r.body, "cento.yaml") || strings.Contains(r.body, dir) {
		t.Errorf("status %d, %s", r.StatusCode, r.body)
	}
}

// TestWordsOfProjects: who names a project where none can be is told where it can, and
// something answers there.
func TestWordsOfProjects(t *testing.T) {
	s := begin(t, nil)
	told := 0
	for _, op := range call.Operations() {
		r := s.ask(http.MethodPost, "/v1/"+op.Name, `{"project": "web"}`)
		if r.code() != "request.outside" {
			continue // it is about no project, or wants more
		}
		path, ok := strings.CutPrefix(field(t, r.body, "hint").(string), "hand the manifest and its files over, or ask about one that is served at POST ")
		if told++; !ok {
			t.Errorf("%s: %s", op.Name, r.body)
			continue
		}
		if r := s.ask(http.MethodPost, strings.Replace(path, "NAME", "web", 1), `{}`); r.StatusCode == http.StatusNotFound || r.StatusCode == http.StatusMethodNotAllowed {
			t.Errorf("%s: %s: %s", op.Name, path, r.body)
		}
	}
	if told < 5 {
		t.Errorf("%d operations name projects", told)
	}
}
