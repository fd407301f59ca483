package clients_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cento-dev/cento/internal/archive"
	"github.com/cento-dev/cento/internal/cli"
	"github.com/cento-dev/cento/internal/treetest"
)

// TestMain lets the test binary be the program.
func TestMain(m *testing.M) {
	if strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe") == "cento" {
		os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	treetest.InMemory()
	os.Exit(m.Run())
}

// program is a folder with the program, and its path.
func program(t *testing.T) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	at := filepath.Join(t.TempDir(), "cento")
	if err := os.Symlink(self, at); err != nil {
		t.Skipf("the program is a link to this test, and there can be none here: %v", err)
	}
	return at
}

// environment is that of a program whose user has no files.
func environment(t *testing.T) []string {
	t.Helper()
	home := t.TempDir()
	var out []string
	for _, v := range os.Environ() {
		if name, _, _ := strings.Cut(v, "="); !strings.HasPrefix(name, "CENTO_") && !strings.HasPrefix(name, "XDG_") && name != "HOME" {
			out = append(out, v)
		}
	}
	return append(out, "HOME="+home, "TZ=UTC", "PYTHONDONTWRITEBYTECODE=1", "PATH="+filepath.Dir(program(t))+string(os.PathListSeparator)+os.Getenv("PATH"))
}

// folder has files.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		at := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// service is one that runs.
type service struct {
	url, token, dir string
	stop            func()
}

// startService serves a project called shop on an address of its own.
func startService(t *testing.T, files map[string]string, arguments ...string) *service {
	t.Helper()
	if testing.Short() {
		t.Skip("the service and whoever asks it are processes")
	}
	s := &service{dir: folder(t, files)}
	ctx, stop := context.WithCancel(t.Context())
	cmd := exec.CommandContext(ctx, program(t), append([]string{"serve", "--project", "shop=" + s.dir, "--listen", "127.0.0.1:0"}, arguments...)...)
	cmd.Dir, cmd.Env = s.dir, environment(t)
	cmd.WaitDelay = 10 * time.Second
	var said strings.Builder
	cmd.Stderr = &said
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := false
	s.stop = func() {
		if !ended {
			ended = true
			stop()
			_ = cmd.Wait() // it is killed
		}
	}
	t.Cleanup(s.stop)
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		s.stop()
		t.Fatalf("the service doesn't start: %v\n%s", err, said.String())
	}
	s.url = strings.TrimSpace(line)
	for _, v := range cmd.Env {
		if home, ok := strings.CutPrefix(v, "HOME="); ok {
			token, err := os.ReadFile(filepath.Join(home, ".local", "state", "cento", "serve.token"))
			if err != nil {
				t.Fatal(err)
			}
			s.token = strings.TrimSpace(string(token))
		}
	}
	return s
}

// ask sends a request.
func (s *service) ask(t *testing.T, method, path, body string) (status int, header http.Header, answer string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, s.url+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+s.token)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, resp.Header, string(b)
}

// TestTypes holds what is made of the OpenAPI document to it.
func TestTypes(t *testing.T) {
	d := readDocument(t)
	operations := d.tagged("operations")
	grouped := d.grouped()
	if len(operations) < 14 || len(grouped) < 24 {
		t.Fatalf("%d operations, %d in groups: the document says too little", len(operations), len(grouped))
	}
	names := d.answers(append(operations, grouped...)...)
	for file, want := range map[string]string{
		"python/cento/answers.py":    pythonAnswers(d, names),
		"python/cento/operations.py": pythonOperations(d),
		"typescript/operations.d.ts": typescriptTypes(d, names),
		"typescript/operations.js":   typescriptOperations(d),
	} {
		if *archive.Update {
			if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		got, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, string(got)); diff != "" {
			t.Errorf("%s isn't what the document says (go test ./clients -run TestTypes -update):\n%s", file, diff)
		}
	}
}

// notAsked are the operations that no method of a client asks.
var notAsked = map[string]string{
	"mcp":      "clients of the Model Context Protocol speak it",
	"contract": "", "layers": "", "reduce": "", "reminders": "", "render": "", "scope": "", "tokens": "", // the examples ask them, by every way
	"ablate": "", "assemble": "", "budget": "", "cache": "", "check": "", "diff": "", "explain": "", "instructions": "", "models": "", "why": "", "wire": "",
}

// everyOperation holds the tests of a client to the document: each operation of the
// service was asked, and answered, but for those that ask by parameters what another one
// is asked by a body.
func everyOperation(t *testing.T, s *service) {
	t.Helper()
	_, _, text := s.ask(t, http.MethodGet, "/openapi.json", "")
	d := new(document)
	if err := json.Unmarshal([]byte(text), d); err != nil {
		t.Fatal(err)
	}
	_, _, metrics := s.ask(t, http.MethodGet, "/metrics", "")
	known := 0
	for _, methods := range d.Paths {
		for _, o := range methods {
			known++
			if _, other := notAsked[o.ID]; other || strings.HasPrefix(o.ID, "get-") {
				continue
			}
			if !regexp.MustCompile(`(?m)^cento_requests_total\{code="20[04]",op="` + o.ID + `"\}`).MatchString(metrics) {
				t.Errorf("no method of the client asked %s, or none was answered", o.ID)
			}
		}
	}
	if known < 50 {
		t.Fatalf("the document has %d operations", known)
	}
}

// interpreter finds a program that runs a client, and skips the test where there is
// none.
func interpreter(t *testing.T, name, required string) string {
	t.Helper()
	at, err := exec.LookPath(name)
	if err != nil {
		if os.Getenv(required) != "" {
			t.Fatalf("%s isn't here, and %s is set", name, required)
		}
		t.Skipf("%s isn't here", name)
	}
	return at
}
