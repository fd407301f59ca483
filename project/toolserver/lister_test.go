package toolserver_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/cento-dev/cento/internal/treetest"
	"github.com/cento-dev/cento/project"
	"github.com/cento-dev/cento/project/consent"
	"github.com/cento-dev/cento/project/toolserver"
	"github.com/cento-dev/cento/project/toolserver/testdata/servers"
)

// A project asks servers through this.
var _ project.Lister = (*toolserver.Lister)(nil)

// TestMain lets the test binary be a server: `BINARY serve MODE`.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "serve" {
		os.Exit(servers.Main(os.Args[2:]))
	}
	treetest.InMemory()
	goleak.VerifyTestMain(m)
}

func program(t *testing.T, mode ...string) consent.Server {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return consent.Server{Name: "files", Command: append([]string{self, "serve"}, mode...), Timeout: 30}
}

func lister(t *testing.T) *toolserver.Lister {
	return &toolserver.Lister{Environ: os.Environ(), Cache: t.TempDir(), Version: "test"}
}

const good = `{
 "instructions": "Look before you write.",
 "tools": [
  {
   "name": "read",
   "description": "Reads a file.",
   "inputSchema": {
    "properties": {
     "path": {
      "description": "Where it is.",
      "type": "string"
     }
    },
    "required": [
     "path"
    ],
    "type": "object"
   }
  },
  {
   "name": "write",
   "description": "Writes a file.",
   "guidance": "Read a file before you write it.",
   "inputSchema": {
    "properties": {
     "path": {
      "description": "Where it is.",
      "type": "string"
     }
    },
    "required": [
     "path"
    ],
    "type": "object"
   }
  }
 ]
}
`

// A program and an address give the same listing.
func TestListings(t *testing.T) {
	web := httptest.NewServer(servers.Handler(servers.Good("")))
	defer web.Close()
	for name, s := range map[string]consent.Server{"program": program(t, "good"), "address": {Name: "web", URL: web.URL, Timeout: 30}} {
		l := lister(t)
		got, err := l.List(t.Context(), s, t.TempDir())
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got.Text != good || got.Server != "good 1.0" || got.Kept != "" {
			t.Errorf("%s: %+v\n%s", name, got, got.Text)
		}
		if text, err := l.KeptListing(got.Digest()); err != nil || text != good {
			t.Errorf("%s: kept: %v\n%s", name, err, text)
		}
	}
}

func TestManyTools(t *testing.T) {
	got, err := lister(t).List(t.Context(), program(t, "paged", "5000"), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(got.Text, `"name": "tool_`); n != 5000 {
		t.Errorf("%d tools of 5000", n)
	}
}

// Each server that goes wrong is an error that says how, in bounded time, and
// leaves no process and no goroutine behind.
func TestFaultyServers(t *testing.T) {
	for mode, want := range map[string]string{
		"ends":      "it ended, or didn't speak MCP",
		"garbage":   "it ended, or didn't speak MCP",
		"complains": `it said last: "no licence was found"`,
		"flood":     "it said more than 16777216 bytes",
		"circle":    "its pages lead in a circle",
		"dies":      "it ended, or didn't speak MCP",
		"silent":    "it took longer than 1s",
		"trickles":  "it took longer than 1s",
	} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			s := program(t, mode)
			if strings.HasSuffix(want, "1s") {
				s.Timeout = 1
			}
			_, err := lister(t).List(t.Context(), s, t.TempDir())
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%v, want %s", err, want)
			}
		})
	}
	t.Run("absent", func(t *testing.T) {
		for name, want := range map[string]string{"no-such-program-at-all": "there is no program", "./absent": "no such file"} {
			_, err := lister(t).List(t.Context(), consent.Server{Name: "x", Command: []string{name}}, t.TempDir())
			if err == nil || !strings.Contains(err.Error(), want) && runtime.GOOS != "windows" {
				t.Errorf("%s: %v", name, err)
			}
		}
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		for _, cwd := range []string{"nowhere", "file"} {
			s := program(t, "ends")
			s.Cwd = cwd
			_, err := lister(t).List(t.Context(), s, dir)
			if absent, ok := errors.AsType[*consent.Absent](err); !ok || *absent != (consent.Absent{Folder: cwd}) {
				t.Errorf("in %s: %v", cwd, err)
			}
		}
	})
}

// The same over HTTP.
func TestFaultyAddresses(t *testing.T) {
	for mode, want := range map[string]string{
		"page":    `it answers with the content type "text/html", and an MCP server answers with JSON or events`,
		"refuses": "it answers with 401 Unauthorized",
		"breaks":  "it answers with 500 Internal Server Error",
		"ends":    "it ended the connection in the middle",
		"floods":  "it said more than 16777216 bytes",
		"streams": "it said more than 16777216 bytes",
		"circle":  "its pages lead in a circle",
		"garbage": "invalid character",
		"silent":  "it took longer than 1s",
	} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			web := httptest.NewServer(servers.Faulty(mode))
			defer web.Close()
			s := consent.Server{Name: "web", URL: web.URL, Timeout: 30}
			if mode == "silent" {
				s.Timeout = 1
			}
			_, err := lister(t).List(t.Context(), s, t.TempDir())
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%v, want %s", err, want)
			}
		})
	}
}

// What a server asks its client for is refused, and what it says besides is
// passed over.
func TestServersGetNothing(t *testing.T) {
	for mode, want := range map[string]string{
		"asks":          `"description": "completed false, elicited false, folders 0 `,
		"chatters 3000": `"name": "read"`,
	} {
		got, err := lister(t).List(t.Context(), program(t, strings.Fields(mode)...), t.TempDir())
		if err != nil || !strings.Contains(got.Text, want) {
			t.Errorf("%s: %v\n%s", mode, err, got.Text)
		}
	}
}

// A listing that isn't one is an error, of the lister or of the project that
// reads it, with the place where it goes wrong.
func TestMalformedListings(t *testing.T) {
	for result, want := range map[string]string{
		`{}`:                "",
		`{"tools": null}`:   "",
		`{"tools": []}`:     "",
		`{"tools": [null]}`: "it lists a tool that is null",
		`{"tools": "none"}`: `the server "s" gave no listing of its tools`,
		"{\"tools\": [{\"name\": \"a\", \"description\": \"not UTF-8: \xff\"}]}": "",
		`{"tools": [{"name": "a", "description": "half a character: \ud800"}]}`:  "",
		`{"tools": [{"name": "a", "description": "\u0000"}]}`:                    "<mcp:s>:5:20: a NUL character in a text",
		`{"tools": [{"name": "a", "inputSchema": {"maximum": 1e400}}]}`:          `the server "s" gave no listing of its tools`,
		`[]`:                        `the server "s" gave no listing of its tools`,
		`{"tools": [{"name": ""}]}`: "<mcp:s>:4:12: ",
		`{"tools": [{}]}`:           "<mcp:s>:4:12: ",
		`{"tools": [{"name": "a", "inputSchema": {"type": "object", "properties": {"x": {"type": "object", "x-mcp-header": "not allowed here"}}}}]}`: "",
		`{"tools": [{"name": "a", "inputSchema": {"type": "object"}}, {"name": "a", "inputSchema": {"type": "object"}}]}`:                            "two tools have the name \"a\"",
		`{"tools": [{"name": "a", "inputSchema": ["object"]}]}`:                                                                                      "expected a JSON Schema, which is a map",
		`{"tools": [{"name": "a", "inputSchema": ` + strings.Repeat(`{"a": `, 200) + `1` + strings.Repeat(`}`, 200) + `}]}`:                          "lists and maps nest more than 100 deep",
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, project.FileName), []byte("tools: {mcp: {s: {command: [x]}}}"), 0o600); err != nil {
			t.Fatal(err)
		}
		r := project.Request{Dir: dir, AllowMCP: true, Lister: saying{lister(t), program(t, "says", result)}}
		p, err := project.Open(t.Context(), r)
		if err == nil && strings.Count(result, `"name"`) != len(p.Input.Tools) {
			t.Errorf("%.80s: %d tools", result, len(p.Input.Tools))
		}
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%.80s: %v, want %s", result, err, want)
		}
	}
}

// saying asks another server than the one that the manifest names.
type saying struct {
	*toolserver.Lister
	instead consent.Server
}

func (l saying) List(ctx context.Context, _ consent.Server, dir string) (consent.Listing, error) {
	return l.Lister.List(ctx, l.instead, dir)
}

// Servers of every protocol are understood, and how one wants to be greeted is known
// the next time.
func TestGreetings(t *testing.T) {
	for _, mode := range []string{"strict", "mute", "late"} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			dir, cache := t.TempDir(), t.TempDir()
			mark := filepath.Join(t.TempDir(), "mark")
			for i := range 2 {
				l := lister(t)
				l.Cache = cache
				got, err := l.List(t.Context(), program(t, mode, mark), dir)
				if err != nil || !strings.Contains(got.Text, `"name": "read"`) || got.Kept != "" {
					t.Fatalf("%v\n%s %s", err, got.Kept, got.Text)
				}
				if _, err := os.Stat(mark); (err == nil) != (i == 0 || mode == "late") {
					t.Errorf("run %d: server/discover was sent %t", i, err == nil)
				}
				if mode != "late" {
					_ = os.Remove(mark)
				}
			}
		})
	}
}

// A server that ends in the middle is started once more.
func TestRestart(t *testing.T) {
	got, err := lister(t).List(t.Context(), program(t, "ends-once", filepath.Join(t.TempDir(), "mark")), t.TempDir())
	if err != nil || strings.Count(got.Text, `"name"`) != 2 {
		t.Errorf("%v\n%s", err, got.Text)
	}
}

// A server that fails is answered for by what it said before, with the reason.
func TestKept(t *testing.T) {
	dir := t.TempDir()
	handler := servers.Handler(servers.Good(""))
	broken, none := false, servers.Handler(servers.Server("env"))
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if broken {
			http.Error(w, "gone", http.StatusInternalServerError)
			return
		}
		handler.ServeHTTP(w, r)
	}))
	defer web.Close()
	s := consent.Server{Name: "web", URL: web.URL + "?key=hidden", Timeout: 30}
	cache := t.TempDir()
	fresh := func() *toolserver.Lister { return &toolserver.Lister{Cache: cache} }
	if _, err := fresh().Kept(s, dir); err == nil {
		t.Error("something is kept of a server that was never asked")
	}
	if _, err := fresh().List(t.Context(), s, dir); err != nil {
		t.Fatal(err)
	}
	// A listing without tools is used, and doesn't replace the one that is kept.
	working := handler
	handler = none
	if got, err := fresh().List(t.Context(), s, dir); err != nil || !strings.Contains(got.Text, `"tools": []`) {
		t.Fatalf("%v, %+v", err, got)
	}
	handler, broken = working, true
	got, err := fresh().List(t.Context(), s, dir)
	if err != nil || got.Text != good || got.Kept == "" {
		t.Fatalf("%v, %+v", err, got)
	}
	if strings.Contains(got.Kept, "hidden") {
		t.Errorf("the reason tells the address: %s", got.Kept)
	}
	// Of another folder, and with another word, nothing is kept.
	other := s
	other.Prefix = "a_"
	for _, x := range []struct {
		s   consent.Server
		dir string
	}{{s, t.TempDir()}, {other, dir}} {
		if _, err := fresh().List(t.Context(), x.s, x.dir); err == nil {
			t.Error("the listing of another server is used")
		}
	}
	// What was changed on disk is as good as nothing.
	files, err := filepath.Glob(filepath.Join(cache, "listings", "*.json"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%q, %v", files, err)
	}
	if err := os.WriteFile(files[0], []byte(strings.Replace(good, "Reads", "Ruins", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := fresh().Kept(s, dir); err == nil {
		t.Errorf("a changed listing is used: %s", got.Text)
	}
}

// A run that is called off ends the listing: the server has been asked, and
// hasn't answered.
func TestCalledOff(t *testing.T) {
	asked, end := make(chan struct{}), make(chan struct{})
	web := httptest.NewServer(servers.Handler(servers.Silent(func() { close(asked) }, end)))
	defer web.Close()
	defer close(end)
	ctx, stop := context.WithCancel(t.Context())
	go func() {
		<-asked
		stop()
	}()
	_, err := lister(t).List(ctx, consent.Server{Name: "web", URL: web.URL}, t.TempDir())
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want that it was called off", err)
	}
}

// A program sees the variables that it needs, those that the manifest sets and
// those that it names, and no others.
func TestEnvironment(t *testing.T) {
	s := program(t, "env")
	s.Env, s.Inherit = map[string]string{"LEVEL": "3", "HOME": "/elsewhere"}, []string{"GITHUB_TOKEN"}
	l := lister(t)
	l.Environ = append(os.Environ(), "GITHUB_TOKEN=mine", "AWS_SECRET=hidden", "LEVEL=9", "LD_PRELOAD=/evil.so")
	got, err := l.List(t.Context(), s, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"LEVEL=3", "HOME=/elsewhere", "GITHUB_TOKEN=mine", "PATH="} {
		if !strings.Contains(got.Text, want) {
			t.Errorf("no %s in %s", want, got.Text)
		}
	}
	for _, no := range []string{"AWS_SECRET", "LEVEL=9", "LD_PRELOAD", "hidden"} {
		if strings.Contains(got.Text, no) {
			t.Errorf("%s in %s", no, got.Text)
		}
	}
}

// An address may not lead to a host that nobody approved.
func TestRedirects(t *testing.T) {
	reached := false
	far := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached = true }))
	defer far.Close()
	near := httptest.NewServer(http.RedirectHandler(far.URL, http.StatusTemporaryRedirect))
	defer near.Close()
	_, err := lister(t).List(t.Context(), consent.Server{Name: "near", URL: near.URL}, t.TempDir())
	if err == nil || reached {
		t.Errorf("%v, reached %t", err, reached)
	}
}

// A server is asked once in a run, however often its project is opened.
func TestAskedOnce(t *testing.T) {
	asked := 0
	handler := servers.Handler(servers.Good(""))
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		handler.ServeHTTP(w, r)
	}))
	defer web.Close()
	l, dir := lister(t), t.TempDir()
	s := consent.Server{Name: "web", URL: web.URL}
	first, err := l.List(t.Context(), s, dir)
	if err != nil {
		t.Fatal(err)
	}
	before := asked
	if again, err := l.List(t.Context(), s, dir); err != nil || again != first || asked != before {
		t.Errorf("%v, asked %d times and then %d", err, before, asked)
	}
}
