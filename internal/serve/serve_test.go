package serve_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.uber.org/goleak"

	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/serve"
	"github.com/cento-dev/cento/internal/storetest"
)

func TestMain(m *testing.M) { os.Exit(storetest.Main(m)) }

// TestLeavesNothing: a service that ended has no goroutine left, of listeners to events
// neither.
func TestLeavesNothing(t *testing.T) {
	there := goleak.IgnoreCurrent() // what tests of stores share
	s := begin(t, nil)
	s.want(http.StatusOK, http.MethodPost, "/v1/sessions", `{"project": "web", "id": "s"}`)
	s.want(http.StatusOK, http.MethodGet, "/v1/projects/web/explain", "")
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.base+"/v1/events", nil)
	must(t, err)
	r.Header.Set("Authorization", "Bearer "+local)
	res, err := s.client.Do(r)
	must(t, err)
	defer res.Body.Close()
	must(t, s.stop()) // which lets the listener go
	if _, err := io.Copy(io.Discard, res.Body); err != nil {
		t.Error(err)
	}
	goleak.VerifyNone(t, there)
}

// local is the token that permits everything.
const local = "cento_local-token-of-the-tests-which-is-long"

// service is one that runs, with what a client of it needs.
type service struct {
	t      testing.TB
	server *serve.Server
	base   string
	secret string // of the token that asks
	log    *lines
	client *http.Client
	stop   func() error
}

// lines is a log that several write to.
type lines struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lines) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(b)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// has reports whether a line has all of some texts.
func (l *lines) has(texts ...string) bool {
	for line := range strings.Lines(l.String()) {
		if !slices.ContainsFunc(texts, func(text string) bool { return !strings.Contains(line, text) }) {
			return true
		}
	}
	return false
}

// until waits for a line that has all of some texts: a request is told of when it has
// ended, which its client may see before.
func (l *lines) until(t testing.TB, texts ...string) {
	t.Helper()
	until(t, fmt.Sprintf("no line of the log has %q: %s", texts, l), func() bool { return l.has(texts...) })
}

// project is a folder with a manifest.
func project(t testing.TB, manifest string) string {
	t.Helper()
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "cento.yaml"), []byte(manifest), 0o600))
	return dir
}

const webManifest = `system: You are brief.
tools: [{name: todo, guidance: Keep the list.}, {name: shell, guidance: Run commands.}]
scope: off
profile: off
skills: off
targets: {ci: {tools: [shell]}}
`

// of is a project of a configuration.
func of(name, dir string) serve.Project {
	return serve.Project{Name: name, Request: func() (app.Request, error) {
		return app.Request{Dir: dir, Servers: app.NoServers, Now: time.Now().UTC()}, nil
	}}
}

// start runs a service on a free port. Its projects are web and api unless the
// configuration has some.
func start(t testing.TB, place string, change func(*serve.Config)) *service {
	t.Helper()
	out := &service{t: t, log: new(lines), secret: local}
	c := serve.Config{
		Listen: "127.0.0.1:0", Store: place, Local: local, Log: slog.New(slog.NewJSONHandler(out.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
		Projects: []serve.Project{of("web", project(t, webManifest)), of("api", project(t, "system: You serve.\nscope: off\nprofile: off\nskills: off\n"))},
	}
	if change != nil {
		change(&c)
	}
	s, err := serve.New(t.Context(), c)
	must(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx) }()
	out.server, out.base = s, s.Address()
	transport := &http.Transport{}
	out.client = &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	out.stop = sync.OnceValue(func() error {
		cancel()
		transport.CloseIdleConnections()
		return <-ended
	})
	t.Cleanup(func() {
		if err := out.stop(); err != nil {
			t.Errorf("the service ended with %v", err)
		}
	})
	return out
}

// begin is start with a store of its own.
func begin(t testing.TB, change func(*serve.Config)) *service {
	return start(t, storetest.SQLite(t), change)
}

// reply is what came back.
type reply struct {
	*http.Response
	body string
}

// code is that of a problem; empty for none.
func (r reply) code() string {
	var p struct{ Code string }
	_ = json.Unmarshal([]byte(r.body), &p) // else it has none
	return p.Code
}

// ask sends a request with the token of the tests, unless a header says otherwise: headers stand
// in pairs.
func (s *service) ask(method, path, body string, headers ...string) reply {
	s.t.Helper()
	var from io.Reader
	if body != "" {
		from = strings.NewReader(body)
	}
	r, err := http.NewRequestWithContext(s.t.Context(), method, s.base+path, from)
	must(s.t, err)
	r.Header.Set("Authorization", "Bearer "+s.secret)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(headers); i += 2 {
		switch headers[i] {
		case "Host":
			r.Host = headers[i+1]
		default:
			r.Header.Set(headers[i], headers[i+1])
			if headers[i+1] == "" {
				r.Header.Del(headers[i])
			}
		}
	}
	return s.send(r)
}

func (s *service) send(r *http.Request) reply {
	s.t.Helper()
	res, err := s.client.Do(r)
	must(s.t, err)
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	must(s.t, err)
	out := reply{res, string(b)}
	if res.StatusCode >= 400 && res.StatusCode != http.StatusNotModified {
		var p serve.Problem
		if err := json.Unmarshal(b, &p); err != nil || p.Status != res.StatusCode || p.Code == "" || p.Request != res.Header.Get("X-Request-Id") && res.Header.Get("X-Request-Id") != "" || p.Request == "" ||
			p.Type != "about:blank" || p.Title != http.StatusText(res.StatusCode) || p.Message == "" || !strings.HasSuffix(p.Detail, p.Message) || res.Header.Get("Content-Type") != "application/problem+json" {
			s.t.Errorf("%s %s: status %d, and no problem: %.200s", r.Method, r.URL.Path, res.StatusCode, b)
		}
	}
	s.described(r, out)
	return out
}

// want is ask that holds the status.
func (s *service) want(status int, method, path, body string, headers ...string) reply {
	s.t.Helper()
	r := s.ask(method, path, body, headers...)
	if r.StatusCode != status {
		s.t.Errorf("%s %s %.100s: status %d, want %d: %.400s", method, path, body, r.StatusCode, status, r.body)
	}
	return r
}

// refuses is want with the code of a problem.
func (s *service) refuses(status int, code, method, path, body string, headers ...string) reply {
	s.t.Helper()
	r := s.want(status, method, path, body, headers...)
	if r.code() != code {
		s.t.Errorf("%s %s %.100s: code %q, want %q: %.400s", method, path, body, r.code(), code, r.body)
	}
	return r
}

// described is the document of the services, which is the same for all: it is read once.
var described struct {
	mu      sync.Mutex
	answers *answers
}

// answers are the schemas of the document, by method, path and status.
type answers struct {
	compiler *jsonschema.Compiler
	paths    map[string]map[string]struct {
		Responses map[string]struct {
			Content map[string]struct{ Schema json.RawMessage }
		}
	}
}

// described holds an answer to the schema that the document has for it.
func (s *service) described(r *http.Request, got reply) {
	s.t.Helper()
	if !strings.Contains(got.Header.Get("Content-Type"), "json") || strings.Contains(got.Header.Get("Content-Type"), "ndjson") || r.URL.Path == "/openapi.json" {
		return
	}
	described.mu.Lock()
	defer described.mu.Unlock()
	if described.answers == nil {
		described.answers = schemasOf(s.t, s.document())
	}
	for path, methods := range described.answers.paths {
		if !fits(path, r.URL.Path) {
			continue
		}
		op, ok := methods[strings.ToLower(r.Method)]
		if !ok {
			continue
		}
		status := fmt.Sprint(got.StatusCode)
		if _, ok := op.Responses[status]; !ok {
			status = "default"
		}
		for kind := range op.Responses[status].Content {
			at := "openapi.json#/paths/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(path) + "/" + strings.ToLower(r.Method) + "/responses/" + status + "/content/" + strings.NewReplacer("/", "~1").Replace(kind) + "/schema"
			schema, err := described.answers.compiler.Compile(at)
			if err != nil {
				s.t.Errorf("%s: %v", at, err)
				return
			}
			v, err := jsonschema.UnmarshalJSON(strings.NewReader(got.body))
			must(s.t, err)
			if err := schema.Validate(v); err != nil {
				s.t.Errorf("%s %s: the answer isn't what the document says: %v\n%.300s", r.Method, r.URL.Path, err, got.body)
			}
		}
	}
}

// fits reports whether a path is one of a route, whose literal parts count first.
func fits(route, path string) bool {
	a, b := strings.Split(route, "/"), strings.Split(path, "/")
	if len(a) != len(b) || strings.HasSuffix(path, "/records/diff") && route != path {
		return false
	}
	for i := range a {
		if a[i] != b[i] && !strings.HasPrefix(a[i], "{") {
			return false
		}
	}
	return true
}

func (s *service) document() []byte {
	r, err := http.NewRequestWithContext(s.t.Context(), http.MethodGet, s.base+"/openapi.json", nil)
	must(s.t, err)
	res, err := s.client.Do(r)
	must(s.t, err)
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	must(s.t, err)
	return b
}

func schemasOf(t testing.TB, document []byte) *answers {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(document))
	must(t, err)
	out := &answers{compiler: jsonschema.NewCompiler()}
	must(t, out.compiler.AddResource("openapi.json", v))
	var parts struct {
		Paths map[string]map[string]struct {
			Responses map[string]struct {
				Content map[string]struct{ Schema json.RawMessage }
			}
		}
	}
	must(t, json.Unmarshal(document, &parts))
	out.paths = parts.Paths
	if len(out.paths) < 20 {
		t.Fatalf("the document has %d paths", len(out.paths))
	}
	return out
}

// until waits for what happens beside the test. never says that it doesn't.
func until(t testing.TB, never string, happened func() bool) {
	t.Helper()
	for end := time.Now().Add(2 * time.Minute); !happened(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal(never)
		}
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
