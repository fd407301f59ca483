package serve_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/serve"
	"github.com/cento-dev/cento/internal/storetest"
)

// tokenFile writes a file of tokens, and gives the secrets by their names.
func tokenFile(t testing.TB, path string, named map[string]string) map[string]string {
	t.Helper()
	out := map[string]string{}
	text := "# tokens of a test\n\n"
	for name, scopes := range named {
		secret, line, err := serve.NewToken(name, strings.Fields(scopes)...)
		must(t, err)
		out[name] = secret
		text += line + "\n"
	}
	must(t, os.WriteFile(path, []byte(text), 0o600))
	return out
}

// TestTokens: a token reaches what its scopes say, and is told nothing of the rest.
func TestTokens(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tokens")
	secrets := tokenFile(t, path, map[string]string{"reader": "read", "web": "read@web write@web", "render": "render", "writer": "write@api", "ghost": "read@ghost"})
	s := begin(t, func(c *serve.Config) { c.Tokens, c.Local = path, "" })
	const start = `{"project": "web", "id": "s"}`
	for _, x := range []struct {
		who, method, path, body string
		status                  int
	}{
		{"", "GET", "/v1/projects", "", 401},
		{"reader", "GET", "/v1/projects/web", "", 200},
		{"reader", "GET", "/v1/projects/api", "", 200},
		{"reader", "GET", "/metrics", "", 200},
		{"reader", "POST", "/v1/sessions", start, 403},
		{"reader", "POST", "/v1/reduce", `{"fragments": []}`, 200},
		{"reader", "POST", "/v1/assemble", `{"manifest": {"system": "x"}}`, 403},
		{"render", "POST", "/v1/assemble", `{"manifest": {"system": "x"}}`, 200},
		{"render", "POST", "/v1/reduce", `{"fragments": []}`, 403},
		{"render", "GET", "/v1/projects/web", "", 403},
		{"web", "GET", "/v1/projects/web", "", 200},
		{"web", "GET", "/v1/projects/api", "", 404},
		{"web", "GET", "/v1/projects/nothing", "", 404},
		{"web", "GET", "/metrics", "", 403},
		{"web", "POST", "/v1/sessions", start, 200},
		{"web", "POST", "/v1/sessions", `{"project": "api", "id": "s"}`, 404},
		{"web", "POST", "/v1/sessions", `{"project": "nothing", "id": "s"}`, 404},
		{"web", "GET", "/v1/events?project=api", "", 404},
		{"writer", "GET", "/v1/projects/api", "", 403},
		{"writer", "POST", "/v1/sessions", start, 404},
		{"writer", "POST", "/v1/sessions", `{"project": "api", "id": "s"}`, 200},
		{"writer", "GET", "/v1/sessions/api:s", "", 403},
		{"ghost", "GET", "/v1/projects/ghost", "", 404},
		{"ghost", "GET", "/v1/projects/web", "", 404},
	} {
		r := s.ask(x.method, x.path, x.body, "Authorization", "Bearer "+secrets[x.who])
		if r.StatusCode != x.status {
			t.Errorf("%q %s %s: status %d, want %d: %s", x.who, x.method, x.path, r.StatusCode, x.status, r.body)
		}
	}
	// What isn't there and what isn't reached are told in the same words, but for the name that was asked for.
	as := func(who, path string) string {
		r := s.ask(http.MethodGet, path, "", "Authorization", "Bearer "+secrets[who])
		return strings.ReplaceAll(r.body, r.Header.Get("X-Request-Id"), "")
	}
	if a, b := as("web", "/v1/projects/api"), as("web", "/v1/projects/nothing"); strings.ReplaceAll(a, `"api\"`, `"nothing\"`) != b {
		t.Errorf("two answers: %s and %s", a, b)
	}
	if a, b := as("web", "/v1/sessions/api:s"), as("web", "/v1/sessions/api:nothing"); strings.ReplaceAll(a, `"api:s\"`, `"api:nothing\"`) != b {
		t.Errorf("two answers: %s and %s", a, b)
	}
	if got := as("web", "/v1/projects"); strings.Contains(got, "api") {
		t.Errorf("the list has what the token doesn't reach: %s", got)
	}
	// Tokens are headers; a log has none, nor the address it came in.
	for _, address := range []string{"/v1/projects?token=", "/v1/projects?access_token=", "/v1/projects/web/assemble?token=", "/v1/projects/web/assemble?api_key="} {
		if r := s.ask(http.MethodGet, address+secrets["reader"], "", "Authorization", ""); r.StatusCode == http.StatusOK {
			t.Errorf("%s: it counts", address)
		}
		r := s.ask(http.MethodGet, address+secrets["reader"], "", "Authorization", "Bearer "+secrets["reader"])
		if r.StatusCode != http.StatusBadRequest || !strings.Contains(r.body, "Authorization") {
			t.Errorf("%s: %d %s", address, r.StatusCode, r.body)
		}
	}
	s.refuses(http.StatusUnauthorized, "token.unknown", http.MethodGet, "/v1/projects", "", "Authorization", "Basic "+secrets["reader"])
	for _, secret := range secrets {
		if strings.Contains(s.log.String(), secret) {
			t.Error("the log has a token")
		}
	}
}

// TestReload: the file is read again when somebody asks for it, and one that can't be
// used changes nothing.
func TestReload(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tokens")
	first := tokenFile(t, path, map[string]string{"one": "read"})
	s := begin(t, func(c *serve.Config) { c.Tokens, c.Local = path, "" })
	second := tokenFile(t, path, map[string]string{"two": "read"})
	status := func(secret string) int {
		return s.ask(http.MethodGet, "/v1/projects", "", "Authorization", "Bearer "+secret).StatusCode
	}
	if status(first["one"]) != 200 || status(second["two"]) != 401 {
		t.Error("the file counts before it is read again")
	}
	must(t, s.server.Reload())
	if status(first["one"]) != 401 || status(second["two"]) != 200 {
		t.Error("the file doesn't count though it was read again")
	}
	must(t, os.WriteFile(path, []byte("two nonsense read\n"), 0o600))
	if err := s.server.Reload(); err == nil {
		t.Error("a broken file is taken")
	}
	if status(second["two"]) != 200 {
		t.Error("a broken file changed who may ask")
	}
}

// TestTokenFiles: what is wrong with a file of tokens is told with its place.
func TestTokenFiles(t *testing.T) {
	sum := strings.Repeat("ab", 32)
	for _, x := range []struct{ text, says string }{
		{"", "has none"},
		{"ci\n", "tokens:1:1: a token has a name, a digest and at least one scope"},
		{"# x\nci " + sum + " reed\n", `tokens:2:1: token "ci": there is no scope "reed"`},
		{"ci zz read\n", "tokens:1:1: the digest of token"},
		{"c/i " + sum + " read\n", "is no name of a token"},
		{"ci " + sum + " read@a/b\n", "is no name of a project"},
		{"ci " + sum + " read read\n", "has the scope read twice"},
		{"ci " + sum + " read\nci " + sum + " write\n", `tokens:2:1: there are two tokens "ci"`},
	} {
		path := filepath.Join(t.TempDir(), "tokens")
		must(t, os.WriteFile(path, []byte(x.text), 0o600))
		c := serve.Config{Listen: "127.0.0.1:0", Tokens: path, Store: storetest.SQLite(t), Projects: []serve.Project{of("web", project(t, webManifest))}}
		_, err := serve.New(t.Context(), c)
		if err == nil || !strings.Contains(err.Error(), x.says) || len(cento.SourceErrors(err)) == 0 {
			t.Errorf("%q: %v, want %q", x.text, err, x.says)
		} else if strings.Contains(err.Error(), sum) {
			t.Errorf("%q: the digest is quoted: %v", x.text, err)
		}
	}
	for scope, hint := range map[string]string{"reed": `did you mean "read"?`, "rendr@web": `did you mean "render"?`, "everything": "the scopes are read, render and write"} {
		_, _, err := serve.NewToken("ci", scope)
		if list := cento.SourceErrors(err); len(list) != 1 || list[0].Hint != hint {
			t.Errorf("%s: %v, want the hint %q", scope, list, hint)
		}
	}
	path := filepath.Join(t.TempDir(), "tokens")
	tokenFile(t, path, map[string]string{"ci": "read"})
	for _, mode := range []os.FileMode{0o644, 0o640, 0o620, 0o610, 0o604, 0o602, 0o601} { // its group's, and anybody's
		must(t, os.Chmod(path, mode))
		_, err := serve.New(t.Context(), serve.Config{Listen: "127.0.0.1:0", Tokens: path, Store: storetest.SQLite(t), Projects: []serve.Project{of("web", project(t, webManifest))}})
		if want := fmt.Sprintf("%04o", mode); runtime.GOOS != "windows" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("a file with mode %s is taken: %v", want, err)
		}
	}
}

// TestNewToken: what is made is read back, and no two are alike.
func TestNewToken(t *testing.T) {
	seen := map[string]bool{}
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringMatching(`[A-Za-z0-9_][A-Za-z0-9._-]{0,20}`).Draw(t, "name")
		scopes := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"read", "write", "render", "read@web", "write@web", "render@a.b-c"}), 1, 6, rapid.ID[string]).Draw(t, "scopes")
		secret, line, err := serve.NewToken(name, scopes...)
		if err != nil {
			t.Fatal(err)
		}
		if seen[secret] || strings.Contains(line, secret) || len(secret) < 40 {
			t.Fatalf("the token %q, the line %q", secret, line)
		}
		seen[secret] = true
	})
	for _, args := range [][]string{{"a b", "read"}, {"", "read"}, {"a", "reed"}, {"a", "read@"}, {"a"}, {"a", "read", "read"}} {
		if _, _, err := serve.NewToken(args[0], args[1:]...); err == nil {
			t.Errorf("%q is taken", args)
		}
	}
}

// TestMayAdd: a line is added to a file of tokens only where that can be read with it, and
// by nobody else; where there is none yet it can be made.
func TestMayAdd(t *testing.T) {
	dir, sum := t.TempDir(), strings.Repeat("ab", 32)
	path := filepath.Join(dir, "tokens")
	may := func(line, says string) {
		t.Helper()
		switch err := serve.MayAdd(path, line); {
		case says == "" && err != nil:
			t.Errorf("%q: %v", line, err)
		case says != "" && (err == nil || !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), sum)):
			t.Errorf("%q: %v, want %q", line, err, says)
		}
	}
	may("ci "+sum+" read", "")
	for _, end := range []string{"", "\n"} {
		must(t, os.WriteFile(path, []byte("# mine\nci "+sum+" read"+end), 0o600))
		may("cd "+sum+" read", "")
		may("ci "+sum+" read", `tokens:3:1: there are two tokens "ci"`)
		may("cd "+sum, "tokens:3:1: a token has a name")
	}
	must(t, os.WriteFile(path, []byte("c/i "+sum+" read\n"), 0o600))
	may("cd "+sum+" read", "tokens:1:1: ")
	must(t, os.Mkdir(filepath.Join(dir, "folder"), 0o700))
	path = filepath.Join(dir, "folder")
	may("cd "+sum+" read", "folder")
	if runtime.GOOS != "windows" {
		path = filepath.Join(dir, "open")
		must(t, os.WriteFile(path, nil, 0o640))
		must(t, os.Chmod(path, 0o640))
		may("cd "+sum+" read", "it has mode 0640")
	}
}

// TestManyTokens: a file of tokens has an end, since each request is held against all of
// them.
func TestManyTokens(t *testing.T) {
	const most = 10_000
	var text strings.Builder
	for i := range most {
		fmt.Fprintf(&text, "t%d %s read\n", i, strings.Repeat("ab", 32))
	}
	path := filepath.Join(t.TempDir(), "tokens")
	must(t, os.WriteFile(path, []byte(text.String()), 0o600))
	s := begin(t, func(c *serve.Config) { c.Tokens, c.Local = path, "" })
	s.refuses(http.StatusUnauthorized, "token.unknown", http.MethodGet, "/v1/projects", "")
	must(t, os.WriteFile(path, []byte("\n"+text.String()+"more "+strings.Repeat("ab", 32)+" read\n"), 0o600))
	err := s.server.Reload()
	if list := cento.SourceErrors(err); len(list) != 1 || list[0].Code != cento.LimitExceeded || list[0].Position.Line != most+2 {
		t.Errorf("%d tokens: %v", most+1, err)
	}
}
